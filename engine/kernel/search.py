"""Positions with nothing hidden, solved: what each move is worth if all sides play as well as can be.

Alpha-beta with a memory of positions. What is looked for in a position is what is still to come, so that it is the same
whatever was scored on the way there. The path is kept in frames, not on the machine's stack: Numba cannot keep the code
of functions that call each other.
"""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from engine.kernel.choices import (
    ALPHA,
    BEST,
    BEST_MOVE,
    BETA,
    FOUND,
    FRAME,
    GAIN,
    GAINS,
    HIGH,
    KEY,
    LOW,
    MOVES,
    NOW,
    OFFSET,
    PLACE,
    RESULT,
    list_choices,
    next_move,
    rank,
)
from engine.kernel.compiled import SOURCES, Slots, compiled, kept
from engine.kernel.identity import identity
from engine.kernel.known import AT_LEAST, AT_MOST, EXACT, entry, kind_of, move_of, recall, remember, worth_of
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
    stakes: Stakes = Stakes(),  # noqa: B008 - it never changes
    table_bits: int = 16,
) -> Solved:
    """What each of `moves` is worth in each of `positions`, if from then on the team of the seat that has the turn
    plays for the most, and all others together for the least.

    Of each position at most `node_limit` positions that follow are looked at. The memory is `known.BYTES << table_bits`
    bytes and a third of a megabyte.
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
        np.zeros(4 << table_bits, np.int64),
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
def _of_move(plan: Slots, work: Slots, table: Slots, state: Slots, move: int) -> int:
    """What `move` is worth, or `UNKNOWN`."""
    frame = further(work, _FRAMES)
    copy(state, frame, work[STATE_SIZE])
    act(plan, frame, further(work, _YARD), move)
    gain = worth(plan, frame, work[TEAM]) - worth(plan, state, work[TEAM])
    _enter(plan, work, table, frame, -_MOST, _MOST)
    depth = 0
    while work[NODES] <= work[LIMIT]:
        if frame[FOUND] == 0:
            if depth == 0:
                return gain + frame[RESULT]
            depth -= 1
            result, frame = frame[RESULT], further(frame, -FRAME)
            _take(frame, result)
        elif frame[PLACE] == frame[FOUND] or frame[LOW] >= frame[HIGH]:
            _close(plan, work, table, frame)
        else:
            depth += 1
            frame = _go_deeper(plan, work, table, frame)
    return UNKNOWN


@compiled
def _enter(plan: Slots, work: Slots, table: Slots, frame: Slots, alpha: int, beta: int) -> None:
    """Make the moves that are forced, and then close the frame if the rest is known; else open it to its choices."""
    before = worth(plan, frame, work[TEAM])
    found = _go_to_choice(plan, work, frame)
    now = worth(plan, frame, work[TEAM])
    frame[OFFSET] = frame[RESULT] = now - before
    frame[FOUND] = 0
    if found == 0:
        return
    work[NODES] += 1
    alpha, beta = alpha - frame[OFFSET], beta - frame[OFFSET]
    key = identity(plan, frame)
    known = recall(table, key, work[MASK], work[SALT])
    if known != 0 and _settles(known, alpha, beta):
        frame[RESULT] += worth_of(known)
        return
    gains = team_of(plan, frame[TURN]) == work[TEAM]
    frame[FOUND], frame[PLACE], frame[KEY], frame[NOW], frame[GAINS] = found, 0, key, now, gains
    frame[ALPHA] = frame[LOW] = alpha
    frame[BETA] = frame[HIGH] = beta
    frame[BEST], frame[BEST_MOVE] = (-_MOST if gains else _MOST), -1
    rank(plan, further(work, HISTORY), frame, found, move_of(known) if known else -1)


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
def _settles(known: int, alpha: int, beta: int) -> bool:
    """Whether what is known is all that has to be known between `alpha` and `beta`."""
    kind, bound = kind_of(known), worth_of(known)
    return kind == EXACT or (kind == AT_LEAST and bound >= beta) or (kind == AT_MOST and bound <= alpha)


@compiled
def _go_deeper(plan: Slots, work: Slots, table: Slots, frame: Slots) -> Slots:
    """Make the next move of the frame, and enter the frame that follows."""
    following = further(frame, FRAME)
    copy(frame, following, work[STATE_SIZE])
    act(plan, following, further(work, _YARD), next_move(frame))
    gain = worth(plan, following, work[TEAM]) - frame[NOW]
    frame[GAIN] = gain
    _enter(plan, work, table, following, frame[LOW] - gain, frame[HIGH] - gain)
    return following


@compiled
def _take(frame: Slots, result: int) -> None:
    """Take what came of the frame's last move."""
    reached = frame[GAIN] + result
    if (reached > frame[BEST]) if frame[GAINS] else (reached < frame[BEST]):
        frame[BEST], frame[BEST_MOVE] = reached, frame[MOVES + frame[PLACE] - 1]
    if frame[GAINS]:
        frame[LOW] = max(frame[LOW], reached)
    else:
        frame[HIGH] = min(frame[HIGH], reached)


@compiled
def _close(plan: Slots, work: Slots, table: Slots, frame: Slots) -> None:
    """Remember what was found, and hand it on."""
    best, left = frame[BEST], 0
    for seat in range(plan[SEATS]):
        left += count(frame[HAND + STRIDE * seat])
    if frame[LOW] >= frame[HIGH]:
        work[HISTORY + frame[BEST_MOVE]] += left
    kind = EXACT
    if best <= frame[ALPHA]:
        kind = AT_MOST
    elif best >= frame[BETA]:
        kind = AT_LEAST
    known = entry(kind, best, frame[BEST_MOVE], left, work[SALT])
    remember(table, frame[KEY], work[MASK], work[SALT], known)
    frame[RESULT] = frame[OFFSET] + best
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
            for move in range(len(moves)):
                if work[NODES] <= work[LIMIT]:
                    worths[position, move] = _of_move(at(plan), at(work), at(table), state, moves[move])
            nodes[position] = work[NODES]

    return solve_all


_solve = _entry()
