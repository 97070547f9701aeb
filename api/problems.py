"""Errors as `application/problem+json` (RFC 9457): every refusal, and the answer to it.

`code` is what a client branches on. `type` is `/problems/{code}`, which this service answers with a page for people
(`routes/pages.py`), so that it resolves wherever the service is installed.

A broken rule of the game is an error of the engine (`engine.errors`) and only gets its status here: 409, or 422 for
what is wrong with a match at its creation. Nothing that a client sent is echoed: every text comes from the code.
"""

from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Annotated, ClassVar

from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from api.fields import never_null
from engine.errors import InvalidDeal, InvalidRules, RuleViolation

MEDIA_TYPE = "application/problem+json"
MOST_FIELD_ERRORS = 50


class FieldError(BaseModel):
    """One thing that is wrong with what was sent."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    pointer: str = Field(max_length=200, examples=["#/seats/0/level"])
    """A JSON Pointer (RFC 6901) as a URI fragment, into the body or, for a call without one, into the query parameters;
    an unknown field is reported at the object that holds it."""

    detail: str = Field(max_length=500)
    """What is wrong there, and what would not be."""


class ProblemDetails(BaseModel):
    """Why a call was refused, as RFC 9457 has it."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    type: str = Field(max_length=100, json_schema_extra={"format": "uri-reference"})
    """Where this kind of problem is explained; the same for every problem with this code."""

    title: str = Field(max_length=100)
    """What kind of problem it is, for people; the same for every problem with this code."""
    status: int = Field(ge=400, le=599)
    """The status of the answer."""
    detail: str = Field(max_length=500)
    """What to do about this occurrence, for people."""

    code: str = Field(max_length=50, pattern="^[a-z]+(-[a-z]+)*$")
    """What went wrong, for programs; stable."""

    errors: Annotated[list[FieldError], Field(max_length=MOST_FIELD_ERRORS)] | None = Field(
        default=None, json_schema_extra=never_null
    )
    """The places at fault, where they are known."""


class Problem(Exception):  # noqa: N818 - the word of RFC 9457
    """A refusal that is not a rule of the game. A subclass is one `code`; its docstring is its page's explanation."""

    status: ClassVar[HTTPStatus]
    code: ClassVar[str]
    title: ClassVar[str]
    detail: ClassVar[str]
    documented_headers: ClassVar[Mapping[str, tuple[str, str]]] = {}
    """The headers that every answer of this class has, each with a description and an example."""

    def __init__(
        self, detail: str = "", *, headers: Mapping[str, str] | None = None, errors: Sequence[FieldError] = ()
    ) -> None:
        super().__init__(detail or self.detail)
        self.headers = dict(headers or {})
        self.errors = list(errors)


class MalformedRequest(Problem):
    """The request is not HTTP/1.1 as RFC 9112 has it, so that nothing else of it is looked at."""

    status = HTTPStatus.BAD_REQUEST
    code = "malformed-request"
    title = "Malformed request"
    detail = "This is no HTTP request that can be read."


class UriTooLong(Problem):
    """Path and query are longer than those of any call."""

    status = HTTPStatus.REQUEST_URI_TOO_LONG
    code = "uri-too-long"
    title = "URI too long"
    detail = "No call needs a path and query of this length."


class HeadersTooLarge(Problem):
    """The headers are more, or longer, than those of any call; lines after a chunked body count."""

    status = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
    code = "headers-too-large"
    title = "Headers too large"
    detail = "No call needs so many headers, or such long ones."


class MethodNotAllowed(Problem):
    """The path exists and does not answer the method of the call. Every move is a `POST`, and every look a `GET`."""

    status = HTTPStatus.METHOD_NOT_ALLOWED
    code = "method-not-allowed"
    title = "Method not allowed"
    detail = "Use one of the methods that the Allow header names."
    documented_headers: ClassVar = {"Allow": ("The methods that this path answers.", "GET, HEAD, OPTIONS")}

    def __init__(self, allow: Sequence[str]) -> None:
        super().__init__(headers={"Allow": ", ".join(allow)})


class PayloadTooLarge(Problem):
    """The body is larger than any legal request, so that it was not read to its end. The connection may be closed
    before all of it is sent.
    """

    status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    code = "payload-too-large"
    title = "Payload too large"
    detail = "Send a smaller body: no legal request comes near this size."


class UnsupportedMediaType(Problem):
    """The call has a body that is not declared as JSON, or that is in another encoding than UTF-8, or compressed.

    Many programs declare something else unless they are told: curl's `--data` needs `--header "Content-Type:
    application/json"`. A call without a body needs no type.
    """

    status = HTTPStatus.UNSUPPORTED_MEDIA_TYPE
    code = "unsupported-media-type"
    title = "Unsupported media type"
    detail = "Send the body as JSON in UTF-8, not compressed, with Content-Type: application/json."


class MalformedJson(Problem):
    """The body cannot be read as JSON (RFC 7493). `detail` says at which line and column reading ended, where that is
    known.

    Look there for single quotes, a comma after the last member, a comment, or a text that was cut off. `NaN`,
    `Infinity`, lone surrogates and two members of one name are not JSON either, nor may a body be nested deeper than
    any legal one is.
    """

    status = HTTPStatus.BAD_REQUEST
    code = "malformed-json"
    title = "Malformed JSON"
    detail = "Send the body as JSON: this one cannot be read."


class BadHeader(Problem):
    """A header that this call reads does not have the form that the OpenAPI document gives; `detail` says which header
    and what it has to be. A page in a browser gets this too where it asks across origins for what is not allowed there.
    """

    status = HTTPStatus.BAD_REQUEST
    code = "bad-header"
    title = "Bad header"
    detail = "Send each header in the form that the OpenAPI document gives, or leave it out."


class TokenRequired(Problem):
    """A spectator may watch, but this call acts for a seat or for the host, and it came without a token.

    The create answered a token for each human seat, in `tokens`, and the `host_token`; a join answers the one of its
    seat.
    """

    status = HTTPStatus.UNAUTHORIZED
    code = "token-required"
    title = "Token required"
    detail = "Send Authorization: Bearer TOKEN with a token of this match."
    documented_headers: ClassVar = {"WWW-Authenticate": ("`Bearer`, as RFC 6750 has it.", "Bearer")}

    def __init__(self) -> None:
        super().__init__(headers={"WWW-Authenticate": "Bearer"})


class InvalidToken(Problem):
    """The `Authorization` header does not hold a token of this match. It may be the token of another match, be cut off,
    or lack the word `Bearer`. A bad token never makes a silent spectator.

    If every token of a match is refused, the service runs with another `CAPICUA_SECRET` than when it was created.
    """

    status = HTTPStatus.UNAUTHORIZED
    code = "invalid-token"
    title = "Invalid token"
    detail = "Send a token of this match as Authorization: Bearer TOKEN, or leave the header out to watch."
    documented_headers: ClassVar = TokenRequired.documented_headers

    def __init__(self) -> None:
        super().__init__(headers={"WWW-Authenticate": 'Bearer error="invalid_token"'})


class NotYourSeat(Problem):
    """The token is of this match, and is the host's: that has no seat to play, draw, pass or resign for."""

    status = HTTPStatus.FORBIDDEN
    code = "not-your-seat"
    title = "Not your seat"
    detail = "Use the token of the seat that this call acts for: the host's acts for none."


class HostOnly(Problem):
    """Only the host may do this, or a person if all other seats are CPU seats, and the token is of one of several seats
    that are for people, open ones included.
    """

    status = HTTPStatus.FORBIDDEN
    code = "host-only"
    title = "Host only"
    detail = "Use the host token of this match, which its creation answered as host_token."


class InvalidRequest(Problem):
    """The request can be read and does not fit the schema of the call: a field is missing, is not known, or has a value
    that is not allowed. `errors` says where: `pointer` leads into the body, or names a query parameter.

    A field that is not known is reported at the object that holds it, without its name.
    """

    status = HTTPStatus.UNPROCESSABLE_ENTITY
    code = "invalid-request"
    title = "Invalid request"
    detail = "The request does not fit the schema: change what errors points at."

    def __init__(self, errors: Sequence[FieldError]) -> None:
        super().__init__(errors=errors[:MOST_FIELD_ERRORS])


class IdempotencyMismatch(Problem):
    """The key has been used by this caller for the same call with another body. That call was carried out; this one was
    not.

    To repeat a call, send the very same body. A new move needs a new key, even where it is a second try at the same
    turn.
    """

    status = HTTPStatus.UNPROCESSABLE_ENTITY
    code = "idempotency-mismatch"
    title = "Idempotency key used before"
    detail = "This Idempotency-Key belongs to an earlier request with another body: use a new one."


class VersionMismatch(Problem):
    """The match has moved on since the version that `If-Match` names, so that the call was not judged at all."""

    status = HTTPStatus.PRECONDITION_FAILED
    code = "version-mismatch"
    title = "The match has moved on"
    detail = "Get the match again and decide with its present state, or leave If-Match out."


class UnknownMatch(Problem):
    """No match has the id in the path.

    An id is a UUID in its usual form, with hyphens, and a match is on the service that created it: no other has it.
    """

    status = HTTPStatus.NOT_FOUND
    code = "unknown-match"
    title = "Unknown match"
    detail = "Send the id of a match as its creation answered it, in match.id."


class UnknownSeat(Problem):
    """The match has no seat with the number in the path."""

    status = HTTPStatus.NOT_FOUND
    code = "unknown-seat"
    title = "Unknown seat"
    detail = "Name one of the match's seats: they count from 0."


class UnknownHand(Problem):
    """The match was over before a hand of the number in the query was dealt."""

    status = HTTPStatus.NOT_FOUND
    code = "unknown-hand"
    title = "Unknown hand"
    detail = "Name one of the match's hands: they count from 1, and past_hands lists them."


class UnknownRuleset(Problem):
    """The path names a rule set that is not there."""

    status = HTTPStatus.NOT_FOUND
    code = "unknown-ruleset"
    title = "Unknown rule set"
    detail = "Choose one of those that GET /v1/rulesets lists."


class UnknownRulesetInBody(UnknownRuleset):
    """`ruleset` in the body names a rule set that is not there. The path is right, and so the status is not 404."""

    status = HTTPStatus.UNPROCESSABLE_ENTITY

    def __init__(self) -> None:
        super().__init__(errors=[FieldError(pointer="#/ruleset", detail=self.detail)])


class NotFound(Problem):
    """The service has nothing at this path. Paths begin with `/v1` or `/health`, and have no slash at their end."""

    status = HTTPStatus.NOT_FOUND
    code = "not-found"
    title = "Not found"
    detail = "There is nothing at this path; GET /openapi.json lists what there is."


class Unavailable(Problem):
    """The database does not answer, or so many calls on the match came at once that this one never had its turn.

    A call that moves may have had its effect all the same: repeat it with the same `Idempotency-Key`, and it is carried
    out once.
    """

    status = HTTPStatus.SERVICE_UNAVAILABLE
    code = "unavailable"
    title = "Unavailable"
    detail = "The service cannot answer now: retry after as many seconds as Retry-After says."
    documented_headers: ClassVar = {"Retry-After": ("Seconds to wait before the next try.", "1")}

    def __init__(self, retry_after: int = 1) -> None:
        super().__init__(headers={"Retry-After": str(retry_after)})


class Internal(Problem):
    """A fault of the service, and none of the call. The service's log has the details; the answer has none.

    If it comes again, whoever runs the service should read that log.
    """

    status = HTTPStatus.INTERNAL_SERVER_ERROR
    code = "internal"
    title = "Internal error"
    detail = "Look at the match, or repeat the call with its Idempotency-Key: whether it had an effect is not known."


Refusal = type[Problem] | type[RuleViolation]


def all_refusals() -> Iterator[Refusal]:
    """Every class with a code, the engine's included, in the order of their definition."""
    pending: list[Refusal] = [Problem, RuleViolation]
    while pending:
        kind = pending.pop(0)
        pending.extend(kind.__subclasses__())
        if hasattr(kind, "code"):
            yield kind


def status_of(kind: Refusal) -> HTTPStatus:
    """The status that answers of this class have."""
    if issubclass(kind, Problem):
        return kind.status
    return HTTPStatus.UNPROCESSABLE_ENTITY if issubclass(kind, InvalidRules | InvalidDeal) else HTTPStatus.CONFLICT


def render(error: Problem | RuleViolation) -> JSONResponse:
    """The answer to a refused call."""
    status = status_of(type(error))
    body = ProblemDetails(
        type=f"/problems/{error.code}",
        title=error.title,
        status=status,
        detail=str(error),
        code=error.code,
        errors=_field_errors(error) or None,
    )
    headers = error.headers if isinstance(error, Problem) else None
    return JSONResponse(body.model_dump(exclude_none=True), status, headers=headers, media_type=MEDIA_TYPE)


def _field_errors(error: Problem | RuleViolation) -> list[FieldError]:
    match error:
        case Problem():
            return error.errors
        case InvalidRules():
            return [FieldError(pointer=f"#/rules/{error.parameter}", detail=str(error))]
        case InvalidDeal():
            return [FieldError(pointer=f"#/deal{error.pointer}", detail=str(error))]
    return []
