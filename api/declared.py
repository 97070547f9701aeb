"""How refusals read in the OpenAPI document: which of them a call may be answered with, and an example of each."""

import json
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from itertools import chain
from typing import Any, Final

from api.problems import (
    MEDIA_TYPE,
    BadHeader,
    FieldError,
    IdempotencyMismatch,
    InvalidRequest,
    InvalidToken,
    MalformedJson,
    MethodNotAllowed,
    PayloadTooLarge,
    Problem,
    Refusal,
    TokenRequired,
    Unavailable,
    UnknownMatch,
    UnsupportedMediaType,
    VersionMismatch,
    render,
    status_of,
)
from engine.errors import InvalidDeal, InvalidRules, RuleViolation

CHANGING: Final[tuple[Refusal, ...]] = (
    PayloadTooLarge,
    UnsupportedMediaType,
    MalformedJson,
    BadHeader,
    InvalidRequest,
    UnknownMatch,
    InvalidToken,
    IdempotencyMismatch,
    VersionMismatch,
    Unavailable,
)
"""What any call that changes a match may be refused with."""

ACTING: Final[tuple[Refusal, ...]] = (*CHANGING, TokenRequired)
"""The same for a call that acts for somebody."""


_PARTICULAR: Final[Mapping[Refusal, Problem | RuleViolation]] = {
    BadHeader: BadHeader('If-Match has to be a version in quotes, such as "17", an ETag of the match, or *.'),
    InvalidDeal: InvalidDeal("Each hand holds 7 tiles by these rules.", "/hands/0"),
    InvalidRequest: InvalidRequest([FieldError(pointer="#", detail="Has a field that is not part of the schema.")]),
    InvalidRules: InvalidRules("28 tiles give 2 seats 14 each at most.", "hand_size"),
    MethodNotAllowed: MethodNotAllowed(["POST", "OPTIONS"]),
}
"""Problems that say more than their class does."""


def example(kind: Refusal) -> Problem | RuleViolation:
    """A refusal of this class, to show."""
    return _PARTICULAR.get(kind) or kind()


def responses(*kinds: Refusal) -> dict[int | str, dict[str, Any]]:
    """What a route declares it may refuse: for each status its codes, as FastAPI's `responses`."""
    by_status: dict[HTTPStatus, list[Refusal]] = {}
    for kind in kinds:
        by_status.setdefault(status_of(kind), []).append(kind)
    return {int(status): _response(by_status[status]) for status in sorted(by_status)}


def _response(kinds: Sequence[Refusal]) -> dict[str, Any]:
    """The codes are the names of the examples. No schema closes the list: generated clients would refuse a new code."""
    headers = dict(chain.from_iterable(kind.documented_headers.items() for kind in kinds if issubclass(kind, Problem)))
    described: dict[str, Any] = {
        "description": "\n".join(f"- `{kind.code}`: {kind.title}" for kind in kinds),
        "content": {
            MEDIA_TYPE: {
                "schema": {"$ref": "#/components/schemas/ProblemDetails"},
                "examples": {kind.code: {"summary": kind.title, "value": _answer(kind)} for kind in kinds},
            }
        },
    }
    if headers:
        described["headers"] = {
            name: {
                "description": text,
                "required": True,
                "schema": {"type": "string", "maxLength": 200},
                "example": example,
            }
            for name, (text, example) in headers.items()
        }
    return described


def _answer(kind: Refusal) -> Any:
    return json.loads(bytes(render(example(kind)).body))
