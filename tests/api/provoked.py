"""A situation for every refusal: a table, and a call that is refused there."""

from collections.abc import Awaitable, Callable
from typing import Final

import httpx

from api.problems import all_refusals, status_of
from tests.api.callers import CPU, HUMAN, OPEN, Table, create
from tests.api.situations import FORKED, played, seated

GARBAGE: Final = "zzcanaryzz"
"""It is sent wherever something can be sent, and must be in no answer."""

NOBODY: Final = "00000000-0000-7000-8000-000000000000"
"""The id of no match."""

CATALOGUE: Final = {(kind.code, int(status_of(kind))) for kind in all_refusals()}
"""Every code with each of its statuses."""

BEFORE_PATHS: Final = {("malformed-request", 400), ("uri-too-long", 414), ("headers-too-large", 431)}
"""Refusals of what does not get as far as a path, so that no operation declares them; `test_protocol.py` has them."""

Refused = tuple[Table, Awaitable[httpx.Response]]
"""A table, and a call that is refused there."""

Situation = Callable[[httpx.AsyncClient], Awaitable[Refused]]
SITUATIONS: Final[dict[tuple[str, int], Situation]] = {}


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


@refuses("set-too-large")
async def _expert_on_double_twelve(client: httpx.AsyncClient) -> Refused:
    table = await create(client, "draw", seats=[HUMAN, CPU], rules={"highest_double": 12})
    return table, table.host.patch(1, {"level": "expert"})


@refuses("hints-off")
async def _hint_without_hints(client: httpx.AsyncClient) -> Refused:
    table = await seated(client, "draw")
    return table, table.people[0].look("/hint")


@refuses("match-not-finished")
async def _review_too_soon(client: httpx.AsyncClient) -> Refused:
    table = await seated(client, "draw")
    return table, table.spectator.look("/review")


@refuses("unknown-hand", 404)
async def _no_such_hand(client: httpx.AsyncClient) -> Refused:
    table = await played(await seated(client, "block", target=0), "6-6 pass 6-5")
    return table, table.spectator.look("/review", hand=2)


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
