"""What samples say of a mean, and how long decisions took."""

import math
import statistics
import time
from collections.abc import Sequence
from typing import Final

from engine.deal import Stream
from engine.moves import Turn
from engine.strategies import Strategy
from engine.strategies.legal import turns
from engine.values import value
from engine.view import MatchView

TWO_SIDED: Final = statistics.NormalDist().inv_cdf(0.975)
ONE_SIDED: Final = statistics.NormalDist().inv_cdf(0.95)
"""The standard errors between a mean and the bounds of its 95% confidence interval, as the normal distribution has it:
means of some thirty samples and more are close to it, whatever the samples are like."""


@value
class Estimate:
    """A mean, and how far chance may have put it off."""

    mean: float
    error: float
    """The standard error of the mean."""

    @classmethod
    def of(cls, samples: Sequence[float]) -> "Estimate":
        """From two samples or more that are independent of each other."""
        return cls(statistics.fmean(samples), statistics.stdev(samples) / math.sqrt(len(samples)))

    @property
    def interval(self) -> tuple[float, float]:
        """The two-sided 95% confidence interval."""
        return self.mean - self.margin, self.mean + self.margin

    @property
    def margin(self) -> float:
        """Half the width of `interval`."""
        return TWO_SIDED * self.error

    @property
    def at_least(self) -> float:
        """The lower bound of the one-sided 95% confidence interval."""
        return self.mean - ONE_SIDED * self.error


class Stopwatch:
    """A player whose decisions are timed, those with more than one legal move: the others take no thought.

    It is the processor's time, which is what a decision takes where nothing else runs: several workers, or other
    programs, make a decision wait but not longer. The watch changes in place, as its player is asked.
    """

    def __init__(self, strategy: Strategy) -> None:
        self._strategy = strategy
        self.nanoseconds: list[int] = []

    def __call__(self, view: MatchView, rng: Stream) -> Turn:
        """What the player decides."""
        if len(turns(view)) < 2:
            return self._strategy(view, rng)
        begun = time.process_time_ns()
        turn = self._strategy(view, rng)
        self.nanoseconds.append(time.process_time_ns() - begun)
        return turn


def percentile(values: Sequence[int], percent: int) -> int | None:
    """The least of `values` that `percent` of them do not exceed; none of no values."""
    return sorted(values)[math.ceil(len(values) * percent / 100) - 1] if values else None
