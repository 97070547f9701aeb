"""The engine against a second implementation: any rules, any deal, any play."""

import itertools
import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings

from engine.catalogue import RULESETS
from engine.errors import RuleViolation
from engine.events import Event
from engine.layout import ENDS
from engine.match import Match, Setup, decide, legal_moves
from engine.moves import Draw, Move, NextHand, Pass, Play
from engine.players import Human
from engine.rules import Rules
from engine.tiles import tile_set
from tests.engine.any_rules import SEEDS, games, short_hands_of_pairs
from tests.engine.games import AT, as_json, random_play, setup
from tests.engine.lives import in_any_form
from tests.engine.oracle import Oracle

MOST_MOVES = 120


def asked(rules: Rules, seats: int, number: int) -> Setup:
    """A match of people by `rules`."""
    return replace(setup("block", number, (Human(),) * seats), rules=rules)


def oracle_of(chosen: Setup) -> Oracle:
    return Oracle(as_json(chosen.rules), len(chosen.players), chosen.seed, chosen.ruleset)


def facts(events: tuple[Event, ...]) -> list[dict[str, Any]]:
    """The events as published, less their times."""
    return [{key: value for key, value in as_json(event, Event).items() if key != "at"} for event in events]


def every_call(match: Match, rng: random.Random) -> list[tuple[int | None, Move]]:
    """All that the host and the seats could ask for, sense or nonsense."""
    hand = match.hand
    assert hand is not None
    tiles = tile_set(match.setup.rules.highest_double)
    tiles = tuple(rng.sample(tiles, min(len(tiles), 28))) + (hand.tiles[hand.turn] if hand.turn is not None else ())
    places = [None, 0, len(hand.boneyard) - 1, len(hand.boneyard)]
    moves: list[Move] = [
        NextHand(),
        Pass(),
        *[Play(tile, end) for tile in tiles for end in (None, *ENDS)],
        *[Draw(place, until) for place in places if place is None or place >= 0 for until in (False, True)],
    ]
    return list(itertools.product([None, *range(len(match.players))], moves))


def answer(match: Match, seat: int | None, move: Move) -> str | None:
    """The code that `move` is refused with; null if it is accepted."""
    try:
        decide(match, seat, move, AT)
    except RuleViolation as refused:
        return refused.code
    return None


def compare(chosen: Setup, *, calls: int) -> None:
    """Play `chosen` by chance; the oracle has to say the same, and `calls` times to refuse the same of all calls."""
    rng = random.Random(chosen.seed)
    oracle = oracle_of(chosen)
    turn: int | None = None
    to_try = {rng.randrange(30) for _ in range(calls)}
    for step, moment in enumerate(random_play(chosen, most=MOST_MOVES, choose=in_any_form)):
        if moment.move is not None:
            oracle.act(turn, as_json(moment.move, Move))
        assert facts(moment.log[len(moment.log) - len(moment.events) :]) == oracle.facts[-len(moment.events) :]
        match, turn = moment.match, moment.match.turn
        assert match.status == oracle.status
        for seat in [None, *range(len(match.players))]:
            assert as_json(legal_moves(match, seat), tuple[Move, ...]) == oracle.legal(seat)
        if step in to_try:
            for seat, move in every_call(match, rng):
                assert answer(match, seat, move) == oracle.refusal(seat, as_json(move, Move)), (seat, move)


@given(games(), SEEDS)
@settings(max_examples=150)
def test_any_game_goes_as_the_second_implementation_says(game: tuple[Rules, int], seed: int) -> None:
    compare(asked(*game, seed), calls=2)


@given(short_hands_of_pairs(), SEEDS)
@settings(max_examples=60)
def test_many_short_hands_end_as_the_second_implementation_says(rules: Rules, seed: int) -> None:
    compare(asked(rules, 4, seed), calls=0)


@pytest.mark.parametrize(
    ("ruleset", "seats"), [(ruleset.id, seats) for ruleset in RULESETS.values() for seats in ruleset.seat_counts]
)
def test_every_listed_game_goes_as_the_second_implementation_says(ruleset: str, seats: int) -> None:
    rules = RULESETS[ruleset].tables[seats]
    for seed in range(3):
        compare(replace(asked(rules, seats, seed), ruleset=ruleset), calls=1)
