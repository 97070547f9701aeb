"""How answers read in the OpenAPI document: their headers, and which refusals a call may be answered with."""

import json
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from itertools import chain
from typing import Any, Final

from api.examples import CURSOR, MATCH_ID
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

POSTING: Final[tuple[Refusal, ...]] = (
    PayloadTooLarge,
    UnsupportedMediaType,
    MalformedJson,
    BadHeader,
    InvalidRequest,
)
"""What any call with a body may be refused with, whatever it is about."""

CHANGING: Final[tuple[Refusal, ...]] = (
    *POSTING,
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


def _header(description: str, *, required: bool, example: str) -> dict[str, Any]:
    schema = {"type": "string", "maxLength": 200}
    return {"description": description, "required": required, "schema": schema, "example": example}


ETAG: Final = {
    "ETag": _header("The version of the match, and whose view of it this is.", required=True, example='"17.0"')
}
REPLAYED: Final = {
    "Idempotency-Replayed": _header(
        "`true` where the call had been carried out before with the same key.", required=False, example="true"
    )
}
LOCATION: Final = {"Location": _header("Where the match is.", required=True, example=f"/v1/matches/{MATCH_ID}")}
LINK: Final = {
    "Link": _header(
        "The next page, if there is one, with `rel=next`.",
        required=False,
        example=f'</v1/matches?cursor={CURSOR}>; rel="next"',
    )
}
APPLIED: Final = {
    "Preference-Applied": _header("How long the call was ready to wait.", required=False, example="wait=20")
}


def answer(description: str, *headers: Mapping[str, Any], status: HTTPStatus = HTTPStatus.OK) -> dict[Any, Any]:
    """What a route declares of an answer and its headers, as FastAPI's `responses`."""
    merged = {name: header for each in headers for name, header in each.items()}
    return {int(status): {"description": description, "headers": merged}}


def refusals(*kinds: Refusal) -> dict[int | str, dict[str, Any]]:
    """What a route declares it may refuse: for each status its codes, as FastAPI's `responses`."""
    by_status: dict[HTTPStatus, list[Refusal]] = {}
    for kind in kinds:
        by_status.setdefault(status_of(kind), []).append(kind)
    return {int(status): _refusal(by_status[status]) for status in sorted(by_status)}


def example(kind: Refusal) -> Problem | RuleViolation:
    """A refusal of this class, to show."""
    return _PARTICULAR.get(kind) or kind()


def _refusal(kinds: Sequence[Refusal]) -> dict[str, Any]:
    """The codes are the names of the examples. No schema closes the list: generated clients would refuse a new code."""
    headers = dict(chain.from_iterable(kind.documented_headers.items() for kind in kinds if issubclass(kind, Problem)))
    described: dict[str, Any] = {
        "description": "\n".join(f"- `{kind.code}`: {kind.title}" for kind in kinds),
        "content": {
            MEDIA_TYPE: {
                "schema": {"$ref": "#/components/schemas/ProblemDetails"},
                "examples": {kind.code: {"summary": kind.title, "value": _body(kind)} for kind in kinds},
            }
        },
    }
    if headers:
        described["headers"] = {
            name: _header(text, required=True, example=shown) for name, (text, shown) in headers.items()
        }
    return described


def _body(kind: Refusal) -> Any:
    return json.loads(bytes(render(example(kind)).body))
