# ruff: noqa: E501 - a deal is read in one line
"""Deals: the documented stream written a second time, pinned deals, and the shuffle's fairness."""

import hashlib
import hmac
import itertools
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from engine.deal import FixedDeal, NumberedDeal, SecretDeal, SeededDeal, Stream, commitment, deal, seed_for
from engine.errors import InvalidDeal
from engine.events import HandDealt
from engine.match import create
from engine.players import Cpu, Human
from engine.rules import Rules
from engine.rulesets import RULESETS
from engine.tiles import Tile, tile_set
from tests.engine.games import AT, random_play, setup

GOLDEN = {
    "partner-penalty": [
        "6-3 4-2 3-2 4-3 2-1 5-5 | 6-1 2-2 5-3 5-4 6-6 3-1 | 4-0 1-1 3-3 5-2 1-0 6-0 | 6-2 2-0 6-5 5-0 4-4 6-4 | 5-1 3-0 4-1",
        "4-3 4-2 5-2 5-3 4-0 6-4 | 1-1 2-2 5-0 6-0 1-0 2-0 | 6-2 3-1 5-5 4-4 2-1 6-1 | 6-3 5-1 4-1 3-2 6-5 5-4 | 3-0 3-3 6-6",
        "4-1 1-0 4-4 2-1 5-3 3-2 | 6-1 6-3 5-0 1-1 4-3 5-4 | 5-1 6-4 3-3 2-2 6-2 5-5 | 3-1 2-0 4-0 5-2 3-0 6-6 | 6-5 6-0 4-2",
    ],
    "all-fives": [
        "4-1 3-3 3-2 5-0 5-1 1-0 1-1 | 6-3 2-1 3-0 0-0 6-2 4-0 4-4 | 5-3 2-0 6-4 4-2 5-4 6-0 4-3 5-2 6-5 5-5 3-1 6-1 6-6 2-2",
        "2-2 6-2 4-3 3-0 6-1 6-6 5-4 | 0-0 4-0 4-1 5-0 6-5 5-1 2-0 | 6-3 5-5 5-2 3-3 6-0 2-1 3-2 1-1 5-3 6-4 4-4 4-2 1-0 3-1",
        "5-0 2-2 6-5 5-3 6-1 5-1 5-2 | 6-6 6-0 4-4 3-3 6-2 4-2 4-1 | 1-0 5-5 1-1 2-0 3-0 3-2 6-4 6-3 4-0 0-0 4-3 2-1 3-1 5-4",
    ],
    "draw": [
        "4-1 3-3 3-2 5-0 5-1 1-0 1-1 | 6-3 2-1 3-0 0-0 6-2 4-0 4-4 | 5-3 2-0 6-4 4-2 5-4 6-0 4-3 5-2 6-5 5-5 3-1 6-1 6-6 2-2",
        "2-2 6-2 4-3 3-0 6-1 6-6 5-4 | 0-0 4-0 4-1 5-0 6-5 5-1 2-0 | 6-3 5-5 5-2 3-3 6-0 2-1 3-2 1-1 5-3 6-4 4-4 4-2 1-0 3-1",
        "5-0 2-2 6-5 5-3 6-1 5-1 5-2 | 6-6 6-0 4-4 3-3 6-2 4-2 4-1 | 1-0 5-5 1-1 2-0 3-0 3-2 6-4 6-3 4-0 0-0 4-3 2-1 3-1 5-4",
    ],
    "block": [
        "4-1 3-3 3-2 5-0 5-1 1-0 1-1 | 6-3 2-1 3-0 0-0 6-2 4-0 4-4 | 5-3 2-0 6-4 4-2 5-4 6-0 4-3 5-2 6-5 5-5 3-1 6-1 6-6 2-2",
        "2-2 6-2 4-3 3-0 6-1 6-6 5-4 | 0-0 4-0 4-1 5-0 6-5 5-1 2-0 | 6-3 5-5 5-2 3-3 6-0 2-1 3-2 1-1 5-3 6-4 4-4 4-2 1-0 3-1",
        "5-0 2-2 6-5 5-3 6-1 5-1 5-2 | 6-6 6-0 4-4 3-3 6-2 4-2 4-1 | 1-0 5-5 1-1 2-0 3-0 3-2 6-4 6-3 4-0 0-0 4-3 2-1 3-1 5-4",
    ],
}


def tiles(text: str) -> tuple[Tile, ...]:
    return tuple(Tile.parse(tile) for tile in text.split())


def integers_again(seed: bytes, message: bytes) -> Iterator[int]:
    """Steps 1 and 2 of `engine.deal`, written from its docstring."""
    for block in itertools.count():
        digest = hmac.new(seed, message + block.to_bytes(8, "big"), hashlib.sha256).digest()
        for start in range(0, 32, 4):
            yield int.from_bytes(digest[start : start + 4], "big")


def deck_again(seed: bytes, live: list[str], hand: int, redeals: int) -> list[str]:
    """Step 3, the same way."""
    words = integers_again(seed, b"capicua/deal/1" + hand.to_bytes(8, "big") + redeals.to_bytes(8, "big"))
    deck = list(live)
    for last in reversed(range(1, len(deck))):
        bound = last + 1
        word = next(word for word in words if word < 2**32 - 2**32 % bound)
        deck[last], deck[word % bound] = deck[word % bound], deck[last]
    return deck


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_second_implementation_deals_the_same(ruleset: str) -> None:
    rules, seats = RULESETS[ruleset].rules, RULESETS[ruleset].seat_counts[0]
    live = [f"{high}-{low}" for high in range(7) for low in range(high + 1)]
    live = [name for name in live if name not in map(str, rules.removed_tiles)]
    for number in range(300):
        seed = hashlib.sha256(f"capicua/numbered/1/{number}".encode()).digest()
        dealt = deal(rules, seats, seed.hex(), NumberedDeal(number), 3)
        deck = deck_again(seed, live, 3, dealt.redeals)
        assert [str(tile) for hand in (*dealt.tiles, dealt.boneyard) for tile in hand] == deck
        assert [len(hand) for hand in dealt.tiles] == [rules.hand_size] * seats


@pytest.mark.parametrize("ruleset", RULESETS)
def test_numbered_deals_are_the_same_for_ever(ruleset: str) -> None:
    rules, seats = RULESETS[ruleset].rules, RULESETS[ruleset].seat_counts[0]
    dealt = []
    for number in (0, 1, 4_294_967_295):
        kind = NumberedDeal(number)
        found = deal(rules, seats, seed_for(kind, b""), kind, 1)
        dealt.append(" | ".join(" ".join(map(str, hand)) for hand in (*found.tiles, found.boneyard)))
    assert dealt == GOLDEN[ruleset]


def test_the_stream_skips_words_that_would_favour_low_numbers() -> None:
    stream, again = Stream("11" * 32, "label", 5), integers_again(b"\x11" * 32, b"label" + (5).to_bytes(8, "big"))
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


def test_levels_do_not_touch_the_deals() -> None:
    dealt = []
    for level in ("easy", "medium"):
        players = (Human(), Cpu(level))
        log = [moment.log for moment in random_play(setup("draw", 8, players), most=400)][-1]
        dealt.append([event.tiles for event in log if isinstance(event, HandDealt)])
    assert dealt[0][:3] == dealt[1][:3]


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
    assert set(event.boneyard) == set(tile_set(6)) - {tile for hand in FIXED.hands for tile in hand}


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
