"""CPU seats: one file for each level, and the choice between them."""

from typing import Final, Protocol

from engine.deal import Stream
from engine.moves import Turn
from engine.players import Level
from engine.strategies import easy, expert, hard, medium
from engine.view import MatchView


class Strategy(Protocol):
    """How a level decides: from what its seat may see, and from a stream of its own where it needs chance."""

    def __call__(self, view: MatchView, rng: Stream) -> Turn:
        """One of the seat's legal moves."""


STRATEGIES: Final[dict[Level, Strategy]] = {
    "easy": easy.choose,
    "medium": medium.choose,
    "hard": hard.choose,
    "expert": expert.choose,
}

SLOW: Final[frozenset[Level]] = frozenset({"expert"})
"""Levels that take milliseconds over a choice; with the others a whole hand takes less."""
