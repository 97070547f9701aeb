"""Compiling ahead of time."""

import numpy as np

from engine.kernel.habits import FEATURES, likelihoods, record
from engine.kernel.plan import plan_of
from engine.kernel.playouts import playouts
from engine.kernel.position import empty, follow, legal_turns, set_dealt, together
from engine.kernel.search import solve
from engine.kernel.slots import TURN
from engine.kernel.tree import Budget, grow
from engine.moves import PastMove
from engine.rules import Rules
from engine.tiles import Tile


def warm() -> None:
    """Compile all that there is, or load what is kept: half a minute, or a moment."""
    plan = plan_of(Rules(), 2)
    state = empty(plan)
    state[TURN] = 0
    position = set_dealt(plan, state, ((Tile(0, 0), Tile(1, 0)), (Tile(1, 1),)), ())
    follow(plan, position, legal_turns(plan, position)[0])
    moves = legal_turns(plan, position)
    playouts(plan, together([position]), moves, count=1, seed=0)
    solve(plan, together([position]), moves, node_limit=1)
    grow(plan, together([position]), moves, Budget(visits=1, curiosity=1.0, greed=0), seed=0)
    rows = record(plan, [PastMove(0, "play", Tile(0, 0))])
    order, held = np.arange(len(plan.tiles)), np.ones((1, 1), np.uint64)
    likelihoods(plan, rows, held, order, np.zeros((1, len(FEATURES))), 0.0)
