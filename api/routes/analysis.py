"""What moves are worth: a hint before one is made, and a review of those that were."""

from functools import partial
from http import HTTPStatus
from typing import Annotated, Final

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from api import answers, conditions, declared
from api.calls import Asking, Known, Watching, seats_only
from api.fields import DIGITS
from api.json_route import JsonRoute
from api.openapi import operation_id
from api.problems import (
    BadHeader,
    InvalidRequest,
    InvalidToken,
    NotYourSeat,
    TokenRequired,
    Unavailable,
    UnknownHand,
    UnknownMatch,
)
from api.thinking import think
from engine import errors, hints, review
from engine.bounds import MOST_HANDS
from engine.hints import Hint
from engine.match import Match
from engine.review import HandReview
from engine.view import Viewer

router = APIRouter(
    prefix="/v1/matches/{match_id}", tags=["analysis"], route_class=JsonRoute, generate_unique_id_function=operation_id
)

_HINT: Final = TypeAdapter(Hint)
_REVIEW: Final = TypeAdapter(HandReview)
_KNOWN: Final = declared.answer("The caller has this answer already.", declared.ETAG, status=HTTPStatus.NOT_MODIFIED)


class WhichHand(BaseModel):
    """Which hand of a match."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)

    hand: Annotated[int, Field(ge=1, le=MOST_HANDS), DIGITS] = 1
    """Its number, from 1."""


@router.get(
    "/hint",
    response_model=Hint,
    responses=declared.answer("What each legal move is worth, the best first.", declared.ETAG)
    | _KNOWN
    | declared.refusals(
        BadHeader,
        TokenRequired,
        UnknownMatch,
        InvalidToken,
        NotYourSeat,
        errors.HintsOff,
        errors.MatchWaiting,
        errors.MatchFinished,
        errors.HandOver,
        errors.NotYourTurn,
        Unavailable,
    ),
    openapi_extra=conditions.parameters(conditions.IF_NONE_MATCH),
)
async def get_hint(call: Asking, known: Known) -> Response:
    """Get a hint.

    What each legal move is worth to the seat that has the turn, the best first, and what speaks for it: in matches that
    were created with `hints`. It is found by playing thousands of hands on, in deals that agree with all that the seat
    can know, and from nothing else: the same position always gets the same hint. It takes a tenth of a second. With an
    `ETag` as `If-None-Match` the answer is 304 while nobody has moved.
    """
    match, viewer = await call.seen()
    seats_only(match, viewer)
    assert viewer.seat is not None
    seen = hints.position(match, viewer.seat)
    if conditions.entity_tag(match, viewer) in known:
        return _unchanged(match, viewer)
    found = await think(partial(hints.hint, seen))
    return answers.of_json(_HINT, found, headers=answers.state_headers(match, viewer))


@router.get(
    "/review",
    response_model=HandReview,
    responses=declared.answer("The choices in the hand, and what each cost.", declared.ETAG)
    | _KNOWN
    | declared.refusals(
        BadHeader,
        InvalidRequest,
        UnknownMatch,
        UnknownHand,
        InvalidToken,
        errors.MatchNotFinished,
        errors.SetTooLarge,
        Unavailable,
    ),
    openapi_extra=conditions.parameters(conditions.IF_NONE_MATCH),
)
async def get_review(call: Watching, which: Annotated[WhichHand, Query()], known: Known) -> Response:
    """Review a hand of a finished match.

    Each play that was chosen from several, beside the best one: judged by what its seat could know then, and not by
    where the tiles were. Everybody gets the same review, and gets it again. One hand takes a second or two: ask for the
    next one until `hand` is `hands`.
    """
    match, viewer = await call.seen()
    review.check(match)
    assert match.hand_number is not None
    if which.hand > match.hand_number:
        raise UnknownHand
    if conditions.entity_tag(match, viewer) in known:
        return _unchanged(match, viewer)
    log = await call.matches.store.events(match.setup.id, after=0, until=match.version)
    found = await think(partial(review.review, match, log, which.hand))
    return answers.of_json(_REVIEW, found, headers=answers.state_headers(match, viewer))


def _unchanged(match: Match, viewer: Viewer) -> Response:
    return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=answers.state_headers(match, viewer))
