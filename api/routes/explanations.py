"""What the `type` of a problem leads to: a page that says what happened and what to do, and an index of them all.

The texts are those of the code: a refusal's docstring says what happened and, in further paragraphs, what else to do
than its `detail` says. The calls that may be refused are those of the OpenAPI document.
"""

import html
import inspect
import json
import re
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any, Final

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from api.declared import example
from api.problems import (
    MEDIA_TYPE,
    NotFound,
    Problem,
    Refusal,
    all_refusals,
    render,
    status_of,
)

router = APIRouter(include_in_schema=False)

POLICY: Final = "default-src 'none'; frame-ancestors 'none'; img-src 'self'; style-src 'self'"
PAGE: Final = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}: Capicua</title>
<link rel="icon" href="{root}docs/icon.svg">
<link rel="stylesheet" href="{root}docs/style.css">
</head>
<body>
<main>
<nav><a href="{root}problems">All problems</a> · <a href="{root}docs">The calls</a></nav>
<h1>{title}</h1>
{content}
</main>
</body>
</html>
"""
ABOUT: Final = """<p>Every refusal is an <code>application/problem+json</code>. Its <code>code</code> is what a program
looks at, and its <code>type</code> leads to a page below. A call that is refused with a status below 500 has changed
nothing.</p>"""


@router.get("/problems")
async def problems() -> HTMLResponse:
    """All codes, by status."""
    kinds = sorted(all_refusals(), key=status_of)
    statuses = dict.fromkeys(map(status_of, kinds))
    parts = [ABOUT]
    for status in statuses:
        items = [_item(kind) for kind in kinds if status_of(kind) == status]
        parts += [f"<h2>{_name(status)}</h2>", "<ul>", *items, "</ul>"]
    return _page("Problems", "\n".join(parts), root="")


@router.get("/problems/{code}")
async def problem(code: str, request: Request) -> HTMLResponse:
    """What a code says, for each status that it comes with."""
    kinds = [kind for kind in all_refusals() if kind.code == code]
    if not kinds:
        raise NotFound
    document = request.app.openapi()
    parts = [f"<p><code>{code}</code></p>", *(_explained(kind, document) for kind in kinds)]
    return _page(kinds[0].title, "\n".join(parts), root="../")


def _page(title: str, content: str, *, root: str) -> HTMLResponse:
    page = PAGE.format(title=html.escape(title), content=content, root=root)
    return HTMLResponse(page, headers={"Content-Security-Policy": POLICY})


def _item(kind: Refusal) -> str:
    return f'<li><a href="problems/{kind.code}"><code>{kind.code}</code></a> {html.escape(kind.title)}</li>'


def _name(status: HTTPStatus) -> str:
    return f"{status.value} {status.phrase}"


def _explained(kind: Refusal, document: Mapping[str, Any]) -> str:
    happened, *more = inspect.cleandoc(kind.__doc__ or "").split("\n\n")
    status = status_of(kind)
    calls = list(_calls(kind.code, status, document))
    return "\n".join(
        [
            f"<h2>{_name(status)}</h2>",
            "<h3>What happened</h3>",
            _paragraph(happened),
            "<h3>What to do</h3>",
            *map(_paragraph, filter(None, [kind.detail, *more])),
            "<h3>An answer</h3>",
            f"<pre>{html.escape(_answer(kind))}</pre>",
            "<h3>Calls that may be refused with it</h3>",
            *(["<ul>", *calls, "</ul>"] if calls else [_paragraph("Any request: it is not about one call.")]),
        ]
    )


def _paragraph(text: str) -> str:
    marked = re.sub("`([^`]+)`", r"<code>\1</code>", html.escape(text))
    return f"<p>{marked}</p>"


def _answer(kind: Refusal) -> str:
    error = example(kind)
    headers = {"Content-Type": MEDIA_TYPE, **(error.headers if isinstance(error, Problem) else {})}
    body = json.dumps(json.loads(bytes(render(error).body)), indent=2)
    return "\n".join(
        [f"HTTP/1.1 {_name(status_of(kind))}", *(f"{name}: {text}" for name, text in headers.items()), "", body]
    )


def _calls(code: str, status: HTTPStatus, document: Mapping[str, Any]) -> Iterator[str]:
    """A line for each operation that declares the code with the status."""
    shared = document.get("components", {}).get("responses", {})
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            response = operation["responses"].get(str(status.value), {})
            response = shared.get(response.get("$ref", "").rpartition("/")[2], response)
            if json.dumps(code) in json.dumps(response):
                place = f"../docs#/{operation['tags'][0]}/{operation['operationId']}"
                yield f'<li><a href="{place}"><code>{method.upper()} {path}</code></a></li>'
