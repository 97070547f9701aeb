"""Hypothesis strategies: any rules that can be played, with the seats to play them."""

from dataclasses import fields, replace
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

from hypothesis import assume
from hypothesis import strategies as st

from engine.errors import InvalidRules
from engine.faults import check
from engine.rules import Rules
from engine.tiles import Tile, tile_set

_HINTS: Final = get_type_hints(Rules)

_COUNTS: Final = st.lists(st.integers(0, 24), min_size=3, max_size=8).map(tuple)
_SMALL: Final = st.sampled_from([0, 0, 1, 3, 5, 10, 25])
"""Points that a rule gives, or does not."""


def _rarely(value: Any, strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """`value` in two games of three: of sixty rules a game has twenty or so, and few that drown the others."""
    return st.one_of(st.just(value), st.just(value), strategy)


@st.composite
def _any_rules(draw: st.DrawFn, seat_count: int) -> Rules:
    """Every parameter at any of its values; those of numbers are kept where a game is not too long."""
    highest = draw(st.sampled_from([6, 6, 6, 9, 12]))
    removed = draw(_rarely((), st.lists(st.sampled_from(tile_set(highest)), max_size=8, unique=True).map(tuple)))
    live = [tile for tile in tile_set(highest) if tile not in removed]

    def some(most: int) -> st.SearchStrategy[tuple[Tile, ...]]:
        return st.lists(st.sampled_from(live), min_size=1, max_size=most, unique=True).map(tuple)

    numbers: dict[str, st.SearchStrategy[Any]] = {
        "highest_double": st.just(highest),
        "removed_tiles": st.just(removed),
        "hand_size": st.integers(1, min(len(live) // seat_count, 8)),
        "redeal_doubles": _rarely(0, st.sampled_from([4, 5, 6])),
        "redeal_suit": _rarely(0, st.integers(4, 9)),
        "opening_tiles": _rarely((), some(4)),
        "wild_tiles": _rarely((), some(3)),
        "lead_tile": _rarely("any", st.just("double")),
        "matching": _rarely("equal", st.just("sum")),
        "double_first": _rarely(False, st.just(True)),
        "line_ends": st.sampled_from([2, 2, 2, 2, 2, 2, 1]),
        "boneyard_reserve": st.sampled_from([0, 0, 1, 2, 5, 90]),
        "spinner": st.sampled_from(["none", "first_double", "first_double", "opening_double", "first_covered"]),
        "extra_turn_counts": _rarely((), _COUNTS),
        "skip_counts": _rarely((), _COUNTS),
        "scored_multiples": _rarely((5,), st.lists(st.integers(2, 30), max_size=4, unique=True).map(tuple)),
        "opening_scores": st.sampled_from([True, True, False]),
        "equal_ends_points": st.just(()) | st.lists(st.integers(0, 20), min_size=1, max_size=4).map(tuple),
        "pass_points": _SMALL,
        "first_pass_points": _SMALL,
        "opening_pass_points": _SMALL,
        "round_pass_points": _SMALL,
        "domino_points": _rarely(0, _SMALL),
        "last_tile_factor": st.integers(1, 4),
        "last_tile_bonus": _SMALL,
        "last_double_bonus": _SMALL,
        "bonus_tiles": _rarely((), some(8)),
        "bonus_tile_points": _SMALL,
        "hand_bonuses": _rarely((), st.lists(_SMALL, max_size=4).map(tuple)),
        "tie_bonus": _SMALL,
        "play_out": _rarely(False, st.just(True)),
        "block_points": _rarely(0, _SMALL),
        "rounding_unit": st.integers(1, 30) | st.just(5),
        "least_points": _rarely(0, _SMALL),
        "end_ceiling": _rarely(0, st.integers(1, 80)),
        "first_entry": _rarely(0, st.integers(1, 20)),
        "target": st.integers(0, 120),
        "most_hands": _rarely(0, st.integers(1, 5)),
    }
    chosen = {
        field.name: draw(numbers[field.name] if field.name in numbers else _choices(field.name))
        for field in fields(Rules)
    }
    return _reconciled(Rules(**chosen), seat_count)


def _choices(parameter: str) -> st.SearchStrategy[Any]:
    hint = _HINTS[parameter]
    if hint is bool:
        return st.booleans()
    assert get_origin(hint) is Literal, f"{parameter} needs a strategy of its own"
    return st.sampled_from(get_args(hint))


def _reconciled(rules: Rules, seat_count: int) -> Rules:
    """`rules` without the choices that exclude each other."""
    for repair in (_tiles_repaired, _scoring_repaired, _match_repaired):
        rules = repair(rules, seat_count)
    while True:
        try:
            check(rules, seat_count)
        except InvalidRules as refused:
            usual = getattr(Rules(), refused.parameter)
            if getattr(rules, refused.parameter) == usual:
                return rules  # nothing to be done
            rules = replace(rules, **{refused.parameter: usual})
        else:
            return rules


def _tiles_repaired(rules: Rules, seat_count: int) -> Rules:
    if seat_count != 4:
        rules = replace(rules, partners="none")
    if rules.line_ends == 1:
        rules = replace(rules, spinner="none")
    if rules.play_out:
        rules = replace(rules, drawing="never")
    live = rules.live_tiles()
    doubles = sum(tile.is_double for tile in live)
    if rules.lead_tile == "double":
        rules = replace(rules, opening_tiles=tuple(tile for tile in rules.opening_tiles if tile.is_double))
        if 2 * doubles * rules.hand_size * seat_count < len(live):
            rules = replace(rules, lead_tile="any")
    return rules


def _scoring_repaired(rules: Rules, seat_count: int) -> Rules:
    if rules.scoring == "penalty":
        rules = replace(rules, scored_multiples=(), equal_ends_points=(), pass_points=0, first_pass_points=0)
        rules = replace(rules, opening_pass_points=0, round_pass_points=0, target_rule="at_least")
    elif rules.block_pips == "own_each":
        rules = replace(rules, block_pips="loser")
    if rules.block_pips in {"own_each", "none"}:
        rules = replace(rules, block_points=0)
    if not rules.bonus_tiles:
        rules = replace(rules, bonus_tile_points=0)
    return replace(rules, last_tile_factor=1, last_tile_bonus=0) if rules.last_tile == "never" else rules


def _match_repaired(rules: Rules, seat_count: int) -> Rules:
    if rules.target_rule in {"in_a_row", "shutout"}:
        rules = replace(rules, target_check="hand_end")
    if rules.target_rule == "exact" and 0 < rules.target < rules.first_entry:
        rules = replace(rules, first_entry=rules.target)
    return rules


@st.composite
def games(draw: st.DrawFn) -> tuple[Rules, int]:
    """Rules, and a number of seats that can play by them."""
    seat_count = draw(st.sampled_from([2, 2, 3, 4, 4, 4, 5, 6]))
    rules = draw(_any_rules(seat_count))
    try:
        check(rules, seat_count)
    except InvalidRules:
        assume(False)
    return rules, seat_count


def short_hands_of_pairs() -> st.SearchStrategy[Rules]:
    """Rules by which four seats play many hands in few moves: for all that depends on how a hand ends."""
    numbers: dict[str, st.SearchStrategy[Any]] = {
        "last_tile_factor": st.integers(1, 3),
        "last_tile_bonus": _SMALL,
        "last_double_bonus": _SMALL,
        "hand_bonuses": st.lists(_SMALL, max_size=6).map(tuple),
        "tie_bonus": _SMALL,
        "play_out": st.booleans(),
        "rounding_unit": st.integers(1, 12),
        "least_points": _SMALL,
        "end_ceiling": _rarely(0, st.integers(20, 500)),
        "first_entry": _rarely(0, st.integers(1, 20)),
    }
    chosen = [
        *("block_winner", "block_tie", "block_counts", "block_pips", "block_rounding", "rounding", "rounding_of"),
        *("end_points", "scoring", "target_rule", "domino_pips", "last_tile", "lead_after_domino", "lead_after_tie"),
    ]
    return st.builds(
        Rules,
        partners=st.just("pairs"),
        hand_size=st.sampled_from([2, 3, 4]),
        lead_after_block=st.just("winner"),
        target=st.just(1_000),
        **numbers,
        **{parameter: _choices(parameter) for parameter in chosen},
    ).map(lambda rules: _reconciled(rules, 4))


SEEDS: Final = st.integers(0, 2**64 - 1)
