"""The published document says all that a client has to know, and nothing that it cannot rely on."""

import json
import re
from collections.abc import Iterator
from typing import Any, Final

import httpx
import pytest

from api.limits import MOST_NESTING, MOST_VALUES
from api.problems import MEDIA_TYPE
from tests.api.provoked import CATALOGUE
from tests.contract.document import DOCUMENT, OPERATIONS, PUBLISHED, resolved

SEAT: Final[dict[str, Any]] = {"seat_token": []}
HOST: Final[dict[str, Any]] = {"host_token": []}
SPELT_OUT: Final = {"uuid", "date-time"}
"""Formats that bound a string by themselves."""

OPEN: Final = {"FieldError", "Health", "ProblemDetails"}
"""Objects to which members may be added without a word to clients, as RFC 9457 has it of problems."""


def schemas(part: Any = DOCUMENT, place: str = "#") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every schema that says a type, and where it is; what merely narrows another one is left out."""
    match part:
        case dict():
            if isinstance(part.get("type"), str):
                yield place, part
            for name, inner in part.items():
                if name not in {"default", "example", "examples"}:
                    yield from schemas(inner, f"{place}/{name}")
        case list() if not place.endswith("/allOf"):
            for index, inner in enumerate(part):
                yield from schemas(inner, f"{place}/{index}")


def unbounded(kind: str, *bounds: str) -> list[str]:
    found = [(place, schema) for place, schema in schemas() if schema["type"] == kind]
    assert found
    return [
        place
        for place, schema in found
        if not schema.keys() & {"enum", "const"}
        and schema.get("format") not in SPELT_OUT
        and not set(bounds) <= schema.keys()
    ]


def test_every_number_string_and_list_is_bounded() -> None:
    assert unbounded("integer", "minimum", "maximum") == []
    assert unbounded("string", "maxLength") == []
    assert unbounded("array", "maxItems") == []
    assert unbounded("number", "minimum", "maximum") == []


def largest(schema: dict[str, Any]) -> tuple[int, int]:
    """How many values lists and objects of this schema hold together at most, and how deep they are."""
    schema = resolved(schema)
    choices = schema.get("anyOf") or schema.get("oneOf")
    if choices:
        sizes = [largest(choice) for choice in choices]
        return max(values for values, _ in sizes), max(depth for _, depth in sizes)
    if schema["type"] == "array":
        values, depth = largest(schema["items"])
        return schema["maxItems"] * (1 + values), 1 + depth
    if schema["type"] == "object":
        sizes = [largest(member) for member in schema["properties"].values()]
        return sum(1 + values for values, _ in sizes), 1 + max([depth for _, depth in sizes], default=0)
    return 0, 0


def test_every_body_that_fits_is_within_the_limits_on_bodies() -> None:
    bodies = [operation["requestBody"]["content"] for operation in OPERATIONS.values() if "requestBody" in operation]
    assert bodies
    for body in bodies:
        values, depth = largest(body["application/json"]["schema"])
        assert (values <= MOST_VALUES // 2, depth <= MOST_NESTING // 2) == (True, True)


def test_every_object_is_closed() -> None:
    """A client that sends a member that is not there is told so, and what is answered is all described."""
    still_open = [
        place
        for place, schema in schemas()
        if schema["type"] == "object" and schema.get("additionalProperties") is not False
    ]
    expected = {f"#/components/schemas/{name}" for name in OPEN} | {"#/components/schemas/Parameter/properties/schema"}
    assert set(still_open) == expected


def test_bounds_are_whole_numbers() -> None:
    assert re.findall(r'"(?:min|max)[A-Za-z]+": -?\d+\.\d+[,\n]', PUBLISHED.read_text(encoding="utf-8")) == []


def test_every_keyword_is_one_of_json_schema() -> None:
    """Pydantic passes on what it cannot translate, such as `ge`."""
    known = {
        *("type", "title", "description", "default", "examples", "enum", "const", "format", "pattern", "items"),
        *("minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"),
        *("properties", "required", "additionalProperties", "contentMediaType", "contentSchema"),
    }
    assert {place: schema.keys() - known for place, schema in schemas() if not schema.keys() <= known} == {
        "#/components/securitySchemes/host_token": {"scheme"},
        "#/components/securitySchemes/seat_token": {"scheme"},
    }


def answer_types(operation_id: str, status: int) -> list[str]:
    if status in {204, 304}:
        return []
    return [{"get_board": "image/svg+xml", "stream_events": "text/event-stream"}.get(operation_id, "application/json")]


@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=OPERATIONS)
def test_an_operation_says_what_it_does_and_what_it_answers(operation: dict[str, Any]) -> None:
    assert re.fullmatch("[a-z]+(_[a-z]+)*", operation["operationId"])
    assert operation["summary"]
    assert operation["description"].endswith(".")
    assert all(parameter["description"] for parameter in operation.get("parameters", []))
    for status, response in operation["responses"].items():
        answer = resolved(response)
        assert answer["description"] not in {"", "Successful Response"}
        if int(status) < 400:
            assert list(answer.get("content", [])) == answer_types(operation["operationId"], int(status))
            continue
        assert list(answer["content"]) == [MEDIA_TYPE]
        codes = answer["content"][MEDIA_TYPE]["examples"]
        assert {(code, int(status)) for code in codes} <= CATALOGUE
        assert all(f"`{code}`" in answer["description"] for code in codes)


def test_a_body_is_required_where_an_empty_one_would_not_do() -> None:
    bodies = {name: operation["requestBody"] for name, operation in OPERATIONS.items() if "requestBody" in operation}
    required = {name.rpartition("/")[2] for name, body in bodies.items() if body.get("required")}
    optional = {name.rpartition("/")[2] for name, body in bodies.items() if not body.get("required")}
    assert required == {"matches", "play", "{seat}"}
    assert optional == {"cancel", "draw", "join", "next-hand", "pass", "resign", "step"}


def test_a_token_is_required_where_one_acts() -> None:
    for name, operation in OPERATIONS.items():
        codes = json.dumps(resolved(operation["responses"].get("401", {})))
        security = operation.get("security", DOCUMENT["security"])
        if "token-required" in codes:
            of_seats = name.rpartition("/")[2] in {"play", "draw", "pass", "resign", "hint"}
            assert security == ([SEAT] if of_seats else [SEAT, HOST]), name
        elif "invalid-token" in codes:
            assert security == [{}, SEAT, HOST], name
        else:
            assert security == [], name


def test_a_union_says_which_member_it_is() -> None:
    text = json.dumps(DOCUMENT)
    assert text.count('"oneOf"') == text.count('"discriminator"') == text.count('"mapping"') > 0


def test_every_member_is_described() -> None:
    members = [
        (f"{name}.{member}", described)
        for name, schema in DOCUMENT["components"]["schemas"].items()
        for member, described in schema.get("properties", {}).items()
    ]
    assert [place for place, member in members if not member.keys() & {"description", "const"}] == []


def test_no_member_has_a_default() -> None:
    """There are generators of clients for which it has to be sent then; the description tells it."""
    assert [place for place, schema in schemas(DOCUMENT["components"]["schemas"]) if "default" in schema] == []


def test_a_component_is_titled_by_its_name() -> None:
    for name, schema in DOCUMENT["components"]["schemas"].items():
        assert schema["title"] == name
        assert schema["description"]


@pytest.mark.parametrize("path", DOCUMENT["paths"])
async def test_a_path_answers_the_methods_that_are_described_and_no_others(
    client: httpx.AsyncClient, path: str
) -> None:
    described = [method.upper() for method in DOCUMENT["paths"][path]]
    allowed = {*described, "OPTIONS", *(["HEAD"] if "GET" in described else [])}
    asked = re.sub(r"\{\w+\}", "1", path)
    options = await client.options(asked)
    assert options.status_code == 204
    assert set(options.headers["allow"].split(", ")) == allowed
    for method in ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE", "QUERY"):
        answer = await client.request(method, asked)
        if method in allowed:
            assert answer.status_code not in {405, 501}
        else:
            assert answer.status_code == 405
            assert answer.headers["allow"] == options.headers["allow"]


async def test_the_service_answers_the_published_document(client: httpx.AsyncClient) -> None:
    assert (await client.get("/openapi.json")).json() == DOCUMENT
