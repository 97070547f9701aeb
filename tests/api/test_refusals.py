"""Every way to be refused: as a problem, with the right status, and without a word of what was sent."""

import json
from collections.abc import AsyncIterator
from dataclasses import asdict, dataclass
from typing import Annotated, Any, ClassVar, Literal

import httpx
import psycopg
import pytest
from fastapi import APIRouter, FastAPI, Header, Query, Response
from fastapi.responses import JSONResponse
from hypothesis import given
from hypothesis import strategies as st
from psycopg_pool import PoolTimeout
from pydantic import BaseModel, ConfigDict, Field
from pydantic_core import PydanticCustomError

from api.json_route import JsonRoute
from api.main import create_app
from api.problems import MEDIA_TYPE, MOST_FIELD_ERRORS, ProblemDetails, TokenRequired, Unavailable
from api.settings import Settings
from engine.errors import InvalidDeal, InvalidRules, MustPlay
from tests.api.services import client_of

CANARY = "sesame"


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Cat(Strict):
    kind: Literal["cat"]
    lives: int = Field(le=9)


class Dog(Strict):
    kind: Literal["dog"]
    name: str = Field(max_length=5, pattern="^[a-z]+$")


class Order(Strict):
    number: int | None = None
    ratio: float | None = None
    pets: list[Annotated[Cat | Dog, Field(discriminator="kind")]] = []
    owner: "Owner | None" = None


class Owner(Strict):
    name: str


@dataclass(frozen=True)
class Point:
    x: int
    __pydantic_config__: ClassVar = {"extra": "forbid"}


router = APIRouter(route_class=JsonRoute)


@router.post("/orders")
async def order(body: Order) -> Response:
    return JSONResponse(body.model_dump())


@router.post("/points")
async def point(body: Point) -> Response:
    return JSONResponse(asdict(body))


@router.patch("/orders/{seat}")
async def change(seat: int, body: Order) -> Response:
    return JSONResponse(seat)


@router.get("/orders")
async def orders(
    limit: Annotated[int, Query(ge=1)] = 1, if_match: Annotated[str, Header(pattern='^"[0-9]+"$')] = '"1"'
) -> Response:
    return JSONResponse(limit)


@router.get("/raise/{what}")
async def fail(what: str) -> Response:
    errors: dict[str, Exception] = {
        "rule": MustPlay(),
        "rules": InvalidRules("Too many tiles.", "hand_size"),
        "deal": InvalidDeal("Twice the same tile.", "/hands/0/1"),
        "busy": Unavailable(7),
        "token": TokenRequired(),
        "value": ValueError(CANARY),
        "lost": psycopg.OperationalError(CANARY),
        "pool": PoolTimeout(CANARY),
        "query": psycopg.errors.QueryCanceled(CANARY),
        "closed": psycopg.InterfaceError(CANARY),
        "stopped": psycopg.errors.AdminShutdown(CANARY),
        "crashed": psycopg.errors.CrashShutdown(CANARY),
        "starting": psycopg.errors.CannotConnectNow(CANARY),
        "crowded": psycopg.errors.TooManyConnections(CANARY),
        "custom": PydanticCustomError("custom", "Anything."),
    }
    raise errors[what]


@pytest.fixture(scope="module")
def app(settings: Settings) -> FastAPI:
    created = create_app(settings)
    created.include_router(router)
    return created


@pytest.fixture(scope="module")
async def client(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    async with client_of(app) as caller:
        yield caller


def problem(response: httpx.Response, status: int, code: str) -> dict[str, Any]:
    """The body of a response that has to be this problem."""
    assert (response.status_code, response.json().get("code")) == (status, code), response.text
    assert response.headers["content-type"] == MEDIA_TYPE
    assert CANARY not in response.text
    body = ProblemDetails.model_validate_json(response.content)
    assert body.status == status
    assert body.type == f"/problems/{code}"
    found: dict[str, Any] = response.json()
    return found


async def post(
    client: httpx.AsyncClient, content: bytes | str, path: str = "/orders", **headers: str
) -> httpx.Response:
    return await client.post(path, content=content, headers={"Content-Type": "application/json", **headers})


@pytest.mark.parametrize(
    "content",
    [
        "{",
        '{"number": NaN}',
        '{"number": -Infinity}',
        '{"owner": {"name": "\\ud800"}}',
        b'{"owner": {"name": "\xff"}}',
        '{"number": 1}'.encode("utf-16"),
        "[" * 20_000,
        '{"number": %s}' % ("1" * 10_000),
        "{} {}",
        "sesame",
    ],
)
async def test_what_is_not_json_is_malformed(client: httpx.AsyncClient, content: bytes | str) -> None:
    problem(await post(client, content), 400, "malformed-json")


@pytest.mark.parametrize(
    ("body", "pointers"),
    [
        ({"number": CANARY}, ["#/number"]),
        ({"owner": {}}, ["#/owner/name"]),
        ({"owner": CANARY}, ["#/owner"]),
        ({CANARY: 1}, ["#"]),
        ({"owner": {"name": "a", CANARY: 1}}, ["#/owner"]),
        ({"pets": [{"kind": "cat", "lives": 9}, {"kind": "cat", "lives": 10}]}, ["#/pets/1/lives"]),
        ({"pets": [{"kind": CANARY}]}, ["#/pets/0"]),
        ({"pets": [{}]}, ["#/pets/0"]),
        ({"pets": [{"kind": "dog", "name": CANARY.upper()}, {"kind": "cat"}]}, ["#/pets/0/name", "#/pets/1/lives"]),
        ({"pets": {}}, ["#/pets"]),
        ([], ["#"]),
        (None, ["#"]),
        (CANARY, ["#"]),
    ],
)
async def test_what_does_not_fit_the_schema_is_pointed_at(
    client: httpx.AsyncClient, body: object, pointers: list[str]
) -> None:
    found = problem(await post(client, json.dumps(body)), 422, "invalid-request")
    assert [error["pointer"] for error in found["errors"]] == pointers


@pytest.mark.parametrize("body", [{}, {"x": 1, CANARY: 2}, [], None])
async def test_a_dataclass_reads_like_a_model(client: httpx.AsyncClient, body: object) -> None:
    found = problem(await post(client, json.dumps(body), "/points"), 422, "invalid-request")
    assert not any("Point" in error["detail"] for error in found["errors"])


async def test_a_number_beyond_all_floats_is_no_failure(client: httpx.AsyncClient) -> None:
    problem(await post(client, '{"number": 1e999}'), 422, "invalid-request")
    problem(await post(client, '{"ratio": 1e999, "number": "x"}'), 422, "invalid-request")


async def test_the_list_of_errors_is_bounded(client: httpx.AsyncClient) -> None:
    found = problem(await post(client, json.dumps({"pets": [1] * 100})), 422, "invalid-request")
    assert len(found["errors"]) == MOST_FIELD_ERRORS


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["kind", "pets", "name"]) | st.text(), inner),
)


@given(body=JSON)
async def test_no_json_makes_the_service_fail(client: httpx.AsyncClient, body: object) -> None:
    response = await post(client, json.dumps(body))
    assert response.status_code in {200, 400, 422}, response.text


@given(content=st.binary(max_size=200))
async def test_no_bytes_make_the_service_fail(client: httpx.AsyncClient, content: bytes) -> None:
    response = await post(client, content)
    assert response.status_code in {200, 400, 422}, response.text


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Content-Type": "text/plain"},
        {"Content-Type": "multipart/form-data; boundary=x"},
        {"Content-Type": "nonsense"},
    ],
)
async def test_a_missing_body_is_an_empty_object(client: httpx.AsyncClient, headers: dict[str, str]) -> None:
    response = await client.post("/orders", headers=headers)
    assert response.status_code == 200, response.text


@pytest.mark.parametrize(
    ("headers", "taken"),
    [
        ({"Content-Type": "application/json"}, True),
        ({"Content-Type": "Application/JSON; charset=UTF-8"}, True),
        ({"Content-Type": "application/json; charset=latin-1"}, False),
        ({"Content-Type": 'application/json;charset="utf8"'}, True),
        ({"Content-Type": "application/json; charset*=utf-8''x; charset*0=y"}, False),
        ({"Content-Type": "application/json; charset*" + "9" * 5000 + "=x"}, False),
        ({"Content-Type": "application/json; charset*=idna''%ff%ff"}, False),
        ({"Content-Type": "application/json", "Content-Encoding": "gzip"}, False),
        ({"Content-Type": "text/plain"}, False),
        ({"Content-Type": "application/x-www-form-urlencoded"}, False),
        ({"Content-Type": "application/jsonp"}, False),
        ({"Content-Type": CANARY}, False),
        ({}, False),
    ],
)
async def test_a_body_is_json_by_its_type(client: httpx.AsyncClient, headers: dict[str, str], taken: bool) -> None:
    response = await client.post("/orders", content="{}", headers=headers)
    if taken:
        assert response.status_code == 200, response.text
    else:
        problem(response, 415, "unsupported-media-type")


@pytest.mark.parametrize(
    "lines",
    [
        [("Content-Type", "application/json"), ("Content-Type", "text/plain")],
        [("Content-Type", "text/plain"), ("Content-Type", "application/json")],
        [("Content-Type", "application/json"), ("Content-Encoding", "identity"), ("Content-Encoding", "gzip")],
    ],
)
async def test_a_body_of_two_types_is_of_none(client: httpx.AsyncClient, lines: list[tuple[str, str]]) -> None:
    problem(await client.post("/orders", content="{}", headers=lines), 415, "unsupported-media-type")


async def test_a_body_beyond_the_limit_is_too_large(client: httpx.AsyncClient, settings: Settings) -> None:
    fits = json.dumps({}).ljust(settings.max_body_bytes)
    assert (await post(client, fits)).status_code == 200
    problem(await post(client, fits + " "), 413, "payload-too-large")


async def test_a_body_of_no_declared_length_is_counted(client: httpx.AsyncClient, settings: Settings) -> None:
    read = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal read
        while True:
            read += 1_024
            yield b" " * 1_024

    response = await client.post("/orders", content=endless(), headers={"Content-Type": "application/json"})
    problem(response, 413, "payload-too-large")
    assert read <= settings.max_body_bytes + 2 * 1_024


async def test_refusals_come_in_the_order_of_the_contract(client: httpx.AsyncClient, settings: Settings) -> None:
    too_large = "x" * (settings.max_body_bytes + 1)
    text = {"Content-Type": "text/plain"}
    problem(await client.put("/orders", content=too_large, headers=text), 405, "method-not-allowed")
    problem(await client.post("/orders", content=too_large, headers=text), 413, "payload-too-large")
    problem(await client.patch("/orders/x", content="{", headers=text), 415, "unsupported-media-type")
    problem(
        await client.patch("/orders/x", content="{", headers={"Content-Type": "application/json"}),
        400,
        "malformed-json",
    )
    problem(await client.patch("/orders/x", json={CANARY: 1}), 422, "invalid-request")
    problem(await client.patch("/orders/x", json={}), 404, "unknown-seat")


async def test_parameters_are_judged_like_the_body(client: httpx.AsyncClient) -> None:
    found = problem(await client.get("/orders", params={"limit": CANARY}), 422, "invalid-request")
    assert [error["pointer"] for error in found["errors"]] == ["#/limit"]
    problem(await client.get("/orders", headers={"If-Match": CANARY}), 400, "bad-header")
    problem(await client.get("/orders", headers={"If-Match": CANARY}, params={"limit": 0}), 400, "bad-header")


async def test_a_broken_rule_is_a_conflict(client: httpx.AsyncClient) -> None:
    found = problem(await client.get("/raise/rule"), 409, "must-play")
    assert found["title"] == MustPlay.title
    assert found["detail"] == MustPlay.detail


async def test_what_is_wrong_with_a_new_match_is_pointed_at(client: httpx.AsyncClient) -> None:
    rules = problem(await client.get("/raise/rules"), 422, "invalid-rules")
    assert rules["errors"] == [{"pointer": "#/rules/hand_size", "detail": "Too many tiles."}]
    deal = problem(await client.get("/raise/deal"), 422, "invalid-deal")
    assert deal["errors"] == [{"pointer": "#/deal/hands/0/1", "detail": "Twice the same tile."}]


async def test_a_problem_brings_its_headers(client: httpx.AsyncClient) -> None:
    busy = await client.get("/raise/busy")
    problem(busy, 503, "unavailable")
    assert busy.headers["retry-after"] == "7"
    required = await client.get("/raise/token")
    problem(required, 401, "token-required")
    assert required.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize("what", ["lost", "pool", "query", "closed", "stopped", "crashed", "starting", "crowded"])
async def test_a_database_that_does_not_answer_is_told_with_a_time_to_retry(
    client: httpx.AsyncClient, what: str
) -> None:
    response = await client.get(f"/raise/{what}")
    problem(response, 503, "unavailable")
    assert response.headers["retry-after"] == "1"


async def test_a_fault_tells_nothing_and_keeps_its_headers(
    client: httpx.AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    response = await client.get("/raise/value", headers={"Origin": "https://example.org"})
    problem(response, 500, "internal")
    assert response.headers["access-control-allow-origin"] == "https://example.org"
    assert "unhandled error" in caplog.text


@pytest.mark.parametrize(
    ("method", "path", "allow"),
    [
        ("DELETE", "/orders", "GET, HEAD, POST, OPTIONS"),
        ("GET", "/orders/1", "PATCH, OPTIONS"),
        ("POST", "/openapi.json", "GET, HEAD, OPTIONS"),
        ("BREW", "/health/live", "GET, HEAD, OPTIONS"),
    ],
)
async def test_allow_names_the_methods_of_all_routes_of_a_path(
    client: httpx.AsyncClient, method: str, path: str, allow: str
) -> None:
    refused = await client.request(method, path)
    problem(refused, 405, "method-not-allowed")
    assert refused.headers["allow"] == allow
    answered = await client.options(path)
    assert (answered.status_code, answered.headers["allow"]) == (204, allow)


@pytest.mark.parametrize("path", ["/nowhere", "/v1/sesame", "/health/live/", "/docs/sesame/more"])
@pytest.mark.parametrize("method", ["GET", "POST", "OPTIONS"])
async def test_an_unknown_path_is_not_found(client: httpx.AsyncClient, method: str, path: str) -> None:
    problem(await client.request(method, path), 404, "not-found")


@pytest.mark.parametrize("path", ["/docs/sesame", "/docs/..%2f..%2fcore.py", "/problems/sesame"])
async def test_an_unknown_page_is_not_found(client: httpx.AsyncClient, path: str) -> None:
    problem(await client.get(path), 404, "not-found")
