"""What people who watch cost: memory, the time until the last of them has a move, and moves and statements of a table.

One worker, one table that moves as fast as it can, and readers of its stream; all of it on the same machine.
"""

import asyncio
import re
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import psutil
import psycopg

from api import embedded
from api.database import libpq_url, migrate
from benchmarks.moves import Connection, Game, service

STREAMS = 500
MATCHES = 5
AUDIENCES = (0, 10, 500)
SECONDS = 4.0
MOVES = 100
"""After which everybody's news are timed, and for which statements are counted."""

FLUSH_SECONDS = 11
"""How long PostgreSQL may keep an idle connection's counts to itself, and one more."""

CREATE: dict[str, Any] = {
    "ruleset": "draw",
    "rules": {"target": 1_000},
    "seats": [{"kind": "human"}, {"kind": "human"}],
}

_ids = re.compile(rb"id: (\d+)\n").findall


class Audience:
    """Readers of streams, and who of them has heard what."""

    def __init__(self) -> None:
        self._heard: list[int] = []
        self._all = asyncio.Event()
        self._missing = self._awaited = 0
        self._reading: list[asyncio.Task[None]] = []
        self._writers: list[asyncio.StreamWriter] = []

    async def add(self, port: int, match_id: str) -> None:
        """Have one more reader of a match."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"GET /v1/matches/{match_id}/stream HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        await reader.readuntil(b"\r\n\r\n")
        self._heard.append(0)
        self._writers.append(writer)
        self._reading.append(asyncio.create_task(self._read(len(self._heard) - 1, reader)))

    async def _read(self, index: int, reader: asyncio.StreamReader) -> None:
        unread = b""
        while data := await reader.read(65_536):
            *_, unread = (told := unread + data).rsplit(b"\n", 1)
            for found in _ids(told)[-1:]:
                before, self._heard[index] = self._heard[index], int(found)
                self._missing -= before < self._awaited <= int(found)
            if self._missing <= 0:
                self._all.set()

    async def have(self, version: int, *, every: int = 1) -> float:
        """When all of them, or the first and `every` so manieth, have the event of this number."""
        self._awaited, self._missing = version, sum(heard < version for heard in self._heard[::every])
        self._all.clear()
        if self._missing:
            await self._all.wait()
        return time.perf_counter()

    async def leave(self) -> None:
        """Hear no more."""
        for writer in self._writers:
            writer.transport.abort()
        await asyncio.gather(*self._reading, return_exceptions=True)


@asynccontextmanager
async def _audience(port: int, match_ids: Sequence[str], count: int) -> AsyncIterator[Audience]:
    audience = Audience()
    for index in range(count):
        await audience.add(port, match_ids[index % len(match_ids)])
    try:
        yield audience
    finally:
        await audience.leave()


async def _connect(port: int) -> Connection:
    return Connection(*await asyncio.open_connection("127.0.0.1", port))


async def _create(port: int) -> dict[str, Any]:
    _, created = await (await _connect(port)).call("POST", "/v1/matches", CREATE)
    return created  # type: ignore[no-any-return]


async def _sit_down(port: int, created: dict[str, Any]) -> Game:
    """Begin to play, by a new connection: an idle one would have been closed while readers came."""
    game = Game(await _connect(port), created)
    await game.sit_down()
    return game


async def _move(game: Game) -> None:
    if game.hand["turn"] is None:
        await game.next_hand()
    assert await game.move() == 200


async def _memory(port: int, process: int) -> float:
    """KiB for each of many streams, on a few matches."""
    ids = [(await _create(port))["match"]["id"] for _ in range(MATCHES)]
    async with _audience(port, ids, 20) as warm:
        await warm.have(2)
    server = psutil.Process(process)
    before = server.memory_info().rss
    async with _audience(port, ids, STREAMS) as audience:
        await audience.have(2)
        return (server.memory_info().rss - before) / STREAMS / 1024


async def _delay(port: int, spread: int) -> str:
    """From a move's answer until the last reader has it, with the streams on so many matches of which one moves."""
    tables = [await _create(port) for _ in range(spread)]
    seconds = []
    async with _audience(port, [table["match"]["id"] for table in tables], STREAMS) as audience:
        await audience.have(2)
        game = await _sit_down(port, tables[0])
        for _ in range(MOVES):
            await _move(game)
            answered = time.perf_counter()
            seconds.append(await audience.have(game.version, every=spread) - answered)
    cuts = statistics.quantiles(seconds, n=20)
    return f"p50 {cuts[9] * 1e3:5.1f} ms   p95 {cuts[18] * 1e3:5.1f} ms"


async def _rate(port: int, watching: int) -> float:
    """Moves a second of a table that so many watch."""
    created = await _create(port)
    async with _audience(port, [created["match"]["id"]], watching) as audience:
        await audience.have(2)
        game = await _sit_down(port, created)
        moves, begun = 0, time.perf_counter()
        while time.perf_counter() < begun + SECONDS and game.status != "finished":
            await _move(game)
            moves += 1
        return moves / (time.perf_counter() - begun)


async def _statements(port: int, url: str, watching: int) -> float:
    """Statements per move of a table that so many watch, the pulse included."""
    created = await _create(port)
    async with _audience(port, [created["match"]["id"]], watching) as audience:
        await audience.have(2)
        await asyncio.sleep(FLUSH_SECONDS)
        before = _committed(url)
        game = await _sit_down(port, created)
        begun = time.perf_counter()
        for move in range(MOVES):
            await _move(game)
            await asyncio.sleep(max(0.0, begun + (move + 1) / 20 - time.perf_counter()))
        await asyncio.sleep(FLUSH_SECONDS)
        return (_committed(url) - before) / MOVES


def _committed(url: str) -> int:
    """Transactions so far: each statement of the service is one."""
    with psycopg.connect(libpq_url(url), autocommit=True) as connection:
        found = connection.execute(
            "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()"
        ).fetchone()
    assert found is not None
    return int(found[0])


def report() -> Iterator[str]:
    """The figures, a line each."""
    with tempfile.TemporaryDirectory() as folder, embedded.lease(Path(folder)) as url:
        migrate(url)
        with service(url) as (port, process):
            yield f"Streams, {STREAMS} of them, one worker"
            yield f"  memory                               {asyncio.run(_memory(port, process)):7.1f} KiB each"
            for spread in (1, MATCHES):
                delay = asyncio.run(_delay(port, spread))
                yield f"  {STREAMS // spread:3} watch: the last has a move after  {delay}"
            alone = 0.0
            for watching in AUDIENCES:
                rate = asyncio.run(_rate(port, watching))
                alone = alone or rate
                share = f"{rate / alone:.2f} of one alone"
                yield f"  a table that {watching:3} watch               {rate:7,.0f} moves/s   {share}"
            none, some = (asyncio.run(_statements(port, url, watching)) for watching in (0, 10))
            yield f"  statements of a table that 10 watch  {some:7.2f} per move   {some / none:.2f} of one alone"


if __name__ == "__main__":
    for line in report():
        print(line, flush=True)
