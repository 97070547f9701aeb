"""Hypothesis strategies: any rules that can be played, with the seats to play them."""

from dataclasses import fields, replace
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

from hypothesis import assume
from hypothesis import strategies as st

from engine.errors import InvalidRules
from engine.rules import Rules, check
from engine.tiles import tile_set

_HINTS: Final = get_type_hints(Rules)


@st.composite
def _any_rules(draw: st.DrawFn, seat_count: int) -> Rules:
    """Every parameter at any of its values; those of numbers are kept where a game is not too long."""
    highest = draw(st.sampled_from([6, 6, 6, 9, 12]))
    removed = draw(st.lists(st.sampled_from(tile_set(highest)), max_size=8, unique=True))
    live = len(tile_set(highest)) - len(removed)
    numbers: dict[str, st.SearchStrategy[Any]] = {
        "highest_double": st.just(highest),
        "removed_tiles": st.just(tuple(removed)),
        "hand_size": st.integers(1, min(live // seat_count, 12)),
        "redeal_doubles": st.sampled_from([0, 0, 4, 5, 6]),
        "boneyard_reserve": st.integers(0, 5) | st.just(90),
        "scored_multiples": st.just(()) | st.lists(st.integers(2, 30), max_size=4, unique=True).map(tuple),
        "rounding_unit": st.integers(1, 30),
        "target": st.integers(0, 120),
    }
    chosen = {
        field.name: draw(numbers[field.name] if field.name in numbers else _choices(field.name))
        for field in fields(Rules)
    }
    return _reconciled(Rules(**chosen))


def _choices(parameter: str) -> st.SearchStrategy[Any]:
    assert get_origin(_HINTS[parameter]) is Literal, f"{parameter} needs a strategy of its own"
    return st.sampled_from(get_args(_HINTS[parameter]))


def _reconciled(rules: Rules) -> Rules:
    """`rules` without the two pairs of choices that exclude each other."""
    if rules.scoring == "penalty":
        return replace(rules, scored_multiples=())
    return replace(rules, block_pips="loser") if rules.block_pips == "own_each" else rules


@st.composite
def games(draw: st.DrawFn) -> tuple[Rules, int]:
    """Rules, and a number of seats that can play by them."""
    seat_count = draw(st.integers(2, 4))
    rules = draw(_any_rules(seat_count))
    if seat_count != 4:
        rules = replace(rules, partners="none")
    try:
        check(rules, seat_count)
    except InvalidRules:
        assume(False)
    return rules, seat_count


def short_hands_of_pairs() -> st.SearchStrategy[Rules]:
    """Rules by which four seats play many hands in few moves: for all that depends on how a hand ends."""
    chosen = ("block_winner", "domino_pips", "last_tile_doubles", "lead_after_domino", "lead_after_tie", "scoring")
    return st.builds(
        Rules,
        partners=st.just("pairs"),
        hand_size=st.sampled_from([2, 3, 4]),
        lead_after_block=st.just("winner"),
        target=st.just(1_000),
        **{parameter: _choices(parameter) for parameter in chosen},
    )


SEEDS: Final = st.integers(0, 2**64 - 1)
