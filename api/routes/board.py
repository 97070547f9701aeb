"""The line of play as a picture."""

from http import HTTPStatus
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, ConfigDict, Field

from api import answers, conditions, declared
from api.calls import Known, Watching
from api.fields import DIGITS
from api.json_route import JsonRoute
from api.openapi import operation_id
from api.picture import LARGEST, NARROWEST, USUAL, WIDEST, picture
from api.problems import BadHeader, InvalidRequest, InvalidToken, Unavailable, UnknownMatch

router = APIRouter(
    prefix="/v1/matches/{match_id}", tags=["matches"], route_class=JsonRoute, generate_unique_id_function=operation_id
)

MEDIA_TYPE: Final = "image/svg+xml"
_OPENED: Final = {
    # What a browser that opens the picture by itself may do, and that pages of any site may show it. A 304 says so too:
    # browsers keep what was said last.
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "cross-origin",
}
_PICTURE: Final[dict[str, Any]] = {
    "type": "string",
    "maxLength": LARGEST,
    "description": "An SVG document.",
}


class Size(BaseModel):
    """How large the picture is."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)

    reach: Annotated[int, Field(ge=NARROWEST, le=WIDEST), DIGITS] = USUAL
    """How far a row goes from the middle to either side before it bends, in halves of a tile's width."""


@router.get(
    "/board.svg",
    response_class=Response,
    responses={
        int(HTTPStatus.OK): {
            **declared.answer("The picture.", declared.ETAG)[HTTPStatus.OK],
            "content": {MEDIA_TYPE: {"schema": _PICTURE}},
        }
    }
    | declared.answer("The caller has this picture already.", declared.ETAG, status=HTTPStatus.NOT_MODIFIED)
    | declared.refusals(BadHeader, InvalidRequest, UnknownMatch, InvalidToken, Unavailable),
    openapi_extra=conditions.parameters(conditions.IF_NONE_MATCH),
)
async def get_board(call: Watching, size: Annotated[Size, Query()], known: Known) -> Response:
    """Get the line of play as a picture.

    An SVG document that needs nothing else: what lies face up, with the numbers that open ends ask for, and the line in
    words as its description. It looks the same to everybody, so that a page of any site can show it without a token,
    as `<img src="…/board.svg">`. With an `ETag` as `If-None-Match` the answer is 304 while nothing has happened.
    """
    match, viewer = await call.seen()
    headers = answers.state_headers(match, viewer) | _OPENED
    if conditions.entity_tag(match, viewer) in known:
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    return Response(picture(match, size.reach), headers=headers, media_type=MEDIA_TYPE)
