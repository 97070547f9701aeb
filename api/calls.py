"""A call on a match, from its id and token to what came of it."""

import asyncio
import hashlib
import json
from collections.abc import Callable, Coroutine, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Final
from uuid import UUID

from fastapi import Depends, Path, Request
from pydantic import TypeAdapter
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.types import Receive

from api import thinking
from api.auth import Tokens, authorization, caller_name
from api.conditions import KnownTags, expected_versions, idempotency_key
from api.matches import MOST_RACES, Matches
from api.problems import (
    HostOnly,
    IdempotencyMismatch,
    NotYourSeat,
    TokenRequired,
    Unavailable,
    UnknownMatch,
    UnknownSeat,
    VersionMismatch,
)
from api.schemas import Moved
from api.store import KEY_LIFE, Key, Stored
from engine import autoplay
from engine.events import Event
from engine.match import Match, Transition
from engine.players import Cpu
from engine.view import HOST, Viewer, open_hand, redact, view

Command = Callable[[Match, Viewer, datetime], Transition]
"""What a call does to a match at a time, once the caller is known; raises what refuses it."""

Permit = Callable[[Match, Viewer], None]
"""Raises what refuses a caller."""

_BODIES: Final[dict[type, TypeAdapter[object]]] = {}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a call: the match after it, the events that it caused, and who asked."""

    match: Match
    events: tuple[Event, ...]
    viewer: Viewer
    is_replay: bool = False
    """Whether the call was carried out before, and changed nothing now."""


@dataclass(frozen=True, slots=True)
class Call:
    """A request about one match, before it is known whether there is such a match and who calls."""

    matches: Matches
    tokens: Tokens
    match_id: str
    headers: Headers
    key: str | None = None
    """What makes the call one that is carried out once."""
    expected: frozenset[int] | None = None
    """The versions of the match at which it is to be carried out at all; null where it may be any."""
    receive: Receive | None = None
    """Says when a caller who may be kept waiting has gone."""

    async def seen(self) -> tuple[Match, Viewer]:
        """The match and who looks at it."""
        stored, viewer = await self._load(None, None)
        return stored.match, viewer

    async def waited(self, match: Match, version: int, seconds: float) -> bool:
        """Whether there was news of `match` after `version`, for which the caller waits up to `seconds`;
        `ClientDisconnect` once the caller has gone.
        """
        assert self.receive is not None
        with self.matches.watch.follow(match) as watched:
            await _unless_gone(watched.wait(version, seconds), self.receive)
            return watched.version > match.version

    async def change(
        self,
        command: Command,
        *,
        name: str,
        body: object,
        permit: Permit | None = None,
        seat: str | None = None,
        is_secret: bool = False,
        is_step: bool = False,
    ) -> Outcome:
        """Judge what the caller asks for, write what it and the CPU seats do, and answer once that is committed.

        Nothing is locked in the database in between: where another call was written first, this one is judged again on
        what it left. Calls on a match that take thought wait for each other, lest all of them think about what one
        of them will have changed. A `step` is known to be one, for what it asks for takes thought itself.

        A call `name` that was carried out before with the same key is answered from the log. A key that is secret,
        because its replay is worth a token, is good for `KEY_LIFE`. A `seat` that the path names has to be one of the
        match's.
        """
        key = None
        if self.key is not None:
            key = key_of(caller_name(authorization(self.headers)), name, self.key, body)
        async with AsyncExitStack() as turn:
            has_turn = False
            for _ in range(MOST_RACES):
                stored, viewer = await self._load(key, seat)
                match, receipt = stored.match, stored.receipt
                if permit is not None:
                    permit(match, viewer)
                if key and receipt and (not is_secret or stored.now - receipt.at < KEY_LIFE):
                    return await replay(self.matches, stored, key, viewer)
                if self.expected is not None and match.version not in self.expected:
                    raise VersionMismatch
                at = max(stored.now, match.updated_at)  # a log's times never run backwards, whatever the clock does
                ponders = is_step and autoplay.ponders(match)
                done = Transition(match, ()) if ponders else command(match, viewer, at)
                transition = autoplay.play_on(done, at, at_once=True)
                if ponders or thinking.is_pending(transition.match):
                    if not has_turn:
                        thinker, has_turn = self.matches.thinker(match.setup.id), True
                        is_late = thinker.locked()
                        await turn.enter_async_context(thinker)
                        if is_late:
                            continue
                    transition = await thinking.play_on(transition, at, by=int(ponders))
                if not transition.events or await self.matches.append(transition, seen=match.version, key=key):
                    return Outcome(transition.match, transition.events, viewer)
        raise Unavailable

    async def _load(self, key: Key | None, seat: str | None) -> tuple[Stored, Viewer]:
        try:
            known = UUID(self.match_id)
        except ValueError:
            raise UnknownMatch from None
        if str(known) != self.match_id.lower():  # Python reads braces, prefixes and foreign digits too
            raise UnknownMatch
        if (stored := await self.matches.load(known, key)) is None:
            raise UnknownMatch
        if seat is not None and seat not in map(str, range(len(stored.match.players))):
            raise UnknownSeat
        return stored, self.tokens.viewer(authorization(self.headers), stored.match)


async def _unless_gone(waiting: Coroutine[None, None, None], receive: Receive) -> None:
    async def go() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass

    waits, goes = asyncio.ensure_future(waiting), asyncio.ensure_future(go())
    try:
        await asyncio.wait((waits, goes), return_when=asyncio.FIRST_COMPLETED)
        if not waits.done():
            raise ClientDisconnect
    finally:
        waits.cancel()
        goes.cancel()


def key_of(caller: str, name: str, key: str, body: object) -> Key:
    """What is kept of an idempotency key: good for the call `name` by `caller` alone, and for what `body` means,
    however it is written.
    """
    if (adapter := _BODIES.get(type(body))) is None:
        adapter = _BODIES[type(body)] = TypeAdapter(type(body))
    meant = json.dumps(adapter.dump_python(body, mode="json"), sort_keys=True)
    call = json.dumps([caller, name, key])
    return Key(hashlib.sha256(call.encode()).digest(), hashlib.sha256(meant.encode()).digest())


async def replay(matches: Matches, stored: Stored, key: Key, viewer: Viewer) -> Outcome:
    """What a call that was carried out before answers: its own events, and the match as it is now."""
    receipt = stored.receipt
    assert receipt is not None
    if receipt.body != key.body:
        raise IdempotencyMismatch
    match_id, first, last = stored.match.setup.id, receipt.first_seq, receipt.last_seq
    events = await matches.store.events(match_id, after=first - 1, until=last)
    return Outcome(stored.match, events, viewer, is_replay=True)


def seats_only(_: Match, viewer: Viewer) -> None:
    """Only a seat may do this."""
    if viewer.seat is None:
        raise NotYourSeat


def host_only(match: Match, viewer: Viewer) -> None:
    """Only the host may do this, and the only person that the match is for."""
    people = [seat for seat, player in enumerate(match.players) if not isinstance(player, Cpu)]
    if viewer != HOST and people != [viewer.seat]:
        raise HostOnly


MatchId = Annotated[
    str,
    Path(description="As the match's creation answered it.", json_schema_extra={"format": "uuid", "maxLength": 36}),
]


async def _watching(request: Request, match_id: MatchId) -> Call:
    state = request.app.state
    return Call(state.matches, state.tokens, match_id, request.headers, receive=request.receive)


async def _joining(request: Request, match_id: MatchId) -> Call:
    return _changing(request, match_id, idempotency_key(request.headers, is_secret=True))


async def _acting(request: Request, match_id: MatchId) -> Call:
    return _with_token(_changing(request, match_id, idempotency_key(request.headers)))


async def _setting(request: Request, match_id: MatchId) -> Call:
    return _with_token(_changing(request, match_id, None))


async def _asking(request: Request, match_id: MatchId) -> Call:
    return _with_token(await _watching(request, match_id))


def _changing(request: Request, match_id: str, key: str | None) -> Call:
    """Headers that do not have their form are refused here, before anything else is looked at."""
    state = request.app.state
    return Call(state.matches, state.tokens, match_id, request.headers, key, expected_versions(request.headers))


def _with_token(call: Call) -> Call:
    if "authorization" not in call.headers:
        raise TokenRequired
    return call


Watching = Annotated[Call, Depends(_watching)]
"""A call that a spectator may make."""

Asking = Annotated[Call, Depends(_asking)]
"""A call that changes nothing, and needs a token."""

Joining = Annotated[Call, Depends(_joining)]
"""A call that changes the match, and may be made without a token."""

Acting = Annotated[Call, Depends(_acting)]
"""A call that acts for somebody, and needs a token."""

Setting = Annotated[Call, Depends(_setting)]
"""The same for a call that may be made twice without harm, and takes no key."""


def moved(outcome: Outcome) -> Moved:
    """What the caller may see of what came of a call."""
    match, viewer = outcome.match, outcome.viewer
    return Moved(view(match, viewer), redacted(match, outcome.events, viewer))


def redacted(match: Match, events: Sequence[Event], viewer: Viewer) -> tuple[Event, ...]:
    """Events of `match` as `viewer` may see them now."""
    still_open = open_hand(match)
    return tuple([redact(event, viewer, still_open) for event in events])


async def _known(request: Request) -> KnownTags:
    return KnownTags(request.headers)


Known = Annotated[KnownTags, Depends(_known)]
"""What the caller has already: headers are judged before queries, and a route's own code after them."""
