"""Matches in the database. A move is two statements: one reads the match, one writes it with its events or not at all.

JSON is read and written as text, straight into the engine's types.
"""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from uuid import UUID

from psycopg.rows import TupleRow
from pydantic import TypeAdapter

from api import statements
from api.database import Pool
from engine.endings import due
from engine.events import Event
from engine.match import Match, Setup, Status, Transition, fold

FORMAT: Final = 4
"""Of snapshots. A change of what a snapshot holds, or means, has another number: snapshots with a lower one are made
anew from the log, and a process that meets a higher one is too old to go on with the match."""

KEY_LIFE: Final = timedelta(days=1)
"""How long the key of a create or a join is good for: its replay hands out tokens."""

MOST_NEWS: Final = 1_000
"""Matches that are due, and events of watched ones, that one pulse reads."""

MOST_KEPT: Final = 500
"""Matches in memory, of some ten kilobytes each."""

LAST_ID: Final = UUID(int=(1 << 128) - 1)

_SETUP: Final = TypeAdapter(Setup)
_MATCH: Final = TypeAdapter(Match)
_EVENTS: Final = TypeAdapter(tuple[Event, ...])


class NewerFormat(Exception):  # noqa: N818 - what was met, not what went wrong
    """The match was last written by a newer version of this service."""


@dataclass(frozen=True, slots=True)
class Key:
    """A call that may be carried out once, as digests: of who calls what with which key, and of what is asked for."""

    call: bytes
    body: bytes


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a call with the same key has done before."""

    body: bytes
    first_seq: int
    last_seq: int
    at: datetime


@dataclass(frozen=True, slots=True)
class Stored:
    """A match, and the time at which it was read."""

    match: Match
    now: datetime
    receipt: Receipt | None = None


@dataclass(frozen=True, slots=True)
class Pulse:
    """What time and other processes have done."""

    due: tuple[UUID, ...]
    """Matches that time alone changes now."""
    news: tuple[tuple[UUID, tuple[Event, ...]], ...]
    """New events of the matches that were asked for."""
    is_all: bool
    """Whether there are no more news; what else is due may come with the next pulse."""


class Store:
    """The matches of one database, whose clock is the one they all go by; a test may put it `ahead`.

    Those that were last read or written stay in memory, so that only what has moved on since is read in full.
    """

    def __init__(self, pool: Pool, *, ahead: timedelta = timedelta(0)) -> None:
        self._pool = pool
        self._kept: OrderedDict[UUID, Match] = OrderedDict()
        self.ahead = ahead

    async def now(self) -> datetime:
        """The time."""
        [(now,)] = await self._fetch(statements.NOW, {})
        assert isinstance(now, datetime)
        return now.astimezone(UTC)

    async def load(self, match_id: UUID, key: Key | None = None) -> Stored | None:
        """The match with this id, if there is one, and what has come of the call with this key."""
        kept = self._kept.get(match_id)
        known = 0 if kept is None else kept.version
        asked = {"match": match_id, "known": known, "call": key.call if key else None}
        found = await self._fetch(statements.LOAD, asked)
        if not found:
            return None
        setup, snapshot, version, form, now, body, first_seq, last_seq, at = found[0]
        match = kept
        if match is None or version != known:
            match = await self._match(match_id, setup, snapshot, version, form)
            self._keep(match)
        receipt = None if body is None else Receipt(body, first_seq, last_seq, at)
        return Stored(match, now.astimezone(UTC), receipt)

    async def events(self, match_id: UUID, *, after: int, until: int, limit: int | None = None) -> tuple[Event, ...]:
        """The events numbered from `after` + 1 to `until`, the first `limit` of them."""
        asked = {"match": match_id, "after": after, "until": until, "limit": limit}
        return _events([event for (event,) in await self._fetch(statements.LOG, asked)])

    async def listed(self, *, status: Status | None, before: UUID | None, limit: int) -> list[Match]:
        """Listed matches, newest first, of those with a lower id than `before`; without the hands that have ended."""
        asked = {"status": status, "before": before or LAST_ID, "limit": limit}
        found = await self._fetch(statements.LISTED if status is None else statements.LISTED_BY_STATUS, asked)
        return [await self._match(match_id, *stored) for match_id, *stored, _ in found]

    async def create(self, transition: Transition, key: Key | None = None) -> bool:
        """Write a new match and its first events; false, and nothing written, where it is there already."""
        return await self._write(statements.CREATE, creation(transition, key), transition.match)

    async def append(self, transition: Transition, *, seen: int, key: Key | None = None) -> bool:
        """Write what a call did to a match at version `seen`; false, and nothing written, where it has moved on."""
        return await self._write(statements.APPEND, addition(transition, seen=seen, key=key), transition.match)

    async def claim(self, call: bytes, match_id: UUID) -> UUID:
        """The id of the match that a create with a key makes: `match_id`, unless an earlier try got another one."""
        [(claimed,)] = await self._fetch(statements.CLAIM, {"call": call, "match": match_id, "life": KEY_LIFE})
        assert isinstance(claimed, UUID)
        return claimed

    async def forget(self) -> None:
        """Remove what is kept of keys whose life is over."""
        async with self._pool.cursor() as cursor:
            await cursor.execute(statements.FORGET, {"life": KEY_LIFE, "ahead": self.ahead})

    async def pulse(self, watched: Sequence[UUID], known: Sequence[int]) -> Pulse:
        """Matches that are due, and the news of `watched`, of each the events after number `known`."""
        asked = {"watched": list(watched), "known": list(known), "most": MOST_NEWS}
        found = await self._fetch(statements.PULSE, asked)
        news: dict[UUID, list[str]] = {}
        for match_id, seq, event in found:
            if seq is not None:
                news.setdefault(match_id, []).append(event)
        due_now = tuple([match_id for match_id, seq, _ in found if seq is None])
        told = tuple([(match_id, _events(events)) for match_id, events in news.items()])
        return Pulse(due_now, told, is_all=len(found) - len(due_now) < MOST_NEWS)

    async def _match(self, match_id: UUID, setup: str, snapshot: str, version: int, form: int) -> Match:
        if form == FORMAT:
            return _MATCH.validate_json(_merged(setup, snapshot))
        if form > FORMAT:
            raise NewerFormat
        return fold(_SETUP.validate_json(setup), await self.events(match_id, after=0, until=version))

    async def _fetch(self, statement: str, asked: dict[str, Any]) -> list[TupleRow]:
        async with self._pool.cursor() as cursor:
            await cursor.execute(statement, {**asked, "ahead": self.ahead})
            return await cursor.fetchall()

    async def _write(self, statement: str, written: dict[str, object], match: Match) -> bool:
        async with self._pool.cursor() as cursor:
            await cursor.execute(statement, written)
            is_written = cursor.rowcount > 0
        if is_written:
            self._keep(match)
        return is_written

    def _keep(self, match: Match) -> None:
        self._kept[match.setup.id] = match
        self._kept.move_to_end(match.setup.id)
        if len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)


def creation(transition: Transition, key: Key | None = None) -> dict[str, object]:
    """The parameters of `CREATE`."""
    setup = transition.match.setup
    return {
        **addition(transition, seen=0, key=key),
        "listed": setup.listed,
        "setup": _SETUP.dump_json(setup).decode(),
    }


def addition(transition: Transition, *, seen: int, key: Key | None = None) -> dict[str, object]:
    """The parameters of `APPEND`."""
    match = transition.match
    return {
        "match": match.setup.id,
        "seen": seen,
        "version": match.version,
        "format": FORMAT,
        "status": match.status,
        "deadline": due(match),
        "updated_at": match.updated_at,
        "snapshot": _MATCH.dump_json(match, exclude={"setup"}).decode(),
        "events": _EVENTS.dump_json(transition.events).decode(),
        "call": key.call if key else None,
        "body": key.body if key else None,
    }


def _merged(setup: str, snapshot: str) -> str:
    """One JSON object: a snapshot leaves the setup out, which never changes."""
    return f'{{"setup":{setup},{snapshot.removeprefix("{")}'


def _events(found: Sequence[str]) -> tuple[Event, ...]:
    return _EVENTS.validate_json(f"[{','.join(found)}]")
