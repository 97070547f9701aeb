"""What experts think about, while the service goes on: others are answered, and nothing is told that is not stored."""

import signal
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import anyio
import anyio.to_thread
import httpx
import pytest

from api.store import Key, Stored
from api.thinking import think
from engine.deal import Stream
from engine.moves import Turn
from engine.strategies import STRATEGIES, medium
from engine.strategies.legal import turns
from engine.view import MatchView
from tests.api.callers import HUMAN, Caller, Table, create
from tests.api.services import Service, running
from tests.api.situations import seated
from tests.api.stored import check_everyone
from tests.api.test_matches_races import outcomes
from tests.serving import PATIENCE, Serve, Served

EXPERT: Final = {"kind": "cpu", "level": "expert"}
Answering = Coroutine[Any, Any, httpx.Response]

HANDS: Final = ("6-6 1-1 0-0 2-0", "6-1 6-2 6-5 2-1")
"""After 6-6, seat 1 has three tiles that fit."""


class Slow:
    """An expert that plays like `medium`, once it may."""

    def __init__(self) -> None:
        self.thoughts = 0
        self._began = threading.Semaphore(0)
        self._may = threading.Event()

    def choose(self, view: MatchView, rng: Stream) -> Turn:
        if len(turns(view)) == 1:
            return turns(view)[0]
        self.thoughts += 1
        self._began.release()
        assert self._may.wait(PATIENCE)
        return medium.choose(view, rng)

    async def has_begun(self) -> None:
        """Return once it has begun one more thought."""
        assert await anyio.to_thread.run_sync(self._began.acquire, True, PATIENCE)

    def may_end(self) -> None:
        self._may.set()


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[Slow]:
    expert = Slow()
    monkeypatch.setitem(STRATEGIES, "expert", expert.choose)
    yield expert
    expert.may_end()


@pytest.fixture
async def table(service: Service) -> Table:
    """Seat 0 has to play 6-6; the expert has the turn then."""
    return await seated(service.client, "block", HANDS, seats=[HUMAN, EXPERT])


class Asked:
    """A call under way."""

    answer: httpx.Response

    @property
    def is_answered(self) -> bool:
        return hasattr(self, "answer")


@asynccontextmanager
async def asking(*calls: Callable[[], Answering]) -> AsyncIterator[list[Asked]]:
    """Calls that are answered by the end of the context."""
    all_asked = [Asked() for _ in calls]

    async def ask(asked: Asked, call: Callable[[], Answering]) -> None:
        asked.answer = await call()

    with anyio.fail_after(PATIENCE):
        async with anyio.create_task_group() as group:
            for asked, call in zip(all_asked, calls, strict=True):
                group.start_soon(ask, asked, call)
            yield all_asked


def opening(table: Table, **headers: str) -> Callable[[], Answering]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda: table.people[0].send("play", {"tile": "6-6"}, headers=named)


async def test_others_are_answered_meanwhile(service: Service, table: Table, slow: Slow) -> None:
    other = await create(service.client, "draw")
    before = await table.spectator.get()
    async with asking(opening(table)) as [asked]:
        await slow.has_begun()
        for _ in range(20):
            await other.spectator.get()
            assert await table.spectator.get() == before  # nothing is told that is not stored
        assert (await other.people[0].send("resign")).is_success
        assert not asked.is_answered
        slow.may_end()
    assert asked.answer.is_success
    assert [event["seat"] for event in asked.answer.json()["events"]] == [0, 1]
    await check_everyone(service.app, table)


async def test_a_creation_and_a_step_keep_nobody_waiting_either(service: Service, slow: Slow) -> None:
    body = {"ruleset": "partner-penalty", "seats": [EXPERT] * 4}
    async with asking(lambda: service.client.post("/v1/matches", json=body)) as [asked]:
        await slow.has_begun()
        assert (await service.client.get("/v1/matches")).is_success
        slow.may_end()
    assert asked.answer.json()["match"]["status"] == "hand_over"
    stepped = await create(service.client, "partner-penalty", seats=[EXPERT] * 4, pacing="step")
    while (match := await stepped.host.get())["status"] == "playing":
        answer = await stepped.host.post("step")
        assert match["version"] < answer["match"]["version"]
    await check_everyone(service.app, stepped)


async def test_what_takes_no_thought_waits_for_none(service: Service, table: Table, slow: Slow) -> None:
    """The other levels, and an expert that can do one thing only."""
    async with asking(opening(table)):
        await slow.has_begun()
        quick = await seated(service.client, "block", HANDS, seats=[HUMAN, {"kind": "cpu", "level": "hard"}])
        assert len((await quick.people[0].post("play", {"tile": "6-6"}))["events"]) == 2
        alone = await seated(service.client, "block", seats=[HUMAN, EXPERT])
        assert (await alone.people[0].post("play", {"tile": "6-6"}))["events"]
        slow.may_end()
    assert slow.thoughts == 1


async def loaded(service: Service, monkeypatch: pytest.MonkeyPatch, times: int) -> None:
    """Return once matches have been read so many times more."""
    load, reads, enough = service.matches.load, 0, anyio.Event()

    async def counted(match_id: UUID, key: Key | None = None) -> Stored | None:
        nonlocal reads
        found = await load(match_id, key)
        reads += 1
        if reads == times:
            enough.set()
        return found

    monkeypatch.setattr(service.matches, "load", counted)
    await enough.wait()


@pytest.mark.parametrize("callers", [2, 10])
async def test_calls_on_one_match_wait_for_the_one_that_has_thought(
    service: Service, table: Table, slow: Slow, monkeypatch: pytest.MonkeyPatch, callers: int
) -> None:
    async with asking(opening(table)) as [first]:
        await slow.has_begun()
        async with asking(*[opening(table)] * (callers - 1)) as others:
            await loaded(service, monkeypatch, callers - 1)
            slow.may_end()
    assert outcomes([first.answer]) == {"applied": 1}
    assert set(outcomes([asked.answer for asked in others])) == {"tile-not-in-hand"}
    assert slow.thoughts == 1
    await check_everyone(service.app, table)


async def test_the_same_call_sent_again_is_answered_with_what_the_first_has_done(
    service: Service, table: Table, slow: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    call = opening(table, Idempotency_Key="once")
    async with asking(call) as [first]:
        await slow.has_begun()
        async with asking(call) as [again]:
            await loaded(service, monkeypatch, 1)
            slow.may_end()
    assert again.answer.headers["Idempotency-Replayed"] == "true"
    assert again.answer.json()["events"] == first.answer.json()["events"]
    assert slow.thoughts == 1


@pytest.mark.parametrize("is_conditional", [False, True])
async def test_of_calls_at_two_processes_one_is_applied(
    service: Service, fresh_database_url: str, tmp_path: Path, table: Table, slow: Slow, is_conditional: bool
) -> None:
    headers = {"If-Match": f'"{table.created["match"]["version"]}"'} if is_conditional else {}
    async with running(fresh_database_url, tmp_path) as second:
        here = table.people[0]
        there = Caller(second.client, str(table.id), here.viewer, here.headers["Authorization"].split()[1])
        async with asking(lambda: here.send("play", {"tile": "6-6"}, headers=headers)) as [first]:
            await slow.has_begun()
            async with asking(lambda: there.send("play", {"tile": "6-6"}, headers=headers)) as [other]:
                slow.may_end()
    counted = outcomes([first.answer, other.answer])
    assert counted == {"applied": 1, "version-mismatch" if is_conditional else "tile-not-in-hand": 1}
    await check_everyone(service.app, table)


async def test_what_is_decided_happens_then(table: Table, slow: Slow) -> None:
    """A person's clock does not run before they can know what an expert took so long to decide."""
    slow.may_end()
    answer = await table.people[0].post("play", {"tile": "6-6"})
    own, expert = (datetime.fromisoformat(event["at"]) for event in answer["events"])
    assert own < expert == datetime.fromisoformat(answer["match"]["updated_at"])


async def test_a_client_that_goes_away_loses_nothing(service: Service, table: Table, slow: Slow) -> None:
    """Its call goes on, so that sent again it finds what it did."""
    call = opening(table, Idempotency_Key="once")
    sent = httpx.Request("POST", f"http://a{table.host.path}/play", json={"tile": "6-6"})
    named = {**sent.headers, **table.people[0].headers, "Idempotency-Key": "once"}
    scope = {"type": "http", "method": "POST", "path": sent.url.path, "query_string": b"", "http_version": "1.1"}
    scope["headers"] = [(name.lower().encode(), value.encode()) for name, value in named.items()]
    received = [{"type": "http.request", "body": sent.content, "more_body": False}]

    async def receive() -> Any:
        return received.pop() if received else {"type": "http.disconnect"}

    async def send(_: Any) -> None:
        pass

    with anyio.fail_after(PATIENCE):
        async with anyio.create_task_group() as group:
            group.start_soon(service.app, scope, receive, send)
            await slow.has_begun()
            slow.may_end()
    answer = await call()
    assert answer.headers["Idempotency-Replayed"] == "true"
    assert [event["seat"] for event in answer.json()["events"]] == [0, 1]


async def test_a_call_that_is_broken_off_has_done_nothing(service: Service, table: Table, slow: Slow) -> None:
    """As when the time for a stop is over. It may be made again."""
    before = await table.spectator.get()
    call = opening(table, Idempotency_Key="once")
    async with anyio.create_task_group() as group:
        group.start_soon(call)
        await slow.has_begun()
        group.cancel_scope.cancel()
    assert await table.spectator.get() == before
    slow.may_end()
    assert "Idempotency-Replayed" not in (await call()).headers
    await check_everyone(service.app, table)


async def test_a_thought_that_nobody_waits_for_is_not_begun(service: Service, slow: Slow) -> None:
    thought: list[int] = []
    async with asking(opening(await seated(service.client, "block", HANDS, seats=[HUMAN, EXPERT]))):
        await slow.has_begun()
        async with anyio.create_task_group() as group:
            group.start_soon(think, partial(thought.append, 1))
            await anyio.wait_all_tasks_blocked()
            group.cancel_scope.cancel()
        slow.may_end()
    await think(partial(thought.append, 2))
    assert thought == [2]


async def test_what_a_thought_raises_is_its_callers() -> None:
    with pytest.raises(ZeroDivisionError):
        await think(lambda: 1 // 0)
    assert await think(lambda: 1) == 1


BODY: Final = {"ruleset": "block", "seats": [EXPERT] * 2}
CREATES: Final = 6


async def _create_all(served: Served, *, until: Callable[[dict[int, Any]], object] | None = None) -> dict[int, Any]:
    """What creates with a key each are answered, by number; the service is stopped by the first answer with `until`."""
    answers: dict[int, Any] = {}

    async def ask(client: httpx.AsyncClient, number: int) -> None:
        with suppress(httpx.TransportError):
            headers = {"Idempotency-Key": f"{number:032x}"}
            answer = await client.post("/v1/matches", json=BODY, headers=headers)
            if answer.status_code == 503 and until is not None:
                return
            assert answer.status_code == 201, answer.text
            answers[number] = answer.json()
            if until is not None and len(answers) == 1:
                await anyio.to_thread.run_sync(until, answers)

    async with httpx.AsyncClient(base_url=served.url, timeout=PATIENCE) as client, anyio.create_task_group() as group:
        for number in range(CREATES):
            group.start_soon(ask, client, number)
    return answers


@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGTERM])
async def test_a_service_that_ends_while_it_thinks_loses_nothing(serve: Serve, ending: signal.Signals) -> None:
    """Killed or stopped: what was answered is kept, the rest is done anew."""
    served = serve()

    def end(_: object) -> None:
        served.process.send_signal(ending)
        assert served.process.wait(timeout=PATIENCE) == (0 if ending == signal.SIGTERM else -ending)

    before = await _create_all(served, until=end)
    assert before
    after = await _create_all(serve())
    assert len(after) == CREATES
    assert len({answer["match"]["id"] for answer in after.values()}) == CREATES
    for number, answer in after.items():
        assert [event["seq"] for event in answer["events"]] == list(range(1, answer["match"]["version"] + 1))
        assert answer["match"]["status"] == "hand_over"
        assert number not in before or answer == before[number]
