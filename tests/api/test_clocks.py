"""Clocks over HTTP: an expired one is found by whoever calls next, or by nobody but the pulse."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import anyio
import psycopg
import pytest

from api import pulse
from api.database import libpq_url
from tests.api.callers import CPU, HUMAN, SEEDED, Caller, Table, create
from tests.api.services import DAY, MINUTE, SECRET, Service, running
from tests.api.situations import played, seated
from tests.api.stored import check_everyone, stored
from tests.api.test_matches_races import at_once, connect, outcomes
from tests.serving import PATIENCE, Serve

HOUR = timedelta(hours=1)
CLOCK = {"seconds_per_hand": 3600}


def deadline_of(state: dict[str, Any]) -> datetime:
    return datetime.fromisoformat(state["clock"]["running"]["deadline"])


async def timed(service: Service, **body: Any) -> Table:
    """Seat 0 has an hour from now on to open with 6-6."""
    return await seated(service.client, "draw", clock=CLOCK, **body)


async def check_expired(service: Service, table: Table, seat: int, deadline: datetime) -> None:
    """The match is lost by `seat`, as of its deadline, and the log says so once."""
    match, log = await stored(service.app, table)
    assert [event.type for event in log[-3:]] == ["clock_expired", "hand_ended", "match_ended"]
    assert [event.type for event in log].count("clock_expired") == 1
    assert {event.at for event in log[-3:]} == {deadline}
    assert log[-3].seat == seat
    assert match.result is not None
    assert (match.result.winner, match.result.reason) == (1 - seat, "time")
    await check_everyone(service.app, table)


async def test_a_clock_runs_for_who_has_to_move(service: Service) -> None:
    table = await timed(service)
    state = table.created["match"]
    assert deadline_of(state) == datetime.fromisoformat(state["updated_at"]) + HOUR
    assert state["clock"]["running"]["seat"] == 0
    assert [seat["seconds_left"] for seat in state["clock"]["seats"]] == [3600, 3600]
    service.put_ahead(10 * MINUTE)
    state = (await table.people[0].post("play", {"tile": "6-6"}))["match"]
    assert state["clock"]["running"]["seat"] == 1
    assert 2900 < state["clock"]["seats"][0]["seconds_left"] <= 3000
    assert state["clock"]["seats"][1]["seconds_left"] == 3600


@pytest.mark.parametrize(
    "path",
    ["", "/events", "/stream", "/board.svg", "play", "draw", "pass", "next-hand", "step", "join", "resign", "cancel"],
)
async def test_whoever_calls_after_the_deadline_finds_the_match_finished(service: Service, path: str) -> None:
    table = await timed(service)
    if path == "/stream":
        service.client.event_hooks = {}  # it is no JSON
    service.put_ahead(HOUR)
    caller = {"join": table.spectator, "cancel": table.host}.get(path, table.people[0])
    if path.startswith("/") or not path:
        answer = await caller.look(path)
        assert answer.status_code == 200
        assert path == "/board.svg" or "finished" in answer.text or "clock_expired" in answer.text
    else:
        await caller.refused(path, {"tile": "6-6"} if path == "play" else None, "match-finished")
    await check_expired(service, table, 0, deadline_of(table.created["match"]))


async def test_a_change_of_level_after_the_deadline_finds_it_finished_too(service: Service) -> None:
    table = await create(service.client, "draw", seats=[HUMAN, CPU], deal=SEEDED, clock=CLOCK)
    service.put_ahead(HOUR)
    answer = await table.host.patch(1, {"level": "hard"})
    assert (answer.status_code, answer.json()["code"]) == (409, "match-finished")


async def test_a_move_just_before_the_deadline_counts(service: Service) -> None:
    table = await timed(service)
    service.put_ahead(HOUR - MINUTE)
    state = (await table.people[0].post("play", {"tile": "6-6"}))["match"]
    assert state["clock"]["seats"][0]["seconds_left"] <= 60
    service.put_ahead(2 * HOUR)
    assert (await table.people[0].get())["status"] == "finished"
    await check_expired(service, table, 1, deadline_of(state))


async def test_time_is_spent_over_all_turns_of_a_hand(service: Service) -> None:
    table = await seated(service.client, "block", clock=CLOCK)
    service.put_ahead(40 * MINUTE)
    await played(table, "6-6 pass")
    state = await table.people[0].get()
    assert state["clock"]["running"]["seat"] == 0
    service.put_ahead(61 * MINUTE)
    await table.people[0].refused("play", {"tile": "6-5"}, "match-finished")
    await check_expired(service, table, 0, deadline_of(state))


async def test_between_hands_no_time_runs(service: Service) -> None:
    table = await played(await seated(service.client, "block", clock=CLOCK), "6-6 pass 6-5")
    service.put_ahead(400 * DAY)
    await pulse.beat(service.matches)
    state = await table.host.get()
    assert (state["status"], state["clock"]["running"]) == ("hand_over", None)


async def test_a_replay_after_the_deadline_is_answered(service: Service) -> None:
    table = await timed(service)
    first = await table.people[0].send("play", {"tile": "6-6"}, headers={"Idempotency-Key": "1"})
    service.put_ahead(2 * HOUR)
    again = await table.people[0].send("play", {"tile": "6-6"}, headers={"Idempotency-Key": "1"})
    assert (again.status_code, again.headers["Idempotency-Replayed"]) == (200, "true")
    assert [event["seq"] for event in again.json()["events"]] == [event["seq"] for event in first.json()["events"]]
    assert again.json()["match"]["status"] == "finished"


async def test_the_pulse_finds_what_is_due_and_nothing_else(service: Service) -> None:
    tables = [await timed(service) for _ in range(3)]
    await create(service.client, "draw", seats=[HUMAN, HUMAN])
    service.put_ahead(HOUR - MINUTE)
    await tables[1].people[0].post("play", {"tile": "6-6"})
    await pulse.beat(service.matches)
    assert [(await stored(service.app, table))[0].is_over for table in tables] == [False] * 3
    service.put_ahead(HOUR)
    await pulse.beat(service.matches)
    assert [(await stored(service.app, table))[0].is_over for table in tables] == [True, False, True]
    for table in (tables[0], tables[2]):
        await check_expired(service, table, 0, deadline_of(table.created["match"]))
    assert (await service.matches.store.pulse([], [])).due == ()


async def test_one_match_that_cannot_be_settled_does_not_keep_the_others(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = [await timed(service) for _ in range(5)]
    load = service.matches.load

    async def fail_for_one(match_id: Any, key: Any = None) -> Any:
        if match_id == tables[0].id:
            raise ValueError
        return await load(match_id, key)

    monkeypatch.setattr(service.matches, "load", fail_for_one)
    service.put_ahead(HOUR)
    await pulse.beat(service.matches)
    monkeypatch.undo()
    assert [(await stored(service.app, table))[0].is_over for table in tables] == [False, *[True] * 4]


async def test_two_processes_agree(service: Service, fresh_database_url: str, tmp_path: Path) -> None:
    async with running(fresh_database_url, tmp_path) as other:
        for _ in range(5):
            for each in (service, other):
                each.put_ahead(timedelta(0))
            table = await timed(service)
            for each in (service, other):
                each.put_ahead(HOUR)
            callers = [
                Caller(each.client, str(table.id), who.viewer, None)
                for each in (service, other)
                for who in table.people.values()
            ]
            for caller, who in zip(callers, [*table.people.values()] * 2, strict=True):
                caller.headers = who.headers
            answers = await at_once([lambda caller=caller: caller.send("resign") for caller in callers * 5])  # type: ignore[misc]
            assert outcomes(answers) == {"match-finished": 20}
            await pulse.beat(other.matches)
            await pulse.beat(service.matches)
            await check_expired(service, table, 0, deadline_of(table.created["match"]))


async def test_a_restart_in_mid_turn_keeps_the_running_time(fresh_database_url: str, tmp_path: Path) -> None:
    async with running(fresh_database_url, tmp_path) as first:
        first.put_ahead(10 * MINUTE)
        table = await timed(first)
        state = await table.people[0].get()
    async with running(fresh_database_url, tmp_path) as second:
        again = Caller(second.client, str(table.id), table.people[0].viewer, None)
        again.headers = table.people[0].headers
        second.put_ahead(HOUR)
        assert (await again.get())["clock"] == state["clock"]
        moved = (await again.post("play", {"tile": "6-6"}))["match"]
        assert 540 < moved["clock"]["seats"][0]["seconds_left"] <= 600


async def test_a_clock_of_the_database_that_steps_back_makes_no_log_run_backwards(service: Service) -> None:
    service.put_ahead(HOUR / 2)
    table = await seated(service.client, "draw", clock=CLOCK)
    for ahead, caller, path, body in (
        (timedelta(0), 0, "play", {"tile": "6-6"}),
        (-DAY, 1, "draw", {"until_playable": True}),
        (HOUR / 3, 0, "resign", None),
    ):
        before = await table.host.get()
        service.put_ahead(ahead)
        after = (await table.people[caller].post(path, body))["match"]
        assert after["updated_at"] == before["updated_at"]
        for one, other in zip(before["clock"]["seats"], after["clock"]["seats"], strict=True):
            assert one == other
    log = await table.host.log()
    assert [event["at"] for event in log] == sorted(event["at"] for event in log)
    await check_everyone(service.app, table)


async def test_a_new_match_may_be_older_than_the_last_but_its_log_is_in_order(service: Service) -> None:
    service.put_ahead(-DAY)
    table = await create(service.client, "draw", seats=[HUMAN, CPU], clock=CLOCK)
    service.put_ahead(timedelta(0))
    assert (await table.people[0].get())["status"] == "finished"
    log = await table.host.log()
    assert [event["at"] for event in log] == sorted(event["at"] for event in log)


@contextmanager
def log_of(database_url: str, table: Table) -> Iterator[Any]:
    """Reads the types of a log from the database, past the service."""
    with psycopg.connect(libpq_url(database_url), autocommit=True) as connection:
        statement = "SELECT event ->> 'type' FROM events WHERE match_id = %s ORDER BY seq"
        yield lambda: [kind for (kind,) in connection.execute(statement, [table.id])]


async def test_a_clock_of_one_second_runs_out_while_nobody_calls(serve: Serve, fresh_database_url: str) -> None:
    served = serve("--workers", "2", CAPICUA_DATABASE_URL=fresh_database_url, CAPICUA_SECRET=SECRET)
    async with connect(served) as client:
        table = await create(client, "draw", seats=[HUMAN, HUMAN], clock={"seconds_per_hand": 1})
        with log_of(fresh_database_url, table) as read, anyio.fail_after(PATIENCE):
            while "clock_expired" not in read():  # noqa: ASYNC110 - it happens in another process
                await anyio.sleep(0.05)
            assert read()[-3:] == ["clock_expired", "hand_ended", "match_ended"]
        state = await table.host.get()
        assert state["result"]["reason"] == "time"
        assert datetime.fromisoformat(state["updated_at"]) == deadline_of(table.created["match"])


async def test_whoever_streams_hears_of_a_clock_that_runs_out(serve: Serve, fresh_database_url: str) -> None:
    served = serve("--workers", "2", CAPICUA_DATABASE_URL=fresh_database_url, CAPICUA_SECRET=SECRET)
    async with connect(served) as client:
        table = await create(client, "draw", seats=[HUMAN, HUMAN], clock={"seconds_per_hand": 1})
        with anyio.fail_after(PATIENCE):
            async with client.stream("GET", f"{table.host.path}/stream") as answer:
                lines = [line async for line in answer.aiter_lines()]
    kinds = [line.removeprefix("event: ") for line in lines if line.startswith("event: ")]
    assert kinds[-3:] == ["clock_expired", "hand_ended", "match_ended"]
