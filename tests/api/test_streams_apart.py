"""Streams of one process while others write, that are broken off, that lag behind, and of a service that stops."""

import json
import random
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from typing import Any

import anyio
import httpx
import pytest
from fastapi import FastAPI

from api import stream
from api.watch import MOST_RECENT
from tests.api.callers import CPU, HUMAN, SEEDED, Caller, Table, create, play
from tests.api.readers import COMMENT, Frame, frame_of, listening, reading, until
from tests.api.services import SECRET
from tests.api.situations import seated
from tests.serving import PATIENCE, Serve, Served

SMALL = 4_096
"""Bytes, for the buffers of connections that have to fill up."""


def connect(served: Served) -> httpx.AsyncClient:
    """A caller each of whose calls is a connection of its own, which any of the processes may take."""
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=0)
    return httpx.AsyncClient(base_url=served.url, timeout=PATIENCE, limits=limits)


@pytest.fixture
async def far(served: Served) -> AsyncIterator[httpx.AsyncClient]:
    """A caller of another process than `app`, on the same database."""
    async with connect(served) as client:
        yield client


def by_way_of(client: httpx.AsyncClient, table: Table) -> list[Caller]:
    """Everyone at the table, as callers of another service."""
    found = []
    for caller in table.everyone:
        token = caller.headers.get("Authorization", "").removeprefix("Bearer ") or None
        found.append(Caller(client, str(table.id), caller.viewer, token))
    return found


def differ_in_blanks(heard: Any, shown: Any) -> bool:
    """Whether what was heard is what is shown now, but for what was hidden then."""
    if isinstance(heard, dict) and isinstance(shown, dict):
        return heard.keys() == shown.keys() and all(differ_in_blanks(heard[name], shown[name]) for name in heard)
    if isinstance(heard, list) and isinstance(shown, list):
        return len(heard) == len(shown) and all(map(differ_in_blanks, heard, shown))
    return heard is None or heard == shown


def check_whole(heard: Sequence[Frame], log: Sequence[Any]) -> None:
    """Nothing is missing and nothing comes twice."""
    assert [frame.id for frame in heard] == [event["seq"] for event in log]
    for frame, event in zip(heard, log, strict=True):
        assert differ_in_blanks(json.loads(frame.data), event)


async def test_what_another_process_writes_comes_within_about_a_second(
    client: httpx.AsyncClient, far: httpx.AsyncClient
) -> None:
    """Long before the stream would say that there is nothing new."""
    table = await create(client, "draw", seats=[HUMAN, HUMAN], deal=SEEDED, rules={"target": 30})
    async with AsyncExitStack() as stack:
        version = (await table.host.get())["version"]
        callers = by_way_of(far, table)
        readers = [await stack.enter_async_context(reading(caller, last=version)) for caller in callers]
        async for called in play(table):
            for reader, caller in zip(readers, table.everyone, strict=True):
                blocks: list[str] = []
                while len(blocks) < called.answer["match"]["version"] - version:
                    block = await reader.block()
                    assert block is not None
                    if blocks:  # a busy machine may have taken its time before the first one
                        assert block != COMMENT
                    if block != COMMENT:
                        blocks.append(block)
                told = [json.loads(frame_of(block).data) for block in blocks]
                assert told == await caller.log(after=version)
            version = called.answer["match"]["version"]


async def test_a_reader_who_comes_and_goes_hears_everything_once(serve: Serve, database_url: str) -> None:
    """While the match is played, through two processes."""
    served = serve("--workers", "2", CAPICUA_DATABASE_URL=database_url, CAPICUA_SECRET=SECRET)
    async with connect(served) as client:
        table = await create(client, "all-fives", seats=[HUMAN, CPU], deal=SEEDED, rules={"target": 50})
        heard: list[list[Frame]] = [[] for _ in table.everyone]

        async def follow(index: int, caller: Caller) -> None:
            rng = random.Random(index)
            mine = heard[index]
            while True:
                last = mine[-1].id if mine else 0
                query = {"last": last} if rng.random() < 0.5 else {"after": last}
                async with reading(caller, **query) as reader:
                    if reader.is_over:
                        return
                    for _ in range(rng.randrange(1, 12)):
                        if (frame := await reader.frame()) is None:
                            break
                        mine.append(frame)

        with anyio.fail_after(PATIENCE):
            async with anyio.create_task_group() as group:
                for index, caller in enumerate(table.everyone):
                    group.start_soon(follow, index, caller)
                async for _ in play(table):
                    pass
        for frames, caller in zip(heard, table.everyone, strict=True):
            check_whole(frames, await caller.log(limit=500))


async def play_hands(caller: Caller) -> int:
    """Hands between CPU seats, until there are many more events than are kept; the version then."""
    version = 0
    while version < 5 * MOST_RECENT:
        version = (await caller.post("next-hand"))["match"]["version"]
    return version


async def test_a_reader_who_lags_behind_catches_up_from_the_log(
    app: FastAPI, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = app.state.matches.store
    read: list[int] = []
    events = store.events

    async def noted(*given: Any, **asked: Any) -> Any:
        read.append(asked["after"])
        return await events(*given, **asked)

    table = await create(client, "draw", seats=[CPU, CPU], deal=SEEDED, rules={"target": 1_000})
    begun = (await table.host.get())["version"]
    async with listening(app, buffer=SMALL) as near:
        with socket.socket() as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL)
            connection.connect(("127.0.0.1", near.base_url.port))
            request = f"GET {table.host.path}/stream?after={begun} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
            connection.sendall(request.encode())
            await until(lambda: app.state.matches.watch.known()[0] == [table.id])
            monkeypatch.setattr(store, "events", noted)
            monkeypatch.setattr(stream, "MOST_AT_ONCE", MOST_RECENT // 2)
            last = await play_hands(table.host)
            assert read == []  # what is recent needs no log, and what is not has not been asked for
            body = await anyio.to_thread.run_sync(read_until, connection, f"id: {last}\n")
            assert len(read) > 1
    monkeypatch.undo()
    blocks = body.split("\n\n")[1:-1]
    check_whole([frame_of(block) for block in blocks], await table.host.log(after=begun, limit=500))


def read_until(connection: socket.socket, end: str) -> str:
    """The body of an answer in chunks, up to the block that begins with `end`."""
    connection.settimeout(PATIENCE)
    with connection.makefile("rb") as file:
        while file.readline() != b"\r\n":
            pass
        text = ""
        while not (end in text and text.endswith("\n\n")):
            size = int(file.readline(), 16)
            text += file.read(size).decode()
            file.readline()
    return text


@pytest.mark.parametrize("workers", [1, 2])
async def test_streams_end_at_once_when_the_service_stops(serve: Serve, database_url: str, workers: int) -> None:
    """Whole, and long before the stop would have waited long enough; their readers go on elsewhere."""
    served = serve(
        *("--workers", str(workers)),
        CAPICUA_DATABASE_URL=database_url,
        CAPICUA_SECRET=SECRET,
        CAPICUA_SHUTDOWN_SECONDS="3600",
    )
    async with connect(served) as client, AsyncExitStack() as stack:
        table = await seated(client, "draw")
        log = await table.host.log()
        readers = [await stack.enter_async_context(reading(caller)) for caller in table.everyone * 3]
        for reader in readers:
            await reader.until(len(log))
        async with anyio.create_task_group() as group:
            group.start_soon(anyio.to_thread.run_sync, served.stop)
            for reader in readers:
                assert await reader.rest() == []
    assert served.process.returncode == 0


async def test_a_reader_who_does_not_read_holds_no_stop_up_for_longer_than_is_allowed(
    serve: Serve, database_url: str
) -> None:
    served = serve(CAPICUA_DATABASE_URL=database_url, CAPICUA_SECRET=SECRET, CAPICUA_SHUTDOWN_SECONDS="1")
    async with connect(served) as client:
        table = await create(client, "draw", seats=[CPU, CPU], deal=SEEDED, rules={"target": 1_000})
        with socket.socket() as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL)
            connection.connect(("127.0.0.1", client.base_url.port))
            connection.sendall(f"GET {table.host.path}/stream HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            await play_hands(table.host)
            assert await anyio.to_thread.run_sync(served.stop) == 0
