"""The body of a request: how large, of what type, and JSON in the strict sense, judged once the route is known.

A router of this API is `APIRouter(route_class=JsonRoute)`. Judging at the route, not in a middleware before it, puts
404 and 405 first, costs routes without a body nothing, and lets these refusals be rendered like any other.
"""

import re
from collections.abc import Callable, Coroutine
from typing import Any, Final

from fastapi import Request, Response
from fastapi.routing import APIRoute
from pydantic_core import from_json
from starlette.datastructures import Headers
from starlette.types import Scope

from api.problems import MalformedJson, PayloadTooLarge, UnsupportedMediaType

_JSON_IN_UTF_8: Final = re.compile(r'application/json[ \t]*(;[ \t]*charset="?utf-?8"?[ \t]*)?', re.IGNORECASE).fullmatch
"""A parser for mail headers also reads extended parameters, which no client needs here and some break it with."""

METHODS_WITH_BODY = frozenset({"PATCH", "POST", "PUT"})


class JsonRoute(APIRoute):
    """A route that takes JSON and nothing else; a missing body means `{}`, whatever its `Content-Type`."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()
        if METHODS_WITH_BODY.isdisjoint(self.methods or ()):
            return handle

        async def handle_json(request: Request) -> Response:
            body = await _read(request, most=request.app.state.settings.max_body_bytes)
            if body:
                _require_json(request.headers)
                return await handle(_JsonRequest(request.scope, body))
            return await handle(_JsonRequest(_without_content_type(request.scope), b"{}"))

        return handle_json


class _JsonRequest(Request):
    """A request that has been read."""

    def __init__(self, scope: Scope, body: bytes) -> None:
        super().__init__(scope)
        self._body = body

    async def json(self) -> Any:
        """Strict: `json.loads` would take `NaN`, lone surrogates and UTF-16, and recurse without a limit."""
        try:
            return from_json(self._body, allow_inf_nan=False)
        except ValueError as error:
            raise MalformedJson(f"The body is not JSON: {error}.") from None  # says what and where, and quotes nothing


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
    if not _JSON_IN_UTF_8(headers.get("content-type", "")):
        raise UnsupportedMediaType
    if headers.get("content-encoding", "identity").lower() != "identity":
        raise UnsupportedMediaType


def _without_content_type(scope: Scope) -> Scope:
    return {**scope, "headers": [header for header in scope["headers"] if header[0] != b"content-type"]}
