"""Points in play: for a count, for equal ends and for passes, and what a team takes of what it is offered."""

from engine.kernel.compiled import Slots, compiled
from engine.kernel.slots import (
    AT_END,
    AT_ONCE,
    COUNT,
    DOUBLE_IS_PAIR,
    DOWN,
    END_CEILING,
    EQUAL_ENDS,
    EQUAL_ENDS_TABLE,
    FIRST_ENTRY,
    FIRST_PASS_POINTS,
    FOR_COUNT,
    HALVES,
    IN_PLAY,
    LAST_PLAYER,
    LEFT,
    LENGTH,
    OPENING,
    OPENING_PASS_POINTS,
    OPENING_SCORES,
    PAIRS,
    PASS_POINTS,
    PASSED,
    PASSES,
    RIGHT,
    ROUND_PASS_POINTS,
    SCORE,
    SCORES_IN_PLAY,
    SHOWN,
    STRIDE,
    TARGET_RULE,
    TARGET_SCORE,
)

_EXACT, _SHORT = 1, 2


@compiled
def team_of(plan: Slots, seat: int) -> int:
    """The team that `seat` plays for."""
    return seat & 1 if plan[PAIRS] else seat


@compiled
def for_play(plan: Slots, state: Slots, end: int) -> int:
    """What a play at `end` scores that made the line what it is."""
    if not plan[SCORES_IN_PLAY] or (end == OPENING and not plan[OPENING_SCORES]):
        return 0
    points = plan[FOR_COUNT + state[COUNT]]
    if plan[EQUAL_ENDS]:
        points += _for_equal_ends(plan, state, RIGHT if end == OPENING else end)
    return points


@compiled
def _for_equal_ends(plan: Slots, state: Slots, end: int) -> int:
    number, places, halves = state[SHOWN + end], 0, 0
    for each in range(DOWN + 1):
        if state[HALVES + each] and state[SHOWN + each] == number:
            places += 1
            halves += state[HALVES + each]
    if places < 2 and not (plan[DOUBLE_IS_PAIR] and state[HALVES + end] > 1):
        return 0
    return plan[EQUAL_ENDS_TABLE + min(halves - 2, plan[EQUAL_ENDS] - 1)]


@compiled
def line_is_equal(state: Slots) -> bool:
    """Whether both ends of the line show the same number."""
    shown = state[HALVES + LEFT] > 0 and state[HALVES + RIGHT] > 0
    return shown and state[SHOWN + LEFT] == state[SHOWN + RIGHT]


@compiled
def for_pass(plan: Slots, state: Slots, seat: int, turn: int) -> int:
    """What it gives to the team of the seat that played last that `seat` passes, and `turn` has the turn."""
    last = state[LAST_PLAYER]
    points = plan[ROUND_PASS_POINTS] if turn == last else 0
    if team_of(plan, seat) == team_of(plan, last):
        return points
    if state[PASSES] == 0:
        points += plan[PASS_POINTS]
        if not (state[LENGTH] or state[LENGTH + 1] or state[LENGTH + 2] or state[LENGTH + 3]):
            points += plan[OPENING_PASS_POINTS]
    return points if state[PASSED] else points + plan[FIRST_PASS_POINTS]


@compiled
def overshoots(plan: Slots, score: int, points: int) -> bool:
    """Whether a team at `score` would pass an exact target by `points`."""
    return plan[TARGET_RULE] == _EXACT and score + points > plan[TARGET_SCORE] > 0


@compiled
def taken(plan: Slots, score: int, points: int, at_end: int) -> int:
    """What a team at `score` takes of `points`, in play or, for 1, at the end of a hand."""
    if overshoots(plan, score, points):
        return 0
    to_go = plan[TARGET_SCORE] - score
    if at_end and plan[END_CEILING]:
        points = min(points, max(0, plan[END_CEILING] - score))
    elif plan[TARGET_RULE] == _SHORT and not at_end and to_go > 1:
        points = min(points, to_go - 1)
    return 0 if score == 0 and points < plan[FIRST_ENTRY] else points


@compiled
def reaches(plan: Slots, score: int, points: int) -> bool:
    """Whether `points` in play on top of `score` decide the match at once."""
    if points <= 0 or plan[TARGET_SCORE] == 0 or not plan[AT_ONCE]:
        return False
    return score + points >= plan[TARGET_SCORE]


@compiled
def score_in_play(state: Slots, team: int, points: int) -> None:
    """Write down `points` that `team` takes in play."""
    state[SCORE + STRIDE * team] += points
    state[IN_PLAY + STRIDE * team] += points


@compiled
def score_at_end(state: Slots, team: int, points: int) -> None:
    """Write down `points` that `team` takes for how the hand ended."""
    state[SCORE + STRIDE * team] += points
    state[AT_END + STRIDE * team] += points
