"""What a seat can tell of the tiles that it does not see: where each may lie, how likely, and whole deals by chance.

A place is a seat, by its number, or the boneyard, after the last seat. A way to deal says when each hidden tile came to
its place, as `history` has it; all ways that agree with the moves are taken to be equally likely, as the shuffle makes
them. How likely the others' choices were with them is for `lookahead`.

For a seat that has the turn and can play this is exact: it is all that the rules say of what has been seen. But

- deals that would have been thrown in by `redeal_doubles` or `redeal_suit` are left out of samples only;
- where not all that it drew fitted, or was no double when one had to lead, a seat's view may not say which of its own
  tiles it was dealt. Where others may have opened with any tile, what their opening tells is left out then, and where a
  double must lead, that somebody was dealt one;
- who has to watch does not take account of it that somebody can play, or the hand were over, nor that a seat which has
  the turn once more can go on where that is why.

And where many seats have drawn often there may be too many ways to count. Then it is forgotten when the tiles of some
came to them, and if need be what they lack. Whatever is not known, the true deal is always among those that agree.
"""

from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import Final, NamedTuple

import numpy as np

from engine.layout import Layout, suits
from engine.strategies.history import Held, Past, past, places
from engine.strategies.openings import Find, finds
from engine.strategies.placements import MOST_COUNTS, Floats, Indexes, Placements, uniform, work
from engine.strategies.samples import Deals, Table, can_be_thrown_in, thrown_in
from engine.tiles import Tile
from engine.view import MatchView

_ROUNDS: Final = 8
"""Of samples, to find deals that would not have been thrown in. Of whole deals at least a half are not."""

_TRIED: Final = 2_000
"""Deals by which a chance is told that would take too long to count."""


class Known(NamedTuple):
    """What a view says of the hidden tiles."""

    unseen: tuple[Tile, ...]
    """Those that are neither laid nor in the viewer's own hand, lowest first."""
    sizes: tuple[int, ...]
    """By place, how many unseen tiles it holds."""
    allowed: tuple[int, ...]
    """For each unseen tile the places that may hold it, a bit for each."""


class _Case(NamedTuple):
    """One of the ways in which the leader may have been found."""

    allowed: list[int]
    """For each tile the batches that it may be in."""
    chance: float
    placements: Placements


class Inference:
    """Where the unseen tiles of a view's hand, which is being played, may be.

    A view that no deal agrees with cannot come of play. If there is one all the same, what the seats lack and how the
    hand was opened are ignored and `agrees` is false, since a seat has to move anyway.
    """

    __slots__ = ("_cases", "_past", "_stuck", "_table", "_view", "_weight", "agrees", "known")

    agrees: bool
    """Whether there is a deal that agrees with all that the view shows."""

    def __init__(self, view: MatchView) -> None:
        assert view.hand is not None
        assert view.hand.result is None, "The hand is over: nothing is hidden."
        self._view = view
        seat, live = view.viewer.seat, view.rules.live_tiles()
        index = {tile: number for number, tile in enumerate(live)}
        own = () if seat is None else tuple([index[tile] for tile in view.seats[seat].tiles or ()])
        seen = {*own, *[index[tile] for tile in _laid(view.hand.layout)]}
        unseen = [tile for tile in range(len(live)) if tile not in seen]
        held = places(view, live)
        dealt = [] if seat is None else held.pop(seat).dealt(own)
        shown = [tile.tile for each in held for tile in each.shown if not tile.since]
        found = finds(view, frozenset([live[tile] for tile in dealt]), frozenset([live[tile] for tile in shown]))
        self._past, self._cases = _counted(live, unseen, held, found)
        self.agrees = bool(self._cases)
        if not self.agrees:
            held = [each for place, each in enumerate(places(view, live, believed=False)) if place != seat]
            self._past, self._cases = _counted(live, unseen, held, [Find()])
        self._weight = sum([case.chance * case.placements.count for case in self._cases])
        self.known = self._known(live)
        self._table = Table(live, seat, own, view.hand.moves, self._past)
        self._stuck: dict[tuple[int, int], float] = {}

    def _known(self, live: Sequence[Tile]) -> Known:
        unseen, view = self._past.unseen, self._view
        assert view.hand is not None
        places = [(number, batch.place) for number, batch in enumerate(self._past.batches) if batch.arrivals]
        allowed = []
        for masks in zip(*[case.allowed[:unseen] for case in self._cases], strict=True):
            mask = reduce(or_, masks)
            allowed.append(reduce(or_, [1 << place for number, place in places if mask >> number & 1], 0))
        sizes = [0 if seat.seat == view.viewer.seat else seat.tile_count for seat in view.seats]
        tiles = tuple([live[tile] for tile in self._past.tiles[:unseen]])
        return Known(tiles, (*sizes, view.hand.boneyard_count), tuple(allowed))

    @property
    def deals(self) -> float:
        """How many ways to deal agree, whatever the order of the tiles that came to a place alike."""
        return sum([case.placements.count for case in self._cases])

    @property
    def chances(self) -> Floats:
        """The chance that each unseen tile, by row, lies in each place, by column."""
        unseen = self._past.unseen
        chances = np.zeros((unseen, len(self.known.sizes)))
        for case in self._cases:
            by_batch = case.placements.chances()[:unseen] * (case.chance * case.placements.count / self._weight)
            for number, batch in enumerate(self._past.batches):
                chances[:, batch.place] += by_batch[:, number]
        return chances

    def stuck(self, seat: int, asked: int) -> float:
        """The chance that `seat`, another one, holds no tile with any of the suits `asked`, a bit for each."""
        key = (seat, asked)
        if key not in self._stuck:
            self._stuck[key] = self.stuck_together({seat: asked})
        return self._stuck[key]

    def stuck_together(self, asked: dict[int, int]) -> float:
        """The chance that no seat of `asked`, all of them others, holds a tile with any of the suits it has there; by
        samples if it would take too long to count.
        """
        known, having = self._past, [suits(self._view.rules, tile) for tile in self._table.live]
        batches = [(asked.get(batch.place, 0), 1 << number) for number, batch in enumerate(known.batches)]
        barred = [
            sum([bit for lacked, bit in batches if lacked & having[tile]]) for tile in known.tiles[: known.unseen]
        ] + [0] * (len(known.tiles) - known.unseen)
        weight = 0.0
        for case in self._cases:
            allowed = [mask & ~without for mask, without in zip(case.allowed, barred, strict=True)]
            if work(allowed, known.sizes) > MOST_COUNTS:
                deals, suited = self.sample(0, _TRIED), np.array(having)
                able = [(suited[deals.of(seat)] & lacked).any(axis=1) for seat, lacked in asked.items()]
                return 1 - float(np.any(able, axis=0).mean())
            weight += case.chance * Placements(allowed, known.sizes).count
        return weight / self._weight

    def sample(self, seed: int, count: int) -> Deals:
        """`count` deals that agree, each as likely as any other; the same ones for the same `seed`.

        Those that would have been thrown in are replaced, from a limited number more: if there are not enough, some of
        them stay.
        """
        view, table = self._view, self._table
        rows = self._rows(seed, 0, count)
        deals = Deals(table, self.known.sizes, rows)
        is_chosen = view.deal.kind == "fixed" and not view.past_hands
        if is_chosen or not can_be_thrown_in(view.rules, table):
            return deals
        wrong = np.flatnonzero(thrown_in(view.rules, deals))
        for number in range(1, _ROUNDS):
            if not len(wrong):
                break
            more = self._rows(seed, number * count, count)
            right = more[~thrown_in(view.rules, Deals(table, self.known.sizes, more))][: len(wrong)]
            rows[wrong[: len(right)]] = right
            wrong = wrong[len(right) :]
        return Deals(table, self.known.sizes, rows)

    def _rows(self, seed: int, first: int, count: int) -> Indexes:
        """The tiles of each batch in turn, a row for each deal: those of an endless list, from number `first` on."""
        if len(self._cases) == 1:
            rows = self._cases[0].placements.sample(seed, first, count)
        else:
            bounds = np.cumsum([case.chance * case.placements.count for case in self._cases])
            chosen = np.searchsorted(bounds[:-1], uniform(~seed, first, count, 1)[:, 0] * bounds[-1], side="right")
            rows = np.empty((count, len(self._past.tiles)), dtype=np.intp)
            for number, case in enumerate(self._cases):
                # Each case goes on in its own part of the list, so that none repeats the chances of another.
                of_case = np.flatnonzero(chosen == number)
                start = first * len(self._cases) + number * count
                rows[of_case] = case.placements.sample(seed, start, len(of_case))
        return np.array(self._past.tiles, dtype=np.intp)[rows]


def _laid(layout: Layout) -> list[Tile]:
    opening = [] if layout.opening is None else [layout.opening.tile]
    return opening + [placed.tile for arm in layout.arms for placed in arm.tiles]


def _counted(
    live: Sequence[Tile], unseen: Sequence[int], held: list[Held], found: Sequence[Find]
) -> tuple[Past, list[_Case]]:
    """What is known of the batches, less those of some seats if there are too many ways to count, and of each way to
    find the leader with which some deal agrees.
    """
    known = past(unseen, held)
    cases = _restricted(live, known, found)
    while len(known.batches) > len(held) and any(work(allowed, known.sizes) > MOST_COUNTS for _, allowed in cases):
        most = max(range(len(held)), key=lambda place: len(held[place].batches))
        held = [*held[:most], held[most].forgetting(), *held[most + 1 :]]
        known = past(unseen, held)
        cases = _restricted(live, known, found)
    eased = [(chance, _eased(allowed, known.sizes)) for chance, allowed in cases]
    counted = [_Case(allowed, chance, Placements(allowed, known.sizes)) for chance, allowed in eased]
    return known, [case for case in counted if case.placements.count]


def _restricted(live: Sequence[Tile], known: Past, found: Sequence[Find]) -> list[tuple[float, list[int]]]:
    """The chance of each of `found` that may be, and for each tile the batches that it may be in then."""
    cases = []
    for find in found:
        allowed = _found(live, known, find)
        if allowed is not None:
            cases.append((find.chance, allowed))
    return cases


def _found(live: Sequence[Tile], known: Past, find: Find) -> list[int] | None:
    """For each tile the batches that it may be in, if the leader was found so; null if it cannot be."""
    dealt = starting = 0
    passed: set[int] = set()
    for number, batch in enumerate(known.batches[:-1]):
        if batch.is_dealt:
            dealt |= 1 << number
        if batch.place not in passed and find.seat in {None, batch.place}:  # its first batch has what it was dealt
            starting |= 1 << number
        passed.add(batch.place)
    allowed = list(known.allowed)
    for index, number in enumerate(known.tiles):
        if live[number] in find.absent:
            allowed[index] &= ~dealt
        elif live[number] is find.tile:
            allowed[index] &= starting
    for each in known.shown:
        tile, was_dealt = live[each.tile], not each.since
        if (was_dealt and tile in find.absent) or (
            tile is find.tile and not (each.since <= 0 and find.seat in {None, each.seat})
        ):
            return None
    return allowed


def _eased(allowed: list[int], sizes: Sequence[int]) -> list[int]:
    """`allowed`, unless so many batches lack something that the ways would take too long to count. Then the one that
    lacks least is taken to lack nothing, and so on.
    """
    while work(allowed, sizes) > MOST_COUNTS:
        lacked = [
            (sum([not mask >> number & 1 for mask in allowed]), number) for number, size in enumerate(sizes) if size
        ]
        least = 1 << min([each for each in lacked if each[0]])[1]
        allowed = [mask | least for mask in allowed]
    return allowed
