"""The reference player, and who plays whom."""

import pytest

from arena.players import PLAYERS, REFERENCE, rungs
from engine.deal import Stream
from engine.moves import Draw, Pass, Play
from engine.strategies import STRATEGIES
from engine.view import Viewer, view
from tests.engine.games import random_play, setup
from tests.kinds import KINDS


def reference(listed: list[Play]) -> Play:
    """Its rule again, step by step."""
    doubles = [play for play in listed if play.tile.high == play.tile.low]
    heaviest = max(play.tile.high + play.tile.low for play in doubles or listed)
    return next(play for play in doubles or listed if play.tile.high + play.tile.low == heaviest)


@pytest.mark.parametrize("ruleset", KINDS)
def test_the_reference_plays_doubles_first_and_then_the_heaviest(ruleset: str) -> None:
    kinds = set()
    for number in range(4):
        for moment in random_play(setup(ruleset, number), most=150):
            match = moment.match
            if match.turn is None:
                continue
            seen = view(match, Viewer("seat", match.turn))
            assert seen.hand is not None
            listed = seen.hand.legal_moves
            plays = [move for move in listed if isinstance(move, Play)]
            chosen = PLAYERS[REFERENCE](seen, Stream("00" * 32, "test"))
            assert chosen == (reference(plays) if plays else listed[0])
            kinds.add((type(chosen), isinstance(chosen, Play) and chosen.tile.is_double))
    assert {(Play, True), (Play, False)} < kinds
    assert kinds & {(Draw, False), (Pass, False)}


def test_the_reference_is_no_level() -> None:
    assert REFERENCE not in STRATEGIES
    assert list(PLAYERS) == [*STRATEGIES, REFERENCE]


def test_each_level_plays_the_one_below_and_the_highest_the_reference() -> None:
    levels = list(STRATEGIES)
    assert rungs()[0] == ("medium", "easy")
    assert rungs()[-1] == (levels[-1], "reference")
    assert {one for one, _ in rungs()} == set(levels[1:])
