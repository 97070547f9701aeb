"""The database goes and comes back: the private one by itself, and the service with either."""

import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from api import embedded
from api.embedded import DISPOSABLE, lease
from tests.api.servers import answers, connect, held_down, kill, server_pid, wait_until
from tests.api.services import SECRET
from tests.api.test_embedded import holder
from tests.serving import PATIENCE, Serve, environment

__all__ = ["holder"]

DEAD = "the private PostgreSQL has died; starting it again"
BACK = "the private PostgreSQL is back"


def _told(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.name == "api.embedded"]


@pytest.fixture
def data_dir() -> Iterator[Path]:
    """With so short a path that the socket is in it, and its URL the same in each lease."""
    with tempfile.TemporaryDirectory(prefix="capicua-test-", dir="/tmp") as made:
        yield Path(made)


@pytest.mark.parametrize("name", ["short", "deep" * 30])
def test_a_killed_server_is_back_at_the_same_url_with_its_data(
    data_dir: Path, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    (data_dir / name).mkdir()
    with lease(data_dir / name) as url:
        with connect(url) as connection:
            connection.execute("CREATE TABLE kept AS SELECT 42 AS answer")
        for _ in range(2):
            pid = server_pid(data_dir / name)
            caplog.clear()
            kill(pid)
            wait_until(lambda: _told(caplog)[-1:] == [BACK])
            with connect(url) as connection:
                assert connection.execute("SELECT answer FROM kept").fetchone() == (42,)
            assert server_pid(data_dir / name) != pid
            assert _told(caplog) == [DEAD, BACK]
    assert server_pid(data_dir / name) is None


def test_one_of_those_who_lease_it_starts_it_again_as_it_was(
    tmp_path: Path, holder: subprocess.Popen[str], caplog: pytest.LogCaptureFixture
) -> None:
    with lease(tmp_path, parameters=DISPOSABLE) as url, lease(tmp_path) as same:
        assert same == url
        for times in (2, 3):
            kill(server_pid(tmp_path))
            wait_until(lambda: answers(url))
            with connect(url) as connection:
                assert connection.execute("SHOW fsync").fetchone() == ("on",)  # as the holder, the first, had it
            log = (tmp_path / "postgres.log").read_text()
            assert log.count("starting PostgreSQL") == times
            assert "already exists" not in log
        assert holder.poll() is None
    assert len(_told(caplog)) <= 4


def test_it_is_tried_again_until_nobody_holds_the_memory_of_the_killed_server(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with lease(tmp_path) as url:
        with held_down(url, tmp_path):
            log = tmp_path / "postgres.log"
            wait_until(lambda: log.read_text().count("pre-existing shared memory block") >= 2)
            assert not answers(url)
        wait_until(lambda: answers(url))
        wait_until(lambda: BACK in _told(caplog))
    told = _told(caplog)
    assert (told[0], told[-1], told.count(DEAD), told.count(BACK)) == (DEAD, BACK, 1, 1)


def test_no_error_ends_the_watch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(embedded, "SELDOM_SECONDS", 0)
    failures = iter([OSError("no more processes"), ValueError("anything")])
    launch = embedded._Server._launch

    def fail_at_first(*arguments: Any) -> None:
        for error in failures:
            raise error
        launch(*arguments)

    with lease(tmp_path) as url:
        monkeypatch.setattr(embedded._Server, "_launch", fail_at_first)
        kill(server_pid(tmp_path))
        wait_until(lambda: answers(url))
        wait_until(lambda: BACK in _told(caplog))
    assert _told(caplog) == [DEAD, "cannot start the private PostgreSQL again: no more processes", BACK]


def test_a_stop_is_no_death(tmp_path: Path, holder: subprocess.Popen[str], caplog: pytest.LogCaptureFixture) -> None:
    watching = threading.active_count()
    with lease(tmp_path):
        assert threading.active_count() == watching + 1
        with lease(tmp_path):
            holder.kill()
            holder.wait()
    assert threading.active_count() == watching
    assert server_pid(tmp_path) is None
    assert _told(caplog) == []
    assert (tmp_path / "postgres.log").read_text().count("starting PostgreSQL") == 1


class Watched:
    """A service with a match, and what it answers in an outage."""

    def __init__(self, client: httpx.Client) -> None:
        self.client = client
        created = self.client.post("/v1/matches", json={"ruleset": "draw"})
        assert created.status_code == 201, created.text
        self.match = f"/v1/matches/{created.json()['match']['id']}"
        self.before = self.client.get(self.match).json()
        with ThreadPoolExecutor(16) as threads:  # as many connections as it keeps
            assert set(threads.map(self._status, [self.match] * 64)) == {200}

    def _status(self, path: str) -> int:
        return self.client.get(path).status_code

    def is_out(self) -> None:
        assert self._status("/health/live") == 200
        with ThreadPoolExecutor(16) as threads:
            refused = list(threads.map(self.client.get, ["/health/ready", self.match, f"{self.match}/events"] * 5))
        for answer in (*refused, self.client.post("/v1/matches", json={"ruleset": "draw"})):
            self._holds_refusal(answer)

    def comes_back(self) -> None:
        """By itself, with what it had, and without any other answer on the way."""

        def is_back() -> bool:
            answer = self.client.get(self.match)
            if answer.status_code != 200:
                self._holds_refusal(answer)
            return answer.status_code == 200

        wait_until(is_back)
        assert self.client.get(self.match).json() == self.before
        wait_until(lambda: self._status("/health/ready") == 200)
        assert [self._status(self.match) for _ in range(32)] == [200] * 32  # no dead connection is left to any call

    def _holds_refusal(self, answer: httpx.Response) -> None:
        assert (answer.status_code, answer.json()["code"]) == (503, "unavailable"), answer.text
        assert int(answer.headers["Retry-After"]) >= 1


@contextmanager
def _watched(url: str) -> Iterator[Watched]:
    with httpx.Client(base_url=url, timeout=PATIENCE) as client:
        yield Watched(client)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_service_outlives_its_private_server(data_dir: Path, serve: Serve, workers: str) -> None:
    served = serve("--workers", workers, data_dir=data_dir)
    with lease(data_dir) as url:
        pass  # the service's own, running
    with _watched(served.url) as watched:
        with held_down(url, data_dir):
            watched.is_out()
        watched.comes_back()
        kill(server_pid(data_dir))
        watched.comes_back()
    assert served.stop() == 0
    assert server_pid(data_dir) is None


def test_a_service_outlives_a_server_of_others(data_dir: Path, serve: Serve, tmp_path: Path) -> None:
    with ExitStack() as calls:
        with lease(data_dir, parameters=DISPOSABLE) as url:
            served = serve(data_dir=tmp_path, CAPICUA_DATABASE_URL=url, CAPICUA_SECRET=SECRET)
            watched = calls.enter_context(_watched(served.url))
        watched.is_out()
        for _ in range(2):  # the second time without a call while it is gone
            with lease(data_dir, parameters=DISPOSABLE) as again:
                assert again == url
                watched.comes_back()
    served.stop()


def test_a_service_waits_for_a_server_that_starts_after_it(data_dir: Path, tmp_path: Path) -> None:
    with lease(data_dir, parameters=DISPOSABLE) as url:
        pass
    command = [sys.executable, "-m", "api.cli", "serve", "--port", "0"]
    variables = environment(tmp_path, CAPICUA_DATABASE_URL=url, CAPICUA_DATABASE_WAIT_SECONDS=str(PATIENCE))
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=variables, stdout=pipe, stderr=pipe, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stderr is not None
            assert process.stderr.readline().startswith("WARNING: waiting for the database postgresql://")
            with lease(data_dir, parameters=DISPOSABLE):
                said = process.stdout.readline()
                answer = httpx.get(f"{said.split(' on ')[1].split()[0]}/health/ready", timeout=PATIENCE)
                assert answer.status_code == 200
                process.terminate()
                assert process.wait(timeout=PATIENCE) == 0
        finally:
            process.kill()
