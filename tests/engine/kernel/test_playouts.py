"""Hands played on by chance."""

import math
import threading
from fractions import Fraction
from typing import Final

import numpy as np
import pytest

from engine.catalogue import RULESETS
from engine.kernel.plan import Ints, Plan, plan_of
from engine.kernel.playouts import (
    LOST,
    MATCH_LOST,
    MATCH_WON,
    POINTS,
    SQUARES,
    TIED,
    VALUE,
    WON,
    Policy,
    playouts,
)
from engine.kernel.position import Position, code_of, legal_turns, position_of, together
from engine.kernel.slots import TURN
from engine.kernel.stakes import Stakes
from engine.match import Match, decide, legal_moves
from tests.engine.games import AT
from tests.engine.kernel.positions import some_hand, turns_of
from tests.engine.kernel.test_search import BONUS, standing
from tests.kinds import SOURCE_GAMES


def expected(match: Match, team: int) -> Fraction:
    """What `team` is still to get on average, if each legal move is as likely as any other."""
    if match.status != "playing":
        return Fraction(0)
    moves = legal_moves(match, match.turn)
    following = [decide(match, match.turn, move, AT).match for move in moves]
    gains = [standing(each, team) - standing(match, team) + expected(each, team) for each in following]
    return sum(gains, Fraction(0)) / len(moves)


@pytest.mark.parametrize("ruleset", [*SOURCE_GAMES, "hungarian", "french", "pass-pass"])
def test_the_averages_are_those_of_random_play_in_the_engine(ruleset: str) -> None:
    seats = RULESETS[ruleset].seat_counts[0]
    plan = plan_of(RULESETS[ruleset].rules, seats)
    count = 20_000
    for match in [match for number in range(12) if (match := some_hand(plan, number, 8))]:
        assert match.hand is not None
        assert match.turn is not None
        moves = turns_of(match)
        played = playouts(
            plan,
            together([position_of(plan, match.hand)]),
            [code_of(plan, move) for move in moves],
            count=count,
            seed=7,
            stakes=Stakes(BONUS),
        )
        team = plan.rules.team(match.turn)
        for place, (move, mean) in enumerate(zip(moves, played.means(), strict=True)):
            following = decide(match, match.turn, move, AT).match
            exact = standing(following, team) - standing(match, team) + expected(following, team)
            spread = math.sqrt(played.sums[0, place, SQUARES] / count - mean * mean)
            assert abs(mean - exact) <= 5 * spread / math.sqrt(count)


def start(ruleset: str, number: int) -> tuple[Plan, Position, list[int]]:
    """A position at the first choice of a hand, and the moves there."""
    plan = plan_of(RULESETS[ruleset].rules, RULESETS[ruleset].seat_counts[0])
    match = some_hand(plan, number, 100)
    assert match is not None
    assert match.hand is not None
    position = position_of(plan, match.hand)
    return plan, position, legal_turns(plan, position)


PINNED: Final = {
    0: [
        [-3345, 300825, 172, 827, 1, 0, 0, 14395, 17740],
        [-9535, 422925, 164, 836, 0, 0, 0, 12325, 21860],
        [-3010, 293900, 185, 815, 0, 0, 0, 14675, 17685],
        [-10130, 431450, 177, 823, 0, 0, 0, 12530, 22660],
    ],
    128: [
        [-4200, 283350, 132, 868, 0, 0, 0, 17915, 22115],
        [-15060, 507600, 101, 899, 0, 0, 0, 12905, 27965],
        [-4370, 288250, 115, 885, 0, 0, 0, 17940, 22310],
        [-15915, 568625, 103, 897, 0, 0, 0, 11570, 27485],
    ],
}
"""By greed: the sums of one call, which are the same on every machine."""


def test_playouts_repeat_by_their_seed_and_these_are_their_sums() -> None:
    plan, position, moves = start("all-fives", 3)
    for policy, sums in PINNED.items():
        played = playouts(plan, together([position]), moves, count=1000, seed=5, policy=Policy(policy))
        assert played.sums[0].tolist() == sums
    other = playouts(plan, together([position]), moves, count=1000, seed=6)
    assert other.sums[0].tolist() != PINNED[0]


@pytest.mark.parametrize("ruleset", SOURCE_GAMES)
def test_the_sums_add_up(ruleset: str) -> None:
    plan, position, moves = start(ruleset, 1)
    played = playouts(plan, together([position] * 2), moves, count=500, seed=1, policy=Policy(64), stakes=Stakes(0))
    sums = played.sums
    assert (sums[:, :, [WON, LOST, TIED]].sum(axis=2) == 500).all()
    assert (sums[:, :, MATCH_WON] + sums[:, :, MATCH_LOST] <= 500).all()
    own = plan.rules.team(int(position.state[TURN]))
    lead = sums[:, :, POINTS + own] - sums[:, :, POINTS + 1 - own]
    assert (sums[:, :, VALUE] == (lead if plan.rules.scoring == "points" else -lead)).all()
    assert not np.array_equal(sums[0], sums[1]), "Two guesses have chances of their own, even where they are equal."


def test_greedy_hands_take_more_in_play_than_those_that_are_played_by_chance() -> None:
    taken = {0: 0, 256: 0}
    for greed in taken:
        for number in range(20):
            plan, position, moves = start("all-fives", number)
            sums = playouts(plan, together([position]), moves[:1], count=200, seed=1, policy=Policy(greed)).sums
            taken[greed] += int(sums[0, 0, POINTS:].sum())
    assert taken[256] > 1.2 * taken[0]


def test_threads_play_at_the_same_time_and_each_as_if_it_were_alone() -> None:
    plan, position, moves = start("partner-penalty", 4)
    alone = [playouts(plan, together([position]), moves, count=2000, seed=seed).sums for seed in range(4)]
    found: dict[int, Ints] = {}

    def play(seed: int) -> None:
        found[seed] = playouts(plan, together([position]), moves, count=2000, seed=seed).sums

    threads = [threading.Thread(target=play, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for seed, sums in enumerate(alone):
        assert np.array_equal(sums, found[seed])
