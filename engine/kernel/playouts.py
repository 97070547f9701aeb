"""Playouts: what becomes of a hand, on average, that is played on by chance."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from engine.kernel.chance import choose, mixed
from engine.kernel.compiled import SOURCES, Slots, compiled, kept
from engine.kernel.machine import at, copy, further
from engine.kernel.plan import Ints, Plan
from engine.kernel.points import team_of
from engine.kernel.position import Positions
from engine.kernel.slots import AT_END, IN_PLAY, STRIDE, TEAMS, TURN, WINNER
from engine.kernel.stakes import Stakes, with_stakes, worth
from engine.kernel.turns import act
from engine.kernel.verdict import match_winner
from engine.values import value

VALUE, SQUARES, WON, LOST, TIED, MATCH_WON, MATCH_LOST, POINTS = range(8)
"""What is added up, by column; from `POINTS` on a column for each team."""

_WORD: Final = 1 << 64


@value
class Policy:
    """How moves are chosen in a playout."""

    greed: int = 0
    """How often of 256 times a seat plays what scores most now or, where that is equal, its heaviest tile; else each
    legal move is as likely as any other."""


@value
class Played:
    """Sums over playouts, for the team of the seat that had the turn."""

    count: int
    """How many playouts there were of each position and first move."""
    sums: Ints
    """By position, first move and column."""

    def means(self) -> list[float]:
        """What each first move is worth on average: see `stakes`."""
        return [float(mean) for mean in self.sums[:, :, VALUE].mean(axis=0) / self.count]


def playouts(
    plan: Plan,
    positions: Positions,
    moves: Sequence[int],
    *,
    count: int,
    seed: int,
    policy: Policy = Policy(),
    stakes: Stakes = Stakes(),
) -> Played:
    """Make each of `moves` in each of `positions`, all of which have to allow them, and play the hand on `count` times.

    The same seed is the same play, on any machine. Playout `n` of a position has the same chances whatever the first
    move is, so that moves are told apart by fewer playouts.
    """
    sums = np.zeros((len(positions.states), len(moves), POINTS + plan.teams), np.int64)
    budget = np.array([count, policy.greed], np.int64)
    words = np.array([seed % _WORD], np.uint64)
    _play_out(
        with_stakes(plan, stakes),
        positions.states,
        positions.boneyards,
        np.array(moves, np.int64),
        budget,
        np.empty_like(positions.states[0]),
        words,
        sums,
    )
    return Played(count, sums)


@compiled
def _to_end(plan: Slots, state: Slots, boneyard: Slots, dice: Any, greed: int) -> None:
    while state[TURN] >= 0:
        act(plan, state, boneyard, choose(plan, state, dice, greed))


@compiled
def _add(plan: Slots, state: Slots, before: Slots, team: int, sums: Slots) -> None:
    """Add to `sums` how the hand ended for `team` that stood as `before`."""
    gain = worth(plan, state, team) - worth(plan, before, team)
    sums[VALUE] += gain
    sums[SQUARES] += gain * gain
    winner = state[WINNER]
    sums[TIED if winner < 0 else WON if winner == team else LOST] += 1
    match = match_winner(plan, state)
    if match >= 0:
        sums[MATCH_WON if match == team else MATCH_LOST] += 1
    for each in range(plan[TEAMS]):
        for slot in (IN_PLAY + STRIDE * each, AT_END + STRIDE * each):
            sums[POINTS + each] += state[slot] - before[slot]


def _entry() -> Callable[..., None]:
    sources = SOURCES

    @kept
    def play_out(  # noqa: PLR0913, PLR0917 - they are arrays of different shapes
        plan: Ints,
        states: Ints,
        boneyards: Ints,
        moves: Ints,
        budget: Ints,
        scratch: Ints,
        dice: Any,
        sums: Ints,
    ) -> None:
        assert sources
        rules, chances, seed = at(plan), at(dice), dice[0]
        state, size = at(scratch), states.shape[1]
        for position in range(len(states)):
            before = further(at(states), position * size)
            boneyard = further(at(boneyards), position * boneyards.shape[1])
            team = team_of(rules, before[TURN])
            for playout in range(budget[0]):
                start = mixed(seed ^ mixed(np.uint64(playout) + np.uint64(position) * np.uint64(1 << 32)))
                for move in range(len(moves)):
                    chances[0] = start
                    copy(before, state, size)
                    act(rules, state, boneyard, moves[move])
                    _to_end(rules, state, boneyard, chances, budget[1])
                    row = further(at(sums), (position * sums.shape[1] + move) * sums.shape[2])
                    _add(rules, state, before, team, row)

    return play_out


_play_out = _entry()
