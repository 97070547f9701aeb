"""Duels: two strategies on duplicate deals, with the seats swapped, so that the luck of the deal cancels out.

python -m tests.engine.duels all-fives hard medium --deals 300
"""

import argparse
import math
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final, get_args
from uuid import UUID

from engine.catalogue import RULESETS
from engine.deal import NumberedDeal, Stream, seed_for
from engine.events import HandSummary
from engine.match import Match, Setup, create, decide
from engine.moves import NextHand
from engine.players import Cpu, Level
from engine.rules import Rules
from engine.strategies import STRATEGIES, Strategy
from engine.view import Viewer, view

Side = tuple[int, ...]
"""The seats of one side."""

_AT: Final = datetime(2030, 1, 1, tzinfo=UTC)
_ENDLESS: Final = 1_000
"""A target that no duel comes near, so that every deal gives the same number of hands."""


@dataclass(frozen=True)
class Duel:
    """What the first strategy gained over the second, one number for each deal: both seatings, all hands."""

    points: tuple[int, ...]
    """Points won less points lost; a penalty charged to the other side counts as won."""
    hands: tuple[int, ...]
    """Hands won less hands lost."""

    def lower_bound(self, gains: Sequence[int], deviations: float = 1.645) -> float:
        """Of the 95% confidence interval, one-sided unless told otherwise, of the mean gain on a deal."""
        return statistics.fmean(gains) - deviations * statistics.stdev(gains) / math.sqrt(len(gains))

    def summary(self) -> str:
        return ", ".join(
            f"{name} {statistics.fmean(gains):+.2f} on a deal (95%: at least {self.lower_bound(gains):+.2f})"
            for name, gains in (("points", self.points), ("hands", self.hands))
        )


def duel(
    rules: Rules, seat_count: int, one: Strategy, other: Strategy, *, deals: int, first: int = 0, hands: int = 3
) -> Duel:
    """Play the deals numbered from `first`, `hands` hands of each, `one` against `other` and then swapped."""
    points, won = [], []
    for number in range(first, first + deals):
        gains = [_gain(rules, seat_count, one, other, number, hands, swapped) for swapped in (False, True)]
        points.append(sum(gain for gain, _ in gains))
        won.append(sum(win for _, win in gains))
    return Duel(tuple(points), tuple(won))


def _gain(
    rules: Rules, seat_count: int, one: Strategy, other: Strategy, number: int, hands: int, swapped: bool
) -> tuple[int, int]:
    """Points and hands that `one` won less those it lost. Unswapped it plays the even teams, and so seat 0."""
    strategies = [other if (rules.team(seat) % 2 == 0) is swapped else one for seat in range(seat_count)]
    points = won = 0
    for hand in _hands(rules, strategies, number, hands):
        for amounts in (hand.play_points, hand.end_points):
            for amount in amounts:
                credit = amount.points if rules.scoring == "points" else -amount.points
                points += credit if (amount.team % 2 == 0) is not swapped else -credit
        if hand.winner is not None:
            won += 1 if (hand.winner % 2 == 0) is not swapped else -1
    return points, won


def _hands(rules: Rules, strategies: Sequence[Strategy], number: int, hands: int) -> Iterator[HandSummary]:
    match = _begin(rules, len(strategies), number)
    for played in range(1, hands + 1):
        while match.turn is not None:
            match = _move(match, strategies[match.turn])
        yield match.past_hands[-1]
        if played < hands:
            match = decide(match, None, NextHand(), _AT).match


def _begin(rules: Rules, seat_count: int, number: int) -> Match:
    kind = NumberedDeal(number)
    return create(
        Setup(
            id=UUID(int=number),
            ruleset="block",
            rules=replace(rules, target=_ENDLESS),
            players=(Cpu(),) * seat_count,
            pacing="step",
            auto_pass=False,
            deal=kind,
            seed=seed_for(kind, b""),
        ),
        _AT,
    ).match


def _move(match: Match, strategy: Strategy) -> Match:
    """One move, chosen from the view of the seat that has the turn and from a stream of the duel's own."""
    assert match.turn is not None
    rng = Stream(match.setup.seed, "capicua/duel/1", match.version)
    return decide(match, match.turn, strategy(view(match, Viewer("seat", match.turn)), rng), _AT).match


def _main() -> None:
    parser = argparse.ArgumentParser(description="Two levels on duplicate deals, with the seats swapped.")
    parser.add_argument("ruleset", choices=RULESETS)
    parser.add_argument("one", choices=get_args(Level))
    parser.add_argument("other", choices=get_args(Level))
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--hands", type=int, default=3)
    chosen = parser.parse_args()
    ruleset = RULESETS[chosen.ruleset]
    one, other = STRATEGIES[chosen.one], STRATEGIES[chosen.other]
    seats = ruleset.seat_counts[0]
    outcome = duel(ruleset.rules, seats, one, other, deals=chosen.deals, first=chosen.first, hands=chosen.hands)
    print(outcome.summary())


if __name__ == "__main__":
    _main()
