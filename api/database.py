"""The database: how to reach it, and that its schema is the one this code was written for."""

import asyncio
import logging
import math
import select
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, cached_property
from pathlib import Path
from typing import Final

import psycopg
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from psycopg.rows import TupleRow
from psycopg_pool import AsyncConnectionPool
from sqlalchemy import Connection, create_engine, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from api import embedded
from api.interruptions import StartupError
from api.settings import Settings

OLDEST_POSTGRESQL: Final = 15
CONNECT_SECONDS: Final = 5
STATEMENT_SECONDS: Final = 5
"""How long a statement may take before its call is answered 503: they take milliseconds when all is well."""

RETRY_SECONDS: Final = 0.5
"""How long after a vain attempt to connect comes the next: by so much more may an outage of the database last here."""

TELL_SECONDS: Final = 30
"""How long the pool keeps to itself what it has just warned of: in an outage, the same several times a second."""

ANSWER_SECONDS: Final = 2
"""How long a readiness check waits: less than what asks usually does."""

MIGRATION_LOCK: Final = 0x0CA71C0A
"""PostgreSQL's advisory lock that one migrating process holds; the number only has to be this project's own."""

_logger = logging.getLogger(__name__)


class DatabaseConnection(psycopg.AsyncConnection[TupleRow]):
    """A connection with one cursor for all statements: to make one takes as long as to send what it executes."""

    @cached_property
    def only_cursor(self) -> psycopg.AsyncCursor[TupleRow]:
        """What it has to tell is gone when the connection is handed on."""
        return self.cursor()


class Pool(AsyncConnectionPool[DatabaseConnection]):
    """A pool that is as good as new once its database is back.

    Left alone, `psycopg_pool` hands out every connection that the database has ended, for a call to fail on, and waits
    twice as long after each vain attempt to connect, for minutes in the end.
    """

    def cursor(self) -> "_Lent":
        """A cursor of a connection, for one statement that is a transaction of its own.

        `connection()` would look after a transaction around it, too.
        """
        return _Lent(self)

    async def getconn(self, timeout: float | None = None) -> DatabaseConnection:  # noqa: ASYNC109
        deadline = time.monotonic() + (self.timeout if timeout is None else timeout)
        while True:
            connection = await super().getconn(deadline - time.monotonic())
            if not _is_over(connection):
                return connection
            await connection.close()
            await self.putconn(connection)  # which has it replaced

    async def reconnect_failed(self) -> None:
        """Go on as long as somebody waits; after that the next call makes the next attempt."""
        if self.get_stats()["requests_waiting"]:
            await self.check()


class _Lent:
    """A cursor, for as long as the context lasts."""

    __slots__ = ("_connection", "_pool")

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def __aenter__(self) -> psycopg.AsyncCursor[TupleRow]:
        self._connection = await self._pool.getconn()
        return self._connection.only_cursor

    async def __aexit__(self, *_: object) -> None:
        await self._pool.putconn(self._connection)


def _is_over(connection: psycopg.AsyncConnection[TupleRow]) -> bool:
    """Whether an idle connection has something to be read: its end, or a server's farewell.

    It is a look at the socket, and takes a microsecond; a statement to test the connection would take a trip.
    """
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    return bool(poll.poll(0))


class _Seldom(logging.Filter):
    """Passes a warning, whatever its arguments, once in `TELL_SECONDS`."""

    def __init__(self) -> None:
        super().__init__()
        self._told: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        now = time.monotonic()
        if now < self._told.get(record.msg, -math.inf) + TELL_SECONDS:
            return False
        self._told[record.msg] = now
        return True


logging.getLogger("psycopg.pool").addFilter(_Seldom())


@contextmanager
def database(settings: Settings) -> Iterator[str]:
    """The URL of a database that answers: the configured one, or a private one that runs as long as the context."""
    if settings.database_url is not None:
        url = settings.database_url.get_secret_value()
        wait_until_ready(url, seconds=settings.database_wait_seconds)
        yield url
    else:
        with embedded.lease(settings.make_data_dir()) as url:
            yield url


def connection_pool(url: str, *, size: int = 10) -> Pool:
    """A pool, to be opened, for statements that are atomic on their own: each a transaction, without a `BEGIN`.

    A connection that does not come within `CONNECT_SECONDS` is a `psycopg_pool.PoolTimeout`.
    """
    return Pool(
        libpq_url(url),
        connection_class=DatabaseConnection,
        kwargs={
            "autocommit": True,
            "connect_timeout": CONNECT_SECONDS,
            "keepalives_idle": CONNECT_SECONDS,
            "keepalives_interval": CONNECT_SECONDS,
            "tcp_user_timeout": 1000 * STATEMENT_SECONDS,
        },
        configure=_bound,
        min_size=1,
        max_size=size,
        timeout=CONNECT_SECONDS,
        reconnect_timeout=RETRY_SECONDS,
        open=False,
    )


async def _bound(connection: psycopg.AsyncConnection[TupleRow]) -> None:
    await connection.execute(f"SET statement_timeout = '{STATEMENT_SECONDS}s'")


def libpq_url(url: str) -> str:
    """`url`, which is SQLAlchemy's, as libpq reads one: there a plus sign stands for itself, and not for a space."""
    address, mark, options = (
        make_url(url).set(drivername="postgresql").render_as_string(hide_password=False).partition("?")
    )
    return address + mark + options.replace("+", "%20")


def wait_until_ready(url: str, *, seconds: float) -> None:
    """Return once the server answers; complain when it does not within `seconds`, or is too old."""
    where = make_url(url).set(drivername="postgresql")
    deadline = time.monotonic() + seconds
    told = False
    while True:
        try:
            connection = psycopg.connect(libpq_url(url), connect_timeout=CONNECT_SECONDS)
        except psycopg.ProgrammingError as error:
            raise StartupError(f"CAPICUA_DATABASE_URL: {where!r} is not understood: {error}") from None
        except psycopg.OperationalError as error:
            if time.monotonic() >= deadline:
                raise StartupError(f"the database {where!r} does not answer: {error}") from None
            if not told:
                _logger.warning("waiting for the database %r", where)
                told = True
            time.sleep(RETRY_SECONDS)
            continue
        with connection:
            major = connection.info.server_version // 10_000
        if major < OLDEST_POSTGRESQL:
            raise StartupError(f"the database is PostgreSQL {major}; Capicua needs {OLDEST_POSTGRESQL} or newer")
        return


def migrate(url: str) -> None:
    """Bring the schema up to date; with several processes at it, one does so and the others find it done."""
    engine = create_engine(url, poolclass=NullPool, hide_parameters=True)
    try:
        with engine.begin() as connection:
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": MIGRATION_LOCK})
            command.upgrade(alembic_config(connection), "head")
    except CommandError as error:
        raise StartupError(f"the database has a schema that this version does not know: {error}") from None
    except DBAPIError as error:
        raise StartupError(f"the database's schema cannot be brought up to date: {error.orig}") from error
    finally:
        engine.dispose()


async def is_current(pool: Pool) -> bool:
    """Whether the database answers and has the schema that this code was written for."""
    try:
        async with asyncio.timeout(ANSWER_SECONDS), pool.connection() as connection:
            found = await (await connection.execute("SELECT version_num FROM alembic_version")).fetchall()
    except (psycopg.Error, TimeoutError):
        return False
    return {version for (version,) in found} == _newest_revisions()


@cache
def _newest_revisions() -> frozenset[str]:
    return frozenset(ScriptDirectory.from_config(alembic_config()).get_heads())


def alembic_config(connection: Connection | None = None) -> Config:
    """What Alembic's commands need, to work on `connection`.

    The migrations are inside this package in a wheel, and beside it in a checkout.
    """
    here = Path(__file__).parent
    packaged = here / "migrations"
    location = packaged if packaged.exists() else here.parent / "alembic"
    config = Config()
    config.set_main_option("script_location", str(location).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config
