"""Matches among CPU seats, over HTTP and several at once, to their end: none fails, and each log folds to its match.

    python -m tests.soak.all_cpu --matches 500 --url http://127.0.0.1:8000

The service that runs there has to use the database of this command's settings, as it does when both are started in one
directory: the matches are read back from it.
"""

import argparse
import asyncio
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

import httpx

from api.database import connection_pool, database
from api.settings import Settings
from api.store import Store
from engine.catalogue import RULESETS
from engine.match import fold
from engine.players import Level

LEVELS: Final[tuple[Level, ...]] = ("hard", "easy", "medium")
PATIENCE: Final = 120


@dataclass
class Played:
    """What was played of one game, and how long it took with all that went on beside it."""

    matches: int = 0
    hands: int = 0
    events: int = 0
    seconds: float = 0


async def play(client: httpx.AsyncClient, ruleset: str, number: int) -> UUID:
    """A match with the deals of `number`, to its end; every refusal is an error. Numbers of seats take turns."""
    counts = RULESETS[ruleset].seat_counts
    count = counts[number % len(counts)]
    seats = [{"kind": "cpu", "level": LEVELS[(number + seat) % len(LEVELS)]} for seat in range(count)]
    body = {"ruleset": ruleset, "seats": seats, "deal": {"kind": "numbered", "number": number}}
    answer = await client.post("/v1/matches", json=body)
    answer.raise_for_status()
    match: dict[str, Any] = answer.json()["match"]
    headers = {"Authorization": f"Bearer {answer.json()['host_token']}"}
    while match["status"] == "hand_over":
        answer = await client.post(f"/v1/matches/{match['id']}/next-hand", headers=headers)
        answer.raise_for_status()
        match = answer.json()["match"]
    assert match["status"] == "finished", match["status"]
    return UUID(match["id"])


async def check(store: Store, match_id: UUID, played: Played) -> None:
    """The stored log has no gap, and the stored match is what it folds to."""
    found = await store.load(match_id)
    assert found is not None
    match = found.match
    log = await store.events(match_id, after=0, until=match.version, limit=match.version)
    assert [event.seq for event in log] == list(range(1, match.version + 1)), f"{match_id}: a gap"
    assert fold(match.setup, log) == match, f"{match_id}: the log does not fold to the match"
    played.matches += 1
    played.hands += len(match.past_hands)
    played.events += len(log)


async def play_all(
    client: httpx.AsyncClient, store: Store, *, matches: int, at_once: int, rulesets: Iterable[str] = RULESETS
) -> dict[str, Played]:
    """`matches` of each game, `at_once` at a time."""
    report = {}
    for ruleset in rulesets:
        played, numbers, begun = Played(), iter(range(matches)), time.perf_counter()

        async def work(ruleset: str = ruleset, played: Played = played, numbers: Iterator[int] = numbers) -> None:
            for number in numbers:
                await check(store, await play(client, ruleset, number), played)

        async with asyncio.TaskGroup() as group:
            for _ in range(at_once):
                group.create_task(work())
        played.seconds = time.perf_counter() - begun
        report[ruleset] = played
    return report


async def _main(url: str, database_url: str, matches: int, at_once: int) -> None:
    limits = httpx.Limits(max_connections=at_once)
    async with (
        httpx.AsyncClient(base_url=url, timeout=PATIENCE, limits=limits) as client,
        connection_pool(database_url) as pool,
    ):
        report = await play_all(client, Store(pool), matches=matches, at_once=at_once)
    for ruleset, played in report.items():
        print(
            f"{ruleset:16} {played.matches:5} matches {played.hands:6} hands {played.events:8} events "
            f"{played.seconds:7.1f} s, {played.hands / played.seconds:6.1f} hands/s"
        )


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, check, and say how much there was of it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--matches", type=int, default=500, help="of each game (default: 500)")
    parser.add_argument("--at-once", type=int, default=16, help="how many at a time (default: 16)")
    parser.add_argument("--url", default="http://127.0.0.1:8000", help="of the service (default: %(default)s)")
    options = parser.parse_args(arguments)
    with database(Settings.load()) as database_url:
        asyncio.run(_main(options.url, database_url, options.matches, options.at_once))


if __name__ == "__main__":
    main()
