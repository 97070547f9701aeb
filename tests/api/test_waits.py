"""`Prefer: wait`: a call that is answered once there is news, and holds nothing up meanwhile."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest

from api import pulse
from api.conditions import MOST_WAIT
from tests.api.callers import HUMAN, OPEN, Caller, Table, create
from tests.api.services import Service, running
from tests.api.situations import played, seated
from tests.serving import PATIENCE

LONG = {"Prefer": "wait=30"}
"""Longer than a test takes: what is answered with news was not answered because the wait was over."""


@pytest.fixture
async def beating(fresh_database_url: str, tmp_path: Path) -> AsyncIterator[Service]:
    """A service of the test's own, with its pulse."""
    async with running(fresh_database_url, tmp_path) as own:
        yield own


async def state(caller: Caller, **headers: str) -> httpx.Response:
    """Ask for another state than the present one."""
    known = (await caller.look()).headers["ETag"]
    return await caller.look(headers={"If-None-Match": known, **LONG, **headers})


async def events(caller: Caller, **headers: str) -> httpx.Response:
    """Ask for events after the last one."""
    version = (await caller.get())["version"]
    return await caller.look("/events", headers={**LONG, **headers}, after=version)


Ask = Callable[[Caller], Awaitable[httpx.Response]]
both = pytest.mark.parametrize("ask", [state, events])


def at(service: Service, caller: Caller) -> Caller:
    """The same caller at another process."""
    there = Caller(service.client, caller.path.rpartition("/")[2], caller.viewer, None)
    there.headers = caller.headers
    return there


@asynccontextmanager
async def waiting(service: Service, table: Table, ask: Ask, *callers: Caller) -> AsyncIterator[list[httpx.Response]]:
    """Entered once the callers wait; holds their answers when all have been answered."""
    answers: list[httpx.Response] = []

    async def run(caller: Caller) -> None:
        answers.append(await ask(caller))

    with anyio.fail_after(PATIENCE):
        async with anyio.create_task_group() as group:
            for caller in callers:
                group.start_soon(run, caller)
            watched = service.matches.watch._watched
            while table.id not in watched or watched[table.id].watchers < len(callers):  # noqa: ASYNC110
                await anyio.sleep(0.01)
            assert answers == []
            yield answers
    assert len(answers) == len(callers)
    assert service.matches.watch.known() == ([], [])


def check_news(answers: list[httpx.Response], version: int) -> None:
    for answer in answers:
        assert (answer.status_code, answer.headers["Preference-Applied"]) == (200, "wait=30")
        body = answer.json()
        assert body.get("version", body.get("last_seq")) == version
        if "items" in body:
            assert body["items"][-1]["seq"] == version


@pytest.mark.parametrize("path", ["", "/events?after=99"])
async def test_nobody_waits_for_a_client_that_has_gone(service: Service, path: str) -> None:
    table = await seated(service.client, "draw")
    gone = anyio.Event()
    received = [{"type": "http.request", "body": b"", "more_body": False}]
    headers = {**LONG, "If-None-Match": "*", "Host": "a"}
    path, _, query = f"{table.host.path}{path}".partition("?")
    scope = {"type": "http", "method": "GET", "path": path, "query_string": query.encode(), "http_version": "1.1"}
    scope["headers"] = [(name.lower().encode(), value.encode()) for name, value in headers.items()]

    async def receive() -> Any:
        if received:
            return received.pop()
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(_: Any) -> None:
        assert gone.is_set()

    with anyio.fail_after(PATIENCE):
        async with anyio.create_task_group() as group:
            group.start_soon(service.app, scope, receive, send)
            while not service.matches.watch.known()[0]:  # noqa: ASYNC110 - it tells nobody
                await anyio.sleep(0.01)
            gone.set()
    assert service.matches.watch.known() == ([], [])


@both
async def test_a_move_is_news_for_all_who_wait(service: Service, ask: Ask) -> None:
    table = await seated(service.client, "draw")
    async with waiting(service, table, ask, *table.everyone) as answers:
        moved = await table.people[0].post("play", {"tile": "6-6"})
    check_news(answers, moved["match"]["version"])
    for answer in answers:
        viewer = answer.json().get("viewer")
        assert viewer is None or answer.headers["ETag"].startswith(f'"{moved["match"]["version"]}.')


@both
async def test_a_move_at_another_process_is_news(
    beating: Service, fresh_database_url: str, tmp_path: Path, ask: Ask
) -> None:
    table = await seated(beating.client, "draw")
    async with running(fresh_database_url, tmp_path) as other:
        async with waiting(beating, table, ask, *table.everyone) as answers:
            moved = await at(other, table.people[0]).post("play", {"tile": "6-6"})
        check_news(answers, moved["match"]["version"])
        async with waiting(beating, table, ask, table.host) as answers:  # the next news is no gap
            moved = await table.people[1].post("draw")
        check_news(answers, moved["match"]["version"])


@both
async def test_moves_at_two_processes_are_news_in_order(
    service: Service, fresh_database_url: str, tmp_path: Path, ask: Ask
) -> None:
    """What is written here after something that has not been heard of yet waits for the pulse, and is not lost."""
    table = await seated(service.client, "draw")
    async with running(fresh_database_url, tmp_path) as other:
        async with waiting(service, table, ask, table.spectator) as answers:
            await at(other, table.people[0]).post("play", {"tile": "6-6"})
            moved = await table.people[1].post("draw")
            assert service.matches.watch.behind.is_set()
            await pulse.beat(service.matches)
            assert not service.matches.watch.behind.is_set()
        check_news(answers, moved["match"]["version"])


@both
async def test_a_clock_that_runs_out_and_a_seat_that_is_taken_are_news(service: Service, ask: Ask) -> None:
    table = await seated(service.client, "draw", seats=[HUMAN, OPEN], clock={"seconds_per_hand": 60})
    async with waiting(service, table, ask, *table.everyone) as answers:
        joined = await table.spectator.post("join")
    check_news(answers, joined["match"]["version"])
    async with waiting(service, table, ask, *table.everyone) as answers:
        service.put_ahead(timedelta(seconds=61))
        await pulse.beat(service.matches)
    check_news(answers, (await table.host.get())["version"])
    assert (await table.host.get())["status"] == "finished"


async def test_what_is_news_already_is_answered_at_once(service: Service) -> None:
    table = await seated(service.client, "draw")
    version = (await table.host.get())["version"]
    for answer in (
        await table.host.look(headers=LONG),
        await table.host.look(headers={**LONG, "If-None-Match": '"1.host"'}),
        await table.host.look("/events", headers=LONG),
        await table.host.look("/events", headers=LONG, after=version - 1),
    ):
        assert answer.status_code == 200
        assert "Preference-Applied" not in answer.headers


@both
async def test_nobody_waits_for_a_match_that_is_over(service: Service, ask: Ask) -> None:
    finished = await played(await seated(service.client, "block", target=0), "6-6 pass 6-5")
    cancelled = await seated(service.client, "draw")
    await cancelled.host.post("cancel")
    for table in (finished, cancelled):
        with anyio.fail_after(MOST_WAIT - 1):
            answer = await ask(table.spectator)
        assert answer.status_code == (304 if ask is state else 200)
        assert answer.content == b"" or answer.json()["items"] == []


@both
async def test_the_last_event_ends_the_wait_of_who_is_ahead_of_it(service: Service, ask: Ask) -> None:
    table = await seated(service.client, "draw")

    async def far_ahead(caller: Caller) -> httpx.Response:
        return await caller.look("/events", headers=LONG, after=1_000_000)

    async with waiting(service, table, far_ahead, table.spectator) as answers:
        await table.people[0].post("play", {"tile": "6-6"})
        assert answers == []
        ended = await table.host.post("cancel")
    assert answers[0].json() == {"items": [], "last_seq": ended["match"]["version"]}


@pytest.mark.parametrize("seconds", [0, 1])
async def test_without_news_the_answer_comes_after_the_wait(service: Service, seconds: int) -> None:
    table = await seated(service.client, "draw")
    began = anyio.current_time()
    answer = await state(table.spectator, Prefer=f"wait={seconds}")
    assert (answer.status_code, answer.content) == (304, b"")
    assert answer.headers["Preference-Applied"] == f"wait={seconds}"
    assert answer.headers["ETag"] == (await table.spectator.look()).headers["ETag"]
    page = await events(table.spectator, Prefer=f"wait={seconds}")
    version = (await table.host.get())["version"]
    assert (page.status_code, page.json()) == (200, {"items": [], "last_seq": version})
    assert page.headers["Preference-Applied"] == f"wait={seconds}"
    assert anyio.current_time() - began >= 2 * seconds
    assert service.matches.watch.known() == ([], [])


@pytest.mark.parametrize(
    "value",
    [
        "",
        "wait",
        "wait=",
        "wait=x",
        "wait=-1",
        "wait=1.5",
        "wait=1s",
        "wait=1 2",
        "await=9",
        "wait:9",
        "wait=\xb2",
        "respond-async; wait=9",
        "wait='9'",
        f"wait={'9' * 5000}",
        "return=minimal",
        ",;=,",
    ],
)
async def test_a_preference_that_is_not_understood_is_ignored(service: Service, value: str) -> None:
    table = await seated(service.client, "draw")
    version = (await table.host.get())["version"]
    known = {"If-None-Match": f'"{version}.spectator"'}
    for path, headers, query in (("", known, {}), ("/events", {}, {"after": version})):
        sent = [(b"Prefer", value.encode("latin-1")), *[(n.encode(), v.encode()) for n, v in headers.items()]]
        answer = await service.client.get(table.spectator.path + path, params=query, headers=sent)
        assert answer.status_code == (200 if path else 304)
        assert "Preference-Applied" not in answer.headers


@pytest.mark.parametrize(
    ("values", "applied"),
    [
        (["wait=5"], 5),
        (["WAIT=5"], 5),
        (["wait = 5"], 5),
        (['wait="5"'], 5),
        (["wait=5;x=y"], 5),
        (["respond-async, wait=5"], 5),
        (["wait=5, wait=6"], 5),
        (["return=minimal", "wait=005"], 5),
        (["wait=30"], 30),
        (["wait=31"], 30),
        (["wait=86400"], 30),
        (["wait=999999999"], 30),
    ],
)
async def test_nobody_waits_for_longer_than_half_a_minute(service: Service, values: list[str], applied: int) -> None:
    table = await seated(service.client, "draw")
    version = (await table.host.get())["version"]

    async def ask(caller: Caller) -> httpx.Response:
        headers = [("If-None-Match", f'"{version}.spectator"'), *[("Prefer", value) for value in values]]
        return await service.client.get(caller.path, headers=headers)

    async with waiting(service, table, ask, table.spectator) as answers:
        await table.people[0].post("play", {"tile": "6-6"})
    assert answers[0].headers["Preference-Applied"] == f"wait={applied}"


@both
async def test_who_waits_is_answered_when_the_process_ends(service: Service, ask: Ask) -> None:
    table = await seated(service.client, "draw")
    async with waiting(service, table, ask, *table.everyone) as answers:
        service.matches.watch.close()
    with anyio.fail_after(MOST_WAIT - 1):  # and nobody waits from then on
        answers.append(await ask(table.spectator))
    for answer in answers:
        assert answer.status_code == (304 if ask is state else 200)
        assert answer.content == b"" or answer.json()["items"] == []


@both
async def test_who_waits_holds_no_connection(fresh_database_url: str, tmp_path: Path, ask: Ask) -> None:
    """There is one connection: for the pulse, for those who come to wait, and for who moves."""
    async with running(fresh_database_url, tmp_path, pool_size=1) as service:
        table = await seated(service.client, "draw")
        async with waiting(service, table, ask, *[table.spectator] * 20) as answers:
            assert (await table.host.get())["status"] == "playing"
            moved = await table.people[0].post("play", {"tile": "6-6"})
        check_news(answers, moved["match"]["version"])


async def test_a_call_that_is_broken_off_waits_no_longer(service: Service) -> None:
    table = await create(service.client, "draw", seats=[HUMAN, HUMAN])
    async with anyio.create_task_group() as group:
        group.start_soon(state, table.spectator)
        while not service.matches.watch.known()[0]:  # noqa: ASYNC110
            await anyio.sleep(0.01)
        group.cancel_scope.cancel()
    assert service.matches.watch.known() == ([], [])


async def test_a_bad_call_does_not_wait(service: Service) -> None:
    table = await seated(service.client, "draw")
    token = {"Authorization": "Bearer nonsense"}
    for path in ("", "/events"):
        assert (await table.spectator.look(path, headers={**LONG, **token})).status_code == 401
    answer = await table.spectator.look("/events", headers=LONG, after="x")
    assert answer.status_code == 422
