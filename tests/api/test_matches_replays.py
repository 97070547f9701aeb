"""Fair deals, as a client can check them: the seed is committed to, told at the end, and repeats the deals."""

import hashlib
import json
from typing import Any

import httpx
import pytest

from engine.catalogue import RULESETS
from tests.api.callers import CPU, HUMAN, SEEDED, Table, create, play, play_out
from tests.engine.oracle_deals import dealt, name
from tests.kinds import SOURCE_GAMES

LEVELS = ["hard", "medium", "easy", "hard"]


def cpus(ruleset: str, *levels: str) -> list[dict[str, str]]:
    """A CPU seat of each level, by turns, in every seat of the rule set."""
    count = RULESETS[ruleset].seat_counts[0]
    return [{"kind": "cpu", "level": levels[seat % len(levels)]} for seat in range(count)]


async def without_times(table: Table) -> list[dict[str, Any]]:
    return [{key: value for key, value in event.items() if key != "at"} for event in await table.host.log()]


async def deals(table: Table) -> dict[int, Any]:
    """By the number of the hand."""
    events = [event for event in await table.host.log() if event["type"] == "hand_dealt"]
    return {event["number"]: (event["tiles"], event["boneyard"], event["redeals"]) for event in events}


@pytest.mark.parametrize("ruleset", SOURCE_GAMES)
async def test_a_numbered_match_against_cpu_seats_replays_move_for_move(
    client: httpx.AsyncClient, ruleset: str
) -> None:
    """The person plays the same, and the CPU seats, those that choose by chance among them, answer the same."""
    seats = [HUMAN, *cpus(ruleset, *LEVELS)[1:]]
    logs = []
    for _ in range(2):
        table = await create(
            client, ruleset, seats=seats, deal={"kind": "numbered", "number": 4_294_967_295}, rules={"target": 50}
        )
        assert table.created["match"]["deal"]["number"] == 4_294_967_295
        await play_out(table, chance=7)
        logs.append(await without_times(table))
    assert logs[0] == logs[1]


@pytest.mark.parametrize("ruleset", SOURCE_GAMES)
async def test_the_seed_of_a_finished_match_deals_it_again(client: httpx.AsyncClient, ruleset: str) -> None:
    first = await create(client, ruleset, seats=cpus(ruleset, *LEVELS), rules={"target": 50})
    finished = await play_out(first)
    deal = {"kind": "seeded", "seed": finished["deal"]["seed"].upper()}
    again = await create(client, ruleset, seats=cpus(ruleset, *LEVELS), deal=deal, rules={"target": 50})
    repeated = await play_out(again)
    assert repeated["deal"]["commitment"] == finished["deal"]["commitment"]
    assert repeated["deal"]["seed"] == finished["deal"]["seed"]
    assert await without_times(again) == await without_times(first)


@pytest.mark.parametrize("ruleset", SOURCE_GAMES)
async def test_who_plays_changes_nothing_about_the_deals(client: httpx.AsyncClient, ruleset: str) -> None:
    dealt_to = []
    for levels in (["easy"], ["hard"], LEVELS):
        table = await create(client, ruleset, seats=cpus(ruleset, *levels), deal=SEEDED, rules={"target": 50})
        await play_out(table)
        dealt_to.append(await deals(table))
    shared = set.intersection(*[set(found) for found in dealt_to])
    assert {1} <= shared
    for number in shared:
        assert all(found[number] == dealt_to[0][number] for found in dealt_to)


@pytest.mark.parametrize("ruleset", SOURCE_GAMES)
async def test_anybody_can_work_out_the_deals_of_a_finished_match(client: httpx.AsyncClient, ruleset: str) -> None:
    """By a second implementation of the documentation."""
    table = await create(client, ruleset, seats=cpus(ruleset, "easy"), rules={"target": 50})
    finished = await play_out(table)
    seed = finished["deal"]["seed"]
    assert hashlib.sha256(bytes.fromhex(seed)).hexdigest() == table.created["match"]["deal"]["commitment"]
    for number, (hands, boneyard, redeals) in (await deals(table)).items():
        tiles, rest, thrown_in = dealt(finished["rules"], len(finished["seats"]), seed, number)
        assert [seat["tiles"] for seat in hands] == [[name(tile) for tile in hand] for hand in tiles]
        assert (boneyard, redeals) == ([name(tile) for tile in rest], thrown_in)


@pytest.mark.parametrize("kind", ["secret", "numbered", "seeded", "fixed"])
async def test_the_seed_is_told_when_the_match_is_finished_and_not_before(client: httpx.AsyncClient, kind: str) -> None:
    fields: dict[str, Any] = {
        "numbered": {"number": 12},
        "seeded": {"seed": SEEDED["seed"]},
        "fixed": {"hands": [["6-6", "5-5", "1-0", "2-0"], ["6-5", "4-4", "3-0", "4-0"]]},
    }
    deal = {"kind": kind, **fields.get(kind, {})}
    table = await create(client, "block", seats=[HUMAN, CPU], deal=deal, rules={"hand_size": 4, "target": 60})
    told = [table.created]
    async for called in play(table):
        told += [called.answer, {"match": await table.spectator.get(), "events": await table.spectator.log()}]
    finished = [answer for answer in told if answer["match"]["status"] == "finished"]
    seeds = {answer["match"]["deal"]["seed"] for answer in finished}
    assert len(seeds) == 1
    seed = seeds.pop()
    before = [answer for answer in told if answer["match"]["status"] != "finished"]
    assert before
    for answer in before:
        assert answer["match"]["deal"]["seed"] is None
        assert seed not in json.dumps(answer)
        assert answer["match"]["deal"]["kind"] == kind
    commitments = {answer["match"]["deal"]["commitment"] for answer in told}
    assert commitments == {hashlib.sha256(bytes.fromhex(seed)).hexdigest()}
    if kind == "seeded":
        assert seed == SEEDED["seed"]
    if kind == "numbered":
        assert seed == hashlib.sha256(b"capicua/numbered/1/12").hexdigest()


async def test_secret_deals_differ(client: httpx.AsyncClient) -> None:
    tables = [await create(client, "draw") for _ in range(5)]
    assert len({table.created["match"]["deal"]["commitment"] for table in tables}) == 5


async def test_a_fixed_deal_is_dealt_as_it_is_and_only_once(client: httpx.AsyncClient) -> None:
    hands = [["6-6", "5-5", "4-4", "3-3", "2-2", "1-1"], *[[f"{high}-{low}" for low in range(6)] for high in (6,)]]
    hands += [["5-0", "5-1", "5-2", "5-3", "5-4", "4-0"], ["4-1", "4-2", "4-3", "3-0", "3-1", "3-2"]]
    deal = {"kind": "fixed", "hands": hands, "boneyard": ["2-1"]}
    table = await create(client, "partner-penalty", seats=[CPU] * 4, deal=deal)
    await play_out(table)
    found = await deals(table)
    tiles, boneyard, redeals = found[1]
    assert [seat["tiles"] for seat in tiles] == hands  # six doubles in one hand, which would be thrown in
    assert (boneyard[0], sorted(boneyard), redeals) == ("2-1", ["1-0", "2-0", "2-1"], 0)
    assert [seat["tiles"] for seat in found[2][0]] != hands
