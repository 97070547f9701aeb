"""The body of a request: how large, of what type, and JSON in the strict sense, judged once the route is known.

A router of this API is `APIRouter(route_class=JsonRoute)`. Judging at the route, not in a middleware before it, puts
404 and 405 first, costs routes without a body nothing, and lets these refusals be rendered like any other.
"""

from collections.abc import Callable, Coroutine
from email.message import Message
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute
from pydantic_core import from_json
from starlette.datastructures import Headers
from starlette.types import Scope

from api.problems import MalformedJson, PayloadTooLarge, UnsupportedMediaType

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
    media_type = headers.get("content-type", "")
    if media_type != "application/json":
        message = Message()
        message["content-type"] = media_type
        if message.get_content_type() != "application/json" or message.get_content_charset("utf-8") != "utf-8":
            raise UnsupportedMediaType
    if headers.get("content-encoding", "identity") != "identity":
        raise UnsupportedMediaType


def _without_content_type(scope: Scope) -> Scope:
    return {**scope, "headers": [header for header in scope["headers"] if header[0] != b"content-type"]}
