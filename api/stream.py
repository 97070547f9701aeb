"""The log of a match as Server-Sent Events."""

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Final

import psycopg
from pydantic import TypeAdapter
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from api.answers import PERSONAL
from api.matches import Matches
from api.watch import MOST_RECENT, Watched
from engine.events import Event
from engine.match import Match
from engine.view import Viewer, redact

MEDIA_TYPE: Final = "text/event-stream"
HEARTBEAT_SECONDS: Final = 15
RECONNECT_MILLISECONDS: Final = 1_000
MOST_AT_ONCE: Final = 500
"""Events that one reading of the log brings."""

_EVENT: Final[TypeAdapter[Event]] = TypeAdapter(Event)

_logger = logging.getLogger(__name__)


class EventStream(StreamingResponse):
    """What `viewer` may see of a match from the event after `after` on.

    It ends when the match is over, when `seconds` have passed, or with the process. It holds no connection to the
    database while it waits.
    """

    def __init__(self, matches: Matches, match: Match, viewer: Viewer, *, after: int, seconds: float) -> None:
        self._frames = _frames(matches, match, viewer, after, seconds)
        # The type has no charset: a text type's default would add one, and this has but one.
        headers = {**PERSONAL, "Content-Type": MEDIA_TYPE, "X-Accel-Buffering": "no"}
        super().__init__(self._frames, headers=headers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with aclosing(self._frames):
            await super().__call__(scope, receive, send)


async def _frames(matches: Matches, match: Match, viewer: Viewer, after: int, seconds: float) -> AsyncGenerator[bytes]:
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    yield f"retry: {RECONNECT_MILLISECONDS}\n\n".encode()
    with matches.watch.follow(match) as watched:
        while True:
            until, open_hand = watched.version, watched.open_hand
            events = watched.after(after)
            if events is None:
                log = matches.store.events(match.setup.id, after=after, until=until, limit=MOST_AT_ONCE)
                try:
                    events = await asyncio.shield(log)  # a reader who goes would take the connection along
                except psycopg.Error as error:
                    _logger.warning("a stream ended, as the log could not be read: %s", type(error).__name__)
                    return
            if events:
                after = events[-1].seq
                yield b"".join([_frame(watched, event, viewer, open_hand) for event in events])
                continue
            if watched.is_over or watched.is_closed or loop.time() >= end:
                return
            await watched.wait(after, min(HEARTBEAT_SECONDS, end - loop.time()))
            if watched.version <= after:
                yield b":\n\n"


def _frame(watched: Watched, event: Event, viewer: Viewer, open_hand: int | None) -> bytes:
    place = event.seq, viewer, open_hand
    frame = watched.frames.get(place)
    if frame is None:
        data = _EVENT.dump_json(redact(event, viewer, open_hand))
        frame = b"id: %d\nevent: %s\ndata: %s\n\n" % (event.seq, event.type.encode(), data)
        if event.seq > watched.version - MOST_RECENT:
            watched.frames[place] = frame
    return frame
