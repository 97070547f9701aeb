"""Medium: the heaviest tile that fits."""

from engine.deal import Stream
from engine.layout import ENDS
from engine.moves import Play, Turn
from engine.strategies.legal import turns
from engine.view import MatchView


def choose(view: MatchView, rng: Stream) -> Turn:  # noqa: ARG001 - every level is asked in the same way
    """The play of the heaviest tile, ties by the larger end and then by the first place in the order left, right, up,
    down (C11); where nothing fits, the one move there is.
    """
    moves = turns(view)
    plays = [move for move in moves if isinstance(move, Play)]
    return min(plays, key=_weight) if plays else moves[0]


def _weight(play: Play) -> tuple[int, int, int]:
    return -play.tile.pips, -play.tile.high, ENDS.index(play.end) if play.end is not None else 0
