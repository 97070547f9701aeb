"""What is refused before the application sees it: in which turn, with what, and how much of it is read."""

import json
from collections.abc import Iterator

import httpx
import pytest

from api.headers import DEFAULTS
from api.limits import MOST_HEADER_BYTES, MOST_HEADERS, MOST_TARGET_BYTES
from api.problems import MEDIA_TYPE
from tests.api.sockets import Connection, connected
from tests.serving import PATIENCE, Served

GET = b"GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n"
LAST = b"GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
CHUNKED = (
    b"POST /v1/matches HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\n"
)
OFFER = b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n"


@pytest.fixture
def connection(served: Served) -> Iterator[Connection]:
    with connected(served) as one:
        yield one


def refused(connection: Connection, status: int, code: str) -> None:
    """The next answer is a problem like every other, and the last one."""
    answered, headers, body = connection.answer()
    assert (answered, json.loads(body)["code"], json.loads(body)["status"]) == (status, code, status)
    assert headers["content-type"] == MEDIA_TYPE
    assert headers["connection"] == "close"
    assert "date" in headers
    assert {name.decode(): value.decode() for name, value in DEFAULTS}.items() <= headers.items()
    assert connection.is_closed()


def fits(connection: Connection) -> None:
    assert connection.answer()[0] == 200


def target(length: int) -> bytes:
    return b"GET /v1/matches?" + b"x" * (length - len("/v1/matches?")) + b" HTTP/1.1\r\nHost: a\r\n\r\n"


def test_a_target_has_a_length(served: Served) -> None:
    with connected(served) as one:
        one.send(target(MOST_TARGET_BYTES))
        assert one.answer()[0] == 422
    with connected(served) as one:
        one.send(target(MOST_TARGET_BYTES + 1))
        refused(one, 414, "uri-too-long")


def test_headers_have_a_number(served: Served) -> None:
    for number in (MOST_HEADERS, MOST_HEADERS + 1):
        with connected(served) as one:
            one.send(GET[:-2] + b"x: y\r\n" * (number - 1) + b"\r\n")
            if number == MOST_HEADERS:
                fits(one)
            else:
                refused(one, 431, "headers-too-large")


def test_headers_have_a_size(served: Served) -> None:
    for size in (MOST_HEADER_BYTES, MOST_HEADER_BYTES + 1):
        with connected(served) as one:
            one.send(GET[:-2] + b"x: " + b"y" * (size - len("Host: a\r\nx: \r\n")) + b"\r\n\r\n")
            if size == MOST_HEADER_BYTES:
                fits(one)
            else:
                refused(one, 431, "headers-too-large")


ENDLESS = {
    "target": (b"GET /", b"x", 414, "uri-too-long"),
    "name": (GET[:-2], b"x", 431, "headers-too-large"),
    "value": (GET[:-2] + b"x: ", b"y", 431, "headers-too-large"),
    "headers": (GET[:-2], b"x: y\r\n", 431, "headers-too-large"),
    "lines after the body": (CHUNKED + b"2\r\n{}\r\n0\r\n", b"x: y\r\n", 431, "headers-too-large"),
    "name after the body": (CHUNKED + b"2\r\n{}\r\n0\r\n", b"x", 431, "headers-too-large"),
    "value after the body": (CHUNKED + b"2\r\n{}\r\n0\r\nx: ", b"y", 431, "headers-too-large"),
    "lines after the body of a call that offers a change of protocol": (
        CHUNKED.replace(b"Host: a\r\n", b"Host: a\r\n" + OFFER) + b"2\r\n{}\r\n0\r\n",
        b"x: y\r\n",
        431,
        "headers-too-large",
    ),
    "extension of a chunk": (CHUNKED + b"2;", b"x", 431, "headers-too-large"),
    "nothing": (b"", b"\r\n", 400, "malformed-request"),
}


@pytest.mark.parametrize(("start", "part", "status", "code"), ENDLESS.values(), ids=ENDLESS)
def test_what_has_no_end_is_broken_off(
    connection: Connection, start: bytes, part: bytes, status: int, code: str
) -> None:
    """The parser keeps a line as long as it lasts, and hands it over at its end: nobody may fill the memory."""
    connection.send(start, *[part * (20_000 // len(part))] * 30)
    refused(connection, status, code)


def test_a_client_that_is_still_sending_gets_its_answer(connection: Connection) -> None:
    """Closing at once would reset the connection, and lose it."""
    connection.send(b"GET / HTTP/9.9\r\n\r\n", *[b"x" * 10_000] * 300)
    refused(connection, 400, "malformed-request")


def test_answers_come_in_the_order_of_the_requests(connection: Connection) -> None:
    connection.send(GET + GET + b"nonsense\r\n\r\n" + GET)
    fits(connection)
    fits(connection)
    refused(connection, 400, "malformed-request")


def test_a_request_that_waits_for_its_turn_may_turn_out_to_be_malformed(connection: Connection) -> None:
    connection.send(GET + CHUNKED + b"2\r\n{}\r\nnonsense")
    fits(connection)
    refused(connection, 400, "malformed-request")


def test_a_client_that_is_still_sending_gets_its_answer_in_its_turn(connection: Connection) -> None:
    connection.send(GET + CHUNKED + b"2\r\n{}\r\nnonsense", *[b"x" * 10_000] * 300)
    fits(connection)
    refused(connection, 400, "malformed-request")


def test_a_body_that_breaks_off_after_its_answer_gets_no_second_one(connection: Connection) -> None:
    connection.send(CHUNKED.replace(b"application/json", b"text/plain") + b"20000\r\n" + b" " * 0x20000 + b"\r\n")
    assert connection.answer()[0] == 413
    connection.send(b"nonsense\r\n")
    assert connection.is_closed()


def test_a_malformed_body_is_no_body(connection: Connection) -> None:
    connection.send(CHUNKED, b"2\r\n{}\r\n", b"nonsense")
    refused(connection, 400, "malformed-request")


def test_what_follows_a_chunked_body_is_no_header(connection: Connection) -> None:
    """Proxies judge headers before they pass a request on."""
    connection.send(
        CHUNKED.replace(b"Content-Type: application/json\r\n", b"")
        + b"2\r\n{}\r\n0\r\nContent-Type: application/json\r\n\r\n"
    )
    assert connection.answer()[0] == 415
    connection.send(LAST)
    fits(connection)


def test_a_change_of_protocol_is_not_made(connection: Connection) -> None:
    """The answer is HTTP's, and the last one: what was sent after the request may be of the other protocol."""
    connection.send(GET[:-2] + b"Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n" + GET)
    status, headers, _ = connection.answer()
    assert (status, headers["connection"]) == (200, "close")
    assert connection.is_closed()


BODY = b'{"ruleset": "draw", "seats": [{"kind": "human", "name": "Asha"}, {"kind": "cpu"}]}'
FRAMED = {
    "length": CHUNKED.replace(b"Transfer-Encoding: chunked", b"Content-Length: %d" % len(BODY)) + BODY,
    "chunks": CHUNKED + b"%x\r\n%b\r\n0\r\n\r\n" % (len(BODY), BODY),
    "lines after chunks": CHUNKED + b"%x\r\n%b\r\n0\r\nContent-Type: text/plain\r\n\r\n" % (len(BODY), BODY),
}


@pytest.mark.parametrize("size", [1, 7, 10_000])
@pytest.mark.parametrize("sent", FRAMED.values(), ids=FRAMED)
def test_a_call_that_offers_a_change_of_protocol_keeps_its_body(connection: Connection, sent: bytes, size: int) -> None:
    """Java's client and `curl --http2` offer one with every call; without its body it would be another call."""
    sent = sent.replace(b"Host: a\r\n", b"Host: a\r\n" + OFFER)
    connection.send(*[sent[start : start + size] for start in range(0, len(sent), size)])
    status, headers, body = connection.answer()
    assert (status, headers["connection"]) == (201, "close")
    assert json.loads(body)["match"]["seats"][0]["name"] == "Asha"
    assert connection.is_closed()


def test_a_malformed_body_is_no_body_of_a_call_that_offers_a_change_of_protocol(connection: Connection) -> None:
    connection.send(CHUNKED.replace(b"Host: a\r\n", b"Host: a\r\n" + OFFER), b"2\r\n{}\r\nnonsense")
    refused(connection, 400, "malformed-request")


@pytest.mark.parametrize(
    ("version", "lines"), [(b"1.0", [b"HTTP/1.1 201"]), (b"1.1", [b"HTTP/1.1 100", b"HTTP/1.1 201"])]
)
def test_who_may_not_know_a_go_ahead_gets_none(connection: Connection, version: bytes, lines: list[bytes]) -> None:
    head, _, body = FRAMED["length"].partition(b"\r\n\r\n")
    connection.send(head.replace(b"1.1", version) + b"\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n")
    connection.send(body)
    answered = connection.reader.read()
    assert [line[:12] for line in answered.split(b"\r\n") if line.startswith(b"HTTP/")] == lines


@pytest.mark.parametrize("part", [b"G", GET[:-2], CHUNKED, CHUNKED + b"2\r\n{}\r\n"])
def test_a_request_that_ends_too_soon_is_told_so(connection: Connection, part: bytes) -> None:
    connection.send(part, is_last=True)
    refused(connection, 400, "malformed-request")


def test_what_follows_a_head_is_none(connection: Connection) -> None:
    connection.send(GET.replace(b"GET", b"HEAD"))
    assert connection.answer("HEAD")[0] == 200
    connection.send(b"\0\r\n\r\n")
    refused(connection, 400, "malformed-request")


def test_a_head_is_refused_without_a_body(connection: Connection) -> None:
    connection.send(target(MOST_TARGET_BYTES + 1).replace(b"GET", b"HEAD"))
    assert b" 414 " in connection.reader.readline()
    assert connection.reader.read().endswith(b"\r\n\r\n")


@pytest.mark.parametrize("value", ["bytes=0-1", "bytes=99999999-", "bytes=2-1", "nonsense", "bytes=" + "0-1," * 999])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_a_file_is_sent_as_a_whole(served: Served, method: str, value: str) -> None:
    address = f"{served.url}/docs/swagger-ui.css"
    answer = httpx.request(method, address, headers={"Range": value}, timeout=PATIENCE)
    assert (answer.status_code, answer.headers["accept-ranges"]) == (200, "none")
    assert answer.headers["content-type"].startswith("text/css")
