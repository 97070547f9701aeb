# ruff: noqa: E501 - a deal is read in one line
"""Deals: the same by a second implementation, pinned for ever, and the shuffle's fairness."""

import hashlib
import itertools
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from engine.catalogue import RULESETS
from engine.deal import FixedDeal, NumberedDeal, SecretDeal, SeededDeal, Stream, commitment, deal, seed_for
from engine.errors import InvalidDeal
from engine.events import HandDealt
from engine.match import create
from engine.players import Cpu, Human
from engine.rules import Rules
from engine.tiles import Tile, tile_set
from tests.engine import oracle_deals
from tests.engine.games import AT, as_json, setup
from tests.engine.oracle_deals import name
from tests.kinds import KINDS

TWO_SEATS = [
    "4-1 3-3 3-2 5-0 5-1 1-0 1-1 | 6-3 2-1 3-0 0-0 6-2 4-0 4-4 | 5-3 2-0 6-4 4-2 5-4 6-0 4-3 5-2 6-5 5-5 3-1 6-1 6-6 2-2",
    "2-2 6-2 4-3 3-0 6-1 6-6 5-4 | 0-0 4-0 4-1 5-0 6-5 5-1 2-0 | 6-3 5-5 5-2 3-3 6-0 2-1 3-2 1-1 5-3 6-4 4-4 4-2 1-0 3-1",
    "5-0 2-2 6-5 5-3 6-1 5-1 5-2 | 6-6 6-0 4-4 3-3 6-2 4-2 4-1 | 1-0 5-5 1-1 2-0 3-0 3-2 6-4 6-3 4-0 0-0 4-3 2-1 3-1 5-4",
]
GOLDEN = {
    "partner-penalty": [
        "6-3 4-2 3-2 4-3 2-1 5-5 | 6-1 2-2 5-3 5-4 6-6 3-1 | 4-0 1-1 3-3 5-2 1-0 6-0 | 6-2 2-0 6-5 5-0 4-4 6-4 | 5-1 3-0 4-1",
        "4-3 4-2 5-2 5-3 4-0 6-4 | 1-1 2-2 5-0 6-0 1-0 2-0 | 6-2 3-1 5-5 4-4 2-1 6-1 | 6-3 5-1 4-1 3-2 6-5 5-4 | 3-0 3-3 6-6",
        "4-1 1-0 4-4 2-1 5-3 3-2 | 6-1 6-3 5-0 1-1 4-3 5-4 | 5-1 6-4 3-3 2-2 6-2 5-5 | 3-1 2-0 4-0 5-2 3-0 6-6 | 6-5 6-0 4-2",
    ],
    "all-fives": TWO_SEATS,
    "draw": TWO_SEATS,
    "block": TWO_SEATS,
}


def tiles(text: str) -> tuple[Tile, ...]:
    return tuple(Tile.parse(tile) for tile in text.split())


@pytest.mark.parametrize("ruleset", KINDS)
def test_a_second_implementation_deals_the_same(ruleset: str) -> None:
    rules, seats = RULESETS[ruleset].rules, RULESETS[ruleset].seat_counts[0]
    for number in range(300):
        seed = hashlib.sha256(f"capicua/numbered/1/{number}".encode()).hexdigest()
        dealt = deal(rules, seats, seed, NumberedDeal(number), 3)
        hands, boneyard, redeals = oracle_deals.dealt(as_json(rules), seats, seed, 3)
        assert [[str(tile) for tile in hand] for hand in dealt.tiles] == [list(map(name, hand)) for hand in hands]
        assert list(map(str, dealt.boneyard)) == list(map(name, boneyard))
        assert dealt.redeals == redeals


@pytest.mark.parametrize("doubles", [4, 5])
def test_a_second_implementation_throws_in_the_same_deals(doubles: int) -> None:
    rules = replace(RULESETS["partner-penalty"].rules, redeal_doubles=doubles)
    thrown_in = 0
    for seed in range(600):
        dealt = deal(rules, 4, f"{seed:064x}", SecretDeal(), 1)
        hands, _, redeals = oracle_deals.dealt(as_json(rules), 4, f"{seed:064x}", 1)
        assert [[str(tile) for tile in hand] for hand in dealt.tiles] == [list(map(name, hand)) for hand in hands]
        assert dealt.redeals == redeals
        thrown_in += redeals
    assert thrown_in > 0


@pytest.mark.parametrize("ruleset", GOLDEN)
def test_numbered_deals_are_the_same_for_ever(ruleset: str) -> None:
    rules, seats = RULESETS[ruleset].rules, RULESETS[ruleset].seat_counts[0]
    dealt = []
    for number in (0, 1, 4_294_967_295):
        kind = NumberedDeal(number)
        found = deal(rules, seats, seed_for(kind, b""), kind, 1)
        dealt.append(" | ".join(" ".join(map(str, hand)) for hand in (*found.tiles, found.boneyard)))
    assert dealt == GOLDEN[ruleset]


def test_the_stream_skips_words_that_would_favour_low_numbers() -> None:
    stream, again = Stream("11" * 32, "label", 5), oracle_deals.words("11" * 32, "label", 5)
    bound = 3_000_000_000  # skips almost a third of all words
    expected = (word for word in again if word < bound)
    assert [stream.below(bound) for _ in range(1000)] == list(itertools.islice(expected, 1000))


def test_three_tiles_come_in_every_order_alike() -> None:
    three = tile_set(6)[:3]
    counts = Counter(Stream(f"{seed:064x}", "three").shuffled(three) for seed in range(6_000))
    assert len(counts) == 6
    assert sum((count - 1_000) ** 2 / 1_000 for count in counts.values()) < 20.5  # chi-square, 5 degrees: 0.1 %


def test_every_tile_comes_to_every_place_alike() -> None:
    decks = [Stream(f"{seed:064x}", "set").shuffled(tile_set(6)) for seed in range(5_600)]
    for place in range(28):
        counts = Counter(deck[place] for deck in decks)
        assert sum((counts[tile] - 200) ** 2 / 200 for tile in tile_set(6)) < 65  # 27 degrees: 0.005 %, of 28 places


def test_a_hand_with_five_doubles_is_thrown_in() -> None:
    rules = RULESETS["partner-penalty"].rules
    redeals = 0
    for seed in range(4_000):
        dealt = deal(rules, 4, f"{seed:064x}", SecretDeal(), 1)
        assert all(sum(tile.is_double for tile in hand) < 5 for hand in dealt.tiles)
        redeals += dealt.redeals
    assert 1 <= redeals <= 17  # 6.9 expected: one deal in 583


def test_the_commitment_is_the_hash_of_the_seed() -> None:
    seed = "00" * 31 + "ff"
    assert commitment(seed) == hashlib.sha256(bytes(31) + b"\xff").hexdigest()
    assert seed_for(SeededDeal(seed.upper()), b"") == seed
    assert seed_for(SecretDeal(), bytes(32)) == "00" * 32


def test_each_hand_is_another_deal() -> None:
    rules = RULESETS["block"].rules
    assert len({deal(rules, 2, "22" * 32, SecretDeal(), hand).tiles for hand in range(1, 200)}) == 199


FIXED = FixedDeal((tiles("6-6 5-4"), tiles("1-0 2-0")), tiles("3-3 0-0"))


def fixed(kind: FixedDeal, **rules: Any) -> HandDealt:
    """The first deal of a two-seat match with two tiles each."""
    events = create(setup("block", 1, deal=kind, hand_size=2, **rules), AT).events
    return next(event for event in events if isinstance(event, HandDealt))


def test_a_fixed_deal_is_dealt_as_it_is() -> None:
    event = fixed(FIXED)
    assert [seat.tiles for seat in event.tiles] == list(FIXED.hands)
    assert event.boneyard is not None
    assert event.boneyard[:2] == FIXED.boneyard
    named = {*FIXED.boneyard, *(tile for hand in FIXED.hands for tile in hand)}
    rest = [(tile.high, tile.low) for tile in tile_set(6) if tile not in named]
    again = oracle_deals.shuffled(rest, oracle_deals.words(f"{1:064x}", "capicua/rest/1"))
    assert list(map(str, event.boneyard[2:])) == list(map(name, again))


def test_a_fixed_deal_is_never_thrown_in() -> None:
    five = tiles("1-1 2-2 3-3 4-4 5-5 6-5")
    rest = [tile for tile in tile_set(6)[1:] if tile not in five]
    kind = FixedDeal((five, tuple(rest[:6]), tuple(rest[6:12]), tuple(rest[12:18])))
    event = create(setup("partner-penalty", 1, deal=kind), AT).events[1]
    assert isinstance(event, HandDealt)
    assert event.redeals == 0
    assert event.tiles[0].tiles == five


@pytest.mark.parametrize(
    ("kind", "pointer"),
    [
        (FixedDeal((tiles("6-6 5-4"), tiles("1-0 2-0"), tiles("3-0 4-0"))), "/hands"),
        (FixedDeal((tiles("6-6 5-4"), tiles("1-0"))), "/hands/1"),
        (FixedDeal((tiles("6-6 5-4"), tiles("1-0 6-6"))), "/hands/1/1"),
        (FixedDeal((tiles("6-6 5-4"), tiles("1-0 7-0"))), "/hands/1/1"),
        (FixedDeal((tiles("6-6 5-4"), tiles("1-0 2-0")), tiles("3-3 1-0")), "/boneyard/1"),
        (FixedDeal((tiles("6-6 5-4"), tiles("1-0 1-1"))), "/hands/1/1"),
    ],
)
def test_a_fixed_deal_that_cannot_be_is_refused_where_it_is_wrong(kind: FixedDeal, pointer: str) -> None:
    with pytest.raises(InvalidDeal) as refused:
        fixed(kind, removed_tiles=tiles("1-1"))
    assert refused.value.pointer == pointer


def test_a_numbered_deal_seats_one_person_at_most() -> None:
    kind = NumberedDeal(1)
    create(setup("block", 1, (Human(), Cpu()), kind), AT)
    with pytest.raises(InvalidDeal):
        create(setup("block", 1, (Human(), Human()), kind), AT)


def test_rules_that_throw_in_too_many_deals_are_refused_and_others_end() -> None:
    rules = Rules(hand_size=9, redeal_doubles=4)
    assert all(deal(rules, 2, f"{seed:064x}", SecretDeal(), 1).redeals < 40 for seed in range(500))
