"""Rules as the kernel takes them."""

import subprocess
import sys
from dataclasses import fields, replace
from typing import Any, Final, get_args, get_origin, get_type_hints

import numpy as np
import pytest

from engine.kernel.plan import plan_of
from engine.rules import Rules
from engine.tiles import Tile

OF_DEALS_AND_MATCHES: Final = {
    "hand_size",
    "redeal_doubles",
    "redeal_suit",
    "opening_tiles",
    "opener",
    "opening",
    "opening_without_double",
    "lead_after_domino",
    "lead_after_block",
    "lead_after_tie",
    "hand_bonuses",
    "tie_bonus",
    "most_hands",
}
"""Parameters that are of no consequence within a hand, or stand in its position: a tile that must open, a bonus, the
last hand."""

OTHERS: Final[dict[str, Any]] = {
    "highest_double": 9,
    "removed_tiles": (Tile(0, 0),),
    "wild_tiles": (Tile(6, 1),),
    "line_ends": 1,
    "extra_turn_counts": (5,),
    "skip_counts": (7,),
    "scored_multiples": (5,),
    "equal_ends_points": (10,),
    "bonus_tiles": (Tile(0, 0),),
    "last_tile_factor": 2,
    "rounding_unit": 10,
}
HINTS: Final = get_type_hints(Rules)
PLAYED: Final = Rules(scored_multiples=(3,), equal_ends_points=(5, 10), spinner="first_double")
"""Rules by which most parameters mean something."""


def other(parameter: str) -> Any:
    """A value of `parameter` that `PLAYED` does not have."""
    if parameter in OTHERS:
        return OTHERS[parameter]
    hint, value = HINTS[parameter], getattr(PLAYED, parameter)
    if hint is bool:
        return not value
    return (
        next(each for each in get_args(hint) if each != value)
        if get_origin(hint) is not None and isinstance(value, str)
        else 17
    )


@pytest.mark.parametrize("parameter", [field.name for field in fields(Rules)])
def test_every_parameter_that_matters_within_a_hand_is_in_the_plan(parameter: str) -> None:
    changed = replace(PLAYED, **{parameter: other(parameter)})
    same = np.array_equal(plan_of(PLAYED, 4).numbers, plan_of(changed, 4).numbers)
    assert same == (parameter in OF_DEALS_AND_MATCHES)


def test_a_plan_is_made_once() -> None:
    assert plan_of(Rules(target=50), 2) is plan_of(Rules(target=50), 2)


def test_tiles_are_in_order_of_their_weight() -> None:
    plan = plan_of(Rules(), 2)
    assert [plan.tiles[index].pips for index in range(28)] == sorted(tile.pips for tile in plan.tiles)
    assert plan.tiles_of(plan.mask((Tile(6, 6), Tile(2, 1)))) == (Tile(2, 1), Tile(6, 6))


def test_the_rules_do_without_numba() -> None:
    program = "import sys, engine.match, engine.view, engine.catalogue; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
