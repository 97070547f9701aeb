"""Bodies that are strange."""

import gzip
import json
from typing import Final

from api.settings import Settings
from tests.api.provoked import GARBAGE
from tests.contract.hostile import JSON, MATCH, SEAT, Entries, get, play, post, raw


def numbers() -> Entries:
    """A draw by a seat that can play is refused for that, once its body fits."""
    fitting = ("0", "-0", "0.0", "-0.0", "0e0", "1.0", "1e0", "1E0", "1e+1", "10e-1", "9.0e1", "1e-400", "null")
    wrong = ("91", "-1", "1.5", "1e2", "1e30", "1E400", "-1E400", "9" * 4_300, '"1"', "true", "false", "[0]", "{}")
    no_json = ("01", "+1", "1.", ".5", "1e", "0x1", "1_0", "NaN", "Infinity", "-Infinity", "9" * 4_301, "--1", "1 0")
    for texts, code in ((fitting, "must-play"), (wrong, "invalid-request"), (no_json, "malformed-json")):
        for text in texts:
            yield post(
                f"{text[:20]}, {len(text)} characters", f"{MATCH}/draw", f'{{"position": {text}}}'.encode(), code, SEAT
            )
    for seat, code in (
        ("0", "no-open-seat"),
        ("3.0", "no-open-seat"),
        ("8", "no-open-seat"),
        ("9", "invalid-request"),
        ("-1", "invalid-request"),
    ):
        yield post(f"seat {seat}", f"{MATCH}/join", f'{{"seat": {seat}}}'.encode(), code)
    for number, code in (("4294967296", "invalid-request"), ("-1", "invalid-request"), ("1e10", "invalid-request")):
        body = f'{{"ruleset": "draw", "deal": {{"kind": "numbered", "number": {number}}}}}'
        yield post(f"deal {number}", "/v1/matches", body.encode(), code)


def texts() -> Entries:
    """A name at a table without an open seat: refused for that once it fits."""
    fitting = [
        "a",
        "\u202e\u05d0",
        "\ufeff",
        "\uffff",
        "\U0010ffff",
        "e\u0301" * 20,
        "\U0001f0a1" * 40,
        "\\ud83c\\udca1",
        "<script>",
        "' OR 1=1 --",
        "${jndi:ldap://a}",
        "{{7*7}}",
        "../../etc/passwd",
        "%00",
        "\\u0041",
        "\u00a0",
        " ",
    ]
    wrong = [
        "",
        "\\u0000",
        "\\n",
        "\\u001f",
        "\x7f",
        "\u0085",
        "\u2028",
        "\u2029",
        "a" * 41,
        "\U0001f0a1" * 41,
        f"{GARBAGE}\\r",
    ]
    for names, code in ((fitting, "no-open-seat"), (wrong, "invalid-request")):
        for name in names:
            yield post(
                f"{ascii(name)[:30]}, {len(name)} characters", f"{MATCH}/join", f'{{"name": "{name}"}}'.encode(), code
            )
    no_json = [
        b"\xc0\xaf",
        b"\xe0\x80\xaf",
        b"\xed\xa0\x80",
        b"\xed\xa0\xbd\xed\xb8\x80",
        b"\xf4\x90\x80\x80",
        b"\xe2\x82",
        b"\xe9",
        b"\xff\xfe",
        b"\x80",
        b"\0",
        b"\n",
        b"\t",
        b"\\x",
        b"\\u12",
        b"\\ud800",
        b"\\udc00\\ud800",
        b"\\",
        b'"',
    ]
    for written in no_json:
        yield post(repr(written), f"{MATCH}/join", b'{"name": "' + written + b'"}', "malformed-json")
    body = json.dumps({"name": GARBAGE})
    for encoding in ("utf-8-sig", "utf-16", "utf-16-le", "utf-32", "utf-7"):
        code = "no-open-seat" if encoding == "utf-7" else "malformed-json"  # the same bytes, by chance
        sent = body.encode() if encoding == "utf-7" else body.encode(encoding)
        yield post(encoding, f"{MATCH}/join", sent, code)
    tiles = (
        "6/6",
        " 6-6",
        "6-6 ",
        "6-6\\n",
        "\uff16-\uff16",
        "06-6",
        "13-0",
        "6\u20136",
        "-6-6",
        "6",
        "",
        "null",
        "6-6\\u0000",
    )
    for tile in tiles:
        yield play(f"tile {tile!a}", f'{{"tile": "{tile}"}}'.encode(), "invalid-request")


def encodings() -> Entries:
    body = b'{"tile": "6-5"}'  # another tile has to open
    for kind in (
        "application/json",
        "Application/JSON",
        "application/json;charset=utf-8",
        'application/json; charset="UTF8"',
    ):
        yield play(kind, body, "must-open", kind=f"Content-Type: {kind}")
    kinds = [
        "",
        "text/plain",
        "text/json",
        "application/jsonp",
        "application/problem+json",
        "application/x-www-form-urlencoded",
        "application/json; charset=latin-1",
        "application/json; charset=utf-16",
        "application/json; charset=utf-8; a=b",
        "*/*",
        "application/json, application/json",
        "application/json;",
        "application / json",
        "multipart/form-data; boundary=x",
        "\xe9",
        GARBAGE,
        "application/json; charset*=utf-8''x",
        f"application/json; {'a' * 9_000}=x",
        "application/json\tx",
        "json",
    ]
    for kind in kinds:
        yield play(f"type {kind[:40]}", body, "unsupported-media-type", kind=f"Content-Type: {kind}")
    yield play("no type", body, "unsupported-media-type", kind=None)
    yield play("two types", body, "unsupported-media-type", "Content-Type: text/plain")
    compressed = gzip.compress(body, mtime=0)  # the same bytes each time
    for coding in ("gzip", "deflate", "br", "zstd", "compress", "gzip, identity", GARBAGE):
        yield play(f"coding {coding}", compressed, "unsupported-media-type", f"Content-Encoding: {coding}")
    yield play("identity", body, "must-open", "Content-Encoding: identity")
    yield play("two codings", body, "unsupported-media-type", "Content-Encoding: identity", "Content-Encoding: gzip")
    yield play("compressed without a word of it", compressed, "malformed-json")


def nesting() -> Entries:
    for opening, closing in (("[", "]"), ('{"a":', "}"), ('[{"a":', "}]")):
        for depth in (31, 33, 200, 202, 1_000, 10_000):
            levels = (depth + 1) // 2 if len(opening) > 5 else depth
            deep = opening * levels + "1" + closing * levels
            yield play(f"{opening} {depth}", deep.encode(), "invalid-request" if depth < 33 else "malformed-json")
            yield play(f"{opening} {depth}, without an end", (opening * levels).encode(), "malformed-json")
    members = ",".join(f'"a{number}":1' for number in range(5_000))
    yield play("many members", f"{{{members}}}".encode(), "invalid-request")
    yield play("many items", ("[" + "1," * 30_000 + "1]").encode(), "invalid-request")
    for content in (
        '{"tile":"6-6","tile":"6-6"}',
        '{"tile":"6-5","t\\u0069le":"6-6"}',
        f'{{"{GARBAGE}":1,"{GARBAGE}":2}}',
        '{"tile":"6-6"',
        '{"tile":"6-6"}}',
        "{,}",
        "{'tile':'6-6'}",
        "{tile:1}",
        '{"tile" "6-6"}',
        "/**/{}",
        "undefined",
        " ",
    ):
        yield play(content, content.encode(), "malformed-json")
    for content in (
        "null",
        "[]",
        '""',
        "0",
        "true",
        '{"":1}',
        '{"__proto__":{}}',
        f'{{"tile":"6-6","{GARBAGE}":1}}',
        '[{"tile":"6-6"}]',
    ):
        yield play(content, content.encode(), "invalid-request")


def sizes() -> Entries:
    limit = Settings.model_fields["max_body_bytes"].default
    body = b'{"tile": "6-5"}'
    yield play("the largest body", body.ljust(limit), "must-open")
    yield play("a larger one", body.ljust(limit + 1), "payload-too-large")
    yield play("of a name", f'{{"{GARBAGE * 7_000}":1}}'.encode(), "payload-too-large")
    start = f"POST {MATCH}/play HTTP/1.1\r\nHost: a\r\nConnection: close\r\n{SEAT}\r\n{JSON}\r\nX: {GARBAGE}\r\n"
    yield raw("declared alone", f"{start}Content-Length: {10**12}\r\n\r\n", "payload-too-large")
    yield raw(
        "declared and waited for",
        f"{start}Expect: 100-continue\r\nContent-Length: {10**6}\r\n\r\n",
        "payload-too-large",
    )
    chunk = f"{0x4000:x}\r\n{' ' * 0x4000}\r\n"
    yield raw("in chunks", f"{start}Transfer-Encoding: chunked\r\n\r\n{chunk * 5}0\r\n\r\n", "payload-too-large")
    small = "1\r\n \r\n" * 15 + "2\r\n{}\r\n0\r\n\r\n"
    yield raw("in small chunks", f"{start}Transfer-Encoding: chunked\r\n\r\n{small}", "invalid-request")
    yield post("where there is nothing", f"/{GARBAGE}", b" " * (limit + 1), "not-found")
    yield post("where nothing is posted", MATCH, b" " * (limit + 1), "method-not-allowed")
    yield get("a body of a GET", MATCH, 200, "Content-Length: 10\r\n\r\n" + GARBAGE[:6])


BODIES: Final = (numbers, texts, encodings, nesting, sizes)
"""By what is strange in them."""
