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
from engine.faults import check
from engine.hand import Hand
from engine.layout import End
from engine.match import change_level, decide, legal_moves, pass_for
from engine.moves import Draw, Move, NextHand, Pass, Play
from engine.rules import Rules
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


D, S = Tile(6, 6), Tile(6, 5)
PENALTY: dict[str, Any] = {"scoring": "penalty"}
SINGLES = tuple(tile for tile in Rules().live_tiles() if not tile.is_double)
DOUBLES = tuple(tile for tile in Rules().live_tiles() if tile.is_double)

TWELVE = {"highest_double": 12}
ONE_TILE: dict[str, Any] = {"last_tile": "legal_both", "bonus_tiles": (S,)}
FAULTS: list[tuple[int, dict[str, Any], dict[str, Any], str, str]] = [
    # seats, what is at fault, what is next to it and no fault, the parameter that is named, the sentence
    (2, {"removed_tiles": (Tile(7, 7),)}, {"removed_tiles": (Tile(6, 6),)}, "removed_tiles",
     "A double-6 set has no such tile: name tiles of the set."),
    (2, {"removed_tiles": (Tile(7, 7),)}, {"highest_double": 9, "removed_tiles": (Tile(7, 7),)}, "removed_tiles",
     "A double-6 set has no such tile: name tiles of the set."),
    *[(2, {name: (S, S)}, {name: (S, D)}, name, "Name each tile once.")
      for name in ("removed_tiles", "opening_tiles", "wild_tiles", "bonus_tiles")],
    *[(2, {name: (Tile(7, 0),)}, {name: (Tile(7, 0),), "highest_double": 9}, name,
       "Name tiles of the set that are not removed: no other can be played.")
      for name in ("opening_tiles", "wild_tiles", "bonus_tiles")],
    *[(2, {name: (S,), "removed_tiles": (S,)}, {name: (S,), "removed_tiles": (D,)}, name,
       "Name tiles of the set that are not removed: no other can be played.")
      for name in ("opening_tiles", "wild_tiles", "bonus_tiles")],
    (2, {"partners": "pairs"}, {"partners": "none"}, "partners", "Pairs need four seats."),
    (4, {"hand_size": 8}, {"partners": "pairs"}, "hand_size", "28 tiles give 4 seats 7 each at most."),
    (2, {"hand_size": 15}, {"hand_size": 14}, "hand_size", "28 tiles give 2 seats 14 each at most."),
    (9, {"hand_size": 4}, {"hand_size": 3}, "hand_size", "28 tiles give 9 seats 3 each at most."),
    (2, {"redeal_doubles": 3}, {"redeal_doubles": 4}, "redeal_doubles",
     "Too many deals would be thrown in: choose 0 or at least 4."),
    (2, {"redeal_doubles": 4, "hand_size": 14}, {"redeal_doubles": 5, "hand_size": 14}, "redeal_doubles",
     "Too many deals would be thrown in: choose 0 or at least 5."),
    (4, {"redeal_doubles": 4, "hand_size": 18, **TWELVE}, {"redeal_doubles": 5, "hand_size": 18, **TWELVE},
     "redeal_doubles", "Too many deals would be thrown in: choose 0 or at least 5."),
    (2, {"redeal_suit": 4}, {"redeal_suit": 5}, "redeal_suit",
     "Too many deals would be thrown in: choose 0 or at least 5."),
    (2, {"removed_tiles": SINGLES + DOUBLES[1:], "hand_size": 1}, {"removed_tiles": SINGLES, "hand_size": 1},
     "removed_tiles", "Too few tiles are left: keep at least one for each seat."),
    (2, {"line_ends": 1, "last_tile": "legal_both"}, {"line_ends": 1}, "last_tile",
     "No tile fits two ends of a line that has one: give it 2 ends, or leave this out."),
    (2, {"line_ends": 1, "skip_equal_ends": True}, {"skip_equal_ends": True}, "skip_equal_ends",
     "A line with one end has no equal ends: give it 2 ends, or leave this out."),
    *[(2, {"play_out": True, **ONE_TILE, name: 2}, {**ONE_TILE, name: 2}, name,
       'A hand that is played out is not won by going out: leave this out, or "play_out".')
      for name in ("domino_points", "last_tile_factor", "last_tile_bonus", "last_double_bonus", "bonus_tile_points")],
    (2, {"target": 100, "end_ceiling": 99}, {"target": 100, "end_ceiling": 99, "scored_multiples": (5,)}, "end_ceiling",
     "No score could reach the target: choose at least the target, or points in play."),
    (2, {"lead_tile": "double", "removed_tiles": DOUBLES[1:], "hand_size": 5},
     {"lead_tile": "double", "removed_tiles": DOUBLES[1:], "hand_size": 6}, "lead_tile",
     "Too many deals would give nobody a double to lead: keep more doubles in the set."),
    (2, {"lead_tile": "double", "opening_tiles": (S,)}, {"lead_tile": "double", "opening_tiles": (D,)},
     "opening_tiles", 'Only a double may be led by "lead_tile": name doubles.'),
    (2, {"line_ends": 1, "spinner": "first_double"}, {"line_ends": 1, "spinner_arms": "cross_first"}, "line_ends",
     'A spinner is built on from both sides: give the line 2 ends, or choose "spinner": "none".'),
    *[(2, {"play_out": True, "drawing": drawing}, {"play_out": True}, "play_out",
       'A seat that is out would have to draw: choose "drawing": "never".') for drawing in ("once", "until_playable")],
    (2, {"scored_multiples": (5, 3, 5)}, {"scored_multiples": (5, 3)}, "scored_multiples",
     "A multiple scores once: name each number once."),
    *[(2, {**PENALTY, name: worth}, {name: worth}, name, 'Points in play need "scoring": "points".')
      for name, worth in (
          ("scored_multiples", (5,)), ("equal_ends_points", (2,)), ("pass_points", 1), ("first_pass_points", 1),
          ("opening_pass_points", 1), ("round_pass_points", 1))],
    (2, {"block_pips": "own_each"}, {**PENALTY, "block_pips": "own_each"}, "block_pips",
     'Charging each team its own pips needs "scoring": "penalty".'),
    *[(2, {**PENALTY, "block_points": 1, "block_pips": pips}, {**PENALTY, "block_points": 1}, "block_points",
       'A blocked hand is worth points to its winner: choose other "block_pips", or 0 here.')
      for pips in ("own_each", "none")],
    (2, {"bonus_tile_points": 1}, {"bonus_tile_points": 1, "bonus_tiles": (S,)}, "bonus_tile_points",
     'Name the tiles that are worth these points in "bonus_tiles".'),
    *[(2, {name: 2}, {name: 2, "last_tile": "legal_both"}, "last_tile",
       "Say which last tile is special, or give it the factor 1 and the bonus 0.")
      for name in ("last_tile_factor", "last_tile_bonus")],
    *[(2, {**PENALTY, "target_rule": rule}, {"target_rule": rule}, "target_rule",
       'A charge cannot be turned down or taken back: choose "at_least" or "scoring": "points".')
      for rule in ("exact", "short", "in_a_row", "shutout")],
    *[(2, {"target_check": "at_once", "target_rule": rule}, {"target_check": "hand_end", "target_rule": rule},
       "target_check", 'By this "target_rule" a hand decides when it is over: choose "hand_end".')
      for rule in ("in_a_row", "shutout")],
    (2, {"target": 20, "first_entry": 21}, {"target": 21, "first_entry": 21}, "first_entry",
     "Only a score past the target could be the first: choose at most the target."),
]  # fmt: skip


@pytest.mark.parametrize(("seats", "wrong", "right", "parameter", "sentence"), FAULTS)
def test_invalid_rules_and_what_is_next_to_them(
    seats: int, wrong: dict[str, Any], right: dict[str, Any], parameter: str, sentence: str
) -> None:
    with pytest.raises(InvalidRules) as caught:
        check(replace(Rules(), **wrong), seats)
    assert (caught.value.parameter, str(caught.value)) == (parameter, sentence)
    check(replace(Rules(), **right), seats)


@pytest.mark.parametrize(
    ("seats", "changes"),
    [
        (2, {}),
        (2, {"redeal_doubles": 13, "redeal_suit": 13}),
        (2, {"highest_double": 12, "hand_size": 45}),
        (9, {"highest_double": 12, "hand_size": 10}),
        (4, {"partners": "pairs", "lead_tile": "double"}),
        (2, {"removed_tiles": SINGLES, "hand_size": 3}),
        (2, {"boneyard_reserve": 90, "drawing": "until_playable"}),
        (2, {"target_rule": "exact", "first_entry": 50}),
        (2, {**PENALTY, "play_out": True, "block_pips": "own_each", "first_entry": 50, "most_hands": 1}),
        (2, {"matching": "sum", "double_first": True, "wild_tiles": (D, S)}),
    ],
)
def test_valid_rules(seats: int, changes: dict[str, Any]) -> None:
    check(replace(Rules(), **changes), seats)


def test_a_fixed_deal_is_what_the_table_holds() -> None:
    deal = fixed(DRAW, "5-5", "6-6", boneyard="1-1 2-2")
    hand = begin(DRAW, "5-5", "6-6", boneyard="1-1 2-2").match.hand
    assert hand is not None
    assert hand.tiles == (deal.hands[0], tuple(tile for tile in deal.hands[1] if tile is not Tile(6, 6)))
    assert hand.boneyard[:2] == tiles("1-1 2-2")
