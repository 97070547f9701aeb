"""What is hardly HTTP, or not at all."""

from typing import Final

from tests.api.provoked import GARBAGE
from tests.contract.hostile import CANARY, JSON, MATCH, SEAT, Entries, get, raw


def framing() -> Entries:
    """Where a request ends: two readers that differ make one client's bytes another's request."""
    start = f"POST {MATCH}/pass HTTP/1.1\r\nHost: a\r\nConnection: close\r\n{SEAT}\r\nX: {GARBAGE}\r\n"
    next_one = f"GET /{GARBAGE} HTTP/1.1\r\nHost: a\r\n\r\n"
    chunked = "Transfer-Encoding: chunked\r\n"
    heads = {
        "both lengths": f"Content-Length: 4\r\n{chunked}",
        "both lengths, the other way": f"{chunked}Content-Length: 4\r\n",
        "two lengths": "Content-Length: 0\r\nContent-Length: 5\r\n",
        "a length twice": "Content-Length: 0\r\nContent-Length: 0\r\n",
        "a list of lengths": "Content-Length: 0, 0\r\n",
        "a signed length": "Content-Length: +0\r\n",
        "a negative length": "Content-Length: -1\r\n",
        "a hexadecimal length": "Content-Length: 0x0\r\n",
        "a length in other digits": "Content-Length: \xb2\r\n",
        "a fraction": "Content-Length: 1.0\r\n",
        "no digits": "Content-Length: \r\n",
        "a length with a space within": "Content-Length: 1 0\r\n",
        "a length beyond 64 bits": f"Content-Length: {'9' * 30}\r\n",
        "gzip": "Transfer-Encoding: gzip\r\n",
        "gzip before chunked": "Transfer-Encoding: gzip, chunked\r\n",
        "chunked before gzip": "Transfer-Encoding: chunked, gzip\r\n",
        "chunked twice": "Transfer-Encoding: chunked, chunked\r\n",
        "chunked in two lines": chunked * 2,
        "chunked and identity": f"{chunked}Transfer-Encoding: identity\r\n",
        "identity": "Transfer-Encoding: identity\r\n",
        "nearly chunked": "Transfer-Encoding: xchunked\r\n",
        "chunked in quotes": 'Transfer-Encoding: "chunked"\r\n',
        "chunked after a tab": "Transfer-Encoding:\tx chunked\r\n",
        "a space before the colon": "Transfer-Encoding : chunked\r\n",
        "chunked, folded": "Transfer-Encoding:\r\n chunked\r\n",
        "nothing": "Transfer-Encoding: \r\n",
        "a parameter": "Transfer-Encoding: chunked;q=1\r\n",
    }
    for name, lines in heads.items():
        yield raw(name, f"{start}{lines}\r\n0\r\n\r\n{next_one}", "malformed-request")
    bodies = [
        "x\r\n",
        "-1\r\n",
        "0x1\r\n",
        " 1\r\n",
        "\r\n",
        "1;\0\r\n",
        "f" * 17 + "\r\n",
        "1\na\n",
        "1\r\nab\r\n",
        "2\r\n{}\n0\r\n\r\n",
        "0\r\nX\r\n\r\n",
        "0\r\nX: \0\r\n\r\n",
        "0\r\n X: a\r\n\r\n",
        "0\n\n",
        "2 \r\n{}\r\n0\r\n\r\n",
        "1_0\r\n",
    ]
    for body in bodies:
        yield raw(f"chunk {body[:20]!r}", f"{start}{chunked}\r\n{body}{next_one}", "malformed-request")
    version = start.replace("HTTP/1.1", "HTTP/1.0")
    yield raw("chunked in HTTP/1.0", f"{version}{chunked}\r\n0\r\n\r\n{next_one}", "malformed-request")
    yield raw("capitals", f"{start}TRANSFER-ENCODING: CHUNKED\r\n{JSON}\r\n\r\n2\r\n[]\r\n0\r\n\r\n", "invalid-request")
    yield raw("an extension", f"{start}{chunked}{JSON}\r\n\r\n2;a={GARBAGE}\r\n[]\r\n0\r\n\r\n", "invalid-request")
    late = f"2\r\n{{}}\r\n0\r\n{JSON}\r\nAuthorization: {GARBAGE}\r\n\r\n"
    yield raw("headers after the body", f"{start}{chunked}\r\n{late}", "unsupported-media-type")
    live = f"GET /health/live HTTP/1.1\r\nHost: a\r\nX: {GARBAGE}\r\n\r\n"
    yield raw(
        "one after another", live * 3 + live.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"), 200, 200, 200, 200
    )
    yield raw("nonsense after another", live + f"{GARBAGE}\r\n\r\n" + live, 200, "malformed-request")
    body = f"Content-Length: {len(next_one)}\r\n\r\n{next_one}"
    yield raw("a request in a body", f"GET {MATCH} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n{body}", 200)


def methods() -> Entries:
    for method in ("PUT", "DELETE", "PATCH", "POST", "TRACE", "PROPFIND", "PURGE", "M-SEARCH", "QUERY"):
        yield get(method, MATCH, "method-not-allowed", method=method)
    for method in ("get", "Get", "BREW", GARBAGE, "GET\0", "GE T", "", "GET\t", "\xe9", "X" * 9_000, "GETT"):
        yield get(ascii(method)[:20], MATCH, "malformed-request", method=method)
    yield get("CONNECT", f"{GARBAGE}:443", "malformed-request", method="CONNECT")
    yield get("CONNECT to a path", MATCH, "method-not-allowed", method="CONNECT")
    yield get("OPTIONS", MATCH, 204, method="OPTIONS")
    yield get("OPTIONS of nothing", f"/{GARBAGE}", "not-found", method="OPTIONS")


def versions() -> Entries:
    for version in (
        "HTTP/0.9",
        "HTTP/2.0",
        "HTTP/1.2",
        "HTTP/3.0",
        "HTTP/1",
        "HTTP/11",
        "HTTP/1.1.1",
        "HTTP/01.1",
        "HTTP/9.9",
    ):
        yield raw(version, f"GET {MATCH} {version}\r\nHost: a\r\nX: {GARBAGE}\r\n\r\n", "malformed-request")
    for version in (
        "http/1.1",
        "HTTPS/1.1",
        "ICE/1.0",
        "HTTP 1.1",
        "HTTP/-1.1",
        f"HTTP/{GARBAGE}",
        "SIP/2.0",
        "HTTP/1.1 x",
    ):
        yield raw(version, f"GET {MATCH} {version}\r\nHost: a\r\nX: {GARBAGE}\r\n\r\n", "malformed-request")
    yield raw("HTTP/1.0", f"GET {MATCH} HTTP/1.0\r\nX: {GARBAGE}\r\n\r\n", 200)
    yield raw("RTSP, which the parser takes too", f"GET {MATCH} RTSP/1.0\r\nX: {GARBAGE}\r\n\r\n", 200)
    yield raw("no version", f"GET {MATCH}\r\nHost: a\r\nX: {GARBAGE}\r\n\r\n", "malformed-request")
    yield raw("HTTP/2's first bytes", f"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n{GARBAGE}", "malformed-request")
    yield raw("TLS", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + CANARY, "malformed-request")
    yield raw("SSH", f"SSH-2.0-{GARBAGE}\r\n", "malformed-request")
    yield raw("SMTP", f"EHLO {GARBAGE}\r\n", "malformed-request")
    yield raw("an answer", f"HTTP/1.1 200 OK\r\nX: {GARBAGE}\r\n\r\n", "malformed-request")
    yield raw("a proxy's line", f"PROXY TCP4 1.1.1.1 1.1.1.1 1 1\r\n{GARBAGE}\r\n", "malformed-request")
    yield raw("JSON", f'{{"{GARBAGE}": 1}}\r\n', "malformed-request")
    yield raw("bytes", bytes(range(256)) + CANARY, "malformed-request")
    yield raw(
        "empty lines first",
        f"\r\n\r\nGET {MATCH} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX: {GARBAGE}\r\n\r\n",
        200,
    )


def cut_off() -> Entries:
    """A client that goes in the middle of a request, but still listens."""
    body = '{"tile": "6-6"}'
    head = f"POST {MATCH}/play HTTP/1.1\r\nX: {GARBAGE}\r\nHost: a\r\n{SEAT}\r\n{JSON}\r\n"
    head += f"Content-Length: {len(body)}\r\n\r\n"
    for end in (1, 10, 60, 140, -4, -3, -1):
        yield raw(f"head {end}", head[:end], "malformed-request", cut_off=True)
    for end in (0, 1, len(body) - 1):
        yield raw(f"body {end}", head + body[:end], "malformed-request", cut_off=True)
    chunked = head.replace(f"Content-Length: {len(body)}", "Transfer-Encoding: chunked")
    for sent in ("", "f", "f\r\n", f"f\r\n{body}", f"f\r\n{body}\r\n", f"f\r\n{body}\r\n0\r\n"):
        yield raw(f"chunk {sent!r}", chunked + sent, "malformed-request", cut_off=True)
    yield raw("nothing", b"", cut_off=True)
    yield raw("an empty line", b"\r\n", cut_off=True)


WIRE: Final = (framing, methods, versions, cut_off)
"""By what is strange in them."""
