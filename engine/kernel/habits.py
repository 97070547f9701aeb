"""How likely the plays were that a seat made, with what it held in each of some deals.

A player is taken to choose by habit: each play has a price by what everybody could see and by the player's own tiles,
and the dearer it is the likelier it is made, in proportion to the exponential of its price (a softmax).
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from engine.kernel.compiled import SOURCES, Slots, compiled, kept
from engine.kernel.line import lay
from engine.kernel.machine import at, copy, count, further, lowest
from engine.kernel.plan import Ints, Plan
from engine.kernel.points import for_play
from engine.kernel.position import code_of, empty
from engine.kernel.slots import ASKED, DOUBLES, DOWN, DRAW, ENDS, FITS, LAID, MOST_TILES, OPENED, PASS, PIPS
from engine.layout import ENDS as NAMES
from engine.moves import PastMove, Play

Floats = npt.NDArray[np.float64]
Masks = npt.NDArray[np.uint64]

FEATURES: Final = ("pips", "double", "points", "follow", "stuck", "shut", "others")
"""What a play's price is made of: its tile's pips; 1 for a double; the points it takes in play; how many of the own
tiles fit then, and 1 if none does; at how many ends the next seat has shown that it cannot go on then; and how many of
the tiles that the player does not see fit then.
"""
_PIPS, _DOUBLE, _POINTS, _FOLLOW, _STUCK, _SHUT, _OTHERS = range(7)
_FEATURES: Final = len(FEATURES)

_MOVE, _FREE, _FITS = 0, 1, 2
"""In a row of a record: the play, the tiles that were not laid before it, and what might have gone to each end; nothing
for an opening, which is not told by.
"""
_PLACES: Final = MOST_TILES * ENDS
_AFTER: Final = 8
"""By tile and end: what fits on the table then, what the play takes, and how many ends are shut to the next seat."""
_TAKES: Final = _AFTER + _PLACES
_SHUTS: Final = _TAKES + _PLACES
_ROW: Final = _SHUTS + _PLACES


def record(plan: Plan, moves: Sequence[PastMove]) -> Ints:
    """What could be seen of each of `moves`, all that were made in the hand so far, and of what else fitted instead."""
    codes = [_code(plan, move) for move in moves]
    seats = [move.seat for move in moves]
    rows = np.zeros((len(moves), _ROW), np.int64)
    state = empty(plan)
    following = [(seat + 1) % plan.seats for seat in seats]
    acts = np.array([codes, seats, following, _bound(plan, moves)], np.int64)
    _record(plan.numbers, acts, state, state.copy(), rows, np.zeros(plan.seats, np.int64))
    return rows


def _code(plan: Plan, move: PastMove) -> int:
    if move.tile is None:
        return DRAW if move.type == "draw" else PASS
    return code_of(plan, Play(move.tile, move.end))


def _bound(plan: Plan, moves: Sequence[PastMove]) -> list[int]:
    """For each move the end at which it had to be made, since the seat went on there; -1 for none."""
    bound = [-1] * len(moves)
    if plan.rules.extra_turn == "until_stuck":
        for number, (before, move) in enumerate(pairwise(moves), 1):
            # Who comes back because the others miss their turns has nothing to play there.
            if move.end is not None and (move.seat, move.end) == (before.seat, before.end):
                bound[number] = NAMES.index(move.end)
    return bound


def likelihoods(plan: Plan, rows: Ints, held: Masks, order: Ints, prices: Floats, slip: float) -> Floats:
    """How likely all the plays of `rows` together were, by deal and habit.

    `held` says by deal and play what the seat held before it, a bit for each tile in another `order`, which names the
    plan's index of each. `prices` are those of each habit for `FEATURES`; by chance, `slip` of the time, a player plays
    anything. With a deal by which a seat did not hold what it played, they are impossible.
    """
    likely = np.ones((len(held), len(prices)))
    work = np.zeros((2, len(prices)))
    held_bits = np.ascontiguousarray(held).view(np.int64)
    _weigh(plan.numbers, rows, held_bits, order, prices, float(slip), np.zeros(len(FEATURES)), work, likely)
    return likely


@compiled
def _note_place(plan: Slots, then: Slots, row: Slots, place: int, barred: int) -> None:
    """Write down what follows from the play that is numbered `place`, and made in `then`."""
    lay(plan, then, place // ENDS, place % ENDS)
    row[_AFTER + place] = then[ASKED]
    row[_TAKES + place] = for_play(plan, then, place % ENDS)
    for end in range(DOWN + 1):
        if then[FITS + end] and then[FITS + end] & ~barred == 0:
            row[_SHUTS + place] += 1


@compiled
def _note_play(plan: Slots, now: Slots, then: Slots, row: Slots, barred: int, bound: int, size: int) -> None:
    """Write down what could be played in `now`, at the end `bound` if there is one, where the next seat has shown that
    it has no tile of `barred`.
    """
    row[_FREE] = ~now[LAID]
    for end in range(DOWN + 1):
        tiles = now[FITS + end] & ~now[LAID] if bound in (-1, end) else 0
        row[_FITS + end] = tiles
        while tiles:
            copy(now, then, size)
            _note_place(plan, then, row, ENDS * lowest(tiles) + end, barred)
            tiles &= tiles - 1


@compiled
def _describe(plan: Slots, row: Slots, hand: int, place: int, features: Any) -> None:
    """Find the features of a play of `hand`."""
    tile = place // ENDS
    rest, after = hand & ~(1 << tile), row[_AFTER + place]
    following = count(rest & after)
    features[_PIPS] = plan[PIPS + tile]
    features[_DOUBLE] = plan[DOUBLES] >> tile & 1
    features[_POINTS] = row[_TAKES + place]
    features[_FOLLOW] = following
    features[_STUCK] = 1 if following == 0 else 0
    features[_SHUT] = row[_SHUTS + place]
    features[_OTHERS] = count(after & row[_FREE] & ~hand)


@compiled
def _in_order(mask: int, order: Slots) -> int:
    """The tiles of `mask`, whose bits are in another order."""
    tiles = 0
    while mask:
        tiles |= 1 << order[lowest(mask)]
        mask &= mask - 1
    return tiles


@compiled
def _add_up(
    plan: Slots, row: Slots, hand: int, prices: Any, habits: int, features: Any, worths: Any
) -> tuple[int, bool]:
    """Add up, by habit, the exponentials of the prices of all plays, and then that of the one that was made. Say how
    many plays there were, and whether that was one of them.
    """
    found, made = 0, False
    for end in range(DOWN + 1):
        tiles = hand & row[_FITS + end]
        while tiles:
            place = ENDS * lowest(tiles) + end
            tiles &= tiles - 1
            found += 1
            _describe(plan, row, hand, place, features)
            for habit in range(habits):
                price = 0.0
                for feature in range(_FEATURES):
                    price += prices[habit * _FEATURES + feature] * features[feature]
                worth = np.exp(price)
                worths[habit] += worth
                if place == row[_MOVE]:
                    made = True
                    worths[habits + habit] = worth
    return found, made


def _recorder() -> Callable[..., None]:
    sources = SOURCES

    @kept
    def record_all(plan: Ints, acts: Ints, state: Ints, scratch: Ints, rows: Ints, barred: Ints) -> None:
        assert sources
        now = at(state)
        for number in range(acts.shape[1]):
            move, seat = acts[0, number], acts[1, number]
            if move == DRAW:
                barred[seat] = now[ASKED]
            elif move == PASS:
                barred[seat] |= now[ASKED]
            else:
                row = further(at(rows), number * rows.shape[1])
                row[_MOVE] = move
                if now[OPENED]:
                    _note_play(at(plan), now, at(scratch), row, barred[acts[2, number]], acts[3, number], len(state))
                lay(at(plan), now, move // ENDS, move % ENDS)

    return record_all


def _weigher() -> Callable[..., None]:
    sources = SOURCES

    @kept
    def weigh(  # noqa: PLR0913, PLR0917 - they are arrays of different shapes
        plan: Ints,
        rows: Ints,
        held: Ints,
        order: Ints,
        prices: Floats,
        slip: float,
        features: Floats,
        worths: Floats,
        likely: Floats,
    ) -> None:
        assert sources
        habits = len(prices)
        for number in range(len(rows)):
            row = further(at(rows), number * rows.shape[1])
            if not row[_FREE]:
                continue
            for deal in range(len(held)):
                hand = _in_order(held[deal, number], at(order))
                worths[:] = 0.0
                found, made = _add_up(at(plan), row, hand, at(prices), habits, at(features), at(worths))
                if not made:
                    likely[deal, :] = 0.0
                elif found > 1:
                    for habit in range(habits):
                        likely[deal, habit] *= (1 - slip) * worths[1, habit] / worths[0, habit] + slip / found

    return weigh


_record, _weigh = _recorder(), _weigher()
