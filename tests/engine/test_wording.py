"""The rules in words say what the parameters say: no two values of a parameter that matters read the same."""

from dataclasses import fields, replace
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

import pytest

from engine.catalogue import RULESETS
from engine.rules import Rules
from engine.tiles import Tile
from engine.wording import wording

HINTS: Final = get_type_hints(Rules)
WHERE_IT_MATTERS: Final = Rules(
    hand_size=2,
    drawing="until_playable",
    boneyard_reserve=1,
    spinner="first_double",
    scored_multiples=(5, 3),
    equal_ends_points=(2, 3),
    last_tile="legal_both",
    last_tile_factor=2,
    last_tile_bonus=4,
    bonus_tiles=(Tile(1, 0),),
    bonus_tile_points=3,
    rounding="up",
    block_rounding="up",
    target=50,
)
OTHERS: Final[dict[str, dict[str, Any]]] = {
    "block_points": {"block_pips": "loser"},
    "opening_without_double": {"lead_tile": "any"},
    "play_out": {"drawing": "never", "boneyard_reserve": 0},
}
"""Other parameters that a parameter needs to matter."""


def values(name: str, usual: object) -> list[Any]:
    """Two or more values of a parameter."""
    if get_origin(HINTS[name]) is Literal:
        return list(get_args(HINTS[name]))
    if isinstance(usual, bool):
        return [False, True]
    if name == "line_ends":
        return [1, 2]
    if isinstance(usual, int):
        return [usual, usual + 1, usual + 7]
    tiles = name.endswith("tiles")
    return [(), (Tile(6, 5),), (Tile(6, 5), Tile(2, 2))] if tiles else [(), (7,), (9, 7)]


@pytest.mark.parametrize("name", [field.name for field in fields(Rules)])
def test_each_value_of_a_parameter_reads_differently(name: str) -> None:
    rules = replace(WHERE_IT_MATTERS, **OTHERS.get(name, {}))
    texts = [wording(replace(rules, **{name: value}), 4) for value in values(name, getattr(rules, name))]
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_game_reads_well(ruleset: str) -> None:
    for seats, rules in RULESETS[ruleset].tables.items():
        text = wording(rules, seats)
        assert "  " not in text
        assert " ." not in text
        assert all(part[0].isupper() or part[0].isdigit() for part in text.split("\n\n"))
        assert all(part.endswith(".") for part in text.split("\n\n"))


def test_games_that_differ_read_differently() -> None:
    texts: dict[str, tuple[int, Rules]] = {}
    for ruleset in RULESETS.values():
        for seats, rules in ruleset.tables.items():
            assert texts.setdefault(wording(rules, seats), (seats, rules)) == (seats, rules)
