"""Matches under load while processes are killed: every acknowledged move is in its log once, and nothing else is.

    python -m tests.soak.kills --seconds 600

It starts a service with a PostgreSQL of its own, in a directory that it makes; people play there, in matches of all
games, while one worker, all of them, PostgreSQL or the service is killed with SIGKILL every few seconds, or the
service is stopped and started again. It exits with 1 if anything was lost, done twice, or made up.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

import httpx

from api.embedded import lease
from tests.serving import PATIENCE
from tests.soak.audit import audit
from tests.soak.ledger import Ledger
from tests.soak.players import Line, OutOfPatienceError
from tests.soak.service import KINDS, Service
from tests.soak.tables import play_on

STRIKES: Final = (
    ("worker",),
    ("workers",),
    ("postgres",),
    ("service",),
    ("worker", "postgres"),
    ("workers", "postgres"),
)
WEIGHTS: Final = (30, 15, 25, 8, 8, 6)
STOPS: Final = 8
"""The weight of a stop and a start beside those of the kills."""


@dataclass(frozen=True)
class Plan:
    """How long, how much and how wild."""

    seconds: float
    tables: int = 18
    kills: int = 0
    """At least so many, however long it takes."""
    every: float = 2.5
    """Seconds from one kill to the next, on average."""
    seed: int = 1
    workers: int = 2


async def run(plan: Plan, data_dir: Path) -> Ledger:
    """Play and kill, let the matches end, and hold what everybody was told against the database."""
    ledger = Ledger()
    service = Service(data_dir, ledger, workers=plan.workers)
    service.prepare()
    ended = asyncio.Event()
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=100)
    try:
        async with httpx.AsyncClient(base_url=service.url, limits=limits) as client:
            keeper = asyncio.create_task(service.keep())
            async with asyncio.TaskGroup() as group:
                for table in range(plan.tables):
                    line = Line(client, ledger, Random(f"{plan.seed}/{table}"))
                    group.create_task(play_on(line, ended))
                group.create_task(_strike(service, ledger, plan, ended))
            keeper.cancel()
            await service.stop()
    except* OutOfPatienceError as group:
        for error in group.exceptions:
            ledger.fault(str(error))
    finally:
        service.end()
        with lease(data_dir) as url:
            await audit(ledger, url)
    return ledger


async def _back(ledger: Ledger) -> None:
    """Most kills wait until the service has been back for a moment: on a busy machine nobody would ever play."""
    with suppress(TimeoutError):
        await asyncio.wait_for(ledger.up.wait(), PATIENCE)


async def _strike(service: Service, ledger: Ledger, plan: Plan, ended: asyncio.Event) -> None:
    rng = Random(plan.seed)
    await ledger.up.wait()
    until = time.monotonic() + plan.seconds
    while time.monotonic() < until or sum(ledger.tally[f"{kind} killed"] for kind in KINDS) < plan.kills:
        await asyncio.sleep(rng.uniform(0.4, 1.6) * plan.every)
        if rng.random() < 0.75:
            await _back(ledger)
        [strike] = rng.choices([*STRIKES, None], weights=[*WEIGHTS, STOPS])
        if strike is None:
            await service.stop()
            await asyncio.sleep(rng.uniform(0, 1))
            service.start_again()
            ledger.tally["stops"] += 1
            continue
        for kind in strike:
            if service.kill(kind, rng):
                ledger.tally[f"{kind} killed"] += 1
            await asyncio.sleep(rng.choice([0, 0.05, 0.3]) if len(strike) > 1 else 0)
    ended.set()


def summary(ledger: Ledger) -> list[str]:
    """What happened, line by line, and the first faults."""
    tally = ledger.tally
    kills = {kind: tally[f"{kind} killed"] for kind in KINDS}
    counted = ", ".join(f"{number} {kind}" for kind, number in kills.items())
    streams = ("streams opened", "streams dropped", "streams broken")
    return [
        f"kills              {sum(kills.values())} ({counted}); {tally['stops']} stops and starts under load",
        f"matches            {tally['matches']}, {tally['forfeits']} of them lost by the clock",
        f"hands              {tally['hands']}, {tally['events']} events",
        f"calls acknowledged {sum(len(book.calls) for book in ledger.books.values())}, {tally['moves']} of them moves",
        f"calls sent again   {tally['retries']}, and {tally['calls sent twice at once']} sent twice at once",
        f"replays            {tally['replays']}; {tally['refused as too late']} calls refused as too late",
        "streams            " + ", ".join(f"{tally[name]} {name.split()[1]}" for name in streams),
        f"longest wait       {ledger.longest_wait:.1f} s for an answer, {ledger.longest_stop:.1f} s for a stop",
        f"starts in vain     {tally['starts in vain']}",
        f"faults             {len(ledger.faults)}",
        *ledger.faults[:20],
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run, and say what happened."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=600, help="how long (default: 600)")
    parser.add_argument("--tables", type=int, default=18, help="matches at a time (default: 18)")
    parser.add_argument("--every", type=float, default=2.5, help="seconds from kill to kill (default: 2.5)")
    parser.add_argument("--workers", type=int, default=2, help="of the service (default: 2)")
    parser.add_argument("--seed", type=int, default=1, help="of all chances (default: 1)")
    plan = Plan(**vars(parser.parse_args(arguments)))
    with tempfile.TemporaryDirectory(prefix="capicua-soak-", dir="/tmp") as data_dir:
        ledger = asyncio.run(run(plan, Path(data_dir)))
    print("\n".join(summary(ledger)))
    return 1 if ledger.faults else 0


if __name__ == "__main__":
    sys.exit(main())
