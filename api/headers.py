"""Headers that every answer has, CORS, and `HEAD`."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Final

from starlette.datastructures import Headers
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.problems import BadHeader, render

DEFAULTS: Final = (
    (b"cache-control", b"no-store"),  # answers hold tokens and hands; a route that knows better says so
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
)
REQUEST_HEADERS: Final = ("Authorization", "Idempotency-Key", "If-Match", "If-None-Match", "Last-Event-ID", "Prefer")
EXPOSED_HEADERS: Final = (
    "Date",
    "ETag",
    "Idempotency-Replayed",
    "Link",
    "Location",
    "Preference-Applied",
    "Retry-After",
)
PREFLIGHT_SECONDS: Final = 86_400


class DefaultHeaders:
    """Adds each of `DEFAULTS` to an answer that does not have it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_defaults(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = message["headers"]
                present = {name for name, _ in headers}
                message["headers"] = [*headers, *(default for default in DEFAULTS if default[0] not in present)]
            await send(message)

        await self.app(scope, receive, send_with_defaults)


class HeadAsGet:
    """Answers `HEAD` as `GET` with the body left out, at once where the body would be a stream."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self.app(scope, receive, send)
            return
        finished = False

        async def receive_until_finished() -> Message:
            return {"type": "http.disconnect"} if finished else await receive()

        async def send_start(message: Message) -> None:
            nonlocal finished
            if message["type"] == "http.response.start":
                await send(message)
                await send({"type": "http.response.body", "body": b""})
                finished = True

        await self.app({**scope, "method": "GET"}, receive_until_finished, send_start)


class Cors(CORSMiddleware):
    """Pages of the configured origins may call, with tokens and without cookies."""

    def __init__(self, app: ASGIApp, origins: Sequence[str]) -> None:
        super().__init__(
            app,
            allow_origins=origins,
            allow_methods=("GET", "HEAD", "PATCH", "POST"),
            allow_headers=REQUEST_HEADERS,
            expose_headers=EXPOSED_HEADERS,
            max_age=PREFLIGHT_SECONDS,
        )

    def preflight_response(self, request_headers: Headers) -> Response:
        """A refused preflight is a problem like every other refusal."""
        response = super().preflight_response(request_headers)
        if response.status_code != HTTPStatus.BAD_REQUEST:
            return response
        problem = render(BadHeader("This origin, method or header is not allowed across origins."))
        problem.headers["Vary"] = "Origin"
        return problem
