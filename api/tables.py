"""The tables. They only store: requests and answers are other types, and every statement is in `store`.

Every key starts with the match and no statement writes to two matches, so that the tables can be partitioned or
distributed by match; `creations`, which has no match yet, stands alone in its statement. There is no foreign key from
`events`: a log is only ever written in the statement that writes its match.
"""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import JSON, BigInteger, DateTime, Index, text
from sqlmodel import Field, SQLModel

_TIME: Any = DateTime(timezone=True)


class MatchRow(SQLModel, table=True):
    """A match: how it was set up, and the fold of its events so far."""

    __tablename__ = "matches"
    __table_args__ = (
        Index("matches_due", "deadline", postgresql_where=text("deadline IS NOT NULL")),
        Index("matches_listed", "id", postgresql_where=text("listed")),
        Index("matches_listed_by_status", "status", "id", postgresql_where=text("listed")),
    )

    id: UUID = Field(primary_key=True)
    version: int = Field(sa_type=BigInteger)
    """The number of its last event."""
    format: int
    """Of the snapshot: `store.FORMAT` when it was written."""
    status: str
    listed: bool
    deadline: datetime | None = Field(sa_type=_TIME)
    """When time alone will change the match, if it will."""
    updated_at: datetime = Field(sa_type=_TIME)
    setup: dict[str, Any] = Field(sa_type=JSON)
    """Written once."""
    snapshot: dict[str, Any] = Field(sa_type=JSON)
    """A cache: what the events make of the setup."""


class EventRow(SQLModel, table=True):
    """One entry of a match's log. Entries are added and never changed."""

    __tablename__ = "events"

    match_id: UUID = Field(primary_key=True)
    seq: int = Field(primary_key=True, sa_type=BigInteger)
    event: dict[str, Any] = Field(sa_type=JSON)


class ReceiptRow(SQLModel, table=True):
    """That a call with an idempotency key was carried out: it is written with the events it caused."""

    __tablename__ = "receipts"

    match_id: UUID = Field(primary_key=True)
    call: bytes = Field(primary_key=True)
    """A digest of the caller, the call and its key; the key itself is kept nowhere."""
    body: bytes
    """A digest of what was asked for."""
    first_seq: int = Field(sa_type=BigInteger)
    last_seq: int = Field(sa_type=BigInteger)
    at: datetime = Field(sa_type=_TIME)


class CreationRow(SQLModel, table=True):
    """The id that a create with an idempotency key gives to its match, however often it is tried."""

    __tablename__ = "creations"

    call: bytes = Field(primary_key=True)
    """A digest of the key."""
    match_id: UUID
    at: datetime = Field(sa_type=_TIME)
