"""The tree of what everybody can see."""

import random
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pytest
from hypothesis import given, settings

from engine.catalogue import RULESETS
from engine.kernel import tree
from engine.kernel.plan import Ints, Plan, plan_of, uncovered
from engine.kernel.position import Position, Positions, code_of, legal_turns, position_of, together
from engine.kernel.search import solve
from engine.kernel.slots import HAND, STRIDE, TURN, YARD, YARD_SIZE
from engine.kernel.stakes import Stakes
from engine.kernel.tree import DOUBLES_FIRST, FREE, HEAVIEST, Budget, Grown, grow
from engine.match import Match, decide, legal_moves
from engine.moves import Move, Play
from engine.rules import Rules
from engine.tiles import Tile
from tests.engine.any_rules import SEEDS, games
from tests.engine.games import AT
from tests.engine.kernel.positions import some_hand, turns_of
from tests.engine.kernel.test_search import BONUS, standing
from tests.kinds import KINDS, SOURCE_GAMES

SOME: Final = Budget(visits=600, curiosity=1.5, greed=64)


def begun(ruleset: str, number: int, tiles: int = 100, seats: int = 0) -> tuple[Plan, Match]:
    """A match of random moves, where a choice is to be made and no more than so many tiles are left."""
    seats = seats or RULESETS[ruleset].seat_counts[0]
    plan = plan_of(RULESETS[ruleset].tables[seats], seats)
    match = next(found for seed in range(number, number + 999) if (found := some_hand(plan, seed, tiles)))
    return plan, match


def grown(plan: Plan, match: Match, budget: Budget, *, seed: int = 1, habits: list[int] | None = None) -> Grown:
    assert match.hand is not None
    return grow(
        plan,
        together([position_of(plan, match.hand)]),
        [code_of(plan, move) for move in turns_of(match)],
        budget,
        seed=seed,
        habits=None if habits is None else np.array([habits], np.int64),
        stakes=Stakes(BONUS),
    )


def dealt_anew(position: Position, count: int, seed: int) -> Positions:
    """Positions that look the same to the seat that has the turn, whatever may be known of what the others hold."""
    rng, positions = random.Random(seed), []
    for _ in range(count):
        state, boneyard = position.state.copy(), position.boneyard.copy()
        others = [seat for seat in range((len(state) - HAND) // STRIDE) if seat != state[TURN]]
        slots = [HAND + STRIDE * seat for seat in others]
        drawn = int(state[YARD])
        hidden = [tile for slot in slots for tile in range(63) if int(state[slot]) >> tile & 1]
        hidden += [int(tile) for tile in boneyard[drawn : int(state[YARD_SIZE])]]
        rng.shuffle(hidden)
        for slot in slots:
            size = int(state[slot]).bit_count()
            state[slot] = sum([1 << tile for tile in hidden[:size]])
            del hidden[:size]
        boneyard[drawn : int(state[YARD_SIZE])] = hidden
        positions.append(Position(state, boneyard))
    return together(positions)


@pytest.mark.parametrize("ruleset", KINDS)
def test_a_tree_repeats_by_its_seed_and_counts_every_visit(ruleset: str) -> None:
    plan, match = begun(ruleset, 3)
    assert match.hand is not None
    position = position_of(plan, match.hand)
    moves, positions = legal_turns(plan, position), dealt_anew(position, 40, 1)
    one, same, other = (grow(plan, positions, moves, SOME, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(one.sums, same.sums)
    assert not np.array_equal(one.sums, other.sums)
    assert sum(one.visits()) == SOME.visits
    assert min(one.visits()) > 0
    assert all(0 <= win <= 1 for win in one.wins())
    even = grow(plan, positions, moves, Budget(50 * len(moves) + 1, 1.5, 64, even=True), seed=1)
    assert even.visits() == [51, *[50] * (len(moves) - 1)]


@pytest.mark.parametrize(("ruleset", "tiles"), [("partner-penalty", 10), ("all-fives", 12), ("draw", 10), ("block", 8)])
def test_with_nothing_hidden_the_most_visited_move_is_the_best_by_perfect_play(ruleset: str, tiles: int) -> None:
    lost, gained = 0.0, 0.0
    for number in range(0, 400, 20):
        plan, match = begun(ruleset, number, tiles)
        assert match.hand is not None
        positions = together([position_of(plan, match.hand)])
        moves = [code_of(plan, move) for move in turns_of(match)]
        worths = solve(plan, positions, moves, node_limit=1_000_000, stakes=Stakes(BONUS)).worths[0]
        visits = grown(plan, match, Budget(3_000, 1.5, 64)).visits()
        lost += worths.max() - worths[int(np.argmax(visits))]
        gained += worths.max() - worths.mean()
    assert gained > 50
    assert lost <= gained / 50, "A choice by chance loses what is gained here."


def test_a_first_move_that_began_badly_is_tried_again_where_all_others_are_worth_the_same() -> None:
    """Of all that follows the second move the worth is 22, and the first one's first hand is lost."""
    plan, match = begun("draw", 200, 10)
    found = grown(plan, match, Budget(3_000, 1.5, 64))
    assert int(np.argmax(found.visits())) == 0
    assert found.worths()[0] > 40


Choose = Callable[[Match, list[Move]], list[Move]]


def played(match: Match, move: Move, choose: Choose) -> Match | None:
    """How the hand ends after `move`, if from then on there is never more than one move that `choose` leaves."""
    match = decide(match, match.turn, move, AT).match
    while match.status == "playing":
        options = choose(match, list(legal_moves(match, match.turn)))
        if len(options) != 1:
            return None
        match = decide(match, match.turn, options[0], AT).match
    return match


def gained(before: Match, after: Match, team: int) -> tuple[float, float, float]:
    """What the hand brought to `team`: worth, points and whether it was won."""
    assert after.hand is not None
    assert after.hand.result is not None
    tally, first = after.hand.tally, before.hand.tally if before.hand else after.hand.tally
    points = [sum(each) for each in zip(tally.play_points, tally.end_points, strict=True)]
    points = [each - had for each, had in zip(points, first.play_points, strict=True)]
    lead = points[team] - (sum(points) - points[team]) / (len(points) - 1)
    winner = after.hand.result.winner
    return (
        standing(after, team) - standing(before, team),
        lead if before.setup.rules.scoring == "points" else -lead,
        0.5 if winner is None else float(winner == team),
    )


def compare(plan: Plan, match: Match, choose: Choose, *, habits: list[int] | None = None) -> int:
    """Compare what comes of each first move, where there is no choice after it, and say of how many that is so."""
    assert match.turn is not None
    moves, compared = turns_of(match), 0
    for visits in (len(moves), 40 * len(moves)):
        found = grown(plan, match, Budget(visits, 1.5, 64, even=True), habits=habits)
        for place, move in enumerate(moves):
            after = played(match, move, choose)
            if after is not None:
                expected = gained(match, after, plan.rules.team(match.turn))
                assert (found.worths()[place], found.points()[place], found.wins()[place]) == pytest.approx(expected)
                compared += 1
    return compared


@pytest.mark.parametrize(
    ("ruleset", "seats"),
    [*[(ruleset, 0) for ruleset in KINDS], ("matador", 3), ("hungarian", 3), ("cut-throat", 3), ("tiddly-wink", 6)],
)
def test_what_is_forced_brings_what_the_engine_says(ruleset: str, seats: int) -> None:
    compared = 0
    for number in range(0, 400, 20):
        plan, match = begun(ruleset, number, 7, seats)
        compared += compare(plan, match, anything)
    assert compared >= 5


def anything(match: Match, moves: list[Move]) -> list[Move]:
    return moves


def heaviest(*, doubles_first: bool) -> Choose:
    """Leaves the heaviest tile, or the heaviest double if there is one."""

    def choose(match: Match, moves: list[Move]) -> list[Move]:
        plays = [move for move in moves if isinstance(move, Play)]
        if not plays:
            return moves

        def weight(tile: Tile) -> tuple[bool, int, bool, int]:
            return doubles_first and tile.is_double, tile.pips, tile.is_double, tile.high

        tile = max([play.tile for play in plays], key=weight)
        return [play for play in plays if play.tile == tile]

    return choose


@pytest.mark.parametrize("ruleset", [*SOURCE_GAMES, "hungarian", "manaus"])
@pytest.mark.parametrize(("habit", "doubles_first"), [(HEAVIEST, False), (DOUBLES_FIRST, True)])
def test_a_seat_of_habit_plays_by_it(ruleset: str, habit: int, doubles_first: bool) -> None:
    compared = 0
    for number in range(0, 200, 10):
        plan, match = begun(ruleset, number, 12)
        compared += compare(plan, match, heaviest(doubles_first=doubles_first), habits=[habit] * plan.seats)
    assert compared >= 4


def test_only_the_seats_of_habit_play_by_it() -> None:
    """What a rival is taken to do matters, and what the own seat is taken to do is for the tree to find."""
    plan, match = begun("block", 7)
    assert match.turn is not None
    budget = Budget(2_000, 1.5, 64, even=True)
    found = []
    for own, rival in [(FREE, FREE), (HEAVIEST, FREE), (FREE, HEAVIEST)]:
        habits = [own, rival] if match.turn == 0 else [rival, own]
        found.append(sum(grown(plan, match, budget, habits=habits).worths()))
    free, own_bound, rival_bound = found
    assert own_bound < free < rival_bound


GUARD: Final = -(1 << 50)


def test_a_tree_never_outgrows_its_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Behind each array there is room that has to stay as it was."""
    plain, room, full = tree._grow, 4_096, 0

    def guarded(*arguments: Any) -> None:
        nonlocal full
        given = list(arguments)
        for place in (8, 9, 10, 11):
            array: Ints = given[place]
            whole = np.full(array.size + room, GUARD, np.int64)
            whole[: array.size] = array.ravel()
            given[place] = whole[: array.size].reshape(array.shape)
            given.append(whole[array.size :])
        plain(*given[:12])
        assert all((guard == GUARD).all() for guard in given[12:])
        nodes, most = given[10], int(given[5][3])
        assert len(nodes) == most
        full += nodes[0, 0] == most
        arguments[11][:] = given[11]

    monkeypatch.setattr(tree, "_grow", guarded)
    for ruleset, seats in [("draw", 2), ("maltese-cross", 4), ("tiddly-wink", 9), ("hungarian", 2), ("matador", 2)]:
        plan, match = begun(ruleset, 1, seats=seats)
        assert match.hand is not None
        position = position_of(plan, match.hand)
        for visits in (1, 2, 7, 100, 4_000):
            sums = grow(plan, dealt_anew(position, 5, 1), legal_turns(plan, position), Budget(visits, 1.5, 64), seed=1)
            assert sum(sums.visits()) == visits
    assert full


@given(games(), SEEDS)
@settings(max_examples=40)
def test_a_tree_grows_by_any_rules(game: tuple[Rules, int], seed: int) -> None:
    rules, seats = game
    if uncovered(rules, seats) is not None:
        return
    plan = plan_of(rules, seats)
    for most in (100, 7):
        match = some_hand(plan, seed, most)
        if match is not None:
            compare(plan, match, anything)
            compare(plan, match, heaviest(doubles_first=False), habits=[HEAVIEST] * seats)
