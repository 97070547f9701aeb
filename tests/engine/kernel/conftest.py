"""The kernel is compiled before any test of it takes time."""

import pytest


@pytest.fixture(scope="session", autouse=True)
def ready(compiled: None) -> None:
    """See `tests.conftest`."""
