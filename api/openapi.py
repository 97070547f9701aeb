"""The published OpenAPI document: what FastAPI derives from the routes, put right where it says something else."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import is_dataclass
from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute
from pydantic import TypeAdapter
from pydantic.json_schema import models_json_schema

from api import examples, links
from api.problems import MEDIA_TYPE, ProblemDetails
from engine.bounds import Described

TAGS: Final = (
    {"name": "matches", "description": "Create and watch matches, and act in them."},
    {"name": "events", "description": "The log of a match: gapless, and what its state is made of."},
    {"name": "analysis", "description": "What moves are worth: hints in play, and reviews of finished matches."},
    {"name": "rulesets", "description": "The games that can be played, as data."},
    {"name": "health", "description": "For load balancers and orchestrators."},
)
SEAT: Final = "seat_token"
HOST: Final = "host_token"
TOKENS: Final = {
    SEAT: "The token of a seat, as creating or joining a match returns it. Sent to another match, it is refused.",
    HOST: "The token of the host, as creating a match returns it. Sent to another match, it is refused.",
}
"""Security schemes by their names, which are those of the answers' members."""
REFERENCE: Final = "#/components/schemas/{model}"
UNIONS: Final = {
    "numbered": ("Deal", "Where the deals come from, by `kind`."),
    "match_created": ("Event", "Something that happened, by `type`. Ignore types that you do not know."),
    "next-hand": ("Move", "What may be posted, by `type`: to the call of that name, as it is."),
    "human": ("Player", "Who sits in a seat, by `kind`."),
}
"""A name and a description for each union, by one of the tags that tell its members apart."""

MOST_CODES: Final = 3
"""A response with more of them is one call's own, and gets no name."""


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
        contact=app.contact,
    )
    recorded = examples.calls()
    for operation in _operations(document):
        _drop_framework_errors(operation)
        _require_token(operation)
        _summarize(operation)
        _link(operation)
        examples.add(operation, recorded.get(operation["operationId"], []))
    components = document.setdefault("components", {})
    _, problem = models_json_schema([(ProblemDetails, "serialization")], ref_template=REFERENCE)
    schemas = {**components.get("schemas", {}), **problem["$defs"]}
    for framework in ("HTTPValidationError", "ValidationError"):
        schemas.pop(framework, None)
    components["schemas"] = dict(sorted(schemas.items()))
    components["securitySchemes"] = {
        name: {"type": "http", "scheme": "bearer", "description": text} for name, text in TOKENS.items()
    }
    document["security"] = [{}, {SEAT: []}, {HOST: []}]
    components["links"] = links.links()
    components["responses"] = {}
    for operation in _operations(document):
        _share_responses(operation, components["responses"])
    whole: dict[str, Any] = _with_whole_numbers(document)
    named, bases = _with_named_unions(_named_by_use(whole)), dict(_bases(Described))
    for name, schema in named["components"]["schemas"].items():
        _describe_inherited(schema, bases.get(name, ()))
        _tell_defaults(schema)
    return named


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


def _describe_inherited(schema: dict[str, Any], bases: Iterable[type]) -> None:
    """Pydantic reads the docstrings of a class's own fields, and not of those that it inherits."""
    for base in bases:
        for member, described in TypeAdapter(base).json_schema(mode="serialization")["properties"].items():
            if text := described.get("description"):
                schema["properties"][member].setdefault("description", text)


def _bases(kind: type[Described]) -> Iterator[tuple[str, list[type]]]:
    """The classes that inherit from `kind` by their names, and the classes with fields that they inherit from."""
    for each in kind.__subclasses__():
        yield each.__name__, [base for base in each.__mro__[1:] if is_dataclass(base)]
        yield from _bases(each)


def _tell_defaults(schema: dict[str, Any]) -> None:
    """Say in words what a member that is left out means: there are generators for which a default has to be sent."""
    for described in schema.get("properties", {}).values():
        default = described.pop("default", None)
        if default is not None and "const" not in described:
            told = f"`{json.dumps(default).strip(chr(34))}` if left out."
            described["description"] = " ".join(filter(None, [described.get("description"), told]))


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
    """A call that may be refused with `token-required` is not one that a spectator may make, and a host may make those
    that are not of one seat.
    """
    if "token-required" in json.dumps(operation["responses"].get("401", {})):
        is_of_seat = "not-your-seat" in json.dumps(operation["responses"].get("403", {}))
        operation["security"] = [{SEAT: []}] if is_of_seat else [{SEAT: []}, {HOST: []}]


def _summarize(operation: dict[str, Any]) -> None:
    """The first sentence of an endpoint's docstring says what a call does, and the rest what to know of it."""
    summary, _, description = operation["description"].partition("\n\n")
    operation["summary"] = " ".join(summary.split()).rstrip(".")
    operation["description"] = description


def _link(operation: dict[str, Any]) -> None:
    """Say which calls may follow, beside the first answer of success."""
    if following := links.of_operation(operation["operationId"]):
        response = next(each for status, each in operation["responses"].items() if int(status) < 300)
        response["links"] = following


def _share_responses(operation: dict[str, Any], shared: dict[str, Any]) -> None:
    """Give a refusal that many calls have in common a name, that of its codes."""
    for status, response in operation["responses"].items():
        codes = list(response.get("content", {}).get(MEDIA_TYPE, {}).get("examples", []))
        if 0 < len(codes) <= MOST_CODES:
            name = "Or".join(code.title().replace("-", "") for code in codes)
            assert shared.setdefault(name, response) == response
            operation["responses"][status] = {"$ref": f"#/components/responses/{name}"}


def _with_named_unions(document: dict[str, Any]) -> dict[str, Any]:
    """Give each union whose members are told apart by a tag a name, for the clients that are generated from it."""
    named: dict[str, Any] = {}
    replaced: dict[str, Any] = _name_unions(document, named)
    schemas = replaced["components"]["schemas"]
    replaced["components"]["schemas"] = dict(sorted((schemas | named).items()))
    return replaced


def _name_unions(part: Any, named: dict[str, Any]) -> Any:
    match part:
        case {"oneOf": members, "discriminator": {"mapping": tags} as discriminator, **others}:
            [(name, description)] = [found for tag, found in UNIONS.items() if tag in tags]
            union = {"title": name, "description": description, "oneOf": members, "discriminator": discriminator}
            assert named.setdefault(name, union) == union
            others.pop("title", None)
            return {"$ref": REFERENCE.format(model=name), **others}
        case dict():
            return {name: _name_unions(value, named) for name, value in part.items()}
        case list():
            return [_name_unions(value, named) for value in part]
    return part
