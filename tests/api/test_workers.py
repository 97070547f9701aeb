"""Processes of the service that are killed."""

import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import uvicorn

from api.workers import Workers
from tests.api.servers import wait_until, workers_of
from tests.serving import PATIENCE, Serve


def test_workers_end_with_their_killed_parent_and_leave_the_port(serve: Serve, tmp_path: Path) -> None:
    first = serve("--workers", "2")
    workers = workers_of(first.process.pid)
    assert len(workers) == 2
    os.kill(first.process.pid, signal.SIGKILL)
    first.process.wait()
    wait_until(lambda: not any(worker.is_running() for worker in workers))
    second = serve("--workers", "2", "--port", first.url.rpartition(":")[2])
    assert second.url == first.url


def test_all_workers_killed_are_replaced(serve: Serve) -> None:
    served = serve("--workers", "2")
    killed = workers_of(served.process.pid)
    for worker in killed:
        worker.kill()
    wait_until(lambda: len(set(workers_of(served.process.pid)) - set(killed)) == 2)
    assert httpx.get(f"{served.url}/health/ready", timeout=PATIENCE).is_success


@pytest.fixture
def workers() -> Iterator[Workers]:
    """One worker whose parent waits as long as a test does for a sign of life."""
    signals = {number: signal.getsignal(number) for number in signal.valid_signals()}
    config = uvicorn.Config("api.main:create_app_from_environment", timeout_worker_healthcheck=2 * PATIENCE, workers=1)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        made = Workers(config, [listener])
        made.init_processes()
        try:
            yield made
        finally:
            for worker in made.processes:
                worker.kill()
                worker.join()
            for number, handler in signals.items():
                if signal.getsignal(number) != handler:
                    signal.signal(number, handler)


def test_a_worker_killed_while_it_is_asked_is_replaced_at_once(workers: Workers) -> None:
    [worker] = workers.processes
    assert worker.pid is not None
    os.kill(worker.pid, signal.SIGSTOP)  # it never answers
    threading.Timer(1, os.kill, (worker.pid, signal.SIGKILL)).start()
    asked = time.monotonic()
    workers.keep_subprocess_alive()
    assert time.monotonic() - asked < PATIENCE
    assert workers.processes[0].pid != worker.pid
