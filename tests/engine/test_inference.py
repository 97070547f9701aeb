"""Where hidden tiles may be: against the truth in matches of every kind and, where deals are few, all of them."""

import itertools
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from engine.catalogue import RULESETS
from engine.deal import FixedDeal
from engine.match import Match, create
from engine.players import Human
from engine.rules import Rules
from engine.strategies.inference import Inference, know
from engine.strategies.samples import thrown_in
from engine.view import SPECTATOR, MatchView, Viewer, view
from tests.engine.any_rules import SEEDS, games
from tests.engine.games import AT, Moment, random_play, setup
from tests.engine.test_hard import Line, position
from tests.engine.test_noninterference import worlds
from tests.engine.test_openings import tiles
from tests.engine.test_placements import deviation, every_way
from tests.kinds import KINDS


def watchers(match: Match) -> list[Viewer]:
    return [SPECTATOR, *[Viewer("seat", seat) for seat in range(len(match.players))]]


def assert_allowed(match: Match, viewer: Viewer) -> None:
    """The tiles of `match` are where they may be, by what `viewer` sees."""
    seen = view(match, viewer)
    known = know(seen)
    assert match.hand is not None
    places = (*match.hand.tiles, match.hand.boneyard)
    assert set(known.unseen) == {tile for place, held in enumerate(places) if place != viewer.seat for tile in held}, (
        "what is unseen is all that is hidden"
    )
    for tile, allowed in zip(known.unseen, known.allowed, strict=True):
        place = next(place for place, held in enumerate(places) if tile in held)
        assert allowed >> place & 1, f"{tile} may be at {place}"
    assert Inference(seen).agrees


def playing(moments: Iterator[Moment]) -> Iterator[Match]:
    return (moment.match for moment in moments if moment.match.status == "playing")


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_true_deal_agrees_with_what_anybody_sees(ruleset: str) -> None:
    for match in playing(itertools.islice(random_play(setup(ruleset, 11)), 90)):
        for viewer in watchers(match):
            assert_allowed(match, viewer)


@settings(max_examples=60, deadline=None)
@given(games(), SEEDS)
def test_the_true_deal_agrees_whatever_the_rules(game: tuple[Rules, int], seed: int) -> None:
    rules, seat_count = game
    chosen = replace(setup("draw", seed), rules=rules, players=setup("draw", 0).players[:1] * seat_count)
    for match in playing(itertools.islice(random_play(chosen), 50)):
        seat = match.turn
        for viewer in [SPECTATOR, Viewer("seat", seat), Viewer("seat", ((seat or 0) + 1) % seat_count)]:
            assert_allowed(match, viewer)


@pytest.mark.parametrize("ruleset", KINDS)
def test_a_seat_infers_alike_in_worlds_that_it_cannot_tell_apart(ruleset: str) -> None:
    rng = random.Random(6)
    for moment in itertools.islice(random_play(setup(ruleset, 6)), 30):
        seat = moment.match.turn
        if seat is None:
            continue
        viewer = Viewer("seat", seat)
        one = Inference(view(moment.match, viewer))
        for world, _ in worlds(moment, viewer, rng):
            other = Inference(view(world, viewer))
            assert other.known == one.known
            assert other.deals == one.deals
            assert (other.chances == one.chances).all()
            assert (other.sample(3, 20).tiles == one.sample(3, 20).tiles).all()


FITTING: Line = [("6-5", None), ("5-1", "right")]


def few(**parameters: Any) -> MatchView:
    """What a seat sees to whose left and right sits somebody with three tiles; the first of them lacks sixes."""
    rules: dict[str, Any] = {"opener": "lot", "hand_size": 4} | parameters
    return position("draw", FITTING, "4-4 4-3 4-2 4-1", [3, 3], lacks={1: [6]}, players=(Human(),) * 3, **rules)


SMALLER = {"removed_tiles": tiles("0-0 1-0 1-1 2-0 2-1 3-0 3-1 3-2 4-0 5-0 5-3")}


def test_chances_and_sampled_deals_are_those_of_all_deals_that_agree() -> None:
    seen = few(**SMALLER)
    inference = Inference(seen)
    known = inference.known
    ways = list(every_way(known.allowed, known.sizes))
    assert inference.deals == len(ways)
    expected = np.zeros_like(inference.chances)
    for way in ways:
        expected[range(len(way)), way] += 1 / len(ways)
    np.testing.assert_allclose(inference.chances, expected, rtol=1e-12)
    deals = inference.sample(1, 4 * len(ways))
    live = seen.rules.live_tiles()
    drawn = Counter(tuple(row) for row in deals.where()[:, [live.index(tile) for tile in known.unseen]].tolist())
    assert drawn.keys() <= set(ways)
    assert deviation(drawn, 4, len(ways)) < 4


def test_the_chance_to_be_stuck_is_the_part_of_all_deals() -> None:
    inference = Inference(few(**SMALLER))
    known = inference.known
    ways = list(every_way(known.allowed, known.sizes))

    def lacks(way: tuple[int, ...], seat: int, asked: int) -> bool:
        return not any(place == seat and tile.suits & asked for tile, place in zip(known.unseen, way, strict=True))

    for one, other in [(0b1000010, 0b10), (0b100, 0b100000), (1 << 6, 1 << 6)]:
        assert inference.stuck(1, one) == pytest.approx(sum(lacks(way, 1, one) for way in ways) / len(ways))
        together = sum(lacks(way, 1, one) and lacks(way, 2, other) for way in ways) / len(ways)
        assert inference.stuck_together({1: one, 2: other}) == pytest.approx(together)
    assert inference.stuck(1, 1 << 6) == 1


def test_a_sampled_deal_reads_the_same_in_every_form() -> None:
    seen = few(**SMALLER)
    deals = Inference(seen).sample(7, 30)
    live, where, masks = seen.rules.live_tiles(), deals.where(), deals.masks()
    for number in range(len(deals)):
        places = (*deals[number].hands, deals[number].boneyard)
        assert places[0] == seen.seats[0].tiles
        assert [len(held) for held in places] == [4, 3, 3, len(live) - 12]
        for place, held in enumerate(places):
            assert {live[index] for index in np.flatnonzero(where[number] == place)} == set(held)
            assert sum(1 << live.index(tile) for tile in held) == masks[number, place]
        assert (where[number] == -1).sum() == 2


def test_samples_repeat_by_their_seed() -> None:
    seen = few()
    one, same, other = (Inference(seen).sample(seed, 40).tiles for seed in (1, 1, 2))
    assert (one == same).all()
    assert (one != other).any()


def test_deals_weigh_as_much_as_what_was_seen_is_likely_with_them() -> None:
    deals = Inference(few()).sample(1, 4)
    assert deals.effective() == 4
    weighed = deals.weighed(np.array([0.0, 1.0, 1.0, 0.0])).weighed(np.array([0.5, 0.5, 0.5, 0.5]))
    assert weighed.weights.tolist() == [0, 0.5, 0.5, 0]
    assert weighed.effective() == 2
    assert deals.effective() == 4
    assert deals.weighed(np.zeros(4)).effective() == 0


def dealt(ruleset: str, number: int, **rules: Any) -> MatchView:
    """What the first seat to move sees of a new hand."""
    match = create(setup(ruleset, number, **rules), AT).match
    return view(match, Viewer("seat", match.turn))


@pytest.mark.parametrize("redeals", [{"redeal_doubles": 4, "redeal_suit": 0}, {"redeal_doubles": 0, "redeal_suit": 6}])
def test_deals_that_would_have_been_thrown_in_are_not_sampled(redeals: dict[str, int]) -> None:
    led: dict[str, Any] = {"opener": "lot", "opening_tiles": ()}
    seen = dealt("partner-penalty", 1, **led, **redeals)
    as_they_come = Inference(dealt("partner-penalty", 1, **led, redeal_doubles=0, redeal_suit=0)).sample(1, 20_000)
    kept = Inference(seen).sample(1, 20_000)
    wrong = thrown_in(seen.rules, as_they_come)
    assert wrong.any()
    assert not thrown_in(seen.rules, kept).any()
    assert (kept.tiles[~wrong] == as_they_come.tiles[~wrong]).all()


def test_a_deal_that_somebody_chose_is_not_taken_for_one_that_was_thrown_in() -> None:
    live = Rules().live_tiles()
    doubles = tuple(tile for tile in live if tile.is_double)
    others = tuple(tile for tile in live if not tile.is_double)
    hands = (others[:6], doubles[1:], others[6:12], others[12:18])
    match = create(setup("partner-penalty", 1, deal=FixedDeal(hands)), AT).match
    assert_allowed(match, Viewer("seat", 0))
    seen = view(match, Viewer("seat", 0))
    assert thrown_in(seen.rules, Inference(seen).sample(1, 1_000)).any()


def test_what_no_deal_agrees_with_is_ignored() -> None:
    seen = few()
    broken = replace(seen, seats=tuple(replace(seat, lacks=tuple(range(7))) for seat in seen.seats))
    inference = Inference(broken)
    assert not inference.agrees
    assert Inference(seen).agrees
    assert inference.deals > Inference(seen).deals
    assert len(inference.sample(1, 10)[0].hands[1]) == 3


def test_seats_that_are_too_many_to_count_with_lack_less() -> None:
    players = (Human(),) * 9
    own = "12-12 12-11 12-10 12-9 12-8 12-7 12-6 12-5"
    seen = position(
        "tiddly-wink",
        [("11-0", None)],
        own,
        [9] * 8,
        players=players,
        highest_double=12,
        lacks={seat: [seat, seat + 1, seat + 2] for seat in range(1, 9)},
    )
    inference = Inference(seen)
    assert inference.agrees
    lacking = [sum(1 << number for number in seat.lacks) for seat in seen.seats]
    deal = inference.sample(1, 1)[0]
    kept = [not any(tile.numbers & lacking[seat] for tile in deal.hands[seat]) for seat in range(1, 9)]
    assert any(kept)
