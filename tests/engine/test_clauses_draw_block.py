"""The clauses of draw and block, C1 to C14, the worked examples 24 to 31, and every refusal in its order."""

from dataclasses import replace
from itertools import pairwise

import pytest

from engine.errors import (
    EndRequired,
    MustPass,
    MustPlay,
)
from engine.events import MatchEnded, TilePlayed, TurnPassed
from engine.hand import legal_turns
from engine.layout import End, describe
from engine.lead import Opener, find_opener
from engine.match import change_level, create, decide, legal_moves
from engine.moves import Draw, NextHand, Pass, Play
from engine.players import Cpu, Human
from engine.rules import BlockPips, Opening, Rules
from engine.tiles import Tile
from tests.engine.games import AT, setup
from tests.engine.situations import (
    BLOCK,
    DRAW,
    ENDS_6_1,
    FIVES,
    PARTNER,
    SEQ,
    STUCK,
    before_block,
    begin,
    block,
    draw,
    drawn,
    ended,
    kinds,
    lay,
    pass_turn,
    play,
    points,
    situation,
    stuck,
    table,
    tiles,
)

ONCE = replace(DRAW, drawing="once")
DOUBLES = "0-0 1-1 2-2 3-3 4-4 5-5 6-6"


def opened(rules: Rules, *hands: str, boneyard: str = "") -> tuple[int | None, Tile, bool, int | None]:
    """Who opened with what, whether the service played it, and whose turn it is then."""
    (event,) = [event for event in begin(rules, *hands, boneyard=boneyard).events if isinstance(event, TilePlayed)]
    return event.seat, event.tile, event.automatic, event.turn


@pytest.mark.parametrize("rules", [DRAW, BLOCK])
def test_example_24_highest_double_is_placed(rules: Rules) -> None:
    assert opened(rules, "5-5 6-5 6-4", "6-6 1-0 2-0") == (1, Tile(6, 6), True, 0)


def test_example_25_double_blank_beats_any_single() -> None:
    assert opened(DRAW, "0-0 2-1", "6-5 6-4", boneyard="1-1 2-2 3-3 4-4 5-5 6-6") == (0, Tile(0, 0), True, 1)


def test_example_26_larger_end_breaks_the_tie() -> None:
    assert opened(DRAW, "6-3 4-1", "5-4 3-2", boneyard=f"{DOUBLES} 6-5 6-4") == (0, Tile(6, 3), True, 1)


def test_example_27_leftover() -> None:
    record = play(BLOCK, situation(BLOCK, ENDS_6_1, ("6-5", "3-2 6-0")), "6-5")
    assert points(record.events) == [(0, 11, "domino")]
    assert (ended(record).reason, ended(record).winner) == ("domino", 0)


@pytest.mark.parametrize(
    ("mine", "other", "scored"), [("6-3 2-1", "6-6 5-3", [(0, 8, "blocked")]), ("6-3 2-1", "6-6", [])]
)
def test_example_28_block(mine: str, other: str, scored: list[tuple[int, int, str]]) -> None:
    record = play(BLOCK, situation(BLOCK, "4-1 right:5-1", (f"5-0 {mine}", other)), "5-0")
    assert ended(record).reason == "blocked"
    assert points(record.events) == scored


def test_example_29_draws() -> None:
    hand = stuck(DRAW)
    for count in range(3):
        assert legal_turns(DRAW, hand, 0) == (Draw(),)
        hand = draw(DRAW, hand).hand
        assert (hand.drawn, hand.turn) == (count + 1, 0)
    assert legal_turns(DRAW, hand, 0) == (Play(Tile(2, 1), "right"),)
    after = play(DRAW, hand, "2-1").hand
    assert (len(after.tiles[0]), after.boneyard, after.turn) == (5, (), 1)


@pytest.mark.parametrize(("before", "status"), [(46, "finished"), (42, "finished"), (41, "hand_over")])
def test_example_31_target(before: int, status: str) -> None:
    rules = replace(BLOCK, target=50)
    hand = situation(rules, "4-1 right:5-1", ("5-0 6-3 2-1", "6-6 5-3"), scores=(before, 49))
    done = decide(table(rules, hand), 0, Play(Tile(5, 0)), AT)
    assert (done.match.scores, done.match.status) == ((before + 8, 49), status)
    assert [e.result.winner for e in done.events if isinstance(e, MatchEnded)] == [0] * (status == "finished")


def test_example_32_in_four_points() -> None:
    rules = replace(BLOCK, scored_multiples=(3, 5), play_points="quotient", target=61)
    assert points(play(rules, situation(rules, "6-6", ("6-3 1-1", "6-2 2-1")), "6-3").events) == [(0, 8, "play")]


def test_opener_rank() -> None:
    doubles = "6-6 5-5 4-4 3-3 2-2 1-1 0-0"
    singles = "6-5 6-4 6-3 5-4 6-2 5-3 6-1 5-2 4-3 6-0 5-1 4-2 5-0 4-1 3-2 4-0 3-1 3-0 2-1 2-0 1-0"
    for higher, lower in pairwise(tiles(f"{doubles} {singles}")):
        assert find_opener(DRAW, ((lower,), (higher,)), None, 0).seat == 1
        assert find_opener(DRAW, ((higher,), (lower,)), None, 1).seat == 0


@pytest.mark.parametrize("number", [1, 2])
def test_the_same_opener_in_every_round(number: int) -> None:
    previous = None if number == 1 else block(BLOCK, "5-4", "5-3 5-1").hand.ending(BLOCK)
    dealt = (tiles("5-5"), tiles("6-6"))
    assert find_opener(BLOCK, dealt, previous, 0) == Opener(1, Tile(6, 6), "automatic")


def test_the_next_round_is_opened_by_the_service() -> None:
    match = decide(table(BLOCK, block(BLOCK, "5-4", "5-3 5-1").hand), None, NextHand(), AT)
    assert kinds(match.events) == ["hand_dealt", "tile_played"]


@pytest.mark.parametrize(("opening", "legal"), [("forced", 1), ("free", 7), ("automatic", 0)])
def test_opening(opening: Opening, legal: int) -> None:
    match = begin(replace(DRAW, opening=opening), "5-5", "6-6").match
    assert len(legal_moves(match, 1)) == legal


@pytest.mark.parametrize(("opening", "legal"), [("forced", 1), ("free", 7), ("automatic", 0)])
def test_opening_without_double(opening: Opening, legal: int) -> None:
    match = begin(replace(DRAW, opening_without_double=opening), "6-4", "6-5", boneyard=DOUBLES).match
    assert len(legal_moves(match, 1)) == legal
    assert begin(replace(DRAW, opening_without_double=opening), "5-5", "6-6").match.turn == 0


def test_an_automatic_opening_can_be_the_whole_hand() -> None:
    done = begin(replace(BLOCK, hand_size=1), "6-6", "6-5")
    assert kinds(done.events) == ["match_created", "hand_dealt", "tile_played", "points_scored", "hand_ended"]
    assert (done.match.scores, done.match.status) == ((11, 0), "hand_over")


def test_an_automatic_opening_can_block() -> None:
    done = begin(replace(BLOCK, hand_size=2), "6-6 5-4", "3-2 1-0")
    assert kinds(done.events)[2:] == ["tile_played", "turn_passed", "turn_passed", "points_scored", "hand_ended"]
    assert points(done.events) == [(1, 3, "blocked")]


@pytest.mark.parametrize(("line", "end"), [("6-6", "left"), ("6-4 right:4-3 right:6-3", "left")])
def test_c1_equal_ends_go_left(line: str, end: End) -> None:
    event = play(BLOCK, situation(BLOCK, line, ("6-5 1-1", "6-2 2-2")), "6-5").events[0]
    assert isinstance(event, TilePlayed)
    assert (event.end, event.inner, event.outer, event.automatic) == (end, 6, 5, False)


def test_c1_a_side_may_be_named() -> None:
    event = play(BLOCK, situation(BLOCK, "6-6", ("6-5 1-1", "6-2 2-2")), "6-5", "right").events[0]
    assert isinstance(event, TilePlayed)
    assert event.end == "right"


def test_c1_equal_arms_take_the_first() -> None:
    hand = situation(FIVES, "6-6 left:6-3 right:6-4", ("6-5 1-1", "6-2 2-2"))
    event = play(FIVES, hand, "6-5").events[0]
    assert isinstance(event, TilePlayed)
    assert event.end == "up"


def test_c1_the_only_end_need_not_be_named() -> None:
    event = play(BLOCK, situation(BLOCK, ENDS_6_1, ("5-1 2-2", "6-2")), "5-1").events[0]
    assert isinstance(event, TilePlayed)
    assert (event.end, event.inner, event.outer) == ("right", 1, 5)


@pytest.mark.parametrize("rules", [DRAW, ONCE])
def test_c2_a_drawn_tile_that_fits_is_played(rules: Rules) -> None:
    hand = draw(rules, stuck(rules, "6-1 5-5")).hand
    assert legal_turns(rules, hand, 0) == (Play(Tile(6, 1), "left"), Play(Tile(6, 1), "right"))
    with pytest.raises(MustPlay):
        pass_turn(rules, hand)
    with pytest.raises(MustPlay):
        draw(rules, hand)
    with pytest.raises(EndRequired):
        play(rules, hand, "6-1")
    assert play(rules, hand, "6-1", "right").hand.drawn == 0


def test_c3_one_tile_for_each_draw() -> None:
    record = draw(DRAW, stuck(DRAW))
    assert drawn(record.events) == [("5-5", 0, 2)]
    assert (record.events[0].seat, record.events[0].turn) == (0, 0)


def test_c3_draw_until_playable() -> None:
    record = draw(DRAW, stuck(DRAW, "5-5 4-0 2-1 6-6"), until_playable=True)
    assert drawn(record.events) == [("5-5", 0, 3), ("4-0", 0, 2), ("2-1", 0, 1)]
    assert record.hand.tiles[0] == tiles(f"{STUCK} 5-5 4-0 2-1")


def test_c3_a_place_in_the_boneyard() -> None:
    record = draw(DRAW, stuck(DRAW), 1)
    assert drawn(record.events) == [("4-0", 1, 2)]
    assert record.hand.boneyard == tiles("5-5 2-1")


def test_c3_a_place_and_on_from_the_first() -> None:
    record = draw(DRAW, stuck(DRAW), 1, until_playable=True)
    assert drawn(record.events) == [("4-0", 1, 2), ("5-5", 0, 1), ("2-1", 0, 0)]


def test_c4_drawn_to_the_last_tile() -> None:
    record = draw(DRAW, stuck(DRAW, "5-5 4-0"), until_playable=True)
    assert record.hand.boneyard == ()
    assert legal_turns(DRAW, record.hand, 0) == (Pass(),)


def test_c4_reserve() -> None:
    rules = replace(DRAW, boneyard_reserve=2)
    assert legal_turns(rules, stuck(rules, "5-5 4-0"), 0) == (Pass(),)
    assert legal_turns(rules, stuck(rules, "5-5 4-0 2-1"), 0) == (Draw(),)


def test_drawing_once_then_pass() -> None:
    record = draw(ONCE, stuck(ONCE))
    assert legal_turns(ONCE, record.hand, 0) == (Pass(),)
    with pytest.raises(MustPass):
        draw(ONCE, record.hand)
    passed = pass_turn(ONCE, record.hand).hand
    assert (passed.turn, passed.drawn) == (1, 0)


def test_drawing_once_stops_after_one() -> None:
    assert drawn(draw(ONCE, stuck(ONCE), until_playable=True).events) == [("5-5", 0, 2)]


def test_drawing_once_in_each_turn() -> None:
    hand = situation(ONCE, ENDS_6_1, (STUCK, "6-1 2-2"), "5-5 3-2")
    hand = pass_turn(ONCE, draw(ONCE, hand).hand).hand
    hand = play(ONCE, hand, "6-1", "left").hand
    assert legal_turns(ONCE, hand, 0) == (Draw(),)


def test_drawing_once_is_no_block_while_tiles_remain() -> None:
    hand = replace(stuck(ONCE), tiles=(tiles(STUCK), tiles("2-2")))
    record = pass_turn(ONCE, draw(ONCE, hand).hand)
    assert record.hand.result is None
    assert legal_turns(ONCE, record.hand, 1) == (Draw(),)


def test_drawing_never() -> None:
    hand = stuck(BLOCK)
    assert legal_turns(BLOCK, hand, 0) == (Pass(),)
    assert pass_turn(BLOCK, hand).hand.turn == 1


def test_c5_two_passes_then_the_end() -> None:
    record = block(BLOCK, "5-4", "5-3 5-1")
    assert kinds(record.events) == ["tile_played", "turn_passed", "turn_passed", "points_scored", "hand_ended"]
    assert [e.seat for e in record.events if isinstance(e, TurnPassed)] == [1, 0]
    assert record.seq == SEQ + 5
    assert [e.seq for e in record.events] == list(range(SEQ + 1, SEQ + 6))


def test_c5_no_end_while_tiles_can_be_drawn() -> None:
    hand = situation(DRAW, "1-0 left:2-1", ("2-0 5-4", "5-3 5-1"), "6-6 6-5")
    after = play(DRAW, hand, "2-0", "left").hand
    assert after.result is None
    assert legal_turns(DRAW, after, 1) == (Draw(),)
    record = draw(DRAW, after, until_playable=True)
    assert (ended(record).reason, ended(record).winner) == ("blocked", 0)
    assert points(record.events) == [(0, 28, "blocked")]


@pytest.mark.parametrize(("rules", "hands"), [(BLOCK, ("6-5", "5-1 4-1")), (PARTNER, ("4-1", "5-4", "6-5", "6-1"))])
def test_c6_one_hand_and_equal_pips(rules: Rules, hands: tuple[str, ...]) -> None:
    rules = replace(rules, target=0)
    done = decide(table(rules, before_block(rules, *hands)), 0, Play(Tile(2, 0), "left"), AT)
    assert done.match.status == "finished"
    assert done.match.result is not None
    assert done.match.result.winner is None


def test_c6_one_hand_and_a_winner() -> None:
    rules = replace(BLOCK, target=0)
    done = decide(table(rules, before_block(rules, "6-5", "5-1")), 0, Play(Tile(2, 0), "left"), AT)
    assert done.match.result is not None
    assert done.match.result.winner == 1


def test_equal_pips_play_on_in_a_longer_match() -> None:
    done = decide(table(BLOCK, before_block(BLOCK, "6-5", "5-1 4-1")), 0, Play(Tile(2, 0), "left"), AT)
    assert done.match.status == "hand_over"


@pytest.mark.parametrize(("before", "status"), [(92, "finished"), (91, "hand_over"), (99, "finished")])
def test_c7_the_target_or_more(before: int, status: str) -> None:
    hand = before_block(BLOCK, "5-1", "5-4 4-1", scores=(before, 0))
    assert decide(table(BLOCK, hand), 0, Play(Tile(2, 0), "left"), AT).match.status == status


@pytest.mark.parametrize(("choice", "worth"), [("loser", 14), ("difference", 5), ("everyone", 23)])
def test_c8_block_pips(choice: BlockPips, worth: int) -> None:
    rules = replace(BLOCK, block_pips=choice)
    assert points(block(rules, "5-4", "5-3 5-1").events) == [(0, worth, "blocked")]


@pytest.mark.parametrize(("choice", "worth"), [("loser", 21), ("difference", 8), ("everyone", 34)])
def test_three_block_conventions(choice: BlockPips, worth: int) -> None:
    rules = replace(BLOCK, partners="pairs", block_pips=choice)
    assert points(block(rules, "4-1", "5-4", "5-3", "6-6").events) == [(0, worth, "blocked")]


def test_a_difference_is_never_negative() -> None:
    rules = replace(BLOCK, partners="pairs", block_winner="lowest_hand")
    record = block(rules, "1-1", "5-3", "6-6 6-3", "4-4")
    assert ended(record).winner == 0
    assert points(record.events) == []


def test_three_seats_score_all_the_others() -> None:
    rules = replace(BLOCK, block_pips="loser")
    assert points(block(rules, "4-1", "5-3", "6-6").events) == [(0, 20, "blocked")]
    record = play(BLOCK, situation(BLOCK, ENDS_6_1, ("6-5", "3-2", "6-6")), "6-5")
    assert points(record.events) == [(0, 17, "domino")]


def test_three_seats_and_a_shared_lowest() -> None:
    assert ended(block(BLOCK, "4-1", "6-6", "3-2")).winner is None


def test_c13_a_level_holds_from_the_next_decision() -> None:
    match = create(setup("draw", 1, players=(Human(), Cpu("easy"))), AT).match
    changed = change_level(match, 1, "hard", AT)
    assert (kinds(changed.events), changed.match.players[1]) == (["level_changed"], Cpu("hard"))
    assert (changed.match.hand, changed.match.turn) == (match.hand, match.turn)
    assert change_level(match, 1, "easy", AT).events == ()


def test_c14_a_pass_shows_what_a_seat_lacks() -> None:
    assert pass_turn(BLOCK, stuck(BLOCK)).hand.lacks == (1 << 6 | 1 << 1, 0)


def test_c14_a_draw_shows_what_a_seat_lacks() -> None:
    hand = replace(stuck(DRAW), lacks=(1 << 5, 1 << 3))
    assert draw(DRAW, hand).hand.lacks == (1 << 6 | 1 << 1, 1 << 3)


def test_a_line_in_words() -> None:
    text = describe(lay(FIVES, "6-6 left:6-3 right:6-4 up:6-2"))
    assert text == (
        "Left to right: 3-6, 6-6, 6-4. Spinner 6-6. Up from the spinner: 6-2. Open ends: left 3, right 4, up 2, down 6."
    )
