"""Reference: doubles first, then weight. No level that a match can ask for, but one to measure levels by.

Levels get better from version to version. What they are compared with beyond each other has to stay as it is.
"""

from engine.deal import Stream
from engine.moves import Play, Turn
from engine.strategies.legal import turns
from engine.view import MatchView


def choose(view: MatchView, rng: Stream) -> Turn:  # noqa: ARG001 - every player is asked in the same way
    """The play of the heaviest double or, without one that fits, of the heaviest tile, ties by the order of the legal
    moves; where nothing fits, the one move there is.
    """
    moves = turns(view)
    plays = [move for move in moves if isinstance(move, Play)]
    return max(plays, key=_rank) if plays else moves[0]


def _rank(play: Play) -> tuple[bool, int]:
    return play.tile.is_double, play.tile.pips
