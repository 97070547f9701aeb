"""What is said of a move, in positions where it is plain."""

from dataclasses import replace
from typing import Any

from engine.layout import End
from engine.match import Match, create
from engine.moves import Pass, Play
from engine.rules import Rules
from engine.strategies.reasons import why
from engine.tiles import Tile
from engine.view import Viewer, view
from tests.engine.games import AT, setup
from tests.engine.situations import BLOCK, DRAW, FIVES, PARTNER, situation

RULESETS = {id(BLOCK): "block", id(DRAW): "draw", id(FIVES): "all-fives", id(PARTNER): "partner-penalty"}


def said(rules: Rules, tile: str, end: End | None, line: str, *hands: str, lacks: Any = None, **state: Any) -> str:
    """What is said of a play by seat 0; `lacks` are numbers by seat."""
    match: Match = create(setup(RULESETS[id(rules)], 1), AT).match
    hand = situation(rules, line, hands, **state)
    if lacks is not None:
        hand = replace(hand, lacks=tuple(sum(1 << number for number in numbers) for numbers in lacks))
    return why(view(replace(match, hand=hand), Viewer("seat", 0)), Play(Tile.parse(tile), end))


def test_the_only_move() -> None:
    text = said(BLOCK, "6-1", "left", "6-5", "6-1 2-2 3-3", "4-4 4-3")
    assert text == (
        "It is the only legal move: it leaves you 2 tiles, none of which fits and gets rid of your heaviest tile."
    )


def test_points_and_what_fits_then() -> None:
    text = said(FIVES, "5-5", "left", "5-0", "5-5 1-0", "4-4 4-3")
    assert text == "It takes 10 points, leaves you one tile, which fits and gets rid of your heaviest tile, a double."


def test_the_last_tile() -> None:
    assert said(BLOCK, "6-1", "left", "6-5", "6-1", "4-4 4-3") == (
        "It is the only legal move: it is your last tile, so that you go out."
    )


def test_ends_that_the_next_seat_lacks() -> None:
    text = said(BLOCK, "6-1", "left", "6-5", "6-1 5-1 0-0", "4-4 4-3", lacks=((), (1, 5)))
    assert text == (
        "It leaves seat 1, which is next, only 1 and 5, which it has shown to lack, leaves you 1 of 2 tiles that fit "
        "and gets rid of your heaviest tile."
    )
    text = said(BLOCK, "6-1", "left", "6-5", "6-1 5-2 0-0", "4-4 4-3", lacks=((), (1,)))
    assert "leaves an end at 1, which seat 1, the next one, has shown to lack" in text


def test_a_block() -> None:
    text = said(BLOCK, "2-0", "left", "1-0 left:2-1", "2-0 4-4", "5-5 6-6", lacks=None)
    assert "blocks" not in text, "Other tiles with a blank are not seen."
    blanks = "1-0 right:0-0 right:2-0 right:3-2 right:3-0 right:4-0 right:5-4 right:5-0 left:6-1"
    text = said(BLOCK, "6-0", "left", blanks, "6-0 4-4", "5-5 6-6")
    assert text == "It blocks the hand, as no tile fits then."


def test_a_pass() -> None:
    match = create(setup("block", 1), AT).match
    hand = situation(BLOCK, "6-5", ("1-1", "6-6"))
    text = why(view(replace(match, hand=hand), Viewer("seat", 0)), Pass())
    assert text == "You hold nothing that fits, and there is nothing to draw."
