"""The moves that a view offers its seat."""

from engine.moves import NextHand, Turn
from engine.view import MatchView


def turns(view: MatchView) -> tuple[Turn, ...]:
    """What the seat may do with its turn; it has to have it."""
    assert view.hand is not None
    return tuple([move for move in view.hand.legal_moves if not isinstance(move, NextHand)])
