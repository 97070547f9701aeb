"""All SQL on matches, built from the tables and compiled once; psycopg runs the text as it is.

Time is the database's, so that all processes go by one clock. `ahead` is added to it: nothing, but where a test hands
in a time of its own.
"""

from typing import Any, Final

from sqlalchemy import (
    ARRAY,
    JSON,
    BigInteger,
    Boolean,
    ColumnElement,
    DateTime,
    Executable,
    Interval,
    LargeBinary,
    Text,
    Uuid,
    bindparam,
    case,
    cast,
    column,
    delete,
    func,
    join,
    literal_column,
    null,
    outerjoin,
    select,
    true,
    union_all,
    update,
)
from sqlalchemy.dialects.postgresql import JSONB, insert, psycopg
from sqlalchemy.sql.selectable import CTE
from sqlmodel import col

from api.tables import CreationRow, EventRow, MatchRow, ReceiptRow


def _compiled(statement: Executable) -> str:
    """`statement` as text, with psycopg's placeholders for its parameters."""
    return str(statement.compile(dialect=psycopg.dialect()))  # type: ignore[attr-defined,no-untyped-call]


def _json(name: str) -> ColumnElement[Any]:
    return cast(bindparam(name, type_=Text), JSON)


def _bytes(name: str) -> ColumnElement[Any]:
    return cast(bindparam(name, type_=LargeBinary), LargeBinary)


_NOW: Final = func.clock_timestamp() + cast(bindparam("ahead", type_=Interval), Interval)
_LIFE: Final = cast(bindparam("life", type_=Interval), Interval)
_STANDING: Final = (col(MatchRow.version), col(MatchRow.format), _NOW)

NOW: Final = _compiled(select(_NOW))

_is_known: Final = col(MatchRow.version) == bindparam("known", type_=BigInteger)

LOAD: Final = _compiled(
    select(
        case((_is_known, null()), else_=cast(col(MatchRow.setup), Text)),
        case((_is_known, null()), else_=cast(col(MatchRow.snapshot), Text)),
        *_STANDING,
        col(ReceiptRow.body),
        col(ReceiptRow.first_seq),
        col(ReceiptRow.last_seq),
        col(ReceiptRow.at),
    )
    .select_from(
        outerjoin(
            MatchRow,
            ReceiptRow,
            (col(ReceiptRow.match_id) == col(MatchRow.id)) & (col(ReceiptRow.call) == _bytes("call")),
        )
    )
    .where(col(MatchRow.id) == bindparam("match"))
)
"""A match, or no more than its version if that is `known`; the time; and what the call did if it was made before."""

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

_shown: Final = cast(col(MatchRow.snapshot), JSONB).op("-")(literal_column("'past_hands'"))

_LISTED: Final = (
    select(col(MatchRow.id), cast(col(MatchRow.setup), Text), cast(_shown, Text), *_STANDING)
    .where(col(MatchRow.listed), col(MatchRow.id) < bindparam("before"))
    .order_by(col(MatchRow.id).desc())
    .limit(bindparam("limit"))
)

LISTED: Final = _compiled(_LISTED)
"""Listed matches, newest first: their ids begin with the time. They come without the hands that have ended, of which a
list shows nothing, and a match may have a thousand.
"""

LISTED_BY_STATUS: Final = _compiled(_LISTED.where(col(MatchRow.status) == bindparam("status")))


def _logged(row: CTE) -> str:
    """Writes `row`, a match, in its log the events of `events`, a JSON array, numbered on from version `seen`, and the
    receipt of the call if it has a key.

    Where `row` writes nothing, nothing is written at all.
    """
    receipt = insert(ReceiptRow).from_select(
        ["match_id", "call", "body", "first_seq", "last_seq", "at"],
        select(
            row.c.id,
            _bytes("call"),
            _bytes("body"),
            bindparam("seen", type_=BigInteger) + literal_column("1"),
            bindparam("version", type_=BigInteger),
            bindparam("updated_at", type_=DateTime(timezone=True)),
        ).where(_bytes("call").is_not(None)),
    )
    kept = receipt.on_conflict_do_update(  # a key that is no longer good may be used for something else
        index_elements=["match_id", "call"],
        set_={name: receipt.excluded[name] for name in ("body", "first_seq", "last_seq", "at")},
    ).cte("kept")
    entries = func.json_array_elements(_json("events")).table_valued("event", with_ordinality="place", name="entry")
    entry = entries.render_derived()
    seq = bindparam("seen", type_=BigInteger) + entry.c.place
    numbered = select(row.c.id, seq, entry.c.event).select_from(join(row, entry, true()))
    return _compiled(insert(EventRow).from_select(["match_id", "seq", "event"], numbered).add_cte(row, kept))


_WRITTEN: Final = {
    "version": bindparam("version"),
    "format": bindparam("format"),
    "status": bindparam("status"),
    "deadline": bindparam("deadline"),
    "updated_at": bindparam("updated_at"),
    "snapshot": _json("snapshot"),
}

CREATE: Final = _logged(
    insert(MatchRow)
    .values(id=bindparam("match"), setup=_json("setup"), listed=bindparam("listed", type_=Boolean), **_WRITTEN)
    .on_conflict_do_nothing()
    .returning(col(MatchRow.id))
    .cte("written")
)

APPEND: Final = _logged(
    update(MatchRow)
    .where(col(MatchRow.id) == bindparam("match"), col(MatchRow.version) == bindparam("seen"))
    .values(**_WRITTEN)
    .returning(col(MatchRow.id))
    .cte("written")
)

_claim: Final = insert(CreationRow).values(call=bindparam("call"), match_id=bindparam("match"), at=_NOW)
_old: Final = col(CreationRow.at) < _claim.excluded.at - _LIFE

CLAIM: Final = _compiled(
    _claim.on_conflict_do_update(
        index_elements=["call"],
        set_={
            "match_id": case((_old, _claim.excluded.match_id), else_=col(CreationRow.match_id)),
            "at": case((_old, _claim.excluded.at), else_=col(CreationRow.at)),
        },
    ).returning(col(CreationRow.match_id))
)
"""The id of the match that a key creates: `match`, unless the key has had another one for less than its life."""

FORGET: Final = _compiled(delete(CreationRow).where(col(CreationRow.at) < _NOW - _LIFE))

_watched: Final = func.unnest(
    bindparam("watched", type_=ARRAY(Uuid)), bindparam("known", type_=ARRAY(BigInteger))
).table_valued(column("id", Uuid), column("known", BigInteger), name="watched")
_watch: Final = _watched.render_derived()

PULSE: Final = _compiled(
    union_all(
        select(col(MatchRow.id), null().label("seq"), cast(null(), Text).label("event"))
        .where(col(MatchRow.deadline) <= _NOW)
        .order_by(col(MatchRow.deadline))
        .limit(bindparam("most")),
        select(col(EventRow.match_id), col(EventRow.seq), cast(col(EventRow.event), Text))
        .select_from(
            join(_watch, EventRow, (col(EventRow.match_id) == _watch.c.id) & (col(EventRow.seq) > _watch.c.known))
        )
        .order_by(col(EventRow.match_id), col(EventRow.seq))
        .limit(bindparam("most")),
    )
)
"""Matches that time alone changes now, and the news of those that are watched, each from the event after `known`."""
