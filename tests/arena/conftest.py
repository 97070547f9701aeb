import signal
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def _own_handler() -> Iterator[None]:
    """`main` takes over SIGTERM, which is the test runner's."""
    kept = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, kept)
