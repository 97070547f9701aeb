"""Every refusal of a match's calls, provoked one by one, and the order in which they are judged."""

from typing import Any

import httpx
import pytest

from tests.api.test_matches import CPU, HUMAN, Player, create

GARBAGE = "zzcanaryzz"
TILES = [["6-6", "6-5"], ["5-0", "1-0"]]
FIXED = {"kind": "fixed", "hands": TILES, "boneyard": ["4-4", "3-3"]}
RULES = {"hand_size": 2, "target": 0, "opening": "forced"}


async def table(client: httpx.AsyncClient, ruleset: str = "draw", **body: Any) -> tuple[list[Player], Player]:
    """Two people with two tiles each: 6-6 must open, and 6-5 lets seat 1 play 5-0."""
    seats = [HUMAN, HUMAN]
    _, people, host = await create(client, ruleset, **{"seats": seats, "deal": FIXED, "rules": RULES, **body})
    return people, host


async def refused(caller: Player, path: str, body: object, status: int, code: str) -> None:
    answer = await caller.post(path, body, status=status)
    assert (answer["code"], answer["status"]) == (code, status)
    assert answer["type"] == f"/problems/{code}"


async def test_refusals_of_a_turn(client: httpx.AsyncClient) -> None:
    (one, other), host = await table(client)
    await refused(other, "play", {"tile": "5-0"}, 409, "not-your-turn")
    await refused(host, "play", {"tile": "6-6"}, 403, "not-your-seat")
    await refused(one, "play", {"tile": "6-5"}, 409, "must-open")
    await refused(one, "play", {"tile": "4-4"}, 409, "must-open")  # before tile-not-in-hand
    await refused(one, "draw", None, 409, "must-play")
    await refused(one, "pass", None, 409, "must-play")
    await refused(one, "play", {"tile": "6-6", "end": "left"}, 409, "end-not-open")
    await refused(one, "next-hand", None, 409, "hand-not-over")
    await refused(one, "step", None, 409, "no-cpu-turn")
    await one.post("play", {"tile": "6-6"})
    await refused(other, "play", {"tile": "6-5"}, 409, "tile-not-in-hand")
    await refused(other, "play", {"tile": "4-4"}, 409, "tile-not-in-hand")
    await refused(other, "play", {"tile": "5-0"}, 409, "tile-does-not-fit")
    await refused(other, "play", {"tile": "5-0", "end": "up"}, 409, "tile-does-not-fit")  # it fits nowhere
    await refused(other, "pass", None, 409, "must-draw")
    await refused(other, "draw", {"position": 90}, 409, "no-such-position")


async def test_refusals_at_the_end(client: httpx.AsyncClient) -> None:
    (one, other), host = await table(client, "block", rules={**RULES, "target": 100})
    await one.post("play", {"tile": "6-6"})
    await refused(other, "draw", None, 409, "must-pass")
    await other.post("pass")
    await refused(one, "play", {"tile": "6-5", "end": "up"}, 409, "end-not-open")
    await one.post("play", {"tile": "6-5"})
    await refused(one, "play", {"tile": "6-5"}, 409, "hand-over")
    await refused(host, "step", None, 409, "hand-over")
    people, host = await table(client, "block")
    await people[0].post("play", {"tile": "6-6"})
    await people[1].post("pass")
    await people[0].post("play", {"tile": "6-5"})
    for path in ("play", "draw", "pass", "next-hand", "step"):
        await refused(people[0], path, {"tile": "6-5"} if path == "play" else None, 409, "match-finished")


async def test_a_tile_that_fits_two_numbers_needs_an_end(client: httpx.AsyncClient) -> None:
    deal = {"kind": "fixed", "hands": [["6-6", "5-1"], ["6-5", "6-1"]], "boneyard": []}
    (one, other), _ = await table(client, "block", deal=deal)
    await one.post("play", {"tile": "6-6"})
    await other.post("play", {"tile": "6-5"})  # both ends ask for 6: left
    await refused(one, "play", {"tile": "6-5"}, 409, "tile-not-in-hand")
    await refused(one, "play", {"tile": "5-1", "end": "right"}, 409, "tile-does-not-fit")
    await one.post("play", {"tile": "1-5"})  # either order


@pytest.mark.parametrize(
    ("body", "code", "pointer"),
    [
        ({}, "invalid-request", "#/ruleset"),
        ({"ruleset": GARBAGE}, "unknown-ruleset", "#/ruleset"),
        ({"ruleset": "draw", GARBAGE: 1}, "invalid-request", "#"),
        ({"ruleset": "draw", "rules": {GARBAGE: 1}}, "invalid-request", "#/rules"),
        ({"ruleset": "draw", "rules": {"target": "100"}}, "invalid-request", "#/rules/target"),
        ({"ruleset": "draw", "rules": {"target": True}}, "invalid-request", "#/rules/target"),
        ({"ruleset": "draw", "rules": {"target": 10**30}}, "invalid-request", "#/rules/target"),
        ({"ruleset": "draw", "rules": {"hand_size": 15}}, "invalid-rules", "#/rules/hand_size"),
        ({"ruleset": "draw", "rules": {"partners": "pairs"}}, "invalid-rules", "#/rules/partners"),
        ({"ruleset": "draw", "rules": {"removed_tiles": ["7-0"]}}, "invalid-rules", "#/rules/removed_tiles"),
        ({"ruleset": "draw", "rules": {"removed_tiles": [GARBAGE]}}, "invalid-request", "#/rules/removed_tiles/0"),
        ({"ruleset": "draw", "seats": [HUMAN] * 3}, "invalid-request", "#/seats"),
        ({"ruleset": "draw", "seats": [HUMAN, {"kind": GARBAGE}]}, "invalid-request", "#/seats/1"),
        ({"ruleset": "draw", "seats": [HUMAN, {**HUMAN, "level": "easy"}]}, "invalid-request", "#/seats/1"),
        ({"ruleset": "draw", "seats": [{**HUMAN, "name": "a\0b"}, CPU]}, "invalid-request", "#/seats/0/name"),
        ({"ruleset": "draw", "seats": [{**HUMAN, "human": 1}, CPU]}, "invalid-request", "#/seats/0"),
        (
            {"ruleset": "draw", "seats": [HUMAN] * 2, "deal": {"kind": "numbered", "number": 1}},
            "invalid-deal",
            "#/deal/kind",
        ),
        ({"ruleset": "draw", "deal": {"kind": "numbered", "number": -1}}, "invalid-request", "#/deal/number"),
        ({"ruleset": "draw", "deal": {"kind": "seeded", "seed": GARBAGE}}, "invalid-request", "#/deal/seed"),
        ({"ruleset": "draw", "deal": FIXED}, "invalid-deal", "#/deal/hands/0"),
        ({"ruleset": "draw", "auto_pass": 1}, "invalid-request", "#/auto_pass"),
        ({"ruleset": "draw", "pacing": GARBAGE}, "invalid-request", "#/pacing"),
    ],
)
async def test_refusals_of_a_create(client: httpx.AsyncClient, body: object, code: str, pointer: str) -> None:
    answer = await client.post("/v1/matches", json=body)
    assert answer.status_code == 422
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.json()["code"] == code
    assert [error["pointer"] for error in answer.json()["errors"]] == [pointer]
    assert GARBAGE not in answer.text


async def test_whole_numbers_may_be_written_as_floats(client: httpx.AsyncClient) -> None:
    created, _, _ = await create(client, "draw", rules={"target": 50.0})
    assert created["match"]["rules"]["target"] == 50


@pytest.mark.parametrize("body", [b"{", b'{"ruleset": NaN}', b'{"ruleset": "\\ud800"}', b"\xff", b"[" * 5000])
async def test_what_is_not_json(client: httpx.AsyncClient, body: bytes) -> None:
    answer = await client.post("/v1/matches", content=body, headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed-json")


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer ", GARBAGE, f"Bearer {GARBAGE}", f"Bearer seat0.{GARBAGE}", "Basic YTpi"]
)
async def test_a_bad_token_is_never_a_spectator(client: httpx.AsyncClient, header: str) -> None:
    (one, _), _ = await table(client)
    for answer in (
        await client.get(one.path, headers={"Authorization": header}),
        await client.post(f"{one.path}/pass", headers={"Authorization": header}),
    ):
        assert (answer.status_code, answer.json()["code"]) == (401, "invalid-token")
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")
        assert GARBAGE not in answer.text


async def test_a_token_is_of_one_match_and_of_people(client: httpx.AsyncClient) -> None:
    (one, _), host = await table(client)
    _, people, _ = await create(client, "draw", seats=[CPU, HUMAN])
    for other in (one, host):
        answer = await client.get(people[0].path, headers=other.headers)
        assert (answer.status_code, answer.json()["code"]) == (401, "invalid-token")


async def test_the_order_in_which_calls_are_judged(client: httpx.AsyncClient) -> None:
    (one, _), _ = await table(client)
    unknown = "/v1/matches/00000000-0000-7000-8000-000000000000"
    bad = {"Authorization": f"Bearer {GARBAGE}"}
    tests: list[tuple[str, Any, dict[str, str], int, str]] = [
        (f"{one.path}/play", {"tile": GARBAGE}, {}, 401, "token-required"),
        (f"{unknown}/play", {"tile": "6-6"}, {}, 401, "token-required"),
        (f"{unknown}/play", {"tile": GARBAGE}, bad, 422, "invalid-request"),
        (f"{unknown}/play", {"tile": "6-6"}, bad, 404, "unknown-match"),
        (f"/v1/matches/{GARBAGE}/play", {"tile": "6-6"}, bad, 404, "unknown-match"),
        (f"{one.path}/play", {"tile": "6-6"}, bad, 401, "invalid-token"),
    ]
    for path, body, headers, status, code in tests:
        answer = await client.post(path, json=body, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (status, code), path
        assert GARBAGE not in answer.text


async def test_refusals_of_a_level(client: httpx.AsyncClient) -> None:
    created, people, host = await create(client, "partner-penalty", seats=[HUMAN, HUMAN, CPU, CPU])

    async def patch(caller: Player, seat: str, status: int, code: str, body: object = None) -> None:
        path = f"{caller.path}/seats/{seat}"
        answer = await client.patch(path, json=body or {"level": "hard"}, headers=caller.headers)
        assert (answer.status_code, answer.json()["code"]) == (status, code)

    await patch(people[0], "2", 403, "host-only")
    await patch(host, "1", 409, "not-a-cpu-seat")
    await patch(host, "4", 404, "unknown-seat")
    await patch(host, GARBAGE, 404, "unknown-seat")
    await patch(host, "2", 422, "invalid-request", {"level": GARBAGE})
    await patch(Player(client, created, None), "2", 401, "token-required")


@pytest.mark.parametrize(
    "query", ["after=-1", "after=x", "after=1_0", "after=+1", "limit=0", "limit=501", f"{GARBAGE}=1"]
)
async def test_refusals_of_a_page(client: httpx.AsyncClient, query: str) -> None:
    (one, _), _ = await table(client)
    answer = await client.get(f"{one.path}/events?{query}")
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid-request")
    assert GARBAGE not in answer.text


async def test_a_tile_elsewhere_is_the_same_answer_wherever_it_is(client: httpx.AsyncClient) -> None:
    """Two tables that differ in where two tiles lie that seat 1 may not know answer it in the same words."""
    answers = []
    for hand, boneyard in ((["6-6", "6-5"], ["4-4", "3-3"]), (["6-6", "4-4"], ["6-5", "3-3"])):
        (one, other), _ = await table(
            client, deal={"kind": "fixed", "hands": [hand, ["5-0", "1-0"]], "boneyard": boneyard}
        )
        await one.post("play", {"tile": "6-6"})
        answers += [await other.post("play", {"tile": tile}, status=409) for tile in ("6-5", "4-4", "5-0")]
    assert answers[:3] == answers[3:]
