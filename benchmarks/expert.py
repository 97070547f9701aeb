"""What a decision of the expert takes: processor time, in hands that experts play against each other, and memory."""

import statistics
import time
from collections.abc import Iterator
from typing import Final
from uuid import UUID

import psutil

from benchmarks.engine_play import AT
from engine import autoplay
from engine.catalogue import RULESETS
from engine.deal import NumberedDeal, seed_for
from engine.match import Setup, create, decide
from engine.players import Cpu
from engine.rulesets import Ruleset

GAMES: Final = ("partner-penalty", "all-fives", "draw", "block", "latin")
DECISIONS: Final = 300
"""Among several moves."""


def measure(ruleset: Ruleset) -> list[float]:
    """Milliseconds of processor time, by decision."""
    taken: list[float] = []
    number = 0
    while len(taken) < DECISIONS:
        number += 1
        seats, deal = ruleset.seat_counts[0], NumberedDeal(number)
        experts = (Cpu("expert"),) * seats
        rules = ruleset.tables[seats]
        setup = Setup(UUID(int=number), ruleset.id, rules, experts, "auto", False, deal, seed_for(deal, b""))  # noqa: FBT003
        match = create(setup, AT).match
        while match.status == "playing":
            is_choice = autoplay.ponders(match)
            start = time.process_time()
            move = autoplay.choose(match)
            if is_choice:
                taken.append(1e3 * (time.process_time() - start))
            match = decide(match, match.turn, move, AT).match
    return taken[:DECISIONS]


def report() -> Iterator[str]:
    """A line for each game, and one for memory, which is right where nothing else was measured before."""
    process = psutil.Process()
    before = process.memory_info().rss
    from engine.kernel.ready import warm  # noqa: PLC0415 - its import is a part of what is measured

    warm()
    yield f"The expert, one core, {DECISIONS} decisions each"
    for name in GAMES:
        taken = measure(RULESETS[name])
        cuts = statistics.quantiles(taken, n=100)
        yield f"  {name:16} median {cuts[49]:5.1f} ms   p99 {cuts[98]:5.1f} ms   longest {max(taken):5.1f} ms"
    yield f"  memory           {(process.memory_info().rss - before) / 2**20:5.0f} MiB more than before it was loaded"
