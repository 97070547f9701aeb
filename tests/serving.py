"""`capicua serve` in a process of its own, over a real socket."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PATIENCE: Final = 120
"""Seconds after which a process of its own has hung; how fast it is on a busy machine is not what a test judges."""


@dataclass(frozen=True)
class Served:
    """A service that runs."""

    url: str
    process: subprocess.Popen[str]

    def stop(self) -> int:
        """Stop it as an orchestrator does, and answer its exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=PATIENCE)


Serve = Callable[..., Served]


def environment(data_dir: Path, **settings: str) -> dict[str, str]:
    """The environment of a `capicua` command that has these settings and no others."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("CAPICUA_")}
    return {**inherited, "CAPICUA_DATA_DIR": str(data_dir), **settings}


@contextmanager
def serving(data_dir: Path, *arguments: str, **settings: str) -> Iterator[Served]:
    """A service on a port of its own."""
    command = [sys.executable, "-m", "api.cli", "serve", "--port", "0", *arguments]
    variables = environment(data_dir, **settings)
    with subprocess.Popen(command, env=variables, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = process.stdout.readline()
        try:
            assert " on http://" in said, f"capicua serve said {said!r}"
            yield Served(said.split(" on ")[1].split()[0], process)
        finally:
            process.terminate()
