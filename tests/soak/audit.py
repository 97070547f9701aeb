"""The database after a run: each match is the fold of its log, and each acknowledged call has its receipt."""

from collections.abc import AsyncIterator, Iterator
from typing import Final

import psycopg
from psycopg.rows import TupleRow
from pydantic import TypeAdapter

from api.database import connection_pool
from api.store import Store
from engine.events import Event
from engine.match import fold
from tests.soak.ledger import Book, Ledger, check

_EVENTS: Final[TypeAdapter[tuple[Event, ...]]] = TypeAdapter(tuple[Event, ...])
_MATCHES: Final = "SELECT id, version, status, deadline FROM matches"
_RECEIPTS: Final = "SELECT match_id::text, first_seq, last_seq FROM receipts"
_COUNTS: Final = "SELECT count(*), (SELECT coalesce(sum(version), 0) FROM matches) FROM events"


async def audit(ledger: Ledger, url: str) -> None:
    """Hold the database at `url` against what everybody was told."""
    async with connection_pool(url) as pool:
        async with pool.connection() as connection:
            rows = await _fetch(connection, _MATCHES)
            receipts = await _fetch(connection, _RECEIPTS)
            [(events, versions)] = await _fetch(connection, _COUNTS)
        if {str(match_id) for match_id, *_ in rows} != set(ledger.books):
            ledger.fault(f"the database has {len(rows)} matches, and {len(ledger.books)} were created")
        if events != versions:
            ledger.fault(f"the database has {events} events, and the matches' versions add up to {versions}")
        for row in rows:
            async for text in _stored_faults(Store(pool), ledger.books.get(str(row[0])), row):
                ledger.fault(f"{row[0]}: {text}")
    for text in _unsigned(ledger, receipts):
        ledger.fault(text)


async def _fetch(connection: psycopg.AsyncConnection[TupleRow], statement: str) -> list[TupleRow]:
    return await (await connection.execute(statement)).fetchall()


async def _stored_faults(store: Store, book: Book | None, row: TupleRow) -> AsyncIterator[str]:
    match_id, version, status, deadline = row
    found = await store.load(match_id)
    assert found is not None
    match, log = found.match, await store.events(match_id, after=0, until=2 * version)
    if (match.version, match.status) != (version, status) or len(log) != version:
        yield f"{len(log)} events at version {version}, {status}; its snapshot says {match.version}, {match.status}"
    if fold(match.setup, log) != match:
        yield "the stored match is not the fold of its log"
    if match.is_over and deadline is not None:
        yield "time is still to end it"
    if book is not None:
        for text in check(book, _EVENTS.dump_python(log, mode="json")):
            yield f"in the database: {text}"


def _unsigned(ledger: Ledger, receipts: list[TupleRow]) -> Iterator[str]:
    """Receipts are kept for the acknowledged calls and for no others."""
    told = [
        (book.match_id, call.events[0]["seq"], call.events[-1]["seq"])
        for book in ledger.books.values()
        for call in book.calls
    ]
    if sorted(receipts) != sorted(told):
        missing, more = set(told) - set(receipts), set(receipts) - set(told)
        yield f"{len(receipts)} receipts for {len(told)} acknowledged calls; without one {missing}, for nothing {more}"
