"""Answers that hold a match as one viewer sees it."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

from fastapi import Response
from pydantic import TypeAdapter

from api.calls import Outcome, moved
from api.conditions import entity_tag
from api.examples import CURSOR, MATCH_ID
from api.schemas import Moved
from engine.match import Match
from engine.view import Viewer

_MOVED: Final = TypeAdapter(Moved)

PERSONAL: Final = {"Cache-Control": "private, no-cache", "Vary": "Authorization"}
"""An answer that depends on who asks, and has to be asked for anew each time."""


def of_json(
    adapter: TypeAdapter[Any],
    body: object,
    status: HTTPStatus = HTTPStatus.OK,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """`body` as JSON."""
    return Response(adapter.dump_json(body), status, headers, media_type="application/json")


def of_move(outcome: Outcome) -> Response:
    """The match after a call, and the events that it caused."""
    headers = state_headers(outcome.match, outcome.viewer) | replay_headers(outcome)
    return of_json(_MOVED, moved(outcome), headers=headers)


def state_headers(match: Match, viewer: Viewer) -> dict[str, str]:
    """The headers of an answer that holds what `viewer` sees of `match`."""
    return {"ETag": entity_tag(match, viewer), **PERSONAL}


def replay_headers(outcome: Outcome) -> dict[str, str]:
    """What tells an answer to a repeated call from the first one."""
    return {"Idempotency-Replayed": "true"} if outcome.is_replay else {}


def _documented(description: str, *, required: bool, example: str) -> dict[str, Any]:
    schema = {"type": "string", "maxLength": 200}
    return {"description": description, "required": required, "schema": schema, "example": example}


ETAG: Final = {
    "ETag": _documented("The version of the match, and whose view of it this is.", required=True, example='"17.0"')
}
REPLAYED: Final = {
    "Idempotency-Replayed": _documented(
        "`true` where the call had been carried out before with the same key.", required=False, example="true"
    )
}
LOCATION: Final = {"Location": _documented("Where the match is.", required=True, example=f"/v1/matches/{MATCH_ID}")}
LINK: Final = {
    "Link": _documented(
        "The next page, if there is one, with `rel=next`.",
        required=False,
        example=f'</v1/matches?cursor={CURSOR}>; rel="next"',
    )
}
APPLIED: Final = {
    "Preference-Applied": _documented("How long the call was ready to wait.", required=False, example="wait=20")
}


def documented(description: str, *headers: Mapping[str, Any], status: HTTPStatus = HTTPStatus.OK) -> dict[Any, Any]:
    """What a route declares of an answer and its headers, as FastAPI's `responses`."""
    merged = {name: header for each in headers for name, header in each.items()}
    return {int(status): {"description": description, "headers": merged}}
