"""A service on a real PostgreSQL.

All workers lease one private server, and each has a migrated template, from which a database is a copy of a few
milliseconds. `CAPICUA_TEST_DATABASE_URL` names another server to test on, whose databases come and go by unique names.
"""

import os
import secrets
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import psycopg
import pytest
from fastapi import FastAPI
from psycopg.sql import SQL, Identifier
from pydantic import SecretStr
from sqlalchemy.engine import make_url

from api import embedded
from api.database import libpq_url, migrate
from api.main import create_app
from api.settings import Settings, normalize_database_url
from tests.api.services import SECRET, Service, client_of, running, without_pulse
from tests.contract.document import Document

PATIENCE = 120
"""Seconds after which a process of its own has hung; how fast it is on a busy machine is not what a test judges."""


@pytest.fixture(scope="session")
def anyio_backend() -> tuple[str, dict[str, bool]]:
    """One event loop for all tests of a worker, on which the application's connections live; uvloop, as in service."""
    return "asyncio", {"use_uvloop": True}


@pytest.fixture(scope="session")
def server_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A database server on which this worker may make databases."""
    given = os.environ.get("CAPICUA_TEST_DATABASE_URL")
    if given:
        yield normalize_database_url(given)
        return
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    with embedded.lease(shared, parameters=embedded.DISPOSABLE) as url:
        yield url


@contextmanager
def _new_database(server_url: str, *, template: str = "template1") -> Iterator[str]:
    name = f"capicua_{secrets.token_hex(6)}"
    with psycopg.connect(libpq_url(server_url), autocommit=True) as connection:
        connection.execute(SQL("CREATE DATABASE {} TEMPLATE {}").format(Identifier(name), Identifier(template)))
        try:
            yield make_url(server_url).set(database=name).render_as_string(hide_password=False)
        finally:
            connection.execute(SQL("DROP DATABASE {} WITH (FORCE)").format(Identifier(name)))


@pytest.fixture(scope="session")
def template(server_url: str) -> Iterator[str]:
    """The name of an empty, migrated database to copy; nothing may stay connected to it."""
    with _new_database(server_url) as url:
        migrate(url)
        yield str(make_url(url).database)


@pytest.fixture(scope="session")
def database_url(server_url: str, template: str) -> Iterator[str]:
    """The database that the tests of this worker share: each leaves its matches behind, so count none but your own."""
    with _new_database(server_url, template=template) as url:
        yield url


@pytest.fixture
def fresh_database_url(server_url: str, template: str) -> Iterator[str]:
    """A migrated database without a match, for one test."""
    with _new_database(server_url, template=template) as url:
        yield url


@pytest.fixture
def empty_database_url(server_url: str) -> Iterator[str]:
    """A database without a schema, for one test."""
    with _new_database(server_url) as url:
        yield url


@pytest.fixture(scope="session")
def settings(database_url: str, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """The settings of `app`."""
    return Settings(
        database_url=SecretStr(database_url),
        data_dir=tmp_path_factory.mktemp("data"),
        secret=SecretStr(SECRET),
        cors_origins=("https://example.org",),
    )


@pytest.fixture(scope="session")
async def app(settings: Settings) -> AsyncIterator[FastAPI]:
    """The service, running."""
    created = create_app(settings)
    async with created.router.lifespan_context(created):
        yield created


@pytest.fixture(scope="session")
async def client(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    """A caller of `app`, without a network between them, that holds every answer against the published document."""
    async with client_of(app) as caller:
        caller.event_hooks = {"response": [Document().hold]}
        yield caller


@pytest.fixture
async def service(fresh_database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Service]:
    """A service with no matches but the test's, in which nothing happens without a call."""
    without_pulse(monkeypatch)
    async with running(fresh_database_url, tmp_path) as own:
        yield own


@dataclass(frozen=True)
class Served:
    """A `capicua serve` in a process of its own, over a real socket."""

    url: str
    process: subprocess.Popen[str]

    def stop(self) -> int:
        """Stop it as an orchestrator does, and answer its exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=PATIENCE)


Serve = Callable[..., Served]


@contextmanager
def serving(data_dir: Path, arguments: Sequence[str], environment: dict[str, str]) -> Iterator[Served]:
    """A service in a process of its own, on a port of its own."""
    command = [sys.executable, "-m", "api.cli", "serve", "--port", "0", *arguments]
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("CAPICUA_")}
    variables = {**inherited, "CAPICUA_DATA_DIR": str(data_dir), **environment}
    with subprocess.Popen(command, env=variables, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = process.stdout.readline()
        try:
            assert " on http://" in said, f"capicua serve said {said!r}"
            yield Served(said.split(" on ")[1].split()[0], process)
        finally:
            process.terminate()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Starts services for one test: `serve("--workers", "2", CAPICUA_DATABASE_URL=…)`, by default on `tmp_path`'s own
    PostgreSQL. They are stopped at its end."""
    with ExitStack() as stack:

        def start(*arguments: str, data_dir: Path = tmp_path, **environment: str) -> Served:
            served = stack.enter_context(serving(data_dir, arguments, environment))
            assert httpx.get(
                f"{served.url}/health/ready", timeout=PATIENCE
            ).is_success  # the socket takes calls from the start
            return served

        yield start


@pytest.fixture(scope="session")
def served(database_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The service in a process of its own, on the database of `app` and with its secret, for the tests of a worker."""
    variables = {"CAPICUA_DATABASE_URL": database_url, "CAPICUA_SECRET": SECRET}
    with serving(tmp_path_factory.mktemp("served"), (), variables) as service:
        yield service


@pytest.fixture(scope="session")
def served_pair(database_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The same in two processes."""
    variables = {"CAPICUA_DATABASE_URL": database_url, "CAPICUA_SECRET": SECRET}
    with serving(tmp_path_factory.mktemp("served"), ("--workers", "2"), variables) as service:
        yield service
