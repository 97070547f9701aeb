"""All SQL on matches. A move is two statements: one reads the match, one writes it with its events or not at all.

The statements are built from the tables and compiled once; psycopg runs them as they are. JSON is read and written as
text, straight into the engine's types.
"""

from typing import Any, Final
from uuid import UUID

from pydantic import TypeAdapter
from sqlalchemy import (
    JSON,
    BigInteger,
    ColumnElement,
    Executable,
    Text,
    bindparam,
    cast,
    func,
    insert,
    join,
    select,
    true,
    update,
)
from sqlalchemy.dialects.postgresql import psycopg
from sqlalchemy.sql.selectable import CTE
from sqlmodel import col

from api.database import Pool
from api.tables import EventRow, MatchRow
from engine.events import Event
from engine.match import Match, Setup, Transition

_SETUP: Final = TypeAdapter(Setup)
_MATCH: Final = TypeAdapter(Match)
_EVENTS: Final = TypeAdapter(tuple[Event, ...])


def _compiled(statement: Executable) -> str:
    """`statement` as text, with psycopg's placeholders for its parameters."""
    return str(statement.compile(dialect=psycopg.dialect()))  # type: ignore[attr-defined,no-untyped-call]


def _json(name: str) -> ColumnElement[Any]:
    return cast(bindparam(name, type_=Text), JSON)


def _logged(row: CTE) -> str:
    """Writes `row`, a match, and in its log the events of `events`, a JSON array, numbered on from version `seen`.

    Where `row` writes nothing, nothing is written at all.
    """
    entries = func.json_array_elements(_json("events")).table_valued("event", with_ordinality="place", name="entry")
    entry = entries.render_derived()
    seq = bindparam("seen", type_=BigInteger) + entry.c.place
    numbered = select(row.c.id, seq, entry.c.event).select_from(join(row, entry, true()))
    return _compiled(insert(EventRow).from_select(["match_id", "seq", "event"], numbered).add_cte(row))


LOAD: Final = _compiled(
    select(cast(col(MatchRow.setup), Text), cast(col(MatchRow.snapshot), Text)).where(
        col(MatchRow.id) == bindparam("match")
    )
)

LOG: Final = _compiled(
    select(cast(col(EventRow.event), Text))
    .where(
        col(EventRow.match_id) == bindparam("match"),
        col(EventRow.seq) > bindparam("after"),
        col(EventRow.seq) <= bindparam("until"),
    )
    .order_by(col(EventRow.seq))
    .limit(bindparam("limit"))
)

CREATE: Final = _logged(
    insert(MatchRow)
    .values(
        id=bindparam("match"),
        version=bindparam("version"),
        updated_at=bindparam("updated_at"),
        setup=_json("setup"),
        snapshot=_json("snapshot"),
    )
    .returning(col(MatchRow.id))
    .cte("written")
)

APPEND: Final = _logged(
    update(MatchRow)
    .where(col(MatchRow.id) == bindparam("match"), col(MatchRow.version) == bindparam("seen"))
    .values(version=bindparam("version"), updated_at=bindparam("updated_at"), snapshot=_json("snapshot"))
    .returning(col(MatchRow.id))
    .cte("written")
)


class Store:
    """The matches of one database."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def load(self, match_id: UUID) -> Match | None:
        """The match with this id, or null."""
        async with self._pool.connection() as connection:
            found = await (await connection.execute(LOAD, {"match": match_id})).fetchone()
        return None if found is None else _MATCH.validate_json(_merged(*found))

    async def events(self, match_id: UUID, *, after: int, until: int, limit: int) -> tuple[Event, ...]:
        """The events numbered from `after` + 1 to `until`, the first `limit` of them."""
        parameters = {"match": match_id, "after": after, "until": until, "limit": limit}
        async with self._pool.connection() as connection:
            found = await (await connection.execute(LOG, parameters)).fetchall()
        return _EVENTS.validate_json(f"[{','.join([event for (event,) in found])}]")

    async def create(self, transition: Transition) -> None:
        """Write a new match and its first events."""
        async with self._pool.connection() as connection:
            await connection.execute(CREATE, creation(transition))

    async def append(self, transition: Transition, *, seen: int) -> bool:
        """Write what a call did to a match at version `seen`; false, and nothing written, where it has moved on."""
        async with self._pool.connection() as connection:
            result = await connection.execute(APPEND, addition(transition, seen=seen))
        return result.rowcount > 0


def creation(transition: Transition) -> dict[str, object]:
    """The parameters of `CREATE`."""
    return {**addition(transition, seen=0), "setup": _SETUP.dump_json(transition.match.setup).decode()}


def addition(transition: Transition, *, seen: int) -> dict[str, object]:
    """The parameters of `APPEND`."""
    match = transition.match
    return {
        "match": match.setup.id,
        "seen": seen,
        "version": match.version,
        "updated_at": match.updated_at,
        "snapshot": _MATCH.dump_json(match, exclude={"setup"}).decode(),
        "events": _EVENTS.dump_json(transition.events).decode(),
    }


def _merged(setup: str, snapshot: str) -> str:
    """One JSON object: a snapshot leaves the setup out, which never changes."""
    return f'{{"setup":{setup},{snapshot.removeprefix("{")}'
