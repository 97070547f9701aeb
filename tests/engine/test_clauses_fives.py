"""The clauses of all fives, B1 to B23, and the worked examples 13 to 23."""

from dataclasses import replace

import pytest

from engine.errors import EndNotOpen, MustOpen, MustPass, MustPlay
from engine.events import MatchEnded
from engine.hand import Hand, legal_turns
from engine.layout import End
from engine.lead import Opener, find_opener
from engine.match import create, decide, legal_moves
from engine.moves import Draw, NextHand, Pass, Play
from engine.rules import Rounding, Rules
from engine.scoring import for_count, rounded
from engine.tiles import Tile
from engine.turns import Record
from tests.engine.games import AT, setup
from tests.engine.situations import (
    FIVES,
    amounts,
    asked,
    begin,
    block,
    counts,
    draw,
    ended,
    kinds,
    lay,
    pass_turn,
    play,
    points,
    situation,
    table,
    tiles,
)

DOUBLES = "0-0 1-1 2-2 3-3 4-4 5-5 6-6"
AT_ONCE = replace(FIVES, spinner_arms="at_once")
ENDS_5_1 = "5-0 right:1-0"
ENDS_5_2 = "5-1 right:2-1"


def next_opener(rules: Rules, record: Record, *hands: str) -> Opener:
    return find_opener(rules, tuple(tiles(hand) for hand in hands), record.hand.ending(rules), 1)


def on_140(line: str, tile: str, other: str) -> Hand:
    return situation(FIVES, line, (tile, other), "6-2", scores=(140, 0))


def test_example_13_fives() -> None:
    assert counts(FIVES, "5-5 left:5-0") == [(10, 10), (10, 10)]


def test_example_14_sixes() -> None:
    assert counts(FIVES, "6-6 left:6-3") == [(12, 0), (15, 15)]


def test_example_15_four_arms() -> None:
    line = "6-6 left:6-3 right:6-4 up:6-2 down:6-1"
    assert counts(FIVES, line) == [(12, 0), (15, 15), (7, 0), (9, 0), (10, 10)]


def test_example_15_third_arm_refused() -> None:
    hand = situation(FIVES, "6-6 left:6-3", ("6-4 6-2", "6-1 1-1"))
    with pytest.raises(EndNotOpen):
        play(FIVES, hand, "6-2", "up")


@pytest.mark.parametrize(("last", "score"), [("5-5", (10, 10)), ("5-1", (1, 0))])
def test_example_17_on_the_five(last: str, score: tuple[int, int]) -> None:
    assert counts(FIVES, f"2-2 left:5-2 right:2-0 left:{last}")[2:] == [(5, 5), score]


def test_example_17_on_the_blank() -> None:
    line = "2-2 left:5-2 right:2-0 left:5-1 right:0-0"
    assert counts(FIVES, line)[2:] == [(5, 5), (1, 0), (1, 0)]


def test_example_19_rounding() -> None:
    table_of_b = [0, 0, 0, 5, 5, 5, 5, 5, 10, 10, 10, 10, 10, 15, 15, 15, 15, 15, 20]
    assert [rounded(pips, "nearest", 5) for pips in range(19)] == table_of_b


def test_example_19_leftover_is_rounded() -> None:
    record = play(FIVES, situation(FIVES, "4-3 right:3-2", ("4-1", "6-5 2-0"), "6-2"), "4-1")
    assert points(record.events) == [(0, 15, "domino")]


def test_example_20_block() -> None:
    record = block(FIVES, "5-4", "5-3 5-1")
    assert points(record.events) == [(0, 15, "blocked")]


def test_example_20_equal() -> None:
    record = block(FIVES, "6-5", "5-1 4-1")
    assert points(record.events) == []
    assert (ended(record).reason, ended(record).winner) == ("blocked", None)


def test_example_21_reached_in_play() -> None:
    done = decide(table(FIVES, on_140(ENDS_5_1, "5-1 4-4", "6-6")), 0, Play(Tile(5, 1), "right"), AT)
    assert kinds(done.events) == ["tile_played", "points_scored", "hand_ended", "match_ended"]
    assert done.match.scores == (150, 0)
    assert done.match.hand is not None
    assert done.match.hand.result is not None
    assert (done.match.hand.result.reason, done.match.hand.result.winner) == ("target", 0)
    assert done.events[0].turn is None


def test_example_21_no_bonus_for_the_hand() -> None:
    done = decide(table(FIVES, on_140(ENDS_5_1, "5-1", "6-6")), 0, Play(Tile(5, 1), "right"), AT)
    assert points(done.events) == [(0, 10, "play")]
    assert done.match.past_hands[-1].reason == "target"
    assert amounts(done.match.past_hands[-1].end_points) == (0, 0)


def test_example_21_last_tile_then_leftover() -> None:
    done = decide(table(FIVES, on_140(ENDS_5_2, "2-0", "4-3")), 0, Play(Tile(2, 0)), AT)
    assert points(done.events) == [(0, 5, "play"), (0, 5, "domino")]
    assert [event.result.winner for event in done.events if isinstance(event, MatchEnded)] == [0]
    summary = done.match.past_hands[-1]
    assert (amounts(summary.play_points), amounts(summary.end_points)) == ((5, 0), (5, 0))
    assert amounts(summary.scores) == (150, 0)


def test_example_22_no_doubles() -> None:
    match = begin(FIVES, "6-4", "6-5", boneyard=DOUBLES).match
    assert (match.turn, legal_moves(match, 1)) == (1, (Play(Tile(6, 5)),))
    done = decide(match, 1, Play(Tile(6, 5)), AT)
    assert done.match.hand is not None
    assert done.match.hand.layout.count == 11
    assert points(done.events) == []


def test_example_23_double_blank_scores_nothing() -> None:
    assert counts(FIVES, "0-0") == [(0, 0)]


def test_b1_largest_double_is_forced() -> None:
    match = begin(FIVES, "5-5", "6-6 6-5").match
    assert match.turn == 1
    with pytest.raises(MustOpen):
        decide(match, 1, Play(Tile(6, 5)), AT)
    assert decide(match, 1, Play(Tile(6, 6)), AT).match.turn == 0


def test_b1_free_opening() -> None:
    match = begin(replace(FIVES, opening="free"), "5-5", "6-6").match
    assert match.turn == 1
    assert len(legal_moves(match, 1)) == 7


def test_b2_heaviest_tile_is_forced() -> None:
    match = begin(FIVES, "6-4", "6-5", boneyard=DOUBLES).match
    with pytest.raises(MustOpen):
        decide(match, 1, Play(Tile(1, 0)), AT)


def test_b2_equal_weights_by_the_larger_end() -> None:
    assert find_opener(FIVES, (tiles("5-4"), tiles("6-3")), None, 0) == Opener(1, Tile(6, 3), "forced")


def test_b2_free_opening_without_double() -> None:
    rules = replace(FIVES, opening_without_double="free")
    match = begin(rules, "6-4", "6-5", boneyard=DOUBLES).match
    assert (match.turn, len(legal_moves(match, 1))) == (1, 7)
    assert legal_moves(begin(rules, "5-5", "6-6").match, 1) == (Play(Tile(6, 6)),)


def test_b2_no_spinner_until_a_double() -> None:
    assert lay(FIVES, "6-5").spinner is None
    assert lay(FIVES, "6-5 left:6-6").spinner is Tile(6, 6)


def test_b3_who_went_out_leads_any_tile() -> None:
    done = decide(table(FIVES, situation(FIVES, "4-3 right:3-2", ("4-1", "6-5"))), 0, Play(Tile(4, 1)), AT)
    match = decide(done.match, None, NextHand(), AT).match
    assert (match.turn, len(legal_moves(match, 0))) == (0, 7)


@pytest.mark.parametrize("hands", [("5-4", "5-3 5-1"), ("6-5", "5-1 4-1")])
def test_b3_largest_double_after_a_block(hands: tuple[str, str]) -> None:
    assert next_opener(FIVES, block(FIVES, *hands), "5-5", "6-6") == Opener(1, Tile(6, 6), "forced")


def test_b3_winner_even_if_blocked() -> None:
    rules = replace(FIVES, lead_after_block="winner")
    assert next_opener(rules, block(rules, "5-4", "5-3 5-1"), "5-5", "6-6") == Opener(0)


def test_b3_alternate() -> None:
    rules = replace(FIVES, lead_after_domino="next_seat")
    record = play(rules, situation(rules, "4-3 right:3-2", ("4-1", "6-5"), leader=0), "4-1")
    assert next_opener(rules, record, "6-6", "5-5") == Opener(1)


def test_b3_by_lot_after_a_block() -> None:
    rules = replace(FIVES, opener="lot")
    assert next_opener(rules, block(rules, "5-4", "5-3 5-1"), "6-6", "5-5") == Opener(1)


@pytest.mark.parametrize("number", range(8))
def test_opener_by_lot_plays_any_tile(number: int) -> None:
    match = create(setup("all-fives", number, opener="lot"), AT).match
    assert len(legal_moves(match, match.turn)) == 7


def test_b4_a_spinner_alone_counts_both_halves() -> None:
    assert [counts(FIVES, f"{n}-{n}")[0][0] for n in range(7)] == [0, 2, 4, 6, 8, 10, 12]


def test_opening_single_counts_both_halves() -> None:
    scoring = {str(tile) for tile in FIVES.live_tiles() if counts(FIVES, str(tile))[0][1]}
    assert scoring == {"5-5", "6-4", "5-0", "4-1", "3-2"}


@pytest.mark.parametrize("end", ["left", "right"])
def test_b5_a_spinner_counts_whole_until_both_sides_are_covered(end: End) -> None:
    assert counts(FIVES, f"6-6 {end}:6-3")[1] == (15, 15)
    assert counts(AT_ONCE, f"6-6 {end}:6-3")[1] == (15, 15)


def test_b6_a_covered_spinner_counts_nothing() -> None:
    layout = lay(FIVES, "6-6 left:6-3 right:6-4 up:6-2")
    assert [(end.end, end.count) for end in layout.ends] == [("left", 3), ("right", 4), ("up", 2), ("down", 0)]
    assert layout.count == 9


def test_b6_the_most_that_a_play_scores() -> None:
    line = "3-3 left:6-3 right:5-3 up:4-3 down:3-2 left:6-6 right:5-5 up:4-4 down:5-2"
    assert counts(FIVES, line)[-1] == (35, 35)


def test_b7_arms_open_after_both_sides() -> None:
    assert asked(lay(FIVES, "6-6")) == {"left": 6, "right": 6}
    assert asked(lay(FIVES, "6-6 left:6-3")) == {"left": 3, "right": 6}
    assert asked(lay(FIVES, "6-6 left:6-3 left:3-2")) == {"left": 2, "right": 6}
    assert asked(lay(FIVES, "6-6 left:6-3 right:6-4")) == {"left": 3, "right": 4, "up": 6, "down": 6}


def test_b7_arms_at_once() -> None:
    assert asked(lay(AT_ONCE, "6-6")) == {"left": 6, "right": 6, "up": 6, "down": 6}
    assert counts(AT_ONCE, "6-6 up:6-3 down:6-5") == [(12, 0), (15, 15), (20, 20)]


def test_b8_an_empty_arm_is_playable() -> None:
    hand = situation(FIVES, "6-6 left:6-3 right:6-4", ("6-5 5-5", "2-2 1-1"))
    assert legal_turns(FIVES, hand, 0) == (Play(Tile(6, 5), "up"), Play(Tile(6, 5), "down"))
    with pytest.raises(MustPlay):
        pass_turn(FIVES, hand)


def test_b8_not_blocked_while_an_empty_arm_can_be_played() -> None:
    hand = situation(FIVES, "6-6 left:6-3", ("6-4 5-5", "6-5 1-1"))
    assert kinds(play(FIVES, hand, "6-4", "right").events) == ["tile_played"]


def test_b9_a_later_spinner_has_its_inner_side_covered() -> None:
    assert asked(lay(FIVES, "6-4 right:4-4")) == {"left": 6, "right": 4}
    assert counts(FIVES, "6-4 right:4-4 right:4-1") == [(10, 10), (14, 0), (7, 0)]
    assert asked(lay(FIVES, "6-4 right:4-4 right:4-1")) == {"left": 6, "right": 1, "up": 4, "down": 4}


def test_b9_on_the_left() -> None:
    assert asked(lay(FIVES, "6-4 left:6-6 left:6-2")) == {"left": 2, "right": 4, "up": 6, "down": 6}


def test_b9_at_once() -> None:
    assert asked(lay(AT_ONCE, "6-4 right:4-4")) == {"left": 6, "right": 4, "up": 4, "down": 4}
    assert lay(AT_ONCE, "6-4 right:4-4").count == 14


def test_b9_only_an_opening_double() -> None:
    rules = replace(FIVES, spinner="opening_double")
    assert lay(rules, "6-4 right:4-4 right:4-1").spinner is None
    assert lay(rules, "4-4").spinner is Tile(4, 4)


def test_b9_no_spinner() -> None:
    rules = replace(FIVES, spinner="none")
    assert asked(lay(rules, "6-6 left:6-3 right:6-4")) == {"left": 3, "right": 4}
    assert counts(rules, "6-6 left:6-3") == [(12, 0), (15, 15)]


def test_b10_other_doubles_have_two_sides() -> None:
    layout = lay(FIVES, "6-6 left:6-5 left:5-5")
    assert (layout.spinner, layout.count) == (Tile(6, 6), 22)
    assert asked(lay(FIVES, "6-6 left:6-5 left:5-5 left:5-4")) == {"left": 4, "right": 6}
    assert lay(FIVES, "6-6 left:6-5 left:5-5 left:5-4").count == 16


def test_b10_a_double_at_the_end_of_an_arm() -> None:
    assert lay(FIVES, "6-6 left:6-3 right:6-4 up:6-5 up:5-5").count == 17


def test_b11_nothing_for_a_count_of_zero() -> None:
    record = play(FIVES, situation(FIVES, "1-0 left:2-1", ("2-0 6-6", "5-0 4-4")), "2-0", "left")
    assert record.hand.layout.count == 0
    assert points(record.events) == []


def test_points_in_play_by_quotient() -> None:
    rules = replace(FIVES, scored_multiples=(3, 5), play_points="quotient")
    expected = {3: 1, 5: 1, 6: 2, 9: 3, 10: 2, 12: 4, 15: 8, 18: 6, 20: 4, 7: 0, 0: 0}
    assert {count: for_count(rules, count) for count in expected} == expected
    assert counts(rules, "6-6 left:6-3") == [(12, 4), (15, 8)]


def test_points_in_play_for_each_multiple() -> None:
    assert counts(replace(FIVES, scored_multiples=(3, 5)), "6-6 left:6-3") == [(12, 12), (15, 30)]


def test_no_points_in_play() -> None:
    assert counts(replace(FIVES, scored_multiples=()), "6-6 left:6-3") == [(12, 0), (15, 0)]


def test_b12_drawn_to_the_last_tile() -> None:
    hand = situation(FIVES, "6-4", ("5-5", "6-2 2-1"), "5-1 5-2")
    record = draw(FIVES, draw(FIVES, hand).hand)
    assert record.hand.boneyard == ()
    assert pass_turn(FIVES, record.hand).hand.turn == 1


@pytest.mark.parametrize("reserve", [1, 2])
def test_b12_boneyard_reserve(reserve: int) -> None:
    rules = replace(FIVES, boneyard_reserve=reserve)
    hand = situation(rules, "6-4", ("5-5", "6-2 2-1"), "5-1 5-2 5-3")
    record = draw(rules, hand, until_playable=True)
    assert len(record.hand.boneyard) == reserve
    with pytest.raises(MustPass):
        draw(rules, record.hand)
    assert legal_turns(rules, record.hand, 0) == (Pass(),)


def test_b12_blocked_over_a_reserve() -> None:
    rules = replace(FIVES, boneyard_reserve=2)
    hand = situation(rules, "1-0 left:2-1", ("2-0 5-4", "5-3 5-1"), "6-0 3-0")
    record = play(rules, hand, "2-0", "left")
    assert ended(record).reason == "blocked"
    assert ended(record).boneyard == tiles("6-0 3-0")


def test_b13_no_draw_with_a_tile_that_fits() -> None:
    with pytest.raises(MustPlay):
        draw(FIVES, situation(FIVES, "6-4", ("6-5", "2-2"), "5-1"))


def test_b14_scores_are_given_unasked() -> None:
    record = play(FIVES, situation(FIVES, "6-6", ("6-3 1-1", "6-2 2-1"), "5-1"), "6-3", "left")
    assert points(record.events) == [(0, 15, "play")]
    assert record.events[1].seat == 0
    assert record.hand.tally.play_points == (15, 0)


@pytest.mark.parametrize(("choice", "worth"), [("none", 14), ("nearest", 15), ("down", 10), ("up", 15)])
def test_b15_block_rounding(choice: Rounding, worth: int) -> None:
    rules = replace(FIVES, block_rounding=choice)
    assert points(block(rules, "5-4", "5-3 5-1").events) == [(0, worth, "blocked")]


@pytest.mark.parametrize(("choice", "worth"), [("none", 13), ("nearest", 15), ("down", 10), ("up", 15)])
def test_rounding(choice: Rounding, worth: int) -> None:
    rules = replace(FIVES, rounding=choice, block_rounding="none")
    record = play(rules, situation(rules, "4-3 right:3-2", ("4-1", "6-5 2-0"), "6-2"), "4-1")
    assert points(record.events) == [(0, worth, "domino")]


@pytest.mark.parametrize(
    ("choice", "unit", "worth"),
    [
        ("nearest", 10, [0, 0, 10, 10, 20]),
        ("down", 10, [0, 0, 0, 10, 10]),
        ("up", 10, [0, 10, 10, 20, 20]),
        ("none", 10, [0, 4, 5, 14, 15]),
        ("nearest", 3, [0, 3, 6, 15, 15]),
        ("nearest", 1, [0, 4, 5, 14, 15]),
    ],
)
def test_rounding_unit(choice: Rounding, unit: int, worth: list[int]) -> None:
    assert [rounded(pips, choice, unit) for pips in (0, 4, 5, 14, 15)] == worth


def test_rounded_to_nothing_is_no_score() -> None:
    record = play(FIVES, situation(FIVES, "4-3 right:3-2", ("4-1", "2-0"), "6-2"), "4-1")
    assert points(record.events) == []
    assert (ended(record).reason, ended(record).winner) == ("domino", 0)


def test_b17_not_blocked_with_tiles_to_draw() -> None:
    hand = situation(FIVES, "1-0 left:2-1", ("2-0 5-4", "5-3 5-1"), "6-5")
    record = play(FIVES, hand, "2-0", "left")
    assert kinds(record.events) == ["tile_played"]
    assert legal_turns(FIVES, record.hand, 1) == (Draw(),)


def test_b17_blocked_by_the_last_draw() -> None:
    hand = situation(FIVES, "1-0 left:2-1", ("2-0 5-4", "5-3 5-1"), "6-5")
    record = draw(FIVES, play(FIVES, hand, "2-0", "left").hand)
    assert kinds(record.events) == ["tile_drawn", "turn_passed", "turn_passed", "points_scored", "hand_ended"]
    assert [event.seat for event in record.events[1:3]] == [1, 0]
    assert points(record.events) == [(0, 25, "blocked")]
    ending = record.hand.ending(FIVES)
    assert ending is not None
    assert ending.last_player == 0


def test_b18_the_target_waits_for_the_end_of_the_hand() -> None:
    rules = replace(FIVES, target_check="hand_end")
    hand = situation(rules, ENDS_5_1, ("5-1 4-4", "6-6"), "6-2", scores=(140, 0))
    done = decide(table(rules, hand), 0, Play(Tile(5, 1), "right"), AT)
    assert kinds(done.events) == ["tile_played", "points_scored"]
    assert (done.match.scores, done.match.status) == ((150, 0), "playing")


def test_b18_the_hand_counts_too_at_its_end() -> None:
    rules = replace(FIVES, target_check="hand_end")
    hand = situation(rules, ENDS_5_1, ("5-1", "6-6"), "6-2", scores=(140, 0))
    done = decide(table(rules, hand), 0, Play(Tile(5, 1), "right"), AT)
    assert points(done.events) == [(0, 10, "play"), (0, 10, "domino")]
    assert (done.match.scores, done.match.status) == ((160, 0), "finished")


def test_b18_below_the_target_the_hand_goes_on() -> None:
    hand = situation(FIVES, ENDS_5_1, ("5-1 4-4", "6-6"), "6-2", scores=(135, 0))
    assert kinds(play(FIVES, hand, "5-1", "right").events) == ["tile_played", "points_scored"]


def test_b19_more_than_the_target_wins() -> None:
    hand = situation(FIVES, ENDS_5_1, ("5-1 4-4", "6-6"), "6-2", scores=(145, 0))
    done = decide(table(FIVES, hand), 0, Play(Tile(5, 1), "right"), AT)
    assert (done.match.scores, done.match.status) == ((155, 0), "finished")


def test_b23_a_pass_costs_nothing() -> None:
    hand = situation(FIVES, "6-4", ("5-5", "6-2 2-1"), scores=(35, 40))
    record = pass_turn(FIVES, hand)
    assert kinds(record.events) == ["turn_passed"]
    assert record.hand.tally.scores == (35, 40)


def test_nine_tiles_each() -> None:
    match = create(setup("all-fives", 1, hand_size=9), AT).match
    assert match.hand is not None
    assert ([len(hand) for hand in match.hand.tiles], len(match.hand.boneyard)) == ([9, 9], 10)


def test_an_automatic_opening_scores() -> None:
    done = begin(replace(FIVES, opening="automatic"), "4-4", "5-5", boneyard="6-6")
    assert points(done.events) == [(1, 10, "play")]
    assert done.match.turn == 0


def test_an_automatic_opening_that_reaches_the_target() -> None:
    done = begin(replace(FIVES, opening="automatic", target=10), "4-4", "5-5", boneyard="6-6")
    assert kinds(done.events)[-2:] == ["hand_ended", "match_ended"]
    assert (done.match.scores, done.match.status) == ((0, 10), "finished")
