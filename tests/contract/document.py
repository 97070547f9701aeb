"""The published OpenAPI document, and whether an answer is one that it describes."""

import json
import re
from collections.abc import Iterator
from typing import Any, Final

import httpx
from jsonschema_rs import Draft202012Validator

from tests.documents import ROOT

PUBLISHED: Final = ROOT / "openapi" / "openapi.json"
DOCUMENT: Final[dict[str, Any]] = json.loads(PUBLISHED.read_text(encoding="utf-8"))
OPERATIONS: Final[dict[str, dict[str, Any]]] = {
    f"{method.upper()} {path}": operation
    for path, operations in DOCUMENT["paths"].items()
    for method, operation in operations.items()
}


def resolved(part: dict[str, Any]) -> dict[str, Any]:
    """What a reference refers to, or the part itself."""
    if "$ref" not in part:
        return part
    _, *steps = part["$ref"].split("/")
    found: Any = DOCUMENT
    for step in steps:
        found = found[step]
    assert isinstance(found, dict)
    return found


def validator(schema: dict[str, Any]) -> Draft202012Validator:
    """Judges values by a schema of the document."""
    return Draft202012Validator({**schema, "components": DOCUMENT["components"]}, validate_formats=True)


class Contract:
    """What requests and answers are held against."""

    def __init__(self) -> None:
        self._paths = [(re.compile(re.sub(r"\{\w+\}", "[^/]+", path)), path) for path in DOCUMENT["paths"]]
        self._validators: dict[str, Draft202012Validator] = {}

    async def hold(self, response: httpx.Response) -> None:
        """A hook for clients. What the document says nothing of, such as pages and other methods, passes."""
        await response.aread()
        request = response.request
        path = next((path for shape, path in self._paths if shape.fullmatch(request.url.path)), "")
        method = "get" if request.method == "HEAD" else request.method.lower()
        operation = DOCUMENT["paths"].get(path, {}).get(method)
        if operation is None:
            return
        place, status = f"{request.method} {path}", str(response.status_code)
        assert status in operation["responses"], f"{place} does not describe {status}: {response.text}"
        described = resolved(operation["responses"][status])
        for name, header in described.get("headers", {}).items():
            assert not header.get("required") or name in response.headers, f"{place} {status} lacks {name}"
        if "content" in described:
            if response.is_error and response.content:
                codes = described["content"]["application/problem+json"]["examples"]
                assert response.json()["code"] in codes, f"{place} {status} is {response.text}"
            self._fits(f"{place} {status}", described["content"], response, b"" if request.method == "HEAD" else None)
        else:
            assert not response.content, f"{place} {status} has a body"
        if response.is_success and "requestBody" in operation:
            self._fits(place, operation["requestBody"]["content"], request, b"{}" if not request.content else None)

    def _fits(
        self, place: str, described: dict[str, Any], message: httpx.Request | httpx.Response, instead: bytes | None
    ) -> None:
        """Whether a message's body, or what stands for it, is of a described type and fits its schema."""
        content = message.content if instead is None else instead
        media_type = message.headers.get("content-type", "application/json")
        assert media_type in described, f"{place} is {media_type}"
        if place not in self._validators:
            self._validators[place] = validator(described[media_type]["schema"])
        if content:
            told = list(_read(content.decode(), media_type))
            errors = [error for each in told for error in self._validators[place].iter_errors(each)]
            assert [f"{place} {error.instance_path}: {error.message}" for error in errors] == []


def _read(content: str, media_type: str) -> Iterator[Any]:
    """What of a message fits the schema of its type."""
    if media_type == "text/event-stream":
        yield from _frames(content)
    else:
        yield content if media_type == "image/svg+xml" else json.loads(content)


def _frames(stream: str) -> Iterator[dict[str, str]]:
    """The events of a stream, without its comments and what else is between them."""
    for block in stream.split("\n\n"):
        if block.startswith("id: "):
            yield dict(line.split(": ", 1) for line in block.splitlines())
