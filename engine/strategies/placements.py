"""All the ways to put tiles in places of fixed sizes where not every tile may lie in every place: how many there are,
how many of them put a tile somewhere, and some of them by chance, each as likely as any other.

A way is a choice of place for each tile. The tiles are placed one after the other, and for each number of tiles the
ways to place the rest are counted by how much room is left where: the room before a tile is what it was after it in
one of the places that may hold it. To draw a way by chance each tile goes to a place as often as there are ways to go
on from there, so that nothing is ever tried in vain.

Places that may hold the same tiles are one place here, and are told apart by lot at the end. Of what is left the
largest needs no account: its room is what the others leave. The counts are whole numbers in doubles, without an error
up to 2**53 and to some 15 digits beyond.
"""

from collections.abc import Sequence
from math import comb
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Indexes = npt.NDArray[np.intp]

MOST_COUNTS: Final = 2_000_000
"""Counts that are kept at most: 16 MB, and some 10 ms to make."""

_WORD: Final = (1 << 64) - 1
_GAMMA: Final = np.uint64(0x9E3779B97F4A7C15)
_FIRST: Final = np.uint64(0xBF58476D1CE4E5B9)
_SECOND: Final = np.uint64(0x94D049BB133111EB)


def uniform(seed: int, first: int, count: int, width: int) -> Floats:
    """`count` rows of `width` numbers from 0 to below 1: those of a table that `seed` makes, from row `first` on.

    They are SplitMix64's (Steele, Lea and Flood, 2014), which counts and mixes: no row needs those before.
    """
    start = _mixed(np.array([seed & _WORD], dtype=np.uint64))
    counter = np.arange(first * width + 1, (first + count) * width + 1, dtype=np.uint64)
    words = _mixed(start + counter * _GAMMA) >> np.uint64(11)
    return (words.astype(np.float64) * 2.0**-53).reshape(count, width)


def _mixed(words: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    words = (words ^ (words >> np.uint64(30))) * _FIRST
    words = (words ^ (words >> np.uint64(27))) * _SECOND
    return words ^ (words >> np.uint64(31))


class Placements:
    """The ways to put tiles in places of `sizes`, which are full then. For each tile `allowed` has a bit for each place
    that may hold it.
    """

    __slots__ = ("_chances", "_kinds", "_masks", "_order", "_rooms", "_sizes", "_total", "_ways", "count")

    count: float
    """How many ways there are."""

    def __init__(self, allowed: Sequence[int], sizes: Sequence[int]) -> None:
        assert len(allowed) == sum(sizes), "The places hold all tiles and no more."
        plan = _planned(allowed, sizes)
        self._sizes = sizes
        self._kinds = plan.kinds
        self._masks = plan.masks
        self._order = sorted(plan.open, key=lambda tile: (len(self._masks[tile]), self._masks[tile]))
        """The tiles that may lie in more than one kind of place."""
        self._rooms = _Rooms(plan.room)
        ways = [self._rooms.full() if plan.is_possible else self._rooms.none()]
        for tile in reversed(self._order):
            ways.append(self._rooms.before(ways[-1], self._masks[tile]))
        self._ways = ways[::-1]
        """The ways to place the rest once a number of tiles, in `_order`, are placed, by the room that is left."""
        self._total = float(self._ways[0].ravel()[self._rooms.start])
        self.count = self._total * self._splits()
        self._chances: Floats | None = None

    def _splits(self) -> int:
        """The ways to tell places of one kind apart once the tiles of each kind are chosen."""
        splits = 1
        for places in self._kinds:
            rest = 0
            for place in places:
                rest += self._sizes[place]
                splits *= comb(rest, self._sizes[place])
        return splits

    def chances(self) -> Floats:
        """The part of all ways that puts each tile, by row, in each place, by column."""
        assert self.count
        if self._chances is None:
            self._chances = self._counted()
        return self._chances

    def _counted(self) -> Floats:
        rooms, done = self._rooms, self._rooms.empty()
        chances = np.zeros((len(self._masks), len(self._sizes)))
        for tile, mask in enumerate(self._masks):
            if len(mask) == 1:
                chances[tile] = self._split(mask[0], 1)
        shares: dict[tuple[int, ...], Floats] = {}
        for tile, after in zip(self._order, self._ways[1:], strict=True):
            mask = self._masks[tile]
            if mask not in shares:  # tiles that may lie in the same places are as likely in each
                shares[mask] = self._shares(done, after, mask)
            chances[tile] = shares[mask]
            done = rooms.after(done, mask)
        return chances

    def _shares(self, done: Floats, after: Floats, mask: tuple[int, ...]) -> Floats:
        """The part of all ways that puts a tile in each place, when it may lie in `mask` and is placed between the two
        counts.
        """
        share = np.zeros(len(self._sizes))
        for kind in mask:
            ways = float(np.vdot(done, self._rooms.before(after, (kind,))))
            share += self._split(kind, ways / self._total)
        return share

    def _split(self, kind: int, chance: float) -> Floats:
        """The `chance` of a kind of place by place."""
        share, places = np.zeros(len(self._sizes)), self._kinds[kind]
        total = sum([self._sizes[place] for place in places])
        for place in places:
            share[place] = chance * self._sizes[place] / total
        return share

    def sample(self, seed: int, first: int, count: int) -> Indexes:
        """`count` ways by chance, a row for each: those of an endless list that `seed` makes, from number `first` on.

        A row names each tile once: those in the first place, then those in the second, and so on. Within a place their
        order is as likely as any other.
        """
        assert self.count
        chance = uniform(seed, first, count, len(self._order) + len(self._masks))
        key = chance[:, len(self._order) :]
        key += [mask[0] if len(mask) == 1 else 0 for mask in self._masks]
        room = np.full(count, self._rooms.start, dtype=np.intp)
        for number, tile in enumerate(self._order):
            key[:, tile] += self._chosen(room, number, chance[:, number])
        order = np.argsort(key, axis=1)
        return order[:, self._columns()]

    def _chosen(self, room: Indexes, number: int, chance: Floats) -> Indexes:
        """The kind of place that each row's tile `number` goes to by `chance`; `room` is what it leaves."""
        mask = self._masks[self._order[number]]
        steps = self._rooms.steps[list(mask)]
        after = self._ways[number + 1].ravel()
        ways = after[room - steps[0]]
        bounds = [ways]
        for step in steps[1:]:
            ways = ways + after[room - step]
            bounds.append(ways)
        drawn = chance * ways
        choice = np.zeros(len(room), dtype=np.intp)
        for bound in bounds[:-1]:
            choice += drawn >= bound
        room -= steps[choice]
        return np.array(mask, dtype=np.intp)[choice]

    def _columns(self) -> Indexes:
        """For each place in turn, where its tiles are when the tiles are sorted by the kind of their place."""
        at: dict[int, range] = {}
        first = 0
        for places in self._kinds:
            for place in places:
                at[place] = range(first, first + self._sizes[place])
                first += self._sizes[place]
        return np.array([column for place in sorted(at) for column in at[place]], dtype=np.intp)


class _Rooms:
    """Counts by the room that is left in each kind of place but the largest: an axis for each, where 0 is no room for
    a tile that lies there already, so that it counts nothing, and 1 is a full place.
    """

    __slots__ = ("_axes", "_shape", "start", "steps")

    def __init__(self, sizes: list[int]) -> None:
        largest = max(range(len(sizes)), key=sizes.__getitem__, default=0)
        kept = [kind for kind, size in enumerate(sizes) if size and kind != largest]
        self._shape = tuple([sizes[kind] + 2 for kind in kept])
        self._axes: dict[int, int | None] = {largest: None} | {kind: axis for axis, kind in enumerate(kept)}
        self.steps = np.zeros(len(sizes), dtype=np.intp)
        """How far apart in memory the counts are whose room in a kind of place differs by one."""
        for axis, kind in enumerate(kept):
            self.steps[kind] = int(np.prod(self._shape[axis + 1 :], dtype=np.intp))
        self.start = int(sum([(sizes[kind] + 1) * self.steps[kind] for kind in kept]))
        """Where in memory the count is for places that are empty."""

    def full(self) -> Floats:
        """One way, with no room left."""
        ways = np.zeros(self._shape)
        ways[(1,) * len(self._shape)] = 1
        return ways

    def none(self) -> Floats:
        """No way at all."""
        return np.zeros(self._shape)

    def empty(self) -> Floats:
        """One way, with all room left."""
        ways = np.zeros(self._shape)
        ways.reshape(-1)[self.start] = 1
        return ways

    def before(self, ways: Floats, kinds: tuple[int, ...]) -> Floats:
        """The ways on from before a tile that may lie in `kinds`, by those from after it."""
        return self._moved(ways, kinds, slice(1, None), slice(None, -1))

    def after(self, ways: Floats, kinds: tuple[int, ...]) -> Floats:
        """The ways to come to after a tile that may lie in `kinds`, by those to come to before it."""
        moved = self._moved(ways, kinds, slice(None, -1), slice(1, None))
        for axis in range(len(self._shape)):
            moved[(slice(None),) * axis + (0,)] = 0
        return moved

    def _moved(self, ways: Floats, kinds: tuple[int, ...], to: slice, source: slice) -> Floats:
        moved = np.zeros(self._shape)
        for kind in kinds:
            axis = self._axes[kind]
            if axis is None:
                moved += ways
            else:
                others = (slice(None),) * axis
                moved[(*others, to)] += ways[(*others, source)]
        return moved


def _alike(allowed: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    """The places that have room, those together that may hold the same tiles."""
    kinds: dict[Any, list[int]] = {}
    for place, size in enumerate(sizes):
        if size:
            kinds.setdefault(tuple([mask >> place & 1 for mask in allowed]), []).append(place)
    return list(kinds.values())


class _Plan(NamedTuple):
    """What there is to count, once the tiles are placed that may lie in one kind of place only."""

    kinds: list[list[int]]
    """The places of each kind."""
    masks: list[tuple[int, ...]]
    """For each tile the kinds of place that it may lie in."""
    open: list[int]
    """The tiles of which that is more than one."""
    room: list[int]
    """What these find left, by kind."""
    is_possible: bool


def _planned(allowed: Sequence[int], sizes: Sequence[int]) -> _Plan:
    kinds = _alike(allowed, sizes)
    room = [sum([sizes[place] for place in places]) for places in kinds]
    bits = [(kind, 1 << places[0]) for kind, places in enumerate(kinds)]
    masks = [tuple([kind for kind, bit in bits if mask & bit]) for mask in allowed]
    tiles, is_possible = list(range(len(allowed))), all(masks)
    while is_possible and (placed := [tile for tile in tiles if len(masks[tile]) == 1]):
        for tile in placed:
            room[masks[tile][0]] -= 1
        tiles = [tile for tile in tiles if len(masks[tile]) > 1]
        full = {kind for kind, left in enumerate(room) if left <= 0}
        for tile in tiles if full else ():
            masks[tile] = tuple([kind for kind in masks[tile] if kind not in full])
        is_possible = all(masks) and min(room) >= 0
    return _Plan(kinds, masks, tiles if is_possible else [], room if is_possible else [0], is_possible)


def work(allowed: Sequence[int], sizes: Sequence[int]) -> int:
    """How many counts `Placements` would keep."""
    plan = _planned(allowed, sizes)
    counts = len(plan.open) + 1
    for room in sorted(plan.room)[:-1]:
        counts *= room + 2 if room else 1
    return counts
