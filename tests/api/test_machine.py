"""A table at which anybody may call anything, in any order, over HTTP: it answers what the engine alone says.

The machine runs in a thread of its own, and its calls on the event loop of the application.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import anyio
import httpx
from anyio import from_thread
from fastapi import FastAPI
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test

from engine.catalogue import RULESETS
from engine.layout import ENDS
from engine.match import legal_moves
from engine.players import Cpu, Human, Open, Player
from engine.tiles import tile_set
from engine.view import HOST, SPECTATOR, Viewer
from tests.api.callers import HUMAN, Caller, Table, create, seat_everyone
from tests.api.stored import seen, stored
from tests.api.table_model import MOVE, Asked, Chosen, Model, Receipt

BUDGET = 600
"""Seconds; time passes in steps that no run of an example comes near."""

EXPECTED = {
    *("clock_expired", "hand_ended", "level_changed", "match_ended", "seat_joined", "tile_drawn", "turn_passed"),
    *("replayed", "idempotency-mismatch", "version-mismatch", "invalid-token", "match-finished", "not-your-turn"),
}
"""Some of what has to happen, or the machine tests little."""

KEYS = st.sampled_from([None, None, "a-key-of-many-characters", "and-another-of-that-kind"])
LEVELS = st.sampled_from(["easy", "medium", "hard"])
PLAYERS: st.SearchStrategy[Player] = st.one_of(
    st.just(Human()), st.just(Human()), st.builds(Human, st.just("Ben")), st.builds(Cpu, LEVELS), st.just(Open())
)
VIEWERS = st.sampled_from([None, SPECTATOR, HOST, *[Viewer("seat", seat) for seat in range(4)]])
VERSIONS = st.sampled_from([None, None, None, "right", "right for me", "stale", "*"])
BODIES: dict[str, st.SearchStrategy[dict[str, Any]]] = {
    "play": st.fixed_dictionaries(
        {"tile": st.sampled_from(list(map(str, tile_set(6))))}, optional={"end": st.sampled_from([None, *ENDS])}
    ),
    "draw": st.fixed_dictionaries(
        {}, optional={"position": st.none() | st.integers(0, 90), "until_playable": st.booleans()}
    ),
    "join": st.fixed_dictionaries(
        {}, optional={"seat": st.none() | st.integers(0, 3), "name": st.sampled_from([None, "Asha"])}
    ),
}
NOTHING: st.SearchStrategy[dict[str, Any]] = st.just({})


@st.composite
def tables(draw: st.DrawFn) -> Chosen:
    ruleset = RULESETS[draw(st.sampled_from(list(RULESETS)))]
    count = draw(st.sampled_from(ruleset.seat_counts))
    return Chosen(
        ruleset=ruleset.id,
        target=draw(st.sampled_from([0, 20, 100])),
        players=tuple(draw(st.lists(PLAYERS, min_size=count, max_size=count))),
        pacing=draw(st.sampled_from(["auto", "step"])),
        auto_pass=draw(st.booleans()),
        seconds=draw(st.sampled_from([None, BUDGET])),
    )


class Machine(RuleBasedStateMachine):
    """Calls, and what the model makes of them."""

    def __init__(self, app: FastAPI, client: httpx.AsyncClient, foreign: Table, met: set[str]) -> None:
        super().__init__()
        self.app, self.client, self.foreign, self.met = app, client, foreign, met
        self.store = app.state.matches.store
        self.calls = 0

    def wait(self, function: Callable[..., Any], *given: Any) -> Any:
        return from_thread.run(function, *given)

    @initialize(chosen=tables())
    def sit_down(self, chosen: Chosen) -> None:
        self.wait(self._sit_down, chosen)

    async def _sit_down(self, chosen: Chosen) -> None:
        answer = await self.client.post("/v1/matches", json=chosen.body)
        self.table = seat_everyone(self.client, answer)
        created = answer.json()
        at = datetime.fromisoformat(created["events"][-1]["at"])
        begun = chosen.begun(self.table.id, at)
        self.model = Model(begun)
        self.people = dict(self.table.people)
        state, events = seen(begun.match, begun.events, chosen.creator)
        assert (created["match"], created["events"]) == (state, events)
        await self._check(0)

    def teardown(self) -> None:
        if not hasattr(self, "model"):
            return
        self.wait(self._check, 0)
        self.store.ahead = timedelta(0)
        self.met |= {event.type for event in self.model.log}

    async def _check(self, after: int) -> None:
        """The stored match is the model's, and everybody is told it, and its log after an event."""
        assert await stored(self.app, self.table) == (self.model.match, self.model.log)
        for caller in self.everyone:
            state, events = seen(self.model.match, self.model.log, caller.viewer)
            assert await caller.get() == state
            assert await caller.log(after=after, limit=500) == events[after:]

    @property
    def everyone(self) -> list[Caller]:
        return [*self.people.values(), self.table.host, self.table.spectator]

    def caller(self, who: Viewer | None) -> Caller:
        """Whoever has the token for that; a seat without a person has none, and gets one of another match."""
        found = next((caller for caller in self.everyone if caller.viewer == who), None)
        if found is not None:
            return found
        stranger = self.foreign.people[0]
        caller = Caller(self.client, str(self.table.id), stranger.viewer, None)
        caller.headers = stranger.headers
        return caller

    async def _call(self, asked: Asked) -> None:
        caller = self.caller(asked.who)
        if caller not in self.everyone:
            asked = replace(asked, who=None)
        await self.app.state.matches.load(self.table.id)
        now = await self.store.now()
        known = self.model.match.version
        self.model.time_is(now)
        headers = dict(caller.headers)
        keyed = not asked.name.startswith("seats/")
        if asked.key is not None and keyed:
            headers["Idempotency-Key"] = asked.key
        if asked.if_match is not None:
            headers["If-Match"] = asked.if_match
        expected = self.model.expected(asked, now)
        method = "POST" if keyed else "PATCH"
        answer = await self.client.request(
            method, f"{caller.path}/{asked.name}", json=dict(asked.body), headers=headers
        )
        told = answer.json()
        if expected.code is not None:
            assert (answer.status_code >= 400, told["code"]) == (True, expected.code), answer.text
            self.met.add(expected.code)
        else:
            assert answer.status_code == 200, answer.text
            await self._accepted(asked, expected.command, expected.replayed, answer)
        if self.model.match.version != known:
            await self._check(known)
        else:
            assert await stored(self.app, self.table) == (self.model.match, self.model.log)

    async def _accepted(
        self, asked: Asked, command: Callable[[datetime], Any] | None, replayed: Receipt | None, answer: httpx.Response
    ) -> None:
        told = answer.json()
        if replayed is not None:
            assert answer.headers["Idempotency-Replayed"] == "true"
            events = self.model.log[replayed.first - 1 : replayed.last]
            self.met.add("replayed")
        else:
            assert "Idempotency-Replayed" not in answer.headers
            assert command is not None
            version, before = self.model.match.version, self.model.match.updated_at
            at = datetime.fromisoformat(told["events"][-1]["at"]) if told["events"] else before
            assert before <= at <= await self.store.now()
            done = command(at)
            events = done.events
            assert not events or events[0].seq == version + 1
            self.model.carried_out(asked, done)
        viewer = asked.who
        if asked.name == "join":
            seat = next(event.seat for event in events if event.type == "seat_joined")
            assert seat is not None
            viewer = Viewer("seat", seat)
            [token] = told["tokens"]
            assert token["seat"] == seat
            self.people[seat] = Caller(self.client, str(self.table.id), viewer, token["token"])
        assert viewer is not None
        state, shown = seen(self.model.match, events, viewer)
        assert (told["match"], told["events"]) == (state, shown)
        name = viewer.role if viewer.seat is None else viewer.seat
        assert answer.headers["ETag"] == f'"{self.model.match.version}.{name}"'

    def ask(
        self, who: Viewer | None, name: str, body: dict[str, Any], key: str | None = None, version: str | None = None
    ) -> None:
        self.calls += 1
        present = self.model.match.version
        named = {"right": f'"{present}"', "right for me": f'W/"{present}.0"', "stale": f'"{present - 1}"', "*": "*"}
        self.wait(self._call, Asked(who, name, body, key, None if version is None else named[version]))

    @precondition(lambda self: self.model.match.status == "playing")
    @rule(choices=st.lists(st.integers(0, 2**16), min_size=1, max_size=6), key=KEYS, version=VERSIONS)
    def move(self, choices: list[int], key: str | None, version: str | None) -> None:
        """What is legal, some times; a CPU seat that has the turn takes a step."""
        for choice in choices:
            match = self.model.match
            if (seat := match.turn) is None:
                return
            if isinstance(match.players[seat], Cpu):
                self.ask(HOST, "step", {}, key, version)
            else:
                moves = legal_moves(match, seat)
                body = MOVE.dump_python(moves[choice % len(moves)], mode="json")
                self.ask(Viewer("seat", seat), body.pop("type"), body, key, version)
            key = version = None

    @precondition(lambda self: self.model.match.status == "playing")
    @rule(data=st.data(), name=st.sampled_from(["play", "play", "draw", "pass"]), key=KEYS)
    def ask_for_anything_in_turn(self, data: st.DataObject, name: str, key: str | None) -> None:
        turn = self.model.match.turn
        self.ask(Viewer("seat", turn), name, data.draw(BODIES.get(name, NOTHING)), key)

    @rule(
        who=VIEWERS,
        name=st.sampled_from(["play", "draw", "pass", "next-hand", "step", "join"]),
        data=st.data(),
        key=KEYS,
        version=VERSIONS,
    )
    def ask_for_anything(
        self, who: Viewer | None, name: str, data: st.DataObject, key: str | None, version: str | None
    ) -> None:
        self.ask(who, name, data.draw(BODIES.get(name, NOTHING)), key, version)

    @precondition(lambda self: self.model.match.status == "hand_over")
    @rule(key=KEYS)
    def next_hand(self, key: str | None) -> None:
        self.ask(HOST, "next-hand", {}, key)

    @precondition(lambda self: self.model.match.status == "waiting")
    @rule(body=BODIES["join"], key=KEYS, version=VERSIONS)
    def join(self, body: dict[str, Any], key: str | None, version: str | None) -> None:
        self.ask(SPECTATOR, "join", body, key, version)

    @precondition(lambda self: self.calls > 60)
    @rule(who=VIEWERS, name=st.sampled_from(["resign", "cancel"]), key=KEYS, version=VERSIONS)
    def end(self, who: Viewer | None, name: str, key: str | None, version: str | None) -> None:
        self.ask(who, name, {}, key, version)

    @rule(who=VIEWERS, seat=st.integers(0, 3), level=LEVELS, version=VERSIONS)
    def change_the_level(self, who: Viewer | None, seat: int, level: str, version: str | None) -> None:
        self.ask(who, f"seats/{seat}", {"level": level}, None, version)

    @precondition(lambda self: self.model.receipts)
    @rule(choice=st.integers(0, 2**16), data=st.data(), other=st.booleans(), version=VERSIONS)
    def call_again(self, choice: int, data: st.DataObject, other: bool, version: str | None) -> None:
        """With the same key, and perhaps another body."""
        receipts = list(self.model.receipts.values())
        asked = receipts[choice % len(receipts)].asked
        body = data.draw(BODIES.get(asked.name, NOTHING)) if other else dict(asked.body)
        self.ask(asked.who, asked.name, body, asked.key, version)

    @rule(seconds=st.sampled_from([1, 100, 300]))
    def let_time_pass(self, seconds: int) -> None:
        """A day, where seats are open."""
        if self.model.match.status == "waiting":
            seconds *= 300
        self.store.ahead += timedelta(seconds=seconds)
        self.ask(SPECTATOR, "pass", {})


async def test_the_service_answers_what_the_engine_says(app: FastAPI, client: httpx.AsyncClient) -> None:
    foreign, met = await create(client, "draw", seats=[HUMAN, HUMAN]), set[str]()
    chosen = settings(  # without shrinking, which takes minutes where each example takes a second
        max_examples=30,
        stateful_step_count=60,
        suppress_health_check=[HealthCheck.too_slow],
        print_blob=False,
        phases=[Phase.explicit, Phase.generate],
    )

    def run() -> None:
        run_state_machine_as_test(partial(Machine, app, client, foreign, met), settings=chosen)  # type: ignore[arg-type]

    await anyio.to_thread.run_sync(run)
    assert met >= EXPECTED
