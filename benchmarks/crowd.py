"""What those who watch notice of matches with experts: how long they wait for a match that stands still.

One worker. Others play, each a match against three experts, as fast as they are answered; they, the database and those
who watch are on the same machine.
"""

import asyncio
import multiprocessing
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import psutil

from api import embedded
from api.database import migrate
from benchmarks.moves import Connection, service

MATCHES: Final = (0, 40)
SECONDS: Final = 10.0
PAUSE: Final = 0.01
"""From one look to the next."""
RISE_SECONDS: Final = 4.0
"""How long the others play before anybody watches."""

CREATE: Final[dict[str, Any]] = {
    "ruleset": "partner-penalty",
    "seats": [{"kind": "human"}, *[{"kind": "cpu", "level": "expert"}] * 3],
}


async def _connect(port: int) -> Connection:
    return Connection(*await asyncio.open_connection("127.0.0.1", port))


async def _play(port: int) -> None:
    """Play matches with the first move there is, without end."""
    connection = await _connect(port)
    while True:
        _, created = await connection.call("POST", "/v1/matches", CREATE)
        match, token = created["match"], created["tokens"][0]["token"]
        while match["status"] != "finished":
            move = match["hand"]["legal_moves"][0]
            path = f"/v1/matches/{match['id']}/{move['type']}"
            status, answer = await connection.call("POST", path, move, token)
            assert status == 200, answer
            match = answer["match"]


def _play_all(port: int, matches: int) -> None:
    async def play() -> None:
        await asyncio.gather(*[_play(port) for _ in range(matches)])

    asyncio.run(play())


@contextmanager
def _playing(port: int, matches: int) -> Iterator[None]:
    others = multiprocessing.get_context("spawn").Process(target=_play_all, args=(port, matches), daemon=True)
    others.start()
    try:
        yield
    finally:
        others.terminate()
        others.join()


async def _watch(port: int) -> list[float]:
    """The seconds that each look took."""
    connection = await _connect(port)
    _, created = await connection.call("POST", "/v1/matches", {"ruleset": "draw"})
    path = f"/v1/matches/{created['match']['id']}"
    await asyncio.sleep(RISE_SECONDS)
    seconds: list[float] = []
    until = time.perf_counter() + SECONDS
    while (begun := time.perf_counter()) < until:
        status, _ = await connection.call("GET", path)
        assert status == 200
        seconds.append(time.perf_counter() - begun)
        await asyncio.sleep(PAUSE)
    return seconds


def report() -> Iterator[str]:
    """A line for each number of matches, and one for memory."""
    with tempfile.TemporaryDirectory() as folder, embedded.lease(Path(folder)) as url:
        migrate(url)
        with service(url) as (port, pid):
            yield f"A look at a match while others play against three experts each, one worker, {SECONDS:.0f} s each"
            for matches in MATCHES:
                with _playing(port, matches):
                    seconds = asyncio.run(_watch(port))
                cuts = statistics.quantiles(seconds, n=100)
                yield (
                    f"  {matches:2} matches   p50 {cuts[49] * 1e3:5.1f} ms   p99 {cuts[98] * 1e3:5.1f} ms"
                    f"   longest {max(seconds) * 1e3:5.1f} ms"
                )
            yield f"  memory of the worker   {psutil.Process(pid).memory_info().rss / 2**20:.0f} MiB"
