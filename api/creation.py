"""Creating a match, once for each idempotency key."""

from dataclasses import replace
from datetime import datetime
from secrets import randbits
from uuid import UUID

from api.auth import human_seats
from api.calls import Outcome, key_of, replay
from api.matches import MOST_RACES, Matches
from api.problems import Unavailable
from api.schemas import CreateMatch
from api.thinking import play_on
from engine.match import Match, Setup, Transition, create
from engine.view import HOST, Viewer


async def create_once(matches: Matches, setup: Setup, body: CreateMatch, key: str | None) -> Outcome:
    """Create the match that `setup` describes, under an id of its own; with a key that created one before, answer that.

    The key first claims the id, in a statement of its own; then the match is created unless it is there. However often
    that is broken off and tried again, and from however many sides at once, there is one match.
    """
    now = await matches.store.now()
    created = create(replace(setup, id=_match_id(now)), now)
    if key is None:
        transition = await play_on(created, now)
        await matches.store.create(transition)
        return Outcome(transition.match, transition.events, _creator(transition.match))
    once = key_of("", "create", key, body)
    match_id = await matches.store.claim(once.call, created.match.setup.id)
    created = _renamed(created, match_id)
    async with matches.thinker(match_id):
        for _ in range(MOST_RACES):
            stored = await matches.load(match_id, once)
            if stored is not None:
                return await replay(matches, stored, once, _creator(stored.match))
            transition = await play_on(created, now)
            if await matches.store.create(transition, once):
                return Outcome(transition.match, transition.events, _creator(transition.match))
    raise Unavailable


def seated_at_first(match: Match) -> list[int]:
    """The seats that people had when the match was created."""
    return human_seats(match.setup.players)


def _creator(match: Match) -> Viewer:
    humans = seated_at_first(match)
    return Viewer("seat", humans[0]) if len(humans) == 1 else HOST


def _renamed(transition: Transition, match_id: UUID) -> Transition:
    """The same under another id, from which nothing in a match is derived."""
    match = transition.match
    return Transition(replace(match, setup=replace(match.setup, id=match_id)), transition.events)


def _match_id(at: datetime) -> UUID:
    """A UUIDv7 (RFC 9562): 48 bits of time in milliseconds and 74 random ones."""
    milliseconds = int(at.timestamp() * 1000)
    return UUID(int=milliseconds << 80 | 0x7 << 76 | randbits(12) << 64 | 0b10 << 62 | randbits(62))
