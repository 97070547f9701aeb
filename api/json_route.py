"""The body of a request: how large, of what type, and JSON in the strict sense, judged once the route is known.

A router of this API is `APIRouter(route_class=JsonRoute)`. Judging at the route, not in a middleware before it, puts
404 and 405 first, costs routes without a body nothing, and lets these refusals be rendered like any other.
"""

import re
from collections.abc import Callable, Coroutine
from typing import Any, Final

from fastapi import Request, Response
from fastapi.dependencies.models import Dependant
from fastapi.dependencies.utils import request_params_to_args
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.datastructures import Headers

from api import strict_json
from api.problems import PayloadTooLarge, UnsupportedMediaType

_JSON_IN_UTF_8: Final = re.compile(r'application/json[ \t]*(;[ \t]*charset="?utf-?8"?[ \t]*)?', re.IGNORECASE).fullmatch
"""A parser for mail headers also reads extended parameters, which no client needs here and some break it with."""

METHODS_WITH_BODY = frozenset({"PATCH", "POST", "PUT"})


class JsonRoute(APIRoute):
    """A route that takes JSON and nothing else; a missing body means `{}`, whatever its `Content-Type`.

    FastAPI reads the endpoint's parameters and documents them, but does not call it: its way there, made also for
    dependencies that are closed, shared or run in threads, takes as long as judging a move and writing it down. Here
    an endpoint answers a `Response`, and it and its dependencies are coroutines.
    """

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        dependant, endpoint = self.dependant, self.endpoint
        reads = not METHODS_WITH_BODY.isdisjoint(self.methods or ())

        async def handle(request: Request) -> Response:
            body = await _json(request) if reads else None
            arguments, errors = await _arguments(dependant, request, body)
            if errors:
                raise RequestValidationError(errors, body=body)
            response: Response = await endpoint(**arguments)
            return response

        return handle


async def _arguments(dependant: Dependant, request: Request, body: object) -> tuple[dict[str, Any], list[Any]]:
    """What to call `dependant` with, and what is wrong with what was sent; a dependency may refuse first."""
    arguments: dict[str, Any] = {}
    errors: list[Any] = []
    for each in dependant.dependencies:
        found, wrong = await _arguments(each, request, body)
        errors += wrong
        if not wrong:
            assert each.name is not None
            assert each.call is not None
            arguments[each.name] = await each.call(**found)
    for fields, received in (
        (dependant.query_params, request.query_params),
        (dependant.header_params, request.headers),
    ):
        if fields:
            found, wrong = request_params_to_args(fields, received)
            arguments |= found
            errors += wrong
    if dependant.query_params and len(request.query_params.multi_items()) > len(request.query_params):
        errors.append({"type": "repeated", "loc": ("query",), "msg": "Has a parameter that is given more than once."})
    for field in dependant.path_params:
        arguments[field.name], wrong = field.validate(request.path_params[field.alias], loc=("path", field.alias))
        errors += wrong
    for field in dependant.body_params:
        if body is strict_json.TOO_MUCH:
            errors.append({"type": "too_much", "loc": ("body",), "msg": "Holds more values than any legal body."})
            continue
        arguments[field.name], wrong = field.validate(body, loc=("body",))
        errors += wrong
    if dependant.request_param_name is not None:
        arguments[dependant.request_param_name] = request
    return arguments, errors


async def _json(request: Request) -> Any:
    body = await _read(request, most=request.app.state.settings.max_body_bytes)
    if not body:
        return {}
    _require_json(request.headers)
    return strict_json.parse(body)


async def _read(request: Request, *, most: int) -> bytes:
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared) > most:
        raise PayloadTooLarge
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            raise PayloadTooLarge
    return bytes(body)


def _require_json(headers: Headers) -> None:
    """Both headers have one line, as of several one reader may take the first and another the last."""
    if not _JSON_IN_UTF_8(",".join(headers.getlist("content-type"))):
        raise UnsupportedMediaType
    if ",".join(headers.getlist("content-encoding")).lower() not in {"", "identity"}:
        raise UnsupportedMediaType
