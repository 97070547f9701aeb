"""Medium: the heaviest tile that fits."""

from engine.deal import Stream
from engine.layout import place, suits
from engine.moves import Play, Turn
from engine.strategies.legal import turns
from engine.view import MatchView


def choose(view: MatchView, rng: Stream) -> Turn:  # noqa: ARG001 - every level is asked in the same way
    """The play of the heaviest tile, ties by the larger end, where most of the own tiles fit then, ties by the first
    place in the order left, right, up, down (C11); where nothing fits, the one move there is.
    """
    moves = turns(view)
    plays = [move for move in moves if isinstance(move, Play)]
    if not plays:
        return moves[0]
    tile = max([play.tile for play in plays], key=lambda tile: (tile.pips, tile.high))
    return max([play for play in plays if play.tile is tile], key=lambda play: _following(view, play))


def _following(view: MatchView, play: Play) -> int:
    """How many of the own tiles fit after `play`."""
    assert view.hand is not None
    assert view.viewer.seat is not None
    asked = place(view.rules, view.hand.layout, play.tile, play.end).asked
    own = view.seats[view.viewer.seat].tiles or ()
    return sum([suits(view.rules, tile) & asked != 0 for tile in own if tile is not play.tile])
