"""Calls at once, over real connections: each is applied once, or judged on what the others left."""

import random
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any

import anyio
import httpx
import pytest
from fastapi import FastAPI

from tests.api.callers import CPU, HUMAN, SEEDED, Caller, Table, create, play
from tests.api.services import SECRET
from tests.api.situations import FORKED, seated
from tests.api.stored import check_everyone, seen, stored
from tests.serving import PATIENCE, Serve, Served


@pytest.fixture
async def served_client(served: Served) -> AsyncIterator[httpx.AsyncClient]:
    """A caller over real connections."""
    async with connect(served) as caller:
        yield caller


def connect(served: Served) -> httpx.AsyncClient:
    """As many connections as there are calls at once."""
    return httpx.AsyncClient(base_url=served.url, timeout=PATIENCE)


async def at_once(calls: Sequence[Callable[[], Awaitable[httpx.Response]]]) -> list[httpx.Response]:
    """The answers, in the order of the calls."""
    answers: dict[int, httpx.Response] = {}

    async def run(index: int) -> None:
        answers[index] = await calls[index]()

    async with anyio.create_task_group() as group:
        for index in range(len(calls)):
            group.start_soon(run, index)
    return [answers[index] for index in range(len(calls))]


def outcomes(answers: Sequence[httpx.Response]) -> Counter[str]:
    """How many calls were applied, and how many were refused with each code."""
    return Counter("applied" if answer.is_success else answer.json()["code"] for answer in answers)


def post(caller: Caller, path: str, body: object = None) -> Callable[[], Awaitable[httpx.Response]]:
    return lambda: caller.send(path, body)


@pytest.mark.parametrize("callers", [2, 10])
async def test_of_the_same_moves_at_once_one_is_applied(
    served_client: httpx.AsyncClient, app: FastAPI, callers: int
) -> None:
    """The others find that it is not their turn any more or, where the turn came back, that the tile has gone."""
    for ruleset, seats in (("draw", [HUMAN, HUMAN]), ("draw", [HUMAN, CPU]), ("partner-penalty", [HUMAN] * 4)):
        table = await create(served_client, ruleset, seats=seats, deal=SEEDED)
        match, races = table.created["match"], 0
        while races < 6 and match["status"] == "playing":
            mover = table.people[match["hand"]["turn"]]
            move = (await mover.moves())[0]
            if move["type"] != "play":  # a draw leaves the turn where it is
                match = (await mover.post(move["type"], move))["match"]
                continue
            answers = await at_once([post(mover, "play", move)] * callers)
            counted = outcomes(answers)
            assert counted.pop("applied") == 1
            assert set(counted) <= {"not-your-turn", "hand-over", "tile-not-in-hand"}
            (applied,) = [answer.json() for answer in answers if answer.is_success]
            assert applied["events"][0]["seq"] == match["version"] + 1
            match, races = applied["match"], races + 1
        assert races >= 3
        await check_everyone(app, table)


async def test_of_different_moves_at_once_one_is_applied(served_client: httpx.AsyncClient, app: FastAPI) -> None:
    table = await seated(served_client, "block", FORKED)
    await table.people[0].post("play", {"tile": "6-6"})
    await table.people[1].post("play", {"tile": "6-5"})
    moves: list[Any] = [{"tile": "6-4"}, {"tile": "1-1"}, {"tile": "6-4", "end": "right"}, {"tile": "6-6"}]
    answers = await at_once([post(table.people[0], "play", move) for move in moves * 3])
    counted = outcomes(answers)
    assert counted.pop("applied") == 1
    assert set(counted) <= {"not-your-turn", "tile-does-not-fit", "tile-not-in-hand"}
    await check_everyone(app, table)


async def test_the_next_hand_is_dealt_once(served_client: httpx.AsyncClient, app: FastAPI) -> None:
    table = await create(served_client, "partner-penalty", seats=[HUMAN] * 4, deal=SEEDED)
    async for called in play(table):
        if called.answer["match"]["status"] == "hand_over":
            break
    answers = await at_once([post(caller, "next-hand") for caller in [*table.people.values(), table.host] * 3])
    assert outcomes(answers) == {"applied": 1, "hand-not-over": 14}
    assert (await table.spectator.get())["hand"]["number"] == 2
    await check_everyone(app, table)


async def test_a_level_is_changed_once(served_client: httpx.AsyncClient, app: FastAPI) -> None:
    table = await create(served_client, "draw", seats=[HUMAN, CPU], deal=SEEDED)
    answers = await at_once([lambda: table.host.patch(1, {"level": "hard"})] * 10)
    assert outcomes(answers) == {"applied": 10}
    assert sorted(len(answer.json()["events"]) for answer in answers) == [0] * 9 + [1]
    await check_everyone(app, table)


async def test_steps_at_once_are_so_many_steps(served_client: httpx.AsyncClient, app: FastAPI) -> None:
    """Far more of them than a table has seats, and each finds another state than it was first judged on."""
    table = await create(served_client, "draw", seats=[CPU, CPU], pacing="step", deal=SEEDED)
    answers = await at_once([post(table.host, "step")] * 30)
    counted = outcomes(answers)
    assert counted["applied"] > 10
    assert set(counted) <= {"applied", "hand-over"}
    caused = [event["seq"] for answer in answers if answer.is_success for event in answer.json()["events"]]
    assert sorted(caused) == list(range(table.created["match"]["version"] + 1, (await table.host.get())["version"] + 1))
    await check_everyone(app, table)


async def _hammer(table: Table, caller: Caller, applied: list[tuple[Caller, dict[str, Any]]], codes: set[str]) -> None:
    """Ask for anything at all, legal moves mostly, without waiting for anybody, until the match is over."""
    rng = random.Random(str(caller.viewer))
    while True:
        state = await caller.get()
        if state["status"] == "finished":
            return
        moves = state["hand"]["legal_moves"]
        body = rng.choice(moves or [{"type": "play", "tile": rng.choice(["6-5", "3-1", "4-4"])}])
        if rng.random() < 0.3:
            body = rng.choice([{"type": "pass"}, {"type": "draw"}, {"type": "next-hand"}, *moves])
        for answer in await at_once([post(caller, body["type"], body)] * rng.choice([1, 1, 2])):
            if answer.is_success:
                applied.append((caller, answer.json()))
            else:
                assert answer.status_code == 409, answer.text
                codes.add(answer.json()["code"])


async def test_four_people_who_wait_for_nobody(serve: Serve, app: FastAPI, database_url: str) -> None:
    served = serve("--workers", "2", CAPICUA_DATABASE_URL=database_url, CAPICUA_SECRET=SECRET)
    applied: list[tuple[Caller, dict[str, Any]]] = []
    codes: set[str] = set()
    async with connect(served) as client:
        table = await create(client, "partner-penalty", seats=[HUMAN] * 4, deal=SEEDED, rules={"target": 20})
        async with anyio.create_task_group() as group:
            for caller in table.people.values():
                group.start_soon(_hammer, table, caller, applied, codes)
        await check_everyone(app, table)
    match, log = await stored(app, table)
    assert {"not-your-turn"} <= codes
    told = {event["seq"]: event for _, answer in applied for event in answer["events"]}
    assert sorted(told) == [event.seq for event in log[table.created["match"]["version"] :]]
    assert sum(len(answer["events"]) for _, answer in applied) == len(told)
    _, shown = seen(match, log, table.spectator.viewer)
    for caller, answer in applied:
        for event in answer["events"][:1]:
            assert event["seat"] in {caller.viewer.seat, None}
        for event in answer["events"]:
            public = {name: value for name, value in event.items() if name not in {"tiles", "boneyard"}}
            assert public.items() <= shown[event["seq"] - 1].items()
