"""What a seat can tell of the tiles that it does not see: which there are, and how likely each lies where."""

from typing import Final

from engine.layout import suits
from engine.tiles import DOUBLE_SUIT, Tile
from engine.view import MatchView, SeatView

_ROUNDS: Final = 4
"""Of balancing; the chances change by less than one in a hundred after them."""


class Memory:
    """Where the unseen tiles may be: those not in the seat's own hand and not on the layout.

    A place is a seat, by its number, or the boneyard, after the last seat. A seat cannot hold a number that the table
    saw it unable to play and that it cannot have got since.
    """

    __slots__ = ("_fitting", "_stuck", "chances", "lacks", "suits", "unseen")

    unseen: tuple[Tile, ...]
    suits: dict[Tile, int]
    """The suits of every tile in play, a bit for each."""
    lacks: list[int]
    """By place, a bit for each suit that it cannot hold."""
    chances: list[dict[Tile, float]]
    """By place: the chance that it holds a tile, for each that it may hold."""

    def __init__(self, view: MatchView, me: int) -> None:
        self.unseen = _unseen(view, me)
        self.suits = {tile: suits(view.rules, tile) for tile in view.rules.live_tiles()}
        assert view.hand is not None
        sizes = [0 if seat.seat == me else seat.tile_count for seat in view.seats] + [view.hand.boneyard_count]
        self.lacks = [_lacking(seat) for seat in view.seats] + [0]
        self.chances = _chances(self.unseen, self.suits, sizes, self.lacks)
        self._fitting: dict[int, list[Tile]] = {}
        self._stuck: dict[tuple[int, int], float] = {}

    def fitting(self, asked: int) -> list[Tile]:
        """The unseen tiles with any of the suits `asked`, a bit for each."""
        if asked not in self._fitting:
            self._fitting[asked] = [tile for tile in self.unseen if self.suits[tile] & asked]
        return self._fitting[asked]

    def pips(self, seat: int) -> float:
        """The pips that `seat` holds on average."""
        return sum([chance * tile.pips for tile, chance in self.chances[seat].items()])

    def stuck(self, seat: int, asked: int) -> float:
        """The chance that `seat` holds no tile with any of the suits `asked`, a bit for each."""
        key = (seat, asked)
        if key not in self._stuck:
            self._stuck[key] = self._miss(seat, asked)
        return self._stuck[key]

    def doors(self, seat: int, asked: int) -> int:
        """Those of the suits `asked` that `seat` may hold, a bit for each."""
        doors = 0
        for tile in self.chances[seat]:
            doors |= self.suits[tile] & asked
        return doors

    def _miss(self, seat: int, asked: int) -> float:
        """The product of the chances to miss each tile that fits. Every tile missed leaves one fewer to hold instead,
        which makes the next one likelier: for one other seat the product is exact (hypergeometric).
        """
        chances = self.chances[seat]
        fitting = [chance for tile, chance in chances.items() if self.suits[tile] & asked]
        missed = 1.0
        for before, chance in enumerate(fitting):
            missed *= max(0.0, 1 - chance * len(chances) / (len(chances) - before))
        return missed


def _lacking(seat: SeatView) -> int:
    doubles = sum([1 << number + DOUBLE_SUIT for number in seat.lacks_doubles])
    return doubles | sum([1 << number for number in seat.lacks])


def _unseen(view: MatchView, me: int) -> tuple[Tile, ...]:
    assert view.hand is not None
    layout, own = view.hand.layout, view.seats[me].tiles
    assert own is not None
    seen = {*own, *[placed.tile for arm in layout.arms for placed in arm.tiles]}
    if layout.opening is not None:
        seen.add(layout.opening.tile)
    return tuple([tile for tile in view.rules.live_tiles() if tile not in seen])


def _chances(
    unseen: tuple[Tile, ...], suits_of: dict[Tile, int], sizes: list[int], lacks: list[int]
) -> list[dict[Tile, float]]:
    """How likely each place holds each tile, for places of these `sizes` that cannot hold the numbers in `lacks`.

    Each place has a pull, and a tile lies in the places that may hold it in proportion to their pulls. The pulls are
    balanced until every place gets on average as many tiles as it holds.
    """
    groups: dict[tuple[int, ...], list[Tile]] = {}
    for tile in unseen:
        able = tuple([place for place, size in enumerate(sizes) if size and not suits_of[tile] & lacks[place]])
        groups.setdefault(able, []).append(tile)
    pulls = [float(size) for size in sizes]
    for _ in range(_ROUNDS):
        for place, size in enumerate(sizes):
            share = sum(
                [len(group) / sum([pulls[other] for other in able]) for able, group in groups.items() if place in able]
            )
            if share:
                pulls[place] = size / share
    chances: list[dict[Tile, float]] = [{} for _ in sizes]
    for able, group in groups.items():
        total = sum([pulls[place] for place in able])
        for place in able:
            chances[place].update(dict.fromkeys(group, min(1.0, pulls[place] / total)))
    return chances
