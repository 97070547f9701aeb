"""Idempotency keys: a call that is sent again changes nothing, and is answered with what it did the first time."""

import logging
import string
from typing import Any

import httpx
import psycopg
import pytest
from fastapi import FastAPI
from psycopg.sql import SQL, Identifier

from api.database import libpq_url
from tests.api.callers import CPU, HUMAN, OPEN, SEEDED, Caller, create, play, seat_everyone
from tests.api.situations import FORKED, played, seated
from tests.api.stored import check_everyone, stored


def key(text: str) -> dict[str, str]:
    return {"Idempotency-Key": text}


async def done(caller: Caller, path: str, body: object = None, *, with_key: str) -> dict[str, Any]:
    """The answer to a call that is carried out."""
    answer = await caller.send(path, body, headers=key(with_key))
    assert answer.status_code == 200, answer.text
    assert "Idempotency-Replayed" not in answer.headers
    body_of: dict[str, Any] = answer.json()
    return body_of


async def replayed(caller: Caller, path: str, body: object = None, *, with_key: str) -> dict[str, Any]:
    """The answer to a call that has been carried out before."""
    before = await caller.get()
    answer = await caller.send(path, body, headers=key(with_key))
    assert answer.status_code == 200, answer.text
    assert answer.headers["Idempotency-Replayed"] == "true"
    assert answer.json()["match"] == before == await caller.get()
    body_of: dict[str, Any] = answer.json()
    return body_of


async def refused(caller: Caller, path: str, body: object = None, *, with_key: str) -> tuple[int, str]:
    answer = await caller.send(path, body, headers=key(with_key))
    assert not answer.is_success
    return answer.status_code, answer.json()["code"]


async def test_a_replay_answers_the_first_events_with_the_present_state(
    client: httpx.AsyncClient, app: FastAPI
) -> None:
    table = await seated(client, "draw")
    one, other = table.people[0], table.people[1]
    first = await done(one, "play", {"tile": "6-6"}, with_key="opening")
    assert (await replayed(one, "play", {"tile": "6-6"}, with_key="opening")) == first
    await other.post("draw")
    before = await stored(app, table)
    again = await replayed(one, "play", {"tile": "6-6"}, with_key="opening")
    assert again["events"] == first["events"]
    assert again["match"]["version"] > first["match"]["version"]
    assert await stored(app, table) == before
    await check_everyone(app, table)


async def test_every_call_can_be_repeated(client: httpx.AsyncClient, app: FastAPI) -> None:
    drawing = await played(await seated(client, "draw"), "6-6")
    passing = await played(await seated(client, "block"), "6-6")
    over = await played(await seated(client, "block"), "6-6 pass 6-5")
    stepping = await create(client, "draw", seats=[CPU, CPU], pacing="step")
    resigning, cancelled = await seated(client, "draw"), await seated(client, "draw")
    for table, caller, path, body in (
        (drawing, drawing.people[1], "draw", {"until_playable": True}),
        (passing, passing.people[1], "pass", None),
        (over, over.host, "next-hand", None),
        (stepping, stepping.host, "step", None),
        (resigning, resigning.people[1], "resign", None),
        (cancelled, cancelled.host, "cancel", None),
    ):
        first = await done(caller, path, body, with_key="1")
        for _ in range(3):
            again = await replayed(caller, path, body, with_key="1")
            assert again["events"] == first["events"] != []
        await check_everyone(app, table)


async def test_a_key_is_the_same_bare_and_in_quotes(client: httpx.AsyncClient) -> None:
    for bare, quoted in (("k", '"k"'), ("a b", '"a b"'), ('x"y', r'"x\"y"'), (r"x\y", r'"x\\y"'), ("k" * 255,) * 2):
        for first, second in ((bare, quoted), (quoted, bare)):
            one = (await seated(client, "draw")).people[0]
            await done(one, "play", {"tile": "6-6"}, with_key=first)
            await replayed(one, "play", {"tile": "6-6"}, with_key=second)


@pytest.mark.parametrize("form", ["{}", "x{}x", '"{}"'])
async def test_a_key_may_hold_every_printable_character(client: httpx.AsyncClient, form: str) -> None:
    printable = [character for character in string.printable if " " <= character <= "~"]
    assert len(printable) == 95
    one = (await seated(client, "draw")).people[0]
    first = None
    for character in printable:
        if form == "{}" and character in ' "':  # the first is no header at all, the second the beginning of a string
            continue
        escaped = f"\\{character}" if form == '"{}"' and character in '"\\' else character
        answer = await one.send("resign", headers=key(form.format(escaped)))
        if first is None:
            first = answer
        # each is a key of its own, and so judged on what the first has left
        assert answer.status_code == (200 if answer is first else 409), (character, answer.text)
    assert first is not None


async def test_one_body_may_be_written_in_many_ways(client: httpx.AsyncClient) -> None:
    one = (await played(await seated(client, "block", FORKED), "6-6 6-5:left")).people[0]
    first = await done(one, "play", {"tile": "6-4", "end": "right"}, with_key="1")
    headers = {**one.headers, **key("1"), "Content-Type": "application/json"}
    for body in (
        '{"end":"right","tile":"4-6"}',
        '{"type":"play","tile":"6-4","end":"right"}',
        ' { "tile" : "\\u0036-4" , "end" : "right" } ',
    ):
        answer = await client.post(f"{one.path}/play", content=body, headers=headers)
        assert (answer.status_code, answer.json()["events"]) == (200, first["events"])
    for other in ({"tile": "6-4"}, {"tile": "6-4", "end": "left"}, {"tile": "1-1"}):
        assert await refused(one, "play", other, with_key="1") == (422, "idempotency-mismatch")


async def test_a_body_that_is_left_out_is_an_empty_one(client: httpx.AsyncClient) -> None:
    table = await played(await seated(client, "draw"), "6-6")
    first = await done(table.people[1], "draw", with_key="1")
    for body in ({}, {"position": None}, {"type": "draw", "until_playable": False}):
        assert (await replayed(table.people[1], "draw", body, with_key="1"))["events"] == first["events"]
    assert await refused(table.people[1], "draw", {"until_playable": True}, with_key="1") == (
        422,
        "idempotency-mismatch",
    )


async def test_a_key_is_of_one_match_one_caller_and_one_call(client: httpx.AsyncClient, app: FastAPI) -> None:
    table, other = await seated(client, "draw"), await seated(client, "draw")
    for each in (table, other):
        await done(each.people[0], "play", {"tile": "6-6"}, with_key="same")
    await done(table.people[1], "draw", with_key="same")
    assert await refused(table.people[1], "pass", with_key="same") == (409, "must-draw")
    assert await refused(table.people[0], "draw", with_key="same") == (409, "not-your-turn")
    assert await refused(table.people[1], "play", {"tile": "6-6"}, with_key="same") == (409, "tile-not-in-hand")
    for each in (table, other):
        await replayed(each.people[0], "play", {"tile": "6-6"}, with_key="same")
        await check_everyone(app, each)


async def test_the_next_hand_is_asked_for_by_each_with_a_key_of_their_own(client: httpx.AsyncClient) -> None:
    table = await create(client, "block", seats=[HUMAN, HUMAN], deal=SEEDED)
    async for called in play(table):
        if called.answer["match"]["status"] == "hand_over":
            break
    await done(table.host, "next-hand", with_key="same")
    for caller in table.people.values():
        assert await refused(caller, "next-hand", with_key="same") == (409, "hand-not-over")
    await replayed(table.host, "next-hand", with_key="same")


async def test_a_key_is_looked_up_before_the_version(client: httpx.AsyncClient) -> None:
    one = (await seated(client, "draw")).people[0]
    headers = {**key("1"), "If-Match": f'"{(await one.get())["version"]}"'}
    first = await one.send("play", {"tile": "6-6"}, headers=headers)
    again = await one.send("play", {"tile": "6-6"}, headers=headers)
    assert (again.status_code, again.json(), again.headers["ETag"]) == (200, first.json(), first.headers["ETag"])
    assert again.headers["Idempotency-Replayed"] == "true"


async def test_a_refused_call_uses_no_key_up(client: httpx.AsyncClient, app: FastAPI) -> None:
    table = await seated(client, "draw")
    one, other = table.people[0], table.people[1]
    assert await refused(other, "draw", with_key="1") == (409, "not-your-turn")
    assert await refused(one, "play", {"tile": "6-5"}, with_key="1") == (409, "must-open")
    assert await refused(one, "play", {"tile": 1}, with_key="1") == (422, "invalid-request")
    stale = await one.send("play", {"tile": "6-6"}, headers={**key("1"), "If-Match": '"1"'})
    assert stale.status_code == 412
    await done(one, "play", {"tile": "6-6"}, with_key="1")
    await done(other, "draw", with_key="1")
    await check_everyone(app, table)


async def test_a_replay_shows_what_is_shown_by_now(client: httpx.AsyncClient) -> None:
    """What was hidden from the caller at first lies open once the hand has ended."""
    table = await create(client, "draw", seats=[CPU, CPU], pacing="step", rules={"target": 0}, deal=SEEDED)
    first: dict[str, Any] = {}
    at = ""
    while True:
        state = await table.host.get()
        if state["status"] == "finished":
            break
        drawn = await table.host.send("step", headers=key(str(state["version"])))
        kinds = [event["type"] for event in drawn.json()["events"]]
        if kinds == ["tile_drawn"]:
            assert drawn.json()["events"][0]["tile"] is None
            first, at = drawn.json(), str(state["version"])
    again = await replayed(table.host, "step", with_key=at)
    assert again["events"][0]["tile"] is not None
    assert {**again["events"][0], "tile": None} == first["events"][0]


def in_plain_text(database_url: str, text: str) -> list[str]:
    """The tables in which `text` stands, or its bytes do."""
    found = []
    with psycopg.connect(libpq_url(database_url)) as connection:
        names = connection.execute(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'"
        ).fetchall()
        assert {("matches",), ("events",), ("receipts",), ("creations",)} <= set(names)
        for (name,) in names:
            statement = SQL("SELECT count(*) FROM {} AS held WHERE held::text LIKE %s OR held::text LIKE %s")
            wanted = [f"%{text}%", f"%{text.encode().hex()}%"]
            [(count,)] = connection.execute(statement.format(Identifier(name)), wanted).fetchall()
            found += [name] * count
    return found


async def test_a_key_is_kept_nowhere_in_plain_text_and_logged_nowhere(
    client: httpx.AsyncClient, database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    secret, name = "zzcanary-of-a-secret-key", "zzname"
    body = {"ruleset": "draw", "seats": [{**HUMAN, "name": name}, OPEN]}
    table = seat_everyone(client, await client.post("/v1/matches", json=body, headers=key(secret)))
    assert (await table.spectator.send("join", headers=key(secret))).is_success
    assert (await table.people[0].send("resign", headers=key(secret))).is_success
    assert (await table.people[0].send("resign", headers=key(secret))).headers["Idempotency-Replayed"] == "true"
    assert (await client.post("/v1/matches", json={"ruleset": "block"}, headers=key(secret))).status_code == 422
    assert set(in_plain_text(database_url, name)) == {"matches"}  # so it would be found
    assert in_plain_text(database_url, secret) == []
    assert secret not in caplog.text
