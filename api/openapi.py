"""The published OpenAPI document: what FastAPI derives from the routes, put right where it says something else."""

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute
from pydantic.json_schema import models_json_schema

from api.problems import ProblemDetails

TAGS: Final = (
    {"name": "matches", "description": "Create and watch matches, and act in them."},
    {"name": "events", "description": "The log of a match: gapless, and what its state is made of."},
    {"name": "rulesets", "description": "The games that can be played, as data."},
    {"name": "health", "description": "For load balancers and orchestrators."},
)
BEARER: Final = {
    "type": "http",
    "scheme": "bearer",
    "description": "A seat token or the host token, as creating a match returns them.",
}
REFERENCE: Final = "#/components/schemas/{model}"


def operation_id(route: APIRoute) -> str:
    """An operation is called as its function is, and so are the methods of generated clients."""
    return route.name


def openapi(app: FastAPI) -> dict[str, Any]:
    """The document, made once."""
    if app.openapi_schema is None:
        app.openapi_schema = _document(app)
    return app.openapi_schema


def _document(app: FastAPI) -> dict[str, Any]:
    document = get_openapi(
        title=app.title,
        version=app.version,
        summary=app.summary,
        description=app.description,
        routes=app.routes,
        tags=app.openapi_tags,
        servers=app.servers,
        license_info=app.license_info,
    )
    for operation in _operations(document):
        _drop_framework_errors(operation)
        _require_token(operation)
    components = document.setdefault("components", {})
    _, problem = models_json_schema([(ProblemDetails, "serialization")], ref_template=REFERENCE)
    schemas = {**components.get("schemas", {}), **problem["$defs"]}
    for framework in ("HTTPValidationError", "ValidationError"):
        schemas.pop(framework, None)
    components["schemas"] = dict(sorted(schemas.items()))
    components["securitySchemes"] = {"bearer": BEARER}
    document["security"] = [{}, {"bearer": []}]
    whole: dict[str, Any] = _with_whole_numbers(document)
    return _named_by_use(whole)


def _with_whole_numbers(part: Any) -> Any:
    """FastAPI makes floats of all bounds, those of integers too: 90 becomes 90.0."""
    match part:
        case dict():
            return {name: _with_whole_numbers(value) for name, value in part.items()}
        case list():
            return [_with_whole_numbers(value) for value in part]
        case float() if part.is_integer():
            return int(part)
    return part


def _named_by_use(document: dict[str, Any]) -> dict[str, Any]:
    """Pydantic calls a type `Play-Output` where it is answered and `Play-Input` where it is sent; clients are generated
    from these names, so that the one is `Play` and the other `PlayRequest`.
    """
    named: dict[str, Any] = json.loads(
        re.sub(r'-Output(?=")', "", re.sub(r'-Input(?=")', "Request", json.dumps(document)))
    )
    for name, schema in named["components"]["schemas"].items():
        schema["title"] = name  # which some generators go by
    return named


def _operations(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for path in document["paths"].values():
        yield from path.values()


def _drop_framework_errors(operation: dict[str, Any]) -> None:
    """FastAPI adds its own 422, which is never sent, where a route with parameters declares none."""
    declared = operation["responses"].get("422", {}).get("content", {})
    if "HTTPValidationError" in str(declared.get("application/json")):
        del operation["responses"]["422"]


def _require_token(operation: dict[str, Any]) -> None:
    """A call that may be refused with `token-required` is not one that a spectator may make."""
    if "token-required" in json.dumps(operation["responses"].get("401", {})):
        operation["security"] = [{"bearer": []}]
