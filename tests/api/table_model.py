"""What a match has to answer, worked out by the engine alone: the model of `test_machine`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from pydantic import TypeAdapter

from api.store import KEY_LIFE
from engine import endings
from engine.autoplay import play_on, step
from engine.catalogue import RULESETS
from engine.clock import TimeControl
from engine.deal import SeededDeal
from engine.errors import RuleViolation
from engine.events import Event
from engine.match import Match, Pacing, Setup, Transition, change_level, create, decide, join
from engine.moves import Move
from engine.players import Cpu, Human, Player
from engine.view import HOST, SPECTATOR, Viewer
from tests.api.callers import SEEDED

MOVE: Final[TypeAdapter[Move]] = TypeAdapter(Move)
PLAYER: Final[TypeAdapter[Player]] = TypeAdapter(Player)
MOVES: Final = ("play", "draw", "pass", "next-hand")
SEATS_ONLY: Final = ("play", "draw", "pass", "resign")


@dataclass(frozen=True)
class Chosen:
    """What a match is created with."""

    ruleset: str
    target: int
    players: tuple[Player, ...]
    pacing: Pacing
    auto_pass: bool
    seconds: int | None

    @property
    def body(self) -> dict[str, Any]:
        """The body of its creation."""
        clock = None if self.seconds is None else {"seconds_per_hand": self.seconds}
        return {
            "ruleset": self.ruleset,
            "rules": {"target": self.target},
            "seats": [PLAYER.dump_python(player, mode="json") for player in self.players],
            "pacing": self.pacing,
            "auto_pass": self.auto_pass,
            "deal": SEEDED,
            **({} if clock is None else {"clock": clock}),
        }

    def begun(self, match_id: UUID, at: datetime) -> Transition:
        seed = SEEDED["seed"]
        rules = replace(RULESETS[self.ruleset].tables[len(self.players)], target=self.target)
        clock = None if self.seconds is None else TimeControl(self.seconds)
        deal = SeededDeal(seed)
        setup = Setup(match_id, self.ruleset, rules, self.players, self.pacing, self.auto_pass, deal, seed, clock=clock)
        return play_on(create(setup, at), at)

    @property
    def creator(self) -> Viewer:
        humans = [seat for seat, player in enumerate(self.players) if isinstance(player, Human)]
        return Viewer("seat", humans[0]) if len(humans) == 1 else HOST


@dataclass(frozen=True)
class Asked:
    """A call: by whom, what, and under which conditions."""

    who: Viewer | None
    """Null with a token of another match."""
    name: str
    body: Mapping[str, Any]
    key: str | None = None
    if_match: str | None = None


@dataclass(frozen=True)
class Receipt:
    """That a call with a key was carried out."""

    asked: Asked
    meant: object
    first: int
    last: int
    at: datetime


@dataclass(frozen=True)
class Expected:
    """What a call is answered: a code, the events of an earlier call, or what `command` does at a time."""

    code: str | None = None
    replayed: Receipt | None = None
    command: Callable[[datetime], Transition] | None = None


class Model:
    """The match, its log, and the keys that were used."""

    def __init__(self, begun: Transition) -> None:
        self.match: Match = begun.match
        self.log: tuple[Event, ...] = begun.events
        self.receipts: dict[tuple[str, str, str], Receipt] = {}

    def follow(self, done: Transition) -> None:
        self.match = done.match
        self.log += done.events

    def time_is(self, now: datetime) -> None:
        """Let time do what it does."""
        self.follow(endings.settle(self.match, now))

    def expected(self, asked: Asked, now: datetime) -> Expected:
        """How a call is judged, in the order of the contract."""
        match = self.match
        if asked.who == SPECTATOR and asked.name != "join":
            return Expected("token-required")
        if asked.name.startswith("seats/") and int(asked.name[-1]) >= len(match.players):
            return Expected("unknown-seat")
        if asked.who is None:
            return Expected("invalid-token")
        if asked.name in SEATS_ONLY and asked.who.seat is None:
            return Expected("not-your-seat")
        if (asked.name == "cancel" or asked.name.startswith("seats/")) and not self._is_host(asked.who):
            return Expected("host-only")
        receipt = self.receipts.get(_slot(asked)) if asked.key else None
        if receipt is not None and (asked.name != "join" or now - receipt.at < KEY_LIFE):
            same = receipt.meant == meant(asked)
            return Expected(replayed=receipt) if same else Expected("idempotency-mismatch")
        if asked.if_match not in {None, "*"} and asked.if_match.strip('W/"').partition(".")[0] != str(match.version):
            return Expected("version-mismatch")
        try:
            self._done(asked, asked.who, max(now, match.updated_at))
        except RuleViolation as refused:
            return Expected(refused.code)
        who = asked.who
        return Expected(command=lambda at: self._done(asked, who, at))

    def carried_out(self, asked: Asked, done: Transition) -> None:
        if asked.key is not None and done.events:
            first, last = done.events[0].seq, done.events[-1].seq
            at = done.events[-1].at
            self.receipts[_slot(asked)] = Receipt(asked, meant(asked), first, last, at)
        self.follow(done)

    def _is_host(self, who: Viewer) -> bool:
        people = [seat for seat, player in enumerate(self.match.players) if not isinstance(player, Cpu)]
        return who == HOST or people == [who.seat]

    def _done(self, asked: Asked, who: Viewer, at: datetime) -> Transition:
        return play_on(self._command(asked, who, at), at)

    def _command(self, asked: Asked, who: Viewer, at: datetime) -> Transition:
        match, body = self.match, asked.body
        if asked.name in MOVES:
            return decide(match, who.seat, move(asked), at)
        if asked.name.startswith("seats/"):
            return change_level(match, int(asked.name[-1]), body["level"], at)
        if asked.name == "resign":
            assert who.seat is not None
            return endings.resign(match, who.seat, at)
        if asked.name == "join":
            return join(match, body.get("seat"), body.get("name"), at)
        return step(match, at) if asked.name == "step" else endings.cancel(match, at)


def move(asked: Asked) -> Move:
    return MOVE.validate_python({**asked.body, "type": asked.name})


def meant(asked: Asked) -> object:
    """What a body asks for, however it is written."""
    if asked.name in MOVES:
        return move(asked)
    return (asked.body.get("seat"), asked.body.get("name"))


def _slot(asked: Asked) -> tuple[str, str, str]:
    assert asked.who is not None
    assert asked.key is not None
    return f"{asked.who.role} {asked.who.seat}", asked.name, asked.key
