"""`capicua simulate`: whole matches among levels, as rows of CSV.

They are the matches that the service plays with the same CPU seats and numbered deals, move for move.
"""

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Literal
from uuid import UUID

from arena.duplicate import AT
from arena.errors import Refused
from arena.games import deals, game, refuse_seats
from arena.output import progress, writing
from arena.processes import cores, portion, spread
from engine.autoplay import play_on
from engine.deal import NumberedDeal, seed_for
from engine.errors import InvalidRules
from engine.events import HandResult, TileDrawn, TilePlayed, TurnPassed
from engine.faults import check
from engine.match import Match, Setup, create, decide
from engine.moves import NextHand
from engine.players import Cpu, Level
from engine.rules import Rules
from engine.rulesets import RulesetId
from engine.strategies import STRATEGIES
from engine.values import value

RowKind = Literal["matches", "hands"]
Cells = tuple[object, ...]

USUAL: Final[Level] = "hard"
"""The level of all seats where none are named."""


@value
class Series:
    """Matches of one game among the same levels."""

    game: RulesetId
    rules: Rules
    levels: tuple[Level, ...]
    """By seat."""


@value
class PlayedHand:
    """A hand of a match."""

    leader: int
    moves: int
    """Plays, draws and passes, those that the rules made by themselves included."""
    result: HandResult


@value
class PlayedMatch:
    """A match, played to its end."""

    match: Match
    hands: tuple[PlayedHand, ...]


def run(  # noqa: PLR0913 - one for each option of the command
    *,
    name: str,
    rules: Mapping[str, Any],
    seats: Sequence[str] | None,
    matches: int,
    first_deal: int,
    rows: RowKind,
    workers: int | None,
    output: Path | None,
) -> None:
    """Play, and write the rows to `output` or else print them, in the order of the matches."""
    series = series_of(name, rules, seats)
    numbers = deals(first_deal, matches)
    with writing(output) as file, progress("matches", matches, hidden=output is None and file.isatty()) as advance:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns(series, rows))
        for cells in play(series, numbers, rows, workers or cores(), advance):
            writer.writerow(cells)


def series_of(name: str, rules: Mapping[str, Any], seats: Sequence[str] | None) -> Series:
    """What to play: a game with some parameters replaced, and a level for each seat."""
    ruleset = game(name)
    levels = _levels(seats or [USUAL] * ruleset.seat_counts[0])
    refuse_seats(ruleset, len(levels))
    changed = replace(ruleset.tables[len(levels)], **rules)
    try:
        check(changed, len(levels))
    except InvalidRules as error:
        raise Refused(f"{error.parameter}: {error}") from None
    return Series(ruleset.id, changed, levels)


def _levels(names: Sequence[str]) -> tuple[Level, ...]:
    levels: dict[str, Level] = {level: level for level in STRATEGIES}
    for name in names:
        if name not in levels:
            raise Refused(f"There is no level {name!r}: choose from {', '.join(levels)}.")
    return tuple(levels[name] for name in names)


def columns(series: Series, rows: RowKind) -> list[str]:
    """The names of the columns."""
    teams, seats = range(series.rules.team_count(len(series.levels))), range(len(series.levels))
    scores = [f"score_team_{team}" for team in teams]
    if rows == "matches":
        return ["match", "deal", "hands", "reason", "winner", *scores, "moves"]
    return [
        *("match", "deal", "hand", "leader", "reason", "winner"),
        *(f"play_points_team_{team}" for team in teams),
        *(f"end_points_team_{team}" for team in teams),
        *scores,
        *(f"tiles_left_seat_{seat}" for seat in seats),
        *(f"pips_left_seat_{seat}" for seat in seats),
        *("boneyard", "moves"),
    ]


def play(
    series: Series, numbers: range, rows: RowKind, workers: int, advance: Callable[[int], None] = lambda _: None
) -> Iterator[Cells]:
    """The rows of the matches with the deals of these numbers; the same for any number of workers."""
    size = portion(len(numbers), workers)
    parts = [numbers[start : start + size] for start in range(0, len(numbers), size)]
    with spread(_play, [(series, part, rows) for part in parts], workers) as results:
        number = 0
        for played in results:
            for of_match in played:
                number += 1
                yield from ((number, *cells) for cells in of_match)
            advance(len(played))


def _play(task: tuple[Series, range, RowKind]) -> list[list[Cells]]:
    """The rows of each match, less its number."""
    series, numbers, rows = task
    cells = _cells_of_match if rows == "matches" else _cells_of_hands
    return [[(number, *each) for each in cells(play_match(series, number))] for number in numbers]


def play_match(series: Series, number: int) -> PlayedMatch:
    """A match with the deals of `number`, to its end."""
    deal = NumberedDeal(number)
    setup = Setup(
        id=UUID(int=number),
        ruleset=series.game,
        rules=series.rules,
        players=tuple(map(Cpu, series.levels)),
        pacing="auto",
        auto_pass=False,
        deal=deal,
        seed=seed_for(deal, b""),
    )
    played = play_on(create(setup, AT), AT)
    hands = []
    while True:
        hand = played.match.hand
        assert hand is not None
        assert hand.result is not None
        moves = sum(isinstance(event, TilePlayed | TileDrawn | TurnPassed) for event in played.events)
        hands.append(PlayedHand(hand.start.leader, moves, hand.result))
        if played.match.is_over:
            return PlayedMatch(played.match, tuple(hands))
        played = play_on(decide(played.match, None, NextHand(), AT), AT)


def _cells_of_match(played: PlayedMatch) -> Iterator[Cells]:
    result = played.match.result
    assert result is not None
    moves = sum(hand.moves for hand in played.hands)
    yield len(played.hands), result.reason, _cell(result.winner), *played.match.scores, moves


def _cells_of_hands(played: PlayedMatch) -> Iterator[Cells]:
    for hand in played.hands:
        result = hand.result
        yield (
            *(result.number, hand.leader, result.reason, _cell(result.winner)),
            *(amount.points for amount in (*result.play_points, *result.end_points, *result.scores)),
            *(len(left.tiles) for left in result.leftover),
            *(left.pips for left in result.leftover),
            *(len(result.boneyard), hand.moves),
        )


def _cell(winner: int | None) -> object:
    return "" if winner is None else winner
