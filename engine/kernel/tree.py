"""A search in the tree of what everybody can see, for who does not see all tiles.

Deals of the hidden tiles are played through one tree of moves, each as far as the tree reaches and then on by chance.
At each node of the tree a seat makes the move that has been best for its team so far, or one that has seldom been tried
for how often it could have been made (UCB1 among what is legal in the deal). So a seat's plan is the same in all deals
that look the same to all, and nothing is planned on that cannot be known.

The tree search is the single-observer one of Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search",
IEEE Transactions on Computational Intelligence and AI in Games 4 (2012).
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from engine.kernel.chance import below, by_weight, choose, mixed
from engine.kernel.choices import FRAME, MOVES, list_choices
from engine.kernel.compiled import SOURCES, Slots, compiled, kept
from engine.kernel.machine import at, copy, further
from engine.kernel.plan import Ints, Plan
from engine.kernel.points import team_of
from engine.kernel.position import Positions
from engine.kernel.slots import DOUBLES, MOST_TILES, TURN, WINNER
from engine.kernel.stakes import Stakes, lead, with_stakes, worth
from engine.kernel.turns import act, playable, unplayable
from engine.values import value

FREE, HEAVIEST, DOUBLES_FIRST = range(3)
"""How a seat plays in a deal: as the tree finds best, its heaviest tile, or its heaviest double before others."""

_MOVE, _FIRST, _NEXT, _TEAM, _VISITS, _CHANCES, _VALUE = range(7)
"""In a node: the move that leads there, its first child, its next sibling, for whom it is worth something, how often it
was visited and how often it might have been, and what all visits were worth. The root has in the place of the move how
many nodes there are.
"""
_NODE: Final = 8
_WON, _TIED, _LEAD, _VISITED, _WORTH = range(5)
_DEPTH: Final = 8 * MOST_TILES
_WORD: Final = 1 << 64


@value
class Budget:
    """How a tree is grown. These are counts: the same tree grows on any machine."""

    visits: int
    """How many hands are played through it."""
    curiosity: float
    """How much it is worth to try what has seldom been tried, in standard deviations of what a hand is worth, or by
    how much more the best first move is worth than the worst, if that is more.
    """
    greed: int
    """How often of 256 times a seat plays its heaviest tile, or what scores most, beyond the tree."""
    even: bool = False
    """Whether each first move is tried as often as any other, so that all are measured alike, and not the best most."""


@value
class Grown:
    """What came of each first move, for the team of the seat that had the turn."""

    teams: int
    sums: Ints
    """By first move: hands won, and tied, the points of lead, and how many visits there were and what these were worth.
    """

    def visits(self) -> list[int]:
        """How often each move was tried."""
        return [int(row[_VISITED]) for row in self.sums]

    def worths(self) -> list[float]:
        """What each is worth on average: see `stakes`."""
        return [float(row[_WORTH]) / max(1, int(row[_VISITED])) for row in self.sums]

    def points(self) -> list[float]:
        """How many points more the hand brings than it brings to each other team, on average."""
        return [float(row[_LEAD]) / max(1, int(row[_VISITED]) * (self.teams - 1)) for row in self.sums]

    def wins(self) -> list[float]:
        """The part of the hands that were won; a tie is half."""
        return [(float(row[_WON]) + float(row[_TIED]) / 2) / max(1, int(row[_VISITED])) for row in self.sums]


def grow(
    plan: Plan,
    positions: Positions,
    moves: Sequence[int],
    budget: Budget,
    *,
    seed: int,
    habits: Ints | None = None,
    stakes: Stakes = Stakes(),
) -> Grown:
    """Play `positions`, which are to be in any order, in turn, with each of `moves` first, all of which they allow.

    `habits` says by position and seat how it plays: see `FREE`.
    """
    count, most = len(moves), 3 * budget.visits + len(moves) + 2
    tree = np.zeros((most, _NODE), np.int64)
    tree[:, [_FIRST, _NEXT]] = -1
    tree[0, [_MOVE, _FIRST]] = count + 1, 1
    tree[1 : count + 1, _MOVE] = moves
    tree[1:count, _NEXT] = range(2, count + 1)
    sums = np.zeros((count, _WORTH + 1), np.int64)
    _grow(
        with_stakes(plan, stakes),
        positions.states,
        positions.boneyards,
        np.zeros((len(positions.states), plan.seats), np.int64) if habits is None else habits,
        np.array(moves, np.int64),
        np.array([budget.visits, budget.greed, budget.even, most], np.int64),
        float(budget.curiosity),
        np.array([seed % _WORD], np.uint64),
        np.empty(FRAME, np.int64),
        np.empty(_DEPTH, np.int64),
        tree,
        sums,
    )
    return Grown(plan.teams, sums)


@compiled
def _child(tree: Slots, node: int, move: int) -> int:
    """The child that `move` leads to; -1 for none yet."""
    child = tree[_NODE * node + _FIRST]
    while child >= 0 and tree[_NODE * child + _MOVE] != move:
        child = tree[_NODE * child + _NEXT]
    return child


@compiled
def _add_child(tree: Slots, node: int, move: int, team: int) -> int:
    child = tree[_MOVE]
    tree[_MOVE] = child + 1
    row = _NODE * child
    tree[row + _MOVE], tree[row + _TEAM] = move, team
    tree[row + _NEXT] = tree[_NODE * node + _FIRST]
    tree[_NODE * node + _FIRST] = child
    return child


@compiled
def _by_habit(plan: Slots, frame: Slots, dice: Any, habit: int) -> int:
    return by_weight(plan, frame, dice, plan[DOUBLES] if habit == DOUBLES_FIRST else 0)


@compiled
def _list_moves(plan: Slots, frame: Slots, dice: Any, habit: int) -> int:
    """Write down what the seat may do, or what it does by habit, and say how many moves that are."""
    if not playable(plan, frame):
        frame[MOVES] = unplayable(plan, frame)
        return 1
    if habit != FREE:
        frame[MOVES] = _by_habit(plan, frame, dice, habit)
        return 1
    return list_choices(plan, frame)


@compiled
def _select(tree: Slots, node: int, frame: Slots, found: int, dice: Any, bonus: float) -> int:
    """The place of the move to make: any of those that have never been made or, where there is none, the best."""
    best, fresh, most = 0, 0, -1e18
    for place in range(found):
        child = _child(tree, node, frame[MOVES + place])
        row = _NODE * child
        if child < 0 or tree[row + _VISITS] == 0:
            fresh += 1
            if below(dice, fresh) == 0:
                best = place
            continue
        tree[row + _CHANCES] += 1
        if fresh == 0:
            visits = tree[row + _VISITS]
            score = tree[row + _VALUE] / visits + bonus * np.sqrt(np.log(tree[row + _CHANCES] + 1.0) / visits)
            if score > most:
                best, most = place, score
    return best


@compiled
def _gap(tree: Slots, moves: int) -> float:
    """What lies between the best and the worst of the first moves, as far as they have been tried. Where all that comes
    of one is the same, hands hardly differ, and one that began badly would never be tried again.
    """
    least, most = 1e18, -1e18
    for child in range(1, moves + 1):
        visits = tree[_NODE * child + _VISITS]
        if visits:
            mean = tree[_NODE * child + _VALUE] / visits
            least, most = min(least, mean), max(most, mean)
    return max(0.0, most - least)


@compiled
def _descend(  # noqa: PLR0913, PLR0917
    plan: Slots,
    frame: Slots,
    boneyard: Slots,
    tree: Slots,
    path: Slots,
    habits: Slots,
    dice: Any,
    bonus: float,
    most: int,
) -> int:
    """Go on through the tree from its node `path[0]`, to the first move that has never been made, and say how deep."""
    depth, fresh = 1, False
    while frame[TURN] >= 0 and not fresh and depth < _DEPTH:
        node = path[depth - 1]
        found = _list_moves(plan, frame, dice, habits[frame[TURN]])
        move = frame[MOVES + _select(tree, node, frame, found, dice, bonus)]
        child = _child(tree, node, move)
        if child < 0:
            if tree[_MOVE] >= most:
                return depth
            child = _add_child(tree, node, move, team_of(plan, frame[TURN]))
        # Where there is no choice there is nothing to learn by stopping.
        fresh = tree[_NODE * child + _VISITS] == 0 and found > 1
        path[depth] = child
        depth += 1
        act(plan, frame, boneyard, move)
    return depth


@compiled
def _play_out(plan: Slots, frame: Slots, boneyard: Slots, habits: Slots, dice: Any, greed: int) -> None:
    while frame[TURN] >= 0:
        habit = habits[frame[TURN]]
        if habit != FREE and playable(plan, frame):
            act(plan, frame, boneyard, _by_habit(plan, frame, dice, habit))
        else:
            act(plan, frame, boneyard, choose(plan, frame, dice, greed))


@compiled
def _learn(plan: Slots, frame: Slots, before: Slots, tree: Slots, path: Slots, depth: int, sums: Slots) -> None:
    """Tell the nodes of the path how the hand ended, and the first move's sums."""
    for step in range(depth):
        row = _NODE * path[step]
        team = tree[row + _TEAM]
        tree[row + _VISITS] += 1
        tree[row + _VALUE] += worth(plan, frame, team) - worth(plan, before, team)
    team, winner = team_of(plan, before[TURN]), frame[WINNER]
    sums[_WON] += 1 if winner == team else 0
    sums[_TIED] += 1 if winner < 0 else 0
    sums[_LEAD] += lead(plan, frame, team) - lead(plan, before, team)
    sums[_VISITED] += 1
    sums[_WORTH] += worth(plan, frame, team) - worth(plan, before, team)


def _entry() -> Callable[..., None]:
    sources = SOURCES

    @kept
    def grow_tree(  # noqa: PLR0913, PLR0917 - they are arrays of different shapes
        plan: Ints,
        states: Ints,
        boneyards: Ints,
        habits: Ints,
        first: Ints,
        budget: Ints,
        curiosity: float,
        dice: Any,
        scratch: Ints,
        path: Ints,
        nodes: Ints,
        sums: Ints,
    ) -> None:
        assert sources
        rules, chances, seed, frame, tree = at(plan), at(dice), dice[0], at(scratch), at(nodes)
        size, moves, team = states.shape[1], len(first), team_of(at(plan), states[0, TURN])
        nodes[1 : moves + 1, _TEAM] = team
        total, squares = 0.0, 0.0
        for visit in range(budget[0]):
            position = (visit // moves if budget[2] else visit) % len(states)
            before = further(at(states), position * size)
            boneyard = further(at(boneyards), position * boneyards.shape[1])
            ways = further(at(habits), position * habits.shape[1])
            chances[0] = mixed(seed ^ mixed(np.uint64(visit)))
            copy(before, frame, size)
            for place in range(moves):
                frame[MOVES + place] = first[place]
            mean = total / max(1, visit)
            bonus = curiosity * max(np.sqrt(max(1.0, squares / max(1, visit) - mean * mean)), _gap(tree, moves))
            place = visit % moves if budget[2] else _select(tree, 0, frame, moves, chances, bonus)
            path[0] = place + 1
            act(rules, frame, boneyard, first[place])
            depth = 1
            if frame[TURN] >= 0 and nodes[place + 1, _VISITS] > 0:
                depth = _descend(rules, frame, boneyard, tree, at(path), ways, chances, bonus, budget[3])
            _play_out(rules, frame, boneyard, ways, chances, budget[1])
            _learn(rules, frame, before, tree, at(path), depth, further(at(sums), place * sums.shape[1]))
            gain = worth(rules, frame, team) - worth(rules, before, team)
            total += gain
            squares += gain * gain

    return grow_tree


_grow = _entry()
