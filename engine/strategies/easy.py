"""Easy: any tile that fits, each place it fits as likely as any other."""

from engine.deal import Stream
from engine.moves import Turn
from engine.strategies.legal import turns
from engine.view import MatchView


def choose(view: MatchView, rng: Stream) -> Turn:
    """One of the legal moves, all equally likely (C10)."""
    moves = turns(view)
    return moves[rng.below(len(moves))]
