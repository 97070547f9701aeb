"""Positions as a seat sees them, each with a guess of what it does not see."""

from collections.abc import Sequence
from itertools import takewhile

import numpy as np

from engine.deal import Deal
from engine.kernel import slots
from engine.kernel.plan import Ints, Plan
from engine.kernel.position import Positions, empty, lay_out, set_number
from engine.layout import ENDS
from engine.moves import Play
from engine.view import HandView, MatchView


def positions_seen(plan: Plan, view: MatchView, deals: Sequence[Deal]) -> Positions:
    """What `view` shows to the seat that has the turn, with each of `deals` in turn as what all seats hold now, the own
    one too, and the boneyard as it is left. Points that were taken in play before do not count as the hand's.
    """
    hands = [[plan.mask(tiles) for tiles in deal.tiles] for deal in deals]
    boneyards = [[plan.indexes[tile] for tile in deal.boneyard] for deal in deals]
    return with_deals(state_seen(plan, view), np.array(hands, np.int64), np.array(boneyards, np.int64))


def with_deals(state: Ints, hands: Ints, boneyards: Ints) -> Positions:
    """`state` with each row of `hands`, sets of tiles by seat, and of `boneyards`, tiles in drawing order."""
    states = np.tile(state, (len(hands), 1))
    states[:, slots.HAND :: slots.STRIDE] = hands
    return Positions(states, np.ascontiguousarray(boneyards, np.int64))


def state_seen(plan: Plan, view: MatchView) -> Ints:
    """What `view` shows to the seat that has the turn, and nothing of what the seats hold."""
    hand, state = view.hand, empty(plan)
    assert hand is not None
    assert hand.turn is not None
    assert hand.turn == view.viewer.seat, "It is another seat's turn."
    state[slots.TURN] = hand.turn
    plays = [move.seat for move in hand.moves if move.type == "play"]
    since = list(takewhile(lambda move: move.type != "play", reversed(hand.moves)))
    state[slots.LEADER] = plays[0] if plays else hand.moves[0].seat if hand.moves else hand.turn
    state[slots.LAST_PLAYER] = plays[-1] if plays else -1
    state[slots.DRAWN] = len(list(takewhile(lambda move: move.type == "draw", since)))
    state[slots.PASSES] = sum([move.type == "pass" for move in since])
    state[slots.PASSED] = hand.passed
    state[slots.YARD_SIZE] = hand.boneyard_count
    set_number(plan, state, hand.number, _tied(plan, view))
    for team in view.scores:
        state[slots.SCORE + slots.STRIDE * team.team] = team.points
    lay_out(plan, state, hand.layout)
    _bind(plan, state, view, hand)
    return state


def _tied(plan: Plan, view: MatchView) -> int:
    """What the tied blocks just before the hand have added to its worth."""
    tied = 0
    for summary in reversed(view.past_hands):
        if summary.winner is not None:
            break
        tied += plan.rules.tie_bonus
    return tied


def _bind(plan: Plan, state: Ints, view: MatchView, hand: HandView) -> None:
    """Write down what the seat's legal moves say of the tile that has to open, and of the end to go on at."""
    plays = [move for move in hand.legal_moves if isinstance(move, Play)]
    if not plays:
        return
    if hand.layout.opening is None:
        if len(plays) == 1:
            state[slots.MUST_OPEN] = plan.indexes[plays[0].tile]
        return
    assert view.viewer.seat is not None
    own = plan.mask(view.seats[view.viewer.seat].tiles or ())
    listed = {move.end for move in plays}
    fitting = {end for place, end in enumerate(ENDS) if int(state[slots.FITS + place]) & own}
    if plan.rules.extra_turn == "until_stuck" and listed < fitting:
        state[slots.BOUND] = ENDS.index(plays[0].end) if plays[0].end is not None else -1
