"""What tests hold answers against is not lenient: problems, answers without a body and headers are looked at too."""

import json
from typing import Any

import httpx
import pytest

from tests.contract.document import Contract

MATCH = "/v1/matches/019438f0-9a00-7c1e-8f4a-5b0d6e2c7a31"
PROBLEM = {"type": "/problems/must-open", "title": "Must", "status": 409, "detail": "Do.", "code": "must-open"}
JSON = {"Content-Type": "application/problem+json"}


def answer(method: str, path: str, status: int, body: Any = None, **headers: str) -> httpx.Response:
    content = b"" if body is None else json.dumps(body).encode()
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    return httpx.Response(
        status, content=content, headers=named, request=httpx.Request(method, f"http://test{path}", json={})
    )


HELD = [
    answer("POST", f"{MATCH}/play", 409, PROBLEM, **JSON),
    answer("GET", MATCH, 304, ETag='"1.0"'),
    answer("HEAD", MATCH, 200, ETag='"1.0"', Content_Type="application/json"),
    answer("HEAD", MATCH, 304, ETag='"1.0"'),
    answer("GET", "/docs", 200),
    answer("PUT", MATCH, 405),
]
REFUSED = {
    "a code of another call": answer("POST", f"{MATCH}/draw", 409, PROBLEM, **JSON),
    "a status that is not described": answer("POST", f"{MATCH}/play", 418, PROBLEM, **JSON),
    "a problem of another type": answer("POST", f"{MATCH}/play", 409, PROBLEM, Content_Type="application/json"),
    "a problem without a title": answer("POST", f"{MATCH}/play", 409, {"code": "must-open"}, **JSON),
    "a refusal without its header": answer("POST", f"{MATCH}/play", 401, PROBLEM | {"code": "token-required"}, **JSON),
    "a 304 with a body": answer("GET", MATCH, 304, PROBLEM, ETag='"1.0"'),
    "a 304 without a tag": answer("GET", MATCH, 304),
    "a HEAD without a tag": answer("HEAD", MATCH, 200, Content_Type="application/json"),
    "a HEAD of another type": answer("HEAD", MATCH, 200, ETag='"1.0"', Content_Type="text/html"),
    "a state that is none": answer("GET", MATCH, 200, {}, ETag='"1.0"', Content_Type="application/json"),
}


@pytest.mark.parametrize("response", HELD, ids=lambda each: f"{each.request.method}-{each.status_code}")
async def test_what_is_described_passes(response: httpx.Response) -> None:
    await Contract().hold(response)


@pytest.mark.parametrize("why", REFUSED)
async def test_what_is_not_does_not(why: str) -> None:
    with pytest.raises(AssertionError):
        await Contract().hold(REFUSED[why])
