"""Every game in the catalogue is played as its examples say, and what makes it different is seen in them."""

from dataclasses import fields
from typing import Any, Final

import pytest

from engine.catalogue import RULESETS
from engine.errors import InvalidRules, RuleViolation
from engine.rules import Rules
from tests.kinds import SOURCE_GAMES
from tests.variants import (
    block_and_draw,
    capicuas,
    crosses,
    deals,
    equal_ends,
    partners,
    penalties,
    points_in_play,
    threes,
    wins,
)
from tests.variants.table import Dealt, Example, Worth

AnyExample = Dealt | Example | Worth

EXAMPLES: Final[tuple[AnyExample, ...]] = (
    *block_and_draw.EXAMPLES,
    *points_in_play.EXAMPLES,
    *threes.EXAMPLES,
    *equal_ends.EXAMPLES,
    *crosses.EXAMPLES,
    *partners.EXAMPLES,
    *capicuas.EXAMPLES,
    *wins.EXAMPLES,
    *penalties.EXAMPLES,
    *deals.EXAMPLES,
)
GOES_WITH: Final[dict[str, dict[str, Any]]] = {
    "last_tile": {"last_tile_factor": 1, "last_tile_bonus": 0},
    "bonus_tiles": {"bonus_tile_points": 0},
    "scoring": {"block_pips": "loser"},
    "partners": {"hand_size": 2},
    "scored_multiples": {"end_ceiling": 0},
}


def named(example: AnyExample) -> str:
    return f"{example.ruleset}-{[other for other in EXAMPLES if other.ruleset == example.ruleset].index(example)}"


@pytest.mark.parametrize("example", EXAMPLES, ids=named)
def test_is_played_as_it_says(example: AnyExample) -> None:
    example.check()


def turns_out_otherwise(example: AnyExample, changed: dict[str, Any]) -> bool:
    """Rules that cannot be played at all show nothing: what goes with a parameter is set back with it."""
    for name, value in list(changed.items()):
        if value == getattr(Rules(), name):
            changed = {**GOES_WITH.get(name, {}), **changed}
    try:
        example.check(**changed)
    except InvalidRules as refused:
        if refused.parameter != "hand_size":  # so many tiles cannot be dealt
            raise
        return True
    except (AssertionError, RuleViolation, pytest.fail.Exception):
        return True
    return False


@pytest.mark.parametrize(
    ("example", "changed"),
    [
        pytest.param(example, changed, id=f"{named(example)}-{next(iter(changed))}")
        for example in EXAMPLES
        for changed in example.contrasts
    ],
)
def test_turns_out_otherwise_by_other_rules(example: AnyExample, changed: dict[str, Any]) -> None:
    assert turns_out_otherwise(example, changed)


@pytest.mark.parametrize("ruleset", sorted(RULESETS.keys() - set(SOURCE_GAMES)))
def test_has_examples_of_what_makes_it_different(ruleset: str) -> None:
    examples = [example for example in EXAMPLES if example.ruleset == ruleset]
    assert len(examples) >= 2
    assert any(example.contrasts for example in examples)
    for example in examples:
        assert example.source in RULESETS[ruleset].sources if example.contrasts else not example.source


def test_no_example_is_of_another_game() -> None:
    assert {example.ruleset for example in EXAMPLES} == RULESETS.keys() - set(SOURCE_GAMES)


UNSEEN: Final = {
    # The lightest hand is that of the lightest team where each is its own.
    ("cut-throat", "block_winner"),
    ("martinique", "block_winner"),
    # A hand that is played out ends as a blocked one does.
    ("hungarian", "lead_after_domino"),
}
"""Parameters that change nothing, with all else as it is."""


@pytest.mark.parametrize("ruleset", sorted(RULESETS.keys() - set(SOURCE_GAMES)))
def test_every_parameter_is_seen_in_some_example(ruleset: str) -> None:
    examples = [example for example in EXAMPLES if example.ruleset == ruleset]
    default, tables = Rules(), RULESETS[ruleset].tables.values()
    unseen = []
    for name in (each.name for each in fields(Rules)):
        value = getattr(default, name)
        if (ruleset, name) in UNSEEN or all(getattr(rules, name) == value for rules in tables):
            continue
        if not any(turns_out_otherwise(example, {name: value}) for example in examples):
            unseen.append(name)
    assert not unseen
