"""Matches as they stand now: what time alone has done to them is settled by whoever looks first."""

import asyncio
from typing import Final
from uuid import UUID
from weakref import WeakValueDictionary

from api.problems import Unavailable
from api.store import Key, Store, Stored
from api.watch import Watch
from engine.endings import settle
from engine.match import Transition

MOST_RACES: Final = 100
"""How often a call is judged anew because another one was written first; more means that something else is wrong."""


class Matches:
    """The matches of a database, and those who watch them from this process."""

    def __init__(self, store: Store, watch: Watch) -> None:
        self.store = store
        self.watch = watch
        self._thinkers: WeakValueDictionary[UUID, asyncio.Lock] = WeakValueDictionary()

    def thinker(self, match_id: UUID) -> asyncio.Lock:
        """Whoever is to think about a match holds this, so that nobody else in this process thinks the same."""
        return self._thinkers.setdefault(match_id, asyncio.Lock())

    async def load(self, match_id: UUID, key: Key | None = None) -> Stored | None:
        """The match with this id as it is now, and what has come of the call with this key."""
        for _ in range(MOST_RACES):
            stored = await self.store.load(match_id, key)
            if stored is None:
                return None
            settled = settle(stored.match, stored.now)
            if not settled.events:
                return stored
            await self.append(settled, seen=stored.match.version)
        raise Unavailable

    async def append(self, transition: Transition, *, seen: int, key: Key | None = None) -> bool:
        """Write what was done to a match at version `seen`, and then tell its watchers; false where it has moved on."""
        written = await self.store.append(transition, seen=seen, key=key)
        if written:
            self.watch.publish(transition.match.setup.id, transition.events)
        return written
