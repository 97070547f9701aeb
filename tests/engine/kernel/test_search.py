"""Solved positions, against a search that is written plainly over the engine."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

from engine.catalogue import RULESETS
from engine.kernel.plan import plan_of, uncovered
from engine.kernel.position import Position, code_of, legal_turns, position_of, together
from engine.kernel.search import UNKNOWN, Solved, solve
from engine.kernel.stakes import Stakes
from engine.match import Match, decide, legal_moves
from engine.moves import Move
from engine.rules import Rules
from tests.engine.any_rules import SEEDS, games
from tests.engine.games import AT
from tests.engine.kernel.positions import some_hand, turns_of
from tests.kinds import SOURCE_GAMES

BONUS = 30


def standing(match: Match, team: int, table: tuple[tuple[int, ...], ...] = ()) -> int:
    """What `team` has of the hand: see `Stakes`."""
    assert match.hand is not None
    rules, tally = match.setup.rules, match.hand.tally
    points = [sum(each) for each in zip(tally.play_points, tally.end_points, strict=True)]
    lead = (len(points) * points[team] - sum(points)) * (1 if rules.scoring == "points" else -1)
    if table:
        own, other = (min(tally.scores[each], len(table) - 1) for each in (team, 1 - team))
        lead = table[own][other] if match.status == "hand_over" else 0
    if match.result is None or match.result.winner is None:
        return lead
    return lead + (len(points) - 1) * (BONUS if match.result.winner == team else -BONUS)


def to_come(match: Match, team: int, table: tuple[tuple[int, ...], ...] = ()) -> int:
    """What `team` is still to get, if it plays for the most and all others for the least."""
    if match.status != "playing":
        return 0
    assert match.turn is not None
    best = max if match.setup.rules.team(match.turn) == team else min
    return best([after(match, move, team, table) for move in legal_moves(match, match.turn)])


def after(match: Match, move: Move, team: int, table: tuple[tuple[int, ...], ...] = ()) -> int:
    """What `move` brings `team` in the end."""
    following = decide(match, match.turn, move, AT).match
    return standing(following, team, table) - standing(match, team, table) + to_come(following, team, table)


def assert_solved(match: Match, table: tuple[tuple[int, ...], ...] = ()) -> None:
    assert match.hand is not None
    assert match.turn is not None
    rules = match.setup.rules
    plan = plan_of(rules, len(match.players))
    moves = turns_of(match)
    stakes = Stakes(BONUS, table)
    positions = together([position_of(plan, match.hand)])
    solved = solve(plan, positions, [code_of(plan, move) for move in moves], node_limit=100_000, stakes=stakes)
    assert solved.worths[0].tolist() == [after(match, move, rules.team(match.turn), table) for move in moves]


@pytest.mark.parametrize(("ruleset", "tiles"), [("partner-penalty", 10), ("all-fives", 12), ("draw", 10), ("block", 8)])
def test_small_hands_are_solved_as_plainly(ruleset: str, tiles: int) -> None:
    seats = RULESETS[ruleset].seat_counts[0]
    plan = plan_of(RULESETS[ruleset].rules, seats)
    found = [match for number in range(220) if (match := some_hand(plan, number, tiles))]
    assert len(found) >= 40
    for match in found:
        assert_solved(match)


@given(games(), SEEDS)
@settings(max_examples=100)
def test_small_hands_of_any_game_are_solved_as_plainly(game: tuple[Rules, int], seed: int) -> None:
    rules, seats = game
    if uncovered(rules, seats) is not None:
        return
    match = some_hand(plan_of(rules, seats), seed, 7)
    if match is not None:
        assert_solved(match)


@pytest.mark.parametrize("ruleset", ["partner-penalty", "all-fives"])
def test_a_table_of_scores_takes_the_place_of_points(ruleset: str) -> None:
    seats = RULESETS[ruleset].seat_counts[0]
    plan = plan_of(replace(RULESETS[ruleset].rules, target=60), seats)
    table = tuple(tuple((7 * own - 5 * other) % 41 for other in range(40)) for own in range(40))
    for number in range(20):
        match = some_hand(plan, number, 8)
        if match is not None:
            assert_solved(match, table)


def hand_at_start(ruleset: str, number: int) -> tuple[Position, list[int]]:
    plan = plan_of(RULESETS[ruleset].rules, RULESETS[ruleset].seat_counts[0])
    match = some_hand(plan, number, 100)
    assert match is not None
    assert match.hand is not None
    position = position_of(plan, match.hand)
    return position, legal_turns(plan, position)


def solved(ruleset: str, position: Position, moves: list[int], limit: int = 10_000_000, bits: int = 16) -> Solved:
    plan = plan_of(RULESETS[ruleset].rules, RULESETS[ruleset].seat_counts[0])
    return solve(plan, together([position]), moves, node_limit=limit, table_bits=bits)


@pytest.mark.parametrize("ruleset", SOURCE_GAMES)
def test_how_much_is_remembered_changes_only_the_work(ruleset: str) -> None:
    for number in range(3):
        position, moves = hand_at_start(ruleset, number)
        much, little = solved(ruleset, position, moves), solved(ruleset, position, moves, bits=6)
        assert much.worths.tolist() == little.worths.tolist()


def test_a_limit_ends_the_search_after_as_many_positions() -> None:
    position, moves = hand_at_start("partner-penalty", 1)
    whole = solved("partner-penalty", position, moves)
    part = solved("partner-penalty", position, moves, limit=int(whole.nodes[0]) - 1)
    assert part.nodes[0] == whole.nodes[0]
    assert part.worths[0, -1] == UNKNOWN
    assert part.worths[0, :-1].tolist() == whole.worths[0, :-1].tolist()
    assert UNKNOWN not in solved("partner-penalty", position, moves, limit=int(whole.nodes[0])).worths


def test_many_positions_are_solved_as_each_alone() -> None:
    plan = plan_of(RULESETS["partner-penalty"].rules, 4)
    position, moves = hand_at_start("partner-penalty", 2)
    alone = solved("partner-penalty", position, moves)
    thrice = solve(plan, together([position] * 3), moves, node_limit=10_000_000)
    assert np.array_equal(thrice.worths, np.repeat(alone.worths, 3, axis=0))
    assert thrice.nodes.tolist() == alone.nodes.tolist() * 3
