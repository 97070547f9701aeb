"""The level of a CPU seat: who may change it, when, and what that changes."""

import httpx
import pytest
from fastapi import FastAPI

from tests.api.callers import CPU, HUMAN, SEEDED, create, play, play_out
from tests.api.situations import played, seated
from tests.api.stored import check_everyone

LEVELS = ["easy", "medium", "hard"]


@pytest.mark.parametrize("level", LEVELS)
async def test_the_host_and_the_only_person_may_change_it(client: httpx.AsyncClient, app: FastAPI, level: str) -> None:
    for by_host in (True, False):
        other = LEVELS[LEVELS.index(level) - 1]
        table = await create(client, "draw", seats=[HUMAN, {"kind": "cpu", "level": other}])
        before = table.created["match"]
        caller = table.host if by_host else table.people[0]
        answer = (await caller.patch(1, {"level": level})).json()
        assert answer["match"]["seats"][1]["level"] == level
        assert answer["match"]["viewer"]["role"] == caller.viewer.role
        (event,) = answer["events"]
        hand = before["hand"]
        assert event == {
            "type": "level_changed",
            "seq": before["version"] + 1,
            "hand": hand["number"],
            "seat": 1,
            "turn": hand["turn"],
            "at": event["at"],
            "level": level,
        }
        await check_everyone(app, table)


async def test_one_of_several_people_may_not(client: httpx.AsyncClient) -> None:
    table = await create(client, "partner-penalty", seats=[HUMAN, CPU, HUMAN, CPU])
    for person in table.people.values():
        answer = await person.patch(1, {"level": "hard"})
        assert (answer.status_code, answer.json()["code"]) == (403, "host-only")
    assert (await table.spectator.patch(1, {"level": "hard"})).json()["code"] == "token-required"
    assert (await table.host.patch(1, {"level": "hard"})).is_success


async def test_the_level_that_it_has_is_no_event(client: httpx.AsyncClient) -> None:
    table = await create(client, "draw", seats=[HUMAN, CPU])
    before = await table.host.get()
    answer = (await table.host.patch(1, {"level": CPU["level"]})).json()
    assert answer["events"] == []
    assert answer["match"] == before
    assert await table.host.get() == before


@pytest.mark.parametrize("seat", ["2", "4", "-1", "00", "01", "1.0", "x", "%31x", "\u0661", "1%20", "+1"])
async def test_a_seat_has_to_be_one_of_the_match(client: httpx.AsyncClient, seat: str) -> None:
    table = await create(client, "draw", seats=[HUMAN, CPU])
    answer = await table.host.patch(seat, {"level": "hard"})
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown-seat")


@pytest.mark.parametrize(
    "body", [{}, {"level": None}, {"level": "master"}, {"level": ["hard"]}, {"level": "hard", "seat": 1}, []]
)
async def test_a_level_is_one_of_those_there_are(client: httpx.AsyncClient, body: object) -> None:
    table = await create(client, "draw", seats=[HUMAN, CPU])
    answer = await table.host.patch(1, body)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid-request")


async def test_a_person_has_no_level(client: httpx.AsyncClient) -> None:
    table = await create(client, "draw", seats=[HUMAN, CPU])
    for caller in (table.host, table.people[0]):
        answer = await caller.patch(0, {"level": "hard"})
        assert (answer.status_code, answer.json()["code"]) == (409, "not-a-cpu-seat")


async def test_it_may_be_changed_between_hands_and_not_after_the_match(client: httpx.AsyncClient, app: FastAPI) -> None:
    table = await create(client, "draw", seats=[HUMAN, CPU], deal=SEEDED)
    changes = 0
    async for called in play(table):
        match = called.answer["match"]
        if match["status"] == "hand_over":
            changed = (await table.host.patch(1, {"level": LEVELS[match["hand"]["number"] % 3]})).json()
            assert changed["match"]["status"] == "hand_over"
            changes += len(changed["events"])
    assert changes > 1
    answer = await table.host.patch(1, {"level": "hard"})
    assert (answer.status_code, answer.json()["code"]) == (409, "match-finished")
    await check_everyone(app, table)


async def test_it_counts_from_the_next_decision_on(client: httpx.AsyncClient) -> None:
    """Of 6-1, 6-2 and 6-5 the medium level plays the heaviest; which one easy plays is left to chance."""
    hands = ("6-6 1-1 0-0 2-0", "6-1 6-2 6-5 2-1")
    for _ in range(6):
        table = await played(await seated(client, "block", hands, seats=[HUMAN, CPU], pacing="step"), "6-6")
        await table.host.patch(1, {"level": "medium"})
        assert (await table.host.post("step"))["events"][0]["tile"] == "6-5"


async def test_a_change_in_the_middle_of_a_seats_turn_leaves_the_turn(client: httpx.AsyncClient) -> None:
    table = await seated(client, "draw", ("6-6 5-5", "4-0 3-0"), seats=[HUMAN, CPU], pacing="step")
    await table.people[0].post("play", {"tile": "6-6"})
    drawn = await table.host.post("step")
    assert drawn["events"][0]["type"] == "tile_drawn"
    changed = (await table.host.patch(1, {"level": "hard"})).json()
    assert changed["match"]["hand"]["turn"] == 1
    assert [event["type"] for event in changed["events"]] == ["level_changed"]
    assert (await play_out(table))["status"] == "finished"
