"""How long a seat takes to count the deals that agree with what it sees, and to draw some of them."""

import random
import statistics
import time
from collections.abc import Callable, Iterator
from uuid import UUID

from benchmarks.engine_play import AT
from engine.catalogue import RULESETS
from engine.deal import SecretDeal
from engine.match import Setup, create, decide, legal_moves
from engine.players import Human
from engine.rulesets import Ruleset
from engine.strategies.inference import Inference
from engine.view import MatchView, Viewer, view

VIEWS = 200
SAMPLES = 200
GAMES = ("partner-penalty", "all-fives", "draw", "latin", "tiddly-wink")


def views(ruleset: Ruleset, seat_count: int) -> list[MatchView]:
    """What seats see when it is their turn, in matches of random moves."""
    rng = random.Random(1)  # noqa: S311 - it decides moves in a measurement
    seen: list[MatchView] = []
    number = 0
    while len(seen) < VIEWS:
        number += 1
        setup = Setup(
            id=UUID(int=number),
            ruleset=ruleset.id,
            rules=ruleset.tables[seat_count],
            players=(Human(),) * seat_count,
            pacing="auto",
            auto_pass=False,
            deal=SecretDeal(),
            seed=f"{number:064x}",
        )
        match = create(setup, AT).match
        while match.status == "playing":
            moves = legal_moves(match, match.turn)
            if len(moves) > 1:
                seen.append(view(match, Viewer("seat", match.turn)))
            match = decide(match, match.turn, rng.choice(moves), AT).match
    return seen[:VIEWS]


def timed(work: Callable[[], object]) -> float:
    """The microseconds of processor time that `work` takes."""
    start = time.process_time()
    work()
    return 1e6 * (time.process_time() - start)


def measure(ruleset: Ruleset, seat_count: int) -> tuple[list[float], float, float]:
    """Microseconds: by view for counting the deals; on average for all chances, and for a deal of a sample."""
    counting, chances, sampling = [], [], []
    for seen in views(ruleset, seat_count):
        counting.append(timed(lambda seen=seen: Inference(seen)))  # type: ignore[misc]
        inference = Inference(seen)
        chances.append(timed(lambda inference=inference: inference.chances))  # type: ignore[misc]
        sampling.append(timed(lambda inference=inference: inference.sample(1, SAMPLES)) / SAMPLES)  # type: ignore[misc]
    return counting, statistics.mean(chances), statistics.mean(sampling)


def report() -> Iterator[str]:
    """A line for each rule set, and number of seats."""
    yield f"Hidden tiles, as the seat sees them that has the turn; samples of {SAMPLES}"
    for ruleset in [RULESETS[name] for name in GAMES]:
        for seat_count in ruleset.seat_counts:
            counting, chances, sampling = measure(ruleset, seat_count)
            slowest = statistics.quantiles(counting, n=100)[-1]
            yield (
                f"  {ruleset.id:16} {seat_count} seats   counting {statistics.mean(counting):6,.0f} us, "
                f"1 in 100 {slowest:6,.0f} us   all chances {chances:6,.0f} us   a deal {sampling:5.1f} us"
            )
