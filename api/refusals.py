"""Turns whatever a request can raise into a problem, and answers `OPTIONS`."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final

import psycopg
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.routing import Match
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.problems import (
    BadHeader,
    FieldError,
    Internal,
    InvalidRequest,
    MalformedJson,
    MethodNotAllowed,
    NotFound,
    Problem,
    Unavailable,
    UnknownMatch,
    UnknownRuleset,
    UnknownSeat,
    render,
)
from api.store import NewerFormat
from engine.errors import RuleViolation

METHODS: Final = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")

UNKNOWN: Final[Mapping[str, type[Problem]]] = {
    "match_id": UnknownMatch,
    "ruleset_id": UnknownRuleset,
    "seat": UnknownSeat,
}
"""What a path parameter that does not parse stands for: an id of the wrong form is the id of nothing."""

PLAIN: Final[Mapping[str, str]] = {
    "dataclass_type": "Should be an object.",
    "extra_forbidden": "Has a field that is not part of the schema.",
    "missing": "Is required.",
    "model_attributes_type": "Should be an object.",
    "model_type": "Should be an object.",
    "unexpected_keyword_argument": "Has a field that is not part of the schema.",
    "union_tag_not_found": "Lacks the field that says which kind of object it is.",
}
"""Pydantic's messages that speak of Python, in words for a client that does not."""

_logger = logging.getLogger(__name__)


def install(app: FastAPI) -> None:
    """Have `app` answer every error with a problem. All handlers are coroutines: others would be run in threads."""
    app.add_exception_handler(Problem, _render)
    app.add_exception_handler(RuleViolation, _render)
    app.add_exception_handler(HTTPException, _from_framework)
    app.add_exception_handler(RequestValidationError, _from_validation)
    app.add_exception_handler(ClientDisconnect, _to_nobody)
    for unavailable in (psycopg.InterfaceError, psycopg.OperationalError, NewerFormat):
        app.add_exception_handler(unavailable, _from_database)


class InternalErrors:
    """Answers an error that nothing else handles.

    Starlette does so too, but outside all middleware, so without the headers that let a page in a browser read it.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = False

        async def watch(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self.app(scope, receive, watch)
        except Exception:
            if started or scope["type"] != "http":
                raise
            _logger.exception("unhandled error")
            await render(Internal())(scope, receive, send)


async def _render(_: Request, error: Exception) -> Response:
    if not isinstance(error, Problem | RuleViolation):
        raise error
    return render(error)


async def _from_framework(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    match error.status_code:
        case HTTPStatus.NOT_FOUND:
            return render(NotFound())
        case HTTPStatus.METHOD_NOT_ALLOWED:
            return _other_method(request)
        case HTTPStatus.BAD_REQUEST:
            return render(MalformedJson())
    raise error


def _other_method(request: Request) -> Response:
    allow = [method for method in METHODS if _matches(request, method)] + ["OPTIONS"]
    if request.method == "OPTIONS":
        return Response(status_code=HTTPStatus.NO_CONTENT, headers={"Allow": ", ".join(allow)})
    return render(MethodNotAllowed(allow))


def _matches(request: Request, method: str) -> bool:
    """Whether some route answers `method` at this path; Starlette asks only the first route that has the path."""
    asked = {"type": "http", "method": "GET" if method == "HEAD" else method, "path": request.scope["path"]}
    asked |= {"root_path": request.scope.get("root_path", ""), "headers": request.scope["headers"]}
    return any(route.matches(dict(asked))[0] is Match.FULL for route in request.app.router.routes)


async def _from_validation(request: Request, error: Exception) -> Response:
    """Headers are judged first, then body and query, then what the path names: the order of the contract."""
    assert isinstance(error, RequestValidationError)
    found = _causes(error.errors())
    if any(each["type"] == "json_invalid" for each in found):
        return render(MalformedJson())
    if any(each["loc"][0] == "header" for each in found):
        return render(BadHeader())
    sent = {"body": error.body, "query": dict(request.query_params)}
    fields = [_field_error(each, sent[each["loc"][0]]) for each in found if each["loc"][0] in sent]
    if fields:
        return render(InvalidRequest(fields))
    return render(UNKNOWN.get(found[0]["loc"][1], NotFound)())


def _causes(found: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """`found` without the lists that are only too short because Pydantic does not count items that are wrong."""
    wrong_within = {each["loc"][:length] for each in found for length in range(len(each["loc"]))}
    return [each for each in found if each["type"] != "too_short" or each["loc"] not in wrong_within]


def _field_error(error: Mapping[str, Any], sent: object) -> FieldError:
    place = list(error["loc"][1:])
    if error["type"] in {"extra_forbidden", "unexpected_keyword_argument"}:
        place.pop()  # the name is the client's
    return FieldError(pointer=_pointer(place, sent, missing=error["type"] == "missing"), detail=_detail(error))


def _pointer(place: Iterable[str | int], sent: object, *, missing: bool) -> str:
    """The JSON Pointer to `place`, less what Pydantic mixes into it and `sent` has no member for: tags of unions."""
    steps = list(place)
    pointer = "#"
    for position, step in enumerate(steps, 1):
        if position > 1 and isinstance(sent, dict) and sent.get("kind") == step and steps[position - 2] != step:
            continue  # a tag, whatever members the object has
        match sent, step:
            case dict(), str() if step in sent:
                sent = sent[step]
            case list(), int() if step < len(sent):
                sent = sent[step]
            case dict(), str() if missing and position == len(steps):
                pass  # a required member that is missing
            case _:
                continue
        pointer += f"/{step}"
    return pointer


def _detail(error: Mapping[str, Any]) -> str:
    """What is wrong, without the value: a type of error whose message quotes the input is told in other words.

    Messages of `PydanticCustomError`, which are this code's own, pass; those of a plain `ValueError` do not.
    """
    context = error.get("ctx", {})
    if error["type"] == "union_tag_invalid":
        return f"{context['discriminator']} should be one of {context['expected_tags']}."
    if "error" in context:
        return "Is not valid."
    message = PLAIN.get(error["type"]) or error["msg"].removeprefix("Input ").rstrip(".") + "."
    return message[0].upper() + message[1:500]


async def _from_database(_: Request, error: Exception) -> Response:
    _logger.warning("a match could not be read or written: %s", type(error).__name__)
    return render(Unavailable())


async def _to_nobody(_: Request, __: Exception) -> Response:
    return Response(status_code=HTTPStatus.BAD_REQUEST)  # the client has gone: nobody reads this
