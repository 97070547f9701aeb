"""Hands of the engine, and the same in the kernel."""

import random
from collections.abc import Iterator
from dataclasses import replace

from engine.hand import Hand
from engine.kernel import slots
from engine.kernel.plan import Ints, Plan, plan_of
from engine.kernel.position import Position, code_of, follow, position_of
from engine.match import Match, Setup, create, decide, legal_moves
from engine.moves import NextHand, Turn
from engine.players import Human
from engine.rules import Rules
from tests.engine.games import AT, Moment, random_play, setup


def asked(rules: Rules, seats: int, number: int) -> Setup:
    """A match of people by `rules`."""
    return replace(setup("block", number, (Human(),) * seats), rules=rules)


def moments(rules: Rules, seats: int, number: int, *, most: int) -> Iterator[tuple[Moment, Plan, Position]]:
    """A match of random moves, and beside each hand the position that the kernel has made of its first."""
    plan = plan_of(rules, seats)
    position: Position | None = None
    for moment in random_play(asked(rules, seats, number), most=most):
        hand = moment.match.hand
        assert hand is not None
        if position is None or moment.move is None or isinstance(moment.move, NextHand):
            position = position_of(plan, hand)
        else:
            follow(plan, position, code_of(plan, moment.move))
        yield moment, plan, position


def without_past(state: Ints) -> Ints:
    """`state` without how much of the boneyard has been drawn, which a position made anew does not count."""
    state = state.copy()
    state[slots.YARD_SIZE] -= state[slots.YARD]
    state[slots.YARD] = 0
    for scratch in (slots.AMOUNT, slots.HELD):
        state[scratch :: slots.STRIDE] = 0
    return state


def assert_same(plan: Plan, position: Position, hand: Hand) -> None:
    """The position is what the kernel makes of `hand`, and the engine's legal turns are legal in it."""
    state, anew = without_past(position.state), without_past(position_of(plan, hand).state)
    if hand.result is not None:
        # What can only matter to who has the turn is not kept up when nobody has it.
        for slot in (slots.PASSES, slots.PASSED, slots.DRAWN, slots.BOUND):
            state[slot] = anew[slot]
    assert dict(enumerate(state)) == dict(enumerate(anew))
    left = position.boneyard[position.state[slots.YARD] :]
    assert [plan.tiles[tile] for tile in left] == list(hand.boneyard)
    if hand.layout.opening is not None:
        assert position.state[slots.COUNT] == hand.layout.count


def some_hand(plan: Plan, number: int, tiles: int) -> Match | None:
    """A match of random moves with at most so many tiles to be played or drawn, where who has the turn has a choice."""
    match = create(asked(plan.rules, plan.seats, number), AT).match
    rng = random.Random(number)
    while match.status == "playing":
        assert match.hand is not None
        moves = legal_moves(match, match.turn)
        to_draw = 0 if plan.rules.drawing == "never" else len(match.hand.boneyard) - plan.rules.boneyard_reserve
        if len(moves) > 1 and match.hand.tiles_left() + max(0, to_draw) <= tiles:
            return match
        match = decide(match, match.turn, rng.choice(moves), AT).match
    return None


def turns_of(match: Match) -> list[Turn]:
    """What the seat that has the turn may do with it."""
    return [move for move in legal_moves(match, match.turn) if not isinstance(move, NextHand)]
