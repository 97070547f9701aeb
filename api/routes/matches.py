"""Matches: create, read, and act in them."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from http import HTTPStatus
from secrets import randbits, token_bytes
from typing import Annotated, Any, Final
from uuid import UUID

from fastapi import APIRouter, Path, Request, Response
from pydantic import TypeAdapter

from api.auth import Tokens, human_seats
from api.calls import Acting, Command, Watching, moved
from api.json_route import JsonRoute
from api.openapi import operation_id
from api.problems import (
    FieldError,
    HostOnly,
    InvalidRequest,
    InvalidToken,
    MalformedJson,
    NotYourSeat,
    PayloadTooLarge,
    Refusal,
    TokenRequired,
    Unavailable,
    UnknownMatch,
    UnknownRulesetInBody,
    UnknownSeat,
    UnsupportedMediaType,
    responses,
)
from api.schemas import ChangeLevel, Created, CreateMatch, Moved, Nothing, SeatToken
from engine import autoplay, errors
from engine.deal import seed_for
from engine.match import Match, Setup, Transition, change_level, create, decide
from engine.moves import Draw, NextHand, Pass, Play, Turn
from engine.players import Cpu, Human, Player
from engine.rulesets import RULESETS, Ruleset
from engine.view import HOST, MatchView, Viewer, view

router = APIRouter(
    prefix="/v1/matches", tags=["matches"], route_class=JsonRoute, generate_unique_id_function=operation_id
)

_BODY: Final[tuple[Refusal, ...]] = (PayloadTooLarge, UnsupportedMediaType, MalformedJson, InvalidRequest)
_READ: Final[tuple[Refusal, ...]] = (UnknownMatch, InvalidToken, Unavailable)
_ACT: Final[tuple[Refusal, ...]] = (*_BODY, TokenRequired, *_READ, errors.MatchFinished)
_TURN: Final[tuple[Refusal, ...]] = (*_ACT, NotYourSeat, errors.HandOver, errors.NotYourTurn)

_AFTER: Final = "The match after the call, and the events that the call caused."
_MADE: Final[dict[int | str, dict[str, Any]]] = {
    int(HTTPStatus.CREATED): {
        "description": "The match, what has happened in it, and the tokens that act in it.",
        "headers": {
            "Location": {
                "description": "Where the match is.",
                "required": True,
                "schema": {"type": "string", "format": "uri-reference", "maxLength": 100},
            }
        },
    }
}

_VIEW: Final = TypeAdapter(MatchView)
_MOVED: Final = TypeAdapter(Moved)
_CREATED: Final = TypeAdapter(Created)

_SEAT: Final[dict[str, Any]] = {"pattern": "^[0-3]$", "maxLength": 1}

_DRAW, _PASS, _NEXT_HAND, _NOTHING = Draw(), Pass(), NextHand(), Nothing()
"""What a missing body, which is read as `{}`, means; these defaults say so in the document."""


@router.post(
    "",
    status_code=HTTPStatus.CREATED,
    response_model=Created,
    responses=_MADE | responses(*_BODY, UnknownRulesetInBody, errors.InvalidRules, errors.InvalidDeal, Unavailable),
    openapi_extra={"security": []},
)
async def create_match(body: CreateMatch, request: Request) -> Response:
    """Create a match and deal its first hand. The answer holds the tokens that act in it: keep them secret."""
    at = datetime.now(UTC)
    transition = autoplay.play_on(create(_setup(body, _match_id(at)), at), at)
    await request.app.state.store.create(transition)
    match = transition.match
    humans = human_seats(match)
    tokens: Tokens = request.app.state.tokens
    viewer = Viewer("seat", humans[0]) if len(humans) == 1 else HOST
    seen = moved(transition, viewer)
    created = Created(
        match=seen.match,
        events=seen.events,
        tokens=tuple([SeatToken(seat, tokens.seat(match.setup.id, seat)) for seat in humans]),
        host_token=tokens.host(match.setup.id),
    )
    return _json(_CREATED, created, HTTPStatus.CREATED, {"Location": f"/v1/matches/{match.setup.id}"})


@router.get(
    "/{match_id}",
    response_model=MatchView,
    response_description="The match, with null for what this caller may not know.",
    responses=responses(*_READ),
)
async def get_match(call: Watching) -> Response:
    """The match as this caller may see it: a seat sees its own tiles, everyone else what lies face up."""
    match, viewer = await call.seen()
    return _json(_VIEW, view(match, viewer))


@router.post(
    "/{match_id}/play",
    response_model=Moved,
    response_description=_AFTER,
    responses=responses(
        *_TURN,
        errors.MustOpen,
        errors.TileNotInHand,
        errors.TileDoesNotFit,
        errors.EndNotOpen,
        errors.EndRequired,
    ),
)
async def play(call: Acting, body: Play) -> Response:
    """Play a tile of the caller's seat."""
    return _json(_MOVED, await call.change(_turn(body)))


@router.post(
    "/{match_id}/draw",
    response_model=Moved,
    response_description=_AFTER,
    responses=responses(*_TURN, errors.MustPlay, errors.MustPass, errors.NoSuchPosition),
)
async def draw(call: Acting, body: Draw = _DRAW) -> Response:
    """Draw from the boneyard, for a seat that cannot play."""
    return _json(_MOVED, await call.change(_turn(body)))


@router.post(
    "/{match_id}/pass",
    response_model=Moved,
    response_description=_AFTER,
    responses=responses(*_TURN, errors.MustPlay, errors.MustDraw),
)
async def pass_turn(call: Acting, body: Pass = _PASS) -> Response:
    """Pass the turn of a seat that can neither play nor draw."""
    return _json(_MOVED, await call.change(_turn(body)))


@router.post(
    "/{match_id}/next-hand",
    response_model=Moved,
    response_description=_AFTER,
    responses=responses(*_ACT, errors.HandNotOver),
)
async def next_hand(call: Acting, body: NextHand = _NEXT_HAND) -> Response:
    """Deal the next hand. Any seat may, and the host."""

    def command(match: Match, viewer: Viewer, at: datetime) -> Transition:
        return decide(match, viewer.seat, body, at)

    return _json(_MOVED, await call.change(command))


@router.post(
    "/{match_id}/step",
    response_model=Moved,
    response_description=_AFTER,
    responses=responses(*_ACT, errors.HandOver, errors.NoCpuTurn),
)
async def step(
    call: Acting,
    body: Nothing = _NOTHING,  # noqa: ARG001 - it has to be empty
) -> Response:
    """Let the CPU seat that has the turn do one thing: a play, one draw or a pass. Any seat may, and the host."""

    def command(match: Match, _: Viewer, at: datetime) -> Transition:
        return autoplay.step(match, at)

    return _json(_MOVED, await call.change(command))


@router.patch(
    "/{match_id}/seats/{seat}",
    response_model=Moved,
    response_description=_AFTER,
    responses=responses(*_ACT, UnknownSeat, HostOnly, errors.NotACpuSeat),
)
async def change_seat(
    call: Acting,
    seat: Annotated[str, Path(description="Its number in turn order, from 0.", json_schema_extra=_SEAT)],
    body: ChangeLevel,
) -> Response:
    """Change a CPU seat's level, from its next decision on. The host may, and the only human in a match."""

    def command(match: Match, viewer: Viewer, at: datetime) -> Transition:
        if viewer != HOST and human_seats(match) != [viewer.seat]:
            raise HostOnly
        return change_level(match, int(seat), body.level, at)

    return _json(_MOVED, await call.change(command, seat=seat))


def _turn(turn: Turn) -> Command:
    def command(match: Match, viewer: Viewer, at: datetime) -> Transition:
        if viewer.seat is None:
            raise NotYourSeat
        return decide(match, viewer.seat, turn, at)

    return command


def _setup(body: CreateMatch, match_id: UUID) -> Setup:
    if (ruleset := RULESETS.get(body.ruleset)) is None:
        raise UnknownRulesetInBody
    rules = replace(ruleset.rules, **body.rules)
    players = _players(ruleset, body.seats)
    seed = seed_for(body.deal, token_bytes(32))
    return Setup(match_id, ruleset.id, rules, players, body.pacing, body.auto_pass, body.deal, seed)


def _players(ruleset: Ruleset, seats: tuple[Player, ...]) -> tuple[Player, ...]:
    if not seats:
        return (Human(), *[Cpu()] * (ruleset.seat_counts[0] - 1))
    if len(seats) not in ruleset.seat_counts:
        counts = " or ".join(map(str, ruleset.seat_counts))
        raise InvalidRequest([FieldError(pointer="#/seats", detail=f"This rule set is played with {counts} seats.")])
    return seats


def _match_id(at: datetime) -> UUID:
    """A UUIDv7 (RFC 9562): 48 bits of time in milliseconds and 74 random ones."""
    milliseconds = int(at.timestamp() * 1000)
    return UUID(int=milliseconds << 80 | 0x7 << 76 | randbits(12) << 64 | 0b10 << 62 | randbits(62))


def _json(
    adapter: TypeAdapter[Any],
    body: object,
    status: HTTPStatus = HTTPStatus.OK,
    headers: Mapping[str, str] | None = None,
) -> Response:
    return Response(adapter.dump_json(body), status, headers, media_type="application/json")
