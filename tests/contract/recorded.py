"""Calls to show in the document: made one by one at a service of their own, and told with fixed ids and times."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from uuid import UUID

import httpx

from api.examples import CURSOR, MATCH_ID

BEGUN: Final = datetime(2026, 1, 5, 18, tzinfo=UTC)
BETWEEN_CALLS: Final = timedelta(seconds=4)
_TIME: Final = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z")
_SEED: Final = "a57ab1e0" * 8

NUMBERED: Final = {"kind": "numbered", "number": 7}
TABLE: Final = {
    "ruleset": "block",
    "seats": [{"kind": "human", "name": "Asha"}, {"kind": "open"}],
    "deal": {"kind": "seeded", "seed": _SEED},
    "listed": True,
    "clock": {"seconds_per_hand": 240},
}
EVERYTHING: Final = {
    "ruleset": "partner-penalty",
    "rules": {"target": 151},
    "seats": [
        {"kind": "human", "name": "Asha"},
        {"kind": "cpu", "level": "hard"},
        {"kind": "cpu", "level": "hard"},
        {"kind": "cpu", "level": "easy"},
    ],
    "pacing": "auto",
    "auto_pass": True,
    "listed": False,
    "hints": True,
    "deal": {"kind": "numbered", "number": 123},
    "clock": {"seconds_per_hand": 240},
}
PUZZLE: Final = {
    "ruleset": "draw",
    "rules": {"hand_size": 3, "opening": "forced", "target": 0},
    "deal": {"kind": "fixed", "hands": [["6-6", "6-4", "1-1"], ["6-5", "5-4", "0-0"]], "boneyard": ["3-3", "2-0"]},
}


class Recorder:
    """Makes calls, and keeps those that are to be shown."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self.client = client
        self.calls: dict[str, list[dict[str, Any]]] = {}
        self._others: dict[str, str] = {}
        self._made: list[datetime] = []

    async def call(self, method: str, path: str, body: object = None, token: str = "", **headers: str) -> Any:
        """A call that is not shown."""
        if token:
            headers["Authorization"] = f"Bearer {token}"
        answer = await self.client.request(method, path, json=body, headers=headers)
        assert answer.is_success, answer.text
        if not answer.headers["content-type"].startswith("application/json"):
            return answer.text
        told = answer.json()
        self._note(told)
        return told

    async def show(
        self,
        operation: str,
        name: str,
        summary: str,
        method: str,
        path: str,
        body: object = None,
        token: str = "",
        *,
        answer: Callable[[Any], Any] | None = lambda told: told,
        status: int = 200,
    ) -> Any:
        """A call that is shown, with what `answer` leaves of its answer; with none of it where that is null."""
        told = await self.call(method, path, body, token)
        self.keep(operation, name, summary, body, None if answer is None else answer(told), status=status)
        return told

    def keep(self, operation: str, name: str, summary: str, body: object, told: Any, *, status: int = 200) -> None:
        """Show a call that was made, with its body and its answer where there are any."""
        shown: dict[str, Any] = {"name": name, "summary": summary, "status": status}
        if body is not None:
            shown["request"] = body
        if told is not None:
            shown["answer"] = self._retold(told)
        self.calls.setdefault(operation, []).append(shown)

    def _note(self, told: Any) -> None:
        """Remember the ids and the time of a match that was met."""
        for match in (told.get("match"), told):
            if match and "updated_at" in match:
                number = len(self._others)
                other = MATCH_ID if not number else str(UUID(int=UUID(MATCH_ID).int + (number << 80) * 60_000))
                self._others.setdefault(match["id"], other)
                at = datetime.fromisoformat(match["updated_at"])
                if at not in self._made:
                    self._made.append(at)

    def _retold(self, told: Any) -> Any:
        match told:
            case dict():
                return {name: self._other(name, value) for name, value in told.items()}
            case list():
                return [self._retold(each) for each in told]
            case str():
                for real, other in self._others.items():
                    told = told.replace(real, other)
                return _TIME.sub(lambda found: self._moved(found[0]), told)
        return told

    def _other(self, name: str, value: Any) -> Any:
        match name, value:
            case (("token" | "host_token"), str()):
                kind = value.partition(".")[0]
                return f"{kind}.{'EXAMPLE' * 7}"[: len(value)]
            case "next_cursor", str():
                return CURSOR
        return self._retold(value)

    def _moved(self, time: str) -> str:
        """The time as it would be, had the calls been made at a steady pace."""
        at = datetime.fromisoformat(time)
        call = max((index for index, made in enumerate(self._made) if made <= at), default=0)
        moved = BEGUN + BETWEEN_CALLS * call + (at - self._made[call])
        return moved.isoformat().replace("+00:00", "Z")


async def record(client: httpx.AsyncClient) -> dict[str, list[dict[str, Any]]]:
    """All calls, by operation."""
    recorder = Recorder(client)
    await _creates(recorder)
    await _practice(recorder)
    await _draws_and_passes(recorder)
    await _hints(recorder)
    await _table(recorder)
    await _lobby(recorder)
    await _others(recorder)
    return recorder.calls


async def _creates(recorder: Recorder) -> None:
    """The shortest first: it is what a page of documentation offers to send."""
    for name, summary, body in (
        ("shortest", "All that is required.", {"ruleset": "draw"}),
        ("puzzle", "A hand whose tiles are all known.", PUZZLE),
    ):
        await recorder.show("create_match", name, summary, "POST", "/v1/matches", body, answer=None, status=201)
    summary = "Everything there is to say."
    await recorder.show("create_match", "everything", summary, "POST", "/v1/matches", EVERYTHING, status=201)


async def _practice(recorder: Recorder) -> None:
    """A match of all fives against a CPU seat, to its second hand."""
    show = recorder.show
    body = {"ruleset": "all-fives", "deal": NUMBERED}
    created = await show(
        "create_match", "practice", "One person and one CPU seat.", "POST", "/v1/matches", body, status=201
    )
    path, token = _of(created)
    move = created["match"]["hand"]["legal_moves"][0]
    moved = await show("play", "legal_move", "An entry of `legal_moves`.", "POST", f"{path}/play", move, token)
    move = {name: moved["match"]["hand"]["legal_moves"][0][name] for name in ("tile", "end")}
    moved = await show("play", "by_hand", "A tile and an end.", "POST", f"{path}/play", move, token, answer=None)
    log = f"{path}/events?after=2&limit=3"
    await show("list_events", "seat", "Three events, as the seat sees them.", "GET", log, token=token)
    await show("get_match", "seat", "As a seat sees it in mid-hand.", "GET", path, token=token)
    await show("get_match", "spectator", "The same as everybody sees it.", "GET", path)
    await show("get_board", "line", "The line in mid-hand.", "GET", f"{path}/board.svg?reach=24")
    moved = await _last_of_hand(recorder, path, token, moved)
    await show("next_hand", "seat", "By a seat.", "POST", f"{path}/next-hand", {}, token)
    await show("resign", "seat", "By a seat.", "POST", f"{path}/resign", {}, token)
    stream = f"{path}/stream?after={moved['match']['version'] + 1}"
    await show("stream_events", "end", "The last event of a match.", "GET", stream, token=token, answer=_last_event)


async def _last_of_hand(recorder: Recorder, path: str, token: str, told: Any) -> Any:
    """Play on to the end of the hand; the play that ended it is shown."""
    while True:
        move = told["match"]["hand"]["legal_moves"][0]
        told = await recorder.call("POST", f"{path}/{move['type']}", move, token)
        if told["match"]["status"] == "hand_over":
            assert move["type"] == "play"
            recorder.keep("play", "last_of_hand", "A play that ends the hand.", move, told)
            return told


async def _draws_and_passes(recorder: Recorder) -> None:
    body = {"ruleset": "draw", "deal": NUMBERED}
    for operation, kind, ruleset in (("draw", "draw", "draw"), ("pass_turn", "pass", "block")):
        told = await recorder.call("POST", "/v1/matches", {**body, "ruleset": ruleset})
        path, token = _of(told)
        while told["match"]["hand"]["legal_moves"][0]["type"] != kind:
            told = await _move(recorder, path, token, told)
        move = told["match"]["hand"]["legal_moves"][0]
        await recorder.show(operation, "legal_move", "As in `legal_moves`.", "POST", f"{path}/{kind}", move, token)


async def _hints(recorder: Recorder) -> None:
    """A hand of draw with hints, and the review of it."""
    show = recorder.show
    body = {"ruleset": "draw", "rules": {"hand_size": 5, "target": 0}, "deal": NUMBERED, "hints": True}
    told = await show("create_match", "hints", "With hints.", "POST", "/v1/matches", body, answer=None, status=201)
    path, token = _of(told)
    while len(told["match"]["hand"]["legal_moves"]) < 2:
        told = await _move(recorder, path, token, told)
    await show("get_hint", "seat", "For the seat that has the turn.", "GET", f"{path}/hint", token=token)
    while told["match"]["status"] != "finished":
        told = await _move(recorder, path, token, told)
    await show("get_review", "hand", "The first hand of a match.", "GET", f"{path}/review?hand=1")


async def _table(recorder: Recorder) -> None:
    """Two people and a clock."""
    show = recorder.show
    created = await show(
        "create_match", "table", "A seat for somebody else, and a clock.", "POST", "/v1/matches", TABLE, status=201
    )
    path, _ = _of(created)
    await show("get_match", "waiting", "A table that waits, as everybody sees it.", "GET", path)
    await show("join_match", "named", "The open seat, with a name.", "POST", f"{path}/join", {"name": "Bela"})


async def _lobby(recorder: Recorder) -> None:
    seats = [{"kind": "human", "name": "Chidi"}, {"kind": "open"}]
    body = {"ruleset": "draw", "seats": seats, "listed": True, "deal": TABLE["deal"]}
    created = await recorder.call("POST", "/v1/matches", body)
    await recorder.show("list_matches", "page", "The first page of a lobby.", "GET", "/v1/matches?limit=1")
    path, token = _of(created)[0], created["host_token"]
    await recorder.show("cancel", "host", "By the host.", "POST", f"{path}/cancel", {}, token)


async def _others(recorder: Recorder) -> None:
    show = recorder.show
    seats = [{"kind": "cpu", "level": "hard"}, {"kind": "cpu"}]
    stepping = {"ruleset": "block", "seats": seats, "pacing": "step", "deal": NUMBERED}
    created = await recorder.call("POST", "/v1/matches", stepping)
    path, token = _of(created)
    await show("step", "host", "By the host.", "POST", f"{path}/step", {}, token)
    level = {"level": "easy"}
    await show("change_seat", "host", "By the host.", "PATCH", f"{path}/seats/1", level, created["host_token"])
    ruleset = "/v1/rulesets/partner-penalty"
    await show("list_rulesets", "cut", "Cut short: one game, three parameters.", "GET", "/v1/rulesets", answer=_cut)
    await show("get_ruleset", "cut", "Cut short: three parameters.", "GET", ruleset, answer=_cut_parameters)
    await show("live", "ok", "All is well.", "GET", "/health/live")
    await show("ready", "ok", "All is well.", "GET", "/health/ready")


def _of(created: dict[str, Any]) -> tuple[str, str]:
    """The path of a match, and the token of its first person, or else of its host."""
    tokens = [seat["token"] for seat in created["tokens"]]
    return f"/v1/matches/{created['match']['id']}", [*tokens, created["host_token"]][0]


async def _move(recorder: Recorder, path: str, token: str, told: dict[str, Any]) -> Any:
    move = told["match"]["hand"]["legal_moves"][0]
    return await recorder.call("POST", f"{path}/{move['type']}", move, token)


def _last_event(text: str) -> dict[str, str]:
    """The last of the events that a stream sent."""
    lines = text.rstrip("\n").rpartition("\n\n")[2].splitlines()
    return dict(line.split(": ", 1) for line in lines)


def _cut(told: dict[str, Any]) -> dict[str, Any]:
    return {"items": [_cut_parameters(told["items"][0])]}


def _cut_parameters(ruleset: dict[str, Any]) -> dict[str, Any]:
    return {**ruleset, "parameters": ruleset["parameters"][:3]}
