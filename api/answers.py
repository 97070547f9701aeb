"""Answers that hold a match as one viewer sees it."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

from fastapi import Response
from pydantic import TypeAdapter

from api.calls import Outcome, moved
from api.conditions import entity_tag
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
