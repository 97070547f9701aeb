"""Rule sets as data: what is published of them is all that it takes to create a match."""

from typing import Any

import httpx
import jsonschema_rs
import pytest

from api.schemas import RULES_SCHEMA
from engine.catalogue import RULESETS
from engine.wording import wording
from tests.api.callers import HUMAN, create
from tests.engine.games import as_json
from tests.kinds import KINDS

PARAMETERS: dict[str, Any] = RULES_SCHEMA["properties"]
CANONICAL = {"['4-6', '0-1']": ["6-4", "1-0"]}
"""Lists of tiles, by how they were sent."""


def candidates(schema: dict[str, Any]) -> list[Any]:
    """Values that a parameter's schema allows: every choice, both bounds, and lists of none and of one."""
    if "enum" in schema:
        return list(schema["enum"])
    if schema["type"] == "boolean":
        return [False, True]
    if schema["type"] == "integer":
        return [schema["minimum"], schema["minimum"] + 1, schema["maximum"]]
    return [[], candidates(schema["items"])[:1]] if "pattern" not in schema["items"] else [[], ["1-0"], ["4-6", "0-1"]]


def misfits(schema: dict[str, Any]) -> list[Any]:
    """Values that it does not allow."""
    anything: list[Any] = [None, "zzcanaryzz", {}, 1.5]
    if schema.get("type") == "boolean":
        return [*anything, 0, 1, "true", []]
    anything.append(True)
    if "minimum" in schema:
        return [*anything, schema["minimum"] - 1, schema["maximum"] + 1, "6", [6], 10**40]
    if schema.get("type") == "array":
        return [*anything, [None], ["zzcanaryzz"], [[]], [1.5], [2, 3, 4, 5, 6] * 20]
    return [*anything, 7, [], str(schema["enum"][0]) + " "]


async def test_rule_sets_are_listed_with_all_their_parameters(client: httpx.AsyncClient) -> None:
    listed = (await client.get("/v1/rulesets")).json()["items"]
    assert [ruleset["id"] for ruleset in listed] == list(RULESETS)
    for ruleset in listed:
        assert (await client.get(f"/v1/rulesets/{ruleset['id']}")).json() == ruleset
        known = RULESETS[ruleset["id"]]
        assert ruleset["seat_counts"] == list(known.seat_counts) == [table["seats"] for table in ruleset["tables"]]
        assert ruleset["summary"].startswith(known.about)
        assert ("Assumed" in ruleset["summary"]) == bool(known.assumed)
        for table in ruleset["tables"]:
            rules = known.tables[table["seats"]]
            assert table["rules"] == as_json(rules)
            assert table["text"] == wording(rules, table["seats"])
        assert [parameter["name"] for parameter in ruleset["parameters"]] == list(PARAMETERS)
        for parameter in ruleset["parameters"]:
            jsonschema_rs.validator_for(parameter["schema"]).validate(parameter["value"])
            assert parameter["title"]
            assert parameter["schema"]["description"]


@pytest.mark.parametrize(
    ("ruleset", "seats"), [(each.id, seats) for each in RULESETS.values() for seats in each.tables]
)
async def test_a_game_is_played_by_the_rules_for_the_number_of_seats(
    client: httpx.AsyncClient, ruleset: str, seats: int
) -> None:
    tables = (await client.get(f"/v1/rulesets/{ruleset}")).json()["tables"]
    (rules,) = [table["rules"] for table in tables if table["seats"] == seats]
    assert (await create(client, ruleset, seats=[HUMAN] * seats)).created["match"]["rules"] == rules


async def test_the_list_is_packed_for_those_who_can_read_that(client: httpx.AsyncClient) -> None:
    plain = await client.get("/v1/rulesets", headers={"Accept-Encoding": "identity"})
    packed = await client.get("/v1/rulesets", headers={"Accept-Encoding": "br, gzip;q=0.5"})
    refused = await client.get("/v1/rulesets", headers={"Accept-Encoding": "gzip;q=0"})
    for unwanted in ("gzip;q=0, *", "gzip;q=often", "br", ""):
        answer = await client.get("/v1/rulesets/draw", headers={"Accept-Encoding": unwanted})
        assert "Content-Encoding" not in answer.headers, unwanted
    assert "Content-Encoding" not in plain.headers
    assert "Content-Encoding" not in refused.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert packed.json() == plain.json() == refused.json()
    assert all("Accept-Encoding" in answer.headers["Vary"] for answer in (plain, packed))


@pytest.mark.parametrize("ruleset", RULESETS)
async def test_every_parameter_may_be_overridden_with_its_own_value(client: httpx.AsyncClient, ruleset: str) -> None:
    parameters = (await client.get(f"/v1/rulesets/{ruleset}")).json()["parameters"]
    values = {parameter["name"]: parameter["value"] for parameter in parameters}
    assert (await create(client, ruleset)).created["match"]["rules"] == values
    assert (await create(client, ruleset, rules=values)).created["match"]["rules"] == values


@pytest.mark.parametrize("parameter", PARAMETERS)
async def test_a_value_that_its_schema_allows_is_played_or_said_to_be_unplayable(
    client: httpx.AsyncClient, parameter: str
) -> None:
    """Whichever of the two, what is answered names the parameter at fault."""
    taken = 0
    for ruleset in KINDS:
        for value in candidates(PARAMETERS[parameter]):
            rules = {parameter: value}
            answer = await client.post("/v1/matches", json={"ruleset": ruleset, "rules": rules})
            if answer.is_success:
                taken += 1
                shown = answer.json()["match"]["rules"][parameter]
                assert shown == CANONICAL.get(str(value), value)
            else:
                assert (answer.status_code, answer.json()["code"]) == (422, "invalid-rules"), answer.text
                (error,) = answer.json()["errors"]
                assert error["pointer"].removeprefix("#/rules/") in PARAMETERS
    assert taken >= len(KINDS)


@pytest.mark.parametrize("parameter", PARAMETERS)
async def test_a_value_that_its_schema_does_not_allow_is_pointed_at(client: httpx.AsyncClient, parameter: str) -> None:
    for value in misfits(PARAMETERS[parameter]):
        answer = await client.post("/v1/matches", json={"ruleset": "draw", "rules": {parameter: value}})
        assert (answer.status_code, answer.json()["code"]) == (422, "invalid-request"), (value, answer.text)
        assert all(error["pointer"].startswith(f"#/rules/{parameter}") for error in answer.json()["errors"])
        assert "zzcanaryzz" not in answer.text


@pytest.mark.parametrize(
    ("rules", "parameter"),
    [
        ({"hand_size": 15}, "hand_size"),
        ({"hand_size": 14, "removed_tiles": ["0-0"]}, "hand_size"),
        ({"removed_tiles": ["7-7"]}, "removed_tiles"),
        ({"removed_tiles": ["6-6", "6-6"]}, "removed_tiles"),
        ({"redeal_doubles": 1}, "redeal_doubles"),
        ({"partners": "pairs"}, "partners"),
        ({"scored_multiples": [5, 5]}, "scored_multiples"),
        ({"scored_multiples": [5], "scoring": "penalty"}, "scored_multiples"),
        ({"block_pips": "own_each"}, "block_pips"),
    ],
)
async def test_rules_that_cannot_be_played_together_are_told_apart(
    client: httpx.AsyncClient, rules: dict[str, Any], parameter: str
) -> None:
    answer = await client.post("/v1/matches", json={"ruleset": "draw", "rules": rules})
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid-rules")
    assert [error["pointer"] for error in answer.json()["errors"]] == [f"#/rules/{parameter}"]
    assert answer.json()["errors"][0]["detail"] == answer.json()["detail"]


async def test_a_larger_set_and_larger_hands_can_be_played(client: httpx.AsyncClient) -> None:
    rules = {"highest_double": 12, "hand_size": 45}
    match = (await create(client, "block", seats=[HUMAN, HUMAN], rules=rules)).created["match"]
    assert [seat["tile_count"] for seat in match["seats"]] in ([45, 44], [44, 45])
    assert match["hand"]["boneyard_count"] == 1


@pytest.mark.parametrize("name", ["Draw", "draw ", "DRAW", "%64raw%00", "x" * 100, "x" * 101, "..", "%2e%2e%2f"])
async def test_an_unknown_rule_set_is_not_found(client: httpx.AsyncClient, name: str) -> None:
    answer = await client.get(f"/v1/rulesets/{name}")
    assert answer.status_code == 404
    assert answer.json()["code"] in {"unknown-ruleset", "not-found"}
