"""What deals and chance play come to in the long run, against figures worked out elsewhere: by counting, or by play in
another program.
"""

import math
from collections import Counter

import pytest

from engine.catalogue import RULESETS
from engine.deal import SecretDeal, deal
from engine.events import HandResult
from engine.lead import find_opener
from engine.tiles import Tile
from tests.engine.games import random_play, setup

HANDS = 1_500
DEVIATIONS = 4
"""How far a frequency may be from what is expected. The seeds are fixed, so a test that passes once always does."""


def assert_about(count: int, trials: int, expected: float) -> None:
    deviation = math.sqrt(trials * expected * (1 - expected))
    assert abs(count - trials * expected) < DEVIATIONS * deviation, f"{count / trials:.4f} instead of {expected:.4f}"


def openers(ruleset: str, trials: int) -> Counter[Tile | None]:
    """The tiles that open the first hands of many matches."""
    rules, seats = RULESETS[ruleset].rules, RULESETS[ruleset].seat_counts[0]
    deals = (deal(rules, seats, f"{seed:064x}", SecretDeal(), 1).tiles for seed in range(trials))
    return Counter(find_opener(rules, tiles, None, 0).tile for tiles in deals)


def test_a9_the_lowest_double_opens() -> None:
    counts = openers("partner-penalty", 3_000)
    assert_about(counts[Tile(1, 1)], 3_000, 8 / 9)
    assert_about(counts[Tile(2, 2)], 3_000, 4 / 39)


def test_no_double_is_dealt_to_two_seats_in_one_of_345_deals() -> None:
    counts = openers("block", 4_000)
    singles = sum(count for tile, count in counts.items() if tile is not None and not tile.is_double)
    assert_about(singles, 4_000, 1 / 345)
    assert_about(counts[Tile(6, 6)], 4_000, 1 / 2)


def chance_play(ruleset: str, hands: int) -> list[HandResult]:
    """How the first hands of many matches end when every move is drawn by chance."""
    results = []
    for number in range(hands):
        *_, last = random_play(setup(ruleset, number, target=0))
        assert last.match.hand is not None
        assert last.match.hand.result is not None
        results.append(last.match.hand.result)
    return results


@pytest.mark.parametrize(
    ("ruleset", "blocked", "tied"), [("partner-penalty", 0.237, 0.010), ("draw", 0.175, 0.006), ("block", 0.655, 0.030)]
)
def test_hands_played_by_chance_end_blocked_as_often_as_elsewhere(ruleset: str, blocked: float, tied: float) -> None:
    results = chance_play(ruleset, HANDS)
    assert_about(sum(result.reason == "blocked" for result in results), HANDS, blocked)
    assert_about(sum(result.winner is None for result in results), HANDS, tied)


def test_a5_a_last_tile_fits_both_ends_as_often_as_elsewhere() -> None:
    results = chance_play("partner-penalty", HANDS)
    assert_about(sum(result.doubled for result in results), HANDS, 0.088)
