"""How likely plays were by habit, against the same written plainly over layouts and views of the engine."""

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from operator import mul
from typing import Final

import numpy as np
import pytest
from hypothesis import given, settings

from engine import scoring
from engine.catalogue import RULESETS
from engine.hand import Hand, legal_turns
from engine.kernel.habits import likelihoods, record
from engine.kernel.plan import plan_of, uncovered
from engine.layout import Layout, place, suits
from engine.match import Match
from engine.moves import PastMove, Play
from engine.rules import Rules
from engine.tiles import Tile
from tests.engine.any_rules import SEEDS, games
from tests.engine.games import random_play
from tests.engine.kernel.positions import asked
from tests.kinds import SOURCE_GAMES

HABITS: Final = np.array(
    [
        [0, 0, 0, 0, 0, 0, 0],
        [3, 40, 0, 0, 0, 0, 0],
        [0.1, 0.7, 0.2, 0.3, -0.4, 1.3, -0.25],
        [-0.2, -0.5, -0.1, -0.6, 0.8, -0.9, 0.35],
    ]
)
SLIP: Final = 0.05


@dataclass(frozen=True)
class Played:
    """A play of a seat that could have played something else perhaps: what led there, and what it held."""

    before: Match
    number: int
    """Of the move in its hand."""
    move: PastMove

    @property
    def hand(self) -> Hand:
        assert self.before.hand is not None
        return self.before.hand


def plays(rules: Rules, seats: int, seed: int, *, most: int) -> Iterator[tuple[tuple[PastMove, ...], list[Played]]]:
    """Whole hands of a match of random moves, and the plays in each but its opening."""
    found: list[Played] = []
    before: Match | None = None
    moves: tuple[PastMove, ...] = ()
    for moment in random_play(asked(rules, seats, seed), most=most):
        hand = moment.match.hand
        assert hand is not None
        if before is not None and before.hand is not None and before.hand.result is None:
            move = hand.moves[len(before.hand.moves)]
            if move.type == "play" and before.hand.layout.opening is not None:
                found.append(Played(before, len(before.hand.moves), move))
        elif found:
            yield moves, found
            found = []
        before, moves = moment.match, hand.moves
    if found:
        yield moves, found


def fitting(rules: Rules, layout: Layout, tiles: Sequence[Tile]) -> list[Tile]:
    return [tile for tile in tiles if suits(rules, tile) & layout.asked]


def features(played: Played, tiles: Sequence[Tile], play: Play) -> list[float]:
    """Those of `FEATURES`, of a play of who holds `tiles`."""
    match, layout = played.before, played.hand.layout
    lacks = played.hand.lacks[(played.move.seat + 1) % len(match.players)]
    rules = match.setup.rules
    after = place(rules, layout, play.tile, play.end)
    laid = {layout.opening.tile if layout.opening else None, *[t.tile for arm in layout.arms for t in arm.tiles]}
    kept = [tile for tile in tiles if tile != play.tile]
    follow = len(fitting(rules, after, kept))
    rest = [tile for tile in rules.live_tiles() if tile not in laid and tile not in tiles]
    shut = 0
    for end in after.ends:
        fits = [tile for tile in rules.live_tiles() if suits(rules, tile) & end.suit]
        shut += bool(fits) and all(suits(rules, tile) & lacks for tile in fits)
    return [
        play.tile.pips,
        play.tile.is_double,
        scoring.in_play(rules, after, play.end),
        follow,
        follow == 0,
        shut,
        len(fitting(rules, after, rest)),
    ]


def likelihood(played: Played, tiles: tuple[Tile, ...], prices: Sequence[float]) -> float:
    """How likely who holds `tiles` makes the play."""
    hand, seat = played.hand, played.move.seat
    held = (*hand.tiles[:seat], tiles, *hand.tiles[seat + 1 :])
    legal = legal_turns(played.before.setup.rules, replace(hand, tiles=held), seat)
    options = [turn for turn in legal if isinstance(turn, Play)]
    made = [turn for turn in options if (turn.tile, turn.end) == (played.move.tile, played.move.end)]
    if not made:
        return 0
    worths = {option: math.exp(sum(map(mul, prices, features(played, tiles, option)))) for option in options}
    return (1 - SLIP) * worths[made[0]] / sum(worths.values()) + SLIP / len(options)


def guesses(played: Played, rng: random.Random, count: int) -> list[tuple[Tile, ...]]:
    """What the seat held, and hands that it might have held, as far as those know who only see the table."""
    held, layout = played.hand.tiles[played.move.seat], played.hand.layout
    laid = {layout.opening.tile if layout.opening else None, *[t.tile for arm in layout.arms for t in arm.tiles]}
    hidden = [tile for tile in played.before.setup.rules.live_tiles() if tile not in laid]
    return [held, *[tuple(rng.sample(hidden, len(held))) for _ in range(count)]]


def compare(rules: Rules, seats: int, seed: int, *, most: int) -> int:
    """Compare all plays of a match with what the plain form says of them, and say how many of them were a choice."""
    plan, rng, choices = plan_of(rules, seats), random.Random(seed), 0
    live = list(rules.live_tiles())
    order = np.array([plan.indexes[tile] for tile in live], np.int64)
    for moves, found in plays(rules, seats, seed, most=most):
        rows = record(plan, moves)
        for played in found:
            hands = guesses(played, rng, 3)
            held = np.array([[sum([1 << live.index(tile) for tile in hand])] for hand in hands], np.uint64)
            likely = likelihoods(plan, rows[[played.number]], held, order, HABITS, SLIP)
            expected = [[likelihood(played, hand, prices) for prices in HABITS.tolist()] for hand in hands]
            np.testing.assert_allclose(likely, expected, rtol=1e-9)
            choices += expected[0][0] < 1
    return choices


GAMES: Final = (*SOURCE_GAMES, "hungarian", "matador", "maltese-cross", "pass-pass", "sebastopol")


@pytest.mark.parametrize("ruleset", GAMES)
def test_plays_are_as_likely_as_plainly(ruleset: str) -> None:
    seats = RULESETS[ruleset].seat_counts[0]
    assert compare(RULESETS[ruleset].tables[seats], seats, 1, most=60) > 10


@given(games(), SEEDS)
@settings(max_examples=40)
def test_plays_by_any_rules_are_as_likely_as_plainly(game: tuple[Rules, int], seed: int) -> None:
    rules, seats = game
    if uncovered(rules, seats) is None:
        compare(rules, seats, seed, most=25)


def test_plays_are_together_as_likely_as_one_after_the_other_and_an_opening_tells_nothing() -> None:
    rules = RULESETS["draw"].rules
    plan = plan_of(rules, 2)
    order, rng = np.arange(len(plan.tiles)), random.Random(1)
    moves, found = next(plays(rules, 2, 5, most=60))
    rows = record(plan, moves)
    held = np.array([[rng.getrandbits(len(plan.tiles)) for _ in found] for _ in range(20)], np.uint64)
    for column, played in enumerate(found):
        assert played.move.tile is not None
        held[:, column] |= np.uint64(1 << plan.indexes[played.move.tile])
    together = likelihoods(plan, rows[[played.number for played in found]], held, order, HABITS, SLIP)
    each = [
        likelihoods(plan, rows[[played.number]], held[:, [column]], order, HABITS, SLIP)
        for column, played in enumerate(found)
    ]
    np.testing.assert_allclose(together, np.prod(each, axis=0), rtol=1e-9)
    assert len(np.unique(together[:, 2])) == 20
    opening = next(number for number, move in enumerate(moves) if move.type == "play")
    assert (likelihoods(plan, rows[[opening]], held[:, [0]], order, HABITS, SLIP) == 1).all()


def test_a_play_of_a_tile_that_a_seat_does_not_hold_is_impossible_though_by_slip() -> None:
    rules = RULESETS["block"].rules
    plan = plan_of(rules, 2)
    moves = [PastMove(0, "play", Tile(6, 6)), PastMove(1, "play", Tile(6, 5), "left")]
    hands = (["6-5"], ["6-5", "6-4"], ["6-4", "6-3"], ["6-4"], ["5-4", "5-3"])
    held = np.array([[plan.mask([Tile.parse(tile) for tile in hand])] for hand in hands], np.uint64)
    likely = likelihoods(plan, record(plan, moves)[1:], held, np.arange(28), np.zeros((1, 7)), 0.5)
    assert likely[:, 0].tolist() == [0.5, 0.25, 0, 0, 0]
