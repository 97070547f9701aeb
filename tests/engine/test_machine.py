"""A table at which anybody may ask for anything, in any order and at any time: people, CPU seats and the host."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from engine.autoplay import play_on, step
from engine.clock import Clock, TimeControl
from engine.endings import WAITING_TIME, cancel, due, resign, settle
from engine.errors import RuleViolation
from engine.events import Event
from engine.layout import ENDS
from engine.match import Match, Setup, Transition, change_level, create, decide, evolve, fold, join, legal_moves
from engine.moves import Draw, Move, NextHand, Pass, Play
from engine.players import Cpu, Human, Level
from engine.tiles import tile_set
from engine.view import open_hand, redact, view
from tests.engine.games import AT, as_json, text, viewers
from tests.engine.lives import tables
from tests.engine.oracle_table import TableOracle, times
from tests.engine.test_oracle import facts

LEVELS: st.SearchStrategy[Level] = st.sampled_from(["easy", "medium", "hard"])
SEATS = st.none() | st.integers(0, 5)
CLOCKS = st.none() | st.builds(TimeControl, st.integers(5, 300)) | st.builds(TimeControl, st.integers(5, 60))
MOMENTS = st.sampled_from([0, 0, 1]) | st.integers(0, 3_000_000)
"""Microseconds between two calls."""


def moves() -> st.SearchStrategy[Move]:
    return st.one_of(
        st.builds(Play, st.sampled_from(tile_set(6)), st.sampled_from([None, *ENDS])),
        st.builds(Draw, st.none() | st.integers(0, 90), st.booleans()),
        st.just(Pass()),
        st.just(NextHand()),
    )


class Table(RuleBasedStateMachine):
    match: Match
    folded: Match
    """What the log makes of the setup."""
    log: tuple[Event, ...]
    published: list[dict[str, Any]]
    oracle: TableOracle
    now: datetime
    patience: int
    """How many more calls there are before anybody gives up or cancels."""

    @initialize(chosen=tables(CLOCKS), patience=st.integers(0, 60))
    def sit_down(self, chosen: Setup, patience: int) -> None:
        self.log, self.published, self.now, self.patience = (), [], AT, patience
        kinds = [player.kind for player in chosen.players]
        self.oracle = TableOracle(as_json(chosen.rules), [*kinds], chosen.seed, chosen.ruleset)
        self.follow(play_on(create(chosen, AT), AT), AT)

    def follow(self, done: Transition, at: datetime) -> None:
        """Go on from what a call did; the oracle does the moves in it and has to find the same facts."""
        for fact in facts(done.events):
            if fact["seq"] > len(self.oracle.facts):
                self.cause(fact)
            assert self.oracle.facts[fact["seq"] - 1] == fact
        self.match = done.match
        for event in done.events:
            self.folded = evolve(self.folded, event) if self.log else fold(self.match.setup, [event])
            self.log = (*self.log, event)
        assert self.folded == self.match
        self.published += as_json(done.events, tuple[Event, ...])
        assert self.match.version == len(self.oracle.facts)
        assert all(event.at == at for event in done.events)

    def cause(self, fact: dict[str, Any]) -> None:
        """Have the oracle do what led to `fact`, the first one that it does not know."""
        seat = fact["seat"]
        match fact["type"]:
            case "tile_played":
                self.oracle.act(seat, {"type": "play", "tile": fact["tile"], "end": fact["end"]})
            case "tile_drawn":
                self.oracle.act(seat, {"type": "draw", "position": fact["position"], "until_playable": False})
            case "turn_passed":
                self.oracle.act(seat, {"type": "pass"}, automatic=fact["automatic"])
            case "hand_dealt":
                self.oracle.act(None, {"type": "next-hand"})
            case "level_changed":
                self.oracle.say("level_changed", seat, self.match.turn, level=fact["level"])

    def call(self, expected: str | None, asked: Callable[[], Transition]) -> None:
        """Ask for something; it has to be refused with the code `expected`, or accepted where that is null."""
        before = text(self.match)
        try:
            code, done = None, asked()
        except RuleViolation as refused:
            code, done = refused.code, Transition(self.match, ())
        assert code == expected
        assert text(self.match) == before
        self.patience -= 1
        self.follow(play_on(done, self.now), self.now)

    def ask(self, seat: int | None, move: Move) -> None:
        """The oracle goes first: where an unnamed end is and how long a draw goes on is for it to say."""
        wanted = as_json(move, Move)
        expected = self.oracle.refusal(seat, wanted)
        if expected is None:
            self.oracle.act(seat, wanted)
        self.call(expected, lambda: decide(self.match, seat, move, self.now))

    @precondition(lambda self: self.match.status == "playing")
    @rule(moves=st.lists(st.tuples(st.integers(0, 2**16), MOMENTS), min_size=1, max_size=6))
    def move(self, moves: list[tuple[int, int]]) -> None:
        for choice, micros in moves:
            self.pass_time(timedelta(microseconds=micros))
            allowed = legal_moves(self.match, self.match.turn)
            if self.match.status != "playing":
                return
            self.ask(self.match.turn, allowed[choice % len(allowed)])

    @precondition(lambda self: Draw() in legal_moves(self.match, self.match.turn))
    @rule(choice=st.integers(0, 90), until_playable=st.booleans())
    def draw(self, choice: int, until_playable: bool) -> None:
        assert self.match.hand is not None
        self.ask(self.match.turn, Draw(choice % len(self.match.hand.boneyard), until_playable))

    @rule(seat=SEATS, move=moves())
    def ask_for_anything(self, seat: int | None, move: Move) -> None:
        self.ask(None if seat is None else seat % len(self.match.players), move)

    @precondition(lambda self: self.match.status == "playing")
    @rule(move=moves())
    def ask_for_anything_in_turn(self, move: Move) -> None:
        self.ask(self.match.turn, move)

    @precondition(lambda self: self.match.status == "hand_over")
    @rule()
    def next_hand(self) -> None:
        self.ask(None, NextHand())

    @rule()
    def let_the_cpu_move(self) -> None:
        seat = self.match.turn
        cpu = seat is not None and isinstance(self.match.players[seat], Cpu)
        stopped = "hand-over" if self.match.status == "hand_over" else self.oracle.closed()
        self.call(stopped or (None if cpu else "no-cpu-turn"), lambda: step(self.match, self.now))

    @rule(seat=st.integers(0, 5), level=LEVELS)
    def change_the_level(self, seat: int, level: Level) -> None:
        seat %= len(self.match.players)
        cpu = isinstance(self.match.players[seat], Cpu)
        expected = "match-finished" if self.match.is_over else None if cpu else "not-a-cpu-seat"
        before = self.match
        self.call(expected, lambda: change_level(self.match, seat, level, self.now))
        assert expected or self.match.players[seat] == Cpu(level)
        assert self.match.version - before.version == (self.match.players != before.players)

    @rule(seat=SEATS, name=st.sampled_from([None, "Asha", "Björn"]))
    def sit_down_late(self, seat: int | None, name: str | None) -> None:
        seat = None if seat is None else seat % len(self.match.players)
        expected = self.oracle.refused_seat(seat)
        if expected is None:
            self.oracle.join(seat, name)
        self.call(expected, lambda: join(self.match, seat, name, self.now))

    @precondition(lambda self: self.match.status == "waiting")
    @rule(hours=st.integers(0, 9))
    def everybody_sits_down(self, hours: int) -> None:
        while self.match.status == "waiting":
            self.pass_time(timedelta(hours=hours))
            self.sit_down_late(None, None)

    @rule(micros=MOMENTS)
    def let_time_pass(self, micros: int) -> None:
        self.pass_time(timedelta(microseconds=micros))

    @precondition(lambda self: self.patience <= 0)
    @rule(
        how=st.sampled_from(["resign", "cancel", "wait", "wait"]),
        seat=st.integers(0, 5),
        late=st.sampled_from([0, 0, 10_000_000]),
    )
    def lose_patience(self, how: str, seat: int, late: int) -> None:
        if how == "resign":
            self.give_up(seat % len(self.match.players))
        elif how == "cancel":
            self.call_it_off()
        elif (moment := due(self.match)) is not None:
            self.pass_time(moment - self.now - timedelta(microseconds=1))
            self.pass_time(timedelta(microseconds=1 + late))

    def give_up(self, seat: int) -> None:
        expected = self.oracle.closed()
        if expected is None:
            self.oracle.lose(seat, "resignation")
        self.call(expected, lambda: resign(self.match, seat, self.now))

    def call_it_off(self) -> None:
        expected = "match-finished" if self.match.is_over else None
        if expected is None:
            self.oracle.cancel()
        self.call(expected, lambda: cancel(self.match, self.now))

    def pass_time(self, pause: timedelta) -> None:
        """Time alone does what the log says that it has to."""
        self.now += pause
        seat, deadline = self.deadline()
        if deadline is None or self.now < deadline:
            assert settle(self.match, self.now) == Transition(self.match, ())
            return
        if seat is None:
            self.oracle.cancel()
        else:
            self.oracle.lose(seat, "time")
        self.follow(settle(self.match, self.now), deadline)

    def deadline(self) -> tuple[int | None, datetime | None]:
        """Who loses when, and when a match without a hand ends, from the log alone."""
        if self.match.status == "waiting":
            return None, AT + WAITING_TIME
        _, seat, deadline = self.clock()
        return seat, deadline

    def clock(self) -> tuple[list[int], int | None, datetime | None]:
        control, players = self.match.setup.clock, self.match.setup.players
        if control is None:
            return [], None, None
        return times(self.published, [player.kind for player in players], control.seconds_per_hand)

    @invariant()
    def the_state_is_what_the_oracle_says(self) -> None:
        if not hasattr(self, "match"):
            return
        assert self.match.status == self.oracle.status
        assert [player.kind for player in self.match.players] == self.oracle.kinds
        for seat in [None, *range(len(self.match.players))]:
            assert as_json(legal_moves(self.match, seat), tuple[Move, ...]) == self.oracle.legal(seat)

    @invariant()
    def the_clock_is_what_the_log_says(self) -> None:
        if not hasattr(self, "match"):
            return
        left, running, _ = self.clock()
        assert self.match.clock == (Clock(tuple(left), running) if self.match.setup.clock is not None else None)
        assert due(self.match) == self.deadline()[1]

    @invariant()
    def the_log_is_whole(self) -> None:
        if not hasattr(self, "match"):
            return
        assert [event.seq for event in self.log] == list(range(1, self.match.version + 1))
        assert self.log[-1].turn == self.match.turn
        assert [event.at for event in self.log] == sorted(event.at for event in self.log)
        assert self.match.updated_at == self.log[-1].at <= self.now

    @invariant()
    def no_tile_is_lost(self) -> None:
        if not hasattr(self, "match") or (hand := self.match.hand) is None:
            return
        laid = [placed.tile for arm in hand.layout.arms for placed in arm.tiles]
        laid += [hand.layout.opening.tile] if hand.layout.opening is not None else []
        found = [*laid, *hand.boneyard, *[tile for tiles in hand.tiles for tile in tiles]]
        assert sorted(map(str, found)) == sorted(map(str, self.match.setup.rules.live_tiles()))

    @invariant()
    def nobody_sees_what_is_hidden(self) -> None:
        if not hasattr(self, "match"):
            return
        hidden_in = open_hand(self.match)
        assert (hidden_in is not None) == (self.match.status == "playing")
        for viewer in viewers(self.match):
            shown = view(self.match, viewer)
            assert (shown.deal.seed is not None) == (self.match.status == "finished")
            for seat in shown.seats:
                known = self.match.hand is not None and (hidden_in is None or viewer.seat == seat.seat)
                assert (seat.tiles is not None) == known
            for event in self.log[-4:]:
                if event.type == "tile_drawn":
                    seen = redact(event, viewer, hidden_in)
                    blank = seen.type == "tile_drawn" and seen.tile is None
                    assert blank == (event.hand == hidden_in and event.seat != viewer.seat)

    @invariant()
    def nobody_waits_for_the_service(self) -> None:
        """With pacing `auto` a CPU seat never has the turn, and with `auto_pass` nobody has to pass."""
        if not hasattr(self, "match") or (seat := self.match.turn) is None:
            return
        player, chosen = self.match.players[seat], self.match.setup
        assert chosen.pacing == "step" or isinstance(player, Human)
        assert isinstance(player, Cpu) or not chosen.auto_pass or Pass() not in legal_moves(self.match, seat)


TestTable = Table.TestCase
TestTable.settings = settings(max_examples=150, stateful_step_count=60, suppress_health_check=[HealthCheck.too_slow])
