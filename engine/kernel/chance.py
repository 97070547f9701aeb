"""Chance that repeats: SplitMix64, and moves that are chosen by it."""

from typing import Any, Final

import numpy as np

from engine.kernel.compiled import Slots, compiled
from engine.kernel.line import count_after
from engine.kernel.machine import count, highest, lowest
from engine.kernel.slots import BOUND, DOWN, ENDS, FITS, FOR_COUNT, OPENED, OPENING, SCORES_IN_PLAY
from engine.kernel.turns import playable, playable_at, unplayable

_STEP: Final = np.uint64(0x9E3779B97F4A7C15)
_FIRST: Final = np.uint64(0xBF58476D1CE4E5B9)
_SECOND: Final = np.uint64(0x94D049BB133111EB)
_30, _27, _31, _32 = (np.uint64(bits) for bits in (30, 27, 31, 32))
ALWAYS: Final = 256
"""How often something happens that always does."""


@compiled
def mixed(word: Any) -> Any:
    """A word of 64 bits in which each bit of `word` has changed about half of the bits."""
    word = (word ^ (word >> _30)) * _FIRST
    word = (word ^ (word >> _27)) * _SECOND
    return word ^ (word >> _31)


@compiled
def below(dice: Any, bound: int) -> int:
    """The next integer from 0 to `bound` - 1; `dice` is an array of one word."""
    dice[0] += _STEP
    return np.int64(((mixed(dice[0]) >> _32) * np.uint64(bound)) >> _32)  # type: ignore[return-value]


@compiled
def choose(plan: Slots, state: Slots, dice: Any, greed: int) -> int:
    """A move: `greed` times of 256 what scores most now, then the heaviest tile; else all legal ones equally likely."""
    tiles = playable(plan, state)
    if not tiles:
        return unplayable(plan, state)
    greedy = greed > 0 and below(dice, ALWAYS) < greed
    if not state[OPENED]:
        return ENDS * (highest(tiles) if greedy else _pick(tiles, below(dice, count(tiles)))) + OPENING
    if greedy and plan[SCORES_IN_PLAY]:
        return _most(plan, state)
    if greedy:
        tiles = 1 << highest(tiles)
    return _any(state, dice, tiles)


@compiled
def by_weight(plan: Slots, state: Slots, dice: Any, first: int) -> int:
    """The heaviest tile, of those of `first` if there are any, at any end that it fits; there has to be a play."""
    tiles = playable(plan, state)
    if tiles & first:
        tiles &= first
    if not state[OPENED]:
        return ENDS * highest(tiles) + OPENING
    return _any(state, dice, 1 << highest(tiles))


@compiled
def _pick(tiles: int, place: int) -> int:
    for _ in range(place):
        tiles &= tiles - 1
    return lowest(tiles)


@compiled
def _any(state: Slots, dice: Any, tiles: int) -> int:
    """Any of `tiles` at any end that it fits."""
    first, last = 0, DOWN
    if state[BOUND] >= 0:
        first = last = state[BOUND]
    places = 0
    for end in range(first, last + 1):
        places += count(tiles & state[FITS + end])
    place = below(dice, places)
    for end in range(first, last):
        fitting = tiles & state[FITS + end]
        if place < count(fitting):
            return ENDS * _pick(fitting, place) + end
        place -= count(fitting)
    return ENDS * _pick(tiles & state[FITS + last], place) + last


@compiled
def _most(plan: Slots, state: Slots) -> int:
    """What brings the layout to the count that scores most, ties by weight; equal ends are not looked at."""
    best, most = 0, -1
    for end in range(DOWN + 1):
        tiles = playable_at(plan, state, end)
        while tiles:
            tile = lowest(tiles)
            tiles &= tiles - 1
            worth = ENDS * ENDS * plan[FOR_COUNT + count_after(plan, state, tile, end)] + tile
            if worth > most:
                best, most = ENDS * tile + end, worth
    return best
