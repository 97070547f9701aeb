"""The layout, reduced to what may still matter: what lies at each end, and what lies about the spinner."""

from engine.kernel.compiled import Slots, compiled
from engine.kernel.slots import (
    ASKED,
    ASKED_DOUBLE,
    BEYOND,
    COUNT,
    DOUBLE_FIRST,
    DOUBLES,
    DOWN,
    FITS,
    FITTING,
    FITTING_DOUBLE,
    HALVES,
    HIGH,
    LAID,
    LEFT,
    LENGTH,
    LINE_ENDS,
    LOW,
    NUMBERS,
    OPENED,
    OPENED_DOUBLE,
    OPENING,
    OUTER,
    RESTRICTS,
    RIGHT,
    SHOWN,
    SPINNER,
    SPINNER_ARMS,
    SPINNER_RULE,
    UNTIL_COVERED,
    UP,
)

_AFTER_SIDES, _AT_ONCE, _CROSS_FIRST, _SIDES_FIRST, _CROSS_AND_DOUBLES_FIRST = range(5)
_FIRST_DOUBLE, _OPENING_DOUBLE, _FIRST_COVERED = 1, 2, 3


@compiled
def lay(plan: Slots, state: Slots, tile: int, end: int) -> None:
    """Lay `tile` at `end`, which it has to fit."""
    state[LAID] |= 1 << tile
    is_double = plan[DOUBLES] >> tile & 1
    if end == OPENING:
        _open(plan, state, tile, is_double)
        survey(plan, state)
        return
    had_spinner = state[SPINNER] >= 0
    if not had_spinner and plan[SPINNER_RULE] > 0:
        _find_spinner(plan, state, tile, end)
    if end <= RIGHT and state[LENGTH + end] == 0 and state[LENGTH + 1 - end] == 0:
        state[HALVES + 1 - end] = (1 + state[OPENED_DOUBLE]) * (plan[LINE_ENDS] - 1)
    state[SHOWN + end] = plan[OUTER + NUMBERS * tile + state[SHOWN + end]]
    state[HALVES + end] = 1 + is_double
    state[LENGTH + end] = min(2, state[LENGTH + end] + 1)
    if had_spinner:
        state[BEYOND + end] = min(2, state[BEYOND + end] + 1)
    survey(plan, state)


@compiled
def _open(plan: Slots, state: Slots, tile: int, is_double: int) -> None:
    """A non-double lies with its higher half to the left. A double that lies alone shows a half at each end."""
    state[OPENED] = 1
    state[OPENED_DOUBLE] = is_double
    state[SHOWN + LEFT] = plan[HIGH + tile]
    state[SHOWN + RIGHT] = plan[LOW + tile]
    if plan[LINE_ENDS] == 1:
        state[HALVES + RIGHT] = 1 + is_double
    else:
        state[HALVES + LEFT] = state[HALVES + RIGHT] = 1
    if is_double and (plan[SPINNER_RULE] == _FIRST_DOUBLE or plan[SPINNER_RULE] == _OPENING_DOUBLE):
        _make_spinner(state, plan[HIGH + tile], LEFT, 0, 0)


@compiled
def _make_spinner(state: Slots, number: int, end: int, beyond: int, behind: int) -> None:
    """Make the double of `number` the spinner, with so many tiles `beyond` it at `end` and `behind` it at the other."""
    state[SPINNER] = state[SHOWN + UP] = state[SHOWN + DOWN] = number
    state[BEYOND + end] = beyond
    state[BEYOND + 1 - end] = min(2, behind)


@compiled
def _find_spinner(plan: Slots, state: Slots, tile: int, end: int) -> None:
    """The spinner that `tile` makes at `end`, where it is not laid yet, if it makes one."""
    length, other, number = state[LENGTH + end], state[LENGTH + 1 - end], state[SHOWN + end]
    if plan[SPINNER_RULE] == _FIRST_DOUBLE:
        if plan[DOUBLES] >> tile & 1:
            _make_spinner(state, plan[HIGH + tile], end, 0, other + 1 + length)
    elif plan[SPINNER_RULE] == _FIRST_COVERED:
        if length > 0 and state[HALVES + end] == 2:
            _make_spinner(state, number, end, 1, other + length)
        elif length == 0 and other > 0 and state[OPENED_DOUBLE]:
            _make_spinner(state, number, end, 1, other)


@compiled
def survey(plan: Slots, state: Slots) -> None:
    """Find what fits at each end, and the layout's count, now that the tiles lie as they do."""
    asked = count = 0
    ends = 3 if plan[LINE_ENDS] == 2 else 2
    for end in range(2 - plan[LINE_ENDS], 2):
        fits = plan[FITTING + state[SHOWN + end]]
        state[FITS + end] = fits
        asked |= fits
        count += state[HALVES + end] * state[SHOWN + end]
    if state[SPINNER] >= 0 and (
        plan[SPINNER_ARMS] != _AFTER_SIDES or (state[BEYOND + LEFT] > 0 and state[BEYOND + RIGHT] > 0)
    ):
        ends = 15
        for end in range(UP, DOWN + 1):
            fits = plan[FITTING + state[SHOWN + end]]
            state[FITS + end] = fits
            asked |= fits
            halves = state[HALVES + end] if state[LENGTH + end] else plan[UNTIL_COVERED]
            count += halves * state[SHOWN + end]
    state[COUNT] = count
    state[ASKED] = asked
    if plan[RESTRICTS]:
        _restrict(plan, state, ends)


@compiled
def _restrict(plan: Slots, state: Slots, first: int) -> None:
    """Close those of the ends, a bit for each, that have to wait, and keep for a double those that have to begin with
    one.
    """
    double_only = 0
    for end in range(DOWN + 1):
        if plan[DOUBLE_FIRST] and _has_double_to_come(plan, state, end):
            double_only |= 1 << end
    if state[SPINNER] >= 0 and plan[SPINNER_ARMS] >= _CROSS_FIRST:
        touching = _touching(plan, state, first)
        bare = _bare(plan, state, first)
        if bare:
            first = bare
        elif touching and plan[SPINNER_ARMS] == _CROSS_AND_DOUBLES_FIRST:
            first = double_only = touching
    asked = 0
    for end in range(DOWN + 1):
        fits = 0
        if first >> end & 1:
            shown = state[SHOWN + end]
            fits = plan[FITTING_DOUBLE + shown] if double_only >> end & 1 else plan[FITTING + shown]
        state[FITS + end] = fits
        asked |= fits
    state[ASKED] = asked


@compiled
def _has_double_to_come(plan: Slots, state: Slots, end: int) -> bool:
    return plan[ASKED_DOUBLE + state[SHOWN + end]] & ~state[LAID] != 0


@compiled
def _bare(plan: Slots, state: Slots, ends: int) -> int:
    """Those of `ends`, a bit for each, at which nothing lies beyond the spinner: its sides alone, where these come
    first.
    """
    bare = 0
    for end in range(DOWN + 1):
        if ends >> end & 1 and state[BEYOND + end] == 0:
            bare |= 1 << end
    sides = bare & 3
    return sides if sides and plan[SPINNER_ARMS] == _SIDES_FIRST else bare


@compiled
def _touching(plan: Slots, state: Slots, ends: int) -> int:
    """Those of `ends`, a bit for each, with one tile beyond the spinner whose number's double is still to come."""
    touching = 0
    for end in range(DOWN + 1):
        if ends >> end & 1 and state[BEYOND + end] == 1 and _has_double_to_come(plan, state, end):
            touching |= 1 << end
    return touching


@compiled
def count_after(plan: Slots, state: Slots, tile: int, end: int) -> int:
    """The layout's count once `tile` lies at `end`, but for what arms count that it opens."""
    shown = state[SHOWN + end]
    count = state[COUNT] - state[HALVES + end] * shown
    if state[LENGTH + end] == 0:
        if end >= UP:
            count -= plan[UNTIL_COVERED] * shown
        elif state[OPENED_DOUBLE] and state[LENGTH + 1 - end] == 0 and plan[LINE_ENDS] > 1:
            count += shown
    return count + plan[OUTER + NUMBERS * tile + shown] * (1 + (plan[DOUBLES] >> tile & 1))
