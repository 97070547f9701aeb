"""The private PostgreSQL: what it keeps, who stops it, and what it survives."""

import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from api.embedded import DISPOSABLE, LONGEST_SOCKET_PATH, lease
from api.interruptions import StartupError
from tests.api.servers import connect, kill, server_pid

HOLD_LEASE = """
import sys, time
from pathlib import Path
from api.embedded import lease
with lease(Path(sys.argv[1])):
    print("leased", flush=True)
    time.sleep(600)
"""


@pytest.fixture
def holder(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that leases the server of `tmp_path`."""
    command = [sys.executable, "-c", HOLD_LEASE, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "leased\n"
        yield process
        process.kill()


def test_data_outlives_the_server(tmp_path: Path) -> None:
    with lease(tmp_path) as url, connect(url) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 42 AS answer")
    assert server_pid(tmp_path) is None
    with lease(tmp_path) as url, connect(url) as connection:
        assert connection.execute("SELECT answer FROM kept").fetchone() == (42,)


def test_only_a_private_socket_leads_to_it(tmp_path: Path) -> None:
    with lease(tmp_path, parameters=DISPOSABLE) as url, connect(url) as connection:
        assert connection.execute("SHOW listen_addresses").fetchone() == ("",)
        assert connection.execute("SHOW fsync").fetchone() == ("off",)
        assert stat.S_IMODE((tmp_path / "postgres").stat().st_mode) == 0o700
        assert stat.S_IMODE((tmp_path / "postgres" / ".s.PGSQL.5432").stat().st_mode) == 0o700


def test_no_directory_is_opened_to_others(tmp_path: Path) -> None:
    private = tmp_path / "private"
    private.mkdir(mode=0o700)
    with lease(private):
        pass
    assert stat.S_IMODE(private.stat().st_mode) == 0o700


def test_variables_of_other_clients_do_not_confuse_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGPORT", "6543")
    monkeypatch.setenv("PGDATA", "/nowhere")
    monkeypatch.setenv("LC_ALL", "xx_XX.UTF-8")
    with lease(tmp_path) as url, connect(url) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)


@pytest.mark.parametrize("name", ["deep" * 30, "a, b", 'quote " and space'])
def test_any_path_will_do(tmp_path: Path, name: str) -> None:
    data_dir = tmp_path / name
    data_dir.mkdir()
    with lease(data_dir) as url, connect(url) as connection:
        row = connection.execute("SHOW unix_socket_directories").fetchone()
        assert row is not None
        socket_dir = Path(row[0].strip('"').replace('""', '"'))
        assert len(os.fsencode(socket_dir / ".s.PGSQL.5432")) <= LONGEST_SOCKET_PATH
    if socket_dir != data_dir / "postgres":
        assert not socket_dir.exists()


def test_the_last_to_leave_stops_it(tmp_path: Path, holder: subprocess.Popen[str]) -> None:
    with lease(tmp_path):
        pid = server_pid(tmp_path)
    assert pid is not None
    assert server_pid(tmp_path) == pid
    holder.kill()
    holder.wait()
    with lease(tmp_path):
        assert server_pid(tmp_path) == pid  # found running, though nobody used it
    assert server_pid(tmp_path) is None


def test_a_killed_server_recovers(tmp_path: Path, holder: subprocess.Popen[str]) -> None:
    with lease(tmp_path) as url, connect(url) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 42 AS answer")
    holder.kill()
    holder.wait()
    kill(server_pid(tmp_path))
    with lease(tmp_path) as url, connect(url) as connection:
        assert connection.execute("SELECT answer FROM kept").fetchone() == (42,)


def test_a_number_that_another_process_was_given_is_not_the_server(
    tmp_path: Path, holder: subprocess.Popen[str]
) -> None:
    pid = server_pid(tmp_path)
    assert pid is not None
    holder.kill()
    holder.wait()
    kill(pid)
    owner = (tmp_path / "postgres").stat().st_uid
    with subprocess.Popen(["sleep", "60"], user=owner if os.geteuid() == 0 else None) as bystander:
        for note in ("postmaster.pid", ".s.PGSQL.5432.lock"):
            path = tmp_path / "postgres" / note
            _, *rest = path.read_text().splitlines(keepends=True)
            path.write_text("".join([f"{bystander.pid}\n", *rest]))
        with lease(tmp_path) as url, connect(url) as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)
        assert psutil.Process(bystander.pid).is_running()
        bystander.kill()


def test_an_interrupted_first_start_is_made_again(tmp_path: Path) -> None:
    (tmp_path / "postgres.new" / "base").mkdir(parents=True)
    with lease(tmp_path) as url, connect(url) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
    assert not (tmp_path / "postgres.new").exists()


def test_data_of_another_postgresql_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "postgres").mkdir()
    (tmp_path / "postgres" / "PG_VERSION").write_text("16\n")
    with pytest.raises(StartupError, match="PostgreSQL 16"), lease(tmp_path):
        pass


def test_a_server_that_does_not_start_says_why(tmp_path: Path) -> None:
    with pytest.raises(StartupError, match="no_such_parameter"), lease(tmp_path, parameters=["no_such_parameter=on"]):
        pass
