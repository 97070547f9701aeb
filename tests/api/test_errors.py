"""Every refusal, provoked one by one: its status, its form, and that the match stays as it was."""

from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from api.problems import MEDIA_TYPE, all_refusals, status_of
from tests.api.callers import CPU, HUMAN, OPEN, Table, create
from tests.api.situations import FORKED, played, seated

GARBAGE = "zzcanaryzz"
"""It is sent wherever something can be sent, and must be in no answer."""

NOBODY = "00000000-0000-7000-8000-000000000000"

Refused = tuple[Table, Awaitable[httpx.Response]]
"""A table, and a call that is refused there."""

Situation = Callable[[httpx.AsyncClient], Awaitable[Refused]]
SITUATIONS: dict[tuple[str, int], Situation] = {}


def refuses(code: str, status: int = 409) -> Callable[[Situation], Situation]:
    """Registers a situation that ends with a refusal."""

    def register(situation: Situation) -> Situation:
        SITUATIONS[code, status] = situation
        return situation

    return register


@refuses("method-not-allowed", 405)
async def _put(client: httpx.AsyncClient) -> Refused:
    table = await seated(client, "draw")
    return table, client.put(f"{table.host.path}/play", json={GARBAGE: GARBAGE})


@refuses("payload-too-large", 413)
async def _large(client: httpx.AsyncClient) -> Refused:
    table = await seated(client, "draw")
    return table, table.people[0].send("play", {"tile": "6-6", GARBAGE: "x" * 70_000})


@refuses("unsupported-media-type", 415)
async def _form(client: httpx.AsyncClient) -> Refused:
    table = await seated(client, "draw")
    caller = table.people[0]
    return table, client.post(f"{caller.path}/play", data={"tile": "6-6", GARBAGE: 1}, headers=caller.headers)


@refuses("malformed-json", 400)
async def _cut_off(client: httpx.AsyncClient) -> Refused:
    table = await seated(client, "draw")
    headers = {**table.people[0].headers, "Content-Type": "application/json"}
    return table, client.post(f"{table.host.path}/play", content=f'{{"{GARBAGE}', headers=headers)


@refuses("bad-header", 400)
async def _foreign(client: httpx.AsyncClient) -> Refused:
    table = await seated(client, "draw")
    headers = {"Origin": f"https://{GARBAGE}.org", "Access-Control-Request-Method": "POST"}
    return table, client.options(f"{table.host.path}/play", headers=headers)


@refuses("token-required", 401)
async def _nobody(client: httpx.AsyncClient) -> Refused:
    table = await seated(client, "draw")
    return table, table.spectator.send("play", {"tile": "6-6"})


@refuses("invalid-request", 422)
async def _unknown_field(client: httpx.AsyncClient) -> Refused:
    table = await seated(client, "draw")
    return table, table.people[0].send("play", {"tile": "6-6", GARBAGE: 1})


@refuses("invalid-rules", 422)
async def _too_many_tiles(client: httpx.AsyncClient) -> Refused:
    table = await seated(client, "draw")
    return table, client.post("/v1/matches", json={"ruleset": "draw", "rules": {"hand_size": 15}})


@refuses("invalid-deal", 422)
async def _twice_the_same_tile(client: httpx.AsyncClient) -> Refused:
    deal = {"kind": "fixed", "hands": [["6-6"], ["6-6"]]}
    table = await seated(client, "draw")
    body = {"ruleset": "draw", "rules": {"hand_size": 1}, "deal": deal}
    return table, client.post("/v1/matches", json=body)


@refuses("unknown-ruleset", 422)
async def _no_such_game(client: httpx.AsyncClient) -> Refused:
    return await seated(client, "draw"), client.post("/v1/matches", json={"ruleset": GARBAGE})


@refuses("unknown-ruleset", 404)
async def _no_such_ruleset(client: httpx.AsyncClient) -> Refused:
    return await seated(client, "draw"), client.get(f"/v1/rulesets/{GARBAGE}")


@refuses("unknown-match", 404)
async def _no_such_match(client: httpx.AsyncClient) -> Refused:
    table = await seated(client, "draw")
    return table, client.post(f"/v1/matches/{NOBODY}/pass", headers=table.people[0].headers)


@refuses("unknown-seat", 404)
async def _no_such_seat(client: httpx.AsyncClient) -> Refused:
    table = await seated(client, "draw")
    return table, table.host.patch(2, {"level": "hard"})


@refuses("not-found", 404)
async def _no_such_path(client: httpx.AsyncClient) -> Refused:
    table = await seated(client, "draw")
    return table, table.people[0].send(GARBAGE)


@refuses("invalid-token", 401)
async def _not_a_token(client: httpx.AsyncClient) -> Refused:
    table = await seated(client, "draw")
    return table, client.get(table.host.path, headers={"Authorization": f"Bearer {GARBAGE}"})


@refuses("not-your-seat", 403)
async def _host_plays(client: httpx.AsyncClient) -> Refused:
    table = await seated(client, "draw")
    return table, table.host.send("play", {"tile": "6-6"})


@refuses("host-only", 403)
async def _one_of_two_people(client: httpx.AsyncClient) -> Refused:
    table = await create(client, "partner-penalty", seats=[HUMAN, HUMAN, CPU, CPU])
    return table, table.people[0].patch(2, {"level": "hard"})


@refuses("idempotency-mismatch", 422)
async def _same_key_for_another_move(client: httpx.AsyncClient) -> Refused:
    table = await seated(client, "draw")
    key = {"Idempotency-Key": GARBAGE}
    assert (await table.people[0].send("play", {"tile": "6-6"}, headers=key)).is_success
    return table, table.people[0].send("play", {"tile": "6-5"}, headers=key)


@refuses("version-mismatch", 412)
async def _decided_on_an_older_state(client: httpx.AsyncClient) -> Refused:
    table = await seated(client, "draw")
    return table, table.people[0].send("play", {"tile": "6-6"}, headers={"If-Match": f'"1", "{GARBAGE}"'})


@refuses("match-waiting")
async def _before_all_have_come(client: httpx.AsyncClient) -> Refused:
    table = await create(client, "draw", seats=[HUMAN, OPEN])
    return table, table.people[0].send("play", {"tile": "6-6"})


@refuses("no-open-seat")
async def _every_seat_taken(client: httpx.AsyncClient) -> Refused:
    table = await seated(client, "draw")
    return table, table.spectator.send("join", {"name": GARBAGE})


@refuses("match-finished")
async def _after_the_match(client: httpx.AsyncClient) -> Refused:
    table = await played(await seated(client, "block", target=0), "6-6 pass 6-5")
    return table, table.people[0].send("next-hand")


@refuses("hand-over")
async def _between_hands(client: httpx.AsyncClient) -> Refused:
    table = await played(await seated(client, "block"), "6-6 pass 6-5")
    return table, table.people[1].send("play", {"tile": "5-0"})


@refuses("hand-not-over")
async def _next_hand_too_soon(client: httpx.AsyncClient) -> Refused:
    table = await seated(client, "draw")
    return table, table.host.send("next-hand")


@refuses("no-cpu-turn")
async def _step_for_a_person(client: httpx.AsyncClient) -> Refused:
    table = await seated(client, "draw", seats=[HUMAN, CPU], pacing="step")
    return table, table.host.send("step")


@refuses("not-a-cpu-seat")
async def _level_of_a_person(client: httpx.AsyncClient) -> Refused:
    table = await seated(client, "draw")
    return table, table.host.patch(0, {"level": "hard"})


@refuses("not-your-turn")
async def _out_of_turn(client: httpx.AsyncClient) -> Refused:
    table = await seated(client, "draw")
    return table, table.people[1].send("play", {"tile": "5-0"})


@refuses("must-open")
async def _another_opening(client: httpx.AsyncClient) -> Refused:
    table = await seated(client, "draw")
    return table, table.people[0].send("play", {"tile": "6-5"})


@refuses("must-play")
async def _draw_with_a_play(client: httpx.AsyncClient) -> Refused:
    table = await seated(client, "draw")
    return table, table.people[0].send("draw")


@refuses("must-draw")
async def _pass_with_a_draw(client: httpx.AsyncClient) -> Refused:
    table = await played(await seated(client, "draw"), "6-6")
    return table, table.people[1].send("pass")


@refuses("must-pass")
async def _draw_without_drawing(client: httpx.AsyncClient) -> Refused:
    table = await played(await seated(client, "block"), "6-6")
    return table, table.people[1].send("draw")


@refuses("no-such-position")
async def _beyond_the_boneyard(client: httpx.AsyncClient) -> Refused:
    table = await played(await seated(client, "draw"), "6-6")
    return table, table.people[1].send("draw", {"position": 24})


@refuses("tile-not-in-hand")
async def _somebody_elses_tile(client: httpx.AsyncClient) -> Refused:
    table = await played(await seated(client, "draw"), "6-6")
    return table, table.people[1].send("play", {"tile": "6-5"})


@refuses("tile-does-not-fit")
async def _misfit(client: httpx.AsyncClient) -> Refused:
    table = await played(await seated(client, "draw"), "6-6")
    return table, table.people[1].send("play", {"tile": "5-0"})


@refuses("end-not-open")
async def _end_of_nothing(client: httpx.AsyncClient) -> Refused:
    table = await seated(client, "draw")
    return table, table.people[0].send("play", {"tile": "6-6", "end": "left"})


@refuses("end-required")
async def _either_end(client: httpx.AsyncClient) -> Refused:
    table = await played(await seated(client, "block", FORKED), "6-6 6-5:left 6-4:right")
    return table, table.people[1].send("play", {"tile": "5-4"})


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
    catalogue = {(kind.code, int(status_of(kind))) for kind in all_refusals()}
    unread = {
        ("malformed-request", 400),
        ("uri-too-long", 414),
        ("headers-too-large", 431),
    }  # test_protocol.py has them
    assert {*SITUATIONS, *unread, ("unavailable", 503), ("internal", 500)} == catalogue


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
