"""The README, followed to the letter: its script plays every game, and what it shows is what a reader gets."""

import json
import re
from typing import Any

import pytest

from api.settings import Settings
from engine.catalogue import RULESETS
from tests.documents import ROOT, Document, post
from tests.kinds import SOURCE_GAMES
from tests.programs import printed, run
from tests.serving import Served

README = Document.read("README.md")


def test_the_script_is_the_one_of_the_examples() -> None:
    assert README.below("Play over HTTP").block("bash") == (ROOT / "examples/play.sh").read_text(encoding="utf-8")


@pytest.mark.parametrize("ruleset", SOURCE_GAMES)
def test_the_script_plays_a_match_to_its_end(served: Served, ruleset: str) -> None:
    told = printed(["bash", "examples/play.sh"], SERVICE=served.url, RULESET=ruleset, RULES='{"target": 40}')
    *moves, status, result, first, second = told.splitlines()
    assert {move.split()[0] for move in moves} <= {"play", "draw", "pass", "next-hand"}
    assert status == "finished"
    assert "'reason': 'score'" in result
    assert "'team': 0" in first
    assert "'team': 1" in second


def test_a_match_by_number_goes_as_shown(served: Served) -> None:
    part = README.below("Play over HTTP")
    assert printed(["bash", "-c", part.block("sh")], SERVICE=served.url) == part.block("text")


def test_a_refused_call_stops_the_script_and_says_why(served: Served) -> None:
    done = run(["bash", "examples/play.sh"], SERVICE=served.url, RULESET="sesame")
    assert done.returncode == 1
    assert "unknown-ruleset" in done.stderr


def includes(whole: Any, part: Any) -> bool:
    """Whether `part` is `whole` with some members of objects left out."""
    match part:
        case dict():
            return all(name in whole and includes(whole[name], part[name]) for name in part)
        case list():
            return len(whole) == len(part) and all(map(includes, whole, part))
    return bool(whole == part)


def test_the_state_is_as_shown(served: Served) -> None:
    body = {"ruleset": "all-fives", "deal": {"kind": "numbered", "number": 7}}
    created = post(f"{served.url}/v1/matches", json=body).json()
    address = f"{served.url}/v1/matches/{created['match']['id']}"
    token = {"Authorization": f"Bearer {created['tokens'][0]['token']}"}
    moved = post(f"{address}/play", json=created["match"]["hand"]["legal_moves"][0], headers=token).json()
    shown = json.loads(README.below("What the service answers").block("json"))
    assert includes(moved["match"], shown), moved["match"]
    refused = post(f"{address}/pass", headers=token)
    assert refused.json() == json.loads(README.below("Errors").block("json"))


def test_the_body_that_creates_is_accepted(served: Served) -> None:
    body = json.loads(README.below("Choose the game").block("json"))
    created = post(f"{served.url}/v1/matches", json=body)
    assert created.status_code == 201
    assert [each["seat"] for each in created.json()["tokens"]] == [0, 2]


def test_the_seed_is_checked_as_shown() -> None:
    assert "committed to" in printed(["bash", "-c", README.below("Check a deal").block("bash")])


def test_the_games_are_those_there_are() -> None:
    games = {row[0].strip("`"): int(row[1].split(",")[0]) for row in README.below("Capicua").table()}
    assert games == {name: RULESETS[name].seat_counts[0] for name in SOURCE_GAMES}
    assert set(re.findall(r"(\d+) games", README.text)) == {str(len(RULESETS))}


def test_the_settings_are_those_there_are() -> None:
    operating = Document.read("docs/operating.md").below("Settings").table()
    assert {row[0].strip("`") for row in operating} == {f"CAPICUA_{name.upper()}" for name in Settings.model_fields}
    brief = {name.strip("`") for row in README.below("Run it for others").table() for name in row[0].split(", ")}
    assert brief < {row[0].strip("`") for row in operating}
