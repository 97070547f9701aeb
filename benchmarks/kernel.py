"""How many hands the kernel plays out in a second, and how many positions it solves, on one core."""

import random
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

import numpy as np

from engine import turns
from engine.catalogue import RULESETS
from engine.deal import SecretDeal, deal
from engine.kernel.plan import Plan, plan_of
from engine.kernel.playouts import playouts
from engine.kernel.position import Position, follow, legal_turns, position_of, together
from engine.kernel.ready import warm
from engine.kernel.search import UNKNOWN, solve
from engine.kernel.slots import TURN
from engine.lead import find_opener

AT = datetime(2026, 1, 1, tzinfo=UTC)
GAMES: Final = ("block", "draw", "all-fives", "partner-penalty", "cuban-double-nine")
PLAYOUTS = 2_000
POSITIONS = 40
NODE_LIMIT = 1_000_000
PLAYED: Final = (0, 6, 12)
"""How many moves have been made in positions that are solved."""


def opened(plan: Plan, number: int) -> Position:
    """A hand as it is dealt."""
    dealt = deal(plan.rules, plan.seats, f"{number:064x}", SecretDeal(), 1)
    opener = find_opener(plan.rules, dealt.tiles, None, 0)
    return position_of(plan, turns.open_hand(plan.rules, dealt, opener, None, 0, AT).hand)


def later(plan: Plan, number: int, played: int) -> Position | None:
    """The first position with a choice after so many random moves of a hand; null if it ends before."""
    rng = random.Random(number)  # noqa: S311 - it decides moves in a measurement
    position = opened(plan, number)
    while position.state[TURN] >= 0:
        moves = legal_turns(plan, position)
        if played <= 0 and len(moves) > 1:
            return position
        follow(plan, position, rng.choice(moves))
        played -= 1
    return None


def playout_rate(plan: Plan) -> float:
    """Hands per second of processor time, from their first move."""
    positions = [opened(plan, number) for number in range(POSITIONS)]
    start = time.process_time()
    for position in positions:
        playouts(plan, together([position]), legal_turns(plan, position)[:1], count=PLAYOUTS, seed=1)
    return POSITIONS * PLAYOUTS / (time.process_time() - start)


def solving(plan: Plan, played: int) -> str:
    """Positions solved per second, and nodes, after so many moves."""
    found = [position for number in range(POSITIONS) if (position := later(plan, number, played)) is not None]
    solved = nodes = 0
    start = time.process_time()
    for position in found:
        answer = solve(plan, together([position]), legal_turns(plan, position), node_limit=NODE_LIMIT)
        solved += not np.any(answer.worths == UNKNOWN)
        nodes += int(answer.nodes[0])
    elapsed = time.process_time() - start
    if not found:
        return "none"
    rate = f"{len(found) / elapsed:7,.0f}/s of {nodes // len(found):9,} nodes"
    return rate + f" ({len(found) - solved} of {len(found)} unsolved)" * (solved < len(found))


def report() -> Iterator[str]:
    """A line for each game, and one for each stage that positions are solved at."""
    warm()
    yield "Random playouts in the kernel, one core"
    plans = {name: plan_of(RULESETS[name].rules, RULESETS[name].seat_counts[0]) for name in GAMES}
    for name, plan in plans.items():
        yield f"  {name:18} {plan.seats} seats   {playout_rate(plan):10,.0f} hands/s"
    yield "Positions solved in the kernel, one core, every first move"
    for name, plan in plans.items():
        for played in PLAYED:
            yield f"  {name:18} after {played:2} moves   {solving(plan, played)}"
