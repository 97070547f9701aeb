"""Pages for people: the contract, and an explanation of each problem. They need nothing from the internet."""

import html
import inspect
from importlib.metadata import distribution
from pathlib import Path
from typing import Final

from fastapi import APIRouter, Request
from fastapi.openapi.docs import get_swagger_ui_html
from fastapi.responses import FileResponse, HTMLResponse, RedirectResponse

from api.problems import NotFound, all_refusals, status_of
from api.whole_file import WholeFile

router = APIRouter(include_in_schema=False)

ASSETS: Final = Path(str(distribution("fastapi-offline").locate_file("fastapi_offline/static")))
"""Swagger UI as that package brings it; of the package's code nothing is used."""

ASSET_NAMES: Final = frozenset({"swagger-ui-bundle.js", "swagger-ui.css"})
POLICY: Final = (
    "default-src 'none'; frame-ancestors 'none'; connect-src 'self'; img-src 'self' data:; "
    "script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'"
)
"""`unsafe-inline`, as a script in the page starts Swagger UI; nothing that anybody sent is on these pages."""

ICON: Final = (
    "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'>"
    "<rect x='4' width='8' height='16' rx='1.5' fill='%23222'/><path d='M5 8h6' stroke='%23fff'/>"
    "<g fill='%23fff'><circle cx='8' cy='4' r='1'/><circle cx='8' cy='12' r='1'/></g></svg>"
)
PAGE: Final = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>body {{ font: 1.1rem/1.5 system-ui, sans-serif; margin: 3rem auto; max-width: 40rem; padding: 0 1rem }}</style>
<h1>{title}</h1>
<p>Status {status}, <code>{code}</code></p>
<p>{explanation}</p>
<p>{detail}</p>
"""


@router.get("/")
async def home() -> RedirectResponse:
    """Where somebody who opens the service in a browser wants to be."""
    return RedirectResponse("docs")


@router.get("/docs")
async def docs(request: Request) -> HTMLResponse:
    """The OpenAPI document, to read and to try."""
    page = get_swagger_ui_html(
        openapi_url="openapi.json",
        title=request.app.title,
        swagger_js_url="docs/swagger-ui-bundle.js",
        swagger_css_url="docs/swagger-ui.css",
        swagger_favicon_url=ICON,
    )
    page.headers["Content-Security-Policy"] = POLICY
    return page


@router.get("/docs/{name}")
async def docs_asset(name: str) -> FileResponse:
    """A script or style of that page."""
    if name not in ASSET_NAMES:
        raise NotFound
    return WholeFile(ASSETS / name, headers={"Cache-Control": "public, max-age=86400"})


@router.get("/problems/{code}")
async def problem(code: str) -> HTMLResponse:
    """What the `type` of a problem leads to."""
    kinds = [kind for kind in all_refusals() if kind.code == code]
    if not kinds:
        raise NotFound
    kind = kinds[0]
    page = PAGE.format(
        title=html.escape(kind.title),
        status=" or ".join(str(int(status_of(each))) for each in kinds),
        code=html.escape(code),
        explanation=html.escape(inspect.cleandoc(kind.__doc__ or "")),
        detail=html.escape(kind.detail),
    )
    return HTMLResponse(page, headers={"Content-Security-Policy": POLICY})
