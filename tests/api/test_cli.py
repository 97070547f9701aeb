"""The command, and the service in a process of its own."""

import json
import os
import signal
from pathlib import Path

import httpx
import psycopg
import pytest

from api.cli import main
from tests.serving import PATIENCE, Serve, Served


@pytest.fixture(autouse=True)
def _own_handler() -> object:
    """`main` takes over SIGTERM, which is the test runner's."""
    kept = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, kept)


def test_openapi_is_printed_or_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["openapi"]) == 0
    printed = capsys.readouterr().out
    assert json.loads(printed)["info"]["title"] == "Capicua"
    assert printed.endswith("}\n")
    assert main(["openapi", "--output", str(tmp_path / "document.json")]) == 0
    assert (tmp_path / "document.json").read_text() == printed


def test_migrate_brings_a_database_up_to_date(empty_database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAPICUA_DATABASE_URL", empty_database_url)
    assert main(["migrate"]) == 0
    with psycopg.connect(empty_database_url.replace("+psycopg", "")) as connection:
        assert connection.execute("SELECT count(*) FROM alembic_version").fetchone() == (1,)


def test_what_the_operator_has_to_put_right_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CAPICUA_DATABASE_URL", "mysql://sesame")
    assert main(["migrate"]) == 1
    assert capsys.readouterr().err == "capicua: CAPICUA_DATABASE_URL: should start with postgresql://\n"


@pytest.mark.parametrize("arguments", [[], ["nonsense"], ["serve", "--workers", "0"], ["serve", "--port", "x"]])
def test_a_wrong_command_line_is_explained(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert "usage: capicua" in capsys.readouterr().err


@pytest.mark.parametrize("command", [[], ["serve"], ["migrate"], ["openapi"]])
def test_help_fits_a_terminal(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main([*command, "--help"])
    assert caught.value.code == 0
    assert all(len(line) <= 110 for line in capsys.readouterr().out.splitlines())


def test_serve_keeps_its_data_and_its_secret(serve: Serve, tmp_path: Path) -> None:
    first = serve()
    secret = (tmp_path / "secret").read_text()
    assert (tmp_path / "postgres" / "postmaster.pid").exists()
    assert first.stop() == 0
    assert not (tmp_path / "postgres" / "postmaster.pid").exists()
    serve()
    assert (tmp_path / "secret").read_text() == secret


def test_services_on_one_data_directory_share_its_database(serve: Serve, tmp_path: Path) -> None:
    first, second = serve(), serve("--workers", "2")
    first.stop()
    assert httpx.get(f"{second.url}/health/ready", timeout=PATIENCE).is_success
    second.stop()
    assert not (tmp_path / "postgres" / "postmaster.pid").exists()


def test_a_killed_service_starts_again(serve: Serve) -> None:
    first = serve()
    os.kill(first.process.pid, signal.SIGKILL)
    first.process.wait()
    serve()


def test_the_schema_is_left_as_it_is_on_request(served: Served, serve: Serve, empty_database_url: str) -> None:
    with pytest.raises(AssertionError):
        serve("--no-migrate", CAPICUA_DATABASE_URL=empty_database_url)
    with psycopg.connect(empty_database_url.replace("+psycopg", "")) as connection:
        assert connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone() == (0,)


def test_a_served_answer_names_no_software(served: Served) -> None:
    assert "server" not in httpx.get(f"{served.url}/health/live", timeout=PATIENCE).headers


def test_a_large_body_is_refused_before_it_is_sent(served: Served) -> None:
    answer = httpx.post(
        f"{served.url}/v1/matches",
        content=b" " * 10_000_000,
        headers={"Content-Type": "application/json"},
        timeout=PATIENCE,
    )
    assert (answer.status_code, answer.json()["code"]) == (413, "payload-too-large")


def test_data_of_another_user_is_an_error_of_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAPICUA_DATA_DIR", str(tmp_path))
    monkeypatch.setattr("api.embedded._alone", lambda _: (_ for _ in ()).throw(PermissionError(13, "denied", "lock")))
    assert main(["migrate"]) == 1
