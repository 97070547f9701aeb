"""What tests have in common: a service on a real PostgreSQL, made where a test asks for it, and Hypothesis, which draws
the same examples on every machine and takes the time it takes.

All workers lease one private server, and each has a migrated template, from which a database is a copy of a few
milliseconds. `CAPICUA_TEST_DATABASE_URL` names another server to test on, whose databases come and go by unique names.
"""

import fcntl
import os
import secrets
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import psycopg
import pytest
from fastapi import FastAPI
from hypothesis import settings as hypothesis_settings
from psycopg.sql import SQL, Identifier
from pydantic import SecretStr
from sqlalchemy.engine import make_url

from api import embedded
from api.database import libpq_url, migrate
from api.main import create_app
from api.settings import Settings, normalize_database_url
from tests.api.services import SECRET, Service, client_of, running, without_pulse
from tests.contract.document import Contract
from tests.serving import PATIENCE, Serve, Served, serving

hypothesis_settings.register_profile("capicua", deadline=None, derandomize=True)
hypothesis_settings.load_profile("capicua")


@pytest.fixture(scope="session")
def anyio_backend() -> tuple[str, dict[str, bool]]:
    """One event loop for all tests of a worker, on which the application's connections live; uvloop, as in service."""
    return "asyncio", {"use_uvloop": True}


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The kernel, compiled by one of the workers: the others load what it kept. For whatever the expert may play in."""
    from engine.kernel.ready import warm  # noqa: PLC0415 - to import Numba takes a second

    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    with (shared / "kernel.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        warm()


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
        caller.event_hooks = {"response": [Contract().hold]}
        yield caller


@pytest.fixture
async def service(fresh_database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Service]:
    """A service with no matches but the test's, in which nothing happens without a call."""
    without_pulse(monkeypatch)
    async with running(fresh_database_url, tmp_path) as own:
        yield own


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Starts services for one test: `serve("--workers", "2", CAPICUA_DATABASE_URL=…)`, by default on `tmp_path`'s own
    PostgreSQL. They are stopped at its end.
    """
    with ExitStack() as stack:

        def start(*arguments: str, data_dir: Path = tmp_path, **settings: str) -> Served:
            served = stack.enter_context(serving(data_dir, *arguments, **settings))
            ready = httpx.get(f"{served.url}/health/ready", timeout=PATIENCE)  # the socket takes calls from the start
            assert ready.is_success
            return served

        yield start


@pytest.fixture(scope="session")
def served(database_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The service in a process of its own, on the database of `app` and with its secret, for the tests of a worker."""
    directory = tmp_path_factory.mktemp("served")
    with serving(directory, CAPICUA_DATABASE_URL=database_url, CAPICUA_SECRET=SECRET) as service:
        yield service


@pytest.fixture(scope="session")
def served_pair(database_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The same in two processes."""
    directory = tmp_path_factory.mktemp("served")
    with serving(directory, "--workers", "2", CAPICUA_DATABASE_URL=database_url, CAPICUA_SECRET=SECRET) as service:
        yield service
