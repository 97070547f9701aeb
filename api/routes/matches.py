"""Matches: create, list and read."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import replace
from http import HTTPStatus
from secrets import token_bytes
from typing import Annotated, Final
from uuid import UUID

from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from api import answers, conditions, declared
from api.auth import Tokens
from api.calls import Known, Watching, moved
from api.creation import create_once, seated_at_first
from api.fields import DIGITS, never_null
from api.json_route import JsonRoute
from api.matches import Matches
from api.openapi import operation_id
from api.problems import (
    BadHeader,
    FieldError,
    IdempotencyMismatch,
    InvalidRequest,
    InvalidToken,
    Unavailable,
    UnknownMatch,
    UnknownRulesetInBody,
)
from api.schemas import MOST_LISTED, Created, CreateMatch, Cursor, MatchPage, SeatToken
from engine import errors
from engine.catalogue import RULESETS
from engine.deal import seed_for
from engine.match import Setup, Status
from engine.players import Cpu, Human, Player
from engine.rulesets import Ruleset
from engine.view import MatchView, summary, view

router = APIRouter(
    prefix="/v1/matches", tags=["matches"], route_class=JsonRoute, generate_unique_id_function=operation_id
)

_VIEW: Final = TypeAdapter(MatchView)
_CREATED: Final = TypeAdapter(Created)
_PAGE: Final = TypeAdapter(MatchPage)
_NO_ID: Final = UUID(int=0)


async def _secret_key(request: Request) -> str | None:
    return conditions.idempotency_key(request.headers, is_secret=True)


SecretKey = Annotated[str | None, Depends(_secret_key)]
"""Judged before the body is."""


class ListQuery(BaseModel):
    """Which part of the list."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)

    status: Status | None = Field(default=None, json_schema_extra=never_null)
    """Only matches that stand like this; `waiting` ones have open seats."""

    limit: Annotated[int, Field(ge=1, le=MOST_LISTED), DIGITS] = 20
    """The most matches on the page."""

    cursor: Cursor | None = Field(default=None, json_schema_extra=never_null)
    """The `next_cursor` of the page before."""


@router.post(
    "",
    status_code=HTTPStatus.CREATED,
    response_model=Created,
    responses=declared.answer(
        "The match, what has happened in it, and the tokens that act in it.",
        declared.LOCATION,
        declared.ETAG,
        declared.REPLAYED,
        status=HTTPStatus.CREATED,
    )
    | declared.refusals(
        *declared.POSTING,
        UnknownRulesetInBody,
        errors.InvalidRules,
        errors.InvalidDeal,
        IdempotencyMismatch,
        Unavailable,
    ),
    openapi_extra={"security": [], **conditions.parameters(conditions.SECRET_KEY)},
)
async def create_match(body: CreateMatch, request: Request, key: SecretKey) -> Response:
    """Create a match.

    Only `ruleset` is required: then seat 0 is a person, and CPU seats of level `medium` take the others. The first hand
    is dealt at once, unless a seat is `open`. With pacing `auto`, CPU seats that are first have moved already.

    The answer holds a token for each `human` seat and one for the host. Send the seat's as
    `Authorization: Bearer TOKEN` with every call on the match, and keep it secret. Then post an entry of
    `match.hand.legal_moves`, as it is, to the call that its `type` names, until `match.status` is `finished`.
    """
    matches: Matches = request.app.state.matches
    tokens: Tokens = request.app.state.tokens
    outcome = await create_once(matches, _setup(body), body, key)
    match_id, seen = outcome.match.setup.id, moved(outcome)
    created = Created(
        match=seen.match,
        events=seen.events,
        tokens=tuple([SeatToken(seat, tokens.seat(match_id, seat)) for seat in seated_at_first(outcome.match)]),
        host_token=tokens.host(match_id),
    )
    headers = {
        "Location": f"/v1/matches/{match_id}",
        "ETag": conditions.entity_tag(outcome.match, outcome.viewer),
        **answers.replay_headers(outcome),
    }
    return answers.of_json(_CREATED, created, HTTPStatus.CREATED, headers)


@router.get(
    "",
    response_model=MatchPage,
    responses=declared.answer("Listed matches, newest first.", declared.LINK)
    | declared.refusals(InvalidRequest, Unavailable),
    openapi_extra={"security": []},
)
async def list_matches(request: Request, query: Annotated[ListQuery, Query()]) -> Response:
    """List matches.

    Those that were created with `listed`, newest first: a lobby. `status=waiting` finds the ones with open seats. The
    next page is where the header `Link` says, or the same call with `cursor`.
    """
    matches: Matches = request.app.state.matches
    before = None if query.cursor is None else UUID(bytes=urlsafe_b64decode(f"{query.cursor}=="))
    found = await matches.store.listed(status=query.status, before=before, limit=query.limit + 1)
    shown = found[: query.limit]
    cursor = None
    headers = {"Cache-Control": "no-cache"}
    if len(found) > len(shown):
        cursor = urlsafe_b64encode(shown[-1].setup.id.bytes).rstrip(b"=").decode()
        target = request.url.include_query_params(cursor=cursor)
        headers["Link"] = f'<{target.path}?{target.query}>; rel="next"'
    return answers.of_json(_PAGE, MatchPage(tuple(map(summary, shown)), cursor), headers=headers)


@router.get(
    "/{match_id}",
    response_model=MatchView,
    responses=declared.answer(
        "The match, with null for what this caller may not know.", declared.ETAG, declared.APPLIED
    )
    | declared.answer(
        "The caller has this state already.", declared.ETAG, declared.APPLIED, status=HTTPStatus.NOT_MODIFIED
    )
    | declared.refusals(BadHeader, UnknownMatch, InvalidToken, Unavailable),
    openapi_extra=conditions.parameters(conditions.IF_NONE_MATCH, conditions.PREFER_WAIT),
)
async def get_match(call: Watching, known: Known) -> Response:
    """Get a match.

    It is shown as this caller may see it: with a seat's token its own tiles and legal moves, without a token what lies
    face up.

    With the `ETag` of the state that the caller has as `If-None-Match`, the answer is 304 while that is the state
    still. To wait for another one send `Prefer: wait=20` too: it comes as soon as there is one, and the 304 once the
    wait is over.
    """
    match, viewer = await call.seen()
    applied = {}
    is_known = conditions.entity_tag(match, viewer) in known
    if is_known and (seconds := conditions.wait_seconds(call.headers)) is not None:
        applied = {"Preference-Applied": f"wait={seconds}"}
        if await call.waited(match, match.version, seconds):
            match, viewer = await call.seen()
            is_known = conditions.entity_tag(match, viewer) in known
    headers = answers.state_headers(match, viewer) | applied
    if is_known:
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    return answers.of_json(_VIEW, view(match, viewer), headers=headers)


def _setup(body: CreateMatch) -> Setup:
    if (ruleset := RULESETS.get(body.ruleset)) is None:
        raise UnknownRulesetInBody
    players = _players(ruleset, body.seats)
    return Setup(
        id=_NO_ID,
        ruleset=ruleset.id,
        rules=replace(ruleset.tables[len(players)], **body.rules),
        players=players,
        pacing=body.pacing,
        auto_pass=body.auto_pass,
        deal=body.deal,
        seed=seed_for(body.deal, token_bytes(32)),
        listed=body.listed,
        clock=body.clock,
        hints=body.hints,
    )


def _players(ruleset: Ruleset, seats: tuple[Player, ...]) -> tuple[Player, ...]:
    if not seats:
        return (Human(), *[Cpu()] * (ruleset.seat_counts[0] - 1))
    if len(seats) not in ruleset.seat_counts:
        counts = " or ".join(map(str, sorted(ruleset.seat_counts)))
        raise InvalidRequest([FieldError(pointer="#/seats", detail=f"This rule set is played with {counts} seats.")])
    return seats
