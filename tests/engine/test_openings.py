"""What an opening tells of tiles that nobody was dealt."""

from dataclasses import replace
from typing import Any

import pytest

from engine.events import HandSummary
from engine.moves import PastMove
from engine.strategies.inference import Inference
from engine.strategies.openings import finds
from engine.tiles import Tile
from engine.turns import by_team
from engine.view import SPECTATOR, MatchView
from tests.engine.small_games import tiles
from tests.engine.test_hard import position

DOUBLES = "0-0 1-1 2-2 3-3 4-4 5-5 6-6"


def never_dealt(seen: MatchView) -> frozenset[Tile]:
    """The tiles that nobody was dealt, however the leader was found."""
    own = seen.seats[seen.viewer.seat].tiles or () if seen.viewer.seat is not None else ()
    return frozenset.intersection(*[find.absent for find in finds(seen, frozenset(own), frozenset())])


OPENED: list[tuple[str, dict[str, Any], str]] = [
    ("4-4", {}, "5-5 6-6"),
    ("4-4", {"opening": "automatic"}, "5-5 6-6"),
    ("4-4", {"opening": "free"}, ""),
    ("2-2", {"opener": "lowest_double"}, "0-0 1-1"),
    ("6-6", {}, ""),
    ("3-1", {"opening_tiles": tiles("2-1 6-6 3-1 4-4")}, "2-1 6-6"),
    ("3-3", {"opening_tiles": tiles("2-1 3-1")}, "2-1 3-1 4-4 5-5 6-6"),
    ("3-3", {"opening_tiles": tiles("2-1 3-1"), "opener": "lot"}, "2-1 3-1"),
    ("5-4", {}, f"{DOUBLES} 6-3 6-4 6-5"),
    ("5-4", {"opening_without_double": "free"}, DOUBLES),
    ("5-4", {"opening": "free"}, ""),
    ("5-4", {"opener": "lot"}, ""),
]
"""The tile that opened the first hand, what the rules are, and which tiles cannot have been dealt."""


@pytest.mark.parametrize(("opening", "rules", "absent"), OPENED)
def test_tiles_that_come_before_the_one_that_opened_were_not_dealt(
    opening: str, rules: dict[str, Any], absent: str
) -> None:
    moves = (PastMove(1, "play", Tile.parse(opening)),)
    seen = position("block", [(opening, None)], "3-0 2-0", [7], moves=moves, hand_size=2, **rules)
    assert never_dealt(seen) == set(tiles(absent))


OWN: list[tuple[str, dict[str, Any], str]] = [
    ("4-4 1-1 6-5", {}, "5-5 6-6"),
    ("4-4 1-1 6-5", {"opening": "free"}, "5-5 6-6"),
    ("4-4 1-1 6-5", {"opener": "lowest_double"}, "0-0"),
    ("6-1 5-4", {"opening_without_double": "free"}, f"{DOUBLES} 6-3 6-4 6-5"),
    ("6-1 5-4", {"opening_tiles": tiles("3-3 5-4 6-1")}, "3-3"),
    ("6-1 5-4", {"opening_tiles": tiles("3-3 2-2"), "opener": "lot"}, "3-3 2-2"),
    ("6-1 5-4", {"opener": "lot"}, ""),
]
"""What the leader of the first hand was dealt, what the rules are, and which tiles cannot have been dealt."""


@pytest.mark.parametrize(("own", "rules", "absent"), OWN)
def test_the_leader_can_tell_before_it_plays(own: str, rules: dict[str, Any], absent: str) -> None:
    seen = position("block", [], own, [7], hand_size=len(tiles(own)), **rules)
    assert never_dealt(seen) == set(tiles(absent))
    assert never_dealt(replace(seen, viewer=SPECTATOR)) == frozenset()


def later(reason: Any, winner: int | None, scores: tuple[int, int] = (5, 0), **rules: Any) -> MatchView:
    """A second hand that 4-4 opened, after a first that ended so."""
    seen = position("block", [("4-4", None)], "3-0 2-0", [7], moves=(PastMove(1, "play", Tile(4, 4)),), **rules)
    points = by_team(scores)
    past = HandSummary(1, reason, winner, points, points, points, doubled=False, bonus=0)
    return replace(seen, past_hands=(past,))


def test_a_later_hand_tells_as_much_only_where_it_is_led_like_the_first() -> None:
    absent = {Tile(5, 5), Tile(6, 6)}
    leads: dict[str, Any] = {"lead_after_domino": "winner", "lead_after_block": "next_seat", "lead_after_tie": "opener"}
    assert never_dealt(later("domino", 0, **leads)) == frozenset()
    assert never_dealt(later("blocked", 0, **leads)) == frozenset()
    assert never_dealt(later("blocked", None, **leads)) == absent
    assert never_dealt(later("domino", 0, lead_after_domino="opener")) == absent
    assert never_dealt(later("domino", 0, (0, 0), target_rule="in_a_row", **leads)) == absent
    assert never_dealt(later("domino", 0, (5, 0), target_rule="in_a_row", **leads)) == frozenset()


def test_what_nobody_was_dealt_is_in_the_boneyard_until_it_may_have_been_drawn() -> None:
    def places(own: str, *drawing: int) -> int:
        """Where 6-6 may be when these seats have drawn."""
        moves = [PastMove(1, "play", Tile(4, 4)), *[PastMove(seat, "draw") for seat in drawing]]
        other = 3 + sum(drawing)
        seen = position("draw", [("4-4", None)], own, [other], moves=tuple(moves), hand_size=4)
        known = Inference(seen).known
        return known.allowed[known.unseen.index(Tile(6, 6))]

    in_boneyard, anywhere = 0b100, 0b110
    assert places("3-0 2-0 1-0 5-0") == in_boneyard
    assert places("3-0 2-0 1-0 5-0 5-5", 0) == in_boneyard
    assert places("3-0 2-0 1-0 4-0", 0, 1) == anywhere
    assert places("3-0 2-0 1-0 4-0", 1, 1) == anywhere


FREE: dict[str, Any] = {"opening": "free", "hand_size": 2}


def test_where_any_tile_may_open_each_that_may_have_found_the_leader_is_one_case() -> None:
    seen = position("block", [("3-2", None)], "4-4 2-0", [1], moves=(PastMove(1, "play", Tile(3, 2)),), **FREE)
    found = finds(seen, frozenset(tiles("4-4 2-0")), frozenset())
    assert [(find.tile, find.seat, find.absent) for find in found] == [
        (Tile(6, 6), 1, frozenset()),
        (Tile(5, 5), 1, frozenset(tiles("6-6"))),
    ]
    inference = Inference(seen)
    assert inference.deals == 2
    assert inference.chances.sum(axis=0) == pytest.approx([0, 1, 24])


def test_who_cannot_tell_what_it_was_dealt_takes_a_free_opening_for_any() -> None:
    moves = (PastMove(1, "play", Tile(3, 2)), PastMove(0, "draw"), PastMove(0, "draw"), PastMove(0, "draw"))
    seen = position("draw", [("3-2", None)], "4-4 1-0 4-1 3-0 0-0", [1], moves=moves, **FREE)
    assert [find.tile for find in finds(seen, frozenset(tiles("4-4 1-0 4-1 0-0")), frozenset())] == [None]
