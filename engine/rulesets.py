"""A named game: what is known of it, and its rules for each number of seats that it is played with."""

from collections.abc import Mapping
from typing import Annotated

from engine.bounds import Text
from engine.rules import Rules
from engine.values import value

RulesetId = Annotated[str, Text(1, 40, "^[a-z0-9]+(-[a-z0-9]+)*$")]


@value
class Ruleset:
    """A named game. It is data: nothing in the engine knows its name."""

    id: RulesetId
    title: str
    about: str
    """How it is played, in a few sentences."""
    tables: Mapping[int, Rules]
    """Its rules by the number of seats, the usual one first."""
    sources: tuple[str, ...]
    """Where its rules are written down."""
    assumed: str = ""
    """What the sources leave open, or say differently from each other, and how it is settled here."""

    @property
    def summary(self) -> str:
        """How it is played, and what of it is assumed."""
        return f"{self.about} Assumed: {self.assumed}" if self.assumed else self.about

    @property
    def seat_counts(self) -> tuple[int, ...]:
        """The numbers of seats it is played with, the usual one first."""
        return tuple(self.tables)

    @property
    def rules(self) -> Rules:
        """Its rules for the usual number of seats."""
        return self.tables[self.seat_counts[0]]
