"""What the moves of a hand tell: in games so small that every deal can be played, and of the truth in any game."""

import itertools
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

from engine.catalogue import RULESETS
from engine.events import HandDealt, TileDrawn, TilePlayed, TurnPassed
from engine.rules import Rules
from engine.strategies import inference
from engine.strategies.inference import Inference
from engine.strategies.samples import Deals
from engine.tiles import Tile
from engine.view import SPECTATOR, MatchView, Viewer, view
from tests.engine.any_rules import SEEDS, games
from tests.engine.games import Moment, random_play, setup
from tests.engine.small_games import BLOCK, DRAWING, World, compared

SAMPLES = 2_000
DEVIATIONS = 6
"""How far a part of the samples may be from its chance. There are some thousands, and the seeds are fixed."""


def part(worlds: list[World], tile: Tile, place: int) -> float:
    """The part of `worlds` in which `tile` is in `place`."""
    places = [(*world.match.hand.tiles, world.match.hand.boneyard) for world in worlds if world.match.hand]
    return sum(tile in held[place] for held in places) / len(worlds)


def assert_exact(seen: MatchView, worlds: list[World]) -> None:
    """All that is inferred of `seen` is so in as many of `worlds`."""
    inferred = Inference(seen)
    assert inferred.agrees
    expected = [
        [part(worlds, tile, place) for place in range(len(inferred.known.sizes))] for tile in inferred.known.unseen
    ]
    np.testing.assert_allclose(inferred.chances, np.reshape(expected, inferred.chances.shape), atol=1e-12)
    assert seen.hand is not None
    deals = inferred.sample(1, SAMPLES)
    for number, seat in itertools.product(range(len(seen.hand.moves) + 1), deals.others):
        wanted = Counter(mask(deals, world.held[number][seat]) for world in worlds)
        drawn = Counter(deals.held_before(number, seat).tolist())
        assert drawn.keys() <= wanted.keys()
        for held, count in wanted.items():
            chance = count / len(worlds)
            spread = (chance * (1 - chance) / SAMPLES) ** 0.5
            assert abs(drawn[held] / SAMPLES - chance) <= DEVIATIONS * spread


def mask(deals: Deals, tiles: tuple[Tile, ...]) -> int:
    return sum(1 << deals.live.index(tile) for tile in tiles)


@pytest.mark.parametrize("name", BLOCK)
def test_what_a_seat_infers_is_so_in_as_many_deals_that_the_log_allows(name: str) -> None:
    counts = set()
    for seen, worlds in itertools.chain.from_iterable(compared(name, number) for number in range(6)):
        assert_exact(seen, worlds)
        assert Inference(seen).deals == len(worlds)
        counts.add(len(worlds))
    assert max(counts) > 10


@pytest.mark.parametrize("name", DRAWING)
def test_the_same_where_seats_have_drawn(name: str) -> None:
    draws = 0
    for number in range(60):
        for seen, worlds in compared(name, number, draws=True):
            assert_exact(seen, worlds)
            assert seen.hand is not None
            draws += any(move.type == "draw" for move in seen.hand.moves)
        if number > 9 and draws > 9:
            return
    assert draws > 5


def came(moment: Moment) -> dict[Tile, tuple[int, int]]:
    """The place to which each tile came in the hand that is played, and how many moves had been made then."""
    hand = moment.match.hand
    assert hand is not None
    where, moves = dict[Tile, tuple[int, int]](), 0
    for event in moment.log:
        if isinstance(event, HandDealt):
            where, moves = {tile: (len(hand.tiles), 0) for tile in event.boneyard or ()}, 0
            where |= {tile: (dealt.seat, 0) for dealt in event.tiles for tile in dealt.tiles or ()}
        elif isinstance(event, TileDrawn | TilePlayed | TurnPassed):
            moves += 1
            if isinstance(event, TileDrawn) and event.tile is not None and event.seat is not None:
                where[event.tile] = (event.seat, moves)
    return where


def assert_true_deal_is_allowed(moment: Moment, viewer: Viewer) -> Inference:
    """The deal of `moment` is among those that agree with what `viewer` sees."""
    hand = moment.match.hand
    assert hand is not None
    inferred, where = Inference(view(moment.match, viewer)), came(moment)
    assert inferred.agrees
    live, past = moment.match.setup.rules.live_tiles(), inferred._past
    for shown in past.shown:
        seat, since = where[live[shown.tile]]
        assert (shown.seat, shown.since) in {(seat, since), (seat, -1)}
    forgotten = {batch.place for batch in past.batches if 0 in batch.arrivals and not batch.is_dealt}
    forgotten |= {shown.seat for shown in past.shown if shown.since < 0}
    true = [
        {
            number
            for number, batch in enumerate(past.batches)
            if batch.place == where[live[tile]][0]
            and (where[live[tile]][1] in batch.arrivals or batch.place in forgotten)
        }
        for tile in past.tiles
    ]
    assert any(
        all(any(mask >> number & 1 for number in batches) for mask, batches in zip(case.allowed, true, strict=True))
        for case in inferred._cases
    )
    places = (*hand.tiles, hand.boneyard)
    for tile, allowed in zip(inferred.known.unseen, inferred.known.allowed, strict=True):
        assert any(tile in places[place] for place in range(len(places)) if allowed >> place & 1)
    return inferred


def assert_held_before(moment: Moment, inferred: Inference) -> None:
    """A seat held as many tiles before each move in a sample as it did, and the one that it played."""
    hand, where = moment.match.hand, came(moment)
    assert hand is not None
    deals = inferred.sample(1, 5)
    if len(deals.live) > 64:
        return
    played = {move.tile: number for number, move in enumerate(hand.moves) if move.tile is not None}
    for number, seat in itertools.product(range(len(hand.moves) + 1), deals.others):
        held = deals.held_before(number, seat)
        true = [
            tile
            for tile, (place, since) in where.items()
            if place == seat and since <= number <= played.get(tile, len(hand.moves))
        ]
        assert [each.bit_count() for each in held.tolist()] == [len(true)] * len(deals)
        if number < len(hand.moves) and hand.moves[number].seat == seat and hand.moves[number].tile is not None:
            assert (held & np.uint64(1 << deals.live.index(hand.moves[number].tile))).all()
    now = [deals.held_before(len(hand.moves), seat) for seat in deals.others]
    assert (deals.masks()[:, deals.others] == np.stack(now, axis=1)).all()


def playing(moments: Iterator[Moment]) -> Iterator[Moment]:
    return (moment for moment in moments if moment.match.status == "playing")


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_true_deal_agrees_with_what_anybody_sees(ruleset: str) -> None:
    for moment in playing(itertools.islice(random_play(setup(ruleset, 11)), 90)):
        for viewer in [SPECTATOR, *[Viewer("seat", seat) for seat in range(len(moment.match.players))]]:
            assert_held_before(moment, assert_true_deal_is_allowed(moment, viewer))


@settings(max_examples=60, deadline=None)
@given(games(), SEEDS)
def test_the_true_deal_agrees_whatever_the_rules(game: tuple[Rules, int], seed: int) -> None:
    rules, seat_count = game
    chosen = replace(setup("draw", seed), rules=rules, players=setup("draw", 0).players[:1] * seat_count)
    for moment in playing(itertools.islice(random_play(chosen), 50)):
        seat = moment.match.turn
        for viewer in [SPECTATOR, Viewer("seat", seat), Viewer("seat", ((seat or 0) + 1) % seat_count)]:
            assert_held_before(moment, assert_true_deal_is_allowed(moment, viewer))


@pytest.mark.parametrize("ruleset", ["draw-book", "bergen", "double-bergen"])
def test_the_true_deal_agrees_where_the_batches_are_forgotten(ruleset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inference, "MOST_COUNTS", 60)
    forgotten = 0
    for number in range(4):
        chosen = setup(ruleset, number, setup("draw", 0).players[:1] * 3)
        for moment in playing(itertools.islice(random_play(chosen), 90)):
            inferred = assert_true_deal_is_allowed(moment, Viewer("seat", moment.match.turn))
            forgotten += any(shown.since < 0 for shown in inferred._past.shown)
            inferred.sample(1, 5)
    assert forgotten > 5
