"""What tests of the engine share."""

import fcntl
import os

import pytest


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The kernel, compiled by one of the test processes: the others load what it kept."""
    from engine.kernel.ready import warm  # noqa: PLC0415 - to import Numba takes a second

    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    with (shared / "kernel.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        warm()
