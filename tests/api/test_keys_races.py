"""Keys, versions and joins at once, over real connections to a service of two processes."""

import secrets
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from functools import partial
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from tests.api.callers import CPU, HUMAN, OPEN, SEEDED, Caller, Table, create, play
from tests.api.stored import check_everyone, stored
from tests.api.test_matches_races import at_once, connect, outcomes
from tests.serving import Served

CALLERS = 50
ROUNDS = 8


@pytest.fixture
async def pair(served_pair: Served) -> AsyncIterator[httpx.AsyncClient]:
    """A caller of two processes."""
    async with connect(served_pair) as caller:
        yield caller


def post(caller: Caller, path: str, body: object = None, **headers: str) -> Callable[[], Awaitable[httpx.Response]]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda: caller.send(path, body, headers=named)


def replays(answers: Sequence[httpx.Response]) -> int:
    return sum(answer.headers.get("Idempotency-Replayed") == "true" for answer in answers)


def same(values: Sequence[Any]) -> Any:
    """The one value that all of them are."""
    assert all(value == values[0] for value in values)
    return values[0]


async def turns(table: Table) -> AsyncIterator[tuple[dict[str, Any], Caller, dict[str, Any]]]:
    """The state, who has the turn and a move of theirs, `ROUNDS` times; the hands are dealt on."""
    for _ in range(ROUNDS):
        match = await table.host.get()
        if match["status"] == "hand_over":
            match = (await table.host.post("next-hand"))["match"]
        assert match["status"] == "playing"
        caller = table.people[match["hand"]["turn"]]
        yield match, caller, (await caller.moves())[0]


async def test_one_key_on_one_move_is_one_move(pair: httpx.AsyncClient, app: FastAPI) -> None:
    for seats in ([HUMAN, HUMAN], [HUMAN, CPU]):
        table = await create(pair, "draw", seats=seats, deal=SEEDED, rules={"target": 1_000})
        async for match, caller, move in turns(table):
            call = post(caller, move["type"], move, Idempotency_Key=secrets.token_hex())
            answers = await at_once([call] * CALLERS)
            assert outcomes(answers) == {"applied": CALLERS}
            assert replays(answers) == CALLERS - 1
            events = same([answer.json()["events"] for answer in answers])
            assert events[0]["seq"] == match["version"] + 1
            assert (await table.host.get())["version"] == events[-1]["seq"]
        await check_everyone(app, table)


async def test_many_keys_at_one_version_are_one_move(pair: httpx.AsyncClient, app: FastAPI) -> None:
    table = await create(pair, "draw", seats=[HUMAN, CPU], deal=SEEDED, rules={"target": 1_000})
    async for match, caller, move in turns(table):
        calls = [
            post(caller, move["type"], move, Idempotency_Key=secrets.token_hex(), If_Match=f'"{match["version"]}"')
            for index in range(CALLERS)
        ]
        answers = await at_once(calls)
        assert outcomes(answers) == {"applied": 1, "version-mismatch": CALLERS - 1}
        assert Counter(answer.status_code for answer in answers) == {200: 1, 412: CALLERS - 1}
        (applied,) = [index for index, answer in enumerate(answers) if answer.is_success]
        again = await calls[applied]()
        assert again.json()["events"] == answers[applied].json()["events"]
        assert replays([again]) == 1
    await check_everyone(app, table)


async def test_two_seats_at_once(pair: httpx.AsyncClient, app: FastAPI) -> None:
    """Whoever has the turn moves, with or without the other one, who is told that it is too early or too late."""
    table = await create(pair, "draw", seats=[HUMAN, HUMAN], deal=SEEDED, rules={"target": 1_000})
    async for match, caller, move in turns(table):
        other = table.people[1 - match["hand"]["turn"]]
        key, version = secrets.token_hex(), f'"{match["version"]}"'
        answers = await at_once(
            [
                post(caller, move["type"], move, Idempotency_Key=key, If_Match=version),
                post(other, move["type"], move, Idempotency_Key=key, If_Match=version),
            ]
            * 5
        )
        mover, waiter = answers[::2], answers[1::2]
        assert outcomes(mover) == {"applied": 5}
        assert replays(mover) == 4
        assert same([answer.json()["events"] for answer in mover])[0]["seat"] == caller.viewer.seat
        assert set(outcomes(waiter)) <= {"not-your-turn", "version-mismatch", "tile-not-in-hand"}
    await check_everyone(app, table)


async def _create(client: httpx.AsyncClient, key: str) -> httpx.Response:
    """A match with a secret deal, so that each try deals other tiles."""
    body = {"ruleset": "draw", "seats": [HUMAN, HUMAN]}
    return await client.post("/v1/matches", json=body, headers={"Idempotency-Key": key})


async def test_one_key_on_creates_is_one_match(pair: httpx.AsyncClient, app: FastAPI) -> None:
    for _ in range(ROUNDS):
        key = secrets.token_urlsafe()
        answers = await at_once([partial(_create, pair, key)] * CALLERS)
        assert [answer.status_code for answer in answers] == [201] * CALLERS
        assert replays(answers) == CALLERS - 1
        created = same([answer.json() for answer in answers])
        same([answer.headers["Location"] for answer in answers])
        path = answers[0].headers["Location"]
        for token in created["tokens"]:
            seen = await pair.get(path, headers={"Authorization": f"Bearer {token['token']}"})
            assert seen.json()["viewer"] == {"role": "seat", "seat": token["seat"]}
            assert seen.json()["deal"]["commitment"] == created["match"]["deal"]["commitment"]


async def test_one_open_seat_is_taken_once(pair: httpx.AsyncClient, app: FastAPI) -> None:
    for _ in range(ROUNDS):
        table = await create(pair, "draw", seats=[HUMAN, OPEN])
        calls = [
            post(table.spectator, "join", {"name": f"{index}"}, Idempotency_Key=secrets.token_urlsafe())
            for index in range(CALLERS)
        ]
        answers = await at_once(calls)
        assert outcomes(answers) == {"applied": 1, "no-open-seat": CALLERS - 1}
        (applied,) = [index for index, answer in enumerate(answers) if answer.is_success]
        _, log = await stored(app, table)
        assert [event.type for event in log].count("seat_joined") == 1
        assert (await table.host.get())["seats"][1]["name"] == f"{applied}"
        again = await at_once([calls[applied]] * 5)
        assert replays(again) == 5
        assert same([answer.json()["tokens"] for answer in again]) == answers[applied].json()["tokens"]


async def test_open_seats_are_taken_by_so_many(pair: httpx.AsyncClient, app: FastAPI) -> None:
    """Each with a key that is sent five times at once: three seats, and three different tokens."""
    for _ in range(ROUNDS // 2):
        table = await create(pair, "partner-penalty", seats=[HUMAN, OPEN, OPEN, OPEN], deal=SEEDED)
        keys = [secrets.token_urlsafe() for _ in range(6)]
        answers = await at_once([post(table.spectator, "join", None, Idempotency_Key=key) for key in keys * 5])
        assert outcomes(answers) == {"applied": 15, "no-open-seat": 15}
        assert replays(answers) == 12
        tokens = Counter(answer.json()["tokens"][0]["seat"] for answer in answers if answer.is_success)
        assert tokens == {1: 5, 2: 5, 3: 5}
        assert (await table.host.get())["status"] == "playing"
        _, log = await stored(app, table)
        assert [event.type for event in log[:5]] == ["match_created", *["seat_joined"] * 3, "hand_dealt"]


async def test_a_game_whose_every_call_is_sent_three_times(pair: httpx.AsyncClient, app: FastAPI) -> None:
    """The log is the one of a game whose calls are sent once."""
    single = await create(pair, "draw", seats=[HUMAN, CPU], deal=SEEDED, rules={"target": 30})
    calls = [(called.path, called.body) async for called in play(single)]
    table = await create(pair, "draw", seats=[HUMAN, CPU], deal=SEEDED, rules={"target": 30})
    callers = {True: table.people[0], False: table.host}
    for number, (path, body) in enumerate(calls):
        answers = await at_once([post(callers[path != "next-hand"], path, body, Idempotency_Key=str(number))] * 3)
        assert outcomes(answers) == {"applied": 3}
        assert replays(answers) == 2

    def timeless(log: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [{name: value for name, value in event.items() if name != "at"} for event in log]

    assert timeless(await table.spectator.log()) == timeless(await single.spectator.log())
    await check_everyone(app, table)
