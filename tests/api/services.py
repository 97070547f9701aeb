"""Services of a test's own, in its process: several on one database, at a time that the test sets."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import anyio
import httpx
import pytest
from fastapi import FastAPI
from pydantic import SecretStr

from api import pulse
from api.main import create_app
from api.matches import Matches
from api.settings import Settings
from tests.contract.document import Contract

SECRET = "0123456789abcdef0123456789abcdef"
DAY = timedelta(days=1)
MINUTE = timedelta(minutes=1)


@dataclass(frozen=True)
class Service:
    """A running service, without a network before it."""

    app: FastAPI
    client: httpx.AsyncClient

    @property
    def matches(self) -> Matches:
        matches: Matches = self.app.state.matches
        return matches

    def put_ahead(self, by: timedelta) -> None:
        """From now on it is so much later than the database says; by less than before, and the clock steps back."""
        self.matches.store.ahead = by


@asynccontextmanager
async def running(database_url: str, data_dir: Path, *, pool_size: int = 10) -> AsyncIterator[Service]:
    """A service on a database, whose streams end soon, so that a test may read them to their end."""
    settings = Settings(
        database_url=SecretStr(database_url),
        database_pool_size=pool_size,
        data_dir=data_dir,
        secret=SecretStr(SECRET),
        stream_seconds=5,
    )
    app = create_app(settings)
    async with app.router.lifespan_context(app), client_of(app) as client:
        client.event_hooks = {"response": [Contract().hold]}
        yield Service(app, client)


def without_pulse(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing happen without a call."""

    async def stand_still(_: Matches) -> None:
        await anyio.sleep_forever()

    monkeypatch.setattr(pulse, "run", stand_still)


def client_of(app: FastAPI) -> httpx.AsyncClient:
    """A caller of any application; its lifespan is the test's business."""
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://capicua.test")
