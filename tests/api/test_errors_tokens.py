"""Who may call: a token is of one match and one seat, and a bad one never makes a silent spectator."""

import base64
import hashlib
import hmac
import json

import httpx
import pytest

from api.auth import Tokens
from tests.api.callers import CPU, HUMAN, Caller, create
from tests.api.provoked import GARBAGE
from tests.api.services import SECRET
from tests.api.situations import seated

BAD = [
    "",
    " ",
    "Bearer",
    "Bearer ",
    GARBAGE,
    f"Bearer {GARBAGE}",
    f"Bearer seat0.{GARBAGE}",
    "Bearer host.",
    "Bearer seat1",
    "Basic YTpi",
    "Bearer null",
    f"Bearer {'x' * 4_000}",
    "Bearer \xe9\xff",
    f"Bearer host.{'A' * 43}",
]


async def refused(caller: Caller, authorization: str) -> None:
    headers = {b"Authorization": authorization.encode("latin-1")}
    for answer in (
        await caller.client.get(caller.path, headers=headers),
        await caller.client.get(f"{caller.path}/events", headers=headers),
        await caller.client.get(f"{caller.path}/board.svg", headers=headers),
        await caller.client.post(f"{caller.path}/play", json={"tile": "6-6"}, headers=headers),
        await caller.client.patch(f"{caller.path}/seats/1", json={"level": "hard"}, headers=headers),
    ):
        assert (answer.status_code, answer.json()["code"]) == (401, "invalid-token"), answer.text
        assert answer.headers["www-authenticate"] == 'Bearer error="invalid_token"'
        assert GARBAGE not in answer.text


@pytest.mark.parametrize("authorization", BAD)
async def test_a_bad_token_is_refused_everywhere(client: httpx.AsyncClient, authorization: str) -> None:
    await refused((await seated(client, "draw")).spectator, authorization)


async def test_a_token_without_its_last_character_or_with_another_is_refused(client: httpx.AsyncClient) -> None:
    table = await seated(client, "draw")
    token = table.people[0].headers["Authorization"]
    for spoilt in (
        token[:-1],
        token + "A",
        token[:-1] + ("A" if token[-1] != "A" else "B"),
        token.upper(),
        token + "=",
    ):
        await refused(table.spectator, spoilt)


async def test_of_two_tokens_none_counts(client: httpx.AsyncClient) -> None:
    """A proxy that judges one of them would let the other one pass."""
    table = await seated(client, "draw")
    one, other = (table.people[seat].headers["Authorization"] for seat in (0, 1))
    for second in (one, other, "", "Basic YTpi"):
        for lines in ((one, second), (second, one)):
            headers = [("Authorization", line) for line in lines]
            for method, path in (("GET", ""), ("POST", "/pass")):
                answer = await client.request(method, table.host.path + path, headers=headers)
                assert (answer.status_code, answer.json()["code"]) == (401, "invalid-token")


async def test_a_token_is_of_one_match(client: httpx.AsyncClient) -> None:
    table, other = await seated(client, "draw"), await seated(client, "draw")
    for caller in (other.people[0], other.host):
        await refused(table.spectator, caller.headers["Authorization"])


async def test_a_seat_that_the_service_plays_has_no_token(client: httpx.AsyncClient) -> None:
    table = await create(client, "draw", seats=[CPU, HUMAN])
    assert [token["seat"] for token in table.created["tokens"]] == [1]
    tokens = Tokens(SECRET.encode())
    assert table.people[1].headers["Authorization"] == f"Bearer {tokens.seat(table.id, 1)}"
    for seat in (0, 2):
        await refused(table.spectator, f"Bearer {tokens.seat(table.id, seat)}")


@pytest.mark.parametrize("scheme", ["Bearer ", "bearer ", "BEARER ", "Bearer   "])
async def test_the_name_of_the_scheme_is_read_as_http_has_it(client: httpx.AsyncClient, scheme: str) -> None:
    table = await seated(client, "draw")
    token = table.created["tokens"][0]["token"]
    answer = await client.get(table.host.path, headers={"Authorization": scheme + token})
    assert answer.json()["viewer"] == {"role": "seat", "seat": 0}


async def test_a_token_is_an_hmac_of_256_bits_over_match_and_seat(client: httpx.AsyncClient) -> None:
    table = await seated(client, "draw")
    for name, token in (
        ("seat1", table.created["tokens"][1]["token"]),
        ("host", table.created["host_token"]),
    ):
        message = b"capicua/token/1" + table.id.bytes + name.encode()
        digest = hmac.new(SECRET.encode(), message, hashlib.sha256).digest()
        assert token == f"{name}.{base64.urlsafe_b64encode(digest).decode().rstrip('=')}"


async def test_a_token_is_told_once_at_the_creation(client: httpx.AsyncClient) -> None:
    table = await seated(client, "draw")
    secrets = [token["token"] for token in table.created["tokens"]] + [table.created["host_token"]]
    opened = await table.people[0].post("play", {"tile": "6-6"})
    told = json.dumps([opened, *[[await caller.get(), await caller.log()] for caller in table.everyone]])
    assert not any(token.partition(".")[2] in told for token in secrets)
    assert len({token.partition(".")[2] for token in secrets}) == len(secrets)


async def test_who_may_do_what(client: httpx.AsyncClient) -> None:
    table = await seated(client, "draw")
    body = {"tile": "6-6"}
    assert (await table.spectator.send("play", body)).json()["code"] == "token-required"
    assert (await table.host.send("play", body)).json()["code"] == "not-your-seat"
    assert (await table.people[1].send("play", body)).json()["code"] == "not-your-turn"
    for path in ("play", "draw", "pass"):
        answer = await table.host.send(path, body if path == "play" else None)
        assert (answer.status_code, answer.json()["code"]) == (403, "not-your-seat")
    for path in ("next-hand", "step"):
        assert (await table.spectator.send(path)).json()["code"] == "token-required"
        for caller in (*table.people.values(), table.host):
            assert (await caller.send(path)).status_code == 409


@pytest.mark.parametrize(
    "spelling", ["{id}/", "/{id}", "{{{id}}}", "urn:uuid:{id}", "{hex}", "{id}x", "%20{id}", "{id}%0a", "x", "{wide}"]
)
async def test_an_id_has_one_spelling(client: httpx.AsyncClient, spelling: str) -> None:
    table = await seated(client, "draw")
    wide = str(table.id).replace("0", "\uff10")
    path = f"/v1/matches/{spelling.format(id=table.id, hex=table.id.hex, wide=wide)}"
    answer = await client.get(path)
    assert answer.status_code == 404
    assert answer.json()["code"] in ({"not-found"} if "/" in spelling else {"unknown-match"})
    assert (await client.get(f"/v1/matches/{str(table.id).upper()}")).status_code == 200
