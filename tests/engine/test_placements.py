"""Ways to put tiles in places, against all of them written out."""

import math
import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from engine.strategies.placements import Placements, uniform, work

DEVIATIONS = 4
"""How far counts may be from what is expected. The seeds are fixed, so a test that passes once always does."""


def every_way(allowed: Sequence[int], sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """The place of each tile, in every way that there is."""
    if not allowed:
        yield ()
        return
    for place, size in enumerate(sizes):
        if size and allowed[0] >> place & 1:
            left = [*sizes[:place], size - 1, *sizes[place + 1 :]]
            for rest in every_way(allowed[1:], left):
                yield place, *rest


def small_case(seed: int) -> tuple[list[int], list[int]]:
    """What the places of a few tiles may be, and how many each holds; it may be that there is no way."""
    rng = random.Random(seed)
    places = rng.randint(1, 4)
    sizes = [rng.randint(0, 3) for _ in range(places)]
    anywhere = (1 << places) - 1
    return [rng.choice([anywhere, rng.randint(1, anywhere)]) for _ in range(sum(sizes))], sizes


CASES = [small_case(seed) for seed in range(200)]


def places_of(rows: np.ndarray, sizes: Sequence[int]) -> list[tuple[int, ...]]:
    """Rows of tiles by place as the place of each tile."""
    ways = np.empty_like(rows)
    np.put_along_axis(ways, rows, np.repeat(np.arange(len(sizes)), sizes)[None, :], axis=1)
    return [tuple(way) for way in ways.tolist()]


def deviation(counts: Counter[tuple[int, ...]], expected: float, kinds: int) -> float:
    """How far counts are from being equal: their chi-square, in standard deviations (Wilson and Hilferty, 1931)."""
    total = (kinds - len(counts)) * expected + sum((count - expected) ** 2 for count in counts.values()) / expected
    spread = 2 / (9 * (kinds - 1))
    return (math.cbrt(total / (kinds - 1)) - (1 - spread)) / math.sqrt(spread)


def test_as_many_ways_are_counted_as_there_are() -> None:
    counts = [len(list(every_way(*case))) for case in CASES]
    assert [Placements(*case).count for case in CASES] == counts
    assert 0 in counts
    assert max(counts) > 5_000


def test_the_chance_of_a_place_is_the_part_of_all_ways() -> None:
    for allowed, sizes in CASES:
        ways = list(every_way(allowed, sizes))
        if not ways:
            continue
        expected = np.zeros((len(allowed), len(sizes)))
        for way in ways:
            expected[range(len(allowed)), way] += 1
        np.testing.assert_allclose(Placements(allowed, sizes).chances(), expected / len(ways), rtol=1e-14, atol=0)


def test_every_way_is_drawn_and_each_as_often() -> None:
    tried = 0
    for seed, (allowed, sizes) in enumerate(CASES):
        ways = set(every_way(allowed, sizes))
        if not 1 < len(ways) <= 1_000:
            continue
        drawn = Counter(places_of(Placements(allowed, sizes).sample(seed, 0, 20 * len(ways)), sizes))
        assert drawn.keys() <= ways
        assert deviation(drawn, 20, len(ways)) < DEVIATIONS, (allowed, sizes)
        tried += 1
    assert tried > 50


def test_the_order_within_a_place_is_by_chance() -> None:
    rows = Placements([0b11, 0b11, 0b10, 0b10, 0b11], [2, 3]).sample(5, 0, 24_000)
    orders = Counter(map(tuple, rows.tolist()))
    assert len(orders) == 3 * math.factorial(2) * math.factorial(3)
    assert deviation(orders, 24_000 / len(orders), len(orders)) < DEVIATIONS


def test_a_list_by_chance_repeats_and_can_be_taken_up_anywhere() -> None:
    placements = Placements([0b111] * 6 + [0b011, 0b110, 0b100], [3, 3, 3])
    rows = placements.sample(1, 0, 50)
    assert (placements.sample(1, 20, 10) == rows[20:30]).all()
    assert (placements.sample(2, 0, 50) != rows).any()


def test_numbers_by_chance_are_those_of_splitmix() -> None:
    # A seed is mixed before it is counted on from; 0 stays what it is, and its first word is a published one.
    word, state = (1 << 64) - 1, 0
    expected = []
    for _ in range(4):
        state = (state + 0x9E3779B97F4A7C15) & word
        mixed = ((state ^ state >> 30) * 0xBF58476D1CE4E5B9) & word
        mixed = ((mixed ^ mixed >> 27) * 0x94D049BB133111EB) & word
        expected.append((mixed ^ mixed >> 31) >> 11)
    assert expected[0] == 0xE220A8397B1DCDAF >> 11
    assert (uniform(0, 0, 2, 2) * 2**53).tolist() == [expected[:2], expected[2:]]


def test_large_counts_are_right_to_the_last_digits() -> None:
    allowed = [0b1111] * 30 + [0b1110] * 9 + [0b1101] * 5
    sizes = [8, 9, 10, 17]
    expected = sum(
        math.comb(9, to_one)
        * math.comb(5, to_none)
        * math.comb(30, 8 - to_none)
        * math.comb(22 + to_none, 9 - to_one)
        * math.comb(44 - 8 - 9, 10)
        for to_one in range(10)
        for to_none in range(6)
    )
    assert Placements(allowed, sizes).count == pytest.approx(expected, rel=1e-13)


def test_places_alike_are_no_more_work_than_one() -> None:
    sizes = [10] * 8 + [11]
    assert work([(1 << 9) - 1] * 91, sizes) == 1
    assert work([(1 << 9) - 1] * 90 + [1], sizes) == 91 * 11
    began = time.process_time()
    assert Placements([(1 << 9) - 1] * 91, sizes).count > 1e70
    assert time.process_time() - began < 0.5
