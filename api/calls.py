"""A call on a match, from its id and token to what the caller may see of the outcome."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Final
from uuid import UUID

from fastapi import Depends, Path, Request

from api.auth import Tokens
from api.problems import TokenRequired, Unavailable, UnknownMatch, UnknownSeat
from api.schemas import Moved
from api.store import Store
from engine.autoplay import play_on
from engine.events import Event
from engine.match import Match, Transition
from engine.view import Viewer, open_hand, redact, view

Command = Callable[[Match, Viewer, datetime], Transition]
"""What a call does to a match at a time, once the caller is known; raises what refuses it."""

MOST_RACES: Final = 100
"""How often a call is judged anew because another one was written first; more means that something else is wrong."""


@dataclass(frozen=True, slots=True)
class Call:
    """A request about one match, before it is known whether there is such a match and who calls."""

    store: Store
    tokens: Tokens
    match_id: str
    authorization: str | None

    async def seen(self, *, seat: str | None = None) -> tuple[Match, Viewer]:
        """The match and who looks at it; a `seat` that the path names has to be one of the match's."""
        match = await self._load()
        if seat is not None and seat not in map(str, range(len(match.players))):
            raise UnknownSeat
        return match, self.tokens.viewer(self.authorization, match)

    async def change(self, command: Command, *, seat: str | None = None) -> Moved:
        """Judge what the caller asks for, write what it and the CPU seats do, and answer once that is committed.

        No lock is held in between: where another call was written first, this one is judged again on what it left.
        """
        for _ in range(MOST_RACES):
            match, viewer = await self.seen(seat=seat)
            at = max(datetime.now(UTC), match.updated_at)  # a log's times never run backwards, whatever the clock does
            transition = play_on(command(match, viewer, at), at)
            if not transition.events or await self.store.append(transition, seen=match.version):
                return moved(transition, viewer)
        raise Unavailable

    async def _load(self) -> Match:
        try:
            known = UUID(self.match_id)
        except ValueError:
            raise UnknownMatch from None
        if str(known) != self.match_id.lower():  # Python reads braces, prefixes and foreign digits too
            raise UnknownMatch
        if (match := await self.store.load(known)) is None:
            raise UnknownMatch
        return match


MatchId = Annotated[
    str,
    Path(description="As the match's creation answered it.", json_schema_extra={"format": "uuid", "maxLength": 36}),
]


async def _watching(request: Request, match_id: MatchId) -> Call:
    state = request.app.state
    return Call(state.store, state.tokens, match_id, request.headers.get("authorization"))


async def _acting(request: Request, match_id: MatchId) -> Call:
    call = await _watching(request, match_id)
    if call.authorization is None:
        raise TokenRequired
    return call


Watching = Annotated[Call, Depends(_watching)]
"""A call that a spectator may make."""

Acting = Annotated[Call, Depends(_acting)]
"""A call that acts for somebody, and needs a token."""


def moved(transition: Transition, viewer: Viewer) -> Moved:
    """What `viewer` may see of a transition."""
    return Moved(view(transition.match, viewer), redacted(transition.match, transition.events, viewer))


def redacted(match: Match, events: Sequence[Event], viewer: Viewer) -> tuple[Event, ...]:
    """Events of `match` as `viewer` may see them now."""
    still_open = open_hand(match)
    return tuple([redact(event, viewer, still_open) for event in events])
