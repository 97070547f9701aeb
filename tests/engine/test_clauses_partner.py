"""The partner game's clauses, A1 to A21, and the worked examples 1 to 11. Seats: South, West, North, East."""

from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest

from engine.deal import SecretDeal, Stream, deal
from engine.errors import MustOpen, MustPlay
from engine.events import HandDealt, MatchEnded, TurnPassed
from engine.hand import legal_turns
from engine.layout import End
from engine.lead import Ending, Opener, find_opener
from engine.match import create, decide, legal_moves
from engine.moves import NextHand, Pass, Play
from engine.rules import BlockPips, Counted, DominoLead, LastTile, Lead, Rules, TieLead
from engine.tiles import Tile
from engine.turns import Record
from tests.engine.games import AT, setup
from tests.engine.situations import (
    PARTNER,
    amounts,
    before_block,
    begin,
    block,
    ended,
    fixed,
    kinds,
    pass_turn,
    play,
    points,
    situation,
    table,
    tiles,
)

LEFT = ("6-1", "3-3", "5-3")
BLOCKED = ("4-1", "5-4", "5-3", "6-6")
ENDS_4_6 = "4-0 right:6-0"
ENDS_4_2 = "4-0 right:2-0"
ENDS_4_4 = "4-0 right:5-0 right:5-4"
ENDS_4_1 = "4-0 right:1-0"


def go_out(rules: Rules, line: str, tile: str, end: End = "left") -> Record:
    """South goes out."""
    return play(rules, situation(rules, line, (tile, *LEFT)), tile, end)


def doubling(last_tile: LastTile) -> Rules:
    return replace(PARTNER, last_tile=last_tile)


def first_opener(rules: Rules, *hands: str) -> Opener:
    return find_opener(rules, tuple(tiles(hand) for hand in hands), None, 0)


def test_example_1_opponents_are_charged() -> None:
    record = go_out(PARTNER, ENDS_4_6, "4-2")
    assert points(record.events) == [(1, 15, "domino")]
    assert not ended(record).doubled


def test_example_2_both_ends_double() -> None:
    record = go_out(PARTNER, ENDS_4_2, "4-2")
    assert points(record.events) == [(1, 30, "domino")]
    assert ended(record).doubled


@pytest.mark.parametrize(("choice", "charged"), [("legal_both", 30), ("distinct_ends", 15)])
def test_example_3_equal_ends(choice: LastTile, charged: int) -> None:
    assert points(go_out(doubling(choice), ENDS_4_4, "4-2").events) == [(1, charged, "domino")]


def test_example_5_a_double_on_one_end() -> None:
    assert points(go_out(PARTNER, ENDS_4_1, "4-4").events) == [(1, 15, "domino")]


def test_example_6_block() -> None:
    record = block(PARTNER, *BLOCKED)
    assert points(record.events) == [(1, 21, "blocked")]
    assert (ended(record).reason, ended(record).winner, ended(record).doubled) == ("blocked", 0, False)


@pytest.mark.parametrize(("before", "after", "lost"), [(88, 103, True), (86, 101, True), (85, 100, False)])
def test_example_8_first_to_101_loses(before: int, after: int, lost: bool) -> None:
    hands = ("5-3", "4-2", "6-1", "3-3")
    match = table(PARTNER, situation(PARTNER, ENDS_4_6, hands, turn=1, scores=(before, 20)))
    done = decide(match, 1, Play(Tile(4, 2)), AT)
    assert done.match.scores == (after, 20)
    assert (done.match.status == "finished") is lost
    assert [event.result.winner for event in done.events if isinstance(event, MatchEnded)] == [1] * lost


def test_example_9_next_lowest_double_opens() -> None:
    match = begin(PARTNER, "6-1", "2-2", "3-3", "6-2", boneyard="1-1").match
    assert match.turn == 1
    assert legal_moves(match, 1) == (Play(Tile(2, 2)),)


def test_example_9_three_asleep() -> None:
    match = begin(PARTNER, "5-5", "6-6", "6-1", "4-4", boneyard="1-1 2-2 3-3").match
    assert match.turn == 3
    assert legal_moves(match, 3) == (Play(Tile(4, 4)),)


@pytest.mark.parametrize("doubles", ["1-1 2-2 3-3 4-4 5-5 6-1", "1-1 2-2 3-3 4-4 5-5 6-6"])
@pytest.mark.parametrize("seat", range(4))
@pytest.mark.parametrize("number", [1, 2])
def test_example_10_thrown_in(monkeypatch: pytest.MonkeyPatch, doubles: str, seat: int, number: int) -> None:
    rules, thrown = PARTNER, tiles(doubles)
    singles = [tile for tile in rules.live_tiles() if tile not in thrown]
    clean = fixed(rules, "1-1 2-2", "3-3 4-4", "5-5", "6-6")
    good = (*(tile for hand in clean.hands for tile in hand), *tiles("6-5 6-4 6-3"))
    decks = iter([(*singles[: 6 * seat], *thrown, *singles[6 * seat :]), good])
    monkeypatch.setattr(Stream, "shuffled", lambda *_: next(decks))
    dealt = deal(rules, 4, "00" * 32, SecretDeal(), number)
    assert (dealt.redeals, dealt.tiles) == (1, clean.hands)


def test_example_11_over_in_one_hand() -> None:
    hand = situation(PARTNER, "5-0 right:3-0", ("5-3", "6-6 6-5 6-4", "4-2", "5-4 6-3"))
    done = decide(table(PARTNER, hand), 0, Play(Tile(5, 3), "left"), AT)
    assert points(done.events) == [(1, 102, "domino")]
    assert done.match.result is not None
    assert done.match.result.winner == 0


@pytest.mark.parametrize(("counted", "charged"), [("opponents", 15), ("everyone", 21)])
def test_a1_who_is_counted(counted: Counted, charged: int) -> None:
    rules = replace(PARTNER, domino_pips=counted)
    assert points(go_out(rules, ENDS_4_6, "4-2").events) == [(1, charged, "domino")]


@pytest.mark.parametrize(
    ("choice", "charged"), [("loser", (0, 21)), ("difference", (0, 8)), ("everyone", (0, 34)), ("own_each", (13, 21))]
)
def test_a2_block_pips(choice: BlockPips, charged: tuple[int, int]) -> None:
    assert amounts(ended(block(replace(PARTNER, block_pips=choice), *BLOCKED)).end_points) == charged


def test_a2_lowest_team_wins() -> None:
    result = ended(block(PARTNER, "1-1", "5-3", "6-6 6-3", "4-4"))
    assert (result.winner, amounts(result.end_points)) == (1, (23, 0))


def test_a2_lowest_hand_wins() -> None:
    result = ended(block(replace(PARTNER, block_winner="lowest_hand"), "1-1", "5-3", "6-6 6-3", "4-4"))
    assert (result.winner, amounts(result.end_points)) == (0, (0, 16))


def test_a2_lowest_hands_of_one_team() -> None:
    result = ended(block(replace(PARTNER, block_winner="lowest_hand"), "3-1", "6-5", "2-2", "6-6"))
    assert (result.winner, amounts(result.end_points)) == (0, (0, 23))


def test_a2_lowest_hands_of_both_teams() -> None:
    result = ended(block(replace(PARTNER, block_winner="lowest_hand"), "3-1", "2-2", "6-5", "6-6"))
    assert (result.winner, amounts(result.end_points)) == (None, (0, 0))


@pytest.mark.parametrize("choice", ["loser", "difference", "everyone"])
def test_a3_equal_totals_cost_nobody(choice: BlockPips) -> None:
    record = block(replace(PARTNER, block_pips=choice), "4-1", "5-4", "6-5", "6-1")
    assert points(record.events) == []
    assert (ended(record).reason, ended(record).winner) == ("blocked", None)


def test_a3_equal_totals_where_each_is_charged_its_own() -> None:
    result = ended(block(replace(PARTNER, block_pips="own_each"), "4-1", "5-4", "6-5", "6-1"))
    assert (result.winner, amounts(result.end_points)) == (None, (16, 16))


def test_a4_a_block_is_never_doubled() -> None:
    hand = before_block(PARTNER, *BLOCKED)
    assert {turn.end for turn in legal_turns(PARTNER, hand, 0) if isinstance(turn, Play)} == {"left", "right"}
    result = ended(play(PARTNER, hand, "2-0", "left"))
    assert (result.doubled, amounts(result.end_points)) == (False, (0, 21))


@pytest.mark.parametrize("end", ["left", "right"])
def test_a5_judged_before_the_tile_is_laid(end: End) -> None:
    assert ended(go_out(PARTNER, ENDS_4_2, "4-2", end)).doubled


@pytest.mark.parametrize(("line", "tile"), [(ENDS_4_1, "4-2"), (ENDS_4_1, "4-4")])
@pytest.mark.parametrize("choice", ["legal_both", "distinct_ends", "non_double", "never"])
def test_a5_one_end_never_doubles(choice: LastTile, line: str, tile: str) -> None:
    assert not ended(go_out(doubling(choice), line, tile)).doubled


@pytest.mark.parametrize(
    ("choice", "doubled"), [("legal_both", True), ("distinct_ends", True), ("non_double", True), ("never", False)]
)
def test_a5_different_ends(choice: LastTile, doubled: bool) -> None:
    assert ended(go_out(doubling(choice), ENDS_4_2, "4-2")).doubled is doubled


def test_a5_an_opening_has_no_ends() -> None:
    record = play(PARTNER, situation(PARTNER, hands=("4-2", *LEFT)), "4-2")
    assert (ended(record).doubled, amounts(ended(record).end_points)) == (False, (0, 15))


def test_a5_arms_of_a_spinner_do_not_count() -> None:
    rules = replace(PARTNER, spinner="first_double")
    hand = situation(rules, "4-4 left:4-1 right:4-0", ("6-4", *LEFT))
    record = play(rules, hand, "6-4", "up")
    assert not ended(record).doubled


@pytest.mark.parametrize(
    ("choice", "doubled"), [("legal_both", True), ("distinct_ends", False), ("non_double", True), ("never", False)]
)
def test_a6_equal_ends(choice: LastTile, doubled: bool) -> None:
    assert ended(go_out(doubling(choice), ENDS_4_4, "4-2")).doubled is doubled


@pytest.mark.parametrize(
    ("choice", "doubled"), [("legal_both", True), ("distinct_ends", False), ("non_double", False), ("never", False)]
)
def test_a7_a_double_on_equal_ends(choice: LastTile, doubled: bool) -> None:
    assert ended(go_out(doubling(choice), ENDS_4_4, "4-4")).doubled is doubled


def test_a8_the_double_is_forced() -> None:
    match = begin(PARTNER, "6-1", "2-2 6-4", "3-3", "6-2", boneyard="1-1").match
    with pytest.raises(MustOpen):
        decide(match, 1, Play(Tile(6, 4)), AT)
    assert decide(match, 1, Play(Tile(2, 2)), AT).match.turn == 2


def test_a9_some_double_is_always_dealt() -> None:
    live = PARTNER.live_tiles()
    openers = Counter(
        find_opener(PARTNER, (tuple(tile for tile in live if tile not in asleep),), None, 0).tile
        for asleep in combinations(live, 3)
    )
    assert openers == {Tile(1, 1): 2600, Tile(2, 2): 300, Tile(3, 3): 24, Tile(4, 4): 1}


def test_a10_four_doubles_are_dealt(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = fixed(PARTNER, "1-1 2-2 3-3 4-4 6-1 6-2", "5-5 6-6", "", "", boneyard="6-3 6-4 6-5")
    deck = (*(tile for hand in kept.hands for tile in hand), *tiles("6-5 6-4 6-3"))
    monkeypatch.setattr(Stream, "shuffled", lambda *_: deck)
    dealt = deal(PARTNER, 4, "00" * 32, SecretDeal(), 1)
    assert (dealt.redeals, dealt.tiles) == (0, kept.hands)


def test_a10_a_redeal_takes_no_hand_number(monkeypatch: pytest.MonkeyPatch) -> None:
    thrown = tiles("1-1 2-2 3-3 4-4 5-5 6-1")
    live = PARTNER.live_tiles()
    bad = (*thrown, *(tile for tile in live if tile not in thrown))
    clean = fixed(PARTNER, "1-1 2-2", "3-3 4-4", "5-5", "6-6")
    good = (*(tile for hand in clean.hands for tile in hand), *tiles("6-5 6-4 6-3"))
    decks = iter([bad, bad, good])
    monkeypatch.setattr(Stream, "shuffled", lambda *_: next(decks))
    event = create(setup("partner-penalty", 1), AT).events[1]
    assert isinstance(event, HandDealt)
    assert (event.number, event.redeals) == (1, 2)
    assert tuple(seat.tiles for seat in event.tiles) == clean.hands


def test_a12_who_went_out_leads_any_tile() -> None:
    hand = situation(PARTNER, ENDS_4_6, ("5-3", "6-1", "4-2", "3-3"), turn=2)
    done = decide(table(PARTNER, hand), 2, Play(Tile(4, 2)), AT)
    match = decide(done.match, None, NextHand(), AT).match
    assert match.turn == 2
    assert len(legal_moves(match, 2)) == 6


@pytest.mark.parametrize(("lead", "seat"), [("opener", 0), ("winner", 3), ("next_seat", 2), ("same_seat", 1)])
def test_a12_lead_after_domino(lead: DominoLead, seat: int) -> None:
    rules = replace(PARTNER, lead_after_domino=lead)
    record = play(rules, situation(rules, ENDS_4_6, ("5-3", "6-1", "3-3", "4-2"), turn=3, leader=1), "4-2")
    assert leads(rules, record) == seat


def leads(rules: Rules, record: Record) -> int:
    """Who leads next where South holds the double that opens."""
    dealt = tuple(tiles(hand) for hand in ("1-1", "2-2", "3-3", "4-4"))
    return find_opener(rules, dealt, record.hand.ending(rules), 0).seat


@pytest.mark.parametrize(
    ("lead", "seat"), [("opener", 0), ("winner", 2), ("last_player", 3), ("next_seat", 2), ("same_seat", 1)]
)
def test_a13_lead_after_block(lead: Lead, seat: int) -> None:
    rules = replace(PARTNER, lead_after_block=lead)
    assert leads(rules, block(rules, "4-3", "6-6", "1-1", "5-5", blocker=3, leader=1)) == seat


def test_a13_the_lighter_of_the_winners() -> None:
    assert leads(PARTNER, block(PARTNER, "3-1", "6-6", "5-5", "6-5")) == 0


@pytest.mark.parametrize(("blocker", "seat"), [(0, 2), (1, 2), (2, 0), (3, 0)])
def test_a13_equal_winners_by_turn_order(blocker: int, seat: int) -> None:
    assert leads(PARTNER, block(PARTNER, "3-1", "6-6", "2-2", "5-5", blocker=blocker)) == seat


def test_a13_the_winning_team_leads_with_a_heavier_hand() -> None:
    assert leads(PARTNER, block(PARTNER, "6-3", "1-1", "4-4", "6-6 5-5")) == 2


@pytest.mark.parametrize(("lead", "seat"), [("opener", 0), ("last_player", 3), ("next_seat", 2), ("same_seat", 1)])
def test_a14_lead_after_tie(lead: TieLead, seat: int) -> None:
    rules = replace(PARTNER, lead_after_tie=lead)
    assert leads(rules, block(rules, "4-1", "5-4", "6-5", "6-1", blocker=3, leader=1)) == seat


def test_a14_after_the_last_leader_any_tile() -> None:
    assert PARTNER.lead_after_tie == "next_seat"
    ending = Ending(leader=3, last_player=1, blocked=True, winner=None)
    assert find_opener(PARTNER, (tiles("1-1"), *[tiles("2-2")] * 3), ending, 0) == Opener(0)


@pytest.mark.parametrize(("seat", "after"), [(0, 1), (1, 2), (2, 3), (3, 0)])
def test_a15_turns_go_round(seat: int, after: int) -> None:
    hand = situation(PARTNER, ENDS_4_6, ("4-1 3-3", "4-2 2-2", "4-3 1-1", "4-4 5-5"), turn=seat)
    assert play(PARTNER, hand, str(hand.tiles[seat][0]), "left").hand.turn == after


def test_a16_the_hand_ends_with_the_first_out() -> None:
    record = go_out(PARTNER, ENDS_4_6, "4-2")
    assert kinds(record.events) == ["tile_played", "points_scored", "hand_ended"]
    assert record.hand.turn is None
    assert [left.pips for left in ended(record).leftover] == [0, 7, 6, 8]


def test_a17_no_pass_with_a_tile_that_fits() -> None:
    with pytest.raises(MustPlay):
        pass_turn(PARTNER, situation(PARTNER, ENDS_4_6, ("4-2", *LEFT)))


def test_a17_a_pass_when_nothing_fits() -> None:
    hand = situation(PARTNER, ENDS_4_6, ("3-2", *LEFT))
    assert legal_turns(PARTNER, hand, 0) == (Pass(),)
    record = pass_turn(PARTNER, hand)
    assert kinds(record.events) == ["turn_passed"]
    assert record.hand.turn == 1


@pytest.mark.parametrize("blocker", range(4))
def test_a18_a_dead_hand_is_passed_round(blocker: int) -> None:
    record = block(PARTNER, *BLOCKED, blocker=blocker)
    passes = [event for event in record.events if isinstance(event, TurnPassed)]
    order = [(blocker + step) % 4 for step in (1, 2, 3, 4)]
    assert [event.seat for event in passes] == order
    assert [event.turn for event in passes] == [*order[1:], None]
    assert all(event.automatic for event in passes)
    assert kinds(record.events)[0] == "tile_played"
    assert kinds(record.events)[-2:] == ["points_scored", "hand_ended"]


def test_a18_not_while_anybody_can_play() -> None:
    record = block(PARTNER, "4-1", "5-4", "5-3", "6-0")
    assert kinds(record.events) == ["tile_played"]
    assert record.hand.turn == 1


def test_a19_the_double_blank_is_never_dealt() -> None:
    live = PARTNER.live_tiles()
    assert Tile(0, 0) not in live
    assert (len(live), sum(tile.pips for tile in live)) == (27, 168)
    assert sum(tile.numbers & 1 for tile in live) == 6


def test_a20_both_reach_101_and_the_higher_loses() -> None:
    rules = replace(PARTNER, block_pips="own_each")
    done = decide(table(rules, before_block(rules, *BLOCKED, scores=(90, 95))), 0, Play(Tile(2, 0), "left"), AT)
    assert done.match.scores == (103, 116)
    assert done.match.result is not None
    assert done.match.result.winner == 0


def test_a20_equal_scores_play_on() -> None:
    rules = replace(PARTNER, block_pips="own_each")
    done = decide(table(rules, before_block(rules, *BLOCKED, scores=(98, 90))), 0, Play(Tile(2, 0), "left"), AT)
    assert (done.match.scores, done.match.status) == ((111, 111), "hand_over")


def test_a21_every_hand_is_dealt_from_the_whole_set() -> None:
    match = decide(table(PARTNER, block(PARTNER, *BLOCKED).hand), None, NextHand(), AT).match
    assert match.hand is not None
    assert match.hand.start.number == 2
    dealt = [tile for hand in match.hand.tiles for tile in hand]
    assert [len(hand) for hand in match.hand.tiles] == [6] * 4
    assert sorted([*dealt, *match.hand.boneyard]) == list(PARTNER.live_tiles())


def test_rounding_of_penalties_comes_before_doubling() -> None:
    rules = replace(PARTNER, rounding="up", rounding_unit=10)
    assert points(go_out(rules, ENDS_4_2, "4-2").events) == [(1, 40, "domino")]


@pytest.mark.parametrize(
    ("choice", "charged"), [("loser", (0, 8, 12)), ("difference", (0, 3, 7)), ("everyone", (0, 13, 17))]
)
def test_a_penalty_for_each_loser(choice: BlockPips, charged: tuple[int, ...]) -> None:
    rules = replace(PARTNER, partners="none", block_pips=choice)
    assert amounts(ended(block(rules, "4-1", "5-3", "6-6")).end_points) == charged


def test_seats_alone_are_their_own_teams() -> None:
    rules = replace(PARTNER, partners="none")
    record = play(rules, situation(rules, ENDS_4_6, ("4-2", *LEFT)), "4-2")
    assert amounts(ended(record).end_points) == (0, 7, 6, 8)
    assert ended(record).winner == 0


def test_first_opener_holds_the_lowest_double() -> None:
    assert first_opener(PARTNER, "6-6", "3-3", "4-4", "2-1") == Opener(1, Tile(3, 3), "forced")
