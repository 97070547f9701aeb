"""Matches that somebody watches, by a stream or a waiting call: what is news about them, read once for all watchers.

News come from the writes of this process at once, and from those of other processes with the next pulse. Whoever waits
holds no connection to the database.
"""

import asyncio
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Final
from uuid import UUID

from engine.events import Cancelled, Event, HandDealt, HandEnded, MatchEnded
from engine.match import Match
from engine.view import Viewer, open_hand

MOST_RECENT: Final = 200
"""Events of a match that are kept for its watchers; who falls further behind reads the log."""


class Watched:
    """A match that is watched, as far as its news have come. Changes in place."""

    def __init__(self, match: Match, *, closed: bool) -> None:
        self.version = match.version
        self.open_hand = open_hand(match)
        """The number of the hand whose tiles are hidden, as of `version`."""
        self.is_over = match.is_over
        self.is_closed = closed
        """Whether this process is about to end."""
        self.watchers = 0
        self.frames: dict[tuple[int, Viewer, int | None], bytes] = {}
        """What readers are sent of the latest news, by number, viewer and open hand: made once for all of them."""
        self._recent: deque[Event] = deque(maxlen=MOST_RECENT)
        self._changed = asyncio.Event()

    async def wait(self, version: int, seconds: float) -> None:
        """Return when there is news after `version`, when there will be none, or after `seconds`."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self.version <= version and not self.is_over and not self.is_closed:
                    await self._changed.wait()

    def after(self, seq: int) -> tuple[Event, ...] | None:
        """The events from `seq` + 1 to `version`; null where not all of them are kept."""
        count = self.version - seq
        if count > len(self._recent):
            return None
        return tuple([self._recent[index] for index in range(-count, 0)])

    def add(self, events: Sequence[Event]) -> None:
        """Go on with the events that follow, and tell everyone who waits."""
        for event in events:
            match event:
                case HandDealt():
                    self.open_hand = event.number
                case HandEnded():
                    self.open_hand = None
                case MatchEnded() | Cancelled():
                    self.is_over = True
        self.frames.clear()
        self.version = events[-1].seq
        self._recent.extend(events)
        self._tell()

    def close(self) -> None:
        """Let nobody wait any longer."""
        self.is_closed = True
        self._tell()

    def _tell(self) -> None:
        told, self._changed = self._changed, asyncio.Event()
        told.set()


class Watch:
    """All that is watched from this process."""

    def __init__(self) -> None:
        self._watched: dict[UUID, Watched] = {}
        self._closed = False
        self.behind = asyncio.Event()
        """Set where a match is known to have news that have not come yet."""

    @contextmanager
    def follow(self, match: Match) -> Iterator[Watched]:
        """Watch `match`, from the version that it has here on."""
        match_id = match.setup.id
        watched = self._watched.get(match_id)
        if watched is None:
            watched = self._watched[match_id] = Watched(match, closed=self._closed)
        elif watched.version < match.version:
            self.behind.set()
        watched.watchers += 1
        try:
            yield watched
        finally:
            watched.watchers -= 1
            if not watched.watchers:
                del self._watched[match_id]

    def known(self) -> tuple[list[UUID], list[int]]:
        """The matches that are watched, and the version of each."""
        return list(self._watched), [watched.version for watched in self._watched.values()]

    def publish(self, match_id: UUID, events: Sequence[Event]) -> None:
        """Tell the watchers of a match what has been written; what they know already is left out."""
        watched = self._watched.get(match_id)
        if watched is None:
            return
        new = [event for event in events if event.seq > watched.version]
        if not new:
            return
        if new[0].seq > watched.version + 1:
            self.behind.set()  # another process wrote in between: the next pulse has all of it
            return
        watched.add(new)

    def close(self) -> None:
        """End all waiting, now and from now on: the process is about to end."""
        self._closed = True
        for watched in self._watched.values():
            watched.close()
