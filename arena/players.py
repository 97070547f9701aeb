"""Who may play in the arena: every level, and the reference."""

from collections.abc import Mapping
from typing import Final

from arena.errors import Refused
from engine.strategies import STRATEGIES, Strategy, reference

REFERENCE: Final = "reference"

PLAYERS: Final[Mapping[str, Strategy]] = dict([*STRATEGIES.items(), (REFERENCE, reference.choose)])
"""The levels, lowest first, and the reference."""


def rungs() -> tuple[tuple[str, str], ...]:
    """Each level and the next lower one, and the highest level and the reference."""
    levels = tuple(STRATEGIES)
    return (*zip(levels[1:], levels, strict=False), (levels[-1], REFERENCE))


def known(name: str) -> str:
    """`name`, if there is a player of that name."""
    if name not in PLAYERS:
        raise Refused(f"There is no player {name!r}: choose from {', '.join(PLAYERS)}.")
    return name
