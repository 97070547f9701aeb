"""The application, put together from its parts."""

import asyncio
import gc
import re
import signal
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from importlib.metadata import version
from types import FrameType

from fastapi import FastAPI
from starlette.middleware import Middleware
from starlette.routing import BaseRoute, Route

from api import openapi, pulse, refusals, thinking
from api.auth import Tokens
from api.database import connection_pool
from api.headers import Cors, DefaultHeaders, HeadAsGet
from api.interruptions import StartupError
from api.matches import Matches
from api.routes import analysis, board, events, explanations, health, matches, moves, pages, rulesets, seats, web
from api.settings import Settings
from api.store import Store
from api.watch import Watch
from api.workers import end_with_parent

DESCRIPTION = """\
Dominoes over HTTP: the service enforces the rules, plays the CPU seats and keeps every match and its log.

**To play**, post `{"ruleset": "draw"}` to `/v1/matches`. The answer holds the match, your seat's token and, in
`match.hand.legal_moves`, the moves of your seat. Send the token as `Authorization: Bearer TOKEN`, and post one of these
moves, as it is, to `/v1/matches/{id}/` and its `type`. The answer has the match again: go on until its `status` is
`finished`. While another person has the turn `legal_moves` is empty: wait, by `Prefer` or by the stream. Where a CPU
seat has it and `pacing` is `step`, post to step.

**Tiles** are text with the high number first: `"6-4"`. **Seats** count from 0 in turn order, and so do teams.

**Refused calls** change nothing, and are answered with an `application/problem+json`: look at its stable `code`.
Nothing that was sent is repeated there.

**Retries** are safe with an `Idempotency-Key`: the same post with the same key is carried out once.

**Later versions** may add fields to answers, types of events, codes and calls: ignore those you do not know.
"""


def create_app(settings: Settings) -> FastAPI:
    """The service. `app.state` holds `settings` and, while it runs, `database` (a pool), `matches` and `tokens`."""
    app = FastAPI(
        title="Capicua",
        summary="A dominoes table over HTTP.",
        description=DESCRIPTION,
        version=version("capicua"),
        contact={"name": "Capicua contributors"},
        license_info={"name": "MIT", "identifier": "MIT"},
        servers=[{"url": "/", "description": "The service that this document comes from."}],
        openapi_tags=list(openapi.TAGS),
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        telemetry={"tracing": False, "metrics": False, "logs": False},  # each request would look for a provider
        lifespan=_lifespan,
        middleware=[
            Middleware(DefaultHeaders),
            *([Middleware(Cors, origins=settings.cors_origins)] if settings.cors_origins else []),
            Middleware(HeadAsGet),
            Middleware(refusals.InternalErrors),
        ],
    )
    app.state.settings = settings
    app.openapi = partial(openapi.openapi, app)  # type: ignore[method-assign]
    refusals.install(app)
    everything = (
        matches.router,
        moves.router,
        seats.router,
        events.router,
        analysis.router,
        board.router,
        rulesets.router,
        health.router,
        pages.router,
        explanations.router,
        web.router,
    )
    for router in everything:
        app.router.routes.extend(router.routes)  # `include_router` would match every request twice
    for route in app.router.routes:
        _end_at_the_end(route)
    return app


def _end_at_the_end(route: BaseRoute) -> None:
    """Starlette ends its patterns with `$`, before which a line feed may stand: `/v1/matches%0A` would be one."""
    assert isinstance(route, Route)
    route.path_regex = re.compile(route.path_regex.pattern.removesuffix("$") + r"\Z")


def create_app_from_environment() -> FastAPI:
    """What each process of `capicua serve` runs.

    What is there by then stays: the garbage collector need not look through it, which took 80 ms every few seconds.
    """
    end_with_parent()
    app = create_app(Settings.load())
    thinking.prepare()
    gc.collect()
    gc.freeze()
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    settings: Settings = app.state.settings
    if settings.database_url is None:
        raise StartupError("CAPICUA_DATABASE_URL: is not set; `capicua serve` starts a database of its own and sets it")
    app.state.tokens = Tokens(settings.signing_key())
    url = settings.database_url.get_secret_value()
    async with connection_pool(url, size=settings.database_pool_size) as pool:
        app.state.database = pool
        app.state.matches = Matches(Store(pool), Watch())
        beating = asyncio.create_task(pulse.run(app.state.matches))
        with _closing_at_signal(app.state.matches.watch):
            yield
        beating.cancel()


@contextmanager
def _closing_at_signal(watch: Watch) -> Iterator[None]:
    """End all waiting, and all long thinking, as soon as the process is asked to stop; the server would otherwise sit
    out every open stream.

    The server's own handler goes on with the rest. Outside the main thread, as in tests, signals are somebody else's.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def handle(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(watch.close)
        loop.call_soon_threadsafe(thinking.close)
        following = before[signal.Signals(number)]
        if callable(following):
            following(number, frame)

    for number in before:
        signal.signal(number, handle)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
