"""Rules, and a number of seats, as the kernel takes them: one array of numbers, and the tiles that its indexes mean."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from engine import rules as parameters
from engine import scoring
from engine.kernel import slots
from engine.layout import suits
from engine.rules import Rules
from engine.tiles import DOUBLE_SUIT, Tile
from engine.values import value

Ints: TypeAlias = npt.NDArray[np.int64]

_MOST_PLANS: Final = 128
"""That are kept: anybody may make rules of their own."""
_LAST_COUNT: Final = 48
"""The highest count of a layout that rules can name."""
_BLOCK_PIPS: Final = ("loser", "everyone", "difference", "own_each", "none")
_EXTRA: Final = (0, 1, -1, 0, 0)
"""By `block_pips`: how often the winner's pips count."""


@value
class Plan:
    """Rules for a number of seats. `plan_of` makes it."""

    rules: Rules
    seats: int
    teams: int
    tiles: tuple[Tile, ...]
    """By index: lighter ones first, and of equal ones the double last."""
    indexes: dict[Tile, int]
    """By tile."""
    numbers: Ints
    """See `slots`. It is never written to."""

    def mask(self, tiles: Iterable[Tile]) -> int:
        """A bit for each of `tiles`."""
        return sum([1 << self.indexes[tile] for tile in tiles])

    def tiles_of(self, mask: int) -> tuple[Tile, ...]:
        """The tiles whose bits are set."""
        return tuple([tile for index, tile in enumerate(self.tiles) if mask >> index & 1])


def uncovered(rules: Rules, seats: int) -> str | None:  # noqa: ARG001 - any number of seats is covered
    """What of `rules` the kernel does not know, in a sentence; null where it plays by all of them."""
    if len(rules.live_tiles()) > slots.MOST_TILES:
        return f"The kernel knows sets of at most {slots.MOST_TILES} tiles."
    return None


@lru_cache(_MOST_PLANS)
def plan_of(rules: Rules, seats: int) -> Plan:
    """The plan of `rules`, which have to be covered, for a number of seats that can play by them."""
    reason = uncovered(rules, seats)
    if reason is not None:
        raise ValueError(reason)
    tiles = tuple(sorted(rules.live_tiles(), key=lambda tile: (tile.pips, tile.is_double, tile.high)))
    plan = Plan(
        rules=rules,
        seats=seats,
        teams=rules.team_count(seats),
        tiles=tiles,
        indexes={tile: index for index, tile in enumerate(tiles)},
        numbers=np.zeros(slots.PLAN_SIZE, np.int64),
    )
    for slot, number in (_of_table(plan) | _of_play(rules) | _of_end(plan)).items():
        plan.numbers[slot] = number
    _write_tables(plan)
    return plan


def _place(choice: str, choices: Any) -> int:
    return get_args(choices).index(choice)


def _counts(counts: tuple[int, ...]) -> int:
    return sum([1 << count for count in set(counts) if count <= _LAST_COUNT])


def _of_table(plan: Plan) -> dict[int, int]:
    """The numbers about seats, tiles and where they go."""
    rules = plan.rules
    return {
        slots.SEATS: plan.seats,
        slots.TEAMS: plan.teams,
        slots.PAIRS: rules.partners == "pairs",
        slots.TILES: len(plan.tiles),
        slots.DOUBLES: plan.mask([tile for tile in plan.tiles if tile.is_double]),
        slots.LINE_ENDS: rules.line_ends,
        slots.DRAWING: _place(rules.drawing, parameters.Drawing),
        slots.RESERVE: rules.boneyard_reserve,
        slots.LEAD_TILE: _place(rules.lead_tile, parameters.LeadTile),
        slots.DOUBLE_FIRST: rules.double_first,
        slots.EXTRA_TURN: _place(rules.extra_turn, parameters.ExtraTurn),
        slots.EXTRA_COUNTS: _counts(rules.extra_turn_counts),
        slots.SKIP_COUNTS: _counts(rules.skip_counts),
        slots.SKIP_EQUAL_ENDS: rules.skip_equal_ends,
        slots.SPINNER_RULE: _place(rules.spinner, parameters.Spinner),
        slots.SPINNER_ARMS: _place(rules.spinner_arms, parameters.SpinnerArms),
        slots.UNTIL_COVERED: _place(rules.spinner_count, parameters.SpinnerCount),
        slots.RESTRICTS: rules.double_first
        or (rules.spinner != "none" and rules.spinner_arms not in {"after_sides", "at_once"}),
        slots.COUNTS: bool(rules.scored_multiples or rules.extra_turn_counts or rules.skip_counts),
        slots.PLAY_OUT: rules.play_out,
    }


def _of_play(rules: Rules) -> dict[int, int]:
    """The numbers about points in play, and what may become of any points."""
    passes = (rules.pass_points, rules.first_pass_points, rules.opening_pass_points, rules.round_pass_points)
    return {
        slots.SCORES_IN_PLAY: bool(rules.scored_multiples or rules.equal_ends_points),
        slots.OPENING_SCORES: rules.opening_scores,
        slots.EQUAL_ENDS: len(rules.equal_ends_points),
        slots.DOUBLE_IS_PAIR: rules.double_is_pair,
        slots.PASS_SCORES: any(passes),
        slots.PASS_POINTS: rules.pass_points,
        slots.FIRST_PASS_POINTS: rules.first_pass_points,
        slots.OPENING_PASS_POINTS: rules.opening_pass_points,
        slots.ROUND_PASS_POINTS: rules.round_pass_points,
        slots.PENALTY: rules.scoring == "penalty",
        slots.END_CEILING: rules.end_ceiling,
        slots.FIRST_ENTRY: rules.first_entry,
        slots.TARGET_SCORE: rules.target,
        slots.TARGET_RULE: _place(rules.target_rule, parameters.TargetRule),
        slots.AT_ONCE: rules.target_check == "at_once",
    }


def _of_end(plan: Plan) -> dict[int, int]:
    """The numbers about how a hand ends."""
    rules = plan.rules
    return {
        slots.DOMINO_EXTRA: rules.domino_pips == "everyone",
        slots.DOMINO_POINTS: rules.domino_points,
        slots.LAST_TILE: _place(rules.last_tile, parameters.LastTile),
        slots.LAST_TILE_FACTOR: rules.last_tile_factor,
        slots.LAST_TILE_BONUS: rules.last_tile_bonus,
        slots.LAST_DOUBLE_BONUS: rules.last_double_bonus,
        slots.BONUS_TILES: plan.mask(rules.bonus_tiles),
        slots.BONUS_TILE_POINTS: rules.bonus_tile_points,
        slots.BLOCK_WINNER: _place(rules.block_winner, parameters.BlockWinner),
        slots.BLOCK_TIE: _place(rules.block_tie, parameters.BlockTie),
        slots.BLOCK_TILES: rules.block_counts == "tiles",
        slots.BLOCK_EXTRA: _EXTRA[_BLOCK_PIPS.index(rules.block_pips)],
        slots.OWN_EACH: rules.block_pips == "own_each",
        slots.BLOCK_IS_FREE: rules.block_pips == "none",
        slots.BLOCK_POINTS: rules.block_points,
        slots.ROUNDING: _place(rules.rounding, parameters.Rounding),
        slots.BLOCK_ROUNDING: _place(rules.block_rounding, parameters.Rounding),
        slots.ROUNDING_UNIT: rules.rounding_unit,
        slots.ROUND_EACH: rules.rounding_of == "each_hand",
        slots.QUOTIENT: rules.end_points == "quotient",
        slots.LEAST_POINTS: rules.least_points,
    }


def _write_tables(plan: Plan) -> None:
    rules, numbers = plan.rules, plan.numbers
    for place, points in enumerate(rules.equal_ends_points):
        numbers[slots.EQUAL_ENDS_TABLE + place] = points
    for count in range(slots.MOST_COUNT):
        numbers[slots.FOR_COUNT + count] = scoring.for_count(rules, count)
    for index, tile in enumerate(plan.tiles):
        numbers[slots.PIPS + index] = tile.pips
        numbers[slots.HIGH + index] = tile.high
        numbers[slots.LOW + index] = tile.low
    for shown in range(rules.highest_double + 1):
        _write_fitting(plan, shown)


def _write_fitting(plan: Plan, shown: int) -> None:
    """What fits where `shown` lies, and which half of it lies outwards then: see `Layout.inner`."""
    rules, numbers = plan.rules, plan.numbers
    asked = shown if rules.matching == "equal" else rules.highest_double + 1 - shown
    suit, double = 1 << asked, 1 << asked + DOUBLE_SUIT
    numbers[slots.FITTING + shown] = plan.mask([tile for tile in plan.tiles if suits(rules, tile) & suit])
    numbers[slots.FITTING_DOUBLE + shown] = plan.mask([tile for tile in plan.tiles if suits(rules, tile) & double])
    numbers[slots.ASKED_DOUBLE + shown] = plan.mask([tile for tile in plan.tiles if tile.suits & double])
    for index, tile in enumerate(plan.tiles):
        inner = asked if tile.numbers & suit else tile.low
        numbers[slots.OUTER + index * slots.NUMBERS + shown] = tile.other(inner)
