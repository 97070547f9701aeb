"""Node counts: how many ways a hand can go on, to a depth, from pinned deals. No rule changes without one of them."""

from dataclasses import replace

import pytest

from engine.catalogue import RULESETS
from engine.deal import NumberedDeal, seed_for
from engine.match import Match, create, decide, legal_moves
from engine.players import Cpu
from tests.engine.games import AT, setup
from tests.kinds import KINDS

GOLDEN = {
    "partner-penalty 1": [1, 6, 22, 74, 146, 232, 566, 1676, 3180],
    "partner-penalty 2": [1, 2, 6, 18, 58, 116, 276, 662, 1682],
    "all-fives 1": [1, 2, 6, 18, 64, 220, 642, 2150, 4792],
    "all-fives 2": [1, 2, 6, 6, 16, 20, 40, 64, 154],
    "draw 1": [2, 6, 18, 38, 94, 144, 268, 368, 622],
    "draw 2": [2, 6, 6, 16, 20, 40, 64, 154, 264],
    "block 1": [2, 6, 18, 38, 96, 152, 266, 354, 614],
    "block 2": [2, 6, 6, 20, 26, 54, 84, 164, 290],
    "matador 1": [1, 6, 30, 94, 332, 594, 1350, 1706, 2100],
    "matador 2": [1, 8, 28, 118, 344, 888, 1824, 3422, 4890],
    "tiddly-wink 1": [1, 1, 1, 1, 1, 1, 1, 1, 1],
    "tiddly-wink 2": [1, 1, 1, 1, 2, 2, 2, 2, 2],
    "maltese-cross 1": [1, 4, 24, 24, 48, 48, 48, 48, 48],
    "maltese-cross 2": [1, 4, 12, 12, 12, 12, 12, 12, 12],
    "hungarian 1": [6, 9, 14, 19, 53, 98, 180, 293, 468],
    "hungarian 2": [6, 14, 22, 45, 87, 162, 377, 907, 2013],
    "pass-pass 1": [6, 14, 39, 107, 282, 694, 1546, 3387, 7095],
    "pass-pass 2": [6, 11, 25, 64, 144, 309, 666, 1449, 3015],
    "manaus 1": [1, 2, 8, 26, 164, 758, 3752],
    "manaus 2": [1, 6, 16, 68, 272, 1782],
    "cut-throat 1": [1, 2, 8, 18, 56, 170, 408, 1072, 2730],
    "cut-throat 2": [1, 6, 16, 56, 144, 494, 1402, 3462, 9398],
}


def nodes(match: Match, depth: int) -> int:
    """The number of sequences of `depth` moves, or fewer to the end of the hand; a draw takes the first tile."""
    moves = legal_moves(match, match.turn) if match.status == "playing" else ()
    if depth == 0 or not moves:
        return 1
    return sum(nodes(decide(match, match.turn, move, AT).match, depth - 1) for move in moves)


@pytest.mark.parametrize("ruleset", KINDS)
@pytest.mark.parametrize("number", [1, 2])
def test_node_counts(ruleset: str, number: int) -> None:
    kind = NumberedDeal(number)
    chosen = setup(ruleset, 0, (Cpu(),) * RULESETS[ruleset].seat_counts[0], kind)
    match = create(replace(chosen, seed=seed_for(kind, b"")), AT).match
    counts = GOLDEN[f"{ruleset} {number}"]
    assert [nodes(match, depth) for depth in range(1, len(counts) + 1)] == counts
