"""Levels differ: on duplicate deals with the seats swapped, expert beats hard, hard beats medium and medium beats easy,
in the games below. In games that score for ends that are equal, medium's heavy tiles are no better than easy's any
tile.

The measure is points: medium sheds weight, which saves points in hands that it loses.
"""

import pytest

from arena.duplicate import Table, play_pair
from arena.estimate import Estimate
from engine.catalogue import RULESETS
from engine.players import Level
from engine.strategies import STRATEGIES

DEALS: dict[tuple[Level, Level], dict[str, int]] = {
    ("expert", "hard"): {"partner-penalty": 8, "all-fives": 9, "draw": 9, "block": 40, "latin": 6},
    ("hard", "medium"): {
        "partner-penalty": 80,
        "all-fives": 40,
        "draw": 60,
        "block": 60,
        "latin": 60,
        "cross": 40,
        "kozel": 40,
        "french": 50,
        "jamaican-partner": 60,
    },
    ("medium", "easy"): {
        "partner-penalty": 150,
        "all-fives": 500,
        "draw": 700,
        "block": 100,
        "latin": 60,
        "cross": 60,
        "kozel": 90,
        "french": 50,
        "jamaican-partner": 300,
    },
}
"""How many it takes to tell a level from the next lower one: the gain is then some three standard errors or more, but
more than two for the expert, which takes long.
"""


@pytest.mark.parametrize(
    ("better", "worse", "ruleset"), [(*levels, ruleset) for levels, games in DEALS.items() for ruleset in games]
)
@pytest.mark.usefixtures("compiled")
def test_a_level_beats_the_one_below_it(better: Level, worse: Level, ruleset: str) -> None:
    table = Table(RULESETS[ruleset], RULESETS[ruleset].seat_counts[0])
    deals = range(DEALS[better, worse][ruleset])
    pairs = [play_pair(table, STRATEGIES[better], STRATEGIES[worse], number, hands=3) for number in deals]
    points = Estimate.of([pair.points for pair in pairs])
    assert points.at_least > 0, points
