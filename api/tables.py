"""The tables. They only store: requests and answers are other types, and every statement is in `store`.

Every key starts with the match and no statement spans two matches, so that the tables can be partitioned or distributed
by match. There is no foreign key from `events`: a log is only ever written in the statement that writes its match.
"""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import JSON, BigInteger, DateTime
from sqlmodel import Field, SQLModel


class MatchRow(SQLModel, table=True):
    """A match: how it was set up, and the fold of its events so far."""

    __tablename__ = "matches"

    id: UUID = Field(primary_key=True)
    version: int = Field(sa_type=BigInteger)
    """The number of its last event."""
    updated_at: datetime = Field(sa_type=DateTime(timezone=True))
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
