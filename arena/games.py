"""The games to play in the arena, and the numbers of deals."""

from typing import Final, get_args

from arena.errors import Refused
from engine.catalogue import RULESETS
from engine.deal import DealNumber
from engine.rulesets import Ruleset

LAST_DEAL: Final[int] = get_args(DealNumber)[1].high


def game(name: str) -> Ruleset:
    """The game of that id."""
    if name not in RULESETS:
        raise Refused(f"There is no game {name!r}: `capicua games` lists the ids of those there are.")
    return RULESETS[name]


def refuse_seats(ruleset: Ruleset, seat_count: int) -> None:
    """Refuse a number of seats that `ruleset` is not played with."""
    if seat_count not in ruleset.tables:
        counts = " or ".join(map(str, sorted(ruleset.seat_counts)))
        raise Refused(f"{ruleset.id} is not played with {seat_count} seats: choose {counts}.")


def deals(first: int, count: int) -> range:
    """The numbers of `count` deals from `first` on."""
    if first + count - 1 > LAST_DEAL:
        raise Refused(f"The last deal has the number {LAST_DEAL}: begin earlier, or ask for fewer.")
    return range(first, first + count)
