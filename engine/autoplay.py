"""What a match does by itself between two calls: CPU seats move, and people who can do nothing pass."""

from datetime import datetime

from engine.deal import Stream
from engine.errors import HandOver, NoCpuTurn
from engine.match import Match, Transition, decide, hand_of, legal_moves, pass_for
from engine.moves import Pass, Turn
from engine.players import Cpu, Level
from engine.strategies import SLOW, STRATEGIES
from engine.view import Viewer, view


def play_on(transition: Transition, at: datetime, *, at_once: bool = False) -> Transition:
    """`transition`, and all that follows without a further call, to the end of the hand at most; `at_once`, no further
    than to a CPU seat that `ponders`.
    """
    match, events = transition.match, list(transition.events)
    while not (at_once and ponders(match)) and (following := _next(match, at)) is not None:
        match = following.match
        events += following.events
    return Transition(match, tuple(events))


def step(match: Match, at: datetime) -> Transition:
    """Let the CPU seat that has the turn do one thing: a play, one draw or a pass."""
    if hand_of(match).result is not None:
        raise HandOver
    if _level(match) is None:
        raise NoCpuTurn
    return _cpu_turn(match, at)


def ponders(match: Match) -> bool:
    """Whether it is the turn of a CPU seat that takes long to `choose`."""
    return _level(match) in SLOW and len(legal_moves(match, match.turn)) > 1


def choose(match: Match) -> Turn:
    """The move of the CPU seat that has the turn, from what its seat may see.

    Its chances come from the match's seed and from where play stands (no two decisions in a hand are made with the same
    tiles laid, the same boneyard and the same seat): they repeat when the play does, and never touch a deal.
    """
    hand, seat, level = match.hand, match.turn, _level(match)
    assert hand is not None
    assert seat is not None
    assert level is not None
    rng = Stream(match.setup.seed, "capicua/cpu/1", hand.start.number, len(hand.boneyard), hand.tiles_left(), seat)
    return STRATEGIES[level](view(match, Viewer("seat", seat)), rng)


def _level(match: Match) -> Level | None:
    """Of the CPU seat that has the turn; null where none has it."""
    if match.turn is None:
        return None
    player = match.players[match.turn]
    return player.level if isinstance(player, Cpu) else None


def _next(match: Match, at: datetime) -> Transition | None:
    seat = match.turn
    if seat is None:
        return None
    if _level(match) is not None:
        return _cpu_turn(match, at) if match.setup.pacing == "auto" else None
    if match.setup.auto_pass and isinstance(legal_moves(match, seat)[0], Pass):
        return pass_for(match, seat, at)
    return None


def _cpu_turn(match: Match, at: datetime) -> Transition:
    return decide(match, match.turn, choose(match), at)
