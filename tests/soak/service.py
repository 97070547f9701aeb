"""A `capicua serve` that is killed, in part or as a whole, and stopped, and started again as a supervisor would."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Final

import psutil

from tests.api.servers import server_pid, workers_of
from tests.serving import PATIENCE, environment
from tests.soak.ledger import Ledger

SHUTDOWN_SECONDS: Final = 60
"""More than a stop under load takes on a slow machine; one that waited for its streams would take as long."""

LOOK_SECONDS: Final = 0.1

KINDS: Final = ("worker", "workers", "postgres", "service")
"""What can be killed: one worker, all of them, the PostgreSQL, or the parent of all."""


class Service:
    """The service of one data directory, on one port for all its lives."""

    def __init__(self, data_dir: Path, ledger: Ledger, *, workers: int) -> None:
        self._data_dir, self._ledger, self._workers = data_dir, ledger, workers
        self._port = _quiet_port()
        self._process: subprocess.Popen[bytes] | None = None
        self._is_wanted = False
        self._killed = False
        self._log_start = 0
        self.url = f"http://127.0.0.1:{self._port}"
        self.log = data_dir / "serve.log"

    def prepare(self) -> None:
        """Make the database. A power cut is not played here, so that nothing has to wait for the disk."""
        self._run("migrate").wait(timeout=PATIENCE)
        with (self._data_dir / "postgres" / "postgresql.conf").open("a") as settings:
            settings.write("fsync = off\nsynchronous_commit = on\n")

    async def keep(self) -> None:
        """Start it, and start it again when it has ended, until cancelled."""
        self._is_wanted = True
        while True:
            if self._is_wanted and (self._process is None or self._process.poll() is not None):
                if self._process is not None and not self._killed:
                    if self._listens():
                        self._ledger.fault(f"the service ended by itself, with status {self._process.returncode}")
                    self._ledger.tally["starts in vain"] += 1
                options = ("--port", str(self._port), "--workers", str(self._workers))
                self._process = self._run("serve", *options)
                self._killed = False
                self._ledger.up.clear()
            await asyncio.sleep(LOOK_SECONDS)

    def kill(self, kind: str, rng: Random) -> bool:
        """Kill at once; false where there is nothing of that kind now.

        What takes the whole service down waits until that has been back: on a slow machine it would never be.
        """
        if self._process is None or self._process.poll() is not None:
            return False
        if kind in {"workers", "service"} and not (self._listens() and self._ledger.up.is_set()):
            return False
        killed = self._kill(self._process.pid, kind, rng)
        if killed and kind != "worker":
            self._ledger.up.clear()
        return killed

    def _kill(self, service: int, kind: str, rng: Random) -> bool:
        match kind:
            case "postgres":
                pid = server_pid(self._data_dir)
                return pid is not None and _runs_on(pid, self._data_dir / "postgres") and _kill(pid)
            case "service":
                self._killed = True
                return _kill(service)
            case _:
                found = self.workers()
                chosen = found if kind == "workers" else rng.sample(found, min(1, len(found)))
                return sum(_kill(worker.pid) for worker in chosen) > 0

    def workers(self) -> list[psutil.Process]:
        """The processes that serve."""
        return [] if self._process is None else workers_of(self._process.pid)

    async def stop(self) -> None:
        """Stop it as an orchestrator does, under whatever load there is."""
        if self._process is None or self._process.poll() is not None:
            return
        self._is_wanted = False
        for _ in range(20):  # turns of the loop, by which every reader has heard of the last kill
            await asyncio.sleep(0.02)
        ledger, process = self._ledger, self._process
        workers, listened = self.workers(), self._listens()
        begun = ledger.stopping_since = time.monotonic()
        process.send_signal(signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            await asyncio.to_thread(process.wait, PATIENCE)
        ledger.stopping_since = None
        took = time.monotonic() - begun
        ledger.longest_stop = max(ledger.longest_stop, took)
        if took >= SHUTDOWN_SECONDS:
            ledger.fault(f"a stop took {took:.1f} s")
        status = process.poll()
        if status not in ({0} if listened else {0, 128 + signal.SIGTERM, -signal.SIGTERM}):
            ledger.fault(f"a stop ended with status {status}")
        if any(worker.is_running() for worker in workers):
            ledger.fault("a worker outlived the stop")
        self._killed = True

    def start_again(self) -> None:
        """Have it run, after a stop."""
        self._is_wanted = True

    def end(self) -> None:
        """Leave nothing running."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(timeout=PATIENCE)
            self._process.kill()
            self._process.wait()

    def _listens(self) -> bool:
        """Whether the present process has got so far."""
        return b"Capicua listens" in self.log.read_bytes()[self._log_start :]

    def _run(self, *arguments: str) -> subprocess.Popen[bytes]:
        variables = environment(self._data_dir, CAPICUA_SHUTDOWN_SECONDS=str(SHUTDOWN_SECONDS))
        self._log_start = self.log.stat().st_size if self.log.exists() else 0
        with self.log.open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "api.cli", *arguments], env=variables, stdout=log, stderr=log
            )


def _runs_on(pid: int, cluster: Path) -> bool:
    """Whether the process is the server of `cluster`: a note of its number may be old."""
    with suppress(psutil.Error):
        return str(cluster) in psutil.Process(pid).cmdline()
    return False


def _kill(pid: int) -> bool:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
        return True
    return False


def _quiet_port() -> int:
    """A free port that no outgoing connection is given while the service is away."""
    rng = Random()
    while True:
        port = rng.randrange(20_000, 32_000)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
