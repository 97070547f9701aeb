"""Matches in every status: waiting, in play, between hands, and over in each way that there is."""

import itertools
from dataclasses import replace
from datetime import timedelta
from typing import Any, Final

from engine.clock import TimeControl
from engine.endings import cancel, resign, settle
from engine.match import Setup, Transition, create
from engine.players import Human, Open
from tests.engine.games import AT, Moment, random_play, setup

LATER: Final = AT + timedelta(hours=2)

ALONE: Final = ("block", {"hand_size": 5})
PENALTY_ALONE: Final = ("partner-penalty", {"partners": "none"})
TABLES: Final[dict[str, tuple[int, tuple[str, dict[str, Any]]]]] = {
    "two": (2, ("all-fives", {})),
    "three": (3, ALONE),
    "four": (4, ALONE),
    "pairs": (4, ("partner-penalty", {})),
    "three, penalty": (3, PENALTY_ALONE),
    "four, penalty": (4, PENALTY_ALONE),
}


def at_table(name: str, number: int = 3, **more: Any) -> Setup:
    seats, (ruleset, rules) = TABLES[name]
    return setup(ruleset, number, (Human(),) * seats, **rules, **more)


def waiting(name: str) -> Moment:
    chosen = at_table(name)
    done = create(replace(chosen, players=(*chosen.players[:-1], Open())), AT)
    return Moment(done.match, None, done.events, done.events)


def playing(name: str) -> Moment:
    """The second hand, after a few moves."""
    moments = (moment for moment in random_play(at_table(name)) if moment.match.past_hands)
    return next(moment for moment in itertools.islice(moments, 4, None) if moment.match.status == "playing")


def hand_over(name: str) -> Moment:
    return next(moment for moment in random_play(at_table(name)) if moment.match.status == "hand_over")


def finished(name: str) -> Moment:
    *_, last = random_play(at_table(name, target=0))
    return last


def followed(moment: Moment, done: Transition) -> Moment:
    return Moment(done.match, None, done.events, moment.log + done.events)


def resigned(name: str) -> Moment:
    return followed(begun := playing(name), resign(begun.match, 0, LATER))


def cancelled(name: str) -> Moment:
    return followed(begun := playing(name), cancel(begun.match, LATER))


def resigned_between_hands(name: str) -> Moment:
    return followed(begun := hand_over(name), resign(begun.match, 0, LATER))


def cancelled_between_hands(name: str) -> Moment:
    return followed(begun := hand_over(name), cancel(begun.match, LATER))


def cancelled_while_waiting(name: str) -> Moment:
    return followed(begun := waiting(name), cancel(begun.match, LATER))


def timed_out(name: str) -> Moment:
    chosen = replace(at_table(name), clock=TimeControl(60))
    done = create(chosen, AT)
    begun = Moment(done.match, None, done.events, done.events)
    return followed(begun, settle(done.match, LATER))


OVER: Final = [
    finished,
    resigned,
    resigned_between_hands,
    timed_out,
    cancelled,
    cancelled_between_hands,
    cancelled_while_waiting,
]
CANCELLED: Final = [cancelled, cancelled_between_hands, cancelled_while_waiting]
