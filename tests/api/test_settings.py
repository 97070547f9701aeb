import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from api.interruptions import StartupError
from api.settings import Settings, normalize_database_url


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("CAPICUA_")]:
        monkeypatch.delenv(name)


def test_everything_has_a_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    settings = Settings.load()
    assert settings.database_url is None
    assert settings.data_dir == tmp_path / ".capicua"
    assert (settings.host, settings.port) == ("127.0.0.1", 8000)
    assert settings.cors_origins == ()


def test_the_command_line_wins_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAPICUA_PORT", "1234")
    monkeypatch.setenv("CAPICUA_HOST", "::1")
    settings = Settings.load(port=4321, host=None)
    assert (settings.host, settings.port) == ("::1", 4321)


def test_an_empty_variable_is_an_absent_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAPICUA_SECRET", "")
    assert Settings.load().secret is None


@pytest.mark.parametrize(
    ("given", "used"),
    [
        ("postgres://u:p@host/name", "postgresql+psycopg://u:p@host/name"),
        (
            "postgresql://u:p%40q@host:1/name?sslmode=require",
            "postgresql+psycopg://u:p%40q@host:1/name?sslmode=require",
        ),
        ("postgresql+psycopg://host/name", "postgresql+psycopg://host/name"),
    ],
)
def test_a_database_url_is_taken_as_people_paste_it(given: str, used: str) -> None:
    assert normalize_database_url(given) == used


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DATABASE_URL", "mysql://user:sesame@host/name"),
        ("DATABASE_URL", "sesame"),
        ("DATABASE_URL", "postgresql://host:sesame/name"),
        ("SECRET", "sesame"),
        ("PORT", "sesame"),
        ("PORT", "65536"),
        ("CORS_ORIGINS", "https://sesame.org/path"),
        ("CORS_ORIGINS", "https://example.org, sesame"),
        ("MAX_BODY_BYTES", "-1"),
    ],
)
def test_a_wrong_value_is_named_and_not_shown(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(f"CAPICUA_{name}", value)
    with pytest.raises(StartupError) as caught:
        Settings.load()
    assert str(caught.value).startswith(f"CAPICUA_{name}: should ")
    assert "sesame" not in str(caught.value)


def test_origins_are_separated_by_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAPICUA_CORS_ORIGINS", "https://example.org, http://localhost:5173,")
    assert Settings.load().cors_origins == ("https://example.org", "http://localhost:5173")


def test_the_configured_secret_is_the_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAPICUA_SECRET", "x" * 32)
    assert Settings.load(data_dir=tmp_path).signing_key() == b"x" * 32
    assert not (tmp_path / "secret").exists()


def test_a_secret_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    settings = Settings.load(data_dir=tmp_path / "new")
    key = settings.signing_key()
    assert len(key) == 64
    assert settings.signing_key() == key
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "new" / "secret").stat().st_mode) == 0o600
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["secret"]


def test_starts_at_the_same_time_agree_on_the_secret(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as threads:
        keys = {
            run.result() for run in [threads.submit(Settings.load(data_dir=tmp_path).signing_key) for _ in range(64)]
        }
    assert len(keys) == 1


def test_a_damaged_secret_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("short\n")
    with pytest.raises(StartupError, match="too short"):
        Settings.load(data_dir=tmp_path).signing_key()


def test_a_data_dir_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StartupError, match="CAPICUA_DATA_DIR"):
        Settings.load(data_dir=tmp_path / "file" / "below").signing_key()
