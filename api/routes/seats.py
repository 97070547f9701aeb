"""Who sits in a match."""

from dataclasses import replace
from datetime import datetime
from typing import Annotated, Any, Final

from fastapi import APIRouter, Path, Response
from pydantic import TypeAdapter

from api import answers, conditions, declared
from api.calls import Joining, Setting, host_only, moved
from api.json_route import JsonRoute
from api.openapi import operation_id
from api.problems import HostOnly, UnknownSeat
from api.schemas import ChangeLevel, Joined, JoinMatch, Moved, SeatToken
from engine import errors
from engine.bounds import MOST_SEATS
from engine.events import SeatJoined
from engine.match import Match, Transition, change_level, join
from engine.view import Viewer

router = APIRouter(
    prefix="/v1/matches/{match_id}",
    tags=["matches"],
    route_class=JsonRoute,
    generate_unique_id_function=operation_id,
)

_JOINED: Final = TypeAdapter(Joined)
_SEAT: Final[dict[str, Any]] = {"type": "integer", "minimum": 0, "maximum": MOST_SEATS - 1}
_ANY_SEAT: Final = JoinMatch()


@router.post(
    "/join",
    response_model=Joined,
    responses=declared.answer(
        "The match as the seat sees it, and the token of the seat.", declared.ETAG, declared.REPLAYED
    )
    | declared.refusals(*declared.CHANGING, errors.MatchFinished, errors.NoOpenSeat),
    openapi_extra=conditions.parameters(conditions.SECRET_KEY, conditions.IF_MATCH),
)
async def join_match(call: Joining, body: JoinMatch = _ANY_SEAT) -> Response:
    """Take an open seat.

    It needs no token; the answer holds the seat's: keep it secret. The first hand is dealt when the last open seat is
    taken, and the answer holds what is played at once.
    """

    def command(match: Match, _: Viewer, at: datetime) -> Transition:
        return join(match, body.seat, body.name, at)

    outcome = await call.change(command, name="join", body=body, is_secret=True)
    [seat] = [event.seat for event in outcome.events if isinstance(event, SeatJoined) and event.seat is not None]
    outcome = replace(outcome, viewer=Viewer("seat", seat))
    seen = moved(outcome)
    tokens = (SeatToken(seat, call.tokens.seat(outcome.match.setup.id, seat)),)
    headers = {"ETag": conditions.entity_tag(outcome.match, outcome.viewer), **answers.replay_headers(outcome)}
    return answers.of_json(_JOINED, Joined(seen.match, seen.events, tokens), headers=headers)


@router.patch(
    "/seats/{seat}",
    response_model=Moved,
    responses=declared.answer("The match after the call, and the events that the call caused.", declared.ETAG)
    | declared.refusals(
        *declared.ACTING, UnknownSeat, HostOnly, errors.MatchFinished, errors.NotACpuSeat, errors.SetTooLarge
    ),
    openapi_extra=conditions.parameters(conditions.IF_MATCH),
)
async def change_seat(
    call: Setting,
    seat: Annotated[str, Path(description="Its number in turn order, from 0.", json_schema_extra=_SEAT)],
    body: ChangeLevel,
) -> Response:
    """Change the level of a CPU seat.

    It plays at the new level from its next decision on. The host may change it, and so may a person if all other seats
    are CPU seats.
    """

    def command(match: Match, _: Viewer, at: datetime) -> Transition:
        return change_level(match, int(seat), body.level, at)

    return answers.of_move(await call.change(command, name="change-level", body=body, permit=host_only, seat=seat))
