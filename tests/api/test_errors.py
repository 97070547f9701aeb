"""Every refusal, provoked one by one: its status, its form, and that the match stays as it was."""

from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from api.problems import MEDIA_TYPE
from tests.api.provoked import BEFORE_PATHS, CATALOGUE, GARBAGE, SITUATIONS
from tests.api.situations import FORKED, played, seated


@pytest.mark.parametrize(("code", "status"), SITUATIONS)
async def test_a_refusal_is_a_problem_and_changes_nothing(client: httpx.AsyncClient, code: str, status: int) -> None:
    table, call = await SITUATIONS[code, status](client)
    before = await table.host.get()
    answer = await call
    body = answer.json()
    assert (answer.status_code, body["status"], body["code"]) == (status, status, code)
    assert body["type"] == f"/problems/{code}"
    assert answer.headers["content-type"] == MEDIA_TYPE
    assert ("errors" in body) == (status == 422 and code != "idempotency-mismatch")
    assert GARBAGE not in answer.text + str(answer.headers)
    assert await table.host.get() == before


def test_every_refusal_is_provoked() -> None:
    assert {*SITUATIONS, *BEFORE_PATHS, ("unavailable", 503), ("internal", 500)} == CATALOGUE


async def test_a_call_that_loses_every_race_is_told_to_retry(
    client: httpx.AsyncClient, app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await seated(client, "draw")

    async def lose(*_: Any, **__: Any) -> bool:
        return False

    monkeypatch.setattr(app.state.matches.store, "append", lose)
    answer = await table.people[0].send("play", {"tile": "6-6"})
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
    assert int(answer.headers["retry-after"]) >= 1


@pytest.mark.parametrize("end", ["left", "right", "up", "down", None])
async def test_the_end_of_a_play_is_judged_by_what_is_open(client: httpx.AsyncClient, end: str | None) -> None:
    table = await played(await seated(client, "block", FORKED), "6-6 6-5:left 6-4:right")
    wanted = {"up": "end-not-open", "down": "end-not-open", None: "end-required"}
    if end in wanted:
        await table.people[1].refused("play", {"tile": "5-4", "end": end}, wanted[end])
    else:
        answer = await table.people[1].post("play", {"tile": "5-4", "end": end})
        assert answer["events"][0]["end"] == end


@pytest.mark.parametrize(
    "query",
    [
        "after=-1",
        f"after={GARBAGE}",
        "after=1_0",
        "after=+1",
        "after=1.0",
        "after=",
        "after=2147483648",
        "limit=0",
        "limit=501",
        f"limit={'9' * 5000}",
        "limit=%D9%A1",
        f"{GARBAGE}=1",
        "after=1&after=x",
    ],
)
async def test_a_page_is_asked_for_in_digits(client: httpx.AsyncClient, query: str) -> None:
    table = await seated(client, "draw")
    answer = await client.get(f"{table.host.path}/events?{query}")
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid-request")
    assert GARBAGE not in answer.text
