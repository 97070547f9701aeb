"""The order in which calls are judged: a call that breaks two rules is refused for the first of them."""

import itertools
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest

from tests.api.callers import CPU, HUMAN, create
from tests.api.provoked import NOBODY
from tests.api.situations import FORKED, played, seated


@dataclass
class Parts:
    """A request as its parts, which are spoilt one by one."""

    match: str
    token: str | None
    method: str
    seat: str = "2"
    body: bytes = b'{"level": "hard"}'
    headers: dict[str, str] = field(default_factory=lambda: {"Content-Type": "application/json"})
    if_match: str = "*"

    def request(self, client: httpx.AsyncClient) -> httpx.Request:
        headers = {**self.headers, "If-Match": self.if_match}
        if self.token is not None:
            headers["Authorization"] = f"Bearer {self.token}"
        path = f"/v1/matches/{self.match}/seats/{self.seat}"
        return client.build_request(self.method, path, content=self.body, headers=headers)


Spoilt = dict[str, Any]
LARGE = b" " * 70_000
FAULTS: list[tuple[str, int, Spoilt]] = [
    ("method-not-allowed", 405, {"method": "POST"}),
    ("payload-too-large", 413, {"body": LARGE}),
    ("unsupported-media-type", 415, {"headers": {"Content-Type": "text/plain"}}),
    ("malformed-json", 400, {"body": b"{"}),
    ("bad-header", 400, {"if_match": "17"}),
    ("token-required", 401, {"token": None}),
    ("invalid-request", 422, {"body": b'{"level": 1}'}),
    ("unknown-match", 404, {"match": NOBODY}),
    ("unknown-seat", 404, {"seat": "4"}),
    ("invalid-token", 401, {"token": "host.nonsense"}),
    ("host-only", 403, {"token": "of one of two people"}),
    ("version-mismatch", 412, {"if_match": '"1"'}),
    ("not-a-cpu-seat", 409, {"seat": "1"}),
]
"""What may be wrong with a change of level, in the order in which it is judged."""


def _pairs() -> list[Any]:
    return [
        pytest.param(first, second, id=f"{first[0]}, {second[0]}")
        for first, second in itertools.combinations(FAULTS, 2)
        if first[2].keys().isdisjoint(second[2])
    ]


@pytest.mark.parametrize(("first", "second"), _pairs())
async def test_a_call_with_two_faults_is_refused_for_the_first(
    client: httpx.AsyncClient, first: tuple[str, int, Spoilt], second: tuple[str, int, Spoilt]
) -> None:
    table = await create(client, "partner-penalty", seats=[HUMAN, HUMAN, CPU, CPU])
    token = table.created["tokens"][0]["token"]
    sound = {"match": str(table.id), "token": table.created["host_token"], "method": "PATCH"}
    spoilt = {**sound, **first[2], **second[2]}
    if spoilt["token"] == "of one of two people":
        spoilt["token"] = token
    answer = await client.send(Parts(**spoilt).request(client))
    assert (answer.json()["code"], answer.status_code) == first[:2]


async def test_a_call_without_a_fault_is_answered(client: httpx.AsyncClient) -> None:
    table = await create(client, "partner-penalty", seats=[HUMAN, HUMAN, CPU, CPU])
    parts = Parts(match=str(table.id), token=table.created["host_token"], method="PATCH")
    assert (await client.send(parts.request(client))).status_code == 200


async def test_a_path_that_is_not_there_comes_before_everything(client: httpx.AsyncClient) -> None:
    for method in ("GET", "POST", "PUT"):
        answer = await client.request(method, f"/v1/matches/{NOBODY}/nothing", content=LARGE)
        assert (answer.status_code, answer.json()["code"]) == (404, "not-found")


@pytest.mark.parametrize(
    ("fault", "status", "code"),
    [
        ({"rules": {"hand_size": 15}}, 422, "invalid-rules"),
        ({"seats": [HUMAN] * 3}, 422, "invalid-request"),
        ({"seats": [HUMAN] * 2, "deal": {"kind": "numbered", "number": 1}}, 422, "invalid-deal"),
    ],
)
async def test_a_create_is_judged_by_schema_rule_set_rules_and_deal(
    client: httpx.AsyncClient, fault: dict[str, Any], status: int, code: str
) -> None:
    async def create_with(**body: Any) -> tuple[int, str]:
        answer = await client.post("/v1/matches", json={**fault, **body})
        return answer.status_code, answer.json()["code"]

    assert await create_with(ruleset="draw", pacing="x") == (422, "invalid-request")
    assert await create_with(ruleset="nothing") == (422, "unknown-ruleset")
    assert await create_with(ruleset="draw") == (status, code)
    deal = {"kind": "fixed", "hands": [["6-6"], ["6-6"]]}
    assert await create_with(ruleset="draw", deal=deal) == (422, "invalid-deal" if "deal" in fault else code)


async def test_whose_turn_it_is_comes_before_what_is_done_with_it(client: httpx.AsyncClient) -> None:
    other = (await seated(client, "draw")).people[1]
    for path, body in (
        ("play", {"tile": "6-5"}),
        ("play", {"tile": "5-0", "end": "up"}),
        ("draw", {"position": 90}),
        ("pass", None),
    ):
        await other.refused(path, body, "not-your-turn")


async def test_the_tile_that_must_open_comes_before_everything_about_a_tile(client: httpx.AsyncClient) -> None:
    one = (await seated(client, "draw")).people[0]
    for body in ({"tile": "6-5"}, {"tile": "4-4"}, {"tile": "5-0"}, {"tile": "12-9"}, {"tile": "6-5", "end": "up"}):
        await one.refused("play", body, "must-open")
    await one.refused("play", {"tile": "6-6", "end": "up"}, "end-not-open")


async def test_a_play_that_fits_comes_before_what_is_wrong_with_a_draw(client: httpx.AsyncClient) -> None:
    for ruleset in ("draw", "block"):  # in one the place is not there, in the other nothing can be drawn
        one = (await seated(client, ruleset)).people[0]
        await one.refused("draw", {"position": 90}, "must-play")
        await one.refused("pass", None, "must-play")


async def test_a_game_without_drawing_has_no_places_to_name(client: httpx.AsyncClient) -> None:
    table = await played(await seated(client, "block"), "6-6")
    await table.people[1].refused("draw", {"position": 90}, "must-pass")


async def test_holding_a_tile_comes_before_fitting_and_fitting_before_the_end(client: httpx.AsyncClient) -> None:
    table = await played(await seated(client, "block", FORKED), "6-6 6-5:left 6-4:right")
    other = table.people[1]
    await other.refused("play", {"tile": "3-3", "end": "up"}, "tile-not-in-hand")
    await other.refused("play", {"tile": "6-6", "end": "left"}, "tile-not-in-hand")
    await other.refused("play", {"tile": "0-0", "end": "up"}, "tile-does-not-fit")
    await other.refused("play", {"tile": "5-4", "end": "up"}, "end-not-open")


@pytest.mark.parametrize(("target", "code"), [(0, "match-finished"), (100, "hand-over")])
async def test_the_end_comes_before_every_rule_of_play(client: httpx.AsyncClient, target: int, code: str) -> None:
    table = await played(await seated(client, "block", target=target), "6-6 pass 6-5")
    for caller in table.people.values():
        for path, body in (("play", {"tile": "4-4"}), ("draw", {"position": 90}), ("pass", None), ("step", None)):
            await caller.refused(path, body, code)
    answer = await table.host.send("pass")
    assert answer.json()["code"] == "not-your-seat"
    answer = await table.host.patch(0, {"level": "easy"})
    assert answer.json()["code"] == ("match-finished" if target == 0 else "not-a-cpu-seat")
