"""Time at the table: a budget for each seat and hand, which runs only while a person in that seat has to move.

The engine is handed the time and never reads it. What a seat has left follows from the log alone: every event says
when it happened and whose turn it is.
"""

from datetime import datetime, timedelta
from typing import Annotated

from engine.bounds import Between, Described
from engine.values import value

_MICROSECOND = timedelta(microseconds=1)


@value
class TimeControl(Described):
    """How long each person may think."""

    seconds_per_hand: Annotated[int, Between(1, 86_400)]
    """For all turns of a seat in one hand together. Each hand begins with a full budget; at zero the seat's team loses
    the match."""


@value
class Clock:
    """What each seat has left of its budget, as of the match's last event."""

    left: tuple[int, ...]
    """In microseconds, by seat."""
    running: int | None = None
    """The seat whose time runs from the last event on."""

    def deadline(self, since: datetime) -> datetime | None:
        """When the running seat has used up its time, if the last event was at `since`; null while none runs."""
        return None if self.running is None else since + self.left[self.running] * _MICROSECOND


def full(control: TimeControl, seat_count: int) -> Clock:
    """The clock at the beginning of a hand."""
    return Clock((control.seconds_per_hand * 1_000_000,) * seat_count)


def charged(clock: Clock, elapsed: timedelta, running: int | None) -> Clock:
    """`clock` when `elapsed` has passed since the last event, and from when on the time of `running` runs.

    A step backwards of the time handed in gives nobody more than was left.
    """
    spent = clock.running
    if spent is None:
        return Clock(clock.left, running)
    left = max(0, clock.left[spent] - max(0, elapsed // _MICROSECOND))
    return Clock((*clock.left[:spent], left, *clock.left[spent + 1 :]), running)
