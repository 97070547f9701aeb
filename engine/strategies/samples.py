"""Deals by chance of the tiles that a seat does not see."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.rules import Rules
from engine.strategies.placements import Floats, Indexes
from engine.tiles import HIGHEST_NUMBER, Tile

Masks = npt.NDArray[np.uint64]


class Sample(NamedTuple):
    """Where all tiles may be that are not laid."""

    hands: tuple[tuple[Tile, ...], ...]
    """By seat, the viewer's own included."""
    boneyard: tuple[Tile, ...]
    """In drawing order."""


class Deals:
    """Deals by chance, a row for each: which tiles lie where, by their index in `Rules.live_tiles`."""

    __slots__ = ("_own", "_starts", "live", "seat_count", "tiles", "weights")

    tiles: Indexes
    """The unseen tiles of each deal: those of the first place, then those of the second; the boneyard in drawing order.
    """
    weights: Floats
    """How much each deal counts."""

    def __init__(
        self, live: tuple[Tile, ...], own: tuple[int | None, Sequence[int]], sizes: Sequence[int], tiles: Indexes
    ) -> None:
        self.live = live
        self.seat_count = len(sizes) - 1
        self.tiles = tiles
        self.weights = np.ones(len(tiles))
        self._own = own
        self._starts = [sum(sizes[:place]) for place in range(len(sizes) + 1)]

    def __len__(self) -> int:
        return len(self.tiles)

    def __getitem__(self, number: int) -> Sample:
        hands = [tuple([self.live[tile] for tile in self.of(place)[number]]) for place in range(self.seat_count + 1)]
        return Sample(tuple(hands[:-1]), hands[-1])

    def of(self, place: int) -> Indexes:
        """The tiles that `place` holds in each deal, a row for each; for the boneyard in drawing order."""
        seat, own = self._own
        if place == seat:
            return np.broadcast_to(np.array(own, dtype=np.intp), (len(self), len(own)))
        return self.tiles[:, self._starts[place] : self._starts[place + 1]]

    def where(self) -> npt.NDArray[np.int8]:
        """The place of each live tile, by column, in each deal, by row; -1 for tiles that are laid."""
        where = np.full((len(self), len(self.live)), -1, dtype=np.int8)
        for place in range(self.seat_count + 1):
            np.put_along_axis(where, self.of(place), np.int8(place), axis=1)
        return where

    def masks(self) -> Masks:
        """What each place holds, by column, in each deal, by row: a bit for each of at most 64 live tiles."""
        assert len(self.live) <= 64, "A double-twelve set has more tiles than a mask has bits."
        bits = np.uint64(1) << np.arange(len(self.live), dtype=np.uint64)
        masks = [np.bitwise_or.reduce(bits[self.of(place)], axis=1) for place in range(self.seat_count + 1)]
        return np.stack(masks, axis=1)

    def weighed(self, likelihoods: Floats) -> "Deals":
        """The same deals, each counting so many times as much: in proportion to how likely what was seen is with it."""
        assert likelihoods.shape == self.weights.shape
        weighed = Deals(self.live, self._own, np.diff(self._starts).tolist(), self.tiles)
        weighed.weights = self.weights * likelihoods
        return weighed

    def effective(self) -> float:
        """How many deals of equal weight say as much as these (Kish, 1965); 0 where none counts."""
        total = float(self.weights.sum())
        return total * total / float((self.weights**2).sum()) if total else 0.0


def can_be_thrown_in(rules: Rules, unseen: Sequence[Tile], sizes: Sequence[int]) -> bool:
    """Whether any deal of `unseen` to places of `sizes`, the boneyard last, can give one hand too much of a kind."""
    most = max(sizes[:-1])
    doubles = sum([tile.is_double for tile in unseen])
    longest = max([sum([tile.numbers >> number & 1 for tile in unseen]) for number in range(HIGHEST_NUMBER + 1)])
    return 0 < rules.redeal_doubles <= min(doubles, most) or 0 < rules.redeal_suit <= min(longest, most)


def thrown_in(rules: Rules, deals: Deals) -> npt.NDArray[np.bool_]:
    """Whether each of `deals` gives one hand too many doubles, or too many tiles of one number, to have been played."""
    doubles = np.array([tile.is_double for tile in deals.live])
    numbers = np.array([[tile.numbers >> number & 1 for tile in deals.live] for number in range(HIGHEST_NUMBER + 1)])
    thrown_in = np.zeros(len(deals), dtype=np.bool_)
    for seat in range(deals.seat_count):
        held = deals.of(seat)
        if rules.redeal_doubles:
            thrown_in |= doubles[held].sum(axis=1) >= rules.redeal_doubles
        if rules.redeal_suit:
            thrown_in |= numbers[:, held].sum(axis=2).max(axis=0) >= rules.redeal_suit
    return thrown_in
