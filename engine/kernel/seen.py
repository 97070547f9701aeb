"""Positions as a seat sees them, each with a guess of what it does not see."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from engine.deal import Deal
from engine.events import Event, HandDealt, HandEnded, TileDrawn, TilePlayed, TurnPassed
from engine.kernel import slots
from engine.kernel.plan import Ints, Plan
from engine.kernel.position import Positions, empty, lay_out, set_number
from engine.layout import ENDS
from engine.moves import Play
from engine.values import value
from engine.view import HandView, MatchView


@value
class Past:
    """What still matters of what happened, and cannot be seen on the table."""

    leader: int
    """The seat that led the hand."""
    last_player: int | None = None
    """Who played the last tile."""
    passes: int = 0
    """Since the last tile."""
    passed: bool = False
    """Whether there has been a pass that `first_pass_points` are for in this match."""
    drawn: int = 0
    """Tiles drawn in this turn."""


def past_of(log: Iterable[Event]) -> Past:
    """What matters of the past of the last hand in `log`: all events of a match, as anybody sees them."""
    past, awaits = Past(leader=0), False
    for event in log:
        if isinstance(event, HandDealt | TilePlayed | TileDrawn):
            past, awaits = replace(past, passed=past.passed or awaits), False
        match event:
            case HandDealt():
                past = Past(leader=event.turn or 0, passed=past.passed)
            case TilePlayed():
                assert event.seat is not None
                leader = event.seat if past.last_player is None else past.leader
                past = replace(past, leader=leader, last_player=event.seat, passes=0, drawn=0)
            case TileDrawn():
                past = replace(past, drawn=past.drawn + 1)
            case TurnPassed():
                # Whether it counts is known when the hand goes on: the passes of a blocked hand do not.
                past, awaits = replace(past, passes=past.passes + 1, drawn=0), past.last_player is not None
            case HandEnded():
                awaits = awaits and event.result.reason != "blocked"
            case _:
                pass
    return replace(past, passed=past.passed or awaits)


def positions_seen(plan: Plan, view: MatchView, past: Past, deals: Sequence[Deal]) -> Positions:
    """What `view` shows to the seat that has the turn, with each of `deals` in turn as what all seats hold now, the own
    one too, and the boneyard as it is left. Points that were taken in play before do not count as the hand's.
    """
    hands = [[plan.mask(tiles) for tiles in deal.tiles] for deal in deals]
    boneyards = [[plan.indexes[tile] for tile in deal.boneyard] for deal in deals]
    return with_deals(state_seen(plan, view, past), np.array(hands, np.int64), np.array(boneyards, np.int64))


def with_deals(state: Ints, hands: Ints, boneyards: Ints) -> Positions:
    """`state` with each row of `hands`, sets of tiles by seat, and of `boneyards`, tiles in drawing order."""
    states = np.tile(state, (len(hands), 1))
    states[:, slots.HAND :: slots.STRIDE] = hands
    states[:, slots.YARD_SIZE] = boneyards.shape[1]
    return Positions(states, np.ascontiguousarray(boneyards, np.int64))


def state_seen(plan: Plan, view: MatchView, past: Past) -> Ints:
    """What `view` shows to the seat that has the turn, and nothing of what the seats hold."""
    hand, state = view.hand, empty(plan)
    assert hand is not None
    assert hand.turn is not None
    assert hand.turn == view.viewer.seat, "It is another seat's turn."
    state[slots.TURN] = hand.turn
    state[slots.LEADER] = past.leader
    state[slots.LAST_PLAYER] = -1 if past.last_player is None else past.last_player
    state[slots.DRAWN] = past.drawn
    state[slots.PASSES] = past.passes
    state[slots.PASSED] = past.passed and plan.rules.first_pass_points > 0
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
