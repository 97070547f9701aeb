"""Which positions of a hand are the same for what is to come, whatever led there."""

from typing import Any, Final

import numpy as np

from engine.kernel.compiled import Slots, compiled
from engine.kernel.slots import (
    AT_ONCE,
    BEYOND,
    BLOCK_TIE,
    BLOCK_WINNER,
    BOUND,
    COUNTS,
    DOWN,
    DRAWN,
    END_CEILING,
    EQUAL_ENDS,
    FIRST_ENTRY,
    HALVES,
    HAND,
    IS_LAST,
    LAST_PLAYER,
    LAST_TILE,
    LEFT,
    LENGTH,
    LINE_ENDS,
    OPENED,
    OPENED_DOUBLE,
    PASS_SCORES,
    PASSED,
    PASSES,
    RIGHT,
    SCORE,
    SCORES_IN_PLAY,
    SEATS,
    SHOWN,
    SKIP_EQUAL_ENDS,
    SPINNER,
    SPINNER_ARMS,
    SPINNER_RULE,
    STRIDE,
    TARGET_RULE,
    TARGET_SCORE,
    TEAMS,
    TURN,
    UP,
    YARD,
)
from engine.kernel.stakes import BONUS, SIZE

_AT_ONCE, _CROSS_AND_DOUBLES_FIRST = 1, 4
_FIRST_COVERED: Final = 3
_BLOCKER_OR_NEXT: Final = 3
_LAST_PLAYER: Final = 2
_MIX: Final = np.uint64(0x9FB21C651E98DF25)
_SHIFT: Final = np.uint64(32)


@compiled
def identity(plan: Slots, state: Slots) -> int:
    """A number that positions share which are the same for what is to come, and others as good as never."""
    word = _mixed(np.uint64(0), _ends(plan, state))
    word = _mixed(word, _turn(plan, state))
    for seat in range(plan[SEATS]):
        word = _mixed(word, state[HAND + STRIDE * seat])
    if _scores_matter(plan, state):
        for team in range(plan[TEAMS]):
            word = _mixed(word, state[SCORE + STRIDE * team])
    return np.int64(word)  # type: ignore[return-value]


@compiled
def _mixed(word: Any, number: int) -> Any:
    word = (word ^ np.uint64(number)) * _MIX
    return word ^ (word >> _SHIFT)


@compiled
def _turn(plan: Slots, state: Slots) -> int:
    """Who has the turn, and how it came to that, as far as it matters."""
    word = state[TURN] | state[YARD] << 4 | (state[BOUND] + 1) << 12
    if state[DRAWN]:
        word |= 1 << 16
    if plan[PASS_SCORES]:
        word |= state[PASSED] << 17 | min(1, state[PASSES]) << 18
    if plan[PASS_SCORES] or plan[BLOCK_TIE] == _LAST_PLAYER or plan[BLOCK_WINNER] == _BLOCKER_OR_NEXT:
        word |= (state[LAST_PLAYER] + 1) << 20
    return word


@compiled
def _scores_matter(plan: Slots, state: Slots) -> bool:
    """Whether the scores may change in play, and whether they mean anything but points to what is to come."""
    if not plan[SCORES_IN_PLAY] and not plan[PASS_SCORES]:
        return False
    if plan[SIZE] or plan[TARGET_RULE] or plan[FIRST_ENTRY] or plan[END_CEILING]:
        return True
    decides = plan[TARGET_SCORE] or state[IS_LAST]
    return decides != 0 and (plan[BONUS] != 0 or plan[AT_ONCE] != 0)


@compiled
def _ends(plan: Slots, state: Slots) -> int:
    """What lies at the ends, where it makes no difference in one order."""
    left, right = end_code(plan, state, LEFT), end_code(plan, state, RIGHT)
    up, down = end_code(plan, state, UP), end_code(plan, state, DOWN)
    if state[BOUND] < 0 and plan[LINE_ENDS] > 1:
        left, right = min(left, right), max(left, right)
        up, down = min(up, down), max(up, down)
        if are_alike(plan, state):
            left, up = min(left, up), max(left, up)
            right, down = min(right, down), max(right, down)
            up, right = min(up, right), max(up, right)
    word = left | right << 10 | up << 20 | down << 30
    return word | (state[SPINNER] + 1) << 40 | state[OPENED_DOUBLE] << 44 | state[OPENED] << 45


@compiled
def are_alike(plan: Slots, state: Slots) -> bool:
    """Whether an arm of the spinner is like a side: all four have a tile, and no rule asks for left and right."""
    if state[SPINNER] < 0 or plan[LAST_TILE] or plan[SKIP_EQUAL_ENDS]:
        return False
    return state[BEYOND] > 0 and state[BEYOND + 1] > 0 and state[BEYOND + 2] > 0 and state[BEYOND + 3] > 0


@compiled
def end_code(plan: Slots, state: Slots, end: int) -> int:
    """What lies at `end`, as far as it matters."""
    code = state[SHOWN + end]
    if plan[COUNTS] or plan[EQUAL_ENDS] or (plan[SPINNER_RULE] == _FIRST_COVERED and state[SPINNER] < 0):
        code |= state[HALVES + end] << 4
    looks_back = plan[SPINNER_RULE] != 0 and state[SPINNER] < 0
    code |= min(2 if looks_back else 1, state[LENGTH + end]) << 6
    if state[SPINNER] >= 0 and plan[SPINNER_ARMS] != _AT_ONCE:
        code |= min(2 if plan[SPINNER_ARMS] == _CROSS_AND_DOUBLES_FIRST else 1, state[BEYOND + end]) << 8
    return code
