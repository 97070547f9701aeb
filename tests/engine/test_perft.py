"""Node counts: how many ways a hand can go on, to a depth, from pinned deals. No rule changes without one of them."""

from dataclasses import replace

import pytest

from engine.deal import NumberedDeal, seed_for
from engine.match import Match, create, decide, legal_moves
from engine.players import Cpu
from engine.rulesets import RULESETS
from tests.engine.games import AT, setup

DEPTH = 9
GOLDEN = {
    "partner-penalty 1": [1, 6, 22, 74, 146, 232, 566, 1676, 3180],
    "partner-penalty 2": [1, 2, 6, 18, 58, 116, 276, 662, 1682],
    "all-fives 1": [1, 2, 6, 18, 64, 220, 642, 2150, 4792],
    "all-fives 2": [1, 2, 6, 6, 16, 20, 40, 64, 154],
    "draw 1": [2, 6, 18, 38, 94, 144, 268, 368, 622],
    "draw 2": [2, 6, 6, 16, 20, 40, 64, 154, 264],
    "block 1": [2, 6, 18, 38, 96, 152, 266, 354, 614],
    "block 2": [2, 6, 6, 20, 26, 54, 84, 164, 290],
}


def nodes(match: Match, depth: int) -> int:
    """The number of sequences of `depth` moves, or fewer to the end of the hand; a draw takes the first tile."""
    moves = legal_moves(match, match.turn) if match.status == "playing" else ()
    if depth == 0 or not moves:
        return 1
    return sum(nodes(decide(match, match.turn, move, AT).match, depth - 1) for move in moves)


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("number", [1, 2])
def test_node_counts(ruleset: str, number: int) -> None:
    kind = NumberedDeal(number)
    chosen = setup(ruleset, 0, (Cpu(),) * RULESETS[ruleset].seat_counts[0], kind)
    match = create(replace(chosen, seed=seed_for(kind, b"")), AT).match
    assert [nodes(match, depth) for depth in range(1, DEPTH + 1)] == GOLDEN[f"{ruleset} {number}"]
