"""The position that a seat has to play in, as it sees it, and what the ways for the hand to end are worth to it."""

from collections.abc import Sequence
from typing import Final

from engine import scoring
from engine.layout import End, Layout
from engine.scoring import Amounts
from engine.strategies.memory import Memory
from engine.tiles import Tile, pips
from engine.view import MatchView

MATCH: Final = 20
"""Points that it is worth to win the match with a hand, or costs to lose it, beside the hand's own points."""

_STAKE: Final = 20
"""Pips that are at stake in an ordinary hand where pips count."""

_GUESSES: Final = (0.75, 1.0, 1.25)
"""Hidden hands may be lighter than they are on average, or heavier."""


class Table:
    """A position, before the play. Points are those of the seat's own side, less those of the other sides."""

    __slots__ = (
        "_for_count",
        "_score",
        "held",
        "last_tile_counts",
        "layout",
        "me",
        "memory",
        "partners",
        "pip",
        "rivals",
        "rules",
        "scores",
        "stake",
        "stock",
        "tiles",
    )

    def __init__(self, view: MatchView) -> None:
        me, hand, count = view.viewer.seat, view.hand, len(view.seats)
        assert me is not None
        assert hand is not None
        self.me = me
        self._for_count: dict[int, int] = {}
        self.rules = rules = view.rules
        self.layout = hand.layout
        self.tiles = view.seats[me].tiles or ()
        self.scores = [team.points for team in view.scores]
        self._score = self.scores[rules.team(me)]
        self.last_tile_counts = rules.last_tile != "never" or rules.last_double_bonus > 0 or rules.bonus_tile_points > 0
        """Whether it matters which tile a seat goes out with."""
        others = [view.seats[(me + step) % count] for step in range(1, count)]
        self.rivals = {seat.seat: seat.tile_count for seat in others if seat.team != view.seats[me].team}
        """The tiles that each rival holds, by seat in turn order."""
        self.partners = {seat.seat: seat.tile_count for seat in others if seat.team == view.seats[me].team}
        self.stock = max(0, hand.boneyard_count - rules.boneyard_reserve) if rules.drawing != "never" else 0
        """Tiles that may still be drawn."""
        self.memory = Memory(view, me)
        self.held = [self.memory.pips(seat) for seat in range(count)]
        """The pips of each seat, on average for those that are hidden."""
        self.held[me] = pips(self.tiles)
        out, beaten = self.domino(me, self.held[me]), self.domino(next(iter(self.rivals)), self.held[me])
        self.stake = max(1.0, (out - beaten) / 2)
        """The points that are at stake for each side in going out."""
        self.pip = self.stake / _STAKE if rules.domino_points else 1.0
        """What a pip left over is worth in points: where a hand has a fixed worth, as little as the stake is small."""

    def in_play(self, after: Layout, end: End | None) -> int:
        """What a play of the own seat takes, at `end`, that makes the line `after`."""
        return scoring.taken(self.rules, self._score, scoring.in_play(self.rules, after, end))

    def for_count(self, count: int) -> int:
        """What a play takes that brings the layout's count to `count`."""
        if count not in self._for_count:
            self._for_count[count] = scoring.taken(self.rules, self._score, scoring.for_count(self.rules, count))
        return self._for_count[count]

    def reaches(self, seat: int, points: int) -> bool:
        """Whether `points` in play win the match at once for `seat`."""
        rules = self.rules
        if not rules.target or rules.target_check != "at_once":
            return False
        return points > 0 and self.scores[rules.team(seat)] + points >= rules.target

    def domino(self, seat: int, own: float) -> float:
        """What it is worth that `seat` goes out while the own hand holds `own` pips."""
        return self._worth(scoring.domino(self.rules, self._held(seat, own), seat).amounts)

    def last_tile(self, seat: int, own: float, before: Layout, tile: Tile) -> float:
        """What it is worth besides that `tile` is what `seat` goes out with, if it can go on the line `before`."""
        if not self.last_tile_counts or not self.memory.suits[tile] & before.asked:
            return 0
        special = scoring.is_special(self.rules, before, tile)
        with_it = scoring.domino(self.rules, self._held(seat, own), seat, tile=tile, special=special)
        return self._worth(with_it.amounts) - self.domino(seat, own)

    def block(self, own: float) -> float:
        """What it is worth, on average, that the hand is blocked while the own hand holds `own` pips."""
        worth = 0.0
        for guess in _GUESSES:
            held = [round(guess * pips) for pips in self.held]
            held[self.me] = round(own)
            dead = scoring.Dead(tuple(held), (False,) * len(held))
            worth += self._worth(scoring.block(self.rules, dead).amounts)
        return worth / len(_GUESSES)

    def _held(self, out: int, own: float) -> scoring.Held:
        held = [round(pips) for pips in self.held]
        held[self.me] = round(own)
        held[out] = 0
        return tuple(held)

    def _worth(self, offered: Amounts) -> float:
        team = self.rules.team(self.me)
        amounts = [scoring.taken(self.rules, *each, at_end=True) for each in zip(self.scores, offered, strict=True)]
        own = amounts[team]
        lead = own - (sum(amounts) - own) / (len(amounts) - 1)
        return (lead if self.rules.scoring == "points" else -lead) + MATCH * self._decides(amounts, team)

    def _decides(self, amounts: Sequence[int], team: int) -> int:
        """1 where `amounts` win the match for `team`, -1 where they lose it, 0 where it goes on."""
        totals = [score + amount for score, amount in zip(self.scores, amounts, strict=True)]
        if max(totals) < self.rules.target:
            return 0
        best = max(totals) if self.rules.scoring == "points" else min(totals)
        if totals.count(best) > 1:
            return 0
        return 1 if totals[team] == best else -1
