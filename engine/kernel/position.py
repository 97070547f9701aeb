"""Positions in a hand: what the table knows, or what a seat sees with a guess of the rest, as arrays."""

from collections.abc import Callable, Sequence

import numpy as np

from engine.hand import Hand
from engine.kernel import slots
from engine.kernel.choices import MOST_MOVES
from engine.kernel.compiled import SOURCES, kept
from engine.kernel.line import survey
from engine.kernel.machine import at
from engine.kernel.plan import Ints, Plan
from engine.kernel.turns import act, list_plays, unplayable
from engine.layout import ENDS, End, Layout, Opening, tiles_beyond
from engine.moves import Draw, Pass, Play, Turn
from engine.scoring import halves, hand_bonus
from engine.tiles import Tile
from engine.values import value


@value
class Position:
    """A hand in progress, or just ended."""

    state: Ints
    """See `slots`."""
    boneyard: Ints
    """In drawing order, those drawn included: `state` says how many these are."""

    def copy(self) -> "Position":
        """The same, to move on in."""
        return Position(self.state.copy(), self.boneyard)


@value
class Positions:
    """Positions with the same seat to move, as rows of arrays."""

    states: Ints
    boneyards: Ints
    """Padded to the same length."""


def together(positions: Sequence[Position]) -> Positions:
    """`positions` as rows."""
    size = max([len(position.boneyard) for position in positions])
    boneyards = np.zeros((len(positions), size), np.int64)
    for row, position in zip(boneyards, positions, strict=True):
        row[: len(position.boneyard)] = position.boneyard
    return Positions(np.array([position.state for position in positions]), boneyards)


def code_of(plan: Plan, turn: Turn) -> int:
    """`turn` as a number; a draw takes the first tile."""
    match turn:
        case Play():
            end = slots.OPENING if turn.end is None else ENDS.index(turn.end)
            return slots.ENDS * plan.indexes[turn.tile] + end
        case Draw():
            return slots.DRAW
        case Pass():
            return slots.PASS


def turn_of(plan: Plan, code: int) -> Turn:
    """The turn that has the number `code`."""
    if code < 0:
        return Draw() if code == slots.DRAW else Pass()
    tile, end = divmod(code, slots.ENDS)
    return Play(plan.tiles[tile], None if end == slots.OPENING else ENDS[end])


def position_of(plan: Plan, hand: Hand) -> Position:
    """`hand` as the table knows it, hidden tiles included."""
    state = empty(plan)
    state[slots.TURN] = _or_none(hand.turn)
    state[slots.LEADER] = hand.start.leader
    state[slots.LAST_PLAYER] = _or_none(hand.last_player)
    state[slots.DRAWN] = hand.drawn
    state[slots.PASSES] = hand.passes
    state[slots.PASSED] = hand.passed
    state[slots.BOUND] = -1 if hand.bound is None else ENDS.index(hand.bound)
    state[slots.MUST_OPEN] = -1 if hand.start.must_open is None else plan.indexes[hand.start.must_open]
    set_number(plan, state, hand.start.number, hand.start.tied)
    tally = hand.tally
    for team, amounts in enumerate(zip(tally.scores, tally.play_points, tally.end_points, strict=True)):
        start = slots.SCORE + slots.STRIDE * team
        state[start : start + 3] = amounts
    if hand.result is not None:
        state[slots.REASON] = slots.REASONS.index(hand.result.reason)
        state[slots.WINNER] = _or_none(hand.result.winner)
    lay_out(plan, state, hand.layout)
    return set_dealt(plan, state, hand.tiles, hand.boneyard)


def _or_none(seat: int | None) -> int:
    return -1 if seat is None else seat


def empty(plan: Plan) -> Ints:
    """A state before anything is known."""
    state = np.zeros(slots.HAND + slots.STRIDE * plan.seats, np.int64)
    state[[slots.TURN, slots.LAST_PLAYER, slots.BOUND, slots.MUST_OPEN, slots.SPINNER, slots.WINNER]] = -1
    return state


def set_number(plan: Plan, state: Ints, number: int, tied: int) -> None:
    """Write down what follows from the number of the hand, and from what tied blocks before have added to its worth."""
    state[slots.BONUS] = tied + hand_bonus(plan.rules, number)
    state[slots.IS_LAST] = number >= plan.rules.last_hand()


def set_dealt(plan: Plan, state: Ints, tiles: Sequence[Sequence[Tile]], boneyard: Sequence[Tile]) -> Position:
    """`state`, once it is written down in it what the seats hold."""
    for seat, held in enumerate(tiles):
        state[slots.HAND + slots.STRIDE * seat] = plan.mask(held)
    state[slots.YARD_SIZE] = len(boneyard)
    return Position(state, np.array([plan.indexes[tile] for tile in boneyard], np.int64))


def lay_out(plan: Plan, state: Ints, layout: Layout) -> None:
    """Write down where the tiles lie."""
    opening = layout.opening
    if opening is None:
        return
    state[slots.OPENED] = 1
    state[slots.OPENED_DOUBLE] = opening.tile.is_double
    lines = {arm.end: arm.tiles for arm in layout.arms}
    laid = [opening.tile, *[placed.tile for line in lines.values() for placed in line]]
    state[slots.LAID] = plan.mask(laid)
    if layout.spinner is not None:
        state[slots.SPINNER] = layout.spinner.high
    for place, end in enumerate(ENDS):
        shown, count = halves(plan.rules, layout, end)
        if not count:
            shown = _bare(opening, layout.spinner, end)
        state[slots.SHOWN + place], state[slots.HALVES + place] = shown, count
        state[slots.LENGTH + place] = min(2, len(layout.arm(end)))
        if layout.spinner is not None:
            state[slots.BEYOND + place] = min(2, tiles_beyond(opening, layout.spinner, lines, end))
    _survey(plan.numbers, state)


def _bare(opening: Opening, spinner: Tile | None, end: End) -> int:
    """The number that the first tile at `end` will be asked for, if one may ever go there."""
    if end in {"left", "right"}:
        return opening.left
    return 0 if spinner is None else spinner.high


def legal_turns(plan: Plan, position: Position) -> list[int]:
    """What the seat that has the turn may do, as numbers; a draw stands for all positions."""
    if position.state[slots.TURN] < 0:
        return []
    moves = np.empty(MOST_MOVES, np.int64)
    found = _legal(plan.numbers, position.state, moves)
    return [int(code) for code in moves[:found]]


def follow(plan: Plan, position: Position, code: int) -> None:
    """Make the legal turn of the number `code` in `position`, and let all follow from it."""
    _act(plan.numbers, position.state, position.boneyard, code)


def _entries() -> tuple[Callable[[Ints, Ints], None], Callable[[Ints, Ints, Ints], int], Callable[..., None]]:
    sources = SOURCES

    @kept
    def survey_line(plan: Ints, state: Ints) -> None:
        assert sources
        survey(at(plan), at(state))

    @kept
    def list_legal(plan: Ints, state: Ints, moves: Ints) -> int:
        assert sources
        found = list_plays(at(plan), at(state), at(moves))
        if found == 0:
            moves[0] = unplayable(at(plan), at(state))
        return max(found, 1)

    @kept
    def make(plan: Ints, state: Ints, boneyard: Ints, move: int) -> None:
        assert sources
        act(at(plan), at(state), at(boneyard), move)

    return survey_line, list_legal, make


_survey, _legal, _act = _entries()
