"""Clients that send a service what no library for HTTP would."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from tests.serving import PATIENCE, Served


class Connection:
    """A client that sends what it likes."""

    def __init__(self, connected: socket.socket) -> None:
        self.socket = connected
        self.reader = connected.makefile("rb")

    def send(self, *parts: bytes, is_last: bool = False) -> None:
        for part in parts:
            self.socket.sendall(part)
        if is_last:
            self.socket.shutdown(socket.SHUT_WR)

    def answer(self, method: str = "GET") -> tuple[int, dict[str, str], bytes]:
        """The next one: its status, its headers and its body."""
        status = int(self.reader.readline().split()[1])
        headers = {}
        while (line := self.reader.readline()) != b"\r\n":
            name, _, value = line.decode().partition(":")
            headers[name] = value.strip()
        if method == "HEAD" or status in {204, 304}:
            return status, headers, b""
        return status, headers, self.reader.read(int(headers["content-length"]))

    def is_closed(self) -> bool:
        return self.reader.read() == b""


@contextmanager
def connected(served: Served) -> Iterator[Connection]:
    parts = urlsplit(served.url)
    with socket.create_connection((parts.hostname or "", parts.port or 0), timeout=PATIENCE) as connection:
        one = Connection(connection)
        with one.reader:
            yield one
