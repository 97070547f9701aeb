"""The outcome of a ladder: its rows, as a table to read and as CSV."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TextIO

from rich import box
from rich.console import Console
from rich.table import Table

from arena.estimate import Estimate
from engine.rulesets import RulesetId
from engine.values import value

COLUMNS: Final = (
    "game",
    "seats",
    "player",
    "against",
    "first_deal",
    "pairs",
    "won_percent",
    "won_percent_low",
    "won_percent_high",
    "points_per_hand",
    "points_per_hand_low",
    "points_per_hand_high",
    "ms_median",
    "ms_p99",
    "against_ms_median",
    "against_ms_p99",
)
"""Of the CSV. `low` and `high` are the bounds of the 95% confidence interval."""

_ABOUT: Final = (
    "game: with how many seats. \N{PLUS-MINUS SIGN}: 95% confidence, over the pairs.\n"
    "ms: decisions among several moves, their median / 99th percentile."
)
_WIDTH: Final = 160
"""More columns than the table has."""


@value
class Contest:
    """Who plays whom at what."""

    game: RulesetId
    seats: int
    player: str
    against: str


@value
class Times:
    """How long decisions took, in nanoseconds of the processor; null where there were none."""

    median: int | None
    p99: int | None


@value
class Row:
    """What came of a contest, for its `player`."""

    contest: Contest
    first_deal: int
    pairs: int
    won: Estimate
    """Percent of the hands."""
    points: Estimate
    """Gained in a hand."""
    times: Times
    against_times: Times


def write_rows(rows: Iterable[Row], file: TextIO) -> Iterator[Row]:
    """Write each row when it comes, so that those before an interruption are kept, and hand it on."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in rows:
        writer.writerow(_cells(row))
        file.flush()
        yield row


def _cells(row: Row) -> list[object]:
    contest = row.contest
    estimates = [f"{number:.3f}" for each in (row.won, row.points) for number in (each.mean, *each.interval)]
    times = [row.times.median, row.times.p99, row.against_times.median, row.against_times.p99]
    return [
        *(contest.game, contest.seats, contest.player, contest.against),
        *(row.first_deal, row.pairs, *estimates),
        *("" if each is None else f"{each / 1e6:.4f}" for each in times),
    ]


def print_table(rows: Sequence[Row]) -> None:
    """Print the rows on standard output, as wide as they are: a line that a terminal breaks is whole all the same."""
    table = Table(box=box.SIMPLE_HEAD, caption=_ABOUT, caption_justify="left", pad_edge=False)
    for name in ("game", "player", "against"):
        table.add_column(name)
    for name in ("pairs", "hands won, %", "points a hand", "ms", "ms, against"):
        table.add_column(name, justify="right")
    for row in rows:
        contest = row.contest
        table.add_row(
            *(f"{contest.game}, {contest.seats}", contest.player, contest.against, str(row.pairs)),
            f"{row.won.mean:.1f} \N{PLUS-MINUS SIGN} {row.won.margin:.1f}",
            f"{row.points.mean:+.2f} \N{PLUS-MINUS SIGN} {row.points.margin:.2f}",
            *map(_printed, (row.times, row.against_times)),
        )
    Console(highlight=False, width=_WIDTH).print(table)


def _printed(times: Times) -> str:
    if times.median is None or times.p99 is None:
        return ""
    return f"{times.median / 1e6:.2f} / {times.p99 / 1e6:.2f}"
