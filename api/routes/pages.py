"""Pages for people: the contract, to read and to try. They need nothing from the internet."""

import hashlib
from functools import cache
from http import HTTPStatus
from importlib.metadata import distribution
from pathlib import Path
from typing import Final

from fastapi import APIRouter, Request
from fastapi.responses import Response

from api.problems import NotFound
from api.whole_file import WholeFile

router = APIRouter(include_in_schema=False)

OWN: Final = Path(__file__).parents[1] / "static"
SWAGGER_UI: Final = Path(str(distribution("fastapi-offline").locate_file("fastapi_offline/static")))
"""Swagger UI as that package brings it; of the package's code nothing is used."""

ASSETS: Final = {
    **{name: (OWN / name, "no-cache") for name in ("docs.js", "icon.svg", "style.css", "table.js")},
    **{name: (SWAGGER_UI / name, "public, max-age=86400") for name in ("swagger-ui-bundle.js", "swagger-ui.css")},
}
"""Where the files of pages are, and how long they are good for: ours change with the service, whose pages need them."""

POLICY: Final = (
    "default-src 'none'; frame-ancestors 'none'; connect-src 'self'; img-src 'self' data:; "
    "script-src 'self'; style-src 'self'"
)
"""Swagger UI's own style sheet has images in it."""


@router.get("/docs")
def docs() -> WholeFile:
    """The OpenAPI document, to read and to try."""
    return WholeFile(OWN / "docs.html", headers={"Content-Security-Policy": POLICY})


@router.get("/docs/{name}")
def docs_asset(name: str, request: Request) -> Response:
    """A script, style or image of a page."""
    if name not in ASSETS:
        raise NotFound
    path, good_for = ASSETS[name]
    headers = {"Cache-Control": good_for, "ETag": _etag(path)}
    if headers["ETag"] in request.headers.get("if-none-match", ""):
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    return WholeFile(path, headers=headers)


@cache
def _etag(path: Path) -> str:
    """By what the file holds: in a wheel all files are of the same time."""
    return f'"{hashlib.sha256(path.read_bytes()).hexdigest()}"'
