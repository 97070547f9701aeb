"""What a seat may do with its turn, and all that follows from it: `engine.turns`, on numbers."""

from engine.kernel.compiled import Slots, compiled
from engine.kernel.line import lay
from engine.kernel.machine import lowest
from engine.kernel.points import (
    for_pass,
    for_play,
    line_is_equal,
    overshoots,
    reaches,
    score_in_play,
    taken,
    team_of,
)
from engine.kernel.slots import (
    AMOUNT,
    ASKED,
    BOUND,
    COUNT,
    COUNTS,
    DOUBLES,
    DRAW,
    DRAWING,
    DRAWN,
    ENDS,
    EXTRA_COUNTS,
    EXTRA_TURN,
    FIRST_PASS_POINTS,
    FITS,
    HAND,
    LAST_PLAYER,
    LEAD_TILE,
    LEADER,
    MUST_OPEN,
    OPENED,
    OPENING,
    PASS,
    PASS_SCORES,
    PASSED,
    PASSES,
    PLAY_OUT,
    RESERVE,
    SCORE,
    SEATS,
    SKIP_COUNTS,
    SKIP_EQUAL_ENDS,
    STRIDE,
    TARGET,
    TURN,
    YARD,
    YARD_SIZE,
)
from engine.kernel.verdict import end_blocked, end_domino, end_hand, is_special, offer_domino

_NEVER, _ONCE = 0, 1
_AFTER_DOUBLE, _UNTIL_STUCK = 1, 2
_LAST_COUNT = 48


@compiled
def playable(plan: Slots, state: Slots) -> int:
    """The tiles that the seat that has the turn may play."""
    hand = state[HAND + STRIDE * state[TURN]]
    if not state[OPENED]:
        return hand & _leads(plan, state)
    return hand & (state[ASKED] if state[BOUND] < 0 else state[FITS + state[BOUND]])


@compiled
def _leads(plan: Slots, state: Slots) -> int:
    """The tiles that a hand may be led with."""
    if state[MUST_OPEN] >= 0:
        return 1 << state[MUST_OPEN]
    return plan[DOUBLES] if plan[LEAD_TILE] else -1


@compiled
def playable_at(plan: Slots, state: Slots, end: int) -> int:
    """The tiles that the seat that has the turn may play at `end`."""
    if not state[OPENED]:
        return playable(plan, state) if end == OPENING else 0
    if end == OPENING or (state[BOUND] >= 0 and state[BOUND] != end):
        return 0
    return state[HAND + STRIDE * state[TURN]] & state[FITS + end]


@compiled
def unplayable(plan: Slots, state: Slots) -> int:
    """What the seat has to do that cannot play: `DRAW` or `PASS`."""
    if _is_drawable(plan, state) and not (plan[DRAWING] == _ONCE and state[DRAWN]):
        return DRAW
    return PASS


@compiled
def act(plan: Slots, state: Slots, boneyard: Slots, move: int) -> None:
    """Make `move`, which has to be legal, and all that follows from it."""
    if move == DRAW:
        draw(plan, state, boneyard)
    elif move == PASS:
        pass_on(plan, state)
    else:
        play(plan, state, move // ENDS, move % ENDS)


@compiled
def play(plan: Slots, state: Slots, tile: int, end: int) -> None:
    """Play `tile` at `end`."""
    seat = state[TURN]
    team = team_of(plan, seat)
    score, kept = state[SCORE + STRIDE * team], state[HAND + STRIDE * seat] & ~(1 << tile)
    goes_out = kept == 0 and not plan[PLAY_OUT]
    special = goes_out and is_special(plan, state, tile)
    if not state[OPENED]:
        state[LEADER] = seat  # whoever was to lead may have had no double
    lay(plan, state, tile, end)
    state[HAND + STRIDE * seat] = kept
    state[LAST_PLAYER], state[DRAWN], state[PASSES], state[BOUND] = seat, 0, 0, -1
    points = for_play(plan, state, end)
    if goes_out:
        offer_domino(plan, state, tile, special)
        if overshoots(plan, score, points + state[AMOUNT + STRIDE * team]):
            # What one play brings is taken together or not at all.
            points = state[AMOUNT + STRIDE * team] = 0
    points = taken(plan, score, points, 0)
    score_in_play(state, team, points)
    if reaches(plan, score, points):
        end_hand(state, TARGET, team)
    elif goes_out:
        end_domino(plan, state, seat)
    else:
        _go_on(plan, state, tile, end)


@compiled
def _go_on(plan: Slots, state: Slots, tile: int, end: int) -> None:
    """Give the turn to the seat that has it after a play, or end the hand if nobody can move."""
    seat = state[TURN]
    if _keeps_turn(plan, state, tile, end):
        if plan[EXTRA_TURN] == _UNTIL_STUCK and end != OPENING:
            state[BOUND] = end
    else:
        state[TURN] = following = _after(plan, state, seat)
        if _skips(plan, state):
            state[TURN] = _after(plan, state, following)
    if _is_dead(plan, state):
        end_blocked(plan, state)


@compiled
def _keeps_turn(plan: Slots, state: Slots, tile: int, end: int) -> bool:
    """Whether the seat goes on: it may, and it can."""
    stays = plan[EXTRA_TURN] == _UNTIL_STUCK
    after_double = plan[EXTRA_TURN] == _AFTER_DOUBLE and plan[DOUBLES] >> tile & 1 == 1
    if not stays and not after_double and not _is_among(plan, state, plan[EXTRA_COUNTS]):
        return False
    asked = state[FITS + end] if stays and end != OPENING else state[ASKED]
    return state[HAND + STRIDE * state[TURN]] & asked != 0


@compiled
def _is_among(plan: Slots, state: Slots, counts: int) -> bool:
    """Whether the layout's count is one of `counts`, a bit for each."""
    return plan[COUNTS] != 0 and state[COUNT] <= _LAST_COUNT and counts >> state[COUNT] & 1 == 1


@compiled
def _skips(plan: Slots, state: Slots) -> bool:
    """Whether the next seat misses its turn."""
    return _is_among(plan, state, plan[SKIP_COUNTS]) or (plan[SKIP_EQUAL_ENDS] == 1 and line_is_equal(state))


@compiled
def _after(plan: Slots, state: Slots, seat: int) -> int:
    """The next seat after `seat` that is not out."""
    following = seat + 1 if seat + 1 < plan[SEATS] else 0
    while state[HAND + STRIDE * following] == 0 and following != seat:
        following = following + 1 if following + 1 < plan[SEATS] else 0
    return following


@compiled
def _is_drawable(plan: Slots, state: Slots) -> bool:
    return plan[DRAWING] != _NEVER and state[YARD_SIZE] - state[YARD] > plan[RESERVE]


@compiled
def _is_dead(plan: Slots, state: Slots) -> bool:
    """Whether no tile in any hand fits and nothing can be drawn."""
    if _is_drawable(plan, state) or not state[OPENED]:
        return False
    held = 0
    for seat in range(plan[SEATS]):
        held |= state[HAND + STRIDE * seat]
    return held & state[ASKED] == 0


@compiled
def draw(plan: Slots, state: Slots, boneyard: Slots) -> None:
    """Draw the next tile of the boneyard."""
    state[HAND + STRIDE * state[TURN]] |= 1 << boneyard[state[YARD]]
    state[YARD] += 1
    state[DRAWN] += 1
    state[BOUND] = -1
    if _is_dead(plan, state):
        end_blocked(plan, state)


@compiled
def pass_on(plan: Slots, state: Slots) -> None:
    """Pass."""
    seat, last = state[TURN], state[LAST_PLAYER]
    turn = _after(plan, state, seat)
    points = for_pass(plan, state, seat, turn) if plan[PASS_SCORES] and last >= 0 else 0
    state[PASSES] += 1
    state[TURN] = turn
    state[DRAWN], state[BOUND] = 0, -1
    if plan[FIRST_PASS_POINTS] and state[OPENED]:
        state[PASSED] = 1
    if points:
        team = team_of(plan, last)
        score = state[SCORE + STRIDE * team]
        points = taken(plan, score, points, 0)
        score_in_play(state, team, points)
        if reaches(plan, score, points):
            end_hand(state, TARGET, team)
    if state[PASSES] >= plan[SEATS] and state[TURN] >= 0 and _is_dead(plan, state):
        end_blocked(plan, state)  # a guess of hidden tiles that cannot be: the last play would have ended such a hand


@compiled
def list_plays(plan: Slots, state: Slots, moves: Slots) -> int:
    """Write the plays that are legal to `moves`, and say how many there are."""
    found = 0
    for end in range(OPENING + 1):
        tiles = playable_at(plan, state, end)
        while tiles:
            moves[found] = ENDS * lowest(tiles) + end
            found += 1
            tiles &= tiles - 1
    return found
