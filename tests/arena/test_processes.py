"""Work in processes: its order, and its end."""

import multiprocessing
import os
import signal
import time
from functools import partial
from operator import mul

import pytest

from arena.errors import Refused
from arena.processes import cores, portion, spread

WORKERS = [1, 2]


@pytest.mark.parametrize("workers", WORKERS)
def test_results_come_in_the_order_of_the_tasks(workers: int) -> None:
    with spread(partial(mul, 3), range(20), workers) as results:
        assert list(results) == list(range(0, 60, 3))


def test_a_worker_that_takes_long_does_not_change_the_order() -> None:
    with spread(time.sleep, [0.2, 0, 0, 0], 2) as results:
        assert list(results) == [None] * 4


def test_who_leaves_early_leaves_no_process_behind() -> None:
    before = set(multiprocessing.active_children())
    with spread(time.sleep, [0, 60, 60], 2) as results:
        next(results)
        assert len(set(multiprocessing.active_children()) - before) == 2
    assert set(multiprocessing.active_children()) == before


def test_a_worker_that_is_killed_is_told_of() -> None:
    with pytest.raises(Refused, match="fewer --workers"), spread(os._exit, [3, 3], 2) as results:
        list(results)


def test_an_interrupt_leaves_workers_alone() -> None:
    """A terminal sends it to them too, and their parent ends them."""
    with spread(signal.raise_signal, [signal.SIGINT, signal.SIGINT], 2) as results:
        assert list(results) == [None, None]


def test_work_is_cut_so_that_all_have_some() -> None:
    assert [portion(count, 2) for count in (1, 8, 40, 1_000)] == [1, 1, 5, 10]
    assert 1 <= cores() <= (os.cpu_count() or 1)
