"""Readers of a match's stream, who lose it and resume it, and are sent every event once and in order."""

import asyncio
import json
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress

import httpx

from tests.soak.ledger import Book, Event
from tests.soak.players import ANSWER_SECONDS, OUTAGE_SECONDS, Line, OutOfPatienceError

QUIET_SECONDS = 3 * ANSWER_SECONDS
"""Longer than from one comment of a stream to the next."""


async def follow(line: Line, book: Book, token: str | None) -> None:
    """Read the whole log of a match, to its end."""
    told: list[Event] = []
    book.streams.append(told)
    since = time.monotonic()
    while True:
        before = len(told)
        with suppress(httpx.TransportError):
            if await _read(line, book, token, told):
                return
        if len(told) > before:
            since = time.monotonic()
        elif time.monotonic() > since + OUTAGE_SECONDS:
            raise OutOfPatienceError(f"{book.path}/stream brings nothing after event {before}")
        await asyncio.sleep(line.rng.uniform(0, 1))


async def _read(line: Line, book: Book, token: str | None, told: list[Event]) -> bool:
    """Go on where the reader stands until the stream ends or is dropped; true once there is no more to come."""
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    query = {}
    if told and line.rng.random() < 0.8:
        headers["Last-Event-ID"] = str(told[-1]["seq"])
    elif told:
        query["after"] = told[-1]["seq"]
    timeout = httpx.Timeout(ANSWER_SECONDS, read=QUIET_SECONDS)
    stream = line.client.stream("GET", f"{book.path}/stream", params=query, headers=headers, timeout=timeout)
    async with stream as answer:
        if answer.status_code == 204:
            return True
        if answer.status_code != 200:
            if answer.status_code != 503:
                line.ledger.fault(f"{book.path}/stream: {answer.status_code}")
            return False
        line.ledger.tally["streams opened"] += 1
        try:
            await _take(line, book, answer, told)
        except (httpx.ReadError, httpx.RemoteProtocolError) as error:
            line.ledger.tally["streams broken"] += 1
            if line.ledger.stopping_since is not None:
                line.ledger.fault(f"{book.path}/stream: cut off by a stop: {error!r}")
            raise
    return False


async def _take(line: Line, book: Book, answer: httpx.Response, told: list[Event]) -> None:
    """What comes, to the end of the stream, or until the reader drops it."""
    async with aclosing(_events(answer)) as events:
        async for event in events:
            expected = told[-1]["seq"] + 1 if told else 1
            if event["seq"] != expected:
                line.ledger.fault(f"{book.path}/stream: {event['seq']} came in place of {expected}")
            told.append(event)
            if line.rng.random() < 0.02:
                line.ledger.tally["streams dropped"] += 1
                return


async def _events(answer: httpx.Response) -> AsyncGenerator[Event]:
    sent: dict[str, str] = {}
    async for line in answer.aiter_lines():
        name, _, value = line.partition(": ")
        if line:
            sent[name] = value
        elif "data" in sent:
            event = json.loads(sent["data"])
            assert (sent["id"], sent["event"]) == (str(event["seq"]), event["type"])
            yield event
            sent = {}
        else:
            sent = {}
