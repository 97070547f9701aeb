"""What the script of /docs makes of answers."""

import json
from typing import Any

import httpx
import pytest

from api.routes.pages import OWN
from tests.api.callers import CPU, HUMAN, OPEN, SEEDED, create, play
from tests.contract.document import DOCUMENT
from tests.programs import NODE, printed


def evaluated(expression: str, given: Any) -> Any:
    """What an expression over `given` and the functions of the page is."""
    script = (OWN / "table.js").read_text(encoding="utf-8")
    script += "\nconst given = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));"
    script += f"\nconsole.log(JSON.stringify({expression}));"
    return json.loads(printed([NODE, "--eval", script], stdin=json.dumps(given)))


@pytest.mark.parametrize("name", ["docs.js", "table.js"])
def test_a_script_can_be_read(name: str) -> None:
    printed([NODE, "--check", str(OWN / name)])


async def test_a_match_is_followed_from_its_creation_to_its_end(client: httpx.AsyncClient) -> None:
    table = await create(client, "all-fives", seats=[HUMAN, CPU], deal=SEEDED, rules={"target": 60})
    answers = [table.created, *[called.answer async for called in play(table)]]
    tables = evaluated("given.map(((table) => (answer) => (table = remember(table, answer)))(null))", answers)
    assert [kept["match"] for kept in tables] == [answer["match"] for answer in answers]
    token = table.created["tokens"][0]["token"]
    shown = evaluated("given.map((table) => [actor(table), calls(table.match), sentences(table.match)])", tables)
    for (actor, calls, sentences), answer in zip(shown, answers, strict=True):
        assert actor == {"role": "seat", "seat": 0, "token": token}
        assert [call["body"] for call in calls] == answer["match"]["hand"]["legal_moves"]
        assert [call["path"] for call in calls] == [move["type"] for move in answer["match"]["hand"]["legal_moves"]]
        assert len({call["label"] for call in calls}) == len(calls)
        assert not any("undefined" in sentence or "null" in sentence for sentence in sentences)
    assert shown[0][2][-1] == "It is your turn."
    assert shown[-1][2][-1].startswith("The match is finished: team ")


async def test_a_table_of_several_acts_for_the_seat_that_has_the_turn(client: httpx.AsyncClient) -> None:
    table = await create(client, "draw", seats=[HUMAN, HUMAN], deal=SEEDED)
    kept = evaluated("remember(null, given)", table.created)
    actor = evaluated("actor(given)", kept)
    assert (actor["role"], actor["seat"]) == ("seat", table.created["match"]["hand"]["turn"])
    assert not evaluated("isSeenBy(given[0].match, given[1])", [kept, actor])  # the creator sees what the host does
    own = await table.people[actor["seat"]].get()
    kept = evaluated("remember(...given)", [kept, own])
    assert evaluated("isSeenBy(given[0].match, given[1])", [kept, actor])
    assert [call["body"] for call in evaluated("calls(given)", kept["match"])] == own["hand"]["legal_moves"]


async def test_a_seat_that_is_joined_is_the_pages(client: httpx.AsyncClient) -> None:
    table = await create(client, "block", seats=[HUMAN, OPEN], deal=SEEDED)
    joined = (await table.spectator.send("join")).json()
    both = evaluated("given.reduce(remember, null)", [table.created, joined])
    assert sorted(both["tokens"]) == ["0", "1"]
    alone = evaluated("remember(null, given)", joined)
    assert (alone["tokens"], alone["host"]) == ({"1": joined["tokens"][0]["token"]}, None)
    assert evaluated("actor(given).seat", alone) == 1


async def test_other_matches_older_states_and_other_answers_change_nothing(client: httpx.AsyncClient) -> None:
    table, other = await create(client, "draw"), await create(client, "draw")
    kept = evaluated("remember(null, given)", table.created)
    newer = (await table.people[0].post("resign"))["match"]
    foreign = await other.spectator.get()
    lobby, problem = (await client.get("/v1/matches")).json(), (await client.get("/nowhere")).json()
    for answer in (foreign, lobby, problem, await table.spectator.get("/events"), None, ""):
        assert evaluated("remember(...given)", [kept, answer]) == kept
    after = evaluated("given.reduce(remember)", [kept, newer, table.created["match"]])
    assert after["match"] == newer


async def test_a_cpu_seat_that_waits_may_be_stepped(client: httpx.AsyncClient) -> None:
    table = await create(client, "draw", seats=[CPU, CPU], pacing="step", deal=SEEDED)
    [step] = evaluated("calls(given)", table.created["match"])
    assert (step["path"], step["body"]) == ("step", {})
    await table.host.post(step["path"], step["body"])
    assert evaluated("actor(remember(null, given)).role", table.created) == "host"


def test_forms_begin_empty() -> None:
    formed = evaluated("forForms(given)", DOCUMENT)
    operations = evaluated("operationsOnMatch(given)", DOCUMENT)
    assert operations["play"] == ["/v1/matches/{match_id}/play", "post"]
    assert "create_match" not in operations
    for path, methods in DOCUMENT["paths"].items():
        for method, operation in methods.items():
            shown = formed["paths"][path][method].get("parameters", [])
            for parameter, field in zip(operation.get("parameters", []), shown, strict=True):
                assert "example" not in field
                assert str(parameter.get("example", "")) in field.get("description", "")
