"""Whatever is sent, the service neither fails nor says any of it again, in an answer or in its own log."""

import logging
from collections.abc import Sequence
from typing import Any

import httpx
import pytest

from api.limits import MOST_NESTING, MOST_VALUES
from api.problems import MOST_FIELD_ERRORS
from tests.api.callers import CPU, HUMAN, Table, create
from tests.api.provoked import GARBAGE, NOBODY
from tests.api.situations import seated
from tests.api.sockets import connected
from tests.serving import PATIENCE, Serve

BODIES: list[tuple[str, bytes, set[str]]] = [
    ("NaN", b'{"tile": NaN}', {"malformed-json"}),
    ("infinity", b'{"tile": -Infinity}', {"malformed-json"}),
    ("a number beyond all floats", b'{"tile": 1e999}', {"invalid-request"}),
    ("an integer of thousands of digits", b'{"tile": ' + b"9" * 5_000 + b"}", {"malformed-json"}),
    ("a lone surrogate", b'{"tile": "\\ud800"}', {"malformed-json"}),
    ("a lone surrogate as a name", b'{"\\udfff": 1}', {"malformed-json"}),
    ("NUL", b'{"tile": "6-\\u00006"}', {"invalid-request"}),
    ("NUL as a name", b'{"\\u0000": 1}', {"invalid-request"}),
    ("NUL outside of text", b'{"tile": \0}', {"malformed-json"}),
    ("bytes that are not UTF-8", b'{"tile": "\xff\xfe"}', {"malformed-json"}),
    ("a byte order mark", b"\xef\xbb\xbf{}", {"malformed-json"}),
    ("deep lists", b"[" * 30_000, {"malformed-json"}),
    ("deep lists that end", b"[" * 20_000 + b"]" * 20_000, {"malformed-json"}),
    ("deep objects", b'{"tile":' * 8_000, {"malformed-json"}),
    ("a comment", b'{"tile": "6-6" /* it opens */}', {"malformed-json"}),
    ("a comma too many", b'{"tile": "6-6",}', {"malformed-json"}),
    ("two values", b'{"tile": "6-6"} {}', {"malformed-json"}),
    ("a list for an object", b'["6-6"]', {"invalid-request"}),
    ("text for an object", f'"{GARBAGE}"'.encode(), {"invalid-request"}),
    ("null for an object", b"null", {"invalid-request"}),
    ("a list for text", b'{"tile": ["6-6"]}', {"invalid-request"}),
    ("a number for text", b'{"tile": 66}', {"invalid-request"}),
    ("another separator", b'{"tile": "6/6"}', {"invalid-request"}),
    ("spaces around a tile", b'{"tile": " 6-6"}', {"invalid-request"}),
    ("a line after a tile", b'{"tile": "6-6\\n"}', {"invalid-request"}),
    ("foreign digits", '{"tile": "\uff16-\uff16"}'.encode(), {"invalid-request"}),
    ("a leading zero", b'{"tile": "06-6"}', {"invalid-request"}),
    ("a number beyond every set", b'{"tile": "13-0"}', {"invalid-request"}),
    ("an unknown name", f'{{"tile": "6-6", "{GARBAGE}": "{GARBAGE}"}}'.encode(), {"invalid-request"}),
    ("a name with a JSON Pointer in it", f'{{"tile": "6-6", "~1{GARBAGE}/": 1}}'.encode(), {"invalid-request"}),
    ("an unknown end", f'{{"tile": "6-6", "end": "{GARBAGE}"}}'.encode(), {"invalid-request"}),
    ("another type", f'{{"tile": "6-6", "type": "{GARBAGE}"}}'.encode(), {"invalid-request"}),
    ("the type of another call", b'{"tile": "6-6", "type": "draw"}', {"invalid-request"}),
]


@pytest.mark.parametrize(("content", "codes"), [pytest.param(*body[1:], id=body[0]) for body in BODIES])
async def test_a_strange_body_is_refused(client: httpx.AsyncClient, content: bytes, codes: set[str]) -> None:
    table = await seated(client, "draw")
    caller = table.people[0]
    for path, token in (("play", caller.headers), ("pass", caller.headers), ("step", caller.headers)):
        headers = {**token, "Content-Type": "application/json"}
        answer = await client.post(f"{caller.path}/{path}", content=content, headers=headers)
        assert answer.json()["code"] in codes, answer.text
        assert answer.status_code in {400, 422}
        assert GARBAGE not in answer.text + str(answer.headers)
    answer = await client.post("/v1/matches", content=content, headers={"Content-Type": "application/json"})
    assert answer.json()["code"] in codes


@pytest.mark.parametrize(
    ("written", "taken"),
    [
        ("2", True),
        ("2.0", True),
        ("2e0", True),
        ("20e-1", True),
        ("0.2e1", True),
        ('"2"', False),
        ("2.5", False),
        ("true", False),
        ("[2]", False),
        ("-1", False),
        ("1e30", False),
        ("1e999", False),
        ("9223372036854775808", False),
        ("1" * 400, False),
        ("91", False),
    ],
)
async def test_a_whole_number_is_what_json_schema_calls_an_integer(
    client: httpx.AsyncClient, written: str, taken: bool
) -> None:
    table = await seated(client, "draw", ("1-1 1-0", "6-6 6-5"))
    await table.people[1].post("play", {"tile": "6-6"})
    headers = {**table.people[0].headers, "Content-Type": "application/json"}
    path = f"{table.host.path}/draw"
    answer = await client.post(path, content=f'{{"position": {written}}}', headers=headers)
    if taken:
        assert answer.json()["events"][0]["position"] == 2
    else:
        assert (answer.status_code, answer.json()["code"]) == (422, "invalid-request")
        assert [error["pointer"] for error in answer.json()["errors"]] == ["#/position"]


@pytest.mark.parametrize(
    "content",
    [
        f'{{"tile": "{GARBAGE}", "tile": "6-6"}}',
        '{"tile": "6-6", "tile": "6-6"}',
        '{"tile": "6-6", "t\\u0069le": "6-6"}',
        f'{{"tile": "6-6", "{GARBAGE}:": 1, "{GARBAGE}:": 2}}',
        '{"tile": {"a": [{"b": 1}, {"b": 1, "b": 2}]}}',
    ],
)
async def test_of_two_members_of_one_name_none_counts(client: httpx.AsyncClient, content: str) -> None:
    """Readers differ in which they take; a proxy would judge another body than the one that has its effect."""
    table = await seated(client, "draw")
    headers = {**table.people[0].headers, "Content-Type": "application/json"}
    answer = await client.post(f"{table.host.path}/play", content=content, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed-json")
    assert "two members of one name" in answer.json()["detail"]
    assert GARBAGE not in answer.text


async def test_a_colon_in_a_text_is_no_member(client: httpx.AsyncClient) -> None:
    seats = [{"kind": "human", "name": 'a: "b": {"c": 1, "c": 2}'}, CPU]
    answer = await client.post("/v1/matches", json={"ruleset": "draw", "seats": seats})
    assert answer.json()["match"]["seats"][0]["name"] == seats[0]["name"]


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}")])
async def test_a_body_may_be_nested_deeper_than_any_legal_one_and_no_further(
    client: httpx.AsyncClient, opening: str, closing: str
) -> None:
    headers = {"Content-Type": "application/json"}
    for depth in (MOST_NESTING, MOST_NESTING + 1, 10_000):
        content = opening * depth + "1" + closing * depth
        answer = await client.post("/v1/matches", content=content, headers=headers)
        assert answer.json()["code"] == ("invalid-request" if depth == MOST_NESTING else "malformed-json")
        assert ("nested 32 deep" in answer.json()["detail"]) == (depth > MOST_NESTING)


OVERFULL = {
    "hands": ('{"ruleset": "draw", "deal": {"kind": "fixed", "hands": [', "[],", "[]]}}"),
    "seats": ('{"ruleset": "draw", "seats": [', "{},", "{}]}"),
    "removed tiles": ('{"ruleset": "draw", "rules": {"removed_tiles": [', "0,", "0]}}"),
    "lists within each other": ("[" * 31, "[],", "[]" + "]" * 31),
}


@pytest.mark.parametrize(("start", "value", "end"), OVERFULL.values(), ids=OVERFULL)
async def test_a_body_of_more_values_than_any_legal_one_is_not_judged(
    client: httpx.AsyncClient, start: str, value: str, end: str
) -> None:
    """Each of tens of thousands of values would be an error; to compare all of these took the service minutes."""
    content = start + value * (60_000 // len(value)) + end
    answer = await client.post("/v1/matches", content=content, headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid-request")
    assert answer.json()["errors"] == [{"pointer": "#", "detail": "Holds more values than any legal body."}]


async def test_a_body_has_a_number_of_values(client: httpx.AsyncClient) -> None:
    for number in (MOST_VALUES, MOST_VALUES + 1):
        members = {f"a{member}": 1 for member in range(number)}
        errors = (await client.post("/v1/matches", json=members)).json()["errors"]
        assert len(errors) == (MOST_FIELD_ERRORS if number == MOST_VALUES else 1)


async def test_who_calls_is_asked_before_a_body_is_found_overfull(client: httpx.AsyncClient) -> None:
    table = await seated(client, "draw")
    answer = await table.spectator.send("play", {f"a{member}": 1 for member in range(MOST_VALUES + 1)})
    assert answer.json()["code"] == "token-required"


@pytest.mark.parametrize("written", ["1", "0", '"true"', "null", "[]", "1.0"])
async def test_a_boolean_is_true_or_false(client: httpx.AsyncClient, written: str) -> None:
    table = await seated(client, "draw")
    headers = {**table.people[0].headers, "Content-Type": "application/json"}
    content = f'{{"until_playable": {written}}}'
    answer = await client.post(f"{table.host.path}/draw", content=content, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid-request")


HEADERS = (
    *("Accept", "Accept-Encoding", "Accept-Language", "Authorization", "Content-Encoding", "Content-Type", "Cookie"),
    *("Expect", "Host", "Idempotency-Key", "If-Match", "If-None-Match", "Last-Event-ID", "Origin", "Prefer", "Range"),
    *("Referer", "User-Agent", "X-Forwarded-For", "X-Forwarded-Host", "X-HTTP-Method-Override", "X-Request-ID"),
)


def calls(table: Table) -> list[tuple[str, str, Any, dict[str, str]]]:
    """Calls that hold `GARBAGE` in every place where a client can put it."""
    seat, host = table.people[0].headers, table.host.headers
    path = table.host.path
    bodies: Sequence[Any] = [
        {GARBAGE: 1},
        {GARBAGE: {GARBAGE: GARBAGE}},
        [GARBAGE],
        GARBAGE,
        {"tile": GARBAGE},
        {"tile": "6-6", "end": GARBAGE},
        {"tile": [GARBAGE], "type": GARBAGE},
        {"position": GARBAGE, "until_playable": GARBAGE},
        {"level": GARBAGE},
        {"level": "hard", GARBAGE: GARBAGE},
        {"ruleset": GARBAGE},
        {"ruleset": "draw", "rules": {GARBAGE: GARBAGE, "target": GARBAGE, "removed_tiles": [GARBAGE]}},
        {"ruleset": "draw", "seats": [{"kind": GARBAGE}, {"kind": "human", "name": GARBAGE, GARBAGE: GARBAGE}]},
        {"ruleset": "draw", "deal": {"kind": "fixed", "hands": [[GARBAGE], [GARBAGE]], "boneyard": GARBAGE}},
        {"ruleset": "draw", "deal": {"kind": "seeded", "seed": GARBAGE}, "pacing": GARBAGE},
    ]
    targets = [
        ("POST", "/v1/matches"),
        ("PATCH", f"{path}/seats/1"),
        *[("POST", f"{path}/{name}") for name in ("play", "draw", "pass", "next-hand", "step")],
    ]
    sent: list[tuple[str, str, Any, dict[str, str]]] = [
        (method, target, body, seat) for method, target in targets for body in bodies
    ]
    sent += [
        (method, target, None, headers)
        for method in ("GET", "POST", "PATCH", GARBAGE.upper(), GARBAGE)
        for target in (
            f"/{GARBAGE}",
            f"/v1/{GARBAGE}",
            f"/v1/matches/{GARBAGE}",
            f"/v1/matches/{GARBAGE}/play",
            f"/v1/matches/{NOBODY}/events?{GARBAGE}={GARBAGE}",
            f"{path}/{GARBAGE}",
            f"{path}/seats/{GARBAGE}",
            f"{path}/seats/%00{GARBAGE}",
            f"{path}/events?after={GARBAGE}&limit={GARBAGE}&{GARBAGE}",
            f"/v1/rulesets/{GARBAGE}",
            f"/problems/{GARBAGE}",
            f"/docs/{GARBAGE}",
        )
        for headers in (host, {"Authorization": f"Bearer host.{GARBAGE}"})
    ]
    for name in HEADERS:
        for method, target, body in (("GET", path, None), ("POST", f"{path}/play", {"tile": "4-4"})):
            sent.append((method, target, body, {**seat, name: GARBAGE}))
    sent.append(("GET", path, None, {**seat, f"X-{GARBAGE}": GARBAGE}))
    return sent


async def send_all(client: httpx.AsyncClient, table: Table) -> None:
    for method, target, body, headers in calls(table):
        answer = await client.request(method, target, json=body, headers=headers)
        assert answer.status_code < 500, (method, target, body)
        assert GARBAGE not in (answer.text + str(answer.headers)).lower(), (method, target, body)


async def test_nothing_that_was_sent_is_said_again(client: httpx.AsyncClient, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    table = await create(client, "draw", seats=[HUMAN, CPU])
    await send_all(client, table)
    own = [record for record in caplog.records if not record.name.startswith("http")]  # these two are the client's
    assert [record for record in own if GARBAGE in str(record.__dict__).lower()] == []


async def test_nothing_that_was_sent_is_in_the_output_of_the_service(
    serve: Serve, database_url: str, capfd: pytest.CaptureFixture[str]
) -> None:
    served = serve(CAPICUA_DATABASE_URL=database_url)
    async with httpx.AsyncClient(base_url=served.url, timeout=PATIENCE) as client:
        table = await create(client, "draw", seats=[HUMAN, CPU])
        await send_all(client, table)
        token = table.people[0].headers["Authorization"].removeprefix("Bearer ")
    for request in (
        f"{GARBAGE}\r\n\r\n",
        f"GET /{GARBAGE} {GARBAGE}\r\n\r\n",
        f"GET / HTTP/1.1\r\n{GARBAGE}\r\n\r\n",
        f"POST /v1/matches HTTP/1.1\r\nHost: a\r\nContent-Length: {GARBAGE}\r\n\r\n",
        f"POST /v1/matches HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n{GARBAGE}\r\n",
        f"GET /{GARBAGE} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: {GARBAGE}\r\n\r\n",
    ):
        with connected(served) as connection:
            connection.send(request.encode(), is_last=True)
            assert GARBAGE.encode() not in connection.reader.read().lower()
    served.stop()
    assert served.process.stdout is not None
    output = served.process.stdout.read() + capfd.readouterr().err
    assert "Invalid HTTP request" in output  # it is this service's output
    assert GARBAGE not in output.lower()
    assert token not in output
