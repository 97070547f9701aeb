"""`capicua ladder`."""

import csv
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from api.cli import LADDER, main
from arena import ladder
from arena.standings import COLUMNS
from engine.strategies import STRATEGIES
from tests.documents import ROOT, Document
from tests.kinds import SOURCE_GAMES
from tests.serving import PATIENCE

pytestmark = pytest.mark.usefixtures("compiled")


def ran(tmp_path: Path, *options: str) -> list[dict[str, str]]:
    """The rows that the command writes."""
    file = tmp_path / "rows.csv"
    assert main(["ladder", "--output", str(file), *options]) == 0
    return read(file)


def read(file: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(file.read_text(encoding="utf-8").splitlines()))


def without_times(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    return [{name: cell for name, cell in row.items() if "ms_" not in name} for row in rows]


def test_all_levels_meet_in_the_source_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = ran(tmp_path, "--pairs", "2", "--workers", "1")
    assert tuple(dict.fromkeys(row["game"] for row in rows)) == ladder.GAMES == SOURCE_GAMES
    assert len(rows) == len(STRATEGIES) * len(SOURCE_GAMES)
    assert {row["seats"] for row in rows if row["game"] == "partner-penalty"} == {"4"}
    assert list(rows[0]) == list(COLUMNS)
    captured = capsys.readouterr()
    assert all(text in captured.out for text in ("partner-penalty, 4", "reference", "points a hand", "\u00b1"))
    assert "pairs" not in captured.err  # no bar where no terminal is


def test_the_rows_are_the_same_for_any_number_of_workers(tmp_path: Path) -> None:
    options = ("--pairs", "9", "--games", "block", "all-fives", "--first", "40")
    one, two = (ran(tmp_path, *options, "--workers", workers) for workers in ("1", "2"))
    assert without_times(one) == without_times(two)
    assert all(float(row["ms_p99"]) >= float(row["ms_median"]) > 0 for row in [*one, *two])


def test_a_row_is_worked_out_from_its_pairs(tmp_path: Path) -> None:
    (row,) = ran(
        tmp_path, "--pairs", "25", "--games", "draw", "--players", "hard", "reference", "--first", "7", "--workers", "1"
    )
    assert (row["player"], row["against"], row["first_deal"], row["pairs"]) == ("hard", "reference", "7", "25")
    (turned,) = ran(
        tmp_path, "--pairs", "25", "--games", "draw", "--players", "reference", "hard", "--first", "7", "--workers", "1"
    )
    assert float(row["won_percent"]) + float(turned["won_percent"]) == pytest.approx(100)
    for name in ("won_percent", "points_per_hand"):
        low, mean, high = (float(row[name + bound]) for bound in ("_low", "", "_high"))
        assert low < mean < high
        assert mean - low == pytest.approx(high - mean, abs=0.002)


@pytest.mark.parametrize("player", ["easy", "hard"])
def test_a_player_against_itself_is_even_without_a_doubt(tmp_path: Path, player: str) -> None:
    (row,) = ran(tmp_path, "--pairs", "8", "--games", "block", "--players", player, player, "--workers", "1")
    assert {row[name] for name in row if name.startswith("won_percent")} == {"50.000"}
    assert {row[name] for name in row if name.startswith("points_per_hand")} == {"0.000"}


REFUSED: list[tuple[list[str], str]] = [
    (["--games", "sesame"], "There is no game 'sesame': `capicua games` lists"),
    (["--players", "hard", "sesame"], "There is no player 'sesame': choose from easy, medium, hard"),
    (["--seats", "7"], "partner-penalty is not played with 7 seats: choose 4."),
    (["--games", "cut-throat", "--seats", "3"], "no two sides of the same size: play it with 2 or 4 seats."),
    (["--first", "4294967295"], "The last deal has the number 4294967295: begin earlier"),
    (["--output", "nowhere/rows.csv"], "Cannot write nowhere/rows.csv (No such file or directory): name a file"),
]


@pytest.mark.parametrize(("options", "told"), REFUSED)
def test_what_cannot_be_played_is_one_line(
    options: list[str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["ladder", *options]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("capicua: ")
    assert told in captured.err
    assert captured.err.count("\n") == 1


@pytest.mark.parametrize("options", [["--pairs", "1"], ["--first", "-1"], ["--workers", "0"], ["--players", "hard"]])
def test_a_wrong_option_is_explained(options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["ladder", *options])
    assert caught.value.code == 2
    assert options[0] in capsys.readouterr().err


def test_the_columns_are_documented() -> None:
    assert [name for name in COLUMNS if name not in LADDER] == []
    rows = {row[0]: row[1] for row in Document.read("README.md").below("Measure the levels").table()}
    assert re.findall("`(.+?)`", rows["`ladder`"]) == list(COLUMNS)


def is_left(process: psutil.Process, group: int) -> bool:
    """Whether it is one of `group` that runs: what is only to be waited for has ended."""
    try:
        return os.getpgid(process.pid) == group and process.status() != psutil.STATUS_ZOMBIE
    except (ProcessLookupError, psutil.NoSuchProcess):
        return False


def test_an_interruption_ends_it_and_keeps_the_rows_so_far(tmp_path: Path) -> None:
    """A terminal sends Ctrl-C to all the processes of a command."""
    file = tmp_path / "rows.csv"
    options: list[Any] = ["--players", "medium", "easy", "--pairs", "600", "--workers", "2", "--output", file]
    games = ["--games", "block", *SOURCE_GAMES, "latin", "cross", "kozel", "french"]
    command = [sys.executable, "-m", "api.cli", "ladder", *options, *games]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        until = time.monotonic() + PATIENCE
        while not (file.exists() and file.read_text().count("\n") > 1) and time.monotonic() < until:
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGINT)
        said = process.communicate(timeout=PATIENCE)
    assert said == ("", "")
    assert process.returncode == 130
    assert [other for other in psutil.process_iter() if is_left(other, process.pid)] == []
    rows = read(file)
    assert rows[0]["pairs"] == "600"
