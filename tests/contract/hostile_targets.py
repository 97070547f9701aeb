"""Targets and headers that are strange."""

from typing import Final

from tests.api.provoked import GARBAGE, NOBODY
from tests.contract.hostile import JSON, MATCH, SEAT, Entries, get, post, raw


def tokens() -> Entries:
    good = ("Bearer {seat}", "bearer {seat}", "BEARER   {seat}", "Bearer {host}", "  Bearer {seat}  ")
    bad = [
        "",
        "Bearer",
        "Bearer ",
        "{seat}",
        "Basic {seat}",
        "Basic YTpi",
        "Digest username=a",
        "Negotiate YTpi",
        "Bearer null",
        "Bearer {foreign}",
        "Bearer {seat}x",
        "Bearer x{seat}",
        "Bearer {seat},{seat}",
        "Bearer {seat} {host}",
        'Bearer "{seat}"',
        "Bearer\t{seat}",
        "Bearer:{seat}",
        "Bearer={seat}",
        "Bearer seat1.{seat}",
        "Bearer host.",
        "Bearer .",
        "Bearer seat0",
        f"Bearer {GARBAGE}",
        f"Bearer seat0.{GARBAGE}",
        f"Bearer host.{'A' * 43}",
        f"Bearer {'x' * 20_000}",
        "Bearer \xe9\xff",
    ]
    for value in good:
        yield get(value, MATCH, 200, f"Authorization: {value}")
    for value in bad:
        yield get(value[:40], MATCH, "invalid-token", f"Authorization: {value}")
        yield get(f"stream, {value[:40]}", f"{MATCH}/stream", "invalid-token", f"Authorization: {value}")
        yield post(f"post, {value[:40]}", f"{MATCH}/pass", b"", "invalid-token", f"Authorization: {value}")
    yield get("two", MATCH, "invalid-token", SEAT, SEAT)
    yield get("two, one empty", MATCH, "invalid-token", "Authorization: ", SEAT)
    yield get("too long", MATCH, "headers-too-large", f"Authorization: Bearer {'x' * 40_000}")
    yield get("in the query", f"{MATCH}?access_token={{seat}}", 200)
    yield get("in a cookie", MATCH, 200, "Cookie: token={seat}")
    yield get("of a proxy", MATCH, 200, "Proxy-Authorization: Bearer {seat}")
    yield post("none", f"{MATCH}/pass", b"", "token-required")
    yield post("in the body", f"{MATCH}/pass", f'{{"token": "{GARBAGE}"}}'.encode(), "invalid-request", SEAT)
    yield post("of another match", "/v1/matches/{other}/pass", b"", "invalid-token", SEAT)


def headers() -> Entries:
    start = f"GET {MATCH} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
    wrong = {
        "no host": f"GET {MATCH} HTTP/1.1\r\nX: {GARBAGE}\r\n\r\n",
        "two hosts": f"{start}Host: {GARBAGE}\r\n\r\n",
        "a host twice": f"{start}Host: a\r\nX: {GARBAGE}\r\n\r\n",
        "folded": f"{start}X: a\r\n {GARBAGE}\r\n\r\n",
        "folded by a tab": f"{start}X: a\r\n\t{GARBAGE}\r\n\r\n",
        "a space before the first": f"GET {MATCH} HTTP/1.1\r\n Host: {GARBAGE}\r\n\r\n",
        "a space before the colon": f"{start}{GARBAGE} : a\r\n\r\n",
        "no colon": f"{start}{GARBAGE}\r\n\r\n",
        "no name": f"{start}: {GARBAGE}\r\n\r\n",
        "a name that is no token": f"{start}X({GARBAGE}): a\r\n\r\n",
        "a name beyond ASCII": f"{start}X\xe9: {GARBAGE}\r\n\r\n",
        "NUL": f"{start}X: {GARBAGE}\0\r\n\r\n",
        "a control byte": f"{start}X: {GARBAGE}\x01\r\n\r\n",
        "DEL": f"{start}X: {GARBAGE}\x7f\r\n\r\n",
        "line feeds alone": f"GET {MATCH} HTTP/1.1\nHost: a\nX: {GARBAGE}\n\n",
        "carriage returns alone": f"GET {MATCH} HTTP/1.1\rHost: a\rX: {GARBAGE}\r\r\n\r\n",
        "a carriage return within": f"{start}X: {GARBAGE}\rY: a\r\n\r\n",
    }
    for name, sent in wrong.items():
        yield raw(name, sent, "malformed-request", cut_off=True)
    for host in ("a/b", "a?b", "a#b", "user@a", "a b", "a:b", "[", "a\\b", "http://a", "a,b/", "\xe9"):
        yield raw(
            f"host {host}", f"GET /v1/matches HTTP/1.1\r\nHost: {host}\r\nX: {GARBAGE}\r\n\r\n", "malformed-request"
        )
    for host in ("", "a:", "a:1", "[::1]:80", "xn--a", "a_b"):
        yield raw(
            f"host {host}", f"GET {MATCH} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nX: {GARBAGE}\r\n\r\n", 200
        )
    for line in (
        f"X: {'a' * 33_000}",
        f"{'X' * 33_000}: a",
        *["\r\n".join([f"X-{i}: a" for i in range(n)]) for n in (101, 5_000)],
    ):
        yield get(f"{len(line)} bytes of headers, {line[:4]}", MATCH, "headers-too-large", line)
    ignored = [
        "Accept: nonsense",
        "Accept: text/xml",
        "Accept-Encoding: gzip;q=x",
        "Expect: nonsense",
        "Expect: 100-continue",
        "Range: bytes=9-1",
        "If-Modified-Since: x",
        "TE: trailers",
        "X-HTTP-Method-Override: DELETE",
        "Max-Forwards: 0",
        f"Cookie: {GARBAGE}",
        f"Origin: https://{GARBAGE}",
        f"X-Forwarded-Host: {GARBAGE}",
        f"Forwarded: for={GARBAGE}",
        "X: \xe9",
        f"Via: 1.1 {GARBAGE}",
        "Keep-Alive: x",
        "Prefer: wait=x",
        f"Prefer: {GARBAGE}",
        "Idempotency-Key: ",
        "Content-Length: 0",
        "Upgrade: websocket\r\nConnection: Upgrade",
        "Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: x",
    ]
    for line in ignored:
        yield get(line, MATCH, 200, line)
    for tags in ("", "17", f'"{GARBAGE}', "*, *", '"1" "2"', '"\xe9"', "x" * 3_000):
        yield get(f"If-None-Match {tags[:9]}", MATCH, "bad-header", f"If-None-Match: {tags}")
        yield get(f"picture, {tags[:9]}", f"{MATCH}/board.svg", "bad-header", f"If-None-Match: {tags}")
        yield post(f"If-Match {tags[:9]}", f"{MATCH}/pass", b"", "bad-header", SEAT, f"If-Match: {tags}")
    for key in ("", "\xe9", '"', '""', "a\tb", "a" * 256, f'"{GARBAGE}'):
        yield post(f"key {key[:9]}", f"{MATCH}/pass", b"", "bad-header", SEAT, f"Idempotency-Key: {key}")
    yield post("two keys", f"{MATCH}/pass", b"", "bad-header", SEAT, "Idempotency-Key: a", "Idempotency-Key: a")
    yield post("a short key", f"{MATCH}/join", b"", "bad-header", "Idempotency-Key: a")
    for last in ("", "x", "-1", "+1", "1.0", "2147483648", "9" * 20, "\xb2", "1, 2"):
        yield get(f"Last-Event-ID {last}", f"{MATCH}/stream", "bad-header", f"Last-Event-ID: {last}")
    preflight = (f"Origin: https://{GARBAGE}", "Access-Control-Request-Method: POST")
    yield get("preflight", MATCH, 204, *preflight, method="OPTIONS")
    for wanted in ("bytes=9999999-", "x"):
        yield get(f"Range {wanted}", "/docs/swagger-ui.css", 200, f"Range: {wanted}")


def paths() -> Entries:
    found = [
        "/v1%2fmatches",
        "/%76%31/matches",
        "http://a/v1/matches",
        f"http://{GARBAGE}:1/v1/matches",
        "/v1/matches#x",
        "/v1/matches?",
    ]
    nothing = [
        "//v1/matches",
        "/v1//matches",
        "/v1/./matches",
        "/v1/x/../matches",
        "/v1/matches/",
        "/v1/matches%00",
        "/v1/matches%0a",
        "/v1/matches%20",
        "/v1/matches;x=1",
        "/V1/matches",
        "/v1/matches%3flimit=1",
        "/v1/matches%23",
        "/..%2f..%2fetc/passwd",
        "/%2e%2e",
        f"/{GARBAGE}",
        f"/%{'25' * 900}",
        "/%zz",
        "/%",
        "/%e9",
        "/%c0%af",
        "/v1\\matches",
        "/docs/..%2fopenapi.json",
        "/docs/%00",
        "/problems/x",
        "/docs/swagger-ui.css%00",
        f"/{'a/' * 4_000}",
        f"{MATCH}/",
        f"{MATCH}//events",
        f"{MATCH}/events/",
        f"{MATCH}%2f..%2fx",
        "/*",
    ]
    for target in found:
        yield get(target, target, 200)
    for target in nothing:
        yield get(target[:40], target, "not-found")
    ids = [
        NOBODY,
        "{{{match}}}",
        "urn:uuid:{match}",
        "%7B{match}%7D",
        "%20{match}",
        "{match}%0a",
        "{match}%00",
        "{match}x",
        "0",
        "null",
        "-1",
        "%25",
        "'",
        "%27%20OR%201=1",
        "..",
        "%2e%2e",
        "%d9%a1",
        "x" * 7_000,
        GARBAGE,
        "{match},{match}",
    ]
    for written in ids:
        yield get(f"id {written[:40]}", f"/v1/matches/{written}", "unknown-match")
    malformed = [
        f"/\xe9{GARBAGE}",
        f"/\0{GARBAGE}",
        f"/\x01{GARBAGE}",
        GARBAGE,
        f"a:80/{GARBAGE}",
        f"http://{GARBAGE}",
        f"http:///{GARBAGE}",
        f"/a b{GARBAGE}",
        f"http://a:x/{GARBAGE}",
        f"http://[/{GARBAGE}",
        f"http://a@b@c/{GARBAGE}",
    ]
    for target in malformed:
        yield get(ascii(target), target, "malformed-request")
    yield get("*", "*", "not-found", method="OPTIONS")
    for seat in ("4", "-1", "01", "1.0", "%31%00", "x", "%d9%a1"):
        start = f"PATCH {MATCH}/seats/{seat} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
        start += f"Authorization: Bearer {{host}}\r\n{JSON}\r\nX: {GARBAGE}\r\n"
        yield raw(f"seat {seat}", f'{start}Content-Length: 16\r\n\r\n{{"level":"easy"}}', "unknown-seat")
    yield get("a long target", f"/{'x' * 8_192}", "uri-too-long")
    yield get("a very long target", f"/{'x' * 500_000}", "uri-too-long")
    for name in (GARBAGE, "DRAW", "draw%00", "%64raw%0a", "..", "draw,block"):
        yield get(f"rule set {name}", f"/v1/rulesets/{name}", "unknown-ruleset")


def queries() -> Entries:
    wrong = [
        "after=-1",
        "after=+1",
        "after=%2b1",
        "after=1.0",
        "after=1e0",
        "after=",
        "after",
        "after=2147483648",
        "after=1_0",
        "after=%D9%A1",
        f"after={'9' * 5_000}",
        "after=1&after=1",
        "after=0&%61fter=0",
        "after=%zz",
        "after=%",
        "after=%00",
        "after=1%0a",
        "after=%201",
        "x=1",
        f"{GARBAGE}={GARBAGE}",
        "AFTER=1",
        "after[]=1",
        "after=1;limit=1",
        "limit=0",
        "limit=501",
        "limit=true",
        "=",
        "%00=1",
        "&".join(["x"] * 3_000),
    ]
    for query in wrong:
        yield get(query[:40], f"{MATCH}/events?{query}", "invalid-request")
        if "limit" not in query:
            yield get(f"stream, {query[:40]}", f"{MATCH}/stream?{query}", "invalid-request")
    for query in (
        "",
        "&",
        "&&",
        "after=0",
        "after=%30",
        "%61fter=0",
        "after=00",
        "after=2147483647",
        "limit=500",
        "after=0#x",
    ):
        yield get(query or "nothing", f"{MATCH}/events?{query}", 200)
    for query in (
        "status=",
        "status=PLAYING",
        f"status={GARBAGE}",
        "cursor=",
        "cursor=x",
        f"cursor={'A' * 23}",
        "cursor=%00",
        "limit=101",
    ):
        yield get(query, f"/v1/matches?{query}", "invalid-request")
    for query in (
        "reach=7",
        "reach=101",
        "reach=",
        "reach=+20",
        "reach=20.0",
        "reach=2_0",
        "reach=20&reach=20",
        "reach=%D9%A2%D9%A0",
        f"reach={'9' * 5_000}",
        f"{GARBAGE}=1",
    ):
        yield get(f"picture, {query[:40]}", f"{MATCH}/board.svg?{query}", "invalid-request")
    yield get("any cursor", f"/v1/matches?cursor={'_' * 22}", 200)
    yield get("a query that is not read", f"{MATCH}?{GARBAGE}={GARBAGE}&a=1&a=2&%zz", 200)
    yield get("a long query", f"{MATCH}/events?after={'0' * 8_200}", "uri-too-long")
    yield get("bytes beyond ASCII", f"{MATCH}/events?after=\xe9", "malformed-request")


TARGETS: Final = (tokens, headers, paths, queries)
"""By what is strange in them."""
