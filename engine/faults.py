"""Which combinations of parameters cannot be played, and why."""

from collections.abc import Iterator
from typing import Final

from engine.errors import InvalidRules
from engine.rules import Rules
from engine.tiles import Tile

FEWEST_REDEAL_DOUBLES: Final = 4
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
    live = rules.live_tiles()
    if rules.partners == "pairs" and seat_count != 4:
        yield "partners", "Pairs need four seats."
    if rules.hand_size * seat_count > len(live):
        yield "hand_size", f"{len(live)} tiles give {seat_count} seats {len(live) // seat_count} each at most."
    for name, fewest in (("redeal_doubles", _fewest_doubles(rules, live)), ("redeal_suit", _fewest_suit(rules, live))):
        if 0 < getattr(rules, name) < fewest:
            yield name, f"Too many deals would be thrown in: choose 0 or at least {fewest}."
    if rules.lead_tile == "double":
        doubles = sum(tile.is_double for tile in live)
        if 2 * doubles * rules.hand_size * seat_count < len(live):
            yield "lead_tile", "Too many deals would give nobody a double to lead: keep more doubles in the set."
        if not all(tile.is_double for tile in rules.opening_tiles):
            yield "opening_tiles", 'Only a double may be led by "lead_tile": name doubles.'


def _faults_of_play(rules: Rules) -> Iterator[tuple[str, str]]:
    if rules.line_ends == 1 and rules.spinner != "none":
        yield "line_ends", 'A spinner is built on from both sides: give the line 2 ends, or choose "spinner": "none".'
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
    if rules.bonus_tile_points and not rules.bonus_tiles:
        yield "bonus_tile_points", 'Name the tiles that are worth these points in "bonus_tiles".'
    if rules.last_tile == "never" and (rules.last_tile_factor > 1 or rules.last_tile_bonus):
        yield "last_tile", "Say which last tile is special, or give it the factor 1 and the bonus 0."


def _faults_of_match(rules: Rules) -> Iterator[tuple[str, str]]:
    if rules.scoring == "penalty" and rules.target_rule in {"exact", "short", "in_a_row", "shutout"}:
        yield "target_rule", 'A charge cannot be turned down or taken back: choose "at_least" or "scoring": "points".'
    if rules.target_rule in {"in_a_row", "shutout"} and rules.target_check == "at_once":
        yield "target_check", 'By this "target_rule" a hand decides when it is over: choose "hand_end".'
    if rules.target_rule == "exact" and 0 < rules.target < rules.first_entry:
        yield "first_entry", "A team could never take its first points: choose at most the target."


def _fewest_doubles(rules: Rules, live: tuple[Tile, ...]) -> int:
    """One more than a hand holds on average, and so more than half of the hands pass."""
    doubles = sum(tile.is_double for tile in live)
    return max(FEWEST_REDEAL_DOUBLES, -(-rules.hand_size * doubles // len(live)) + 1)


def _fewest_suit(rules: Rules, live: tuple[Tile, ...]) -> int:
    """Three more than a third above what a hand holds of one number on average: the numbers are many."""
    return -(-4 * rules.hand_size * (rules.highest_double + 1) // (3 * len(live))) + 3
