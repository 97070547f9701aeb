"""How many hands the engine plays in a second, with random legal moves: judged, recorded as events and evolved."""

import random
import time
from collections.abc import Iterator
from datetime import UTC, datetime

from engine import hand as hands
from engine import turns
from engine.catalogue import RULESETS
from engine.deal import SecretDeal, deal
from engine.lead import find_opener
from engine.rules import Rules
from engine.rulesets import Ruleset

AT = datetime(2026, 1, 1, tzinfo=UTC)
SECONDS = 3.0


def play_hand(rules: Rules, seat_count: int, number: int, rng: random.Random) -> int:
    """Deal a hand, play it to its end with random legal moves, and count the turns."""
    dealt = deal(rules, seat_count, f"{number:064x}", SecretDeal(), 1)
    opener = find_opener(rules, dealt.tiles, None, 0)
    hand = turns.open_hand(rules, dealt, opener, None, 0, AT).hand
    count = 0
    while (seat := hand.turn) is not None:
        legal = hands.legal_turns(rules, hand, seat)
        turn = legal[int(rng.random() * len(legal))]
        hand = turns.decide(rules, hand, seat, turn, 0, AT).hand
        count += 1
    return count


def measure(ruleset: Ruleset, seconds: float = SECONDS) -> tuple[float, float]:
    """Hands per second of processor time, and microseconds per turn."""
    rng = random.Random(1)  # noqa: S311 - it decides moves in a measurement
    hand_count = turn_count = 0
    start = time.process_time()
    while (elapsed := time.process_time() - start) < seconds:
        turn_count += play_hand(ruleset.rules, ruleset.seat_counts[0], hand_count, rng)
        hand_count += 1
    return hand_count / elapsed, 1e6 * elapsed / turn_count


def report() -> Iterator[str]:
    """A line for each rule set."""
    yield "Random play in the engine, one process"
    for ruleset in RULESETS.values():
        rate, turn = measure(ruleset)
        yield f"  {ruleset.id:16} {rate:7,.0f} hands/s   {turn:5.1f} us/turn"


if __name__ == "__main__":
    for line in report():
        print(line)
