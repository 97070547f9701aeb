"""Matches over HTTP, on a real database, from their creation to their end."""

import itertools
from collections.abc import AsyncIterator, Sequence
from typing import Any
from uuid import UUID

import anyio
import httpx
import pytest
from fastapi import FastAPI
from pydantic import TypeAdapter

from api.calls import redacted
from api.store import Store
from engine.events import Event
from engine.match import fold
from engine.rulesets import RULESETS
from engine.view import SPECTATOR, MatchView, view
from tests.api.conftest import PATIENCE, Served

EVENTS: TypeAdapter[tuple[Event, ...]] = TypeAdapter(tuple[Event, ...])
VIEW = TypeAdapter(MatchView)
CPU = {"kind": "cpu", "level": "easy"}
HUMAN = {"kind": "human"}


class Player:
    """Whoever holds a token of a match."""

    def __init__(self, client: httpx.AsyncClient, created: dict[str, Any], token: str | None) -> None:
        self.client, self.path = client, f"/v1/matches/{created['match']['id']}"
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}

    async def get(self, path: str = "", **query: Any) -> dict[str, Any]:
        answer = await self.client.get(self.path + path, params=query, headers=self.headers)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    async def post(self, path: str, body: object = None, *, status: int = 200) -> dict[str, Any]:
        answer = await self.client.post(f"{self.path}/{path}", json=body, headers=self.headers)
        assert answer.status_code == status, answer.text
        found: dict[str, Any] = answer.json()
        return found

    async def log(self, *, limit: int = 100) -> list[dict[str, Any]]:
        items: list[dict[str, Any]] = []
        while True:
            page = await self.get("/events", after=len(items), limit=limit)
            items += page["items"]
            if len(items) == page["last_seq"]:
                return items


async def create(client: httpx.AsyncClient, ruleset: str, **body: Any) -> tuple[dict[str, Any], list[Player], Player]:
    """The answer to a create, the people by seat, and the host."""
    answer = await client.post("/v1/matches", json={"ruleset": ruleset, **body})
    assert answer.status_code == 201, answer.text
    created = answer.json()
    assert answer.headers["Location"] == f"/v1/matches/{created['match']['id']}"
    people = [Player(client, created, seat["token"]) for seat in created["tokens"]]
    return created, people, Player(client, created, created["host_token"])


async def play_out(people: Sequence[Player], host: Player) -> dict[str, Any]:
    """Post entries of `legal_moves`, as they are, until the match is finished."""
    for turn in itertools.count():
        state = await host.get()
        if state["status"] == "finished":
            return state
        for player in [*people, host]:
            moves = (await player.get())["hand"]["legal_moves"]
            if moves:
                move = moves[turn % len(moves)]
                answer = await player.post(move["type"], move)
                assert answer["match"]["version"] == answer["events"][-1]["seq"]
                break
        else:
            await host.post("step")
    raise AssertionError


async def check_stored(app: FastAPI, match_id: str, log: list[dict[str, Any]], state: dict[str, Any]) -> None:
    """The log is gapless, its fold is the stored match, and both are what a spectator is told."""
    store: Store = app.state.store
    stored = await store.load(UUID(match_id))
    assert stored is not None
    events = await store.events(UUID(match_id), after=0, until=stored.version, limit=10_000)
    assert [event.seq for event in events] == list(range(1, stored.version + 1))
    assert fold(stored.setup, events) == stored
    if state["viewer"]["role"] == "spectator":
        assert VIEW.dump_python(view(stored, SPECTATOR), mode="json") == state
    assert EVENTS.dump_python(redacted(stored, events, SPECTATOR), mode="json") == log


TABLES = [
    ("partner-penalty", [HUMAN, CPU, CPU, CPU]),
    ("partner-penalty", [CPU, HUMAN, CPU, HUMAN]),
    ("partner-penalty", [HUMAN] * 4),
    ("all-fives", [HUMAN, CPU]),
    ("all-fives", [HUMAN, HUMAN]),
    ("draw", [CPU, HUMAN]),
    ("block", [HUMAN, CPU]),
]


@pytest.mark.parametrize(("ruleset", "seats"), TABLES)
@pytest.mark.parametrize("pacing", ["auto", "step"])
async def test_a_match_is_played_from_legal_moves(
    client: httpx.AsyncClient, app: FastAPI, ruleset: str, seats: list[Any], pacing: str
) -> None:
    target = 20 if pacing == "step" else 40
    created, people, host = await create(client, ruleset, seats=seats, pacing=pacing, rules={"target": target})
    finished = await play_out(people, host)
    spectator = Player(client, created, None)
    await check_stored(app, created["match"]["id"], await spectator.log(limit=7), await spectator.get())
    assert finished["result"]["reason"] == "score"
    assert max(score["points"] for score in finished["scores"]) >= target
    assert finished["deal"]["seed"] is not None
    assert [hand["number"] for hand in finished["past_hands"]] == list(range(1, len(finished["past_hands"]) + 1))
    logs = [await player.log() for player in [*people, host]]
    assert all(log == logs[-1] for log in logs)  # with the match everything has been shown


@pytest.mark.parametrize("ruleset", RULESETS)
async def test_cpu_seats_play_by_themselves(client: httpx.AsyncClient, app: FastAPI, ruleset: str) -> None:
    levels = ["hard", "easy", "medium", "hard"]
    seats = [{"kind": "cpu", "level": level} for level in levels[: RULESETS[ruleset].seat_counts[0]]]
    created, people, host = await create(client, ruleset, seats=seats)
    assert people == []
    assert created["match"]["viewer"] == {"role": "host", "seat": None}
    state = created["match"]
    while state["status"] == "hand_over":
        state = (await host.post("next-hand"))["match"]
    assert state["status"] == "finished"
    await check_stored(app, state["id"], await Player(client, created, None).log(), state)


async def test_a_numbered_match_against_cpu_seats_replays_move_for_move(client: httpx.AsyncClient) -> None:
    logs = []
    for _ in range(2):
        created, _, host = await create(
            client, "partner-penalty", seats=[CPU] * 4, deal={"kind": "numbered", "number": 9}
        )
        log = await host.log()
        logs.append([{key: value for key, value in event.items() if key != "at"} for event in log])
        assert created["match"]["deal"]["number"] == 9
    assert logs[0] == logs[1]


async def test_the_seed_of_a_finished_match_deals_it_again(client: httpx.AsyncClient) -> None:
    _, _, host = await create(client, "block", seats=[CPU] * 2, rules={"target": 0})
    finished = await host.get()
    seed = finished["deal"]["seed"]
    created, _, _ = await create(
        client, "block", seats=[CPU] * 2, deal={"kind": "seeded", "seed": seed}, rules={"target": 0}
    )
    assert created["match"]["deal"]["commitment"] == finished["deal"]["commitment"]
    dealt = [event for event in await host.log() if event["type"] == "hand_dealt"]
    again = [event for event in created["events"] if event["type"] == "hand_dealt"]
    assert again[0]["tiles"] == dealt[0]["tiles"]


async def test_the_service_passes_for_people_when_asked(client: httpx.AsyncClient) -> None:
    _, people, host = await create(client, "block", seats=[HUMAN, CPU], auto_pass=True, rules={"target": 40})
    await play_out(people, host)
    passes = [event for event in await host.log() if event["type"] == "turn_passed" and event["seat"] == 0]
    assert passes
    assert all(event["automatic"] for event in passes)


async def test_a_step_is_one_thing_that_one_cpu_seat_does(client: httpx.AsyncClient) -> None:
    created, _, host = await create(
        client, "draw", seats=[CPU, CPU], pacing="step", deal={"kind": "numbered", "number": 3}
    )
    seat = created["match"]["hand"]["turn"]
    answer = await host.post("step")
    moves = [event for event in answer["events"] if event["type"] in {"tile_played", "tile_drawn", "turn_passed"}]
    assert [event["seat"] for event in moves] == [seat]


async def test_a_level_is_changed_by_the_host_and_by_the_only_person(client: httpx.AsyncClient) -> None:
    created, people, host = await create(client, "draw", seats=[HUMAN, CPU])
    for caller, level in ((host, "hard"), (people[0], "medium")):
        answer = await client.patch(f"{caller.path}/seats/1", json={"level": level}, headers=caller.headers)
        assert answer.status_code == 200
        assert answer.json()["match"]["seats"][1]["level"] == level
        assert [event["type"] for event in answer.json()["events"]] == ["level_changed"]
    same = await client.patch(f"{host.path}/seats/1", json={"level": "medium"}, headers=host.headers)
    assert same.json()["events"] == []
    assert same.json()["match"]["version"] == created["match"]["version"] + 2


async def test_a_seat_sees_its_own_tiles_and_nobody_elses(client: httpx.AsyncClient) -> None:
    created, people, host = await create(client, "partner-penalty", seats=[HUMAN] * 4)
    for seat, player in enumerate(people):
        state = await player.get()
        assert state["viewer"] == {"role": "seat", "seat": seat}
        assert [shown["tiles"] is not None for shown in state["seats"]] == [other == seat for other in range(4)]
    for watcher in (host, Player(client, created, None)):
        assert all(shown["tiles"] is None for shown in (await watcher.get())["seats"])


async def test_every_parameter_may_be_overridden_with_its_own_value(client: httpx.AsyncClient) -> None:
    for ruleset in (await client.get("/v1/rulesets")).json()["items"]:
        values = {parameter["name"]: parameter["value"] for parameter in ruleset["parameters"]}
        created, _, _ = await create(client, ruleset["id"], rules=values)
        assert created["match"]["rules"] == values
        assert (await client.get(f"/v1/rulesets/{ruleset['id']}")).json() == ruleset


@pytest.fixture
async def served_client(served: Served) -> AsyncIterator[httpx.AsyncClient]:
    """A caller over real connections."""
    async with httpx.AsyncClient(base_url=served.url, timeout=PATIENCE) as caller:
        yield caller


async def test_moves_at_once_are_applied_once(served_client: httpx.AsyncClient) -> None:
    _, people, host = await create(served_client, "block", seats=[HUMAN, HUMAN])
    raced = 0
    for player in people * 3:
        moves = (await player.get())["hand"]["legal_moves"]
        if not moves:
            continue
        raced += 1
        before = (await host.get())["version"]
        async with anyio.create_task_group() as group:
            answers: list[httpx.Response] = []

            async def post(player: Player = player, move: Any = moves[0], answers: Any = answers) -> None:
                answers.append(
                    await served_client.post(f"{player.path}/{move['type']}", json=move, headers=player.headers)
                )

            for _ in range(8):
                group.start_soon(post)
        assert sorted(answer.status_code for answer in answers) == [200] + [409] * 7
        assert {answer.json()["code"] for answer in answers if answer.status_code == 409} <= {
            "not-your-turn",
            "hand-over",
        }
        applied = next(answer.json() for answer in answers if answer.status_code == 200)
        assert applied["events"][0]["seq"] == before + 1
    assert raced >= 2
    log = await host.log()
    assert [event["seq"] for event in log] == list(range(1, len(log) + 1))
