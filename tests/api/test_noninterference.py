"""No hidden tile leaves by any way out: two matches that differ only in tiles hidden from some viewers send those
viewers the same bytes, whatever they ask for and by whichever way they watch.

The state and the log after each move are `test_matches_hidden`'s; here is the rest: streams, waits, conditions,
retries, joining, the list of matches, and refusals.
"""

import itertools
import json
import random
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import AsyncExitStack

import httpx
import pytest
from fastapi import FastAPI

from api import calls, stream
from engine.catalogue import RULESETS
from engine.deal import FixedDeal
from engine.events import Event
from engine.players import Cpu, Human, Player
from engine.view import HOST, SPECTATOR, Viewer, redact
from tests.api import callers
from tests.api.callers import Caller, Table
from tests.api.readers import Reader, listening, reading
from tests.api.test_matches_hidden import DEAL, MASKS, MOVE, PLAYER, Game, Script, probe, some_deal, some_play, twins
from tests.kinds import SOURCE_GAMES

Pair = tuple[FixedDeal, FixedDeal, Script]

NOT_THE_SAME = {"date", "content-length"}
"""Headers; a time is shorter once in a million, where its microseconds are none."""


@pytest.fixture
async def near(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    """A caller of `app` over real connections: streams need them."""
    async with listening(app) as client:
        yield client


def blank(text: str) -> str:
    for shape, name in MASKS:
        text = shape.sub(name, text)
    return text


def headers_of(answer: httpx.Response) -> list[tuple[str, str]]:
    return [(name, blank(value)) for name, value in answer.headers.multi_items() if name not in NOT_THE_SAME]


def masked(answer: httpx.Response) -> object:
    """All of an answer, less what differs between any two matches."""
    return answer.status_code, headers_of(answer), blank(answer.text)


class Viewed:
    """All that some viewers of one match are sent."""

    def __init__(self, table: Table, viewers: Iterable[Viewer]) -> None:
        self.table = table
        self.watching = [caller for caller in table.everyone if caller.viewer in viewers]
        self.sent: list[object] = []
        self._readers: list[Reader] = []
        self._heard = 0

    async def watch(self, stack: AsyncExitStack) -> None:
        """Have a stream for each of them."""
        for caller in self.watching:
            reader = await stack.enter_async_context(reading(caller))
            self.sent.append(headers_of(reader.response))
            self._readers.append(reader)

    async def hear(self) -> None:
        """What the streams say up to now."""
        version = (await self.table.spectator.get())["version"]
        if version > self._heard:
            for reader in self._readers:
                frames = await reader.until(version)
                self.sent.append([(frame.id, frame.event, blank(frame.data)) for frame in frames])
        self._heard = version

    async def ask(self, caller: Caller, method: str, path: str, body: object = None, **headers: str) -> httpx.Response:
        """Call; what viewers are answered counts."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        answer = await caller.client.request(method, caller.path + path, headers={**caller.headers, **named}, json=body)
        if caller in self.watching:
            self.sent.append(masked(answer))
        return answer

    async def look(self) -> None:
        """In every way."""
        for caller in self.watching:
            tag = (await self.ask(caller, "GET", "")).headers["ETag"]
            assert (await self.ask(caller, "GET", "", If_None_Match=tag)).status_code == 304
            await self.ask(caller, "GET", "", If_None_Match=tag, Prefer="wait=0")
            await self.ask(caller, "GET", "", If_None_Match='"1.0"')
            await self.ask(caller, "HEAD", "")
            await self.ask(caller, "GET", "/board.svg")
            assert (await self.ask(caller, "GET", "/board.svg", If_None_Match=tag)).status_code == 304
            await self.ask(caller, "GET", "/events?limit=500")
            await self.ask(caller, "GET", "/events?after=2&limit=3")
            await self.ask(caller, "GET", f"/events?after={self._heard}", Prefer="wait=0")
            await self.ask(caller, "HEAD", "/stream")
            async with reading(caller, last=1) as reader:
                self.sent.append([blank(frame.data) for frame in await reader.until(self._heard)])
            listed = (await caller.client.get("/v1/matches", params={"limit": 1})).json()["items"][0]
            assert listed["id"] == str(self.table.id)
            self.sent.append(blank(json.dumps(listed)))

    async def trespass(self) -> None:
        """Calls that are refused."""
        for caller in self.watching:
            self.sent += [masked(answer) for answer in await probe(caller)]
            for path, body in (("/join", {}), ("/join", {"seat": 1}), ("/play", {"tile": "7"}), ("/play", None)):
                assert (await self.ask(caller, "POST", path, body)).is_error
            for path in ("/play", "/draw", "/resign", "/cancel", "/step"):
                assert (await self.ask(caller, "POST", path, {"tile": "6-6"}, If_Match='"1"')).is_error
            assert (await self.ask(caller, "PATCH", "/seats/0", {"level": "hard"})).is_error
            if caller.viewer != HOST and len(self.table.people) > 1:
                assert (await self.ask(caller, "POST", "/cancel")).is_error


async def seated(client: httpx.AsyncClient, game: Game, deal: FixedDeal, joining: int | None) -> tuple[Table, object]:
    """A table whose seat `joining` is taken later, and what whoever takes it is answered."""
    seats = [PLAYER.dump_python(player, mode="json") for player in game.players]
    if joining is not None:
        seats[joining] = {"kind": "open"}
    body = {"ruleset": game.ruleset, "seats": seats, "deal": DEAL.dump_python(deal, mode="json"), "listed": True}
    answer = await client.post("/v1/matches", json=body)
    table = callers.seat_everyone(client, answer)
    if joining is None:
        return table, masked(answer) if len(table.people) > 1 else None
    joined = []
    for _ in range(2):
        key = {"Idempotency-Key": f"join-{table.id}"}
        joined.append(await client.post(f"{table.host.path}/join", json={"seat": joining}, headers=key))
    [token] = joined[0].json()["tokens"]
    person = Caller(client, str(table.id), Viewer("seat", joining), token["token"])
    people = {**table.people, joining: person}
    return Table(table.created, people, table.host, table.spectator), [masked(answer) for answer in joined]


async def sent(
    client: httpx.AsyncClient, game: Game, deal: FixedDeal, script: Script, viewers: set[Viewer], joining: int | None
) -> list[object]:
    """All that `viewers` are sent while `script` is played, each move by a call that is then repeated."""
    table, first = await seated(client, game, deal, joining)
    viewed = Viewed(table, viewers)
    if joining is None or Viewer("seat", joining) in viewers:
        viewed.sent.append(first)
    async with AsyncExitStack() as stack:
        await viewed.watch(stack)
        for number, (seat, move) in enumerate(script):
            body, key = MOVE.dump_python(move, mode="json"), f"move-{number}"
            for _ in range(2):
                answer = await viewed.ask(table.people[seat], "POST", f"/{move.type}", body, Idempotency_Key=key)
                assert answer.is_success, answer.text
            await viewed.ask(
                table.people[seat], "POST", "/play", {"tile": "0-0", "end": "up"}, Idempotency_Key="move-0"
            )
            await viewed.hear()
            await viewed.look()
        await viewed.trespass()
        await viewed.hear()
    return viewed.sent


def pairs(game: Game, viewers: set[Viewer]) -> Iterator[Pair]:
    """Two deals, and a script that looks the same in both."""
    viewer = min(viewers, key=str)
    for number in range(40):
        rng = random.Random(number)
        deal = some_deal(game.ruleset, rng)
        script = some_play(game, deal, viewer, rng)
        found = list(itertools.islice(twins(game, deal, script, viewer), 40))
        if len(script) >= 3 and found:
            yield from ((deal, twin, script) for twin in rng.sample(found, len(found)))
    raise AssertionError("No two worlds look alike.")


def people(ruleset: str) -> tuple[Player, ...]:
    return (Human(),) * RULESETS[ruleset].seat_counts[0]


OTHERS = {HOST, SPECTATOR}
CASES = [
    *[
        (ruleset, people(ruleset), {Viewer("seat", seat)})
        for ruleset in SOURCE_GAMES
        for seat in range(RULESETS[ruleset].seat_counts[0])
    ],
    *[(ruleset, people(ruleset), OTHERS) for ruleset in SOURCE_GAMES],
    ("draw", (Human(), Cpu("hard")), {Viewer("seat", 0)}),
    ("all-fives", (Human(), Cpu("medium")), OTHERS),
    ("partner-penalty", (Human(), Cpu("hard"), Human(), Cpu("medium")), {Viewer("seat", 2)}),
]


@pytest.mark.parametrize(("ruleset", "players", "viewers"), CASES)
async def test_matches_that_differ_in_hidden_tiles_send_the_same(
    near: httpx.AsyncClient, ruleset: str, players: tuple[Player, ...], viewers: set[Viewer]
) -> None:
    game = Game(ruleset, players)
    deal, twin, script = next(pairs(game, viewers))
    assert game.after(twin, script) != game.after(deal, script)
    first = await sent(near, game, deal, script, viewers, None)
    assert await sent(near, game, twin, script, viewers, None) == first


@pytest.mark.parametrize("viewers", [{Viewer("seat", 1)}, OTHERS], ids=["seat", "others"])
@pytest.mark.parametrize("ruleset", ["draw", "partner-penalty"])
async def test_so_do_matches_whose_seats_are_taken_later(
    near: httpx.AsyncClient, ruleset: str, viewers: set[Viewer]
) -> None:
    game = Game(ruleset, people(ruleset))
    deal, twin, script = next(pairs(game, viewers))
    first = await sent(near, game, deal, script, viewers, 1)
    assert await sent(near, game, twin, script, viewers, 1) == first


@pytest.mark.parametrize("leaking", [calls, stream])
@pytest.mark.parametrize("kind", ["hand_dealt", "tile_drawn"])
async def test_a_leak_would_be_seen(
    near: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch, leaking: object, kind: str
) -> None:
    """Were one kind of event not redacted, in one place."""

    def leak(event: Event, viewer: Viewer, open_hand: int | None) -> Event:
        return event if event.type == kind else redact(event, viewer, open_hand)

    game = Game("draw", people("draw"))
    deal, twin, script = next(pair for pair in pairs(game, OTHERS) if kind == "hand_dealt" or draws(game, pair))
    monkeypatch.setattr(leaking, "redact", leak)
    first = await sent(near, game, deal, script, OTHERS, None)
    assert await sent(near, game, twin, script, OTHERS, None) != first


def draws(game: Game, pair: Pair) -> bool:
    """Whether different tiles are drawn in the two."""
    deal, twin, script = pair
    drawn = [[e.tile for e in game.after(each, script)[1] if e.type == "tile_drawn"] for each in (deal, twin)]
    return drawn[0] != drawn[1]
