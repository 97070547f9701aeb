"""Expert: looks ahead in deals of the hidden tiles that agree with all it can know.

`lookahead` says what moves are worth. Numba, which compiles what it plays hands on with, is imported with the first
decision: whoever only wants the rules does without.
"""

from engine.deal import Stream
from engine.moves import Turn
from engine.strategies import hard
from engine.strategies.legal import turns
from engine.view import MatchView


def choose(view: MatchView, rng: Stream) -> Turn:
    """The move that is worth most on average, by a search that is seeded from `rng`; that of `hard` where the kernel
    does not know the rules.
    """
    moves = turns(view)
    if len(moves) == 1:
        return moves[0]
    from engine.kernel.plan import uncovered  # noqa: PLC0415 - it takes a second
    from engine.strategies.lookahead import best  # noqa: PLC0415

    if uncovered(view.rules, len(view.seats)) is not None:
        return hard.choose(view, rng)
    return best(view, rng.below(1 << 32))
