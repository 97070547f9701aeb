"""A match that was stored goes on as one that was not: nothing hangs on which objects it is made of."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from pydantic import TypeAdapter

from engine.catalogue import RULESETS
from engine.events import Event
from engine.match import Match, Setup, decide
from engine.rules import Rules
from tests.engine.any_rules import SEEDS, games
from tests.engine.games import random_play, setup
from tests.engine.lives import random_life, tables
from tests.engine.test_properties import people_at

pytestmark = pytest.mark.usefixtures("compiled")

MATCH = TypeAdapter(Match)
LOG: TypeAdapter[tuple[Event, ...]] = TypeAdapter(tuple[Event, ...])
MOST_MOVES = 60


def check(chosen: Setup) -> None:
    """Read the match again before each move, and the log at the end."""
    moments = list(random_play(chosen, most=MOST_MOVES))
    for before, after in pairwise(moments):
        read = MATCH.validate_json(MATCH.dump_json(before.match))
        assert read == before.match
        assert after.move is not None
        done = decide(read, read.turn, after.move, after.match.updated_at)
        assert (done.match, done.events) == (after.match, after.events)
    assert LOG.validate_json(LOG.dump_json(moments[-1].log)) == moments[-1].log


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_game_goes_on(ruleset: str) -> None:
    check(setup(ruleset, 1))


@given(games(), SEEDS)
@settings(max_examples=60)
def test_any_game_goes_on(game: tuple[Rules, int], seed: int) -> None:
    check(people_at(game, seed))


@pytest.mark.parametrize("seed", range(8))
def test_a_pass_before_the_first_tile_is_not_counted_as_the_first_of_the_match(seed: int) -> None:
    rules = replace(RULESETS["manaus"].rules, opener="lot", first_pass_points=5)
    check(replace(setup("manaus", seed), rules=rules))


@given(tables())
@settings(max_examples=60)
def test_a_life_survives(chosen: Setup) -> None:
    *_, last = random_life(chosen)
    assert MATCH.validate_json(MATCH.dump_json(last.match)) == last.match
    assert LOG.validate_json(LOG.dump_json(last.log)) == last.log
