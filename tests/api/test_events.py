"""The log of a match, page by page."""

import itertools
from typing import Any

import httpx
from fastapi import FastAPI

from tests.api.callers import CPU, HUMAN, SEEDED, Table, create, play, play_out
from tests.api.stored import seen, stored


async def some_match(client: httpx.AsyncClient) -> Table:
    """A match in its second hand."""
    table = await create(client, "all-fives", seats=[HUMAN, CPU], deal=SEEDED)
    async for called in play(table):
        hand = called.answer["match"]["hand"]
        if hand["number"] == 2 and called.answer["match"]["version"] > hand["first_seq"] + 6:
            return table
    raise AssertionError


async def test_pages_of_any_size_are_the_same_log(client: httpx.AsyncClient, app: FastAPI) -> None:
    table = await some_match(client)
    match, log = await stored(app, table)
    for caller in table.everyone:
        _, expected = seen(match, log, caller.viewer)
        for limit in (1, 7, len(log) - 1, len(log), len(log) + 1, 500):
            assert await caller.log(limit=limit) == expected


async def test_a_page_begins_after_the_event_it_names(client: httpx.AsyncClient) -> None:
    table = await some_match(client)
    last = (await table.host.get())["version"]
    for after, limit in itertools.product((0, 1, last - 1, last, last + 1, 2_147_483_647), (1, 3, 500)):
        page = await table.host.get("/events", after=after, limit=limit)
        assert page["last_seq"] == last
        assert [event["seq"] for event in page["items"]] == list(range(after + 1, last + 1))[:limit]


async def test_a_page_has_a_hundred_events_unless_it_is_asked_for_more(client: httpx.AsyncClient) -> None:
    table = await create(client, "block", seats=[CPU, CPU], deal=SEEDED)
    await play_out(table)
    assert len((await table.host.get("/events"))["items"]) == 100
    assert len((await table.host.get("/events", limit=101))["items"]) == 101


async def test_events_say_what_they_are_about(client: httpx.AsyncClient) -> None:
    table = await create(client, "partner-penalty", seats=[CPU] * 4, deal=SEEDED)
    await play_out(table)
    log = await table.spectator.log()
    assert [event["seq"] for event in log] == list(range(1, len(log) + 1))
    assert {event["type"] for event in log} == {
        *("match_created", "hand_dealt", "tile_played", "turn_passed", "points_scored", "hand_ended", "match_ended"),
    }
    times = [event["at"] for event in log]
    assert times == sorted(times)
    for before, event in itertools.pairwise(log):
        if event["type"] in {"tile_played", "turn_passed"}:
            assert event["seat"] == before["turn"]
        if event["type"] in {"match_created", "match_ended"}:
            assert (event["hand"], event["seat"], event["turn"]) == (None, None, None)


async def test_hidden_tiles_are_blank_at_the_same_number_until_the_hand_has_ended(client: httpx.AsyncClient) -> None:
    table = await some_match(client)
    first = (await table.host.get())["hand"]["first_seq"]
    for caller in table.everyone:
        for event in await caller.log():
            hidden = event["seq"] >= first
            if event["type"] == "hand_dealt":
                known = [dealt["seat"] for dealt in event["tiles"] if dealt["tiles"] is not None]
                assert known == ([caller.viewer.seat] if caller.viewer.seat is not None else []) if hidden else [0, 1]
                assert (event["boneyard"] is None) == hidden
            if event["type"] == "tile_drawn":
                assert (event["tile"] is None) == (hidden and event["seat"] != caller.viewer.seat)
    logs: list[Any] = [[event["seq"] for event in await caller.log()] for caller in table.everyone]
    assert all(numbers == logs[0] for numbers in logs)


async def test_the_log_is_what_the_calls_caused(client: httpx.AsyncClient) -> None:
    """What happens after a state was read is what follows its version in the log."""
    table = await create(client, "draw", seats=[HUMAN, CPU], deal=SEEDED, rules={"target": 30})
    caused = [event async for called in play(table) for event in called.answer["events"]]

    def public(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [{name: event[name] for name in event.keys() - {"tiles", "boneyard", "tile"}} for event in events]

    followed = await table.people[0].log(after=table.created["match"]["version"])
    assert public(followed) == public(caused)
