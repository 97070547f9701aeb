"""What people do in a match."""

from datetime import datetime
from typing import Any, Final

from fastapi import APIRouter, Response

from api import answers, conditions, declared
from api.calls import Acting, Call, host_only, seats_only
from api.json_route import JsonRoute
from api.openapi import operation_id
from api.problems import HostOnly, NotYourSeat, Refusal
from api.schemas import Moved, Nothing
from engine import autoplay, endings, errors
from engine.match import Match, Transition, decide
from engine.moves import Draw, NextHand, Pass, Play, Turn
from engine.view import Viewer

router = APIRouter(
    prefix="/v1/matches/{match_id}",
    tags=["matches"],
    route_class=JsonRoute,
    generate_unique_id_function=operation_id,
)

_PLAYING: Final[tuple[Refusal, ...]] = (errors.MatchWaiting, errors.MatchFinished)
_TURN: Final[tuple[Refusal, ...]] = (NotYourSeat, *_PLAYING, errors.HandOver, errors.NotYourTurn)

_EXTRA: Final = conditions.parameters(conditions.IDEMPOTENCY_KEY, conditions.IF_MATCH)

_DRAW, _PASS, _NEXT_HAND, _NOTHING = Draw(), Pass(), NextHand(), Nothing()
"""What a missing body, which is read as `{}`, means; these defaults say so in the document."""


def _answers(*refusals: Refusal) -> dict[int | str, dict[str, Any]]:
    described = "The match after the call, and the events that the call caused."
    return declared.answer(described, declared.ETAG, declared.REPLAYED) | declared.refusals(*declared.ACTING, *refusals)


@router.post(
    "/play",
    response_model=Moved,
    responses=_answers(
        *_TURN,
        errors.MustOpen,
        errors.TileNotInHand,
        errors.TileDoesNotFit,
        errors.EndNotOpen,
        errors.EndRequired,
    ),
    openapi_extra=_EXTRA,
)
async def play(call: Acting, body: Play) -> Response:
    """Play a tile.

    For the seat that has the turn. `end` may be left out for the first tile of a hand, and where all ends that the tile
    fits ask for the same number. The answer holds what the play caused: points, and with pacing `auto` all that CPU
    seats do until a person has the turn again or the hand is over.
    """
    return await _take(call, body)


@router.post(
    "/draw",
    response_model=Moved,
    responses=_answers(*_TURN, errors.MustPlay, errors.MustPass, errors.NoSuchPosition),
    openapi_extra=_EXTRA,
)
async def draw(call: Acting, body: Draw = _DRAW) -> Response:
    """Draw from the boneyard.

    For the seat that has the turn and cannot play, in rule sets with drawing. Without a body it is the first tile;
    `position` takes another one, and `until_playable` draws on until one fits.
    """
    return await _take(call, body)


@router.post(
    "/pass",
    response_model=Moved,
    responses=_answers(*_TURN, errors.MustPlay, errors.MustDraw),
    openapi_extra=_EXTRA,
)
async def pass_turn(call: Acting, body: Pass = _PASS) -> Response:
    """Pass the turn.

    For the seat that has the turn and can neither play nor draw. Where nobody can, the hand ends by itself.
    """
    return await _take(call, body)


@router.post(
    "/next-hand",
    response_model=Moved,
    responses=_answers(*_PLAYING, errors.HandNotOver),
    openapi_extra=_EXTRA,
)
async def next_hand(call: Acting, body: NextHand = _NEXT_HAND) -> Response:
    """Deal the next hand.

    While `status` is `hand_over`. Any seat may, and the host; the first one to ask has it dealt. The answer holds what
    is played at once, by CPU seats that are first or as an opening that nobody chooses.
    """

    def command(match: Match, viewer: Viewer, at: datetime) -> Transition:
        return decide(match, viewer.seat, body, at)

    return answers.of_move(await call.change(command, name="next-hand", body=body))


@router.post(
    "/step",
    response_model=Moved,
    responses=_answers(*_PLAYING, errors.HandOver, errors.NoCpuTurn),
    openapi_extra=_EXTRA,
)
async def step(call: Acting, body: Nothing = _NOTHING) -> Response:
    """Let a CPU seat move.

    With the pacing `step` the CPU seat that has the turn waits for this call, and does one thing: a play, one draw or a
    pass. Any seat may call it, and the host. With the pacing `auto` there is never anything to wait for.
    """

    def command(match: Match, _: Viewer, at: datetime) -> Transition:
        return autoplay.step(match, at)

    return answers.of_move(await call.change(command, name="step", body=body, is_step=True))


@router.post(
    "/resign",
    response_model=Moved,
    responses=_answers(NotYourSeat, *_PLAYING),
    openapi_extra=_EXTRA,
)
async def resign(call: Acting, body: Nothing = _NOTHING) -> Response:
    """Give up the match.

    The team of the caller's seat loses it, whoever has the turn.
    """

    def command(match: Match, viewer: Viewer, at: datetime) -> Transition:
        assert viewer.seat is not None
        return endings.resign(match, viewer.seat, at)

    return answers.of_move(await call.change(command, name="resign", body=body, permit=seats_only))


@router.post(
    "/cancel",
    response_model=Moved,
    responses=_answers(HostOnly, errors.MatchFinished),
    openapi_extra=_EXTRA,
)
async def cancel(call: Acting, body: Nothing = _NOTHING) -> Response:
    """End a match without a result.

    The host may, and so may a person if all other seats are CPU seats. A match that waits for people cancels itself
    after a day.
    """

    def command(match: Match, _: Viewer, at: datetime) -> Transition:
        return endings.cancel(match, at)

    return answers.of_move(await call.change(command, name="cancel", body=body, permit=host_only))


async def _take(call: Call, turn: Turn) -> Response:
    def command(match: Match, viewer: Viewer, at: datetime) -> Transition:
        assert viewer.seat is not None
        return decide(match, viewer.seat, turn, at)

    return answers.of_move(await call.change(command, name=turn.type, body=turn, permit=seats_only))
