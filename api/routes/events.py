"""The log of a match, in pages and as a stream."""

from http import HTTPStatus
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from api import answers, conditions, declared
from api.calls import Watching, redacted
from api.fields import DIGITS
from api.json_route import JsonRoute
from api.openapi import operation_id
from api.problems import BadHeader, InvalidRequest, InvalidToken, Unavailable, UnknownMatch
from api.schemas import EventPage
from api.stream import MEDIA_TYPE, EventStream

router = APIRouter(
    prefix="/v1/matches/{match_id}", tags=["events"], route_class=JsonRoute, generate_unique_id_function=operation_id
)

_PAGE: Final = TypeAdapter(EventPage)

Seq = Annotated[int, Field(ge=0, le=conditions.LARGEST_SEQ), DIGITS]


class After(BaseModel):
    """Which part of a log, to its end."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)

    after: Seq = 0
    """The number of the last event that is known; what follows begins with the next one."""


class Range(After):
    """Which part of a log."""

    limit: Annotated[int, Field(ge=1, le=500), DIGITS] = 100
    """The most events on the page."""


async def _last_event_id(request: Request) -> int | None:
    return conditions.last_event_id(request.headers)


LastEventId = Annotated[int | None, Depends(_last_event_id)]
"""Judged before the query is."""


_SENT: Final[dict[str, Any]] = {
    "type": "object",
    "description": "One of the Server-Sent Events.",
    "additionalProperties": False,
    "required": ["id", "event", "data"],
    "properties": {
        "id": {"type": "string", "maxLength": 10, "pattern": "^[0-9]+$", "description": "The event's `seq`."},
        "event": {"type": "string", "maxLength": 50, "description": "The event's `type`."},
        "data": {
            "type": "string",
            "maxLength": 100_000,
            "contentMediaType": "application/json",
            "contentSchema": {"$ref": "#/components/schemas/Event"},
            "description": "The event, as JSON in one line.",
        },
    },
}
_STREAM: Final[dict[int | str, dict[str, Any]]] = {
    200: {"description": "The log, event by event.", "content": {MEDIA_TYPE: {"schema": _SENT}}},
    204: {"description": "The match is over, and the caller has all of its events: do not connect again."},
}


@router.get(
    "/events",
    response_model=EventPage,
    responses=declared.answer("Events, with null for what this caller may not know.", declared.APPLIED)
    | declared.refusals(BadHeader, InvalidRequest, UnknownMatch, InvalidToken, Unavailable),
    openapi_extra=conditions.parameters(conditions.PREFER_WAIT),
)
async def list_events(call: Watching, part: Annotated[Range, Query()]) -> Response:
    """List what has happened.

    The log after an event, oldest first, as this caller may see it: tiles that a caller may not know are null, at the
    same number, until their hand has ended. With `Prefer: wait`, an empty page is answered only once the wait for news
    is over, or the match is.
    """
    match, viewer = await call.seen()
    headers = answers.PERSONAL
    seconds = conditions.wait_seconds(call.headers)
    if seconds is not None and part.after >= match.version:
        headers = {**headers, "Preference-Applied": f"wait={seconds}"}
        if await call.waited(match, part.after, seconds):
            match, viewer = await call.seen()
    log = call.matches.store.events
    events = await log(match.setup.id, after=part.after, until=match.version, limit=part.limit)
    page = EventPage(redacted(match, events, viewer), match.version)
    return answers.of_json(_PAGE, page, headers=headers)


@router.get(
    "/stream",
    response_class=StreamingResponse,
    responses=_STREAM | declared.refusals(BadHeader, InvalidRequest, UnknownMatch, InvalidToken, Unavailable),
    openapi_extra=conditions.parameters(conditions.LAST_EVENT_ID),
)
async def stream_events(
    call: Watching, part: Annotated[After, Query()], last: LastEventId, request: Request
) -> Response:
    """Follow what happens.

    The log after an event as Server-Sent Events, as this caller may see it, and what happens from then on: `id` is the
    number of the event, `event` its type and `data` the event. A comment comes every 15 seconds. The stream ends with
    the match, and after a while by itself: connect again with `Last-Event-ID`, as browsers do.
    """
    match, viewer = await call.seen()
    after = part.after if last is None else last
    if match.is_over and after >= match.version:
        return Response(status_code=HTTPStatus.NO_CONTENT, headers=answers.PERSONAL)
    return EventStream(call.matches, match, viewer, after=after, seconds=request.app.state.settings.stream_seconds)
