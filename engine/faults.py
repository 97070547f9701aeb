"""Which combinations of parameters cannot be played, and why."""

from collections.abc import Iterator
from math import comb
from typing import Final

from engine.errors import InvalidRules
from engine.kernel.slots import MOST_TILES
from engine.rules import Rules
from engine.tiles import Tile

_FEWEST_THROWN_IN: Final = 4
_IN_PLAY: Final = (
    "scored_multiples",
    "equal_ends_points",
    "pass_points",
    "first_pass_points",
    "opening_pass_points",
    "round_pass_points",
)


def check(rules: Rules, seat_count: int) -> None:
    """Raise `InvalidRules`, naming the parameter at fault, unless `seat_count` seats can play by `rules`."""
    for parameter, detail in _faults(rules, seat_count):
        raise InvalidRules(detail, parameter)


def check_lookahead(rules: Rules) -> None:
    """Raise `InvalidRules` where no seat can be told, or find out, what its moves lead to by `rules`."""
    if not has_lookahead(rules):
        detail = (
            f'Expert seats and hints are for at most {MOST_TILES} tiles: choose "hard" and no hints, or a smaller set.'
        )
        raise InvalidRules(detail, "highest_double")


def has_lookahead(rules: Rules) -> bool:
    """Whether hands by `rules` can be looked ahead in: the kernel has a bit for each tile."""
    return len(rules.live_tiles()) <= MOST_TILES


def _faults(rules: Rules, seat_count: int) -> Iterator[tuple[str, str]]:
    yield from _faults_of_tiles(rules)
    yield from _faults_of_deal(rules, seat_count)
    yield from _faults_of_play(rules)
    yield from _faults_of_scoring(rules)
    yield from _faults_of_bonuses(rules)
    yield from _faults_of_match(rules)


def _faults_of_tiles(rules: Rules) -> Iterator[tuple[str, str]]:
    if any(tile.high > rules.highest_double for tile in rules.removed_tiles):
        yield "removed_tiles", f"A double-{rules.highest_double} set has no such tile: name tiles of the set."
    for name in ("removed_tiles", "opening_tiles", "wild_tiles", "bonus_tiles"):
        tiles: tuple[Tile, ...] = getattr(rules, name)
        if len(set(tiles)) < len(tiles):
            yield name, "Name each tile once."
        if name != "removed_tiles" and not set(tiles) <= set(rules.live_tiles()):
            yield name, "Name tiles of the set that are not removed: no other can be played."


def _faults_of_deal(rules: Rules, seat_count: int) -> Iterator[tuple[str, str]]:
    live, size = rules.live_tiles(), rules.hand_size
    doubles = sum(tile.is_double for tile in live)
    if rules.partners == "pairs" and seat_count != 4:
        yield "partners", "Pairs need four seats."
    if seat_count > len(live):
        yield "removed_tiles", "Too few tiles are left: keep at least one for each seat."
    if size * seat_count > len(live):
        yield "hand_size", f"{len(live)} tiles give {seat_count} seats {len(live) // seat_count} each at most."
    numbers = rules.highest_double + 1
    longest = max(sum(tile.numbers >> number & 1 for tile in live) for number in range(numbers))
    limits = {
        "redeal_doubles": _fewest(seat_count, doubles, len(live), size),
        "redeal_suit": _fewest(seat_count * numbers, longest, len(live), size),
    }
    for name, fewest in limits.items():
        if 0 < getattr(rules, name) < fewest:
            yield name, f"Too many deals would be thrown in: choose 0 or at least {fewest}."
    if rules.lead_tile == "double":
        if 2 * doubles * size * seat_count < len(live):
            yield "lead_tile", "Too many deals would give nobody a double to lead: keep more doubles in the set."
        if not all(tile.is_double for tile in rules.opening_tiles):
            yield "opening_tiles", 'Only a double may be led by "lead_tile": name doubles.'


def _faults_of_play(rules: Rules) -> Iterator[tuple[str, str]]:
    if rules.line_ends == 1 and rules.spinner != "none":
        yield "line_ends", 'A spinner is built on from both sides: give the line 2 ends, or choose "spinner": "none".'
    if rules.line_ends == 1 and rules.last_tile != "never":
        yield "last_tile", "No tile fits two ends of a line that has one: give it 2 ends, or leave this out."
    if rules.line_ends == 1 and rules.skip_equal_ends:
        yield "skip_equal_ends", "A line with one end has no equal ends: give it 2 ends, or leave this out."
    if rules.play_out and rules.drawing != "never":
        yield "play_out", 'A seat that is out would have to draw: choose "drawing": "never".'


def _faults_of_scoring(rules: Rules) -> Iterator[tuple[str, str]]:
    if len(set(rules.scored_multiples)) < len(rules.scored_multiples):
        yield "scored_multiples", "A multiple scores once: name each number once."
    for name in _IN_PLAY if rules.scoring == "penalty" else ():
        if getattr(rules, name):
            yield name, 'Points in play need "scoring": "points".'
    if rules.scoring == "points" and rules.block_pips == "own_each":
        yield "block_pips", 'Charging each team its own pips needs "scoring": "penalty".'
    if rules.block_points and rules.block_pips in {"own_each", "none"}:
        yield "block_points", 'A blocked hand is worth points to its winner: choose other "block_pips", or 0 here.'


def _faults_of_bonuses(rules: Rules) -> Iterator[tuple[str, str]]:
    for name in ("domino_points", "last_tile_factor", "last_tile_bonus", "last_double_bonus", "bonus_tile_points"):
        if rules.play_out and getattr(rules, name) != getattr(Rules(), name):
            yield name, 'A hand that is played out is not won by going out: leave this out, or "play_out".'
    if rules.bonus_tile_points and not rules.bonus_tiles:
        yield "bonus_tile_points", 'Name the tiles that are worth these points in "bonus_tiles".'
    if rules.last_tile == "never" and (rules.last_tile_factor > 1 or rules.last_tile_bonus):
        yield "last_tile", "Say which last tile is special, or give it the factor 1 and the bonus 0."


def _faults_of_match(rules: Rules) -> Iterator[tuple[str, str]]:
    if rules.scoring == "penalty" and rules.target_rule in {"exact", "short", "in_a_row", "shutout"}:
        yield "target_rule", 'A charge cannot be turned down or taken back: choose "at_least" or "scoring": "points".'
    if rules.target_rule in {"in_a_row", "shutout"} and rules.target_check == "at_once":
        yield "target_check", 'By this "target_rule" a hand decides when it is over: choose "hand_end".'
    if 0 < rules.target < rules.first_entry:
        yield "first_entry", "Only a score past the target could be the first: choose at most the target."
    if 0 < rules.end_ceiling < rules.target and not any(getattr(rules, name) for name in _IN_PLAY):
        yield "end_ceiling", "No score could reach the target: choose at least the target, or points in play."


def _fewest(hands: int, having: int, live: int, hand_size: int) -> int:
    """The fewest tiles of `having` among `live` that, in one of `hands`, at most every other deal has."""
    deals, most = comb(live, hand_size), min(having, hand_size)
    for fewest in range(_FEWEST_THROWN_IN, most + 1):
        held = range(fewest, most + 1)
        if 2 * hands * sum(comb(having, count) * comb(live - having, hand_size - count) for count in held) <= deals:
            return fewest
    return most + 1
