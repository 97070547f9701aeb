"""What the store holds of a match, against its log and against what everybody is told."""

from typing import Any, Final

from fastapi import FastAPI
from pydantic import TypeAdapter

from api.calls import redacted
from api.store import Store
from engine.events import Event
from engine.match import Match, fold
from engine.view import MatchView, Viewer, view
from tests.api.callers import Table

EVENTS: Final[TypeAdapter[tuple[Event, ...]]] = TypeAdapter(tuple[Event, ...])
VIEW: Final = TypeAdapter(MatchView)


async def stored(app: FastAPI, table: Table) -> tuple[Match, tuple[Event, ...]]:
    """The stored match, which has to be the fold of its stored log, and that log, which has to be gapless."""
    store = Store(app.state.database)  # one that has nothing in memory
    found = await store.load(table.id)
    assert found is not None
    match = found.match
    log = await store.events(table.id, after=0, until=match.version + 1, limit=100_000)
    assert [event.seq for event in log] == list(range(1, match.version + 1))
    assert fold(match.setup, log) == match
    return match, log


def seen(match: Match, log: tuple[Event, ...], viewer: Viewer) -> tuple[Any, Any]:
    """The state and the events of `log` as `viewer` has to be told them."""
    state = VIEW.dump_python(view(match, viewer), mode="json")
    return state, EVENTS.dump_python(redacted(match, log, viewer), mode="json")


async def check_everyone(app: FastAPI, table: Table, *, page: int = 100) -> None:
    """Every caller is told the stored match and its log, read in pages, as this caller may see them."""
    match, log = await stored(app, table)
    for caller in table.everyone:
        assert (await caller.get(), await caller.log(limit=page)) == seen(match, log, caller.viewer)
