"""Matches over HTTP, on a real database, from their creation to their end."""

from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from engine.catalogue import RULESETS
from tests.api.callers import CPU, HUMAN, SEEDED, create, play, play_out
from tests.api.stored import check_everyone, seen, stored
from tests.kinds import SOURCE_GAMES

TABLES = [
    ("partner-penalty", [HUMAN, CPU, CPU, CPU], "auto"),
    ("partner-penalty", [CPU, CPU, HUMAN, CPU], "step"),
    ("partner-penalty", [CPU, HUMAN, CPU, HUMAN], "auto"),
    ("partner-penalty", [HUMAN, HUMAN, CPU, CPU], "step"),
    ("partner-penalty", [HUMAN, HUMAN, HUMAN, HUMAN], "auto"),
    *[
        (ruleset, seats, pacing)
        for ruleset in ("all-fives", "draw", "block")
        for seats, pacing in (([HUMAN, CPU], "auto"), ([CPU, HUMAN], "step"), ([HUMAN, HUMAN], "auto"))
    ],
]


@pytest.mark.parametrize(("ruleset", "seats", "pacing"), TABLES)
async def test_a_match_is_played_from_legal_moves_to_its_end(
    client: httpx.AsyncClient, app: FastAPI, ruleset: str, seats: list[Any], pacing: str
) -> None:
    target = RULESETS[ruleset].rules.target if seats.count(HUMAN) == 1 and pacing == "auto" else 40
    table = await create(client, ruleset, seats=seats, pacing=pacing, deal=SEEDED, rules={"target": target})
    assert sorted(table.people) == [seat for seat, player in enumerate(seats) if player == HUMAN]
    version, calls = table.created["match"]["version"], 0
    async for called in play(table):
        answer, calls = called.answer, calls + 1
        assert answer["events"][0]["seq"] == version + 1
        version = answer["match"]["version"]
        if calls % 19 == 0:
            match, log = await stored(app, table)
            told = seen(match, log[-len(answer["events"]) :], called.caller.viewer)
            assert (answer["match"], answer["events"]) == told
            await check_everyone(app, table)
    await check_everyone(app, table, page=17)
    finished = await table.spectator.get()
    assert finished["result"]["reason"] == "score"
    assert max(score["points"] for score in finished["scores"]) >= target
    assert [hand["number"] for hand in finished["past_hands"]] == list(range(1, len(finished["past_hands"]) + 1))
    logs = [await caller.log() for caller in table.everyone]
    assert all(log == logs[0] for log in logs)  # with the match everything has been shown


@pytest.mark.parametrize("pacing", ["auto", "step"])
@pytest.mark.parametrize("ruleset", SOURCE_GAMES)
async def test_cpu_seats_play_by_themselves(client: httpx.AsyncClient, app: FastAPI, ruleset: str, pacing: str) -> None:
    levels = ["hard", "easy", "medium", "hard"][: RULESETS[ruleset].seat_counts[0]]
    seats = [{"kind": "cpu", "level": level} for level in levels]
    table = await create(client, ruleset, seats=seats, pacing=pacing, deal=SEEDED, rules={"target": 30})
    assert table.people == {}
    assert table.created["match"]["viewer"] == {"role": "host", "seat": None}
    calls = [called.path async for called in play(table)]
    await check_everyone(app, table)
    finished = await table.spectator.get()
    assert calls.count("next-hand") == len(finished["past_hands"]) - 1
    assert ("step" in calls) == (pacing == "step")


async def test_the_service_passes_for_people_when_asked(client: httpx.AsyncClient, app: FastAPI) -> None:
    table = await create(client, "block", seats=[HUMAN, HUMAN], auto_pass=True, deal=SEEDED, rules={"target": 30})
    moves = [called.path async for called in play(table)]
    assert set(moves) == {"play", "next-hand"}
    passes = [event for event in await table.host.log() if event["type"] == "turn_passed"]
    assert passes
    assert all(event["automatic"] for event in passes)
    await check_everyone(app, table)


async def test_people_pass_for_themselves_otherwise(client: httpx.AsyncClient) -> None:
    table = await create(client, "block", seats=[HUMAN, HUMAN], deal=SEEDED, rules={"target": 30})
    passed = [called.answer["events"][0] async for called in play(table) if called.path == "pass"]
    assert passed
    assert not any(event["automatic"] for event in passed)


@pytest.mark.parametrize("ruleset", SOURCE_GAMES)
async def test_only_the_rule_set_is_required(client: httpx.AsyncClient, ruleset: str) -> None:
    created = (await create(client, ruleset)).created
    match = created["match"]
    kinds = [(seat["kind"], seat["level"]) for seat in match["seats"]]
    assert kinds == [("human", None), *[("cpu", "medium")] * (RULESETS[ruleset].seat_counts[0] - 1)]
    assert (match["pacing"], match["auto_pass"], match["deal"]["kind"]) == ("auto", False, "secret")
    assert match["viewer"] == {"role": "seat", "seat": 0}
    assert [token["seat"] for token in created["tokens"]] == [0]
    assert match["hand"]["turn"] == 0
    assert match["hand"]["legal_moves"]


@pytest.mark.parametrize(
    ("seats", "viewer"),
    [
        ([CPU, HUMAN, CPU, CPU], {"role": "seat", "seat": 1}),
        ([CPU, HUMAN, CPU, HUMAN], {"role": "host", "seat": None}),
        ([CPU, CPU, CPU, CPU], {"role": "host", "seat": None}),
    ],
)
async def test_a_new_match_is_seen_as_the_only_person_or_else_as_the_host(
    client: httpx.AsyncClient, seats: list[Any], viewer: dict[str, Any]
) -> None:
    assert (await create(client, "partner-penalty", seats=seats)).created["match"]["viewer"] == viewer


async def test_a_match_has_an_id_that_sorts_by_time(client: httpx.AsyncClient) -> None:
    first, second = await create(client, "draw"), await create(client, "draw")
    assert (first.id.version, first.id.variant) == (7, "specified in RFC 4122")
    assert first.id.int >> 80 <= second.id.int >> 80
    assert first.created["match"]["created_at"].endswith("Z")


async def test_names_are_shown_as_they_were_given(client: httpx.AsyncClient) -> None:
    name = "Åsha \U0001f3b2 \u202eאב'; DROP \\ %s {0}"
    table = await create(client, "draw", seats=[{"kind": "human", "name": name}, CPU])
    assert [seat["name"] for seat in (await table.spectator.get())["seats"]] == [name, None]


async def test_a_seat_sees_its_own_tiles_and_nobody_elses(client: httpx.AsyncClient) -> None:
    table = await create(client, "partner-penalty", seats=[HUMAN] * 4)
    for caller in table.everyone:
        state = await caller.get()
        assert state["viewer"] == {"role": caller.viewer.role, "seat": caller.viewer.seat}
        shown = [seat["seat"] for seat in state["seats"] if seat["tiles"] is not None]
        assert shown == ([] if caller.viewer.seat is None else [caller.viewer.seat])


async def test_a_tile_may_be_written_in_either_order(client: httpx.AsyncClient) -> None:
    deal = {"kind": "fixed", "hands": [["6-6", "1-1"], ["4-6", "0-0"]], "boneyard": ["5-0", "0-4"]}
    table = await create(client, "block", seats=[HUMAN, HUMAN], deal=deal, rules={"hand_size": 2})
    played = await table.people[1].post("play", {"tile": "4-6", "end": None})
    assert (played["events"][0]["tile"], played["events"][0]["end"]) == ("6-4", "left")
    placed = (await table.people[1].get())["hand"]["layout"]["arms"][0]["tiles"]
    assert placed == [{"tile": "6-4", "inner": 6, "outer": 4}]


async def test_a_missing_body_is_an_empty_one(client: httpx.AsyncClient) -> None:
    deal = {"kind": "fixed", "hands": [["6-6", "1-1"], ["4-4", "0-0"]], "boneyard": ["5-0", "4-0"]}
    for body in (None, {}, {"type": "draw"}, {"position": None, "until_playable": False}):
        table = await create(client, "draw", seats=[HUMAN, HUMAN], deal=deal, rules={"hand_size": 2})
        answer = await table.people[1].post("draw", body)
        assert [(event["tile"], event["position"]) for event in answer["events"]] == [("5-0", 0)]


async def test_a_draw_may_name_a_place_and_go_on(client: httpx.AsyncClient) -> None:
    deal = {"kind": "fixed", "hands": [["6-6", "1-1"], ["4-4", "0-0"]], "boneyard": ["5-0", "4-0", "6-0"]}
    table = await create(client, "draw", seats=[HUMAN, HUMAN], deal=deal, rules={"hand_size": 2})
    answer = await table.people[1].post("draw", {"position": 1, "until_playable": True})
    assert [(event["tile"], event["position"]) for event in answer["events"]] == [("4-0", 1), ("5-0", 0), ("6-0", 0)]
    watched = await table.spectator.log(after=answer["events"][0]["seq"] - 1)
    assert [(event["tile"], event["position"]) for event in watched] == [(None, 1), (None, 0), (None, 0)]


async def test_a_step_is_one_thing_that_one_cpu_seat_does(client: httpx.AsyncClient) -> None:
    table = await create(client, "draw", seats=[CPU, HUMAN], pacing="step", deal={"kind": "numbered", "number": 3})
    steps = 0
    async for called in play(table):
        kinds = [event["type"] for event in called.answer["events"]]
        moves = [kind for kind in kinds if kind in {"tile_played", "tile_drawn", "turn_passed"}]
        if called.path == "step":
            steps += 1
            assert called.answer["events"][0]["seat"] == 0
            assert len(moves) == 1 or "hand_ended" in kinds
    assert steps > 10


async def test_a_human_waits_for_steps_only_where_they_are_asked_for(client: httpx.AsyncClient) -> None:
    deal = {"kind": "fixed", "hands": [["6-6", "1-1", "6-1"], ["6-4", "0-0", "4-0"]]}
    for pacing, turn in (("auto", 0), ("step", 1)):
        rules = {"hand_size": 3, "opening": "forced"}
        table = await create(client, "block", seats=[HUMAN, CPU], deal=deal, rules=rules, pacing=pacing)
        answer = await table.people[0].post("play", {"tile": "6-6"})
        assert answer["match"]["hand"]["turn"] == turn


async def test_any_seat_and_the_host_may_step_and_deal_the_next_hand(client: httpx.AsyncClient) -> None:
    seats = [HUMAN, CPU, HUMAN, CPU]
    table = await create(client, "partner-penalty", seats=seats, pacing="step", deal=SEEDED)
    callers = [*table.people.values(), table.host]
    missing = {(caller.viewer, path) for caller in callers for path in ("step", "next-hand")}
    async for called in play(table):
        missing.discard((called.caller.viewer, called.path))
        if not missing:
            return
    assert missing == set()


async def test_a_match_of_one_hand_may_have_no_winner(client: httpx.AsyncClient) -> None:
    deal = {"kind": "fixed", "hands": [["6-6", "5-0"], ["4-1", "0-0"]]}
    table = await create(client, "block", seats=[HUMAN, HUMAN], deal=deal, rules={"hand_size": 2, "target": 0})
    finished = await play_out(table)
    assert finished["result"] == {"winner": None, "reason": "score"}
    assert finished["past_hands"][0]["reason"] == "blocked"
