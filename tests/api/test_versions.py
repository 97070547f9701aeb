"""Versions: the `ETag` of each viewer's state, 304 while it is the present one, and calls for one version alone."""

import itertools
from datetime import timedelta
from typing import Any

import httpx
from fastapi import FastAPI

from tests.api.callers import CPU, HUMAN, OPEN, Caller, Table, create
from tests.api.services import Service
from tests.api.situations import played, seated
from tests.api.stored import check_everyone


async def tag(caller: Caller) -> str:
    return (await caller.look()).headers["ETag"]


async def test_a_tag_is_the_version_and_whose_view_it_is(client: httpx.AsyncClient) -> None:
    table = await played(await seated(client, "draw"), "6-6")
    version = (await table.host.get())["version"]
    callers = {"0": table.people[0], "1": table.people[1], "host": table.host, "spectator": table.spectator}
    for name, caller in callers.items():
        answer = await caller.look()
        assert answer.headers["ETag"] == f'"{version}.{name}"'
        assert answer.headers["Cache-Control"] == "private, no-cache"
        assert "Authorization" in answer.headers["Vary"].split(", ")


async def test_every_answer_with_a_state_has_its_tag(client: httpx.AsyncClient) -> None:
    answer = await client.post("/v1/matches", json={"ruleset": "draw", "seats": [HUMAN, OPEN]})
    assert answer.headers["ETag"] == '"1.0"'
    host = {"Authorization": f"Bearer {answer.json()['host_token']}"}
    path = answer.headers["Location"]
    answer = await client.post(f"{path}/join")
    assert answer.headers["ETag"] == f'"{answer.json()["match"]["version"]}.1"'
    answer = await client.post(f"{path}/cancel", headers=host)
    assert answer.headers["ETag"] == f'"{answer.json()["match"]["version"]}.host"'
    table = await create(client, "draw", seats=[HUMAN, CPU])
    answer = await table.people[0].patch(1, {"level": "hard"})
    assert answer.headers["ETag"] == f'"{answer.json()["match"]["version"]}.0"' == await tag(table.people[0])


async def test_a_state_that_the_caller_has_is_not_sent_again(client: httpx.AsyncClient) -> None:
    table = await seated(client, "draw")
    for caller in table.everyone:
        shown = await caller.look()
        own = shown.headers["ETag"]
        known = [own, f"W/{own}", f'"x", {own}', f'{own},"x"', f'W/"a,b" ,\t{own} , W/"c"', "*", f" {own} "]
        for value in known:
            answer = await caller.look(headers={"If-None-Match": value})
            assert (answer.status_code, answer.content) == (304, b""), value
            for name in ("ETag", "Cache-Control", "Vary"):
                assert answer.headers[name] == shown.headers[name]
            assert "content-type" not in answer.headers
        version = own.strip('"').partition(".")[0]
        unknown = [f'"{version}"', f'"{own[1:-1]}x"', f'"0{own[1:]}', '""', f'"{version}.9"', '"x", W/"y"']
        unknown += [await tag(other) for other in table.everyone if other is not caller]
        for value in unknown:
            answer = await caller.look(headers={"If-None-Match": value})
            assert (answer.status_code, answer.json()) == (200, shown.json()), value


async def test_lists_may_come_in_several_lines(client: httpx.AsyncClient) -> None:
    table = await seated(client, "draw")
    own = await tag(table.spectator)
    answer = await client.get(table.spectator.path, headers=[("If-None-Match", '"x"'), ("If-None-Match", own)])
    assert answer.status_code == 304
    headers = [("If-Match", '"1"'), ("If-Match", own), *table.people[0].headers.items()]
    assert (await client.post(f"{table.host.path}/play", json={"tile": "6-6"}, headers=headers)).status_code == 200


async def test_a_state_that_has_changed_is_sent(client: httpx.AsyncClient) -> None:
    table = await seated(client, "draw")
    before = {caller.viewer: await tag(caller) for caller in table.everyone}
    await table.people[0].post("play", {"tile": "6-6"})
    for caller in table.everyone:
        answer = await caller.look(headers={"If-None-Match": before[caller.viewer]})
        assert (answer.status_code, answer.json()) == (200, await caller.get())


async def test_head_tells_the_tag_too(client: httpx.AsyncClient) -> None:
    table = await seated(client, "draw")
    answer = await client.head(table.spectator.path)
    assert (answer.status_code, answer.headers["ETag"]) == (200, await tag(table.spectator))
    known = {"If-None-Match": answer.headers["ETag"]}
    assert (await client.head(table.spectator.path, headers=known)).status_code == 304


def matching(version: int) -> list[str]:
    return [
        "*",
        f'"{version}"',
        f'"{version}.0"',
        f'"{version}.1"',
        f'"{version}.host"',
        f'"{version}.spectator"',
        f'W/"{version}"',
        f'W/"{version}.0"',
        f'"1", "{version}"',
        f'"x" , W/"{version}.0"',
        f'"{version}","1"',
    ]


def stale(version: int) -> list[str]:
    return [
        f'"{version - 1}"',
        f'"{version + 1}.0"',
        f'"{version}0"',
        '""',
        '"x"',
        f'"x{version}"',
        f'"{version}x"',
        f'"-{version}"',
        f'"{version - 1}", W/"{version + 1}"',
        f'"{2**31}"',
        f'"{"9" * 100}"',
    ]


async def test_a_call_is_made_at_the_version_that_it_names(client: httpx.AsyncClient) -> None:
    version = (await (await seated(client, "draw")).host.get())["version"]
    for value in matching(version):
        table = await seated(client, "draw")
        assert (await table.host.get())["version"] == version
        answer = await table.people[0].send("play", {"tile": "6-6"}, headers={"If-Match": value})
        assert answer.status_code == 200, (value, answer.text)


async def test_a_call_at_another_version_is_refused(client: httpx.AsyncClient, app: FastAPI) -> None:
    table = await create(client, "draw", seats=[HUMAN, CPU])
    before = await table.host.get()
    move = (await table.people[0].moves())[0]
    calls: list[Any] = [(table.people[0], "resign", None), (table.host, "cancel", None), (table.spectator, "join", {})]
    for value, (caller, path, body) in itertools.product(
        stale(before["version"]), [*calls, (table.people[0], move["type"], move)]
    ):
        answer = await caller.send(path, body, headers={"If-Match": value})
        assert (answer.status_code, answer.json()["code"]) == (412, "version-mismatch"), (path, value)
    for value in stale(before["version"]):
        answer = await table.host.patch(1, {"level": "hard"}, headers={"If-Match": value})
        assert (answer.status_code, answer.json()["code"]) == (412, "version-mismatch"), value
    assert await table.host.get() == before
    await check_everyone(app, table)


async def test_a_read_has_no_precondition(client: httpx.AsyncClient) -> None:
    table = await seated(client, "draw")
    for path in ("", "/events"):
        assert (await table.host.look(path, headers={"If-Match": '"1"'})).status_code == 200


async def _with_a_clock(service: Service) -> tuple[Table, Caller, str]:
    table = await create(service.client, "draw", seats=[HUMAN, HUMAN], clock={"seconds_per_hand": 60})
    caller = table.people[table.created["match"]["hand"]["turn"]]
    return table, caller, await tag(caller)


async def test_what_time_has_done_makes_a_version_stale(service: Service) -> None:
    for path in ("resign", "step"):
        _, caller, known = await _with_a_clock(service)
        service.put_ahead(service.matches.store.ahead + timedelta(seconds=61))
        answer = await caller.send(path, headers={"If-Match": known})
        assert (answer.status_code, answer.json()["code"]) == (412, "version-mismatch")
        answer = await caller.send(path, headers={"If-Match": await tag(caller)})
        assert (answer.status_code, answer.json()["code"]) == (409, "match-finished")
    _, caller, known = await _with_a_clock(service)
    assert (await caller.look(headers={"If-None-Match": known})).status_code == 304
    service.put_ahead(service.matches.store.ahead + timedelta(seconds=61))
    answer = await caller.look(headers={"If-None-Match": known})
    assert (answer.status_code, answer.json()["status"]) == (200, "finished")
