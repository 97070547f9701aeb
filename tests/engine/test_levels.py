"""Levels differ: on duplicate deals with the seats swapped, hard beats medium and medium beats easy, in every game.

The measure is points: medium sheds weight, which saves points in hands that it loses.
"""

import pytest

from engine.players import Level
from engine.rulesets import RULESETS
from engine.strategies import STRATEGIES
from tests.engine.duels import duel

DEALS = {"hard": 120, "medium": 700}
"""How many it takes to tell a level from the next lower one."""


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize(("better", "worse"), [("hard", "medium"), ("medium", "easy")])
def test_a_level_beats_the_one_below_it(ruleset: str, better: Level, worse: Level) -> None:
    rules, seats = RULESETS[ruleset].rules, RULESETS[ruleset].seat_counts[0]
    result = duel(rules, seats, STRATEGIES[better], STRATEGIES[worse], deals=DEALS[better])
    assert result.lower_bound(result.points) > 0, result.summary()
