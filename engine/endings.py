"""How a match ends other than by its score: by the clock, a resignation, its host, or seats that nobody takes.

A hand in play is then broken off and shown. The event that ends the match is the last of its log.
"""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final, Literal

from engine import turns
from engine.errors import MatchFinished
from engine.events import Cancelled, ClockExpired, Event, MatchEnded, MatchResult, Resigned
from engine.match import Match, Transition, evolve, hand_of
from engine.scoring import leaders

WAITING_TIME: Final = timedelta(days=1)
"""How long a match waits for its open seats to be taken."""


def resign(match: Match, seat: int, at: datetime) -> Transition:
    """Give up: the team of `seat` loses the match."""
    hand_of(match)
    resigned = Resigned(match.version + 1, match.hand_number, seat, match.turn, at)
    return _lost(match, seat, resigned, "resignation")


def cancel(match: Match, at: datetime) -> Transition:
    """End the match without a result."""
    if match.is_over:
        raise MatchFinished
    broken = _broken_off(Transition(match, ()), at)
    return _then(broken, Cancelled(broken.match.version + 1, match.hand_number, None, None, at))


def due(match: Match) -> datetime | None:
    """When time alone will change the match, if it will: a clock is running, or seats are open."""
    if match.is_over:
        return None
    if match.hand is None:
        return match.created_at + WAITING_TIME
    return None if match.clock is None else match.clock.deadline(match.updated_at)


def settle(match: Match, at: datetime) -> Transition:
    """What time alone has done to the match by `at`, as of the moment it was due; nothing, mostly."""
    moment = due(match)
    if moment is None or at < moment:
        return Transition(match, ())
    seat = match.turn
    if seat is None:
        return cancel(match, moment)
    expired = ClockExpired(match.version + 1, match.hand_number, seat, seat, moment)
    return _lost(match, seat, expired, "time")


def _lost(match: Match, seat: int, cause: Event, reason: Literal["time", "resignation"]) -> Transition:
    """`match` lost by the team of `seat`. With several teams left the one that stands best wins, if it is alone."""
    rules = match.setup.rules
    teams = [team for team in range(len(match.scores)) if team != rules.team(seat)]
    best = leaders(rules, match.scores, teams)
    broken = _broken_off(_then(Transition(match, ()), cause), cause.at)
    result = MatchResult(best[0] if len(best) == 1 else None, reason)
    return _then(broken, MatchEnded(broken.match.version + 1, None, None, None, cause.at, result))


def _broken_off(so_far: Transition, at: datetime) -> Transition:
    """`so_far`, and the end of the hand if one is in play."""
    match = so_far.match
    if match.hand is None or match.hand.result is not None:
        return so_far
    record = turns.break_off(match.setup.rules, match.hand, match.version, at)
    for event in record.events:
        so_far = _then(so_far, event)
    return so_far


def _then(so_far: Transition, event: Event) -> Transition:
    return replace(so_far, match=evolve(so_far.match, event), events=(*so_far.events, event))
