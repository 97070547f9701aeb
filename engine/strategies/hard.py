"""Hard: one move ahead, with memory.

Each play is measured (`Prospect`), each measure has a price in points, and the play that is worth most is made. What
hidden tiles may do is taken as likely as `Memory` finds it. To write a bot of your own, change the prices first.
"""

import math
from operator import mul
from typing import Final

from engine.deal import Stream
from engine.layout import place
from engine.moves import Play, Turn
from engine.strategies.legal import turns
from engine.strategies.prospect import Prospect, look_ahead
from engine.strategies.table import Table
from engine.view import MatchView

WHERE_SEATS_PASS: Final = Prospect(
    gain=1,
    reply=-0.5,
    shed=0.25,
    double=0.04,
    variety=0.02,
    way_back=0.02,
    control=0.1,
    rivals=0.18,
    partner=-0.16,
    threat=-0.75,
    finish=0.35,
    blocked=0.7,
    squeeze=0.15,
)
"""What one unit of each measure is worth in points. The numbers are from play: in many positions two moves were each
played on to the end of the hand, and these prices explain best, by least squares, how the results differed.
"""

WHERE_SEATS_DRAW: Final = WHERE_SEATS_PASS._replace(shed=0.07, double=0.12, way_back=0.05, control=0.02)
"""The same while a seat that cannot play draws: hands seldom end blocked then, so that pips left over cost less often
and to get rid of awkward tiles counts for more."""


def choose(view: MatchView, rng: Stream) -> Turn:  # noqa: ARG001 - every level is asked in the same way
    """The play that is worth most, ties by the order of the legal moves; where nothing fits, the one move there is."""
    moves = turns(view)
    plays = [move for move in moves if isinstance(move, Play)]
    if len(plays) < 2:
        return moves[0]
    table = Table(view)
    prices = WHERE_SEATS_DRAW if table.stock else WHERE_SEATS_PASS
    worth = {play: sum(map(mul, prices, look_ahead(table, play))) for play in plays}
    return max(_leaving_a_door(table, plays, worth), key=worth.__getitem__)


def _leaving_a_door(table: Table, plays: list[Play], worth: dict[Play, float]) -> list[Play]:
    """`plays` less those that close the last open end the partner can play at, unless all do or one wins the match.

    This is a rule and has no price, for a partner has to be able to count on it. It holds once the table has seen the
    partner unable to play one of the open numbers; what is only likely has its price like all else.
    """
    for partner in table.partners:
        doors = table.memory.doors(partner, table.layout.asked)
        if not table.layout.asked & table.memory.lacks[partner] or not doors:
            continue
        leaving = [
            play
            for play in plays
            if worth[play] == math.inf or place(table.rules, table.layout, play.tile, play.end).asked & doors
        ]
        plays = leaving or plays
    return plays
