"""Matches to try things on: set up by a number, and played by chance that repeats."""

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any, Final
from uuid import UUID

from pydantic import TypeAdapter

from engine.catalogue import RULESETS
from engine.deal import DealKind, SecretDeal
from engine.events import Event
from engine.match import Match, Setup, create, decide, legal_moves
from engine.moves import Move
from engine.players import Human, Player
from engine.view import HOST, SPECTATOR, Viewer

_ADAPTERS: Final[Callable[[Any], TypeAdapter[Any]]] = cache(TypeAdapter)

AT: Final = datetime(2030, 1, 1, tzinfo=UTC)


def setup(
    ruleset: str, number: int, players: tuple[Player, ...] = (), deal: DealKind | None = None, **rules: Any
) -> Setup:
    """A match of people by a rule set, with parameters of it changed, whose seed is `number`."""
    found = RULESETS[ruleset]
    return Setup(
        id=UUID(int=number),
        ruleset=ruleset,
        rules=replace(found.rules, **rules),
        players=players or (Human(),) * found.seat_counts[0],
        pacing="auto",
        auto_pass=False,
        deal=deal or SecretDeal(),
        seed=f"{number:064x}",
    )


@dataclass(frozen=True)
class Moment:
    """A match at one time: the move that led there (null: its creation), that move's events, and the log so far."""

    match: Match
    move: Move | None
    events: tuple[Event, ...]
    log: tuple[Event, ...]


def listed(match: Match, rng: random.Random) -> Move:
    """One of the legal moves, as it is listed."""
    return rng.choice(legal_moves(match, match.turn))


def random_play(
    chosen: Setup, *, most: int = 10_000, choose: Callable[[Match, random.Random], Move] = listed
) -> Iterator[Moment]:
    """The match at its creation and after each of at most `most` legal moves, drawn by chance."""
    rng = random.Random(chosen.seed)
    done = create(chosen, AT)
    log = done.events
    yield Moment(done.match, None, done.events, log)
    for step in range(1, most + 1):
        match = done.match
        if match.status == "finished":
            return
        move = choose(match, rng)
        done = decide(match, match.turn, move, AT + timedelta(seconds=step))
        log += done.events
        yield Moment(done.match, move, done.events, log)


def viewers(match: Match) -> list[Viewer]:
    """Everyone who can look at a match."""
    return [SPECTATOR, HOST, *[Viewer("seat", seat) for seat in range(len(match.players))]]


def text(value: object, kind: Any = None) -> str:
    """`value` as the JSON that leaves the service."""
    return _ADAPTERS(type(value) if kind is None else kind).dump_json(value).decode()


def as_json(value: object, kind: Any = None) -> Any:
    """The same, read again."""
    return json.loads(text(value, kind))
