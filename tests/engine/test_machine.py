"""A table at which anybody may ask for anything, in any order: people, CPU seats and the host, in any game."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from engine.autoplay import play_on, step
from engine.errors import RuleViolation
from engine.events import Event
from engine.layout import ENDS
from engine.match import Match, Pacing, Setup, Transition, change_level, create, decide, fold, legal_moves
from engine.moves import Draw, Move, NextHand, Pass, Play
from engine.players import Cpu, Human, Level, Player
from engine.rules import Rules
from engine.tiles import tile_set
from tests.engine.any_rules import SEEDS, games
from tests.engine.games import AT, as_json, setup, text
from tests.engine.oracle import Oracle
from tests.engine.test_oracle import facts, oracle_of

LEVELS: st.SearchStrategy[Level] = st.sampled_from(["easy", "medium", "hard"])
PLAYERS: st.SearchStrategy[Player] = st.just(Human()) | st.builds(Cpu, LEVELS)
SEATS = st.none() | st.integers(0, 3)


def moves() -> st.SearchStrategy[Move]:
    return st.one_of(
        st.builds(Play, st.sampled_from(tile_set(6)), st.sampled_from([None, *ENDS])),
        st.builds(Draw, st.none() | st.integers(0, 90), st.booleans()),
        st.just(Pass()),
        st.just(NextHand()),
    )


class Table(RuleBasedStateMachine):
    match: Match
    log: tuple[Event, ...]
    oracle: Oracle

    @initialize(
        game=games(),
        seed=SEEDS,
        players=st.lists(PLAYERS, min_size=4, max_size=4),
        pacing=st.sampled_from(["auto", "step"]),
        auto_pass=st.booleans(),
    )
    def sit_down(
        self, game: tuple[Rules, int], seed: int, players: list[Player], pacing: Pacing, auto_pass: bool
    ) -> None:
        rules, seat_count = game
        chosen: Setup = replace(
            setup("block", seed, tuple(players[:seat_count])), rules=rules, pacing=pacing, auto_pass=auto_pass
        )
        self.log = ()
        self.oracle = oracle_of(chosen)
        self.follow(play_on(create(chosen, AT), AT))

    def follow(self, done: Transition) -> None:
        """Go on from what a call did; the oracle does the moves in it and has to find the same facts."""
        for fact in facts(done.events):
            if fact["seq"] > len(self.oracle.facts):
                self.cause(fact)
            assert self.oracle.facts[fact["seq"] - 1] == fact
        self.match = done.match
        self.log += done.events
        assert self.match.version == len(self.oracle.facts)

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
        self.follow(play_on(done, AT))

    def ask(self, seat: int | None, move: Move) -> None:
        """The oracle goes first: where an unnamed end is and how long a draw goes on is for it to say."""
        wanted = as_json(move, Move)
        expected = self.oracle.refusal(seat, wanted)
        if expected is None:
            self.oracle.act(seat, wanted)
        self.call(expected, lambda: decide(self.match, seat, move, AT))

    @precondition(lambda self: self.match.status == "playing")
    @rule(choice=st.integers(0, 2**16))
    def move(self, choice: int) -> None:
        allowed = legal_moves(self.match, self.match.turn)
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
        expected = {"finished": "match-finished", "hand_over": "hand-over", "playing": None if cpu else "no-cpu-turn"}
        self.call(expected[self.match.status], lambda: step(self.match, AT))

    @rule(seat=st.integers(0, 3), level=LEVELS)
    def change_the_level(self, seat: int, level: Level) -> None:
        seat %= len(self.match.players)
        cpu = isinstance(self.match.players[seat], Cpu)
        expected = "match-finished" if self.match.status == "finished" else None if cpu else "not-a-cpu-seat"
        before = self.match
        self.call(expected, lambda: change_level(self.match, seat, level, AT))
        assert expected or self.match.players[seat] == Cpu(level)
        assert self.match.version - before.version == (self.match.players != before.players)

    @invariant()
    def the_state_is_what_the_oracle_says(self) -> None:
        if not hasattr(self, "match"):
            return
        assert self.match.status == self.oracle.status
        assert fold(self.match.setup, self.log) == self.match
        for seat in [None, *range(len(self.match.players))]:
            assert as_json(legal_moves(self.match, seat), tuple[Move, ...]) == self.oracle.legal(seat)

    @invariant()
    def nobody_waits_for_the_service(self) -> None:
        """With pacing `auto` a CPU seat never has the turn, and with `auto_pass` nobody has to pass."""
        if not hasattr(self, "match") or (seat := self.match.turn) is None:
            return
        player, chosen = self.match.players[seat], self.match.setup
        assert chosen.pacing == "step" or isinstance(player, Human)
        assert isinstance(player, Cpu) or not chosen.auto_pass or Pass() not in legal_moves(self.match, seat)


TestTable = Table.TestCase
TestTable.settings = settings(max_examples=120, stateful_step_count=60, suppress_health_check=[HealthCheck.too_slow])
