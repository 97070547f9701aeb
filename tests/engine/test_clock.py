"""B22: a budget for each seat and hand, which runs only while a person in that seat has to move."""

from dataclasses import replace
from datetime import timedelta
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.autoplay import play_on, step
from engine.catalogue import RULESETS
from engine.clock import Clock, TimeControl, charged, full
from engine.endings import due, resign, settle
from engine.events import Event
from engine.match import Match, Setup, change_level, create, decide, evolve, fold, join, legal_moves
from engine.moves import Draw, NextHand, Play
from engine.players import Cpu, Human, Open, Player
from engine.rules import Rules
from engine.tiles import Tile
from engine.view import SPECTATOR, ClockView, RunningClock, SeatClock, view
from tests.engine.games import AT, as_json, random_play, setup, viewers
from tests.engine.lives import random_life, tables
from tests.engine.oracle_table import times
from tests.engine.situations import DRAW, FIVES, fixed, kinds, stuck, table
from tests.kinds import KINDS

pytestmark = pytest.mark.usefixtures("compiled")

BUDGET: Final = 60
TICK: Final = timedelta(microseconds=1)


def at(seconds: float) -> Any:
    return AT + timedelta(seconds=seconds)


def timed(chosen: Setup, seconds: int = BUDGET) -> Setup:
    return replace(chosen, clock=TimeControl(seconds))


def on_the_clock(match: Match) -> Match:
    """A match that has come to a hand, as if it had begun with a clock and no time had passed."""
    return replace(match, setup=timed(match.setup), clock=Clock((BUDGET * 1_000_000,) * 2, match.turn))


def begin(rules: Rules, *hands: str, players: tuple[Player, ...] = (Human(), Human()), boneyard: str = "") -> Match:
    chosen = setup("block", 1, players, fixed(rules, *hands, boneyard=boneyard))
    return create(timed(replace(chosen, rules=rules, pacing="step")), AT).match


def left(match: Match) -> list[float]:
    """The seconds that each seat has left."""
    return [seat.seconds_left for seat in clock_of(match).seats]


def clock_of(match: Match) -> ClockView:
    shown = view(match, SPECTATOR).clock
    assert shown is not None
    assert all(view(match, viewer).clock == shown for viewer in viewers(match))
    return shown


def move(match: Match, seconds: float) -> Match:
    """The match after the first legal move, made that long after its beginning."""
    return decide(match, match.turn, legal_moves(match, match.turn)[0], at(seconds)).match


def test_b22_a_match_begins_with_full_budgets_and_the_leader_s_runs() -> None:
    match = begin(FIVES, "6-6", "5-5")
    assert clock_of(match) == ClockView(
        seconds_per_hand=60, seats=(SeatClock(0, 60), SeatClock(1, 60)), running=RunningClock(0, at(60))
    )


def test_b22_only_the_seat_that_has_to_move_is_charged() -> None:
    match = move(begin(FIVES, "6-6 6-1", "5-5 6-5"), 2.5)
    assert left(match) == [57.5, 60]
    assert clock_of(match).running == RunningClock(1, at(62.5))
    match = move(match, 10)
    assert left(match) == [57.5, 52.5]
    assert clock_of(match).running == RunningClock(0, at(67.5))
    assert left(move(match, 17.25)) == [50.25, 52.5]


def test_b22_the_seat_that_moves_after_an_automatic_opening_has_a_full_budget() -> None:
    match = begin(DRAW, "6-6", "5-5")
    assert match.turn == 1
    assert clock_of(match).running == RunningClock(1, at(60))


def test_b22_drawing_and_choosing_count_as_one() -> None:
    match = on_the_clock(table(DRAW, stuck(DRAW)))
    for seconds, deadline in ((2, 60), (5, 60), (9, 60)):
        match = decide(match, 0, Draw(), at(seconds)).match
        assert left(match) == [60 - seconds, 60]
        assert clock_of(match).running == RunningClock(0, at(deadline))
    match = decide(match, 0, Play(Tile(2, 1)), at(11)).match
    assert left(match) == [49, 60]
    assert clock_of(match).running == RunningClock(1, at(71))


def test_b22_draws_in_one_call_take_no_time() -> None:
    match = decide(on_the_clock(table(DRAW, stuck(DRAW))), 0, Draw(None, until_playable=True), at(4)).match
    assert left(match) == [56, 60]
    assert clock_of(match).running == RunningClock(0, at(60))


def test_b22_a_cpu_seat_is_never_charged() -> None:
    match = begin(FIVES, "6-6 6-1", "5-5 6-5", players=(Cpu("easy"), Human()))
    assert clock_of(match).running is None
    assert due(match) is None
    assert settle(match, at(86_400)).events == ()
    match = step(match, at(3_600)).match
    assert left(match) == [60, 60]
    assert clock_of(match).running == RunningClock(1, at(3_660))
    match = move(match, 3_610)
    assert left(match) == [60, 50]
    assert clock_of(match).running is None
    assert left(step(match, at(7_200)).match) == [60, 50]


def test_b22_cpu_seats_that_move_at_once_leave_the_clock_with_the_person() -> None:
    match = play_on(create(timed(setup("all-fives", 3, (Human(), Cpu("easy")))), AT), AT).match
    for seconds in range(3, 30, 3):
        if match.turn is None:
            break
        assert match.turn == 0
        match = play_on(decide(match, 0, legal_moves(match, 0)[0], at(seconds)), at(seconds)).match
        assert left(match) == [60 - seconds, 60]
        assert match.turn != 1
    assert match.updated_at > at(9)


@pytest.mark.parametrize("ruleset", KINDS)
def test_b22_every_hand_begins_with_a_full_budget(ruleset: str) -> None:
    budget = 600
    beginnings = 0
    seats = RULESETS[ruleset].seat_counts[0]
    for moment in random_play(timed(setup(ruleset, 11), budget), most=150):
        if kinds(moment.events)[0] in ("match_created", "hand_dealt"):
            beginnings += 1
            assert left(moment.match) == [budget] * seats
            assert moment.match.clock is not None
            assert moment.match.clock.running == moment.match.turn
    assert beginnings > 2


def test_b22_no_time_runs_between_hands() -> None:
    *_, over = (moment.match for moment in random_play(timed(setup("block", 2)), most=30) if moment.match.turn is None)
    assert over.status == "hand_over"
    assert clock_of(over).running is None
    assert due(over) is None
    later = over.updated_at + timedelta(days=30)
    assert settle(over, later).events == ()
    dealt = decide(over, None, NextHand(), later).match
    assert left(dealt) == [60, 60]
    running = clock_of(dealt).running
    assert running is not None
    assert running.deadline == later + timedelta(seconds=60)


@pytest.mark.parametrize("ruleset", ["all-fives", "block"])
def test_b22_the_move_that_ends_a_hand_is_charged_and_the_passes_of_a_dead_one_are_not(ruleset: str) -> None:
    reasons = set()
    for number in range(8):
        moments = random_play(timed(setup(ruleset, number)))
        over = next(moment.match for moment in moments if moment.match.past_hands)
        assert sum(left(over)) == 120 - (over.updated_at - AT).total_seconds()
        reasons.add(over.past_hands[0].reason)
    assert reasons == {"domino", "blocked"}


def test_b22_time_is_up_at_the_deadline_and_not_before() -> None:
    match = begin(FIVES, "6-6", "5-5")
    assert due(match) == at(60)
    assert settle(match, at(60) - TICK).events == ()
    assert kinds(settle(match, at(60)).events) == ["clock_expired", "hand_ended", "match_ended"]


def test_b22_a_move_may_come_in_the_last_microsecond() -> None:
    match = decide(match := begin(FIVES, "6-6", "5-5"), 0, legal_moves(match, 0)[0], at(60) - TICK).match
    assert match.clock == Clock((1, 60_000_000), 1)
    assert left(match) == [0.000001, 60]


def test_b22_who_comes_back_to_a_spent_budget_has_what_is_left() -> None:
    match = move(move(begin(FIVES, "6-6 6-1", "5-5 6-5"), 59), 70)
    assert due(match) == at(71)
    (expired, *_) = settle(match, at(100)).events
    assert (expired.type, expired.seat, expired.at) == ("clock_expired", 0, at(71))


def test_b22_a_level_changed_meanwhile_stops_nothing() -> None:
    match = begin(FIVES, "6-6", "5-5", players=(Human(), Cpu("easy")))
    for seconds in (10, 25, 25, 59):
        level = match.players[1]
        assert isinstance(level, Cpu)
        match = change_level(match, 1, "easy" if level.level == "hard" else "hard", at(seconds)).match
        assert left(match) == [60 - seconds, 60]
        assert clock_of(match).running == RunningClock(0, at(60))
    assert due(match) == at(60)


def test_b22_another_seat_s_resignation_charges_who_had_to_move() -> None:
    after = resign(begin(FIVES, "6-6", "5-5"), 1, at(20)).match
    assert left(after) == [40, 60]
    assert clock_of(after).running is None


def test_b22_an_expired_clock_stands_at_nothing() -> None:
    after = settle(begin(FIVES, "6-6", "5-5"), at(1_000)).match
    assert left(after) == [0, 60]
    assert clock_of(after).running is None


def test_b22_no_time_runs_while_seats_are_open() -> None:
    match = create(timed(setup("all-fives", 1, (Human(), Open()))), AT).match
    assert clock_of(match) == ClockView(60, (SeatClock(0, 60), SeatClock(1, 60)), None)
    match = join(match, None, None, at(5_000)).match
    assert left(match) == [60, 60]
    running = clock_of(match).running
    assert running is not None
    assert (running.seat, running.deadline) == (match.turn, at(5_060))


def test_without_a_clock_nobody_s_time_is_limited() -> None:
    match = create(setup("all-fives", 1), AT).match
    assert view(match, SPECTATOR).clock is None
    assert due(match) is None
    assert settle(match, at(10**9)).events == ()


@given(st.lists(st.integers(-(10**8), 10**8), max_size=20), st.integers(1, 90))
def test_no_step_of_the_time_handed_in_leaves_the_budget(steps: list[int], seconds: int) -> None:
    clock = charged(full(TimeControl(seconds), 2), timedelta(hours=9), 0)
    assert clock == Clock((seconds * 1_000_000,) * 2, 0)
    for index, passed in enumerate(steps):
        before = clock.left
        clock = charged(clock, passed * TICK, index % 2)
        assert all(0 <= now <= then <= seconds * 1_000_000 for now, then in zip(clock.left, before, strict=True))


def compare(chosen: Setup, log: tuple[Event, ...]) -> int:
    """Hold the clock after every event to what the published log says; how often it ran."""
    assert chosen.clock is not None
    sitting: list[str] = [player.kind for player in chosen.players]
    published = as_json(log, tuple[Event, ...])
    match = fold(chosen, log[:1])
    ran = 0
    for count, event in enumerate(log, 1):
        match = evolve(match, event) if count > 1 else match
        micros, seat, deadline = times(published[:count], sitting, chosen.clock.seconds_per_hand)
        assert match.clock == Clock(tuple(micros), seat)
        running = RunningClock(seat, deadline) if seat is not None and deadline is not None else None
        seats = tuple(SeatClock(seat, spare / 1_000_000) for seat, spare in enumerate(micros))
        assert clock_of(match) == ClockView(chosen.clock.seconds_per_hand, seats, running)
        ran += seat is not None
    return ran


@given(tables(st.builds(TimeControl, st.integers(1, 60))))
@settings(max_examples=60)
def test_the_log_alone_says_what_everybody_has_left(chosen: Setup) -> None:
    *_, last = random_life(chosen, most=60)
    compare(chosen, last.log)
    assert fold(last.match.setup, last.log) == last.match


@pytest.mark.parametrize("ruleset", KINDS)
def test_the_log_alone_says_it_in_the_four_games(ruleset: str) -> None:
    lost = ran = 0
    for number in range(12):
        seats = RULESETS[ruleset].seat_counts[0]
        players: tuple[Player, ...] = (Human(), Open(), Cpu("easy"), Human())[:seats]
        chosen = timed(setup(ruleset, number, players), 8)
        *_, last = random_life(chosen, most=60)
        ran += compare(chosen, last.log)
        assert fold(chosen, last.log) == last.match
        lost += last.match.result is not None and last.match.result.reason == "time"
    assert lost > 2
    assert ran > 100
