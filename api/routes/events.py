"""The log of a match."""

from typing import Annotated, Final

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter
from pydantic_core import PydanticCustomError

from api.calls import Watching, redacted
from api.openapi import operation_id
from api.problems import InvalidRequest, InvalidToken, Unavailable, UnknownMatch, responses
from api.schemas import EventPage

router = APIRouter(prefix="/v1/matches", tags=["events"], generate_unique_id_function=operation_id)

_PAGE: Final = TypeAdapter(EventPage)


def _digits(text: object) -> object:
    """Python reads more as an integer than a client means: `1_0`, ` 5 `, `+5`."""
    if isinstance(text, str) and not (text.isascii() and text.isdecimal()):
        raise PydanticCustomError("digits", "Should be an integer, in digits.")
    return text


_DIGITS: Final = BeforeValidator(_digits)


class Range(BaseModel):
    """Which part of a log."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)

    after: Annotated[int, Field(ge=0, le=2_147_483_647), _DIGITS] = 0
    """The number of the last event that is known; the page begins with the next one."""

    limit: Annotated[int, Field(ge=1, le=500), _DIGITS] = 100
    """The most events on the page."""


@router.get(
    "/{match_id}/events",
    response_model=EventPage,
    response_description="Events, with null for what this caller may not know.",
    responses=responses(InvalidRequest, UnknownMatch, InvalidToken, Unavailable),
)
async def list_events(call: Watching, part: Annotated[Range, Query()]) -> Response:
    """The log after an event, oldest first, as this caller may see it.

    Tiles that a caller may not know are null, at the same number, until their hand has ended.
    """
    match, viewer = await call.seen()
    events = await call.store.events(match.setup.id, after=part.after, until=match.version, limit=part.limit)
    page = EventPage(redacted(match, events, viewer), match.version)
    return Response(_PAGE.dump_json(page), media_type="application/json")
