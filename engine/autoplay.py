"""What a match does by itself between two calls: CPU seats move, and people who can do nothing pass."""

from datetime import datetime

from engine.deal import Stream
from engine.errors import HandOver, NoCpuTurn
from engine.match import Match, Transition, decide, hand_of, legal_moves, pass_for
from engine.moves import Pass
from engine.players import Cpu
from engine.strategies import STRATEGIES
from engine.view import Viewer, view


def play_on(transition: Transition, at: datetime) -> Transition:
    """`transition`, and all that follows without a further call, to the end of the hand at most."""
    match, events = transition.match, list(transition.events)
    while (following := _next(match, at)) is not None:
        match = following.match
        events += following.events
    return Transition(match, tuple(events))


def step(match: Match, at: datetime) -> Transition:
    """Let the CPU seat that has the turn do one thing: a play, one draw or a pass."""
    if hand_of(match).result is not None:
        raise HandOver
    seat = match.turn
    if seat is None or not isinstance(player := match.players[seat], Cpu):
        raise NoCpuTurn
    return _cpu_turn(match, seat, player, at)


def _next(match: Match, at: datetime) -> Transition | None:
    seat = match.turn
    if seat is None:
        return None
    player = match.players[seat]
    if isinstance(player, Cpu):
        return _cpu_turn(match, seat, player, at) if match.setup.pacing == "auto" else None
    if match.setup.auto_pass and isinstance(legal_moves(match, seat)[0], Pass):
        return pass_for(match, seat, at)
    return None


def _cpu_turn(match: Match, seat: int, player: Cpu, at: datetime) -> Transition:
    """A CPU seat's move, chosen from what its seat may see.

    Its chances come from the match's seed and from where play stands (no two decisions in a hand are made with the same
    tiles laid, the same boneyard and the same seat): they repeat when the play does, and never touch a deal.
    """
    hand = match.hand
    assert hand is not None
    rng = Stream(match.setup.seed, "capicua/cpu/1", hand.start.number, len(hand.boneyard), hand.tiles_left(), seat)
    move = STRATEGIES[player.level](view(match, Viewer("seat", seat)), rng)
    return decide(match, seat, move, at)
