"""The programs of `examples/`, run as their page says: each plays a match to its end, also where answers get lost."""

import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.documents import ROOT, post
from tests.kinds import SOURCE_GAMES
from tests.lossy import lossy
from tests.programs import printed, run
from tests.serving import Served

BOT = str(ROOT / "examples/bot.py")
TYPESCRIPT = ROOT / "examples/typescript"


def assert_played(told: str) -> None:
    outcome, first, second = told.splitlines()[-3:]
    assert outcome in {"finished: won", "finished: lost", "finished: nobody wins"}
    assert first.startswith("team 0: ")
    assert second.startswith("team 1: ")


@pytest.mark.parametrize("ruleset", SOURCE_GAMES)
def test_the_python_bot_plays_a_match(served: Served, ruleset: str) -> None:
    assert_played(printed([sys.executable, BOT, served.url, ruleset, "20"]))


def test_the_python_bot_plays_on_where_answers_get_lost(served: Served) -> None:
    with lossy(served.url) as line:
        assert_played(printed([sys.executable, BOT, line.url, "draw", "0"]))
    assert line.lost
    assert line.refused


def test_two_python_bots_play_each_other(served: Served) -> None:
    body = {"ruleset": "all-fives", "rules": {"target": 20}, "seats": [{"kind": "human"}, {"kind": "human"}]}
    created = post(f"{served.url}/v1/matches", json=body).json()
    command = [sys.executable, BOT, f"{served.url}/v1/matches/{created['match']['id']}"]
    tokens = [seat["token"] for seat in created["tokens"]]
    with ThreadPoolExecutor() as bots:
        told = list(bots.map(lambda token: printed(command, TOKEN=token), tokens))
    assert sorted(each.splitlines()[0] for each in told) == ["finished: lost", "finished: won"]


def test_the_python_bot_says_why_it_is_refused(served: Served) -> None:
    done = run([sys.executable, BOT, served.url, "sesame"])
    assert done.returncode == 1
    assert done.stderr.startswith("unknown-ruleset: ")


def test_the_typescript_bot_plays_on_a_client_that_is_generated_anew(tmp_path: Path, served: Served) -> None:
    """In a copy, so that nothing is compiled that was left from another day."""
    there = tmp_path / "examples" / "typescript"
    shutil.copytree(TYPESCRIPT, there, ignore=shutil.ignore_patterns("node_modules", "build", "*.d.ts"))
    shutil.copytree(ROOT / "openapi", tmp_path / "openapi", ignore=shutil.ignore_patterns("node_modules"))
    (there / "node_modules").symlink_to(TYPESCRIPT / "node_modules")
    printed(["npm", "run", "generate"], cwd=there)
    assert_played(printed(["npm", "start", "--", served.url, "draw", "20"], cwd=there))  # which compiles
    for ruleset in SOURCE_GAMES:
        assert_played(printed(["node", "build/bot.js", served.url, ruleset, "20"], cwd=there))
    with lossy(served.url) as line:
        assert_played(printed(["node", "build/bot.js", line.url, "block", "0"], cwd=there))
    assert line.lost
    assert line.refused
