"""What a connection may hold on to, and for how long: connections of a server in this process, which is in a hurry."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from uvicorn.config import Config
from uvicorn.server import ServerState

from api import protocol
from api.protocol import Protocol
from tests.api.test_protocol import CHUNKED, GET
from tests.serving import PATIENCE

pytestmark = pytest.mark.anyio

LARGE = 64_000_000
"""Bytes that no socket keeps for a client that does not read them."""


class Connection(Protocol):
    """It tells of its end."""

    tell: Callable[[], None]

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.tell()


class Server:
    """What a connection leads to: an application that answers each path in a way of its own."""

    def __init__(self) -> None:
        self.connections: list[Connection] = []
        self.lost = asyncio.Event()
        self.longest_pipeline = 0
        self.go_on = asyncio.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.longest_pipeline = max(self.longest_pipeline, len(self.connections[0].pipeline))
        if scope["path"] == "/held":
            await self.go_on.wait()
        elif scope["method"] == "POST":
            while (await receive()).get("more_body"):
                pass
        body = b"x" * (LARGE if scope["path"] == "/large" else 1)
        headers = [(b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body[:-1], "more_body": True})
        await send({"type": "http.response.body", "body": body[-1:]})

    def connect(self) -> Connection:
        config = Config(self, lifespan="off", ws="none", timeout_keep_alive=10 * PATIENCE)
        self.connections.append(Connection(config, ServerState(), {}))
        self.connections[-1].tell = self.lost.set
        return self.connections[-1]

    async def has_forgotten(self) -> None:
        """Return once the connection is gone from the server's side."""
        async with asyncio.timeout(PATIENCE):
            await self.lost.wait()


@pytest.fixture
def server() -> Server:
    return Server()


@asynccontextmanager
async def sent(server: Server, *parts: bytes) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A client that has sent this; what it does not read stays in its socket, but for some kilobytes."""
    listening = await asyncio.get_running_loop().create_server(server.connect, "127.0.0.1", 0)
    reader, writer = await asyncio.open_connection(*listening.sockets[0].getsockname(), limit=1_000)
    try:
        for part in parts:
            writer.write(part)
            await asyncio.sleep(0.02)
        yield reader, writer
    finally:
        writer.transport.abort()
        listening.close()


UNFINISHED = {
    "nothing": [],
    "empty lines": [b"\r\n"],
    "a part of a head": [GET[:-2]],
    "a part of a body": [CHUNKED, b"2\r\n{}\r\n"],
    "empty lines after a request": [GET, b"\r\n"],
    "a part of a head after a request": [GET, b"G"],
}


@pytest.mark.parametrize("parts", UNFINISHED.values(), ids=UNFINISHED)
async def test_a_request_that_does_not_come_ends_its_connection(
    server: Server, parts: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol, "REQUEST_SECONDS", 0.1)
    async with sent(server, *parts):
        await server.has_forgotten()


async def test_a_request_that_waits_for_its_turn_is_not_late(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "REQUEST_SECONDS", 0.5)
    held = GET.replace(b"/health/live", b"/held")
    async with sent(server, held, CHUNKED, b"2\r\n{}\r\n") as (reader, writer):
        await asyncio.sleep(1.5)
        server.go_on.set()
        writer.write(b"0\r\n\r\n")
        async with asyncio.timeout(PATIENCE):
            assert (await reader.readuntil(b"x")).startswith(b"HTTP/1.1 200")
            assert (await reader.readuntil(b"\r\n\r\nx")).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("ending", [b"", b"Connection: close\r\n"])
async def test_a_client_that_reads_nothing_is_let_go(
    server: Server, ending: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol, "STUCK_SECONDS", 0.1)
    large = GET.replace(b"/health/live", b"/large")[:-2] + ending + b"\r\n"
    async with sent(server, large):
        await server.has_forgotten()


async def test_a_client_that_reads_slowly_gets_all_of_it(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "STUCK_SECONDS", 0.5)
    async with sent(server, GET.replace(b"/health/live", b"/large")) as (reader, _), asyncio.timeout(PATIENCE):
        await reader.readuntil(b"\r\n\r\n")
        for _ in range(16):
            await asyncio.sleep(0.1)
            await reader.readexactly(LARGE // 16)


async def test_no_more_is_read_than_what_is_answered(server: Server) -> None:
    """A client that sends ten thousand requests ahead has them in its socket, and not in this process."""
    number = 20_000
    async with sent(server) as (reader, writer):
        writer.write(GET * number)
        async with asyncio.timeout(PATIENCE):
            for _ in range(number):
                await reader.readuntil(b"\r\n\r\nx")
    received_at_once = 256 * 1024
    assert server.longest_pipeline <= received_at_once // len(GET)
