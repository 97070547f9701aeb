"""Expert: looks ahead in deals of the hidden tiles that agree with all it can know.

`lookahead` says what moves are worth. Numba, which compiles what it plays hands on with, is imported with the first
decision: whoever only wants the rules does without.
"""

from engine.deal import Stream
from engine.moves import Turn
from engine.strategies.legal import turns
from engine.view import MatchView


def choose(view: MatchView, rng: Stream) -> Turn:
    """The move that is worth most on average, by a search that is seeded from `rng`."""
    moves = turns(view)
    if len(moves) == 1:
        return moves[0]
    from engine.strategies.lookahead import best  # noqa: PLC0415 - it takes a second

    return best(view, rng.below(1 << 32))
