"""The table for people, in a browser: the files of `web/`, as they are."""

from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Final

from fastapi import APIRouter, Request, Response

from api.fixed import Fixed

TYPES: Final = {".css": "text/css", ".html": "text/html", ".js": "text/javascript", ".svg": "image/svg+xml"}
"""Files that are served, by their endings; what else there is, such as tools that check them, is not."""

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""All of the page comes from here, and it calls nobody else; its forms are its script's."""


def folder() -> Path:
    """Where the files are: inside this package in a wheel, and beside it in a checkout."""
    package = Path(__file__).parents[1]
    packaged = package / "web"
    return packaged if packaged.exists() else package.parent / "web"


def files() -> Iterator[Path]:
    """Those that are served."""
    return (path for path in sorted(folder().iterdir()) if path.suffix in TYPES)


def _endpoint(path: Path) -> Callable[[Request], Awaitable[Response]]:
    headers = {"Cache-Control": "no-cache", "Content-Security-Policy": POLICY}
    fixed = Fixed.of(path.read_bytes(), TYPES[path.suffix], headers)

    async def endpoint(request: Request) -> Response:
        return fixed.answer_if_new(request)

    return endpoint


def _router() -> APIRouter:
    """Each file at its name, and `index.html` at `/` too. They change with the service alone, and are read once."""
    router = APIRouter(include_in_schema=False)
    for path in files():
        endpoint = _endpoint(path)
        router.add_api_route(f"/{path.name}", endpoint, response_model=None)
        if path.name == "index.html":
            router.add_api_route("/", endpoint, response_model=None)
    return router


router: Final = _router()
