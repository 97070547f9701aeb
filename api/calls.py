"""A call on a match, from its id and token to what the caller may see of the outcome."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Annotated, Final
from uuid import UUID

from fastapi import Depends, Request

from api.auth import Tokens
from api.problems import Unavailable, UnknownMatch, UnknownSeat
from api.schemas import Moved
from api.store import Store
from engine.autoplay import play_on
from engine.events import Event
from engine.match import Match, Setup, Transition, create
from engine.view import Viewer, open_hand, redact, view

Command = Callable[[Match, Viewer, datetime], Transition]
"""What a call does to a match at a time, once the caller is known; raises what refuses it."""

MOST_RACES: Final = 20
"""How often a call is judged anew because another one was written first; more means that something else is wrong."""


class Table:
    """Serves one match to its callers. Everything that leaves goes through `view` and `redact`."""

    def __init__(self, store: Store, tokens: Tokens) -> None:
        self.store = store
        self.tokens = tokens

    async def create(self, setup: Setup, at: datetime) -> Transition:
        """Begin a match, and let its CPU seats move where they begin."""
        transition = play_on(create(setup, at), at)
        await self.store.create(transition)
        return transition

    async def seen(self, match_id: str, authorization: str | None, *, seat: str = "0") -> tuple[Match, Viewer]:
        """The match and who looks at it; `seat`, as a path names it, has to be one of the match's."""
        match = await self._load(match_id)
        if seat not in map(str, range(len(match.players))):
            raise UnknownSeat
        return match, self.tokens.viewer(authorization, match)

    async def change(self, match_id: str, authorization: str, command: Command, *, seat: str = "0") -> Moved:
        """Judge a call, write what it and the CPU seats do, and answer once that is committed.

        No lock is held in between: where another call was written first, this one is judged again on what it left.
        """
        for _ in range(MOST_RACES):
            match, viewer = await self.seen(match_id, authorization, seat=seat)
            at = max(datetime.now(UTC), match.updated_at)  # a log's times never run backwards, whatever the clock does
            transition = play_on(command(match, viewer, at), at)
            if not transition.events or await self.store.append(transition, seen=match.version):
                return moved(transition, viewer)
        raise Unavailable

    async def _load(self, match_id: str) -> Match:
        try:
            known = UUID(match_id)
        except ValueError:
            raise UnknownMatch from None
        if (match := await self.store.load(known)) is None:
            raise UnknownMatch
        return match


def moved(transition: Transition, viewer: Viewer) -> Moved:
    """What `viewer` may see of a transition."""
    return Moved(view(transition.match, viewer), redacted(transition.match, transition.events, viewer))


def redacted(match: Match, events: Sequence[Event], viewer: Viewer) -> tuple[Event, ...]:
    """Events of `match` as `viewer` may see them now."""
    still_open = open_hand(match)
    return tuple([redact(event, viewer, still_open) for event in events])


async def _table(request: Request) -> Table:
    found: Table = request.app.state.table
    return found


TheTable = Annotated[Table, Depends(_table)]
