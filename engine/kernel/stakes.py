"""What it is worth to a team how a hand goes on and ends: points, and what becomes of the match."""

import numpy as np

from engine.kernel.compiled import Slots, compiled
from engine.kernel.plan import Ints, Plan
from engine.kernel.slots import AT_END, IN_PLAY, PENALTY, PLAN_SIZE, SCORE, STRIDE, TEAMS, TURN
from engine.kernel.verdict import OPEN, match_winner
from engine.values import value

BONUS = PLAN_SIZE
SIZE = PLAN_SIZE + 1
_TABLE = PLAN_SIZE + 2


@value
class Stakes:
    """How points and the match are weighed against each other."""

    bonus: int = 20
    """What it is worth to win the match with the hand, in points, and what it costs to lose it."""
    table: tuple[tuple[int, ...], ...] = ()
    """For two teams: what a match is worth that goes on at these scores, by the own score and then by the other's. A
    score beyond the table counts as its last. It stands in the place of points; empty: points count.
    """


def with_stakes(plan: Plan, stakes: Stakes) -> Ints:
    """The numbers of `plan`, and after them those of `stakes`."""
    if stakes.table and plan.teams != 2:
        raise ValueError("A table of scores is for two teams.")
    if any(len(row) != len(stakes.table) for row in stakes.table):
        raise ValueError("A table of scores is square.")
    worths = [worth for row in stakes.table for worth in row]
    return np.concatenate([plan.numbers, np.array([stakes.bonus, len(stakes.table), *worths], np.int64)])


@compiled
def worth(plan: Slots, state: Slots, team: int) -> int:
    """What `team` has of the hand as it stands: its points less those that each other team has on average, and the
    bonus, all times the number of other teams, so that it is whole. In a penalty game points are bad.
    """
    gained = lead(plan, state, team) if plan[SIZE] == 0 else 0
    if state[TURN] >= 0:
        return gained
    winner = match_winner(plan, state)
    if winner == OPEN:
        return gained if plan[SIZE] == 0 else _looked_up(plan, state, team)
    if winner < 0:
        return gained
    bonus = (plan[TEAMS] - 1) * plan[BONUS]
    return gained + bonus if winner == team else gained - bonus


@compiled
def lead(plan: Slots, state: Slots, team: int) -> int:
    """The points of `team` in the hand less those that each other team has on average, times their number."""
    lead = 0
    for each in range(plan[TEAMS]):
        points = state[IN_PLAY + STRIDE * each] + state[AT_END + STRIDE * each]
        lead += points * (plan[TEAMS] - 1) if each == team else -points
    return -lead if plan[PENALTY] else lead


@compiled
def _looked_up(plan: Slots, state: Slots, team: int) -> int:
    own, other = state[SCORE + STRIDE * team], state[SCORE + STRIDE * (1 - team)]
    last = plan[SIZE] - 1
    return plan[_TABLE + min(own, last) * plan[SIZE] + min(other, last)]
