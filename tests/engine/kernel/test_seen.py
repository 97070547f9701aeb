"""Positions from what a seat sees, with the truth as the guess: they are the table's."""

import pytest
from hypothesis import given, settings

from engine.catalogue import RULESETS
from engine.deal import Deal
from engine.hand import legal_turns
from engine.kernel import slots
from engine.kernel.plan import plan_of, uncovered
from engine.kernel.position import position_of
from engine.kernel.seen import positions_seen
from engine.match import Match
from engine.moves import Play
from engine.rules import Rules
from engine.view import Viewer, view
from tests.engine.any_rules import SEEDS, games
from tests.engine.games import random_play
from tests.engine.kernel.positions import asked
from tests.kinds import KINDS


def assert_seen(match: Match) -> None:
    """The seat that has the turn sees the position as it is, if it guesses what it does not see."""
    hand, rules = match.hand, match.setup.rules
    assert hand is not None
    viewer = Viewer("seat", match.turn)
    plan = plan_of(rules, len(match.players))
    seen = positions_seen(plan, view(match, viewer), [Deal(hand.tiles, hand.boneyard, 0)] * 2)
    known = position_of(plan, hand)
    state = known.state.copy()
    state[slots.IN_PLAY :: slots.STRIDE] = 0
    if hand.layout.opening is not None:
        state[slots.MUST_OPEN] = -1
    elif len(hand.tiles[hand.turn or 0]) == 1 or seen.states[0][slots.MUST_OPEN] != -1:
        # A seat with one tile to lead with has to lead that one, whether or not another rule says so.
        state[slots.MUST_OPEN] = seen.states[0][slots.MUST_OPEN]
    if seen.states[0][slots.BOUND] == -1 and {
        move.end for move in legal_turns(rules, hand, hand.turn or 0) if isinstance(move, Play)
    } == {hand.bound}:
        # A seat that has to go on where alone it can play does so anyway.
        state[slots.BOUND] = -1
    assert dict(enumerate(seen.states[0])) == dict(enumerate(state))
    assert seen.boneyards.tolist() == [known.boneyard.tolist()] * 2


def play(rules: Rules, seats: int, number: int, *, most: int) -> None:
    for moment in random_play(asked(rules, seats, number), most=most):
        if moment.match.status == "playing":
            assert_seen(moment.match)


@pytest.mark.parametrize("ruleset", [*KINDS, "eastern-cuban", "haitian"])
def test_a_seat_that_guesses_right_has_the_position(ruleset: str) -> None:
    seats = RULESETS[ruleset].seat_counts[0]
    play(RULESETS[ruleset].rules, seats, 1, most=100)


@given(games(), SEEDS)
@settings(max_examples=60)
def test_by_any_rules(game: tuple[Rules, int], seed: int) -> None:
    rules, seats = game
    if uncovered(rules, seats) is None:
        play(rules, seats, seed, most=50)
