"""What a seat may be told of its moves: what each is worth, by all that the seat can know and nothing else.

Everything follows from the view of the seat. The search is seeded from the version that the view is of: the same
position always gets the same answer, and so do two matches that look alike to a seat.
"""

from dataclasses import replace
from typing import Annotated, Final

from engine.bounds import Amount, Described, Length, SeatIndex, Seq, Text
from engine.errors import HandOver, HintsOff, NotYourTurn
from engine.match import Match, hand_of
from engine.moves import Move, NextHand
from engine.strategies.reasons import why
from engine.values import value
from engine.view import MatchView, Viewer, view

VISITS: Final = 20_000
"""How many hands are played on for a hint: a tenth of a second."""

Chance = Annotated[float, Amount(0, 1)]
ExpectedPoints = Annotated[float, Amount(-1_000_000_000, 1_000_000_000)]
Cost = Annotated[float, Amount(0, 1_000_000_000)]


@value
class Measured(Described):
    """A legal move, and what it leads to on average, as far as its seat can know."""

    move: Move
    """As `legal_moves` has it: it may be posted as it is."""
    points: ExpectedPoints
    """How many points more the hand still brings to the seat's side than to each other side, on average. In a penalty
    game points are bad, so that it is how many fewer."""
    win: Chance
    """The chance that the seat's side wins the hand; one that nobody wins counts half."""
    cost: Cost
    """How much less it is worth than the best move, in points, with 20 more for winning the match by this hand and 20
    fewer for losing it; 0 for the best."""


@value
class HintedMove(Measured):
    """A legal move, what it leads to on average, as far as its seat can know, and what is to be said of it."""

    why: Annotated[str, Text(1, 500, "^.*$")]
    """Facts of the position that speak for the move or against it, in a sentence for people."""


@value
class Hint(Described):
    """What each move of the seat that has the turn is worth."""

    version: Seq
    """Of the match that it is about."""
    seat: SeatIndex
    """The seat that has the turn."""
    moves: Annotated[tuple[HintedMove, ...], Length(1, 200)]
    """Every entry of `legal_moves`, the best first: by `cost`."""


def position(match: Match, seat: int) -> MatchView:
    """What `seat`, which asks for a hint, sees; a `RuleViolation` says why there is none."""
    if not match.setup.hints:
        raise HintsOff
    hand = hand_of(match)
    if hand.result is not None:
        raise HandOver
    if hand.turn != seat:
        raise NotYourTurn
    return view(match, Viewer("seat", seat))


def hint(seen: MatchView, visits: int = VISITS) -> Hint:
    """What each move is worth to the seat that has the turn and sees `seen`."""
    assert seen.viewer.seat is not None
    return Hint(seen.version, seen.viewer.seat, tuple([_told(seen, each) for each in measured(seen, visits)]))


def _told(seen: MatchView, found: Measured) -> HintedMove:
    assert not isinstance(found.move, NextHand)
    return HintedMove(found.move, found.points, found.win, found.cost, why(seen, found.move))


def measured(seen: MatchView, visits: int) -> list[Measured]:
    """What each legal move leads to, the best one first, found by playing `visits` hands on."""
    from engine.strategies.lookahead import TO_TELL, outlooks  # noqa: PLC0415 - it imports Numba, which takes a second

    found = outlooks(seen, seen.version, replace(TO_TELL, visits=visits))
    others = seen.rules.team_count(len(seen.seats)) - 1
    best = found[0].worth
    return [
        Measured(each.move, round(each.points, 2), round(each.win, 3), round((best - each.worth) / others, 2))
        for each in found
    ]
