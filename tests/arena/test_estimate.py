"""What samples say, against numbers worked out by hand."""

import time
from dataclasses import replace

import pytest

from arena.estimate import Estimate, Stopwatch, percentile
from engine.deal import Stream
from engine.match import create
from engine.moves import Pass, Turn
from engine.strategies import medium
from engine.view import MatchView, Viewer, view
from tests.engine.games import AT, setup


def test_an_interval_worked_out_by_hand() -> None:
    """Of 0, 50, 50, 100 the mean is 50, the squares of the differences add up to 5,000, the variance is 5,000 / 3, and
    the standard error its root over 2: 20.412. Times 1.960 that is 40.008.
    """
    estimate = Estimate.of([0, 50, 50, 100])
    assert estimate.mean == 50
    assert estimate.error == pytest.approx(20.4124, abs=1e-4)
    assert estimate.margin == pytest.approx(40.0076, abs=1e-4)
    assert estimate.interval == pytest.approx((9.9924, 90.0076), abs=1e-4)
    assert estimate.at_least == pytest.approx(50 - 1.644854 * 20.412415, abs=1e-4)


def test_samples_that_agree_leave_no_doubt() -> None:
    assert Estimate.of([50.0] * 7).interval == (50, 50)


@pytest.mark.parametrize(
    ("values", "percent", "expected"),
    [([3, 1, 2], 50, 2), ([4, 1, 3, 2], 50, 2), (range(1, 101), 99, 99), ([7], 99, 7), ([1, 2], 99, 2), ([], 50, None)],
)
def test_percentiles(values: list[int], percent: int, expected: int | None) -> None:
    assert percentile(values, percent) == expected


def test_a_stopwatch_times_decisions_and_not_what_has_to_be() -> None:
    match = create(setup("block", 3, opening="free"), AT).match
    assert match.turn is not None
    seen = view(match, Viewer("seat", match.turn))
    assert seen.hand is not None
    forced = replace(seen, hand=replace(seen.hand, legal_moves=(Pass(),)))

    def choose(view: MatchView, rng: Stream) -> Turn:
        until = time.process_time() + 0.002
        while time.process_time() < until:
            pass
        return medium.choose(view, rng)

    watch = Stopwatch(choose)
    rng = Stream("00" * 32, "test")
    assert watch(forced, rng) == Pass()
    assert watch.nanoseconds == []
    assert watch(seen, rng) == medium.choose(seen, rng)
    assert [taken >= 2_000_000 for taken in watch.nanoseconds] == [True]
