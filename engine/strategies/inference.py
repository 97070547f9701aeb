"""What a seat can tell of the tiles that it does not see: where each may lie, how likely, and whole deals by chance.

A place is a seat, by its number, or the boneyard, after the last seat. All deals that agree with what the view shows
are taken to be equally likely, as the shuffle makes them; how likely the others' moves were with them is for `weighed`.

While no tile has been drawn in the hand this is exact for a seat that can play: a deal that agrees was as likely as
any other, tiles have only been laid since, and what a seat lacks now it lacked from the start. But some of what the log
tells is not in the view, and then there are deals among those that agree which cannot be: who led, where the opener may
play any tile; that a seat had no double to lead with, or not the double that an end was kept for; that a seat's turn
did not go on, where the rules have it go on with a tile that fits. Once tiles have been drawn it is approximate
besides, since the view does not say who drew, and when:

- of what a seat lacked before its last draw nothing is known any more, though only the tiles drawn may differ;
- a tile that nobody was dealt may lie with any seat, though it can only be among the tiles drawn;
- a deal is as likely as another, though there may be more ways to come to it.

Whatever is not known, the true deal is always among those that agree.

Deals that would have been thrown in, by `redeal_doubles` or `redeal_suit`, are left out of samples as far as they can
be told: by what each seat still holds, for the view does not say who laid what. `chances`, `stuck` and `deals` take
them for possible.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from engine.layout import suits
from engine.strategies.openings import never_dealt
from engine.strategies.placements import MOST_COUNTS, Floats, Placements, work
from engine.strategies.samples import Deals, can_be_thrown_in, thrown_in
from engine.tiles import Tile
from engine.view import MatchView

_ROUNDS: Final = 8
"""Of samples, to find deals that would not have been thrown in. Of whole deals at least a half are not."""


class Known(NamedTuple):
    """What a view says of the hidden tiles."""

    unseen: tuple[Tile, ...]
    """Those that are neither laid nor in the viewer's own hand, lowest first."""
    sizes: tuple[int, ...]
    """By place, how many unseen tiles it holds."""
    allowed: tuple[int, ...]
    """For each unseen tile the places that may hold it, a bit for each."""


class Inference:
    """Where the unseen tiles of a view's hand, which is being played, may be.

    A view that no deal agrees with cannot come of play. If there is one all the same, what the seats lack and how the
    hand was opened are ignored and `agrees` is false, since a seat has to move anyway.
    """

    __slots__ = ("_can_be_thrown_in", "_placements", "_stuck", "_view", "agrees", "known")

    agrees: bool
    """Whether there is a deal that agrees with all that the view shows."""

    def __init__(self, view: MatchView) -> None:
        self._view = view
        known = know(view)
        self._placements = _placements(known.allowed, known.sizes)
        self.agrees = self._placements.count > 0
        if not self.agrees:
            known = known._replace(allowed=(_everywhere(known.sizes),) * len(known.unseen))
            self._placements = Placements(known.allowed, known.sizes)
        self.known = known
        self._can_be_thrown_in = _is_as_dealt(view) and can_be_thrown_in(view.rules, known.unseen, known.sizes)
        self._stuck: dict[tuple[int, int], float] = {}

    @property
    def deals(self) -> float:
        """How many deals agree, whatever the order of the tiles in a place."""
        return self._placements.count

    @property
    def chances(self) -> Floats:
        """The chance that each unseen tile, by row, lies in each place, by column."""
        return self._placements.chances()

    def stuck(self, seat: int, asked: int) -> float:
        """The chance that `seat`, another one, holds no tile with any of the suits `asked`, a bit for each."""
        key = (seat, asked)
        if key not in self._stuck:
            self._stuck[key] = self.stuck_together({seat: asked})
        return self._stuck[key]

    def stuck_together(self, asked: dict[int, int]) -> float:
        """The chance that no seat of `asked`, all of them others, holds a tile with any of the suits it has there."""
        rules, known = self._view.rules, self.known
        allowed = list(known.allowed)
        for index, tile in enumerate(known.unseen):
            having = suits(rules, tile)
            for seat, lacked in asked.items():
                if having & lacked:
                    allowed[index] &= ~(1 << seat)
        return _placements(allowed, known.sizes).count / self._placements.count

    def sample(self, seed: int, count: int) -> Deals:
        """`count` deals that agree, each as likely as any other; the same ones for the same `seed`.

        Those that would have been thrown in are replaced, from a limited number more: if there are not enough, some of
        them stay.
        """
        view, live = self._view, self._view.rules.live_tiles()
        index = {tile: number for number, tile in enumerate(live)}
        seat = view.viewer.seat
        held = view.seats[seat].tiles if seat is not None else None
        own = (seat, [index[tile] for tile in held or ()])
        unseen = np.array([index[tile] for tile in self.known.unseen], dtype=np.intp)
        deals = Deals(live, own, self.known.sizes, unseen[self._placements.sample(seed, 0, count)])
        wrong = np.flatnonzero(thrown_in(view.rules, deals)) if self._can_be_thrown_in else unseen[:0]
        for number in range(1, _ROUNDS):
            if not len(wrong):
                break
            more = Deals(live, own, self.known.sizes, unseen[self._placements.sample(seed, number * count, count)])
            right = more.tiles[~thrown_in(view.rules, more)][: len(wrong)]
            deals.tiles[wrong[: len(right)]] = right
            wrong = wrong[len(right) :]
        return deals


def know(view: MatchView) -> Known:
    """What `view` says of the hidden tiles of its hand, which is being played; a spectator sees no hand at all."""
    hand, me, rules = view.hand, view.viewer.seat, view.rules
    assert hand is not None
    assert hand.result is None, "The hand is over: nothing is hidden."
    unseen = _unseen(view)
    sizes = (*[0 if seat.seat == me else seat.tile_count for seat in view.seats], hand.boneyard_count)
    anywhere = _everywhere(sizes)
    lacks = [
        0 if _may_have_drawn(view, seat.seat) else sum([1 << number for number in seat.lacks]) for seat in view.seats
    ]
    absent = _in_boneyard(view, unseen)
    boneyard = 1 << len(view.seats)
    allowed = []
    for tile in unseen:
        having = suits(rules, tile)
        lacking = sum([1 << seat for seat, lacked in enumerate(lacks) if having & lacked])
        allowed.append(boneyard if tile in absent else anywhere & ~lacking)
    return Known(unseen, sizes, tuple(allowed))


def drawn(view: MatchView) -> int:
    """How many tiles have been drawn in the hand."""
    assert view.hand is not None
    return len(view.rules.live_tiles()) - len(view.seats) * view.rules.hand_size - view.hand.boneyard_count


def _is_as_dealt(view: MatchView) -> bool:
    """Whether the seats hold, but for what they laid, what a shuffle gave them."""
    return not drawn(view) and (view.deal.kind != "fixed" or bool(view.past_hands))


def _everywhere(sizes: Sequence[int]) -> int:
    return sum([1 << place for place, size in enumerate(sizes) if size])


def _unseen(view: MatchView) -> tuple[Tile, ...]:
    assert view.hand is not None
    layout, me = view.hand.layout, view.viewer.seat
    seen = {placed.tile for arm in layout.arms for placed in arm.tiles}
    if layout.opening is not None:
        seen.add(layout.opening.tile)
    if me is not None:
        seen.update(view.seats[me].tiles or ())
    return tuple([tile for tile in view.rules.live_tiles() if tile not in seen])


def _may_have_drawn(view: MatchView, seat: int) -> bool:
    """Whether `seat`, another one, may be about to play a tile just drawn that it would seem to lack."""
    assert view.hand is not None
    return view.rules.drawing != "never" and view.hand.turn == seat and view.viewer.seat != seat


def _in_boneyard(view: MatchView, unseen: tuple[Tile, ...]) -> frozenset[Tile]:
    """The tiles that nobody was dealt, if no seat can have drawn them since: when as many as were drawn are seen."""
    absent = never_dealt(view)
    hidden = absent.intersection(unseen)
    return hidden if drawn(view) <= len(absent) - len(hidden) else frozenset()


def _placements(allowed: Sequence[int], sizes: Sequence[int]) -> Placements:
    """The placements, exact unless so many seats lack something that they would take too long to count. Then the seat
    whose lacks say least is taken to lack nothing, and so on.
    """
    allowed = list(allowed)
    while work(allowed, sizes) > MOST_COUNTS:
        anywhere = _everywhere(sizes)
        barred = [
            (sum([not mask >> place & 1 for mask in allowed]), place)
            for place in range(len(sizes))
            if anywhere >> place & 1
        ]
        least = min([each for each in barred if each[0]])[1]
        allowed = [mask | 1 << least for mask in allowed]
    return Placements(allowed, sizes)
