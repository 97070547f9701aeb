"""The kernel against the engine: any rules, any deal, any play, move for move."""

from dataclasses import replace
from math import ceil

import pytest
from hypothesis import given, settings

from engine import hand as hands
from engine.catalogue import RULESETS
from engine.deal import NumberedDeal, seed_for
from engine.kernel.plan import Plan, plan_of, uncovered
from engine.kernel.position import Position, code_of, follow, legal_turns, position_of, turn_of
from engine.match import create
from engine.players import Cpu
from engine.rules import Rules
from engine.tiles import tile_set
from tests.engine.any_rules import SEEDS, games, short_hands_of_pairs
from tests.engine.games import AT, setup
from tests.engine.kernel.positions import assert_same, moments
from tests.engine.test_perft import GOLDEN

TABLES = [(ruleset.id, seats) for ruleset in RULESETS.values() for seats in ruleset.seat_counts]


def compare(rules: Rules, seats: int, number: int, *, most: int) -> None:
    """Play a match by chance; after each move the kernel has the same hand, and the same turns are legal."""
    for moment, plan, position in moments(rules, seats, number, most=most):
        hand = moment.match.hand
        assert hand is not None
        assert_same(plan, position, hand)
        legal = () if hand.turn is None else hands.legal_turns(rules, hand, hand.turn)
        assert sorted(legal_turns(plan, position)) == sorted([code_of(plan, turn) for turn in legal])
        assert {turn_of(plan, code) for code in legal_turns(plan, position)} == set(legal)


@pytest.mark.parametrize(("ruleset", "seats"), TABLES)
def test_every_listed_game_is_covered_and_goes_as_in_the_engine(ruleset: str, seats: int) -> None:
    rules = RULESETS[ruleset].tables[seats]
    assert uncovered(rules, seats) is None
    for number in range(3):
        compare(rules, seats, number, most=70)


@given(games(), SEEDS)
@settings(max_examples=150)
def test_any_game_that_is_covered_goes_as_in_the_engine(game: tuple[Rules, int], seed: int) -> None:
    rules, seats = game
    if uncovered(rules, seats) is None:
        compare(rules, seats, seed, most=60)


@given(short_hands_of_pairs(), SEEDS)
@settings(max_examples=60)
def test_many_short_hands_end_as_in_the_engine(rules: Rules, seed: int) -> None:
    compare(rules, 4, seed, most=60)


def test_only_sets_of_more_tiles_than_a_number_has_bits_are_not_covered() -> None:
    assert uncovered(Rules(highest_double=12), 4) == "The kernel knows sets of at most 63 tiles."
    with pytest.raises(ValueError, match="at most 63 tiles"):
        plan_of(Rules(highest_double=12), 4)
    small = replace(Rules(highest_double=12), removed_tiles=tile_set(12)[:28])
    assert uncovered(small, 4) is None
    compare(small, 4, 1, most=60)


def nodes(plan: Plan, position: Position, depth: int) -> int:
    """The number of sequences of `depth` moves, or fewer to the end of the hand."""
    moves = legal_turns(plan, position)
    if depth == 0 or not moves:
        return 1
    total = 0
    for move in moves:
        after = position.copy()
        follow(plan, after, move)
        total += nodes(plan, after, depth - 1)
    return total


@pytest.mark.parametrize("known", GOLDEN)
def test_node_counts_are_the_engine_s(known: str) -> None:
    ruleset, number = known.split()
    seats = RULESETS[ruleset].seat_counts[0]
    kind = NumberedDeal(int(number))
    chosen = setup(ruleset, 0, (Cpu(),) * seats, kind)
    match = create(replace(chosen, seed=seed_for(kind, b"")), AT).match
    assert match.hand is not None
    plan = plan_of(chosen.rules, seats)
    depth = ceil(len(GOLDEN[known]) * 0.8)
    assert nodes(plan, position_of(plan, match.hand), depth) == GOLDEN[known][depth - 1]
