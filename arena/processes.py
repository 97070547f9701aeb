"""Work spread over processes, with its results in order."""

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any, TypeVar

from arena.errors import Refused

T = TypeVar("T")
R = TypeVar("R")


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def portion(count: int, workers: int) -> int:
    """How much of `count` to do in one piece: little enough that all have work to the end, and progress is seen."""
    return max(1, min(10, count // (4 * workers)))


@contextmanager
def spread(work: Callable[[T], R], tasks: Sequence[T], workers: int) -> Iterator[Iterator[R]]:
    """What `work` makes of each task, in the order of the tasks. One worker is this process itself.

    Workers are spawned: a fork would copy locks that threads of libraries hold. Each has a pipe of its own, so that it
    can be ended at any moment, as all are at Ctrl-C, and nothing is left that others wait for.
    """
    if workers == 1:
        yield map(work, tasks)
        return
    context = multiprocessing.get_context("spawn")
    pipes = [context.Pipe() for _ in range(min(workers, len(tasks)))]
    team = [context.Process(target=_serve, args=(theirs, work), daemon=True) for _, theirs in pipes]
    try:
        with _interrupts_held():
            for worker in team:
                worker.start()
        for _, theirs in pipes:
            theirs.close()  # so that the end of a worker is the end of its pipe
        yield _results([ours for ours, _ in pipes], tasks)
    finally:
        for worker in team:
            if worker.pid is not None:
                worker.terminate()
                worker.join()
        for ours, _ in pipes:
            ours.close()


def _results(pipes: Sequence["Connection[Any, Any]"], tasks: Sequence[T]) -> Iterator[Any]:
    waiting = iter(enumerate(tasks))
    busy: dict[Connection[Any, Any], int] = {}
    done: dict[int, Any] = {}

    def hand_out(pipe: "Connection[Any, Any]") -> None:
        for index, task in waiting:
            pipe.send(task)
            busy[pipe] = index
            return

    try:
        for pipe in pipes:
            hand_out(pipe)
        for index in range(len(tasks)):
            while index not in done:
                for ready in wait(list(busy)):
                    assert isinstance(ready, Connection)
                    done[busy.pop(ready)] = ready.recv()
                    hand_out(ready)
            yield done.pop(index)
    except (EOFError, ConnectionError):
        raise Refused("A worker ended before its work: try again, with fewer --workers if memory is short.") from None


def _serve(pipe: "Connection[Any, Any]", work: Callable[[Any], object]) -> None:
    """Work until the parent is gone, which otherwise ends this process itself."""
    with suppress(EOFError, ConnectionError):
        while True:
            pipe.send(work(pipe.recv()))


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Hold Ctrl-C back from processes that start meanwhile, for good, and from this one until they have.

    A terminal sends it to all of them. It is this process that ends the others, and theirs to say nothing.
    """
    resource_tracker.ensure_running()  # or the first process would start it, and let signals through after that
    held = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, held)
