"""Open seats: who takes them, with what token, and a match for which nobody comes."""

from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from api import pulse
from api.auth import Tokens
from engine.view import Viewer
from tests.api.callers import CPU, HUMAN, OPEN, SEEDED, Caller, Table, create, play_out
from tests.api.services import DAY, MINUTE, SECRET, Service
from tests.api.stored import check_everyone, stored

FOUR = "partner-penalty"


async def join(table: Table, body: object = None) -> tuple[Caller, dict[str, Any]]:
    """Whoever has joined, and what they were answered."""
    answer = await table.spectator.post("join", body)
    [token] = answer["tokens"]
    return Caller(table.host.client, str(table.id), Viewer("seat", token["seat"]), token["token"]), answer


async def refused(call: httpx.Response) -> tuple[int, str]:
    return call.status_code, call.json()["code"]


async def test_a_match_waits_until_its_last_seat_is_taken(client: httpx.AsyncClient, app: FastAPI) -> None:
    table = await create(client, FOUR, seats=[{**HUMAN, "name": "Asha"}, OPEN, CPU, OPEN], deal=SEEDED)
    created = table.created
    assert [event["type"] for event in created["events"]] == ["match_created"]
    assert [token["seat"] for token in created["tokens"]] == [0]
    match = created["match"]
    assert (match["status"], match["hand"], match["version"]) == ("waiting", None, 1)
    assert match["viewer"] == {"role": "seat", "seat": 0}
    assert [(seat["kind"], seat["name"], seat["tile_count"], seat["tiles"]) for seat in match["seats"]] == [
        ("human", "Asha", 0, None),
        ("open", None, 0, None),
        ("cpu", None, 0, None),
        ("open", None, 0, None),
    ]
    await check_everyone(app, table)
    ben, answer = await join(table, {"name": "Ben"})
    assert [(event["type"], event["seat"], event["name"]) for event in answer["events"]] == [("seat_joined", 1, "Ben")]
    assert answer["match"]["status"] == "waiting"
    assert answer["match"]["viewer"] == {"role": "seat", "seat": 1}
    cleo, answer = await join(table, {"name": "Cleo"})
    assert [event["type"] for event in answer["events"]][:2] == ["seat_joined", "hand_dealt"]
    assert answer["match"]["status"] == "playing"
    assert [seat["name"] for seat in answer["match"]["seats"]] == ["Asha", "Ben", None, "Cleo"]
    full = Table(created, {0: table.people[0], 1: ben, 3: cleo}, table.host, table.spectator)
    await check_everyone(app, full)
    assert (await play_out(full))["status"] == "finished"
    await check_everyone(app, full)


async def test_a_joined_match_is_dealt_as_one_that_never_waited(client: httpx.AsyncClient) -> None:
    waiting = await create(client, "draw", seats=[HUMAN, OPEN], deal=SEEDED)
    await join(waiting)
    direct = await create(client, "draw", seats=[HUMAN, HUMAN], deal=SEEDED)
    one, other = await waiting.people[0].get(), await direct.people[0].get()
    assert one["seats"][0]["tiles"] == other["seats"][0]["tiles"]
    assert one["hand"]["turn"] == other["hand"]["turn"]


@pytest.mark.parametrize("body", [None, {}, {"seat": None}, {"name": None}, {"seat": 1}, {"seat": 1, "name": "Ben"}])
async def test_seat_and_name_may_be_left_out(client: httpx.AsyncClient, body: dict[str, Any] | None) -> None:
    table = await create(client, FOUR, seats=[HUMAN, OPEN, OPEN, OPEN])
    caller, answer = await join(table, body)
    assert caller.viewer.seat == 1
    assert answer["match"]["seats"][1]["name"] == (body or {}).get("name")


async def test_seats_are_taken_in_any_order(client: httpx.AsyncClient, app: FastAPI) -> None:
    table = await create(client, FOUR, seats=[OPEN, OPEN, OPEN, OPEN], deal=SEEDED)
    assert table.created["tokens"] == []
    assert table.created["match"]["viewer"]["role"] == "host"
    people = {}
    for seat in (2, None, 3, None):
        caller, _ = await join(table, {"seat": seat})
        people[caller.viewer.seat or 0] = caller
    assert list(people) == [2, 0, 3, 1]
    await check_everyone(app, Table(table.created, people, table.host, table.spectator))


async def test_a_seat_that_is_not_open_cannot_be_taken(client: httpx.AsyncClient, app: FastAPI) -> None:
    table = await create(client, FOUR, seats=[HUMAN, OPEN, CPU, OPEN])
    for seat in (0, 2):
        assert await refused(await table.spectator.send("join", {"seat": seat})) == (409, "no-open-seat")
    await join(table, {"seat": 1})
    assert await refused(await table.spectator.send("join", {"seat": 1})) == (409, "no-open-seat")
    await join(table)
    assert await refused(await table.spectator.send("join")) == (409, "no-open-seat")
    small = await create(client, "draw", seats=[HUMAN, OPEN])
    assert await refused(await small.spectator.send("join", {"seat": 3})) == (409, "no-open-seat")
    await check_everyone(app, table)


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"seat": 9}, "#/seat"),
        ({"seat": -1}, "#/seat"),
        ({"seat": "1"}, "#/seat"),
        ({"seat": True}, "#/seat"),
        ({"seat": 1.5}, "#/seat"),
        ({"name": ""}, "#/name"),
        ({"name": "x" * 41}, "#/name"),
        ({"name": "a\0"}, "#/name"),
        ({"level": "hard"}, "#"),
        ([], "#"),
    ],
)
async def test_a_join_is_held_to_its_schema(client: httpx.AsyncClient, body: Any, pointer: str) -> None:
    table = await create(client, "draw", seats=[HUMAN, OPEN])
    answer = await table.spectator.send("join", body)
    assert await refused(answer) == (422, "invalid-request")
    assert [error["pointer"] for error in answer.json()["errors"]] == [pointer]


async def test_nobody_has_the_token_of_a_seat_that_is_open(client: httpx.AsyncClient) -> None:
    table = await create(client, "draw", seats=[HUMAN, OPEN])
    early = Caller(client, str(table.id), Viewer("seat", 1), Tokens(SECRET.encode()).seat(table.id, 1))
    assert await refused(await early.look()) == (401, "invalid-token")
    assert await refused(await early.send("join")) == (401, "invalid-token")
    caller, _ = await join(table)
    assert caller.headers == early.headers
    assert (await early.get())["viewer"] == {"role": "seat", "seat": 1}


async def test_while_it_waits_nothing_else_can_be_done(client: httpx.AsyncClient) -> None:
    table = await create(client, "draw", seats=[HUMAN, OPEN], pacing="step")
    for path, body in (
        ("play", {"tile": "6-6"}),
        ("draw", None),
        ("pass", None),
        ("next-hand", None),
        ("step", None),
        ("resign", None),
    ):
        await table.people[0].refused(path, body, "match-waiting")
    assert (await table.people[0].get())["hand"] is None


async def test_the_level_of_a_cpu_seat_may_change_while_it_waits(client: httpx.AsyncClient) -> None:
    table = await create(client, FOUR, seats=[HUMAN, OPEN, CPU, CPU])
    assert (await table.host.patch(2, {"level": "hard"})).is_success
    assert await refused(await table.people[0].patch(2, {"level": "easy"})) == (403, "host-only")
    assert await refused(await table.host.patch(1, {"level": "easy"})) == (409, "not-a-cpu-seat")


async def test_cpu_seats_play_as_soon_as_the_last_person_sits(client: httpx.AsyncClient) -> None:
    table = await create(client, "draw", seats=[OPEN, CPU], deal=SEEDED)
    caller, answer = await join(table)
    state = await caller.get()
    assert answer["match"] == state
    assert state["hand"]["turn"] == 0
    assert answer["events"][-1]["seq"] == state["version"]


async def test_a_numbered_deal_with_two_seats_for_people_is_refused(client: httpx.AsyncClient) -> None:
    deal = {"kind": "numbered", "number": 5}
    for seats in ([HUMAN, OPEN], [OPEN, OPEN]):
        answer = await client.post("/v1/matches", json={"ruleset": "draw", "seats": seats, "deal": deal})
        assert await refused(answer) == (422, "invalid-deal")
        assert [error["pointer"] for error in answer.json()["errors"]] == ["#/deal/kind"]
    table = await create(client, "draw", seats=[OPEN, CPU], deal=deal)
    await join(table)


async def test_the_host_may_end_the_waiting(client: httpx.AsyncClient, app: FastAPI) -> None:
    table = await create(client, "draw", seats=[HUMAN, OPEN])
    assert await refused(await table.people[0].send("cancel")) == (403, "host-only")
    answer = await table.host.post("cancel")
    assert [event["type"] for event in answer["events"]] == ["cancelled"]
    assert (answer["match"]["status"], answer["match"]["result"]) == ("cancelled", None)
    for caller, path in ((table.spectator, "join"), (table.people[0], "resign"), (table.host, "cancel")):
        await caller.refused(path, None, "match-finished")
    await check_everyone(app, table)


@pytest.mark.parametrize("path", ["", "/events", "/stream", "/board.svg", "join", "resign", "cancel", "play"])
async def test_a_match_for_which_nobody_comes_ends_after_a_day(service: Service, path: str) -> None:
    """Whoever calls it next finds it ended, as of the moment at which its time was over."""
    table = await create(service.client, "draw", seats=[HUMAN, OPEN])
    service.put_ahead(DAY - MINUTE)
    assert (await table.spectator.get())["status"] == "waiting"
    service.put_ahead(DAY + MINUTE)
    if path == "/stream":
        service.client.event_hooks = {}  # it is no JSON
    caller = table.host if path == "cancel" else table.spectator if path == "join" else table.people[0]
    if path.startswith("/") or not path:
        answer = await caller.look(path)
        assert answer.status_code == 200
        assert path == "/board.svg" or "cancelled" in answer.text
    else:
        await caller.refused(path, {"tile": "6-6"} if path == "play" else None, "match-finished")
    match, log = await stored(service.app, table)
    assert match.status == "cancelled"
    assert log[-1].at == log[0].at + DAY


async def test_a_seat_taken_does_not_make_the_others_wait_longer(service: Service) -> None:
    table = await create(service.client, FOUR, seats=[HUMAN, OPEN, OPEN, CPU])
    service.put_ahead(DAY - MINUTE)
    caller, _ = await join(table)
    service.put_ahead(DAY + MINUTE)
    assert (await caller.get())["status"] == "cancelled"


async def test_a_match_that_was_joined_in_time_goes_on_for_ever(service: Service) -> None:
    table = await create(service.client, "draw", seats=[HUMAN, OPEN])
    service.put_ahead(DAY - MINUTE)
    caller, _ = await join(table)
    service.put_ahead(400 * DAY)
    await pulse.beat(service.matches)
    assert (await caller.get())["status"] == "playing"


async def test_the_pulse_ends_the_waiting_without_a_call(service: Service) -> None:
    tables = [await create(service.client, "draw", seats=[HUMAN, OPEN]) for _ in range(3)]
    await pulse.beat(service.matches)
    assert [(await stored(service.app, table))[0].status for table in tables] == ["waiting"] * 3
    service.put_ahead(DAY)
    await pulse.beat(service.matches)
    for table in tables:
        match, log = await stored(service.app, table)
        assert match.status == "cancelled"
        assert log[-1].at == log[0].at + DAY
    assert (await service.matches.store.pulse([], [])).due == ()
