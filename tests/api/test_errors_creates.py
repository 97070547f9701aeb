"""What is wrong with a new match, and where."""

from typing import Any

import httpx
import pytest

from tests.api.callers import CPU, HUMAN
from tests.api.provoked import GARBAGE

CREATES: list[tuple[Any, str, str]] = [
    ({}, "invalid-request", "#/ruleset"),
    ({"ruleset": None}, "invalid-request", "#/ruleset"),
    ({"ruleset": "Draw"}, "invalid-request", "#/ruleset"),
    ({"ruleset": "draw", GARBAGE: 1}, "invalid-request", "#"),
    ({"ruleset": "draw", "listed": 1}, "invalid-request", "#/listed"),
    ({"ruleset": "draw", "clock": {}}, "invalid-request", "#/clock/seconds_per_hand"),
    ({"ruleset": "draw", "clock": {"seconds_per_hand": 0}}, "invalid-request", "#/clock/seconds_per_hand"),
    ({"ruleset": "draw", "clock": {"seconds_per_hand": 86_401}}, "invalid-request", "#/clock/seconds_per_hand"),
    ({"ruleset": "draw", "clock": 240}, "invalid-request", "#/clock"),
    ({"ruleset": "draw", "rules": {GARBAGE: 1}}, "invalid-request", "#/rules"),
    ({"ruleset": "draw", "rules": []}, "invalid-request", "#/rules"),
    ({"ruleset": "draw", "rules": None}, "invalid-request", "#/rules"),
    ({"ruleset": "draw", "rules": {"removed_tiles": [GARBAGE]}}, "invalid-request", "#/rules/removed_tiles/0"),
    ({"ruleset": "draw", "rules": {"removed_tiles": ["7-0"]}}, "invalid-rules", "#/rules/removed_tiles"),
    ({"ruleset": "draw", "rules": {"removed_tiles": ["1-0", "0-1"]}}, "invalid-rules", "#/rules/removed_tiles"),
    ({"ruleset": "draw", "rules": {"partners": "pairs"}}, "invalid-rules", "#/rules/partners"),
    ({"ruleset": "draw", "seats": []}, "invalid-request", "#/seats"),
    ({"ruleset": "draw", "seats": [HUMAN]}, "invalid-request", "#/seats"),
    ({"ruleset": "draw", "seats": [HUMAN] * 3}, "invalid-request", "#/seats"),
    ({"ruleset": "draw", "seats": [HUMAN] * 5}, "invalid-request", "#/seats"),
    ({"ruleset": "draw", "seats": [HUMAN, {"kind": GARBAGE}]}, "invalid-request", "#/seats/1"),
    ({"ruleset": "draw", "seats": [HUMAN, {"kind": "open", "name": "Asha"}]}, "invalid-request", "#/seats/1"),
    ({"ruleset": "draw", "seats": [HUMAN, {}]}, "invalid-request", "#/seats/1"),
    ({"ruleset": "draw", "seats": [HUMAN, {**HUMAN, "level": "easy"}]}, "invalid-request", "#/seats/1"),
    ({"ruleset": "draw", "seats": [HUMAN, {**CPU, "level": GARBAGE}]}, "invalid-request", "#/seats/1/level"),
    ({"ruleset": "draw", "seats": [HUMAN, {**CPU, "level": None}]}, "invalid-request", "#/seats/1/level"),
    ({"ruleset": "draw", "seats": [{**HUMAN, "name": "a\0b"}, CPU]}, "invalid-request", "#/seats/0/name"),
    ({"ruleset": "draw", "seats": [{**HUMAN, "name": "a\u2028b"}, CPU]}, "invalid-request", "#/seats/0/name"),
    ({"ruleset": "draw", "seats": [{**HUMAN, "name": ""}, CPU]}, "invalid-request", "#/seats/0/name"),
    ({"ruleset": "draw", "seats": [{**HUMAN, "name": GARBAGE * 5}, CPU]}, "invalid-request", "#/seats/0/name"),
    ({"ruleset": "draw", "seats": [{**HUMAN, "human": 1}, CPU]}, "invalid-request", "#/seats/0"),
    ({"ruleset": "draw", "pacing": GARBAGE}, "invalid-request", "#/pacing"),
    ({"ruleset": "draw", "auto_pass": 1}, "invalid-request", "#/auto_pass"),
    ({"ruleset": "draw", "auto_pass": "true"}, "invalid-request", "#/auto_pass"),
    ({"ruleset": "draw", "deal": {}}, "invalid-request", "#/deal"),
    ({"ruleset": "draw", "deal": {"kind": GARBAGE}}, "invalid-request", "#/deal"),
    ({"ruleset": "draw", "deal": {"kind": "secret", "seed": GARBAGE}}, "invalid-request", "#/deal"),
    ({"ruleset": "draw", "deal": {"kind": "numbered"}}, "invalid-request", "#/deal/number"),
    ({"ruleset": "draw", "deal": {"kind": "numbered", "number": -1}}, "invalid-request", "#/deal/number"),
    ({"ruleset": "draw", "deal": {"kind": "numbered", "number": 2**32}}, "invalid-request", "#/deal/number"),
    ({"ruleset": "draw", "deal": {"kind": "seeded", "seed": GARBAGE}}, "invalid-request", "#/deal/seed"),
    ({"ruleset": "draw", "deal": {"kind": "seeded", "seed": "0" * 63}}, "invalid-request", "#/deal/seed"),
    ({"ruleset": "draw", "deal": {"kind": "seeded", "seed": "0" * 63 + "g"}}, "invalid-request", "#/deal/seed"),
    ({"ruleset": "draw", "deal": {"kind": "seeded", "seed": "0" * 64 + "\n"}}, "invalid-request", "#/deal/seed"),
    (
        {"ruleset": "draw", "seats": [HUMAN, HUMAN], "deal": {"kind": "numbered", "number": 1}},
        "invalid-deal",
        "#/deal/kind",
    ),
]

HANDS: list[tuple[Any, str]] = [
    ([["6-6"]] * 3, "#/deal/hands"),
    ([["6-6", "6-5"], ["5-5"]], "#/deal/hands/1"),
    ([["6-6", "6-5"], ["5-5", "5-6"]], "#/deal/hands/1/1"),
    ([["6-6", "6-5"], ["5-5", "7-7"]], "#/deal/hands/1/1"),
    ([["6-6", "6-5"], ["5-5", "0-0"]], "#/deal/hands/1/1"),
    ([["6-6", "6-5"], ["5-5", "4-4"]], "#/deal/boneyard/1"),
]


@pytest.mark.parametrize(("body", "code", "pointer"), CREATES)
async def test_what_is_wrong_with_a_new_match_is_pointed_at(
    client: httpx.AsyncClient, body: Any, code: str, pointer: str
) -> None:
    answer = await client.post("/v1/matches", json=body)
    assert (answer.status_code, answer.json()["code"]) == (422, code), answer.text
    assert [error["pointer"] for error in answer.json()["errors"]] == [pointer]
    assert GARBAGE not in answer.text


@pytest.mark.parametrize(("hands", "pointer"), HANDS)
async def test_a_fixed_deal_has_each_live_tile_once_and_hands_of_the_right_size(
    client: httpx.AsyncClient, hands: Any, pointer: str
) -> None:
    deal = {"kind": "fixed", "hands": hands, "boneyard": ["1-0", "4-4"]}
    rules = {"hand_size": 2, "removed_tiles": ["0-0"]}
    answer = await client.post("/v1/matches", json={"ruleset": "draw", "rules": rules, "deal": deal})
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid-deal"), answer.text
    assert [error["pointer"] for error in answer.json()["errors"]] == [pointer]
