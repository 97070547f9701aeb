"""Deals by chance of the tiles that a seat does not see."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.moves import PastMove
from engine.rules import Rules
from engine.strategies.history import Past
from engine.strategies.placements import Indexes
from engine.tiles import HIGHEST_NUMBER, Tile

Masks = npt.NDArray[np.uint64]


class Sample(NamedTuple):
    """Where all tiles may be that are not laid."""

    hands: tuple[tuple[Tile, ...], ...]
    """By seat, the viewer's own included."""
    boneyard: tuple[Tile, ...]
    """In drawing order."""


class Table(NamedTuple):
    """What is the same in all deals of a sample."""

    live: tuple[Tile, ...]
    seat: int | None
    """The viewer's; null for one who sits nowhere."""
    own: tuple[int, ...]
    """The tiles that it holds, by their index in `live`."""
    moves: tuple[PastMove, ...]
    """Those of the hand so far."""
    past: Past


class Deals:
    """Deals by chance, a row for each: which tiles lie where, by their index in `Rules.live_tiles`."""

    __slots__ = ("_got", "_rows", "_starts", "_table", "live", "seat_count", "tiles")

    tiles: Indexes
    """The unseen tiles of each deal: those of the first place, then those of the second; the boneyard in drawing order.
    """

    def __init__(self, table: Table, sizes: Sequence[int], rows: Indexes) -> None:
        """`sizes` are those of the places now; `rows` name the tiles of each batch in turn, in the order they came."""
        self.live = table.live
        self.seat_count = len(sizes) - 1
        self._table = table
        self._rows = rows
        self._got: dict[tuple[int, int], Masks] = {}
        """What each seat had got of the tiles in its batches, by how many these were."""
        self._starts = [sum(sizes[:place]) for place in range(len(sizes) + 1)]
        self.tiles = rows
        if rows.shape[1] > sum(sizes):
            is_unseen = np.zeros(len(self.live), dtype=np.bool_)
            is_unseen[list(table.past.tiles[: table.past.unseen])] = True
            self.tiles = rows[is_unseen[rows]].reshape(len(rows), sum(sizes))

    @property
    def others(self) -> list[int]:
        """The seats but the viewer's."""
        return [seat for seat in range(self.seat_count) if seat != self._table.seat]

    def __len__(self) -> int:
        return len(self.tiles)

    def __getitem__(self, number: int) -> Sample:
        hands = [tuple([self.live[tile] for tile in self.of(place)[number]]) for place in range(self.seat_count + 1)]
        return Sample(tuple(hands[:-1]), hands[-1])

    def of(self, place: int) -> Indexes:
        """The tiles that `place` holds in each deal, a row for each; for the boneyard in drawing order."""
        if place == self._table.seat:
            own = np.array(self._table.own, dtype=np.intp)
            return np.broadcast_to(own, (len(self), len(own)))
        return self.tiles[:, self._starts[place] : self._starts[place + 1]]

    def where(self) -> npt.NDArray[np.int8]:
        """The place of each live tile, by column, in each deal, by row; -1 for tiles that are laid."""
        where = np.full((len(self), len(self.live)), -1, dtype=np.int8)
        for place in range(self.seat_count + 1):
            np.put_along_axis(where, self.of(place), np.int8(place), axis=1)
        return where

    def masks(self) -> Masks:
        """What each place holds, by column, in each deal, by row: a bit for each of at most 64 live tiles."""
        return np.stack([self._masks(self.of(place)) for place in range(self.seat_count + 1)], axis=1)

    def held_before(self, number: int, seat: int) -> Masks:
        """What `seat`, another one, held in each deal before the hand's move `number`, counted from 0: a bit for each
        of at most 64 live tiles. As many as there are moves is now.
        """
        assert seat != self._table.seat, "A seat knows what it held itself."
        past, moves = self._table.past, self._table.moves
        shown = [tile.tile for tile in past.shown if tile.seat == seat and tile.since <= number <= tile.until]
        laid = {move.tile for move in moves[:number]}
        gone = [tile for tile in past.tiles[past.unseen :] if self.live[tile] in laid]
        columns = self._columns(seat, number)
        key = (seat, len(columns))
        if key not in self._got:
            self._got[key] = self._masks(np.take(self._rows, columns, axis=1))
        return self._got[key] & ~_mask(gone) | _mask(shown)

    def dealt(self, seat: int) -> Indexes:
        """What `seat`, another one, was dealt, a row for each deal; only what is sure of it, where its draws are
        forgotten.
        """
        past, columns, first = self._table.past, list[int](), 0
        for batch in past.batches:
            if batch.place == seat and batch.is_dealt:
                columns += range(first, first + len(batch.arrivals))
            first += len(batch.arrivals)
        shown = [tile.tile for tile in past.shown if tile.seat == seat and not tile.since]
        return np.hstack(
            [np.take(self._rows, columns, axis=1), np.broadcast_to(np.array(shown, np.intp), (len(self), len(shown)))]
        )

    def _columns(self, seat: int, number: int) -> list[int]:
        """Which of `_rows` name what `seat` had got of the batches' tiles before move `number`."""
        columns, first = list[int](), 0
        for batch in self._table.past.batches:
            if batch.place == seat:
                columns += [column for column, since in enumerate(batch.arrivals, first) if since <= number]
            first += len(batch.arrivals)
        return columns

    def _masks(self, tiles: Indexes) -> Masks:
        assert len(self.live) <= 64, "A double-twelve set has more tiles than a mask has bits."
        bits = np.uint64(1) << np.arange(len(self.live), dtype=np.uint64)
        masks: Masks = np.bitwise_or.reduce(bits[tiles], axis=1)
        return masks


def can_be_thrown_in(rules: Rules, table: Table) -> bool:
    """Whether another seat may have been dealt too many tiles of a kind, by what is known of each tile alone."""
    live, past = table.live, table.past
    if not rules.redeal_doubles and not rules.redeal_suit:
        return False
    for number, batch in enumerate(past.batches[:-1]):
        if not batch.is_dealt:
            continue
        shown = [live[tile.tile] for tile in past.shown if tile.seat == batch.place and not tile.since]
        hidden = [live[tile] for tile, mask in zip(past.tiles, past.allowed, strict=True) if mask >> number & 1]
        tiles = shown + hidden
        if 0 < rules.redeal_doubles <= sum([tile.is_double for tile in tiles]):
            return True
        longest = max([sum([tile.numbers >> value & 1 for tile in tiles]) for value in range(HIGHEST_NUMBER + 1)])
        if 0 < rules.redeal_suit <= longest:
            return True
    return False


def thrown_in(rules: Rules, deals: Deals) -> npt.NDArray[np.bool_]:
    """Whether each of `deals` gave another seat too many doubles, or too many tiles of one number, to be played."""
    doubles = np.array([tile.is_double for tile in deals.live])
    numbers = np.array([[tile.numbers >> number & 1 for tile in deals.live] for number in range(HIGHEST_NUMBER + 1)])
    thrown_in = np.zeros(len(deals), dtype=np.bool_)
    for seat in deals.others:
        dealt = deals.dealt(seat)
        if rules.redeal_doubles:
            thrown_in |= doubles[dealt].sum(axis=1) >= rules.redeal_doubles
        if rules.redeal_suit:
            thrown_in |= numbers[:, dealt].sum(axis=2).max(axis=0) >= rules.redeal_suit
    return thrown_in


def _mask(tiles: Sequence[int]) -> np.uint64:
    return np.uint64(sum([1 << tile for tile in tiles]))
