"""What it is worth to a team how a hand goes on and ends: points, and what becomes of the match."""

import numpy as np

from engine.kernel.compiled import Slots, compiled
from engine.kernel.plan import Ints, Plan
from engine.kernel.slots import AT_END, IN_PLAY, PENALTY, SCORE, STRIDE, TEAMS, TURN
from engine.kernel.verdict import OPEN, match_winner
from engine.values import value

BONUS, SIZE, TABLE = range(3)


@value
class Stakes:
    """How points and the match are weighed against each other."""

    bonus: int = 20
    """What it is worth to win the match with the hand, in points, and what it costs to lose it."""
    table: tuple[tuple[int, ...], ...] = ()
    """For two teams: what a match is worth that goes on at these scores, by the own score and then by the other's. A
    score beyond the table counts as its last. It stands in the place of points; empty: points count.
    """

    def numbers(self, plan: Plan) -> Ints:
        """The same as an array."""
        if self.table and plan.teams != 2:
            raise ValueError("A table of scores is for two teams.")
        if any(len(row) != len(self.table) for row in self.table):
            raise ValueError("A table of scores is square.")
        return np.array([self.bonus, len(self.table), *[worth for row in self.table for worth in row]], np.int64)


@compiled
def worth(plan: Slots, state: Slots, team: int, stakes: Slots) -> int:
    """What `team` has of the hand as it stands: its points less those that each other team has on average, and the
    bonus, all times the number of other teams, so that it is whole. In a penalty game points are bad.
    """
    others = plan[TEAMS] - 1
    lead = 0
    if stakes[SIZE] == 0:
        lead = _lead(plan, state, team)
    if state[TURN] >= 0:
        return lead
    winner = match_winner(plan, state)
    if winner == OPEN:
        return lead if stakes[SIZE] == 0 else _looked_up(state, team, stakes)
    if winner < 0:
        return lead
    return lead + others * (stakes[BONUS] if winner == team else -stakes[BONUS])


@compiled
def _lead(plan: Slots, state: Slots, team: int) -> int:
    lead = 0
    for each in range(plan[TEAMS]):
        points = state[IN_PLAY + STRIDE * each] + state[AT_END + STRIDE * each]
        lead += points * (plan[TEAMS] - 1) if each == team else -points
    return -lead if plan[PENALTY] else lead


@compiled
def _looked_up(state: Slots, team: int, stakes: Slots) -> int:
    own, other = state[SCORE + STRIDE * team], state[SCORE + STRIDE * (1 - team)]
    last = stakes[SIZE] - 1
    return stakes[TABLE + min(own, last) * stakes[SIZE] + min(other, last)]
