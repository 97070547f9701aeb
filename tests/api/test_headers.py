from collections.abc import AsyncIterator

import httpx
import pytest
from anyio import sleep
from starlette.responses import StreamingResponse

from api.headers import EXPOSED_HEADERS, REQUEST_HEADERS
from api.main import create_app
from api.settings import Settings
from tests.api.services import client_of

ORIGIN = "https://example.org"


def _preflight(origin: str, **headers: str) -> dict[str, str]:
    return {"Origin": origin, "Access-Control-Request-Method": "POST", **headers}


@pytest.mark.parametrize("path", ["/health/live", "/nowhere", "/docs", "/openapi.json"])
async def test_every_answer_is_private_and_inert(client: httpx.AsyncClient, path: str) -> None:
    headers = (await client.get(path)).headers
    assert headers["cache-control"] == "no-store"
    assert headers["content-security-policy"].startswith("default-src 'none'; frame-ancestors 'none'")
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-content-type-options"] == "nosniff"


async def test_a_configured_origin_may_call(client: httpx.AsyncClient) -> None:
    allowed = await client.options(
        "/v1/matches",
        headers=_preflight(
            ORIGIN, **{"Access-Control-Request-Headers": ", ".join((*REQUEST_HEADERS, "Content-Type")).lower()}
        ),
    )
    assert allowed.status_code == 200
    assert allowed.headers["access-control-allow-origin"] == ORIGIN
    assert "access-control-allow-credentials" not in allowed.headers
    answer = await client.get("/nowhere", headers={"Origin": ORIGIN})
    assert answer.headers["access-control-allow-origin"] == ORIGIN
    assert set(answer.headers["access-control-expose-headers"].split(", ")) == set(EXPOSED_HEADERS)
    assert "Origin" in answer.headers["vary"]


async def test_another_origin_may_not(client: httpx.AsyncClient) -> None:
    refused = await client.options("/v1/matches", headers=_preflight("https://sesame.org"))
    assert (refused.status_code, refused.json()["code"]) == (400, "bad-header")
    assert "sesame" not in str(refused.headers) + refused.text
    answer = await client.get("/health/live", headers={"Origin": "https://sesame.org"})
    assert "access-control-allow-origin" not in answer.headers


async def test_no_origin_may_unless_configured(settings: Settings) -> None:
    async with client_of(create_app(settings.model_copy(update={"cors_origins": ()}))) as client:
        answer = await client.options("/health/live", headers=_preflight(ORIGIN))
    assert not [name for name in answer.headers if name.startswith("access-control-")]


async def test_every_origin_may_where_that_is_configured(settings: Settings) -> None:
    async with client_of(create_app(settings.model_copy(update={"cors_origins": ("*",)}))) as client:
        answer = await client.get("/health/live", headers={"Origin": ORIGIN})
    assert answer.headers["access-control-allow-origin"] == "*"


@pytest.mark.parametrize("path", ["/health/live", "/openapi.json", "/docs/swagger-ui.css", "/nowhere"])
async def test_head_is_get_without_the_body(client: httpx.AsyncClient, path: str) -> None:
    got = await client.get(path)
    head = await client.head(path)
    assert head.content == b""
    assert (head.status_code, head.headers) == (got.status_code, got.headers)


async def test_head_of_a_stream_ends(settings: Settings) -> None:
    async def beats() -> AsyncIterator[bytes]:
        while True:
            yield b":\n\n"
            await sleep(0.01)

    async def stream() -> StreamingResponse:
        return StreamingResponse(beats())

    app = create_app(settings)
    app.add_api_route("/stream", stream)
    async with client_of(app) as client:
        assert (await client.head("/stream")).status_code == 200
