"""Hints and reviews over HTTP: who gets them, when, and that nothing of another seat is in them."""

from collections.abc import Iterator

import httpx
import pytest
from fastapi import FastAPI

from engine import hints, review
from engine.view import Viewer
from tests.api.callers import CPU, HUMAN, OPEN, SEEDED, Caller, Table, create, play_out, seat_everyone
from tests.api.situations import played, seated
from tests.api.stored import stored
from tests.api.test_matches_hidden import DEAL, MOVE, Game, masked
from tests.api.test_noninterference import pairs, people

VISITS = 60


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Few hands are played on: what is found is less exact, and the same in all else."""
    tell, judge = hints.hint, review.review
    monkeypatch.setattr(hints, "hint", lambda seen: tell(seen, VISITS))
    monkeypatch.setattr(review, "review", lambda match, log, number: judge(match, log, number, VISITS))
    return iter([None])


async def code(caller: Caller, path: str) -> tuple[int, str]:
    answer = await caller.look(path)
    return answer.status_code, answer.json()["code"]


async def test_a_hint_is_for_the_seat_that_has_the_turn(client: httpx.AsyncClient) -> None:
    table = await create(client, "all-fives", seats=[HUMAN, HUMAN], deal=SEEDED, hints=True)
    state = await table.host.get()
    turn = state["hand"]["turn"]
    hint = await table.people[turn].get("/hint")
    assert (hint["version"], hint["seat"]) == (state["version"], turn)
    legal = await table.people[turn].moves()
    moves = [each["move"] for each in hint["moves"]]
    assert len(moves) == len(legal)
    assert all(move in legal for move in moves)
    assert await code(table.people[1 - turn], "/hint") == (409, "not-your-turn")
    assert await code(table.host, "/hint") == (403, "not-your-seat")
    assert await code(table.spectator, "/hint") == (401, "token-required")
    await table.people[turn].post(moves[0]["type"], moves[0])


async def test_a_hint_is_not_sent_again_while_nobody_moves(client: httpx.AsyncClient) -> None:
    table = await create(client, "draw", seats=[HUMAN, HUMAN], deal=SEEDED, hints=True)
    turn = (await table.host.get())["hand"]["turn"]
    caller = table.people[turn]
    first = await caller.look("/hint")
    assert first.headers["Cache-Control"] == "private, no-cache"
    assert "Authorization" in first.headers["Vary"]
    known = {"If-None-Match": first.headers["ETag"]}
    again = await caller.look("/hint", headers=known)
    assert (again.status_code, again.content) == (304, b"")
    assert (await caller.look("/hint")).content == first.content
    head = await client.head(f"{caller.path}/hint", headers=caller.headers)
    assert (head.status_code, head.headers["ETag"], head.content) == (200, first.headers["ETag"], b"")
    move = first.json()["moves"][0]["move"]
    await caller.post(move["type"], move)
    assert (await caller.look("/hint", headers=known)).status_code != 304
    assert (await caller.look("/hint", headers={"If-None-Match": "17"})).json()["code"] == "bad-header"


async def test_when_there_is_no_hint(client: httpx.AsyncClient) -> None:
    plain = await seated(client, "block")
    assert await code(plain.people[0], "/hint") == (409, "hints-off")
    waiting = await create(client, "draw", seats=[HUMAN, OPEN], hints=True)
    assert await code(waiting.people[0], "/hint") == (409, "match-waiting")
    between = await played(await seated(client, "block", hints=True), "6-6 pass 6-5")
    assert await code(between.people[0], "/hint") == (409, "hand-over")
    over = await played(await seated(client, "block", target=0, hints=True), "6-6 pass 6-5")
    assert await code(over.people[0], "/hint") == (409, "match-finished")


async def test_everybody_sees_whether_a_match_has_hints(client: httpx.AsyncClient) -> None:
    for chosen in (True, False):
        table = await create(client, "draw", seats=[HUMAN, OPEN], listed=True, hints=chosen)
        assert [(await caller.get())["hints"] for caller in table.everyone] == [chosen] * 3
        [listed] = (await client.get("/v1/matches", params={"limit": 1})).json()["items"]
        assert (listed["id"], listed["hints"]) == (str(table.id), chosen)
    assert (await create(client, "draw")).created["match"]["hints"] is False


@pytest.mark.parametrize("body", [{"hints": True}, {"seats": [HUMAN, {"kind": "cpu", "level": "expert"}]}])
async def test_a_set_may_be_too_large(client: httpx.AsyncClient, body: dict[str, object]) -> None:
    answer = await client.post("/v1/matches", json={"ruleset": "draw", "rules": {"highest_double": 12}, **body})
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid-rules")
    assert [error["pointer"] for error in answer.json()["errors"]] == ["#/rules/highest_double"]
    rules = {"highest_double": 12, "target": 0}
    table = await create(client, "draw", rules=rules, seats=[CPU, CPU])
    assert await code(table.spectator, "/review") == (409, "set-too-large")


async def test_a_hint_is_the_same_whatever_is_hidden(client: httpx.AsyncClient) -> None:
    for ruleset, seat in (("draw", 0), ("partner-penalty", 1), ("all-fives", 1)):
        game, viewer = Game(ruleset, people(ruleset)), Viewer("seat", seat)
        deal, twin, script = next(pairs(game, {viewer}))
        told = []
        for each in (deal, twin):
            seats = [{"kind": "human"}] * len(people(ruleset))
            body = {"ruleset": ruleset, "seats": seats, "hints": True, "deal": DEAL.dump_python(each, mode="json")}
            table = seat_everyone(client, await client.post("/v1/matches", json=body))
            for mover, move in script:
                await table.people[mover].post(move.type, MOVE.dump_python(move, mode="json"))
            answer = await table.people[seat].look("/hint")
            assert answer.status_code == 200, answer.text
            told.append(masked(answer))
        assert told[0] == told[1]


async def finished(client: httpx.AsyncClient) -> Table:
    table = await create(client, "draw", seats=[HUMAN, CPU], rules={"hand_size": 4, "target": 30}, deal=SEEDED)
    await play_out(table)
    return table


async def test_everybody_gets_the_same_review(client: httpx.AsyncClient, app: FastAPI) -> None:
    table = await finished(client)
    match, log = await stored(app, table)
    assert match.hand_number is not None
    for number in range(1, match.hand_number + 1):
        told = [await caller.get("/review", hand=number) for caller in table.everyone]
        assert told == [told[0]] * 3
        assert (told[0]["hand"], told[0]["hands"]) == (number, match.hand_number)
        seqs = [move["seq"] for move in told[0]["moves"]]
        assert seqs == sorted(seqs)
        assert all(log[seq - 1].type == "tile_played" and log[seq - 1].hand == number for seq in seqs)
    assert await table.spectator.get("/review") == await table.spectator.get("/review", hand=1)


async def test_a_review_is_not_sent_again(client: httpx.AsyncClient) -> None:
    table = await finished(client)
    first = await table.spectator.look("/review")
    known = {"If-None-Match": first.headers["ETag"]}
    assert (await table.spectator.look("/review", headers=known)).status_code == 304
    headers_first = await table.spectator.look("/review", headers={"If-None-Match": "17"}, hand="none")
    assert headers_first.json()["code"] == "bad-header"


async def test_when_there_is_no_review(client: httpx.AsyncClient) -> None:
    table = await seated(client, "block")
    for caller in table.everyone:
        assert await code(caller, "/review") == (409, "match-not-finished")
    await table.host.post("cancel")
    assert await code(table.host, "/review") == (409, "match-not-finished")
    over = await finished(client)
    hands = (await over.host.get())["hand"]["number"]
    answer = await client.get(f"{over.host.path}/review?hand={hands + 1}")
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown-hand")
    for query in ("hand=0", "hand=x", "hand=1&hand=2", "hands=1", "hand=1001"):
        answer = await client.get(f"{over.host.path}/review?{query}")
        assert (answer.status_code, answer.json()["code"]) == (422, "invalid-request")


async def test_a_match_that_was_given_up_is_reviewed_as_far_as_it_went(client: httpx.AsyncClient) -> None:
    table = await create(client, "block", seats=[HUMAN, HUMAN], deal=SEEDED)
    caller = table.people[(await table.host.get())["hand"]["turn"]]
    move = (await caller.moves())[0]
    await caller.post(move["type"], move)
    await caller.post("resign")
    told = await table.spectator.get("/review")
    assert (told["hands"], told["turning_point"]) == (1, None)
