"""All SQL on matches. A move is two statements: one reads the match, one writes it with its events or not at all.

The statements are built once, from the tables. JSON is read and written as text, straight into the engine's types.
"""

from typing import Any, Final
from uuid import UUID

from pydantic import TypeAdapter
from sqlalchemy import JSON, BigInteger, ColumnElement, Insert, Text, bindparam, cast, func, insert, join, select, true, update
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlalchemy.sql.selectable import CTE
from sqlmodel import col

from api.tables import EventRow, MatchRow
from engine.events import Event
from engine.match import Match, Setup, Transition

SETUP: Final = TypeAdapter(Setup)
_MATCH: Final = TypeAdapter(Match)
_EVENTS: Final = TypeAdapter(tuple[Event, ...])

LOAD: Final = select(
    cast(col(MatchRow.setup), Text).label("setup"), cast(col(MatchRow.snapshot), Text).label("snapshot")
).where(col(MatchRow.id) == bindparam("match"))

EVENTS_AFTER: Final = (
    select(cast(col(EventRow.event), Text))
    .where(
        col(EventRow.match_id) == bindparam("match"),
        col(EventRow.seq) > bindparam("after"),
        col(EventRow.seq) <= bindparam("until"),
    )
    .order_by(col(EventRow.seq))
    .limit(bindparam("limit"))
)


def _json(name: str) -> ColumnElement[Any]:
    return cast(bindparam(name, type_=Text), JSON)


def _logged(row: CTE) -> Insert:
    """Writes `row`, a match, and in its log the events of `:events`, a JSON array, numbered on from version `:seen`.

    Where `row` writes nothing, nothing is written at all.
    """
    entries = func.json_array_elements(_json("events")).table_valued("event", with_ordinality="place", name="entry")
    entry = entries.render_derived()
    seq = bindparam("seen", type_=BigInteger) + entry.c.place
    return (
        insert(EventRow)
        .from_select(["match_id", "seq", "event"], select(row.c.id, seq, entry.c.event).select_from(join(row, entry, true())))
        .add_cte(row)
        .execution_options(preserve_rowcount=True)
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

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def load(self, match_id: UUID) -> Match | None:
        """The match with this id, or null."""
        async with self._engine.connect() as connection:
            found = (await connection.execute(LOAD, {"match": match_id})).one_or_none()
        return None if found is None else _MATCH.validate_json(_merged(found.setup, found.snapshot))

    async def events(self, match_id: UUID, *, after: int, until: int, limit: int) -> tuple[Event, ...]:
        """The events numbered from `after` + 1 to `until`, the first `limit` of them."""
        parameters = {"match": match_id, "after": after, "until": until, "limit": limit}
        async with self._engine.connect() as connection:
            found = (await connection.execute(EVENTS_AFTER, parameters)).scalars()
            return _EVENTS.validate_json(f"[{','.join(found)}]")

    async def create(self, transition: Transition) -> None:
        """Write a new match and its first events."""
        parameters = written(transition, seen=0)
        parameters["setup"] = SETUP.dump_json(transition.match.setup).decode()
        async with self._engine.connect() as connection:
            await connection.execute(CREATE, parameters)

    async def append(self, transition: Transition, *, seen: int) -> bool:
        """Write what a call did to a match at version `seen`; false, and nothing written, where it has moved on."""
        async with self._engine.connect() as connection:
            result = await connection.execute(APPEND, written(transition, seen=seen))
        return result.rowcount > 0


def _merged(setup: str, snapshot: str) -> str:
    """One JSON object: a snapshot leaves the setup out, which never changes."""
    return f'{{"setup":{setup},{snapshot.removeprefix("{")}'


def written(transition: Transition, *, seen: int) -> dict[str, Any]:
    """The parameters that write a transition of a match at version `seen`."""
    match = transition.match
    return {
        "match": match.setup.id,
        "seen": seen,
        "version": match.version,
        "updated_at": match.updated_at,
        "snapshot": _MATCH.dump_json(match, exclude={"setup"}).decode(),
        "events": _EVENTS.dump_json(transition.events).decode(),
    }
