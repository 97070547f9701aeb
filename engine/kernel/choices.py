"""The choices of a search: frames, each a position and the moves that it offers, the most promising ones first."""

from typing import Final

from engine.kernel.compiled import Slots, compiled
from engine.kernel.identity import are_alike, end_code
from engine.kernel.line import count_after
from engine.kernel.machine import count, lowest
from engine.kernel.slots import (
    BOUND,
    DOWN,
    DRAWING,
    ENDS,
    FITS,
    FITTING,
    FOR_COUNT,
    HAND,
    LEFT,
    LINE_ENDS,
    NUMBERS,
    OPENED,
    OPENING,
    OUTER,
    PAIRS,
    RIGHT,
    SCORES_IN_PLAY,
    SEATS,
    SHOWN,
    STRIDE,
    TURN,
    UP,
)
from engine.kernel.turns import playable_at

MOST_MOVES: Final = 256
"""More than there are tiles times ends."""
MOVES: Final = 128
"""In a frame, after the state of its position: the moves."""
RANKS: Final = MOVES + MOST_MOVES
"""What they are ordered by."""
(
    FOUND,  # how many moves there are; 0 once the frame is closed
    PLACE,  # how many of them have been made
    KEY,  # the identity of the position
    OFFSET,  # what the moves brought that were forced on the way here
    NOW,  # the worth of the hand as it stands
    GAINS,  # whether the most is looked for, or the least
    GAIN,  # what the move that is being looked at brings at once
    BETA,  # whether as much as this is still to come is all that is asked
    AT_LEAST,  # what is still to come lies between these two, as far as it is known
    AT_MOST,
    SO_FAR_LEAST,  # the same by the moves that have been looked at
    SO_FAR_MOST,
    BEST,  # of the moves that have been looked at
    RESULT_LEAST,  # once the frame is closed: between what and what lies all that comes from its beginning on
    RESULT_MOST,
) = range(RANKS + MOST_MOVES, RANKS + MOST_MOVES + 15)
FRAME: Final = RANKS + MOST_MOVES + 16

_FIRST: Final = 1 << 60
_POINT: Final = 1 << 12
_ANSWER: Final = 1 << 30
_TO_DRAW: Final = 1 << 10


@compiled
def list_choices(plan: Slots, frame: Slots) -> int:
    """Write down the plays there are, of those that are alike one, and say how many there are."""
    found = 0
    for end in range(OPENING + 1):
        if _is_like_another(plan, frame, end):
            continue
        tiles = playable_at(plan, frame, end)
        while tiles:
            frame[MOVES + found] = ENDS * lowest(tiles) + end
            found += 1
            tiles &= tiles - 1
    return found


@compiled
def _is_like_another(plan: Slots, state: Slots, end: int) -> bool:
    """Whether one of the ends before has the same to go on from."""
    if state[BOUND] >= 0 or plan[LINE_ENDS] == 1 or not state[OPENED] or end in (LEFT, OPENING):
        return False
    code = end_code(plan, state, end)
    if end != UP and code == end_code(plan, state, end - 1):
        return True
    if end == RIGHT or not are_alike(plan, state):
        return False
    return code == end_code(plan, state, LEFT) or code == end_code(plan, state, RIGHT)


@compiled
def rank(plan: Slots, history: Slots, frame: Slots, found: int, known: int) -> None:
    """Write down by what to order the moves: the `known` best first, then those that leave rivals the fewest answers,
    then by points and by what was good elsewhere. A good order makes the search ten times as short.
    """
    for place in range(found):
        move = frame[MOVES + place]
        tile, end = move // ENDS, move % ENDS
        rank = history[move] * 64 + tile
        if frame[OPENED]:
            if plan[SCORES_IN_PLAY]:
                rank += plan[FOR_COUNT + count_after(plan, frame, tile, end)] * _POINT
            rank += _answers(plan, frame, tile, end) * _ANSWER
        frame[RANKS + place] = _FIRST if move == known else rank


@compiled
def _answers(plan: Slots, frame: Slots, tile: int, end: int) -> int:
    """How well others can go on when `tile` lies at `end`: partners the better, rivals, and most of all the next seat,
    the worse. To have somebody draw makes a hand long: that is looked at last.
    """
    fits = plan[FITTING + plan[OUTER + NUMBERS * tile + frame[SHOWN + end]]]
    for each in range(DOWN + 1):
        if each != end:
            fits |= frame[FITS + each]
    answers, seats = 0, plan[SEATS]
    for step in range(1, seats):
        seat = frame[TURN] + step
        found = count(frame[HAND + STRIDE * (seat if seat < seats else seat - seats)] & fits)
        if step == 1:
            answers -= 3 * found
            if found == 0 and plan[DRAWING]:
                answers -= _TO_DRAW
        elif plan[PAIRS] and step == 2:
            answers += found
        else:
            answers -= found
    return answers


@compiled
def next_move(frame: Slots) -> int:
    """The most promising of the moves that have not been made."""
    place = best = frame[PLACE]
    for other in range(place + 1, frame[FOUND]):
        if frame[RANKS + other] > frame[RANKS + best]:
            best = other
    for start in range(MOVES, RANKS + 1, MOST_MOVES):
        frame[start + place], frame[start + best] = frame[start + best], frame[start + place]
    frame[PLACE] = place + 1
    return frame[MOVES + place]
