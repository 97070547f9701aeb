"""A match ends with its last hand, whether a score has reached the target or not."""

from dataclasses import replace
from typing import Any, Final

import pytest

from engine.autoplay import play_on
from engine.bounds import MOST_HANDS
from engine.events import MatchResult
from engine.match import create, decide
from engine.moves import NextHand, Play
from engine.players import Cpu
from engine.tiles import Tile
from tests.engine.games import AT, setup
from tests.engine.situations import FIVES, situation, table

RULES: Final = replace(FIVES, scored_multiples=())


@pytest.mark.parametrize(
    ("number", "scores", "status", "winner"),
    [
        (MOST_HANDS - 1, (30, 5), "hand_over", None),
        (MOST_HANDS, (30, 5), "finished", 0),
        (MOST_HANDS, (0, 50), "finished", 1),
        (MOST_HANDS, (0, 10), "finished", None),
    ],
)
def test_the_last_hand(number: int, scores: tuple[int, int], status: str, winner: int | None) -> None:
    """It is worth ten points to seat 0."""
    hand = situation(RULES, "5-0 right:1-0", ("5-1", "6-6"), "6-2", scores=scores)
    hand = replace(hand, start=replace(hand.start, number=number))
    done = decide(table(RULES, hand), 0, Play(Tile(5, 1), "right"), AT)
    assert done.match.status == status
    if status == "finished":
        assert done.match.result == MatchResult(winner, "score")


def test_a_match_ends_though_no_hand_scores() -> None:
    """By these rules no hand is worth the thirty points that it takes to be rounded to any."""
    nothing: dict[str, Any] = {
        "hand_size": 1,
        "rounding": "down",
        "block_rounding": "down",
        "rounding_unit": 30,
        "target": 1_000,
    }
    so_far = play_on(create(setup("block", 0, (Cpu("easy"), Cpu("easy")), **nothing), AT), AT)
    while so_far.match.status == "hand_over":
        so_far = play_on(decide(so_far.match, None, NextHand(), AT), AT)
    assert (so_far.match.result, len(so_far.match.past_hands)) == (MatchResult(None, "score"), MOST_HANDS)
