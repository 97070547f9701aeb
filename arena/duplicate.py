"""Duplicate deals: two players on the same deals with the seats swapped, so that the luck of the deal cancels out.

What chance a player has comes from the deal and from how far play has got, and not from who plays: two players that are
the same make the same moves in both seatings, and gain nothing over each other. Where players differ, the same stream
answers whoever asks, but after the first other move it is no longer asked about the same.
"""

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final
from uuid import UUID

from arena.errors import Refused
from engine.deal import NumberedDeal, Stream, seed_for
from engine.events import HandSummary
from engine.match import Match, Setup, create, decide
from engine.moves import NextHand
from engine.players import Cpu
from engine.rules import Rules
from engine.rulesets import Ruleset
from engine.strategies import Strategy
from engine.values import value
from engine.view import Viewer, view

AT: Final = datetime(2030, 1, 1, tzinfo=UTC)
"""When everything in the arena happens: no rule looks at the time."""

_ENDLESS: Final = 1_000
"""A target that nobody comes near, so that each deal gives the same number of hands and no score tilts the play."""

Gains = tuple[int, ...]
"""What the first player gained over the second, in points, hand by hand; a penalty charged to the other counts."""


@value
class Pair:
    """A deal that was played twice: what the first player gained in the even seats, and what in the odd ones."""

    even: Gains
    odd: Gains

    @property
    def points(self) -> float:
        """Points gained on average in a hand."""
        return statistics.fmean(self.even + self.odd)

    @property
    def won(self) -> float:
        """The share of the hands that gave the first player more than the second; half of those that gave equally."""
        return statistics.fmean([0.5 if gain == 0 else float(gain > 0) for gain in self.even + self.odd])


@value
class Table:
    """A game, and the seats that two sides take in turn."""

    ruleset: Ruleset
    seat_count: int

    @property
    def rules(self) -> Rules:
        """As so many seats play it."""
        return self.ruleset.tables[self.seat_count]

    def side(self, seat: int) -> int:
        """0 for the side of the even teams, to which seat 0 belongs, and 1 for that of the odd ones."""
        return self.rules.team(seat) % 2

    def refuse_uneven(self) -> None:
        """Refuse sides of different size: to swap seats would not be fair then."""
        if 2 * sum(self.side(seat) for seat in range(self.seat_count)) == self.seat_count:
            return
        even = [str(count) for count in sorted(self.ruleset.seat_counts) if count % 2 == 0]
        instead = f"play it with {' or '.join(even)} seats" if even else "choose another game"
        raise Refused(f"{self.seat_count} seats of {self.ruleset.id} make no two sides of the same size: {instead}.")


def play_pair(table: Table, one: Strategy, other: Strategy, number: int, hands: int = 1) -> Pair:
    """Play the deal of that number, `hands` hands of it, with `one` in the even teams and then in the odd ones."""
    return Pair(
        tuple(_gain(table, hand, 0) for hand in _hands(table, (one, other), number, hands)),
        tuple(_gain(table, hand, 1) for hand in _hands(table, (other, one), number, hands)),
    )


def _gain(table: Table, hand: HandSummary, side: int) -> int:
    """What `side` gained over the other in `hand`."""
    gain = 0
    for amount in (*hand.play_points, *hand.end_points):
        gain += amount.points if amount.team % 2 == side else -amount.points
    return gain if table.rules.scoring == "points" else -gain


def _hands(table: Table, sides: Sequence[Strategy], number: int, hands: int) -> Iterator[HandSummary]:
    match = _begin(table, number)
    for played in range(1, hands + 1):
        while match.turn is not None:
            match = _move(match, sides[table.side(match.turn)])
        yield match.past_hands[-1]
        if played < hands:
            match = decide(match, None, NextHand(), AT).match


def _begin(table: Table, number: int) -> Match:
    kind = NumberedDeal(number)
    return create(
        Setup(
            id=UUID(int=number),
            ruleset=table.ruleset.id,
            rules=replace(table.rules, target=_ENDLESS),
            players=(Cpu(),) * table.seat_count,
            pacing="step",
            auto_pass=False,
            deal=kind,
            seed=seed_for(kind, b""),
        ),
        AT,
    ).match


def _move(match: Match, strategy: Strategy) -> Match:
    """One move, chosen from the view of the seat that has the turn."""
    assert match.turn is not None
    rng = Stream(match.setup.seed, "capicua/duel/1", match.version)
    return decide(match, match.turn, strategy(view(match, Viewer("seat", match.turn)), rng), AT).match
