"""What an operator may set, read from `CAPICUA_…` environment variables.

A wrong value stops the service with one sentence that names the variable and never shows the value: it may be a secret.
"""

import os
import secrets
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, Self
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from api.interruptions import StartupError

MIN_SECRET_BYTES = 32
_POSTGRESQL_DRIVERS = {"postgres", "postgresql", "postgresql+psycopg"}


class Settings(BaseSettings):
    """Every setting with its default; the field `port` is the variable `CAPICUA_PORT`, and so on."""

    model_config = SettingsConfigDict(
        env_prefix="CAPICUA_",
        env_ignore_empty=True,
        extra="forbid",
        frozen=True,
        hide_input_in_errors=True,
        use_attribute_docstrings=True,
    )

    database_url: SecretStr | None = None
    """PostgreSQL 15 or newer, `postgresql://user:password@host/name`; none: a private one in the data directory."""

    data_dir: Path = Path(".capicua")
    """Where the private PostgreSQL and the generated secret live; made when missing."""

    host: str = "127.0.0.1"
    port: int = Field(default=8000, ge=0, le=65_535)
    """0 takes any free port."""

    secret: SecretStr | None = None
    """The key all tokens derive from, at least 32 bytes, the same for every process on one database."""

    cors_origins: Annotated[tuple[str, ...], NoDecode] = ()
    """Comma-separated origins, such as `https://example.org`, whose pages may call the service; `*` is every origin."""

    max_body_bytes: int = Field(default=65_536, ge=1_024, le=16_777_216)
    """The largest request body; a fixed deal of a double-twelve set, the largest legal one, is under 2 kB."""

    database_pool_size: int = Field(default=20, ge=1, le=1_000)
    """Connections per process."""

    database_wait_seconds: float = Field(default=30, ge=0, le=3_600)
    """How long a start waits for the database to answer."""

    stream_seconds: int = Field(default=900, ge=1, le=86_400)
    """How long a stream of events lasts before its reader has to connect again."""

    shutdown_seconds: int = Field(default=10, ge=0, le=3_600)
    """How long a stop waits for requests under way; streams are ended at once."""

    @field_validator("database_url")
    @classmethod
    def _use_psycopg(cls, value: SecretStr | None) -> SecretStr | None:
        return None if value is None else SecretStr(normalize_database_url(value.get_secret_value()))

    @field_validator("data_dir")
    @classmethod
    def _make_absolute(cls, value: Path) -> Path:
        return value.expanduser().absolute()

    @field_validator("secret")
    @classmethod
    def _refuse_short_secret(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and len(value.get_secret_value().encode()) < MIN_SECRET_BYTES:
            raise ValueError(f"should have at least {MIN_SECRET_BYTES} bytes, such as `openssl rand -hex 32` prints")
        return value

    @field_validator("cors_origins", mode="before")
    @classmethod
    def _split_origins(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        origins = tuple(origin.strip() for origin in value.split(",") if origin.strip())
        if not all(origin == "*" or _is_origin(origin) for origin in origins):
            raise ValueError("should be origins such as https://example.org, without a path, separated by commas")
        return origins

    @classmethod
    def load(cls, **overrides: Any) -> Self:
        """Read the environment; `overrides`, the command line's, win over it unless they are None."""
        try:
            return cls(**{name: value for name, value in overrides.items() if value is not None})
        except ValidationError as error:
            raise StartupError("\n".join(map(_explain, error.errors(include_input=False)))) from None

    def make_data_dir(self) -> Path:
        """The data directory, open to its owner alone when it is made here."""
        try:
            self.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise StartupError(f"CAPICUA_DATA_DIR: cannot make {self.data_dir}: {error.strerror}") from error
        return self.data_dir

    def signing_key(self) -> bytes:
        """The configured secret, or the one kept in the data directory, which the first process there makes."""
        if self.secret is not None:
            return self.secret.get_secret_value().encode()
        path = self.make_data_dir() / "secret"
        try:
            if not path.exists():
                _create_whole(path, secrets.token_hex(MIN_SECRET_BYTES) + "\n")
            key = path.read_bytes().strip()
        except OSError as error:
            raise StartupError(f"cannot keep a secret in {path}: {error.strerror}; set CAPICUA_SECRET") from error
        if len(key) < MIN_SECRET_BYTES:
            raise StartupError(f"{path} is too short for a secret; delete it to make a new one, which ends every token")
        return key


def normalize_database_url(url: str) -> str:
    """The same address for SQLAlchemy and psycopg 3; `postgres://` and `postgresql://` are what people paste."""
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        raise ValueError("should look like postgresql://user:password@host:5432/name") from None
    if parsed.drivername not in _POSTGRESQL_DRIVERS:
        raise ValueError("should start with postgresql://")
    return parsed.set(drivername="postgresql+psycopg").render_as_string(hide_password=False)


def _is_origin(text: str) -> bool:
    parts = urlsplit(text)
    return parts.scheme in {"http", "https"} and bool(parts.netloc) and text == f"{parts.scheme}://{parts.netloc}"


def _create_whole(path: Path, content: str) -> None:
    """Create `path` unless another process was first; either way no reader ever sees a part of it."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")  # exclusive, mode 0600
    draft = Path(name)
    try:
        with os.fdopen(handle, "w") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            path.hardlink_to(draft)
    finally:
        draft.unlink()


def _explain(error: ErrorDetails) -> str:
    name = "_".join(map(str, error["loc"])).upper()
    return f"CAPICUA_{name}: {error['msg'].removeprefix('Value error, ').removeprefix('Input ')}"
