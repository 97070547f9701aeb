"""`legal_moves` is complete and exact: whole matches of every game are played from it, and before each move that is in
it something that is not is tried, and refused as the caller's own view of the match says it has to be.

The `client` holds every answer against the published document, those without a body included.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from engine.catalogue import RULESETS
from engine.layout import ENDS
from tests.api.callers import CPU, HUMAN, SEEDED, Caller, Table, create
from tests.kinds import SOURCE_GAMES

STATUSES = {"token-required": 401, "invalid-token": 401, "not-your-seat": 403}
"""Of the refusals that are no conflict."""

CLOCK = {"seconds_per_hand": 3600}
"""Seconds that no match here comes near."""

HARD = {"kind": "cpu", "level": "hard"}
ALWAYS = 4
"""How many codes there are, at least, to be met at any turn."""

TABLES: list[tuple[str, dict[str, Any]]] = [
    ("people", {"seats": [HUMAN, HUMAN, HUMAN, HUMAN], "rules": {"target": 40}}),
    ("against CPU seats", {"seats": [CPU, HUMAN, HARD, CPU], "auto_pass": True, "rules": {"target": 60}}),
    ("in steps", {"seats": [HUMAN, CPU, HUMAN, CPU], "pacing": "step", "clock": CLOCK}),
    ("passing by themselves", {"seats": [HUMAN, HUMAN, CPU, HUMAN], "auto_pass": True, "clock": CLOCK}),
    ("CPU seats", {"seats": [HARD, CPU, CPU, HARD], "pacing": "step"}),
]


@dataclass(frozen=True)
class Outside:
    """A call that is not among the legal moves, and the code it has to be refused with."""

    caller: Caller
    path: str
    body: dict[str, Any] | None
    code: str


@pytest.mark.parametrize("ruleset", SOURCE_GAMES)
@pytest.mark.parametrize("body", [body for _, body in TABLES], ids=[name for name, _ in TABLES])
async def test_what_is_legal_is_accepted_and_nothing_else(
    client: httpx.AsyncClient, ruleset: str, body: dict[str, Any]
) -> None:
    seats = body["seats"][: RULESETS[ruleset].seat_counts[0]]
    table = await create(client, ruleset, **{"rules": {"target": 0}, **body, "seats": seats, "deal": SEEDED})
    stranger = (await create(client, ruleset, seats=[HUMAN] * len(seats))).people[0]
    rng, met, turns = random.Random(f"{ruleset} {seats}"), set[str](), 0
    state = await table.host.get()
    while state["status"] != "finished":
        caller = table.people.get(state["hand"]["turn"]) or rng.choice([*table.people.values(), table.host])
        state = (await caller.look()).json()
        met.add(await _refused(rng, met, caller, state["version"], list(_outside(table, stranger, caller, state))))
        moves = state["hand"]["legal_moves"]
        assert len({str(move) for move in moves}) == len(moves)
        move = rng.choice(moves) if moves else {"type": "step"}
        answer = await caller.post(move["type"], move if moves else None)
        assert answer["events"][0]["seq"] == state["version"] + 1
        state, turns = answer["match"], turns + 1
    for outside in _after_the_end(table):
        await _refused(rng, met, outside.caller, state["version"], [outside])
    assert len(met) >= min(turns, ALWAYS)


async def _refused(rng: random.Random, met: set[str], caller: Caller, version: int, choices: list[Outside]) -> str:
    """Try one of the choices, codes that have not been `met` first. By then nothing has changed for `caller`."""
    codes = {choice.code for choice in choices}
    code = rng.choice(sorted(codes - met or codes))
    outside = rng.choice([choice for choice in choices if choice.code == code])
    refused = await outside.caller.send(outside.path, outside.body)
    told = refused.json()
    assert (refused.status_code, told["code"]) == (STATUSES.get(code, 409), code), (outside, outside.caller.viewer)
    assert told["type"] == f"/problems/{code}"
    assert "ETag" not in refused.headers
    seat = caller.viewer.role if caller.viewer.seat is None else caller.viewer.seat
    tag = f'"{version}.{seat}"'
    known = await caller.look(headers={"If-None-Match": tag})
    assert (known.status_code, known.headers["ETag"]) == (304, tag)
    if rng.random() < 0.1:
        head = await caller.client.head(caller.path, headers=caller.headers)
        assert (head.status_code, head.headers["ETag"], head.content) == (200, tag, b"")
    return code


def _outside(table: Table, stranger: Caller, caller: Caller, state: dict[str, Any]) -> Iterator[Outside]:
    """What may not be done now, `caller` seeing `state` and having the turn, or a CPU seat, or nobody."""
    hand, people = state["hand"], list(table.people.values())
    moves = hand["legal_moves"] or [{"type": "step"}]
    for move in moves:
        path, body = move["type"], None if move["type"] == "step" else move
        yield Outside(table.spectator, path, body, "token-required")
        foreign = Caller(caller.client, str(table.id), stranger.viewer, None)
        foreign.headers = stranger.headers
        yield Outside(foreign, path, body, "invalid-token")
    for path, body in (("play", {"tile": "6-6"}), ("draw", {}), ("pass", None)):
        yield Outside(table.host, path, body, "not-your-seat")
        if state["status"] == "hand_over":
            yield from (Outside(person, path, body, "hand-over") for person in people)
        else:
            others = (person for person in people if person.viewer.seat != hand["turn"])
            yield from (Outside(person, path, body, "not-your-turn") for person in others)
    if state["status"] == "hand_over":
        yield from (Outside(each, "step", None, "hand-over") for each in (*people, table.host))
        return
    yield from (Outside(each, "next-hand", None, "hand-not-over") for each in (*people, table.host))
    if hand["turn"] in table.people:
        yield from (Outside(each, "step", None, "no-cpu-turn") for each in (*people, table.host))
        yield from (Outside(caller, path, body, code) for path, body, code in _illegal(state))


def _illegal(state: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any], str]]:
    """What the seat that sees `state`, and has the turn, may not do, and the rule that it would break."""
    hand = state["hand"]
    kinds = {move["type"] for move in hand["legal_moves"]}
    plays = {(move["tile"], move["end"]) for move in hand["legal_moves"] if move["type"] == "play"}
    for high in range(state["rules"]["highest_double"] + 1):
        for tile in [f"{high}-{low}" for low in range(high + 1)]:
            for end in (None, *ENDS):
                if (tile, end) not in plays and (code := _wrong_play(state, plays, tile, end)) is not None:
                    yield "play", {"tile": tile, "end": end}, code
    if "pass" not in kinds:
        yield "pass", {}, "must-play" if plays else "must-draw"
    if "draw" in kinds:
        yield from (("draw", {"position": hand["boneyard_count"] + more}, "no-such-position") for more in (0, 1, 7))
    else:
        yield from (("draw", body, "must-play" if plays else "must-pass") for body in ({}, {"until_playable": True}))


def _wrong_play(state: dict[str, Any], plays: set[tuple[str, str | None]], tile: str, end: str | None) -> str | None:
    """The code for a play that is not listed; null for one whose end may be left out."""
    layout, own = state["hand"]["layout"], state["seats"][state["viewer"]["seat"]]["tiles"]
    asked = {each["end"]: each["value"] for each in layout["ends"]}
    places = {place for played, place in plays if played == tile}
    if layout["opening"] is None and not places and {played for played, _ in plays} != set(own):
        return "must-open"
    if tile not in own:
        return "tile-not-in-hand"
    if not places:
        return "tile-does-not-fit"
    if end is None:
        return "end-required" if len({asked[place] for place in places if place}) > 1 else None
    return "tile-does-not-fit" if end in asked else "end-not-open"


def _after_the_end(table: Table) -> Iterator[Outside]:
    for person in table.people.values():
        for path, body in (("play", {"tile": "6-6"}), ("draw", {}), ("pass", None), ("resign", None)):
            yield Outside(person, path, body, "match-finished")
    for path in ("next-hand", "step", "cancel"):
        yield Outside(table.host, path, None, "match-finished")
