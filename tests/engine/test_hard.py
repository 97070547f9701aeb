"""The hard level: a situation for each thing it considers, and what holds for it in every game."""

import statistics
import time
from collections.abc import Iterator
from dataclasses import replace
from math import comb
from typing import Any

import pytest
from hypothesis import given, settings

from engine.catalogue import RULESETS
from engine.deal import Stream
from engine.hand import Hand, Start, Tally
from engine.layout import EMPTY, End, place
from engine.match import Match, create, decide
from engine.moves import NextHand, PastMove, Play
from engine.players import Player
from engine.rules import Rules
from engine.strategies import hard
from engine.strategies.memory import Memory
from engine.strategies.prospect import counts_without, look_ahead
from engine.strategies.table import Table
from engine.tiles import Tile
from engine.view import MatchView, Viewer, view
from tests.engine.any_rules import SEEDS, games
from tests.engine.games import AT, setup

Line = list[tuple[str, End | None]]


def position(
    ruleset: str,
    line: Line,
    own: str,
    others: list[int],
    *,
    lacks: dict[int, list[int]] | None = None,
    scores: tuple[int, ...] = (0, 0),
    players: tuple[Player, ...] = (),
    moves: tuple[PastMove, ...] = (),
    **rules: Any,
) -> MatchView:
    """What seat 0 sees with `own` tiles after `line`, when the other seats hold as many tiles as `others` says. It is
    only told by `moves` who laid the line.
    """
    chosen = setup(ruleset, 1, players, **rules)
    layout = EMPTY
    for tile, end in line:
        layout = place(chosen.rules, layout, Tile.parse(tile), end)
    tiles = tuple(map(Tile.parse, own.split()))
    seen = {*tiles, *(Tile.parse(tile) for tile, _ in line)}
    hidden = [tile for tile in chosen.rules.live_tiles() if tile not in seen]
    assert len(seen) == len(tiles) + len(line), "a tile is there twice"
    hands = [tiles]
    for count in others:
        hands.append(tuple(hidden[:count]))
        del hidden[:count]
    hand = Hand(
        start=Start(1, 2, 0, None),
        turn=0,
        drawn=0,
        last_player=1,
        tiles=tuple(hands),
        boneyard=tuple(hidden),
        layout=layout,
        lacks=tuple(sum(1 << number for number in (lacks or {}).get(seat, [])) for seat in range(len(hands))),
        passes=0,
        passed=False,
        bound=None,
        tally=Tally(scores, (0, 0), (0, 0)),
        moves=moves,
    )
    return view(Match(chosen, 9, AT, AT, chosen.players, hand), Viewer("seat", 0))


def chosen(seen: MatchView) -> str:
    """The tile that hard plays, and where."""
    play = hard.choose(seen, Stream("00" * 32, "test"))
    assert isinstance(play, Play)
    return f"{play.tile} {play.end}"


def test_leaves_an_end_that_the_rival_was_seen_unable_to_play() -> None:
    line: Line = [("6-6", None)]
    assert chosen(position("block", line, "6-5 6-2 5-4 4-2", [7])) == "6-5 left"
    assert chosen(position("block", line, "6-5 6-2 5-4 4-2", [7], lacks={1: [2]})) == "6-2 left"


def test_makes_a_rival_draw() -> None:
    line: Line = [("6-6", None)]
    assert chosen(position("draw", line, "6-5 6-2 5-4 4-2", [7], lacks={1: [2]})) == "6-2 left"


def test_sheds_weight() -> None:
    assert chosen(position("block", [("0-0", None)], "1-0 5-0 4-3 6-2", [7])) == "5-0 left"


def test_keeps_a_number_that_it_can_go_on_with() -> None:
    """Nothing else fits what 5-0 leaves; 4-0 leaves a number of which three more are in the hand."""
    assert chosen(position("block", [("0-0", None), ("6-0", "left")], "5-0 4-0 4-1 4-2 4-3", [6])) == "4-0 right"


DOOR: Line = [("5-3", None)]


def test_never_closes_the_last_end_that_the_partner_can_play_at() -> None:
    hand = "5-4 4-4 4-2 4-1 3-0"
    assert chosen(position("partner-penalty", DOOR, hand, [6, 6, 6])) == "5-4 left"
    assert chosen(position("partner-penalty", DOOR, hand, [6, 6, 6], lacks={2: [3]})) == "3-0 right"


def test_closes_the_last_end_of_the_partner_when_there_is_no_other_play() -> None:
    assert chosen(position("partner-penalty", DOOR, "5-4 5-0 4-2", [6, 6, 6], lacks={2: [3]})).startswith("5-")


def test_keeps_the_last_end_of_a_rival_closed() -> None:
    hand = "5-4 4-4 4-2 4-1 3-0"
    assert chosen(position("partner-penalty", DOOR, hand, [6, 6, 6], lacks={1: [3], 3: [3]})) == "5-4 left"


def test_sheds_a_common_number_and_keeps_a_rare_one_where_leftover_pips_are_a_penalty() -> None:
    """5-4 weighs more, but is the only five in the hand; of the blanks of 4-0 there is another one."""
    line: Line = [("6-6", None), ("6-2", "left"), ("6-4", "right")]
    hand = "5-4 4-0 3-3 1-0 6-1"
    assert chosen(position("partner-penalty", line, hand, [5, 5, 5])) == "4-0 right"
    assert chosen(position("partner-penalty", line, hand, [5, 5, 5], scoring="points")) == "5-4 right"


def test_takes_points() -> None:
    assert chosen(position("all-fives", [("6-6", None)], "6-3 6-5 5-4 6-4", [7])) == "6-3 left"


def test_denies_points() -> None:
    """5-4 sheds more and its 4 can be followed, but 4 and 3 leave the rival more tiles that score."""
    assert chosen(position("all-fives", [("5-3", None)], "5-4 5-1 4-4 6-6 0-0", [7])) == "5-1 left"
    assert chosen(position("draw", [("5-3", None)], "5-4 5-1 4-4 6-6 0-0", [7])) == "5-4 left"


BLOCKABLE: Line = [
    ("2-1", None), ("2-2", "left"), ("4-2", "left"), ("4-1", "left"), ("1-1", "right"), ("1-0", "right"),
    ("6-0", "right"), ("6-1", "right"), ("5-1", "right"), ("5-3", "right"),
]  # fmt: skip
"""The ends ask for 1 and 3, and 3-1 is the last tile with a 1: played at the 3 it blocks the hand."""


def test_blocks_when_it_is_ahead_in_pips() -> None:
    assert chosen(position("block", BLOCKABLE, "3-1 3-0 0-0", [3])) == "3-1 right"


def test_does_not_block_when_it_is_behind() -> None:
    assert chosen(position("block", BLOCKABLE, "3-1 3-2 6-6 6-5 5-5", [3])) != "3-1 right"


def test_keeps_a_last_tile_that_fits_both_ends_where_that_doubles() -> None:
    """After 3-1 the ends ask for 1 and 2, as the 2-1 does."""
    line: Line = [("6-5", None), ("6-3", "left"), ("5-2", "right")]
    assert chosen(position("partner-penalty", line, "3-1 2-1", [4, 4, 4])) == "3-1 left"


def test_goes_for_a_target_that_it_can_reach_at_once() -> None:
    """Nothing else matters then: not even that the partner is left with nothing to play."""
    line: Line = [("5-3", None)]
    hand = "5-2 3-0 3-1 6-6"
    partners: dict[str, Any] = {"partners": "pairs", "hand_size": 4, "players": setup("partner-penalty", 1).players}
    far = position("all-fives", line, hand, [4, 4, 4], lacks={2: [3]}, scores=(100, 0), **partners)
    near = position("all-fives", line, hand, [4, 4, 4], lacks={2: [3]}, scores=(145, 0), **partners)
    assert chosen(far).startswith("3-")
    assert chosen(near) == "5-2 left"


def test_fears_a_reply_that_reaches_the_target() -> None:
    line: Line = [("5-3", None)]
    replies = [
        look_ahead(
            Table(position("all-fives", line, "5-4 5-1 6-6", [7], scores=scores)), Play(Tile(5, 4), "left")
        ).reply
        for scores in ((0, 0), (0, 145))
    ]
    assert replies[0] < replies[1]


def test_knows_how_likely_a_seat_cannot_play() -> None:
    """For one other seat: of the tiles that it may hold, the ways to hold none that fits."""
    memory = Memory(position("block", [("6-6", None)], "6-5 6-2 5-4 4-2", [7]), 0)
    assert len(memory.unseen) == 23
    assert memory.stuck(1, 1 << 6) == pytest.approx(comb(19, 7) / comb(23, 7))


def test_every_seat_holds_on_average_as_many_tiles_as_it_has_and_none_that_it_lacks() -> None:
    seen = position("partner-penalty", DOOR, "5-4 4-2 3-0", [5, 4, 6], lacks={1: [3, 5], 2: [3], 3: [0]})
    memory = Memory(seen, 0)
    for seat, count in ((1, 5), (2, 4), (3, 6)):
        assert sum(memory.chances[seat].values()) == pytest.approx(count, rel=0.02)
        assert not any(tile.numbers & memory.lacks[seat] for tile in memory.chances[seat])


def decisions(match: Match, hands: int) -> Iterator[MatchView]:
    """The positions in which hard has to move while it plays all seats of `match`."""
    while hands and match.status != "finished":
        if match.turn is None:
            match, hands = decide(match, None, NextHand(), AT).match, hands - 1
            continue
        seen = view(match, Viewer("seat", match.turn))
        yield seen
        match = decide(match, match.turn, hard.choose(seen, Stream(match.setup.seed, "test")), AT).match


@given(games(), SEEDS)
@settings(max_examples=60)
def test_plays_by_any_rules(game: tuple[Rules, int], seed: int) -> None:
    """A move that the rules refuse would end this with their error."""
    rules, seat_count = game
    begun = replace(setup("block", seed), rules=rules, players=setup("block", seed).players[:1] * seat_count)
    for seen in decisions(create(begun, AT).match, hands=2):
        assert seen.hand is not None
        assert hard.choose(seen, Stream("11" * 32, "other")) == hard.choose(seen, Stream("22" * 32, "another"))


@pytest.mark.parametrize("number", range(12))
def test_no_partner_is_shut_out_in_whole_matches(number: int) -> None:
    for seen in decisions(create(setup("partner-penalty", number), AT).match, hands=5):
        assert seen.hand is not None
        partner = seen.seats[((seen.viewer.seat or 0) + 2) % 4]
        open_numbers = {end.value for end in seen.hand.layout.ends}
        memory = Memory(seen, seen.viewer.seat or 0)
        doors = {number for number in open_numbers - set(partner.lacks) if memory.stuck(partner.seat, 1 << number) < 1}
        if not doors or not open_numbers & set(partner.lacks):
            continue
        left = {
            play: doors & {end.value for end in place(seen.rules, seen.hand.layout, play.tile, play.end).ends}
            for play in seen.hand.legal_moves
            if isinstance(play, Play)
        }
        choice = hard.choose(seen, Stream("00" * 32, "test"))
        assert not isinstance(choice, Play) or left[choice] or not any(left.values())


@pytest.mark.parametrize("rules", [{}, {"spinner_arms": "at_once"}, {"spinner": "opening_double"}, {"spinner": "none"}])
@pytest.mark.parametrize("number", range(5))
def test_counts_a_reply_as_the_layout_would(number: int, rules: dict[str, Any]) -> None:
    for seen in decisions(create(setup("all-fives", number, **rules), AT).match, hands=2):
        assert seen.hand is not None
        layout = seen.hand.layout
        without = counts_without(layout)
        assert tuple(end for end, _ in without) == layout.ends
        for end, count in without:
            for tile in seen.rules.live_tiles():
                if tile.numbers >> end.value & 1:
                    own_end = tile.pips if tile.is_double else tile.other(end.value)
                    assert count + own_end == place(seen.rules, layout, tile, end.end).count


@pytest.mark.parametrize("ruleset", RULESETS)
def test_decides_in_two_milliseconds(ruleset: str) -> None:
    """Half of the decisions, on whatever machine this is; far more than that on one that has nothing else to do."""
    taken = []
    for seen in decisions(create(setup(ruleset, 1), AT).match, hands=3):
        start = time.thread_time()
        hard.choose(seen, Stream("00" * 32, "test"))
        taken.append(time.thread_time() - start)
    assert statistics.median(taken) < 0.002
