"""Where hidden tiles may be, how likely, and deals by chance: against all ways where these are few."""

import itertools
import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from engine.deal import FixedDeal
from engine.match import create
from engine.moves import PastMove
from engine.players import Human
from engine.rules import Rules
from engine.strategies import inference
from engine.strategies.inference import Inference
from engine.strategies.samples import thrown_in
from engine.tiles import Tile
from engine.view import MatchView, Viewer, view
from tests.engine.games import AT, random_play, setup
from tests.engine.small_games import tiles
from tests.engine.test_hard import Line, position
from tests.engine.test_noninterference import worlds
from tests.engine.test_placements import deviation, every_way
from tests.kinds import KINDS


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
FITTED = (PastMove(2, "play", Tile(6, 5)), PastMove(0, "play", Tile(5, 1), "right"), PastMove(1, "pass"))


def few(**parameters: Any) -> MatchView:
    """What a seat sees to whose left and right sits somebody with three tiles; the first of them has passed."""
    rules: dict[str, Any] = {"opener": "lot", "hand_size": 4} | parameters
    players = (Human(),) * 3
    return position("block", FITTING, "4-4 4-3 4-2 4-1", [3, 3], players=players, **({"moves": FITTED} | rules))


SMALLER = {"removed_tiles": tiles("0-0 1-0 1-1 2-0 2-1 3-0 3-1 3-2 4-0 5-0 5-3")}


def test_chances_and_sampled_deals_are_those_of_all_deals_that_agree() -> None:
    seen = few(**SMALLER)
    inferred = Inference(seen)
    known = inferred.known
    ways = list(every_way(known.allowed, known.sizes))
    assert inferred.deals == len(ways)
    expected = np.zeros_like(inferred.chances)
    for way in ways:
        expected[range(len(way)), way] += 1 / len(ways)
    np.testing.assert_allclose(inferred.chances, expected, rtol=1e-12)
    deals = inferred.sample(1, 4 * len(ways))
    live = seen.rules.live_tiles()
    drawn = Counter(tuple(row) for row in deals.where()[:, [live.index(tile) for tile in known.unseen]].tolist())
    assert drawn.keys() <= set(ways)
    assert deviation(drawn, 4, len(ways)) < 4


def test_the_chance_to_be_stuck_is_the_part_of_all_deals() -> None:
    inferred = Inference(few(**SMALLER))
    known = inferred.known
    ways = list(every_way(known.allowed, known.sizes))

    def lacks(way: tuple[int, ...], seat: int, asked: int) -> bool:
        return not any(place == seat and tile.suits & asked for tile, place in zip(known.unseen, way, strict=True))

    for one, other in [(0b1000100, 0b10), (0b100, 0b100000), (1 << 6, 1 << 6)]:
        assert inferred.stuck(1, one) == pytest.approx(sum(lacks(way, 1, one) for way in ways) / len(ways))
        together = sum(lacks(way, 1, one) and lacks(way, 2, other) for way in ways) / len(ways)
        assert inferred.stuck_together({1: one, 2: other}) == pytest.approx(together)
    assert inferred.stuck(1, 1 << 6) == 1


def test_the_chance_to_be_stuck_is_told_by_samples_where_it_takes_too_long_to_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    inferred = Inference(few(**SMALLER))
    asked = {1: 0b100, 2: 0b100000}
    exact = inferred.stuck_together(asked)
    monkeypatch.setattr(inference, "MOST_COUNTS", 0)
    assert inferred.stuck_together(asked) == pytest.approx(exact, abs=0.05)
    assert inferred.stuck_together(asked) != exact


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


def test_what_was_dealt_counts_for_that_though_some_of_it_is_laid() -> None:
    redeals: dict[str, Any] = {"redeal_doubles": 4, "redeal_suit": 0}
    left = 0
    for moment in itertools.islice(random_play(setup("partner-penalty", 1, **redeals)), 16):
        assert moment.match.hand is not None
        if moment.match.status != "playing" or moment.match.past_hands:
            break
        seen = view(moment.match, Viewer("seat", moment.match.turn))
        deals = Inference(seen).sample(1, 300)
        assert not thrown_in(seen.rules, deals).any()
        assert all(deals.dealt(seat).shape == (300, seen.rules.hand_size) for seat in deals.others)
        left += len(moment.match.hand.tiles[deals.others[0]]) < seen.rules.hand_size
    assert left > 3


def test_a_deal_that_somebody_chose_is_not_taken_for_one_that_was_thrown_in() -> None:
    live = Rules().live_tiles()
    doubles = tuple(tile for tile in live if tile.is_double)
    others = tuple(tile for tile in live if not tile.is_double)
    hands = (others[:6], doubles[1:], others[6:12], others[12:18])
    match = create(setup("partner-penalty", 1, deal=FixedDeal(hands)), AT).match
    seen = view(match, Viewer("seat", 0))
    assert thrown_in(seen.rules, Inference(seen).sample(1, 1_000)).any()


def test_what_no_deal_agrees_with_is_ignored() -> None:
    moves = (PastMove(1, "play", Tile(6, 6)), PastMove(0, "pass"))
    seen = position("block", [("6-6", None)], "2-1 3-1", [25], moves=moves)
    assert Inference(seen).agrees
    broken = position("block", [("6-6", None)], "2-1 3-1", [25], moves=(*moves, PastMove(1, "pass")))
    inferred = Inference(broken)
    assert not inferred.agrees
    assert inferred.deals == 1
    assert len(inferred.sample(1, 10)[0].hands[1]) == 25


def test_seats_that_are_too_many_to_count_with_lack_less() -> None:
    own = "12-12 12-11 12-10 12-9 12-8 12-7 12-6 12-5"
    line: Line = [("11-0", None)]
    moves, lacking = [PastMove(0, "play", Tile(11, 0))], []
    for asked in range(10):
        passing = [1 + (asked + step) % 8 for step in range(3)]
        lacking += [(seat, asked) for seat in passing]
        line.append((f"{asked + 1}-{asked}", "right"))
        moves += [PastMove(seat, "pass") for seat in passing]
        moves.append(PastMove(0, "play", Tile(asked + 1, asked), "right"))
    rules: dict[str, Any] = {"opener": "lot", "highest_double": 12}
    seen = position("tiddly-wink", line, own, [8] * 8, players=(Human(),) * 9, moves=tuple(moves), **rules)
    inferred = Inference(seen)
    assert inferred.agrees
    deal = inferred.sample(1, 1)[0]
    kept = [not any(tile.numbers >> asked & 1 for tile in deal.hands[seat]) for seat, asked in lacking]
    assert any(kept)
    assert not all(kept)
