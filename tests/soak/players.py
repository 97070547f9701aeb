"""People who play through every outage: each call has a key, and is sent again with it until it is answered."""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Final

import httpx

from tests.serving import PATIENCE
from tests.soak.ledger import Acknowledged, Book, Ledger, agrees

ANSWER_SECONDS: Final = 15
WAIT_SECONDS: Final = 5
MOST_PAUSE_SECONDS: Final = 1.5
OUTAGE_SECONDS: Final = 3 * PATIENCE
"""How long the service may stay away, with kills going on, on a busy machine."""

OVER: Final = frozenset({"finished", "cancelled"})
Json = Mapping[str, Any]


class OutOfPatienceError(Exception):
    """The service stays away."""


@dataclass
class Line:
    """The way to the service, for everybody who calls it."""

    client: httpx.AsyncClient
    ledger: Ledger
    rng: Random

    async def ask(
        self, method: str, path: str, headers: Mapping[str, str], body: object = None
    ) -> tuple[httpx.Response, bool]:
        """The answer to a call, sent as often as it takes, and whether an answer to it may have been lost."""
        since, lost, pause = time.monotonic(), False, 0.1
        while True:
            if time.monotonic() > since + OUTAGE_SECONDS:
                raise OutOfPatienceError(f"{method} {path} was not answered in {OUTAGE_SECONDS} s")
            hasty = method == "POST" and not lost and self.rng.random() < 0.03
            timeout = self.rng.uniform(0.001, 0.05) if hasty else ANSWER_SECONDS
            try:
                answer = await self.client.request(method, path, headers=headers, json=body, timeout=timeout)
            except httpx.TransportError:
                lost = True
            else:
                if answer.status_code < 500:
                    self.ledger.up.set()
                    self.ledger.waited(since)
                    return answer, lost
                if answer.status_code != 503:
                    self.ledger.fault(f"{method} {path}: {answer.status_code} {answer.text}")
            self.ledger.tally["retries"] += 1
            await asyncio.sleep(self.rng.uniform(0, pause))
            pause = min(2 * pause, MOST_PAUSE_SECONDS)

    async def once(
        self, path: str, body: object = None, *, token: str | None = None, version: int | None = None
    ) -> Json | None:
        """Make a call with a key of its own, now and then twice at once; null where it was refused as too late."""
        headers = {"Idempotency-Key": f"{self.rng.getrandbits(128):032x}"}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        if version is not None:
            headers["If-Match"] = f'"{version}"'
        times = 2 if self.rng.random() < 0.1 else 1
        self.ledger.tally["calls sent twice at once"] += times - 1
        asked = [self.ask("POST", path, headers, body) for _ in range(times)]
        answered = await asyncio.gather(*asked)
        answers = [answer for answer, _ in answered]
        if all(answer.is_success for answer in answers):
            self._agree(path, answers, lost=any(lost for _, lost in answered))
            found: Json = answers[0].json()
            return found
        codes = {answer.json()["code"] for answer in answers if not answer.is_success}
        allowed = {"match-finished"} if version is None else {"match-finished", "version-mismatch"}
        if any(answer.is_success for answer in answers) or not codes <= allowed:
            self.ledger.fault(f"{path} {body}: {[(answer.status_code, answer.text) for answer in answers]}")
        self.ledger.tally["refused as too late"] += 1
        return None

    def _agree(self, path: str, answers: list[httpx.Response], *, lost: bool) -> None:
        """However often a call was answered, it was carried out once."""
        fresh = sum("Idempotency-Replayed" not in answer.headers for answer in answers)
        if fresh > 1 or (fresh == 0 and not lost):
            self.ledger.fault(f"{path}: {fresh} of {len(answers)} answers say that they carried it out")
        self.ledger.tally["replays"] += len(answers) - fresh
        first, *others = [answer.json() for answer in answers]
        for other in others:
            same = [(name, first.get(name) == other.get(name)) for name in ("tokens", "host_token")]
            told = agrees(first["events"], other["events"]) or agrees(other["events"], first["events"])
            if not told or not all(equal for _, equal in same):
                self.ledger.fault(f"{path}: two answers to one call differ: {first} and {other}")


@dataclass
class Person:
    """Somebody in a seat of a match."""

    line: Line
    book: Book
    seat: int
    token: str

    async def play(self) -> None:
        """To the end of the match."""
        state = await self._look()
        while state["status"] not in OVER:
            name, body, version = self._choose(state)
            if name is None:
                state = await self._look(state)
                continue
            await self._think()
            told = await self.call(name, body, version)
            state = await self._look() if told is None else told["match"]

    async def call(self, name: str, body: object, version: int | None) -> Json | None:
        told = await self.line.once(f"{self.book.path}/{name}", body, token=self.token, version=version)
        if told is not None:
            self.book.calls.append(Acknowledged(name, self.seat, told["events"]))
            self.line.ledger.tally["moves"] += 1
        return told

    def _choose(self, state: Json) -> tuple[str | None, object, int | None]:
        """A call, its body, and the version that it has to find; no call where it is for others to make one."""
        rng, hand, version = self.line.rng, state["hand"], state["version"]
        if hand is None:
            return None, None, None
        if rng.random() < 0.002:
            return "resign", None, None
        if state["status"] == "hand_over":
            return "next-hand", None, version  # with a version, as anybody's would do
        if hand["turn"] == self.seat:
            move = dict(rng.choice(hand["legal_moves"]))
            if move["type"] == "draw":
                move |= {"until_playable": rng.random() < 0.5, "position": rng.randrange(hand["boneyard_count"])}
            return move["type"], move, version if rng.random() < 0.3 else None
        if state["pacing"] == "step" and state["seats"][hand["turn"]]["kind"] == "cpu":
            return "step", None, version
        return None, None, None

    async def _look(self, known: Json | None = None) -> Json:
        """The match as it is now, or as soon as it is another one than `known`."""
        headers = {"Authorization": f"Bearer {self.token}"}
        if known is not None:
            headers |= {"If-None-Match": f'"{known["version"]}.{self.seat}"', "Prefer": f"wait={WAIT_SECONDS}"}
        answer, _ = await self.line.ask("GET", self.book.path, headers)
        if answer.status_code == 304 and known is not None:
            return known
        if answer.status_code != 200:
            raise AssertionError(answer.text)
        state: Json = answer.json()
        if known is not None and state["version"] < known["version"]:
            self.line.ledger.fault(f"{self.book.path}: version {state['version']} came after {known['version']}")
        return state

    async def _think(self) -> None:
        rng = self.line.rng
        is_slow = self.book.clock is not None and self.book.clock < 10 and rng.random() < 0.01
        await asyncio.sleep(self.book.clock or 0 if is_slow else rng.uniform(0, 0.1))
