"""What a call may ask for in its headers: to be carried out once, only at a version, or not before there is news."""

import re
from collections.abc import Mapping
from typing import Any, Final

from starlette.datastructures import Headers

from api.limits import MOST_HEADER_BYTES
from api.problems import BadHeader
from engine.match import Match
from engine.view import Viewer

LONGEST_KEY: Final = 255
SHORTEST_SECRET_KEY: Final = 22
LONGEST_TAGS: Final = 2_000
LARGEST_SEQ: Final = 2_147_483_647
MOST_WAIT: Final = 30
"""Seconds; a call that asks for more waits as long as this."""

_TAG: Final = '(W/)?"[!#-~]*"'
_TAGS: Final = rf"^(\*|{_TAG}([ \t]*,[ \t]*{_TAG})*)$"
_HARD_TO_GUESS: Final = f"[A-Za-z0-9_-]{{{SHORTEST_SECRET_KEY},{LONGEST_KEY}}}"
_PLAIN_KEY: Final = f"[!#-~]([ -~]{{0,{LONGEST_KEY - 2}}}[!-~])?"
_QUOTED_KEY: Final = rf'"([ !#-\[\]-~]|\\["\\]){{1,{LONGEST_KEY}}}"'

_is_tags: Final = re.compile(_TAGS).fullmatch
_VERSION: Final = re.compile(r'"([0-9]{1,10})(?:\.[a-z0-9]+)?"')
_is_plain: Final = re.compile(_PLAIN_KEY).fullmatch
_is_quoted: Final = re.compile(_QUOTED_KEY).fullmatch
_is_secret: Final = re.compile(_HARD_TO_GUESS).fullmatch
_wait: Final = re.compile(r'(?:^|,)[ \t]*wait[ \t]*=[ \t]*"?([0-9]{1,100})"?[ \t]*(?=$|[,;])', re.IGNORECASE).search
_is_digits: Final = re.compile(r"[0-9]{1,10}").fullmatch


def idempotency_key(headers: Headers, *, is_secret: bool = False) -> str | None:
    """The `Idempotency-Key`, bare or in quotes; a secret one is worth the tokens that its replay returns."""
    key = _only(headers, "idempotency-key")
    if key is None:
        return None
    if _is_quoted(key):
        key = re.sub(r"\\(.)", r"\1", key[1:-1])
    elif not _is_plain(key):
        raise BadHeader(
            f"Idempotency-Key has to be 1 to {LONGEST_KEY} printable ASCII characters, bare or between double quotes."
        )
    if is_secret and not _is_secret(key):
        raise BadHeader(
            f"Idempotency-Key has to have {SHORTEST_SECRET_KEY} to {LONGEST_KEY} letters, digits, - and _ here, and to "
            "be hard to guess: whoever has it gets the tokens."
        )
    return key


def expected_versions(headers: Headers) -> frozenset[int] | None:
    """The versions that `If-Match` allows; null where it allows any."""
    text = _list(headers, "if-match")
    if text in {None, "*"}:
        return None
    if not _is_tags(text) or len(text) > LONGEST_TAGS:
        raise BadHeader('If-Match has to be a version in quotes, such as "17", an ETag of the match, or *.')
    return frozenset(map(int, _VERSION.findall(text)))


class KnownTags:
    """The `ETag`s in `If-None-Match`: those of representations that the caller has."""

    def __init__(self, headers: Headers) -> None:
        text = _list(headers, "if-none-match")
        if text is not None and (not _is_tags(text) or len(text) > LONGEST_TAGS):
            raise BadHeader('If-None-Match has to be an ETag of the match, such as "17.0", or *.')
        self._is_any = text == "*"
        self._tags = re.findall(r'"[^"]*"', text or "")

    def __contains__(self, tag: str) -> bool:
        return self._is_any or tag in self._tags


def wait_seconds(headers: Headers) -> int | None:
    """How long `Prefer: wait` asks for news to be waited for, at most `MOST_WAIT`; null where it does not ask."""
    asked = _wait(",".join(headers.getlist("prefer")))
    return None if asked is None else min(int(asked[1]), MOST_WAIT)


def last_event_id(headers: Headers) -> int | None:
    """The number of the last event that a reader of the stream has."""
    text = _only(headers, "last-event-id")
    if text is None:
        return None
    if not _is_digits(text) or int(text) > LARGEST_SEQ:
        raise BadHeader("Last-Event-ID has to be the id of an event of this stream.")
    return int(text)


def entity_tag(match: Match, viewer: Viewer) -> str:
    """The `ETag` of what `viewer` sees of `match`: the version, and whose view it is."""
    return f'"{match.version}.{viewer.role if viewer.seat is None else viewer.seat}"'


def _only(headers: Headers, name: str) -> str | None:
    values = headers.getlist(name)
    if len(values) > 1:
        raise BadHeader(f"{name.title().replace('Id', 'ID')} may be sent once.")
    return values[0] if values else None


def _list(headers: Headers, name: str) -> Any:
    values = headers.getlist(name)
    return ",".join(values).strip(" \t") if values else None


def _parameter(name: str, description: str, schema: Mapping[str, Any], example: str | int) -> dict[str, Any]:
    return {
        "name": name,
        "in": "header",
        "required": False,
        "description": description,
        "schema": schema if "type" in schema else {"type": "string", **schema},
        "example": example,
    }


IDEMPOTENCY_KEY: Final = _parameter(
    "Idempotency-Key",
    "Any text that is new for each call, such as a UUID. The same call with the same key again changes nothing: it is "
    "answered with the first one's events, and with the match as it is by then. Each call of each caller has its own "
    "keys, a refused call uses none up, and they are good as long as the match is.",
    {"minLength": 1, "maxLength": 2 * LONGEST_KEY + 2, "pattern": f"^({_PLAIN_KEY}|{_QUOTED_KEY})$"},
    "move-17",
)
SECRET_KEY: Final = _parameter(
    "Idempotency-Key",
    "A random text that is new for each call, such as a UUID: 22 characters at least. The same call with the same key "
    "again changes nothing, and is answered with the same tokens: keep it secret. It is good for a day.",
    {
        "minLength": SHORTEST_SECRET_KEY,
        "maxLength": LONGEST_KEY + 2,
        "pattern": f'^({_HARD_TO_GUESS}|"{_HARD_TO_GUESS}")$',
    },
    "3f0dba6c-8d58-4a3c-a52d-0f41f3a5e3c9",
)
IF_MATCH: Final = _parameter(
    "If-Match",
    "The version, or an ETag, that the match has to have for the call to be judged at all.",
    {"maxLength": LONGEST_TAGS, "pattern": _TAGS},
    '"17"',
)
IF_NONE_MATCH: Final = _parameter(
    "If-None-Match",
    "The `ETag` that came with the state that the caller has, as it came: 304 if that is the state still.",
    {"maxLength": LONGEST_TAGS, "pattern": _TAGS},
    '"17.0"',
)
PREFER_WAIT: Final = _parameter(
    "Prefer",
    f"`wait=20` waits up to so many seconds, {MOST_WAIT} at most, for news if there is none. For a match it needs "
    "`If-None-Match` beside it, which says what is known.",
    {"maxLength": MOST_HEADER_BYTES},
    "wait=20",
)
LAST_EVENT_ID: Final = _parameter(
    "Last-Event-ID",
    "The id of the last event that the reader has; wins over `after`. A browser's `EventSource` sends it by itself.",
    {"type": "integer", "minimum": 0, "maximum": LARGEST_SEQ},
    17,
)


def parameters(*headers: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """What a route adds to its entry in the OpenAPI document for the headers that it reads."""
    return {"parameters": list(headers)}
