"""The keys of creates and joins, whose replays hand out tokens: hard to guess, and good for a day."""

from typing import Any

import httpx
import psycopg
import pytest
from fastapi import FastAPI

from api.database import libpq_url
from tests.api.callers import CPU, HUMAN, OPEN, SEEDED, Caller, create, play, seat_everyone
from tests.api.services import DAY, MINUTE, Service
from tests.api.stored import check_everyone

SECRET_KEY = "a-Secret_key-of-22-char"


async def made(client: httpx.AsyncClient, body: object, key: str = SECRET_KEY) -> tuple[dict[str, Any], bool]:
    """The answer to a create, and whether it is that of an earlier one."""
    answer = await client.post("/v1/matches", json=body, headers={"Idempotency-Key": key})
    assert answer.status_code == 201, answer.text
    created: dict[str, Any] = answer.json()
    match = created["match"]
    viewer = match["viewer"]["role"] if match["viewer"]["seat"] is None else match["viewer"]["seat"]
    assert answer.headers["ETag"] == f'"{match["version"]}.{viewer}"'
    assert answer.headers["Location"] == f"/v1/matches/{match['id']}"
    return created, answer.headers.get("Idempotency-Replayed") == "true"


async def joined(caller: Caller, body: object = None, key: str = SECRET_KEY) -> tuple[dict[str, Any], bool]:
    """The answer to a join, and whether it is that of an earlier one."""
    answer = await caller.send("join", body, headers={"Idempotency-Key": key})
    assert answer.status_code == 200, answer.text
    return answer.json(), answer.headers.get("Idempotency-Replayed") == "true"


def count(database_url: str, table: str) -> int:
    with psycopg.connect(libpq_url(database_url)) as connection:
        [(rows,)] = connection.execute(f"SELECT count(*) FROM {table}").fetchall()
    assert isinstance(rows, int)
    return rows


async def test_a_create_that_is_repeated_makes_one_match(service: Service, fresh_database_url: str) -> None:
    for made_before, key in enumerate((SECRET_KEY, "k" * 22, "K" * 255, "-_" * 11, "0" * 22)):
        body = {"ruleset": "draw", "seats": [HUMAN, HUMAN], "deal": {"kind": "seeded", "seed": "ab" * 32}}
        first, is_replay = await made(service.client, body, key)
        assert not is_replay
        assert count(fresh_database_url, "matches") == made_before + 1
        for same in (key, f'"{key}"' if len(key) < 255 else key):
            assert await made(service.client, body, same) == (first, True)
        assert count(fresh_database_url, "matches") == made_before + 1
    assert count(fresh_database_url, "creations") == made_before + 1


@pytest.mark.parametrize(
    ("seats", "viewer"),
    [([CPU, HUMAN], ("seat", 1)), ([HUMAN, HUMAN], ("host", None)), ([CPU, CPU], ("host", None))],
)
async def test_a_create_that_is_repeated_after_moves_is_seen_as_at_first(
    client: httpx.AsyncClient, app: FastAPI, seats: list[Any], viewer: tuple[str, int | None]
) -> None:
    body = {"ruleset": "draw", "seats": seats, "deal": SEEDED, "pacing": "step"}
    key = f"{'-'.join(seat['kind'] for seat in seats)}-in-this-test-only"
    answer = await client.post("/v1/matches", json=body, headers={"Idempotency-Key": key})
    table, first = seat_everyone(client, answer), answer.json()
    moves = 0
    async for _ in play(table):
        again, is_replay = await made(client, body, key)
        assert is_replay
        assert (again["tokens"], again["host_token"]) == (first["tokens"], first["host_token"])
        assert [event["seq"] for event in again["events"]] == [event["seq"] for event in first["events"]]
        seen = again["match"]["viewer"]
        assert (seen["role"], seen["seat"]) == viewer
        caller = table.host if viewer[1] is None else table.people[viewer[1]]
        assert again["match"] == await caller.get()
        if (moves := moves + 1) == 8:
            break
    await check_everyone(app, table)


async def test_a_create_that_is_repeated_after_a_join_gives_nobody_elses_token(client: httpx.AsyncClient) -> None:
    body = {"ruleset": "draw", "seats": [HUMAN, OPEN]}
    first, _ = await made(client, body, "after-a-join-in-this-test")
    assert [token["seat"] for token in first["tokens"]] == [0]
    assert (await client.post(f"/v1/matches/{first['match']['id']}/join")).is_success
    again, _ = await made(client, body, "after-a-join-in-this-test")
    assert (again["tokens"], again["host_token"]) == (first["tokens"], first["host_token"])
    assert again["match"]["viewer"] == {"role": "seat", "seat": 0}
    assert [seat["tiles"] is None for seat in again["match"]["seats"]] == [False, True]


async def test_a_key_of_a_create_with_another_body_is_refused(client: httpx.AsyncClient) -> None:
    key = "another-body-in-this-test-only"
    first, _ = await made(client, {"ruleset": "draw", "rules": {"target": 50, "hand_size": 5}}, key)
    again, _ = await made(client, {"rules": {"hand_size": 5, "target": 50}, "ruleset": "draw"}, key)
    assert again == first
    for other in ({"ruleset": "draw"}, {"ruleset": "block", "rules": {"target": 50, "hand_size": 5}}):
        answer = await client.post("/v1/matches", json=other, headers={"Idempotency-Key": key})
        assert (answer.status_code, answer.json()["code"]) == (422, "idempotency-mismatch")


async def test_a_refused_create_uses_no_key_up(service: Service, fresh_database_url: str) -> None:
    for body in ({"ruleset": "nothing"}, {"ruleset": "draw", "rules": {"hand_size": 15}}, {"ruleset": 1}):
        answer = await service.client.post("/v1/matches", json=body, headers={"Idempotency-Key": SECRET_KEY})
        assert answer.status_code == 422
    assert [count(fresh_database_url, name) for name in ("creations", "matches", "receipts")] == [0, 0, 0]
    _, is_replay = await made(service.client, {"ruleset": "draw"})
    assert not is_replay


async def test_a_create_that_was_broken_off_is_finished_by_the_next(
    service: Service, fresh_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: Any) -> bool:
        raise psycopg.OperationalError

    with monkeypatch.context() as broken:
        broken.setattr(service.matches.store, "create", fail)
        answer = await service.client.post(
            "/v1/matches", json={"ruleset": "draw"}, headers={"Idempotency-Key": SECRET_KEY}
        )
        assert answer.status_code == 503
    assert count(fresh_database_url, "creations") == 1
    first, is_replay = await made(service.client, {"ruleset": "draw"})
    assert not is_replay
    assert await made(service.client, {"ruleset": "draw"}) == (first, True)
    assert count(fresh_database_url, "matches") == 1


async def test_a_key_of_a_create_is_good_for_a_day(service: Service, fresh_database_url: str) -> None:
    body = {"ruleset": "draw", "seats": [HUMAN, HUMAN]}
    first, _ = await made(service.client, body)
    service.put_ahead(DAY - MINUTE)
    assert await made(service.client, body) == (first, True)
    service.put_ahead(DAY + MINUTE)
    second, is_replay = await made(service.client, {"ruleset": "block"})  # whatever was asked for the day before
    assert not is_replay
    assert second["match"]["id"] != first["match"]["id"]
    assert second["host_token"] != first["host_token"]
    service.put_ahead(2 * DAY - MINUTE)
    assert await made(service.client, {"ruleset": "block"}) == (second, True)
    await service.matches.store.forget()
    assert count(fresh_database_url, "creations") == 1
    service.put_ahead(3 * DAY)
    await service.matches.store.forget()
    assert count(fresh_database_url, "creations") == 0
    third, is_replay = await made(service.client, body)
    assert not is_replay
    assert third["match"]["id"] not in {first["match"]["id"], second["match"]["id"]}


async def test_a_join_that_is_repeated_takes_one_seat(client: httpx.AsyncClient, app: FastAPI) -> None:
    table = await create(client, "partner-penalty", seats=[HUMAN, OPEN, OPEN, CPU])
    body = {"name": "Asha"}
    first, is_replay = await joined(table.spectator, body)
    assert not is_replay
    assert await joined(table.spectator, body) == (first, True)
    assert await joined(table.spectator, {**body, "seat": None}) == (first, True)
    answer = await table.spectator.send("join", {"name": "Ben"}, headers={"Idempotency-Key": SECRET_KEY})
    assert (answer.status_code, answer.json()["code"]) == (422, "idempotency-mismatch")
    second, is_replay = await joined(table.spectator, body, "k" * 22)
    assert not is_replay
    assert [token["seat"] for each in (first, second) for token in each["tokens"]] == [1, 2]
    again, is_replay = await joined(table.spectator, body)
    assert is_replay
    assert (again["tokens"], again["events"]) == (first["tokens"], first["events"])
    assert again["match"]["status"] == "playing"
    assert again["match"]["viewer"] == {"role": "seat", "seat": 1}
    assert [seat["tiles"] is not None for seat in again["match"]["seats"]] == [False, True, False, False]
    await check_everyone(app, table)


async def test_a_join_with_a_token_and_one_without_are_different_callers(client: httpx.AsyncClient) -> None:
    table = await create(client, "partner-penalty", seats=[HUMAN, OPEN, OPEN, OPEN])
    seats = []
    for caller in (table.spectator, table.host, table.people[0]):
        for is_again in (False, True):
            answer, is_replay = await joined(caller)
            assert is_replay == is_again
            seats += [token["seat"] for token in answer["tokens"]]
    assert seats == [1, 1, 2, 2, 3, 3]


async def test_a_refused_join_uses_no_key_up(client: httpx.AsyncClient) -> None:
    table = await create(client, "draw", seats=[HUMAN, OPEN])
    answer = await table.spectator.send("join", {"seat": 0}, headers={"Idempotency-Key": SECRET_KEY})
    assert answer.json()["code"] == "no-open-seat"
    _, is_replay = await joined(table.spectator, {"seat": 1})
    assert not is_replay


async def test_a_key_of_a_join_is_good_for_a_day_and_then_the_join_is_judged_anew(service: Service) -> None:
    table = await create(service.client, "draw", seats=[HUMAN, OPEN])
    first, _ = await joined(table.spectator)
    service.put_ahead(DAY - MINUTE)
    again, is_replay = await joined(table.spectator)
    assert (again["tokens"], is_replay) == (first["tokens"], True)
    service.put_ahead(DAY + MINUTE)
    for body in (None, {"name": "Asha"}):
        answer = await table.spectator.send("join", body, headers={"Idempotency-Key": SECRET_KEY})
        assert (answer.status_code, answer.json()["code"]) == (409, "no-open-seat")


async def test_a_key_of_a_move_is_good_for_as_long_as_the_match_is(service: Service) -> None:
    table = await create(service.client, "draw", seats=[HUMAN, HUMAN])
    first = await table.people[1].send("resign", headers={"Idempotency-Key": "1"})
    service.put_ahead(400 * DAY)
    again = await table.people[1].send("resign", headers={"Idempotency-Key": "1"})
    assert (again.status_code, again.json()) == (200, first.json())
    assert again.headers["Idempotency-Replayed"] == "true"
