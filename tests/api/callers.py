"""Those who call a match: the people in its seats, its host, and a spectator."""

import random
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

import httpx

from engine.view import HOST, SPECTATOR, Viewer

HUMAN: Final = {"kind": "human"}
CPU: Final = {"kind": "cpu", "level": "easy"}
OPEN: Final = {"kind": "open"}
SEEDED: Final = {"kind": "seeded", "seed": "5eed" * 16}
"""Deals that are the same in every run."""

Headers = Mapping[str, str]
NO_HEADERS: Final[Headers] = {}


class Caller:
    """Whoever calls a match, with the token of a seat or of the host, or without one."""

    def __init__(self, client: httpx.AsyncClient, match_id: str, viewer: Viewer, token: str | None) -> None:
        self.client, self.viewer = client, viewer
        self.path = f"/v1/matches/{match_id}"
        self.headers = {} if token is None else {"Authorization": f"Bearer {token}"}

    async def get(self, path: str = "", **query: Any) -> Any:
        answer = await self.client.get(self.path + path, params=query, headers=self.headers)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def post(self, path: str, body: object = None) -> Any:
        answer = await self.send(path, body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def look(self, path: str = "", *, headers: Headers = NO_HEADERS, **query: Any) -> httpx.Response:
        return await self.client.get(self.path + path, params=query, headers={**self.headers, **headers})

    async def send(self, path: str, body: object = None, *, headers: Headers = NO_HEADERS) -> httpx.Response:
        return await self.client.post(f"{self.path}/{path}", json=body, headers={**self.headers, **headers})

    async def patch(self, seat: int | str, body: object, *, headers: Headers = NO_HEADERS) -> httpx.Response:
        headers = {**self.headers, **headers}
        return await self.client.patch(f"{self.path}/seats/{seat}", json=body, headers=headers)

    async def refused(self, path: str, body: object, code: str) -> Any:
        """The body of the problem that the call is refused with, by the rules of the game."""
        answer = await self.send(path, body)
        assert (answer.status_code, answer.json()["code"]) == (409, code), answer.text
        return answer.json()

    async def moves(self) -> list[dict[str, Any]]:
        moves: list[dict[str, Any]] = (await self.get())["hand"]["legal_moves"]
        return moves

    async def log(self, *, after: int = 0, limit: int = 100) -> list[dict[str, Any]]:
        """The log, page by page."""
        items: list[dict[str, Any]] = []
        while True:
            page = await self.get("/events", after=after + len(items), limit=limit)
            items += page["items"]
            assert len(page["items"]) <= limit
            if not page["items"] or items[-1]["seq"] == page["last_seq"]:
                return items


@dataclass(frozen=True)
class Table:
    """A match and everyone who may call it."""

    created: dict[str, Any]
    """The answer to its creation."""
    people: Mapping[int, Caller]
    """By seat."""
    host: Caller
    spectator: Caller

    @property
    def id(self) -> UUID:
        return UUID(self.created["match"]["id"])

    @property
    def everyone(self) -> list[Caller]:
        return [*self.people.values(), self.host, self.spectator]


async def create(client: httpx.AsyncClient, ruleset: str, **body: Any) -> Table:
    """A new match, by default with one person at seat 0."""
    return seat_everyone(client, await client.post("/v1/matches", json={"ruleset": ruleset, **body}))


def seat_everyone(client: httpx.AsyncClient, answer: httpx.Response) -> Table:
    """Everyone who may call the match that `answer` says was created."""
    assert answer.status_code == 201, answer.text
    created = answer.json()
    match_id = created["match"]["id"]
    assert answer.headers["Location"] == f"/v1/matches/{match_id}"
    tokens = {token["seat"]: token["token"] for token in created["tokens"]}
    return Table(
        created,
        {seat: Caller(client, match_id, Viewer("seat", seat), token) for seat, token in tokens.items()},
        Caller(client, match_id, HOST, created["host_token"]),
        Caller(client, match_id, SPECTATOR, None),
    )


@dataclass(frozen=True)
class Called:
    """A call that was answered."""

    caller: Caller
    path: str
    body: object
    answer: dict[str, Any]


async def play(table: Table, *, chance: int = 1) -> AsyncIterator[Called]:
    """Play the match to its end: whoever has the turn posts an entry of `legal_moves` as it is to the path that its
    `type` names, the next hand is dealt by anybody, and so are steps where CPU seats wait for them.
    """
    rng = random.Random(chance)
    callers = [*table.people.values(), table.host]
    match = await table.host.get()
    while match["status"] != "finished":
        caller = table.people.get(match["hand"]["turn"]) or rng.choice(callers)
        moves: Sequence[dict[str, Any]] = match["hand"]["legal_moves"]
        if match["viewer"] != {"role": caller.viewer.role, "seat": caller.viewer.seat}:
            moves = await caller.moves()
        path, body = "step", None
        if moves:
            body = rng.choice(moves)
            path = body["type"]
        answer = await caller.post(path, body)
        match = answer["match"]
        yield Called(caller, path, body, answer)


async def play_out(table: Table, *, chance: int = 1) -> Any:
    """Play the match to its end, and answer what a spectator sees then."""
    async for _ in play(table, chance=chance):
        pass
    return await table.spectator.get()
