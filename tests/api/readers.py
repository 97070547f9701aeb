"""Readers of a match's stream, over real sockets: a client without a network between gets it only when it is over."""

import asyncio
import json
import re
import socket
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

import anyio
import httpx
import uvicorn
from fastapi import FastAPI

from tests.api.callers import Caller
from tests.serving import PATIENCE

RETRY: Final = re.compile(r"retry: [1-9][0-9]*")
COMMENT: Final = ":"
_FRAME: Final = re.compile(r"id: ([1-9][0-9]*)\nevent: ([a-z_]+)\ndata: (\{.*\})")


@dataclass(frozen=True)
class Frame:
    """One Server-Sent Event."""

    id: int
    event: str
    data: str


class Reader:
    """What a stream says, block by block; a block that is neither an event nor a comment is an error."""

    def __init__(self, response: httpx.Response) -> None:
        self.response = response
        self.is_over = response.status_code == 204
        """Whether the match is over, and its reader has all of it."""
        self._blocks = self._read()

    async def _read(self) -> AsyncGenerator[str]:
        unread = ""
        async for text in self.response.aiter_text():
            *blocks, unread = (unread + text).split("\n\n")
            for block in blocks:
                yield block
        assert unread == "", "A stream ends between two events."

    async def block(self) -> str | None:
        """The next block; null at the end."""
        with anyio.fail_after(PATIENCE):
            return await anext(self._blocks, None)

    async def frame(self) -> Frame | None:
        """The next event; null at the end."""
        while (block := await self.block()) is not None:
            if block != COMMENT and not RETRY.fullmatch(block):
                return frame_of(block)
        return None

    async def until(self, seq: int) -> list[Frame]:
        """The events up to the one with this number."""
        frames: list[Frame] = []
        while not frames or frames[-1].id < seq:
            frame = await self.frame()
            assert frame is not None, "The stream has ended."
            frames.append(frame)
        return frames

    async def rest(self) -> list[Frame]:
        """The events up to the end."""
        frames = []
        while (frame := await self.frame()) is not None:
            frames.append(frame)
        return frames

    async def close(self) -> None:
        await self._blocks.aclose()
        await self.response.aclose()


def frame_of(block: str) -> Frame:
    found = _FRAME.fullmatch(block)
    assert found is not None, f"no event: {block!r}"
    frame = Frame(int(found[1]), found[2], found[3])
    event = json.loads(frame.data)
    assert (event["seq"], event["type"]) == (frame.id, frame.event)
    return frame


@asynccontextmanager
async def reading(caller: Caller, *, last: int | None = None, **query: Any) -> AsyncIterator[Reader]:
    """The stream of a match for `caller`, after the event `last` by its header."""
    headers = caller.headers if last is None else {**caller.headers, "Last-Event-ID": str(last)}
    path = f"{caller.path}/stream"
    async with caller.client.stream("GET", path, params=query, headers=headers, timeout=PATIENCE) as response:
        assert response.is_success, await response.aread()
        reader = Reader(response)
        try:
            assert reader.is_over or RETRY.fullmatch(await reader.block() or "")
            yield reader
        finally:
            await reader.close()


@asynccontextmanager
async def listening(app: FastAPI, *, buffer: int | None = None) -> AsyncIterator[httpx.AsyncClient]:
    """A caller of a running application over real connections; `buffer` bounds what the system keeps unsent."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        if buffer is not None:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, buffer)
        config = uvicorn.Config(app, lifespan="off", access_log=False, log_level="warning", ws="none")
        server = uvicorn.Server(config)
        serving = asyncio.create_task(server._serve([listener]))
        host, port = listener.getsockname()
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=0)
        try:
            async with httpx.AsyncClient(base_url=f"http://{host}:{port}", timeout=PATIENCE, limits=limits) as client:
                yield client
        finally:
            server.should_exit = True
            await serving


async def until(holds: Callable[[], object]) -> None:
    """Let the service go on until something holds."""
    with anyio.fail_after(PATIENCE):
        while not holds():  # noqa: ASYNC110 - what is waited for knows no events
            await anyio.sleep(0.01)
