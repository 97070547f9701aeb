"""Headers that do not have their form, and where the conditions that they set stand in the order of judgement."""

from typing import Any

import httpx
import pytest

from tests.api.callers import CPU, HUMAN, OPEN, create
from tests.api.provoked import GARBAGE, NOBODY
from tests.api.situations import played, seated

BAD_TAGS = [
    "",
    "17",
    f'"17" {GARBAGE}',
    f'"{GARBAGE}',
    'w/"17"',
    "*, *",
    '*, "17"',
    '"1 7"',
    '"17";"18"',
    '"\xe9"',
    ", ".join(['"17.0"'] * 400),
]
BAD_KEYS = [
    "",
    f'"{GARBAGE}',
    '""',
    '"a"b"',
    '"a\\b"',
    '"a";v=1',
    GARBAGE * 26,
    "a" * 256,
    f'"{GARBAGE * 26}"',
    "\xe9",
    "a\tb",
]
BAD_SECRETS = [*BAD_KEYS, "a" * 21, '"' + "a" * 21 + '"', "a" * 256, "a" * 22 + ".", "a" * 22 + " b", "a" * 22 + "/"]
BAD_IDS = ["", GARBAGE, "-1", "+1", "1.0", "1_0", "2147483648", "9" * 11, "\xb2"]

CALLS: list[tuple[str, str, str, list[str]]] = [
    *[
        ("POST", path, "Idempotency-Key", BAD_KEYS)
        for path in ("/play", "/draw", "/pass", "/next-hand", "/step", "/resign", "/cancel")
    ],
    ("POST", "/join", "Idempotency-Key", BAD_SECRETS),
    ("POST", "", "Idempotency-Key", BAD_SECRETS),
    ("PATCH", "/seats/1", "If-Match", BAD_TAGS),
    *[("POST", path, "If-Match", BAD_TAGS) for path in ("/play", "/draw", "/pass", "/join", "/resign", "/cancel")],
    *[("GET", path, "If-None-Match", BAD_TAGS) for path in ("/match", "/board.svg")],
    ("GET", "/stream", "Last-Event-ID", BAD_IDS),
]
BODIES: dict[str, Any] = {"/play": {"tile": "6-6"}, "/seats/1": {"level": "hard"}, "": {"ruleset": "draw"}}
FORMS = [(method, path, name, value) for method, path, name, values in CALLS for value in values]


@pytest.mark.parametrize(("method", "path", "name", "value"), FORMS)
async def test_a_header_without_its_form_is_refused(
    client: httpx.AsyncClient, method: str, path: str, name: str, value: str
) -> None:
    """Before anything else about the call is judged: nobody calls a match that there is not."""
    url = "/v1/matches" + (f"/{NOBODY}{path.removeprefix('/match')}" if path else "")
    header = (name.encode(), value.encode("latin-1"))
    answer = await client.request(method, url, json=BODIES.get(path), headers=[header])
    assert (answer.status_code, answer.json()["code"]) == (400, "bad-header"), answer.text
    assert name in answer.json()["detail"]
    assert GARBAGE not in answer.text


@pytest.mark.parametrize(
    ("method", "path", "name", "value"),
    [
        ("POST", "/play", "Idempotency-Key", "one"),
        ("POST", "/join", "Idempotency-Key", "1" * 22),
        ("GET", "/stream", "Last-Event-ID", "1"),
    ],
)
async def test_a_header_that_means_one_thing_is_sent_once(
    client: httpx.AsyncClient, method: str, path: str, name: str, value: str
) -> None:
    headers = [(name, value), (name, value)]
    answer = await client.request(method, f"/v1/matches/{NOBODY}{path}", headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad-header")


async def test_a_header_that_a_call_does_not_read_may_have_any_form(client: httpx.AsyncClient) -> None:
    table = await seated(client, "draw", seats=[HUMAN, CPU])
    headers = {"Idempotency-Key": "", "If-Match": "x", "If-None-Match": "x", "Last-Event-ID": "x", "Prefer": "\tx;;"}
    for unread in headers.keys() - {"If-None-Match"}:
        assert (await table.host.look(headers={unread: headers[unread]})).status_code == 200
    for unread, value in headers.items():
        assert (await table.host.look("/events", headers={unread: value})).status_code == 200
    for unread in headers.keys() - {"If-Match"}:
        answer = await table.host.patch(1, {"level": "hard"}, headers={unread: headers[unread]})
        assert answer.status_code == 200
    assert (await client.get("/v1/matches", headers=headers)).status_code == 200


async def test_a_header_comes_before_the_query_and_the_body(client: httpx.AsyncClient) -> None:
    table = await seated(client, "draw")
    for answer in (
        await table.host.look("/stream", headers={"Last-Event-ID": GARBAGE}, after="x"),
        await table.host.look("/board.svg", headers={"If-None-Match": GARBAGE}, reach="x"),
        await table.people[0].send("play", {"tile": 1}, headers={"Idempotency-Key": ""}),
        await table.spectator.send("join", {"seat": "x"}, headers={"Idempotency-Key": "short"}),
        await client.post("/v1/matches", json={"ruleset": 1}, headers={"Idempotency-Key": "short"}),
    ):
        assert (answer.status_code, answer.json()["code"]) == (400, "bad-header")


async def test_who_may_not_call_hears_so_before_the_key_and_the_version_are_looked_at(
    client: httpx.AsyncClient,
) -> None:
    table = await create(client, "draw", seats=[HUMAN, HUMAN])
    stale = {"If-Match": '"1"', "Idempotency-Key": "key"}
    assert (await table.host.send("cancel", headers={"Idempotency-Key": "key"})).status_code == 200
    for caller, path, code in (
        (table.host, "resign", "not-your-seat"),
        (table.host, "play", "not-your-seat"),
        (table.people[0], "cancel", "host-only"),
    ):
        answer = await caller.send(path, BODIES.get(f"/{path}"), headers=stale)
        assert (answer.status_code, answer.json()["code"]) == (403, code)
    forged = await client.post(
        f"{table.host.path}/cancel", headers={**stale, "Authorization": table.host.headers["Authorization"][:-1]}
    )
    assert forged.json()["code"] == "invalid-token"


async def test_a_mismatch_comes_before_the_version_and_that_before_the_rules_of_the_game(
    client: httpx.AsyncClient,
) -> None:
    table = await seated(client, "draw")
    one = table.people[0]
    stale = {"If-Match": '"1"', "Idempotency-Key": "key"}
    assert (await one.send("play", {"tile": "6-6"}, headers={"Idempotency-Key": "key"})).is_success
    refusals = [
        await one.send("play", {"tile": "6-5"}, headers=stale),  # not the turn of this seat, by now
        await one.send("play", {"tile": "6-5"}, headers={**stale, "Idempotency-Key": "other"}),
        await one.send("play", {"tile": "6-5"}, headers={"Idempotency-Key": "other"}),
    ]
    assert [answer.json()["code"] for answer in refusals] == [
        "idempotency-mismatch",
        "version-mismatch",
        "not-your-turn",
    ]
    replay = await one.send("play", {"tile": "6-6"}, headers=stale)
    assert (replay.status_code, replay.headers["Idempotency-Replayed"]) == (200, "true")


@pytest.mark.parametrize("path", ["resign", "next-hand", "step", "join", "cancel"])
async def test_the_version_comes_before_the_state_of_the_match(client: httpx.AsyncClient, path: str) -> None:
    waiting = await create(client, "draw", seats=[HUMAN, OPEN])
    finished = await played(await seated(client, "block", target=0), "6-6 pass 6-5")
    for table in (waiting, finished):
        caller = table.spectator if path == "join" else table.host if path == "cancel" else table.people[0]
        answer = await caller.send(path, headers={"If-Match": '"0"'})
        assert (answer.status_code, answer.json()["code"]) == (412, "version-mismatch")
