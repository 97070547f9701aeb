"""Positions with nothing hidden, solved: what each move is worth if all sides play as well as can be.

Alpha-beta with a memory of positions, which asks again and again whether as much as a guess is to come, each time with
the answer as the next guess (MTD(f)). What is looked for in a position is what is still to come, so that it is the same
whatever was scored on the way there, and what is known of it is between what and what that lies. The path is kept in
frames, not on the machine's stack: Numba cannot keep the code of functions that call each other.
"""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from engine.kernel.choices import (
    AT_LEAST,
    AT_MOST,
    BEST,
    BETA,
    FOUND,
    FRAME,
    GAIN,
    GAINS,
    KEY,
    MOVES,
    NOW,
    OFFSET,
    PLACE,
    RESULT_LEAST,
    RESULT_MOST,
    SO_FAR_LEAST,
    SO_FAR_MOST,
    list_choices,
    next_move,
    rank,
)
from engine.kernel.compiled import SOURCES, Slots, compiled, kept
from engine.kernel.identity import identity
from engine.kernel.known import LEAST, MOST, about, move_at, place_for, recall, remember
from engine.kernel.machine import at, copy, count, further
from engine.kernel.plan import Ints, Plan
from engine.kernel.points import team_of
from engine.kernel.position import Positions
from engine.kernel.slots import ENDS, HAND, MOST_TILES, SEATS, STRIDE, TURN
from engine.kernel.stakes import Stakes, with_stakes, worth
from engine.kernel.turns import act, playable, unplayable
from engine.values import value

UNKNOWN: Final = -(1 << 40)
"""Stands in the place of a worth that was not found."""

_MOST: Final = 1 << 30
"""More than any worth."""

TEAM, STATE_SIZE, NODES, LIMIT, SALT, MASK, HISTORY = range(7)
"""What the working memory begins with; from `HISTORY` on, by move, how often it was too good to look further."""
_YARD: Final = HISTORY + 64 * ENDS
_FRAMES: Final = _YARD + 64
_DEPTH: Final = MOST_TILES + 2
"""Below each choice there is a tile less to play."""


@value
class Solved:
    """What each first move is worth to the team of the seat that has the turn: see `stakes`."""

    worths: Ints
    """By position and first move; `UNKNOWN` for none, where the limit was too low."""
    nodes: Ints
    """By position: how many positions with a choice were looked at."""


def solve(
    plan: Plan,
    positions: Positions,
    moves: Sequence[int],
    *,
    node_limit: int,
    stakes: Stakes = Stakes(),
    table_bits: int = 14,
) -> Solved:
    """What each of `moves` is worth in each of `positions`, if from then on the team of the seat that has the turn
    plays for the most, and all others together for the least.

    Of each position at most `node_limit` positions that follow are looked at. The memory is `known.BYTES << table_bits`
    bytes, a megabyte as a rule, and a third of a megabyte: more is only worth it where the limit is in the millions.
    """
    worths = np.full((len(positions.states), len(moves)), UNKNOWN, np.int64)
    nodes = np.zeros(len(positions.states), np.int64)
    work = np.empty(_FRAMES + _DEPTH * FRAME, np.int64)
    work[[STATE_SIZE, LIMIT, SALT, MASK]] = len(positions.states[0]), node_limit, 0, (1 << table_bits) - 1
    _solve(
        with_stakes(plan, stakes),
        positions.states,
        positions.boneyards,
        np.array(moves, np.int64),
        work,
        np.zeros(8 << table_bits, np.int64),
        worths,
        nodes,
    )
    return Solved(worths, nodes)


@compiled
def _begin(plan: Slots, work: Slots, state: Slots, boneyard: Slots, boneyard_size: int) -> None:
    """Make the working memory ready for another position."""
    work[TEAM] = team_of(plan, state[TURN])
    work[NODES] = 0
    work[SALT] += 1
    for move in range(64 * ENDS):
        work[HISTORY + move] = 0
    copy(boneyard, further(work, _YARD), boneyard_size)


@compiled
def _of_move(plan: Slots, work: Slots, table: Slots, state: Slots, move: int, guess: int) -> int:
    """What `move` is worth, or `UNKNOWN`; the better the `guess`, the sooner it is found."""
    least, most = -_MOST, _MOST
    while least < most:
        beta = guess + 1 if guess == least else guess
        frame = further(work, _FRAMES)
        copy(state, frame, work[STATE_SIZE])
        act(plan, frame, further(work, _YARD), move)
        gain = worth(plan, frame, work[TEAM]) - worth(plan, state, work[TEAM])
        _enter(plan, work, table, frame, beta - gain)
        _run(plan, work, table, frame)
        if work[NODES] > work[LIMIT]:
            return UNKNOWN
        least, most = max(least, gain + frame[RESULT_LEAST]), min(most, gain + frame[RESULT_MOST])
        guess = least if least >= beta else most
    return least


@compiled
def _run(plan: Slots, work: Slots, table: Slots, frame: Slots) -> None:
    """Go on until the frame is closed, or the limit reached."""
    depth = 0
    while (depth > 0 or frame[FOUND] > 0) and work[NODES] <= work[LIMIT]:
        if frame[FOUND] == 0:
            depth -= 1
            frame = further(frame, -FRAME)
            _take(frame, further(frame, FRAME))
        elif frame[PLACE] == frame[FOUND] or _is_enough(frame):
            _close(plan, work, table, frame)
        else:
            depth += 1
            frame = _go_deeper(plan, work, table, frame)


@compiled
def _is_enough(frame: Slots) -> bool:
    """Whether the moves that have been looked at say already whether beta is reached."""
    return frame[SO_FAR_LEAST] >= frame[BETA] if frame[GAINS] else frame[SO_FAR_MOST] < frame[BETA]


@compiled
def _enter(plan: Slots, work: Slots, table: Slots, frame: Slots, beta: int) -> None:
    """Make the moves that are forced, and then close the frame if enough is known of the rest to say whether `beta` is
    reached; else open it to its choices.
    """
    before = worth(plan, frame, work[TEAM])
    found = _go_to_choice(plan, work, frame)
    now = worth(plan, frame, work[TEAM])
    offset = now - before
    frame[OFFSET] = frame[RESULT_LEAST] = frame[RESULT_MOST] = offset
    frame[FOUND] = 0
    if found == 0:
        return
    work[NODES] += 1
    key = identity(plan, frame)
    place = recall(table, key, work[MASK], work[SALT])
    frame[AT_LEAST], frame[AT_MOST] = -_MOST, _MOST
    if place >= 0:
        least, most = table[place + LEAST], table[place + MOST]
        if least >= beta - offset or most < beta - offset:
            frame[RESULT_LEAST], frame[RESULT_MOST] = offset + least, offset + most
            return
        frame[AT_LEAST], frame[AT_MOST] = least, most
    gains = team_of(plan, frame[TURN]) == work[TEAM]
    frame[FOUND], frame[PLACE], frame[KEY], frame[NOW], frame[GAINS] = found, 0, key, now, gains
    frame[BETA], frame[BEST] = beta - offset, -1
    frame[SO_FAR_LEAST] = frame[SO_FAR_MOST] = -_MOST if gains else _MOST
    rank(plan, further(work, HISTORY), frame, found, move_at(table, place) if place >= 0 else -1)


@compiled
def _go_to_choice(plan: Slots, work: Slots, frame: Slots) -> int:
    """Make the moves that are forced, and say how many plays there are to choose from then; 0: the hand is over."""
    boneyard = further(work, _YARD)
    while frame[TURN] >= 0:
        if playable(plan, frame) == 0:
            act(plan, frame, boneyard, unplayable(plan, frame))
            continue
        found = list_choices(plan, frame)
        if found > 1:
            return found
        act(plan, frame, boneyard, frame[MOVES])
    return 0


@compiled
def _go_deeper(plan: Slots, work: Slots, table: Slots, frame: Slots) -> Slots:
    """Make the next move of the frame, and enter the frame that follows."""
    following = further(frame, FRAME)
    copy(frame, following, work[STATE_SIZE])
    act(plan, following, further(work, _YARD), next_move(frame))
    frame[GAIN] = worth(plan, following, work[TEAM]) - frame[NOW]
    _enter(plan, work, table, following, frame[BETA] - frame[GAIN])
    return following


@compiled
def _take(frame: Slots, closed: Slots) -> None:
    """Take what came of the frame's last move."""
    least, most = frame[GAIN] + closed[RESULT_LEAST], frame[GAIN] + closed[RESULT_MOST]
    move = frame[MOVES + frame[PLACE] - 1]
    if frame[GAINS]:
        if least > frame[SO_FAR_LEAST] or frame[BEST] < 0:
            frame[BEST] = move
        frame[SO_FAR_LEAST], frame[SO_FAR_MOST] = max(frame[SO_FAR_LEAST], least), max(frame[SO_FAR_MOST], most)
    else:
        if most < frame[SO_FAR_MOST] or frame[BEST] < 0:
            frame[BEST] = move
        frame[SO_FAR_LEAST], frame[SO_FAR_MOST] = min(frame[SO_FAR_LEAST], least), min(frame[SO_FAR_MOST], most)


@compiled
def _close(plan: Slots, work: Slots, table: Slots, frame: Slots) -> None:
    """Remember what was found, and hand it on."""
    least, most, left = frame[SO_FAR_LEAST], frame[SO_FAR_MOST], 0
    if frame[PLACE] < frame[FOUND]:
        # The moves that were not looked at might have been better still.
        if frame[GAINS]:
            most = _MOST
        else:
            least = -_MOST
    least, most = max(least, frame[AT_LEAST]), min(most, frame[AT_MOST])
    for seat in range(plan[SEATS]):
        left += count(frame[HAND + STRIDE * seat])
    if _is_enough(frame):
        work[HISTORY + frame[BEST]] += left
    salt = work[SALT]
    place = place_for(table, frame[KEY], work[MASK], salt, left)
    remember(table, place, frame[KEY], salt, about(frame[BEST], left, salt))
    table[place + LEAST], table[place + MOST] = least, most
    frame[RESULT_LEAST], frame[RESULT_MOST] = frame[OFFSET] + least, frame[OFFSET] + most
    frame[FOUND] = 0


def _entry() -> Callable[..., None]:
    sources = SOURCES

    @kept
    def solve_all(  # noqa: PLR0913, PLR0917 - they are arrays of different shapes
        plan: Ints,
        states: Ints,
        boneyards: Ints,
        moves: Ints,
        work: Ints,
        table: Ints,
        worths: Ints,
        nodes: Ints,
    ) -> None:
        assert sources
        for position in range(len(states)):
            state = further(at(states), position * states.shape[1])
            boneyard = further(at(boneyards), position * boneyards.shape[1])
            _begin(at(plan), at(work), state, boneyard, boneyards.shape[1])
            guess = 0
            for move in range(len(moves)):
                if work[NODES] <= work[LIMIT]:
                    guess = _of_move(at(plan), at(work), at(table), state, moves[move], guess)
                    worths[position, move] = guess
            nodes[position] = work[NODES]

    return solve_all


_solve = _entry()
