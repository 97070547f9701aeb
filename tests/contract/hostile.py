"""Requests that nobody means well with, each with what it is answered."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tests.api.provoked import GARBAGE

CANARY: Final = GARBAGE.encode()
JSON: Final = "Content-Type: application/json"
SEAT: Final = "Authorization: Bearer {seat}"
MATCH: Final = "/v1/matches/{match}"


@dataclass(frozen=True)
class Entry:
    """One connection's worth of bytes."""

    name: str
    sent: bytes
    """With `{match}`, `{other}`, `{seat}`, `{host}` and `{foreign}` for ids and tokens of the test's own matches."""
    expected: tuple[str | int, ...]
    """For each request, in order, a code of the catalogue or the status of a success; then the connection is closed."""
    is_cut_off: bool = False
    """Whether the client says no more after this, and says so."""


Entries = Iterator[Entry]


def raw(name: str, sent: bytes | str, *expected: str | int, cut_off: bool = False) -> Entry:
    return Entry(name, sent if isinstance(sent, bytes) else sent.encode("latin-1"), expected, cut_off)


def get(name: str, target: str, expected: str | int, *headers: str, method: str = "GET") -> Entry:
    lines = [f"{method} {target} HTTP/1.1", "Host: a", "Connection: close", f"X-Canary: {GARBAGE}", *headers]
    return raw(name, "\r\n".join(lines) + "\r\n\r\n", expected)


def post(
    name: str,
    path: str,
    body: bytes,
    expected: str | int,
    *headers: str,
    kind: str | None = JSON,
    size: int | None = None,
) -> Entry:
    lines = [f"POST {path} HTTP/1.1", "Host: a", "Connection: close", f"X-Canary: {GARBAGE}", *headers]
    lines += [kind] if kind is not None else []
    lines += [f"Content-Length: {len(body) if size is None else size}"]
    return raw(name, "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body, expected)


def play(name: str, body: bytes, expected: str, *headers: str, kind: str | None = JSON) -> Entry:
    return post(name, f"{MATCH}/play", body, expected, SEAT, *headers, kind=kind)
