"""The kernel, compiled by one of the test processes: the others load what it kept."""

import fcntl
import os

import pytest

from engine.kernel.ready import warm


@pytest.fixture(scope="session", autouse=True)
def compiled(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Have the code compiled before any test takes time."""
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    with (shared / "kernel.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        warm()
