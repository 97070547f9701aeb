import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack

import psycopg
import pytest
from alembic import command
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy import URL, create_engine, text
from sqlalchemy.pool import NullPool

from api.database import alembic_config, connection_pool, is_current, libpq_url, migrate, wait_until_ready
from api.interruptions import StartupError
from tests.serving import PATIENCE

NOWHERE = "postgresql+psycopg://user:sesame@127.0.0.1:1/name"


def _execute(url: str, statement: str) -> None:
    with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as connection:
        connection.execute(statement)


def test_several_processes_may_migrate_at_once(empty_database_url: str) -> None:
    together = threading.Barrier(4)

    def start() -> None:
        together.wait()
        migrate(empty_database_url)

    with ThreadPoolExecutor(4) as threads:
        for run in [threads.submit(start) for _ in range(4)]:
            run.result()


def test_tables_and_migrations_agree(fresh_database_url: str) -> None:
    with create_engine(fresh_database_url, poolclass=NullPool).begin() as connection:
        command.check(alembic_config(connection))


def test_migrations_can_be_undone(fresh_database_url: str) -> None:
    with create_engine(fresh_database_url, poolclass=NullPool).begin() as connection:
        command.downgrade(alembic_config(connection), "base")
        tables = connection.scalars(text("SELECT tablename FROM pg_tables WHERE schemaname = 'public'"))
        assert list(tables) == ["alembic_version"]


def test_a_schema_from_the_future_is_left_alone(fresh_database_url: str) -> None:
    _execute(fresh_database_url, "UPDATE alembic_version SET version_num = 'later'")
    with pytest.raises(StartupError, match="does not know"):
        migrate(fresh_database_url)


@pytest.mark.parametrize(
    ("statement", "current"),
    [
        ("SELECT 1", True),
        ("UPDATE alembic_version SET version_num = 'other'", False),
        ("DELETE FROM alembic_version", False),
        ("DROP TABLE alembic_version", False),
    ],
)
async def test_current_is_the_schema_of_this_code(fresh_database_url: str, statement: str, current: bool) -> None:
    _execute(fresh_database_url, statement)
    async with connection_pool(fresh_database_url) as pool:
        assert await is_current(pool) is current


async def test_a_database_that_does_not_answer_is_not_current() -> None:
    async with connection_pool(NOWHERE) as pool:
        assert not await is_current(pool)


@pytest.mark.parametrize("path", ["/a b/c", "/a+b", "/a%20b", '/a"b', "/\xe4"])
def test_a_path_in_a_url_is_the_same_to_libpq(path: str) -> None:
    url = URL.create("postgresql+psycopg", "user", "p+q", database="name", query={"host": path, "port": "5432"})
    found = conninfo_to_dict(libpq_url(url.render_as_string(hide_password=False)))
    assert (found["host"], found["password"], found["port"]) == (path, "p+q", "5432")


async def test_no_call_is_given_a_connection_that_the_database_has_ended(fresh_database_url: str) -> None:
    async with connection_pool(fresh_database_url, size=4) as pool:
        async with AsyncExitStack() as stack:
            taken = [await stack.enter_async_context(pool.connection()) for _ in range(4)]
            sessions = [connection.info.backend_pid for connection in taken]
        for session in sessions:
            _execute(fresh_database_url, f"SELECT pg_terminate_backend({session}, {1000 * PATIENCE})")
        for _ in range(8):
            async with pool.connection(timeout=PATIENCE) as connection:
                await connection.execute("SELECT 1")
                assert connection.info.backend_pid not in sessions


async def test_a_pool_connects_at_a_steady_pace_as_long_as_somebody_waits(caplog: pytest.LogCaptureFixture) -> None:
    async with connection_pool(NOWHERE) as pool, asyncio.timeout(PATIENCE):
        # With twice the pause each time, as the pool has it by itself, this would take hours.
        waiting = asyncio.ensure_future(pool.getconn(timeout=PATIENCE))
        while pool.get_stats().get("connections_errors", 0) < 12:  # noqa: ASYNC110 - it tells nobody
            await asyncio.sleep(0.01)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
    told = [record.msg for record in caplog.records if record.name == "psycopg.pool"]
    assert len(told) == len(set(told))


async def test_a_statement_is_its_own_transaction(database_url: str) -> None:
    async with connection_pool(database_url) as pool, pool.connection() as connection:
        await connection.execute("SELECT 1")
        assert connection.autocommit
        assert connection.info.transaction_status == psycopg.pq.TransactionStatus.IDLE


async def test_errors_do_not_show_parameters(database_url: str) -> None:
    async with connection_pool(database_url) as pool, pool.connection() as connection:
        with pytest.raises(psycopg.Error, match="no_such_table") as caught:
            await connection.execute("SELECT %(token)s FROM no_such_table", {"token": "sesame"})
    assert "sesame" not in str(caught.value)


async def test_a_statement_that_hangs_is_given_up(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("api.database.STATEMENT_SECONDS", 1)
    async with connection_pool(database_url) as pool, pool.connection() as connection:
        with pytest.raises(psycopg.OperationalError, match="statement timeout"):
            await connection.execute("SELECT pg_sleep(30)")


def test_waiting_ends_and_says_for_what_without_the_password() -> None:
    with pytest.raises(StartupError, match="does not answer") as caught:
        wait_until_ready(NOWHERE, seconds=0)
    assert "127.0.0.1" in str(caught.value)
    assert "sesame" not in str(caught.value)


def test_a_url_with_an_unknown_option_is_not_waited_for() -> None:
    with pytest.raises(StartupError, match="not understood"):
        wait_until_ready(f"{NOWHERE}?sesame=1", seconds=30)


def test_an_old_postgresql_is_refused(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("api.database.OLDEST_POSTGRESQL", 99)
    with pytest.raises(StartupError, match="needs 99 or newer"):
        wait_until_ready(database_url, seconds=0)
