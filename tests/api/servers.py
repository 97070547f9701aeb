"""PostgreSQL servers that tests stop, kill and wait for."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import psycopg

from api.database import libpq_url
from tests.serving import PATIENCE


def connect(url: str) -> psycopg.Connection:
    return psycopg.connect(libpq_url(url), autocommit=True)


def server_pid(data_dir: Path) -> int | None:
    """The number that the leased server of `data_dir` has noted, if it has."""
    note = data_dir / "postgres" / "postmaster.pid"
    with suppress(FileNotFoundError, IndexError):  # the latter while it is written
        return int(note.read_text().split()[0])
    return None


def workers_of(pid: int) -> list[psutil.Process]:
    """The processes that serve for the service with this number."""
    with suppress(psutil.Error):
        return [child for child in psutil.Process(pid).children() if _serves(child)]
    return []


def _serves(process: psutil.Process) -> bool:
    with suppress(psutil.Error):  # it has ended, reaped or not
        return any("spawn_main" in word for word in process.cmdline())
    return False


def kill(pid: int | None) -> None:
    """Kill a process and return when it is dead, reaped or not."""
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    with suppress(psutil.NoSuchProcess):
        process = psutil.Process(pid)
        wait_until(lambda: not process.is_running() or process.status() == psutil.STATUS_ZOMBIE)


def wait_until(holds: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.01)


def answers(url: str) -> bool:
    """Whether a server answers there."""
    try:
        with connect(url) as connection:
            connection.execute("SELECT 1")
    except psycopg.OperationalError:
        return False
    return True


@contextmanager
def held_down(url: str, data_dir: Path) -> Iterator[None]:
    """Kill the leased server at `url`, and keep it from starting again for as long as the context.

    A session that is stopped, and so does not notice, holds on to the shared memory of the killed server.
    """
    with connect(url) as connection:
        session = connection.info.backend_pid
        os.kill(session, signal.SIGSTOP)
        try:
            kill(server_pid(data_dir))
            yield
        finally:
            os.kill(session, signal.SIGCONT)
