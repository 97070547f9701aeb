"""Thinking: what takes so long that the event loop, which would answer nobody meanwhile, must not do it.

One thread of each process does it, a thought at a time and in the order in which they were asked for. A match asks for
its decisions one by one, so that a long one comes between those of others and is nobody's wait. Whoever waits holds
neither a connection nor a lock of the database.
"""

import asyncio
import fcntl
import gc
import logging
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from datetime import datetime, timedelta
from functools import cache, partial
from pathlib import Path
from queue import SimpleQueue
from typing import Final, TypeVar

from api.problems import Unavailable
from engine import autoplay
from engine.autoplay import ponders
from engine.match import Match, Transition, decide

T = TypeVar("T")

SWITCH_SECONDS: Final = 0.0005
"""How long a thought may keep the interpreter from the event loop: a call asks for it several times on its way, and
Python's 5 ms would be the better part of its time."""

_closed: Final = threading.Event()

_logger = logging.getLogger(__name__)


async def think(function: Callable[[], T]) -> T:
    """What `function` returns, or raises. One that has not begun when its caller is cancelled never does."""
    if _closed.is_set():
        raise Unavailable
    thought: Future[T] = Future()

    def run() -> None:
        if thought.set_running_or_notify_cancel():
            try:
                thought.set_result(function())
            except BaseException as error:  # noqa: BLE001 - it is the caller's
                thought.set_exception(error)

    _thoughts().put(run)
    return await asyncio.wrap_future(thought)


def close() -> None:
    """Begin no more thoughts, for the process is about to end: calls that need them can be made again elsewhere."""
    _closed.set()


def prepare() -> None:
    """Begin to load what the expert thinks with, or to compile it; thoughts wait for it."""
    _thoughts().put(_warm)


def is_pending(match: Match) -> bool:
    """Whether the match goes on with a decision that takes thought."""
    return match.setup.pacing == "auto" and ponders(match)


async def play_on(transition: Transition, at: datetime, *, by: int = 0) -> Transition:
    """`transition`, which was at `at`, and all that follows without a further call: `by` decisions that take thought,
    and more of them while they are pending.

    What takes time to decide happens once it is decided: nobody's clock runs on what they cannot know yet.
    """
    begun, now = time.monotonic(), at
    while True:
        transition = autoplay.play_on(transition, now, at_once=True)
        match = transition.match
        if by <= 0 and not is_pending(match):
            return transition
        by -= 1
        move = await think(partial(autoplay.choose, match))
        now = at + timedelta(seconds=time.monotonic() - begun)
        following = decide(match, match.turn, move, now)
        transition = Transition(following.match, transition.events + following.events)


def _run(thoughts: SimpleQueue[Callable[[], None]]) -> None:
    while True:
        thoughts.get()()


@cache
def _thoughts() -> SimpleQueue[Callable[[], None]]:
    """What is still to be thought. The thread is a daemon, for a process that ends waits for no thought."""
    thoughts: SimpleQueue[Callable[[], None]] = SimpleQueue()
    sys.setswitchinterval(SWITCH_SECONDS)
    threading.Thread(target=_run, args=(thoughts,), name="capicua-thinking", daemon=True).start()
    return thoughts


def _warm() -> None:
    """Compile, or load what is kept. Processes of one machine take turns, so that one compiles for all."""
    try:
        from engine.kernel import ready  # noqa: PLC0415 - it takes a second

        with Path(ready.__file__).open("rb") as turn:
            with suppress(OSError):  # a file system without locks: each process compiles
                fcntl.flock(turn, fcntl.LOCK_EX)
            ready.warm()
        gc.collect()
        gc.freeze()  # as what is there from the start: there is much more of it now
    except Exception:
        _logger.exception("the expert could not be made ready")
