"""`capicua simulate`."""

import csv
import io
import re
import subprocess
import sys
from itertools import groupby
from pathlib import Path
from typing import Any

import httpx
import pytest

from api.cli import SIMULATE, main
from api.simulate import read_rules
from arena.simulation import columns, play_match, series_of
from engine.events import HandResult
from tests.documents import ROOT, Document
from tests.serving import PATIENCE

Rows = list[dict[str, str]]


def ran(capsys: pytest.CaptureFixture[str], *options: str) -> Rows:
    """The rows that the command prints."""
    assert main(["simulate", *options]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return list(csv.DictReader(io.StringIO(captured.out)))


DRAW = ("--game", "draw", "--seats", "medium", "easy", "--matches", "12", "--first-deal", "5", "--rules", "target=60")


def test_a_row_for_each_match(capsys: pytest.CaptureFixture[str]) -> None:
    rows = ran(capsys, *DRAW, "--workers", "1")
    assert list(rows[0]) == [
        *("match", "deal", "hands", "reason", "winner", "score_team_0", "score_team_1", "moves"),
    ]
    assert [(row["match"], row["deal"]) for row in rows] == [(str(n + 1), str(n + 5)) for n in range(12)]
    for row in rows:
        scores = [int(row["score_team_0"]), int(row["score_team_1"])]
        assert max(scores) >= 60
        assert (row["reason"], row["winner"]) == ("score", str(scores.index(max(scores))))


def test_a_row_for_each_hand_adds_up_to_the_row_for_the_match(capsys: pytest.CaptureFixture[str]) -> None:
    options = (*DRAW, "--workers", "1")
    matches, hands = ran(capsys, *options), ran(capsys, *options, "--rows", "hands")
    for row, (number, played) in zip(matches, groupby(hands, lambda hand: hand["match"]), strict=True):
        of_match = list(played)
        assert row["match"] == number
        assert [hand["hand"] for hand in of_match] == [str(n + 1) for n in range(int(row["hands"]))]
        assert sum(int(hand["moves"]) for hand in of_match) == int(row["moves"])
        for team in ("team_0", "team_1"):
            points = [int(hand[f"play_points_{team}"]) + int(hand[f"end_points_{team}"]) for hand in of_match]
            assert sum(points) == int(of_match[-1][f"score_{team}"]) == int(row[f"score_{team}"])
        for hand in of_match:
            left = [int(hand["tiles_left_seat_0"]), int(hand["tiles_left_seat_1"])]
            assert (min(left) == 0) == (hand["reason"] == "domino")
            assert {hand["deal"], hand["leader"] in {"0", "1"}} == {row["deal"], True}


def test_the_rows_are_the_same_for_any_number_of_workers(tmp_path: Path) -> None:
    written = []
    for workers in ("1", "2"):
        file = tmp_path / workers
        options = ("--workers", workers, "--output", str(file), "--rows", "hands", "--game", "all-fives")
        assert main(["simulate", *options, "--matches", "9", "--seats", "easy", "hard"]) == 0
        written.append(file.read_bytes())
    assert written[0] == written[1]
    assert b"\r" not in written[0]


def test_all_seats_are_hard_where_nothing_else_is_said() -> None:
    assert series_of("partner-penalty", {}, None).levels == ("hard",) * 4


@pytest.mark.parametrize("ruleset", ["partner-penalty", "cut-throat"])
def test_columns_go_by_teams_and_seats(ruleset: str, capsys: pytest.CaptureFixture[str]) -> None:
    seats = ["easy"] * 4
    (row, *_) = ran(capsys, "--game", ruleset, "--matches", "1", "--rows", "hands", "--seats", *seats, "--workers", "1")
    names = columns(series_of(ruleset, {}, seats), "hands")
    assert list(row) == names
    teams = 2 if ruleset == "partner-penalty" else 4
    assert sum(name.startswith("score_team_") for name in names) == teams
    assert sum(name.startswith("pips_left_seat_") for name in names) == 4
    first = [name for name in names if not re.search("_[1-9]$", name)]
    rows = {row[0]: row[1] for row in Document.read("README.md").below("Measure the levels").table()}
    assert re.findall("`(.+?)`", rows["`simulate --rows hands`"]) == first
    assert set(first) <= {word.strip(",") for word in SIMULATE.split()}


def test_what_seats_hold_is_told_by_seat() -> None:
    for hand in play_match(series_of("partner-penalty", {"target": 0}, None), 3).hands:
        assert isinstance(hand.result, HandResult)
        assert [left.seat for left in hand.result.leftover] == [0, 1, 2, 3]


async def test_the_matches_are_those_that_the_service_plays(client: httpx.AsyncClient) -> None:
    body = {
        "ruleset": "partner-penalty",
        "seats": [{"kind": "cpu", "level": level} for level in ("hard", "easy", "medium", "hard")],
        "deal": {"kind": "numbered", "number": 11},
    }
    created = (await client.post("/v1/matches", json=body)).json()
    match: dict[str, Any] = created["match"]
    headers = {"Authorization": f"Bearer {created['host_token']}"}
    while match["status"] == "hand_over":
        answer = await client.post(f"/v1/matches/{match['id']}/next-hand", headers=headers)
        match = answer.json()["match"]
    played = play_match(series_of("partner-penalty", {}, ["hard", "easy", "medium", "hard"]), 11).match
    assert [score["points"] for score in match["scores"]] == list(played.scores)
    assert match["version"] == played.version


REFUSED: list[tuple[list[str], str]] = [
    (["--game", "sesame"], "There is no game 'sesame': `capicua games` lists"),
    (["--game", "draw", "--seats", "hard"], "draw is not played with 1 seats: choose 2."),
    (["--game", "draw", "--seats", "hard", "reference"], "There is no level 'reference': choose from easy, medium"),
    (["--game", "draw", "--rules", "target"], "'target' gives a parameter no value: write NAME=VALUE"),
    (["--game", "draw", "--rules", "sesame=1"], "Rules have no parameter 'sesame'"),
    (["--game", "draw", "--rules", "target=-1"], "target: Input should be greater than or equal to 0"),
    (["--game", "draw", "--rules", "spinner=up"], "spinner: Input should be 'none', 'first_double'"),
    (["--game", "draw", "--rules", "hand_size=20"], "hand_size: 28 tiles give 2 seats 14 each at most."),
    (["--game", "draw", "--first-deal", "4294967295"], "The last deal has the number 4294967295"),
]


@pytest.mark.parametrize(("options", "told"), REFUSED)
def test_what_cannot_be_played_is_one_line(options: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", *options]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"capicua: {told}")
    assert captured.err.count("\n") == 1


def test_rules_are_read_as_the_service_reads_them() -> None:
    read = read_rules(["spinner=none", "scored_multiples=[3, 5]", "double_first=true", 'opening_tiles=["6-6"]'])
    assert read["spinner"] == "none"
    assert read["scored_multiples"] == (3, 5)
    assert read["double_first"] is True
    assert [tile.text for tile in read["opening_tiles"]] == ["6-6"]


def test_a_reader_that_has_enough_ends_it_in_silence() -> None:
    command = (
        f"{sys.executable} -m api.cli simulate --game block --matches 3000 --seats easy easy --workers 1 | head -n 1"
    )
    done = subprocess.run(
        ["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.stdout.startswith("match,deal,")
    assert done.stderr == ""
