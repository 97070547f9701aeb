"""What is compiled ahead of time is all that a decision needs."""

import sys

from tests.programs import printed

PROGRAM = """
from engine.kernel import habits, search, tree
from engine.kernel.ready import warm
from engine.match import create, decide
from engine.players import Cpu
from engine import autoplay
from tests.engine.games import AT, setup

entries = (habits._record, habits._weigh, search._solve, tree._grow)
warm()
before = [entry.signatures for entry in entries]
match = create(setup("block", 3, (Cpu("expert"), Cpu("expert"))), AT).match
while match.status == "playing":
    match = decide(match, match.turn, autoplay.choose(match), AT).match
print([len(found) for found in before], before == [entry.signatures for entry in entries])
"""


def test_a_hand_among_experts_finds_all_compiled() -> None:
    assert printed([sys.executable, "-c", PROGRAM]) == "[1, 1, 1, 1] True\n"
