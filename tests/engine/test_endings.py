"""Ends before the end: a resignation, the host's word, an expired clock, and seats that nobody takes."""

import itertools
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Final

import pytest

from engine.autoplay import play_on, step
from engine.clock import TimeControl
from engine.endings import cancel, due, resign, settle
from engine.errors import MatchFinished, MatchWaiting
from engine.events import Cancelled, ClockExpired, HandEnded, MatchEnded, MatchReason, MatchResult, Resigned
from engine.match import (
    Match,
    Transition,
    change_level,
    create,
    decide,
    fold,
    join,
    legal_moves,
    pass_for,
)
from engine.moves import Draw, NextHand, Pass, Play
from engine.players import Human, Open
from engine.tiles import Tile, pips
from engine.view import HOST, MatchSummary, SeatSummary, open_hand, redact, summary, view
from tests.engine.games import AT, Moment, setup, text, viewers
from tests.engine.lives import random_life
from tests.engine.situations import BLOCK, FIVES, PARTNER, amounts, begin, kinds, situation, table
from tests.engine.statuses import (
    CANCELLED,
    LATER,
    OVER,
    TABLES,
    cancelled,
    hand_over,
    playing,
    resigned,
    timed_out,
    waiting,
)

pytestmark = pytest.mark.usefixtures("compiled")

DAY: Final = timedelta(days=1)
TICK: Final = timedelta(microseconds=1)
ENDS_EARLY: Final[tuple[MatchReason, ...]] = ("time", "resignation")

any_table = pytest.mark.parametrize("name", TABLES)


# Resigning and cancelling in every status


@any_table
def test_a_seat_that_resigns_in_play_loses_at_once(name: str) -> None:
    match = playing(name).match
    for seat in range(len(match.players)):
        gone, ended, over = resign(match, seat, LATER).events
        assert gone == Resigned(match.version + 1, 2, seat, match.turn, LATER)
        assert (ended.type, ended.seq, ended.hand, ended.turn) == ("hand_ended", match.version + 2, 2, None)
        assert isinstance(over, MatchEnded)
        assert (over.seq, over.hand, over.turn, over.at) == (match.version + 3, None, None, LATER)
        assert over.result.reason == "resignation"
        assert over.result.winner != match.setup.rules.team(seat)


@any_table
def test_a_seat_that_resigns_between_hands_ends_no_hand(name: str) -> None:
    match = hand_over(name).match
    for seat in range(len(match.players)):
        done = resign(match, seat, LATER)
        gone, over = done.events
        assert gone == Resigned(match.version + 1, 1, seat, None, LATER)
        assert isinstance(over, MatchEnded)
        assert (done.match.past_hands, done.match.hand) == (match.past_hands, match.hand)


@any_table
def test_nobody_resigns_before_the_first_hand_or_after_the_end(name: str) -> None:
    with pytest.raises(MatchWaiting):
        resign(waiting(name).match, 0, LATER)
    for over in OVER:
        with pytest.raises(MatchFinished):
            resign(over(name).match, 1, LATER)


@any_table
@pytest.mark.parametrize(
    ("begun", "events"),
    [(waiting, ["cancelled"]), (playing, ["hand_ended", "cancelled"]), (hand_over, ["cancelled"])],
)
def test_the_host_cancels_what_is_not_over(name: str, begun: Callable[[str], Moment], events: list[str]) -> None:
    match = begun(name).match
    done = cancel(match, LATER)
    assert kinds(done.events) == events
    assert done.events[-1] == Cancelled(match.version + len(events), match.hand_number, None, None, LATER)
    assert (done.match.status, done.match.result) == ("cancelled", None)
    assert done.match.scores == match.scores


@any_table
def test_nothing_is_cancelled_that_is_over(name: str) -> None:
    for over in OVER:
        with pytest.raises(MatchFinished):
            cancel(over(name).match, LATER)


# After the end


@any_table
@pytest.mark.parametrize("over", OVER)
def test_nothing_follows_the_end(name: str, over: Callable[[str], Moment]) -> None:
    moment = over(name)
    match, seats = moment.match, range(len(moment.match.players))
    assert match.is_over
    assert match.status == ("cancelled" if over in CANCELLED else "finished")
    assert match.turn is None
    assert match.clock is None or match.clock.running is None
    assert fold(match.setup, moment.log) == match
    assert [event.seq for event in moment.log] == list(range(1, match.version + 1))
    terminal = [event.type for event in moment.log if event.type in ("cancelled", "match_ended")]
    assert terminal == [moment.log[-1].type] == ["cancelled" if over in CANCELLED else "match_ended"]
    assert all(legal_moves(match, seat) == () for seat in [None, *seats])
    assert all(shown is None or shown.legal_moves == () for shown in [view(match, who).hand for who in viewers(match)])
    assert due(match) is None
    assert settle(match, LATER + 9 * DAY) == Transition(match, ())
    assert play_on(Transition(match, ()), LATER).events == ()


@pytest.mark.parametrize("over", OVER)
def test_every_call_finds_the_match_over(over: Callable[[str], Moment]) -> None:
    match = over("two").match
    calls: list[Callable[[], Transition]] = [
        *[
            lambda seat=seat, move=move: decide(match, seat, move, LATER)
            for seat in (None, 0, 1)
            for move in (Play(Tile(6, 6)), Draw(), Pass(), NextHand())
        ],
        lambda: join(match, None, None, LATER),
        lambda: join(match, 1, "Asha", LATER),
        lambda: change_level(match, 0, "hard", LATER),
        lambda: pass_for(match, 0, LATER),
        lambda: step(match, LATER),
    ]
    for call in calls:
        with pytest.raises(MatchFinished):
            call()


# The hand that is broken off


@any_table
@pytest.mark.parametrize("over", [resigned, cancelled, timed_out])
def test_a_hand_that_is_broken_off_is_shown_and_nobody_wins_it(name: str, over: Callable[[str], Moment]) -> None:
    moment = over(name)
    match, hand = moment.match, moment.match.hand
    assert hand is not None
    (ended,) = [event for event in moment.events if isinstance(event, HandEnded)]
    result, before = ended.result, fold(match.setup, moment.log[: -len(moment.events)])
    assert before.hand is not None
    assert (result.number, result.reason, result.winner, result.doubled) == (
        hand.start.number,
        "unfinished",
        None,
        False,
    )
    assert [left.tiles for left in result.leftover] == [*before.hand.tiles]
    assert [left.pips for left in result.leftover] == [pips(tiles) for tiles in before.hand.tiles]
    assert result.boneyard == before.hand.boneyard
    assert amounts(result.scores) == before.scores == match.scores
    assert amounts(result.play_points) == before.hand.tally.play_points
    assert set(amounts(result.end_points)) == {0}
    assert match.past_hands[:-1] == before.past_hands
    last = match.past_hands[-1]
    assert (last.number, last.reason, last.winner) == (hand.start.number, "unfinished", None)
    for viewer in viewers(match):
        shown = view(match, viewer)
        assert tuple(seat.tiles for seat in shown.seats) == before.hand.tiles
        assert shown.hand is not None
        assert shown.hand.result == result
        assert tuple(redact(event, viewer, open_hand(match)) for event in moment.log) == moment.log


def test_points_taken_in_play_are_kept() -> None:
    match = decide(begin(FIVES, "5-5", "6-4").match, 0, Play(Tile(5, 5)), AT).match
    assert match.scores == (10, 0)
    result = cancel(match, LATER).match.past_hands[-1]
    assert (amounts(result.play_points), amounts(result.end_points)) == ((10, 0), (0, 0))
    assert amounts(result.scores) == (10, 0)


@pytest.mark.parametrize("target", [0, 1])
def test_a_hand_that_is_broken_off_decides_nothing_by_score(target: int) -> None:
    """However the scores stand: a match of one hand is not won, and a target passed by equals stays undecided."""
    hand = situation(replace(BLOCK, target=target), "6-6", ("6-1 5-5", "6-2 1-1"), scores=(7, 7))
    match = table(replace(BLOCK, target=target), hand)
    assert resign(match, 1, LATER).match.result == MatchResult(0, "resignation")
    assert kinds(cancel(match, LATER).events) == ["hand_ended", "cancelled"]


# Who wins


@pytest.mark.parametrize("scoring", ["points", "penalty"])
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("over", ENDS_EARLY)
def test_of_the_teams_left_the_one_that_stands_best_alone_wins(scoring: str, seats: int, over: MatchReason) -> None:
    rules = replace(PARTNER if scoring == "penalty" else BLOCK, partners="none")
    held = ("6-1 5-5", "6-2 1-1", "6-3 2-2", "6-4 3-3")[:seats]
    for scores in itertools.product((0, 10, 25), repeat=seats):
        for seat in range(seats):
            match = table(rules, situation(rules, "6-6", held, turn=seat, scores=scores))
            assert ended(match, seat, over) == MatchResult(best(scores, seat, scoring), over)


def best(scores: tuple[int, ...], loser: int, scoring: str) -> int | None:
    """The one team that beats all others but `loser`."""
    left = [team for team in range(len(scores)) if team != loser]
    for team in left:
        rivals = [scores[other] for other in left if other != team]
        if all(rival < scores[team] if scoring == "points" else rival > scores[team] for rival in rivals):
            return team
    return None


def ended(match: Match, seat: int, over: str) -> MatchResult | None:
    if over == "resignation":
        return resign(match, seat, LATER).match.result
    limited = create(replace(match.setup, clock=TimeControl(60)), AT).match.clock
    assert limited is not None
    return settle(replace(match, clock=replace(limited, running=seat)), LATER).match.result


@pytest.mark.parametrize("scores", [(0, 0), (100, 0), (0, 100), (50, 50)])
@pytest.mark.parametrize("seat", range(4))
def test_of_pairs_the_other_one_wins_whatever_the_scores(scores: tuple[int, int], seat: int) -> None:
    held = ("6-1 5-5", "6-2 1-1", "6-3 2-2", "6-4 3-3")
    for over in ENDS_EARLY:
        match = table(PARTNER, situation(PARTNER, "6-6", held, turn=seat, scores=scores))
        assert ended(match, seat, over) == MatchResult(1 - seat % 2, over)


# What may be seen


@pytest.mark.parametrize("over", OVER)
def test_the_seed_is_shown_when_a_match_is_finished_and_never_when_it_is_cancelled(
    over: Callable[[str], Moment],
) -> None:
    match = over("pairs").match
    for viewer in viewers(match):
        shown = view(match, viewer)
        assert shown.deal.seed == (None if over in CANCELLED else match.setup.seed)
        assert (match.setup.seed in text(shown)) == (over not in CANCELLED)


def test_a_summary_says_where_a_match_stands() -> None:
    match = resigned("two").match
    assert summary(match) == MatchSummary(
        id=match.setup.id,
        version=match.version,
        status="finished",
        ruleset="all-fives",
        target=150,
        hand_number=2,
        created_at=AT,
        updated_at=LATER,
        seats=(SeatSummary(0, "human", None, None, 0), SeatSummary(1, "human", None, None, 1)),
        scores=view(match, HOST).scores,
        result=MatchResult(1, "resignation"),
        clock=None,
        hints=False,
    )
    assert summary(waiting("two").match).status == "waiting"
    assert (summary(cancelled("two").match).status, summary(cancelled("two").match).result) == ("cancelled", None)


@pytest.mark.parametrize("over", [waiting, playing, hand_over, *OVER])
@any_table
def test_a_summary_shows_nothing_that_the_state_does_not(name: str, over: Callable[[str], Moment]) -> None:
    match = over(name).match
    short, whole = summary(match), view(match, HOST)
    for shared in ("id", "version", "status", "ruleset", "created_at", "updated_at", "scores", "result"):
        assert getattr(short, shared) == getattr(whole, shared)
    assert short.hand_number == (whole.hand.number if whole.hand is not None else None)
    for seat, seen in zip(short.seats, whole.seats, strict=True):
        assert (seat.seat, seat.kind, seat.name, seat.level, seat.team) == (
            (seen.seat, seen.kind, seen.name, seen.level, seen.team)
        )
    assert match.setup.seed not in text(short)


# What time does


def test_an_expired_clock_ends_the_match_as_of_its_deadline() -> None:
    match = create(replace(setup("draw", 1), clock=TimeControl(90)), AT).match
    deadline, seat = AT + timedelta(seconds=90), match.turn
    assert seat is not None
    assert due(match) == deadline
    done = settle(match, deadline)
    expired, ended_hand, over = done.events
    assert expired == ClockExpired(match.version + 1, 1, seat, seat, deadline)
    assert isinstance(ended_hand, HandEnded)
    assert over == MatchEnded(match.version + 3, None, None, None, deadline, MatchResult(1 - seat, "time"))
    assert {event.at for event in done.events} == {deadline} == {done.match.updated_at}


@pytest.mark.parametrize("late", [timedelta(), TICK, timedelta(seconds=1), 400 * DAY])
def test_when_it_is_noticed_makes_no_difference(late: timedelta) -> None:
    for match in (create(replace(setup("block", 1), clock=TimeControl(5)), AT).match, waiting("two").match):
        moment = due(match)
        assert moment is not None
        done = settle(match, moment + late)
        assert done == settle(match, moment)
        assert settle(done.match, moment + late) == Transition(done.match, ())


@pytest.mark.parametrize("clock", [None, TimeControl(5)])
def test_a_match_that_nobody_joins_is_cancelled_after_a_day(clock: TimeControl | None) -> None:
    match = create(replace(setup("block", 1, (Human(), Open())), clock=clock), AT).match
    assert due(match) == AT + DAY
    assert settle(match, AT + DAY - TICK) == Transition(match, ())
    done = settle(match, AT + DAY)
    assert done.events == (Cancelled(2, None, None, None, AT + DAY),)
    assert done.match.status == "cancelled"


def test_a_seat_taken_does_not_prolong_the_wait_and_the_last_one_ends_it() -> None:
    match = create(setup("block", 1, (Human(), Open(), Open()), hand_size=5), AT).match
    match = join(match, None, None, AT + timedelta(hours=23)).match
    assert due(match) == AT + DAY
    match = join(match, None, None, AT + DAY - TICK).match
    assert due(match) is None
    assert settle(match, AT + 9 * DAY) == Transition(match, ())


@pytest.mark.parametrize("number", range(30))
def test_time_does_what_it_is_due_to_do_and_nothing_before(number: int) -> None:
    players = (Human(), Open() if number % 3 else Human())
    for moment in random_life(replace(setup("draw", number, players), clock=TimeControl(20)), most=40):
        match, moment_due = moment.match, due(moment.match)
        running = match.status in {"waiting", "playing"}
        assert (moment_due is not None) == running
        if moment_due is None:
            continue
        assert settle(match, moment_due - TICK) == Transition(match, ())
        done = settle(match, moment_due)
        assert done.match.is_over
        assert fold(match.setup, moment.log + done.events) == done.match
        assert {event.at for event in done.events} == {moment_due}
