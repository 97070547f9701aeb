"""Refusals: each error of a broken rule, and the order in which they are judged."""

from dataclasses import replace
from typing import Any

import pytest

from engine.errors import (
    EndNotOpen,
    EndRequired,
    HandNotOver,
    HandOver,
    InvalidRules,
    MatchFinished,
    MustDraw,
    MustOpen,
    MustPass,
    MustPlay,
    NoSuchPosition,
    NotACpuSeat,
    NotYourTurn,
    RuleViolation,
    TileDoesNotFit,
    TileNotInHand,
)
from engine.events import TurnPassed
from engine.hand import Hand
from engine.layout import End
from engine.match import change_level, decide, legal_moves, pass_for
from engine.moves import Draw, Move, NextHand, Pass, Play
from engine.rules import Rules, check
from engine.tiles import Tile
from engine.turns import decide as decide_turn
from tests.engine.games import AT
from tests.engine.situations import (
    BLOCK,
    DRAW,
    ENDS_6_1,
    FIVES,
    SEQ,
    before_block,
    begin,
    block,
    draw,
    drawn,
    fixed,
    situation,
    stuck,
    table,
    tiles,
)


def refused(rules: Rules, hand: Hand, turn: Play | Draw | Pass, seat: int = 0) -> type[RuleViolation]:
    with pytest.raises(RuleViolation) as caught:
        decide_turn(rules, hand, seat, turn, SEQ, AT)
    return caught.type


TWO_WAYS = situation(BLOCK, ENDS_6_1, ("6-1 6-5 4-4", "6-2 2-2"))
OPENING = situation(BLOCK, hands=("6-6 5-4", "6-5"), must_open="6-6")
FREE = situation(BLOCK, hands=("6-6 5-4", "6-5"))


@pytest.mark.parametrize("turn", [Play(Tile(3, 3), "up"), Play(Tile(6, 6)), Draw(99), Pass()])
@pytest.mark.parametrize("hand", [TWO_WAYS, OPENING, FREE])
def test_not_your_turn_comes_first(hand: Hand, turn: Play | Draw | Pass) -> None:
    assert refused(BLOCK, hand, turn, seat=1) is NotYourTurn


@pytest.mark.parametrize(
    "play_", [Play(Tile(5, 4)), Play(Tile(3, 3)), Play(Tile(5, 4), "left"), Play(Tile(3, 3), "up")]
)
def test_must_open_before_tile_not_in_hand(play_: Play) -> None:
    assert refused(BLOCK, OPENING, play_) is MustOpen


@pytest.mark.parametrize("end", [None, "left", "up"])
@pytest.mark.parametrize("tile", [Tile(3, 3), Tile(6, 3), Tile(6, 2), Tile(12, 12)])
def test_tile_not_in_hand_before_tile_does_not_fit(tile: Tile, end: End | None) -> None:
    assert refused(BLOCK, TWO_WAYS, Play(tile, end)) is TileNotInHand


@pytest.mark.parametrize("end", [None, "left", "right", "up"])
def test_tile_does_not_fit_before_end_not_open(end: End | None) -> None:
    assert refused(BLOCK, TWO_WAYS, Play(Tile(4, 4), end)) is TileDoesNotFit


def test_tile_does_not_fit_the_end_named() -> None:
    assert refused(BLOCK, TWO_WAYS, Play(Tile(6, 5), "right")) is TileDoesNotFit


@pytest.mark.parametrize("tile", [Tile(6, 1), Tile(6, 5)])
@pytest.mark.parametrize("end", ["up", "down"])
def test_end_not_open_before_end_required(tile: Tile, end: End) -> None:
    assert refused(BLOCK, TWO_WAYS, Play(tile, end)) is EndNotOpen


@pytest.mark.parametrize(("hand", "tile"), [(OPENING, Tile(6, 6)), (FREE, Tile(5, 4))])
@pytest.mark.parametrize("end", ["left", "right", "up", "down"])
def test_an_opening_goes_to_no_end(hand: Hand, tile: Tile, end: End) -> None:
    assert refused(BLOCK, hand, Play(tile, end)) is EndNotOpen


def test_end_required() -> None:
    assert refused(BLOCK, TWO_WAYS, Play(Tile(6, 1))) is EndRequired


def test_end_required_with_arms() -> None:
    hand = situation(FIVES, "6-6 left:6-4 left:4-3 right:6-5", ("6-3", "1-1"))
    assert refused(FIVES, hand, Play(Tile(6, 3))) is EndRequired


@pytest.mark.parametrize("rules", [BLOCK, DRAW])
@pytest.mark.parametrize("turn", [Draw(), Draw(99), Draw(None, until_playable=True), Pass()])
@pytest.mark.parametrize("hand", [TWO_WAYS, OPENING, FREE])
def test_must_play_comes_before_all_else(rules: Rules, hand: Hand, turn: Draw | Pass) -> None:
    assert refused(rules, hand, turn) is MustPlay


def test_must_draw() -> None:
    assert refused(DRAW, stuck(DRAW), Pass()) is MustDraw


@pytest.mark.parametrize("draw_", [Draw(), Draw(0), Draw(99), Draw(None, until_playable=True)])
def test_must_pass_before_no_such_position(draw_: Draw) -> None:
    assert refused(DRAW, stuck(DRAW, ""), draw_) is MustPass
    assert refused(BLOCK, stuck(BLOCK), draw_) is MustPass
    assert refused(replace(DRAW, boneyard_reserve=3), stuck(DRAW), draw_) is MustPass


@pytest.mark.parametrize("position", [3, 4, 90])
def test_no_such_position(position: int) -> None:
    assert refused(DRAW, stuck(DRAW), Draw(position)) is NoSuchPosition
    assert refused(DRAW, stuck(DRAW), Draw(position, until_playable=True)) is NoSuchPosition


def test_any_place_may_be_drawn_over_a_reserve() -> None:
    rules = replace(DRAW, boneyard_reserve=2)
    assert drawn(draw(rules, stuck(rules), 2).events) == [("2-1", 2, 2)]


@pytest.mark.parametrize("move", [Play(Tile(6, 6)), Draw(), Pass()])
@pytest.mark.parametrize("seat", [None, 0, 1])
def test_hand_over(seat: int | None, move: Move) -> None:
    match = table(BLOCK, block(BLOCK, "5-4", "5-3 5-1").hand)
    assert legal_moves(match, seat) == (NextHand(),)
    with pytest.raises(HandOver):
        decide(match, seat, move, AT)


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_hand_not_over(seat: int | None) -> None:
    with pytest.raises(HandNotOver):
        decide(table(BLOCK, TWO_WAYS), seat, NextHand(), AT)


def test_the_host_has_no_turn() -> None:
    with pytest.raises(NotYourTurn):
        decide(table(BLOCK, TWO_WAYS), None, Pass(), AT)
    assert legal_moves(table(BLOCK, TWO_WAYS), None) == ()


@pytest.mark.parametrize("move", [Play(Tile(6, 6)), Draw(), Pass(), NextHand()])
def test_match_finished_comes_first(move: Move) -> None:
    rules = replace(BLOCK, target=0)
    match = decide(table(rules, before_block(rules, "5-4", "5-3 5-1")), 0, Play(Tile(2, 0), "left"), AT).match
    for seat in (None, 0, 1):
        assert legal_moves(match, seat) == ()
        with pytest.raises(MatchFinished):
            decide(match, seat, move, AT)
    with pytest.raises(MatchFinished):
        change_level(match, 0, "hard", AT)


def test_a_person_has_no_level() -> None:
    with pytest.raises(NotACpuSeat):
        change_level(table(BLOCK, TWO_WAYS), 0, "hard", AT)


def test_a_pass_by_the_service() -> None:
    (event,) = pass_for(table(BLOCK, stuck(BLOCK)), 0, AT).events
    assert isinstance(event, TurnPassed)
    assert (event.seat, event.automatic) == (0, True)
    with pytest.raises(MustDraw):
        pass_for(table(DRAW, stuck(DRAW)), 0, AT)


@pytest.mark.parametrize(
    ("changes", "parameter"),
    [
        ({"partners": "pairs"}, "partners"),
        ({"removed_tiles": (Tile(1, 0), Tile(1, 0))}, "removed_tiles"),
        ({"removed_tiles": (Tile(7, 7),)}, "removed_tiles"),
        ({"hand_size": 15}, "hand_size"),
        ({"redeal_doubles": 3}, "redeal_doubles"),
        ({"hand_size": 14, "redeal_doubles": 4}, "redeal_doubles"),
        ({"scoring": "penalty", "scored_multiples": (5,)}, "scored_multiples"),
        ({"block_pips": "own_each"}, "block_pips"),
    ],
)
def test_invalid_rules(changes: dict[str, Any], parameter: str) -> None:
    with pytest.raises(InvalidRules) as caught:
        check(replace(Rules(), **changes), 2)
    assert caught.value.parameter == parameter


@pytest.mark.parametrize(
    "changes",
    [
        {"hand_size": 14},
        {"redeal_doubles": 4},
        {"highest_double": 9, "removed_tiles": (Tile(7, 7),)},
        {"highest_double": 12, "hand_size": 45},
        {"scoring": "penalty", "block_pips": "own_each"},
    ],
)
def test_valid_rules(changes: dict[str, Any]) -> None:
    check(replace(Rules(), **changes), 2)


def test_a_fixed_deal_is_what_the_table_holds() -> None:
    deal = fixed(DRAW, "5-5", "6-6", boneyard="1-1 2-2")
    hand = begin(DRAW, "5-5", "6-6", boneyard="1-1 2-2").match.hand
    assert hand is not None
    assert hand.tiles == (deal.hands[0], tuple(tile for tile in deal.hands[1] if tile is not Tile(6, 6)))
    assert hand.boneyard[:2] == tiles("1-1 2-2")
