"""The log of a match as it happens, as Server-Sent Events."""

import itertools
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from datetime import timedelta
from typing import Any

import httpx
import psycopg
import pytest
from fastapi import FastAPI

from api import stream
from api.settings import Settings
from api.statements import LOG
from tests.api.callers import CPU, HUMAN, SEEDED, Table, create, play, play_out
from tests.api.readers import COMMENT, Frame, listening, reading, until
from tests.api.situations import STUCK, played, seated
from tests.api.stored import stored
from tests.engine.test_noninterference import hidden


@pytest.fixture
async def near(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    """A caller of `app` over real connections."""
    async with listening(app) as client:
        yield client


def events(frames: list[Frame]) -> list[Any]:
    return [json.loads(frame.data) for frame in frames]


async def some_table(client: httpx.AsyncClient, **body: Any) -> Table:
    """Two people who draw."""
    return await create(client, "draw", **{"seats": [HUMAN, HUMAN], "deal": SEEDED, "rules": {"target": 30}, **body})


async def test_a_stream_says_what_the_log_says(near: httpx.AsyncClient) -> None:
    table = await some_table(near)
    game = play(table)
    for _ in range(12):
        await anext(game)
    for caller in table.everyone:
        page = await near.get(f"{caller.path}/events", params={"limit": 500}, headers=caller.headers)
        last = page.json()["last_seq"]
        async with reading(caller) as reader:
            assert reader.response.headers["Content-Type"].split(";")[0] == "text/event-stream"
            assert reader.response.headers["Cache-Control"] == "private, no-cache"
            assert "Authorization" in reader.response.headers["Vary"]
            frames = await reader.until(last)
        assert [frame.id for frame in frames] == list(range(1, last + 1))
        assert f'{{"items":[{",".join(frame.data for frame in frames)}],"last_seq":{last}}}' == page.text


@pytest.mark.parametrize("ruleset", ["draw", "all-fives", "partner-penalty"])
async def test_everybody_hears_of_every_move_what_they_may_know(
    near: httpx.AsyncClient, app: FastAPI, ruleset: str
) -> None:
    """At the same numbers, and as the log has it at that time; never a tile that is hidden from them."""
    seats = [HUMAN, CPU, HUMAN, CPU] if ruleset == "partner-penalty" else [HUMAN, HUMAN]
    table = await create(near, ruleset, seats=seats, deal=SEEDED, rules={"target": 60})
    async with AsyncExitStack() as stack:
        readers = [(caller, await stack.enter_async_context(reading(caller))) for caller in table.everyone]
        known = 0
        async for called in play(table):
            version = called.answer["match"]["version"]
            match, _ = await stored(app, table)
            for caller, reader in readers:
                heard = await reader.until(version)
                assert events(heard) == await caller.log(after=known)
                if match.hand is not None and match.hand.result is None:
                    said = "".join(frame.data for frame in heard if json.loads(frame.data)["hand"] == match.hand_number)
                    assert [str(tile) for tile in hidden(match, caller.viewer) if f'"{tile}"' in said] == []
            known = version
        for _, reader in readers:
            assert await reader.rest() == []


async def test_a_stream_begins_after_the_event_it_is_asked_for(near: httpx.AsyncClient) -> None:
    table = await played(await seated(near, "draw"), "6-6")
    last = (await table.host.get())["version"]
    log = await table.host.log()
    for after in range(last):
        async with reading(table.host, after=after) as reader:
            assert events(await reader.until(last)) == log[after:]
        for unheeded in (0, last, 2_147_483_647):
            async with reading(table.host, after=unheeded, last=after) as reader:
                assert events(await reader.until(last)) == log[after:]


async def test_a_stream_after_the_last_event_or_later_ones_waits_for_what_follows(near: httpx.AsyncClient) -> None:
    table = await seated(near, "draw")
    last = (await table.host.get())["version"]
    async with reading(table.host, last=last) as present, reading(table.host, last=last + 1) as later:
        await played(table, "6-6")
        await table.people[1].post("draw", {"until_playable": True})
        log = await table.host.log()
        assert events(await present.until(log[-1]["seq"])) == log[last:]
        assert events(await later.until(log[-1]["seq"])) == log[last + 1 :]


async def test_a_stream_ends_with_the_match_and_is_not_to_be_asked_for_again(near: httpx.AsyncClient) -> None:
    table = await seated(near, "draw", target=0)
    async with AsyncExitStack() as stack:
        known = (await table.host.get())["version"]
        readers = [await stack.enter_async_context(reading(caller, last=known)) for caller in table.everyone]
        await table.people[0].post("resign")
        log = await table.host.log()
        for reader in readers:
            assert events(await reader.rest()) == log[known:]
    for caller, after in itertools.product(table.everyone, range(len(log) + 2)):
        if after < len(log):
            async with reading(caller, last=after) as reader:
                assert events(await reader.rest()) == log[after:]
            continue
        headers = {**caller.headers, "Last-Event-ID": str(after)}
        for answer in (
            await near.get(f"{caller.path}/stream", headers=headers),
            await near.get(f"{caller.path}/stream", params={"after": after}, headers=caller.headers),
            await near.head(f"{caller.path}/stream", headers=headers),
        ):
            assert (answer.status_code, answer.content) == (204, b"")


async def test_a_stream_without_news_has_comments(near: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "HEARTBEAT_SECONDS", 0.01)
    table = await seated(near, "draw")
    async with reading(table.host, last=(await table.host.get())["version"]) as reader:
        assert [await reader.block() for _ in range(3)] == [COMMENT] * 3
        await played(table, "6-6")
        frame = await reader.frame()
        assert frame is not None
        assert frame.event == "tile_played"
        assert await reader.block() == COMMENT


async def test_a_stream_ends_after_a_while_and_goes_on_where_it_ended(
    near: httpx.AsyncClient, app: FastAPI, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(app.state._state, "settings", settings.model_copy(update={"stream_seconds": 1}))
    table = await seated(near, "draw")
    async with reading(table.host) as reader:
        before = events(await reader.rest())
    assert before == await table.host.log()
    await played(table, "6-6")
    async with reading(table.host, last=len(before)) as reader:
        assert before + events(await reader.rest()) == await table.host.log()


async def test_the_head_of_a_stream_is_a_head(near: httpx.AsyncClient, app: FastAPI) -> None:
    table = await seated(near, "draw")
    answer = await near.head(f"{table.host.path}/stream", headers=table.host.headers)
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["Content-Type"].startswith("text/event-stream")
    await until(lambda: not app.state.matches.watch.known()[0])


async def test_a_reader_who_goes_while_the_log_is_read_costs_no_connection_to_the_database(
    near: httpx.AsyncClient, app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cancelled in the middle of a statement, a connection would be closed."""
    table = await seated(near, "draw")
    read: list[str] = []
    fetch = app.state.matches.store._fetch

    async def slow(statement: str, asked: dict[str, Any]) -> Any:
        if statement != LOG:
            return await fetch(statement, asked)
        async with app.state.database.connection() as connection:
            read.append("begun")
            await connection.execute("SELECT pg_sleep(0.2)")
            read.append("closed" if connection.closed else "whole")
        return []

    monkeypatch.setattr(app.state.matches.store, "_fetch", slow)
    async with reading(table.host):
        await until(lambda: read)
    await until(lambda: len(read) == 2)
    assert read == ["begun", "whole"]


@pytest.mark.parametrize("authorization", ["", "Bearer", "Basic YTpi", "Bearer seat9.x", f"Bearer host.{'A' * 43}"])
async def test_a_stream_for_a_bad_token_is_refused(near: httpx.AsyncClient, authorization: str) -> None:
    table, other = await seated(near, "draw"), await seated(near, "draw")
    for header in (authorization, other.host.headers["Authorization"], other.people[0].headers["Authorization"]):
        for path in (table.host.path, table.host.path.upper().replace("/V1/MATCHES", "/v1/matches")):
            answer = await near.get(f"{path}/stream", headers={"Authorization": header})
            assert (answer.status_code, answer.json()["code"]) == (401, "invalid-token")


@pytest.mark.parametrize(
    ("query", "headers", "status", "code"),
    [
        ({"after": "-1"}, {}, 422, "invalid-request"),
        ({"after": "x"}, {}, 422, "invalid-request"),
        ({"after": "2147483648"}, {}, 422, "invalid-request"),
        ({"limit": "5"}, {}, 422, "invalid-request"),
        ({}, {"Last-Event-ID": "x"}, 400, "bad-header"),
        ({}, {"Last-Event-ID": "-1"}, 400, "bad-header"),
        ({}, {"Last-Event-ID": "2147483648"}, 400, "bad-header"),
    ],
)
async def test_a_stream_from_nowhere_is_refused(
    near: httpx.AsyncClient, query: dict[str, str], headers: dict[str, str], status: int, code: str
) -> None:
    table = await seated(near, "draw")
    answer = await near.get(f"{table.host.path}/stream", params=query, headers={**table.host.headers, **headers})
    assert (answer.status_code, answer.json()["code"]) == (status, code)


async def test_a_stream_of_no_match_is_refused(near: httpx.AsyncClient) -> None:
    for name in ("0198c0de-0000-7000-8000-000000000000", "x"):
        answer = await near.get(f"/v1/matches/{name}/stream")
        assert (answer.status_code, answer.json()["code"]) == (404, "unknown-match")


async def test_watchers_that_have_gone_are_forgotten(near: httpx.AsyncClient, app: FastAPI) -> None:
    watch = app.state.matches.watch
    assert watch.known() == ([], [])
    tables = [await seated(near, "draw") for _ in range(3)]
    async with AsyncExitStack() as stack:
        for table, _ in itertools.product(tables, range(2)):
            for caller in table.everyone:
                await stack.enter_async_context(reading(caller))
        assert sorted(watch.known()[0]) == sorted(table.id for table in tables)
        async with reading(tables[0].host):
            pass
        assert sorted(watch.known()[0]) == sorted(table.id for table in tables)
    await until(lambda: watch.known() == ([], []))


async def test_a_clock_that_runs_out_is_news(
    near: httpx.AsyncClient, app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await seated(near, "draw", clock={"seconds_per_hand": 600})
    async with AsyncExitStack() as stack:
        known = (await table.host.get())["version"]
        readers = [await stack.enter_async_context(reading(caller, last=known)) for caller in table.everyone]
        monkeypatch.setattr(app.state.matches.store, "ahead", timedelta(seconds=601))
        for reader in readers:
            heard = await reader.rest()
            assert [frame.event for frame in heard] == ["clock_expired", "hand_ended", "match_ended"]
            assert events(heard) == await table.host.log(after=known)


async def test_seats_that_nobody_takes_are_news(
    near: httpx.AsyncClient, app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await create(near, "draw", seats=[HUMAN, {"kind": "open"}])
    async with reading(table.spectator) as reader:
        monkeypatch.setattr(app.state.matches.store, "ahead", timedelta(days=1, seconds=1))
        assert [frame.event for frame in await reader.rest()] == ["match_created", "cancelled"]


async def test_a_seat_that_is_taken_is_news_and_so_is_the_deal(near: httpx.AsyncClient) -> None:
    table = await create(near, "draw", seats=[HUMAN, {"kind": "open"}])
    async with reading(table.people[0]) as reader:
        await reader.until(1)
        joined = (await table.spectator.post("join", {"name": "Ben"}))["match"]
        heard = await reader.until(joined["version"])
        assert [frame.event for frame in heard][:2] == ["seat_joined", "hand_dealt"]
        assert events(heard) == await table.people[0].log(after=1)


async def test_the_last_hand_is_shown_to_a_reader_who_comes_later(near: httpx.AsyncClient) -> None:
    table = await seated(near, "draw", STUCK, target=0)
    await play_out(table)
    for caller in table.everyone:
        async with reading(caller) as reader:
            dealt = next(event for event in events(await reader.rest()) if event["type"] == "hand_dealt")
        assert all(seat["tiles"] is not None for seat in dealt["tiles"])


async def test_a_stream_ends_when_the_service_does_not_reach_its_log(
    near: httpx.AsyncClient, app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its reader connects again."""

    async def unreachable(*_: Any, **__: Any) -> Any:
        raise psycopg.OperationalError

    table = await seated(near, "draw")
    monkeypatch.setattr(app.state.matches.store, "events", unreachable)
    async with reading(table.host) as reader:
        assert await reader.rest() == []
    await until(lambda: app.state.matches.watch.known() == ([], []))
