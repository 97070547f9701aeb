"""No hidden tile leaves: two matches that differ only in tiles hidden from a viewer answer that viewer the same."""

import itertools
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import httpx
import pytest
from pydantic import TypeAdapter

from engine.autoplay import play_on
from engine.catalogue import RULESETS
from engine.deal import FixedDeal
from engine.errors import RuleViolation
from engine.events import Event
from engine.match import Match, Transition, create, decide, legal_moves
from engine.moves import Move
from engine.players import Cpu, Human, Player
from engine.tiles import tile_set
from engine.view import HOST, SPECTATOR, Viewer
from tests.api import callers
from tests.api.callers import Caller
from tests.api.stored import EVENTS
from tests.engine.games import AT, setup
from tests.kinds import SOURCE_GAMES

MOVE: Final[TypeAdapter[Move]] = TypeAdapter(Move)
DEAL: Final = TypeAdapter(FixedDeal)
PLAYER: Final[TypeAdapter[Player]] = TypeAdapter(Player)
Script = tuple[tuple[int, Move], ...]

MASKS: Final = (
    (re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"), "ID"),
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z"), "TIME"),
    (re.compile(r"(seat\d|host)\.[\w-]{43}"), "TOKEN"),
    (re.compile(r'"commitment":"[0-9a-f]{64}"'), '"commitment"'),
)
"""What differs between two matches anyway."""


@dataclass(frozen=True)
class Game:
    """What two matches have in common: all but who got which tiles."""

    ruleset: str
    players: tuple[Player, ...]

    def begun(self, deal: FixedDeal) -> Transition:
        return play_on(create(setup(self.ruleset, 1, self.players, deal), AT), AT)

    def called(self, match: Match, seat: int, move: Move) -> Transition:
        return play_on(decide(match, seat, move, AT), AT)

    def after(self, deal: FixedDeal, script: Script) -> tuple[Match, tuple[Event, ...]]:
        done = self.begun(deal)
        log = done.events
        for seat, move in script:
            done = self.called(done.match, seat, move)
            log += done.events
        return done.match, log


def some_deal(ruleset: str, rng: random.Random) -> FixedDeal:
    rules, seats = RULESETS[ruleset].rules, RULESETS[ruleset].seat_counts[0]
    deck = list(rules.live_tiles())
    rng.shuffle(deck)
    size = rules.hand_size
    hands = tuple(tuple(deck[seat * size : (seat + 1) * size]) for seat in range(seats))
    return FixedDeal(hands, tuple(deck[seats * size :]))


def some_play(game: Game, deal: FixedDeal, viewer: Viewer, rng: random.Random) -> Script:
    """Calls by chance in the first hand, to a moment at which a seat that looks has to move."""
    match = game.begun(deal).match
    script: Script = ()
    best: Script = ()
    while match.status == "playing" and match.turn is not None and len(script) < 14:
        if viewer.seat in {None, match.turn}:
            best = script
        move = rng.choice(legal_moves(match, match.turn))
        script += ((match.turn, move),)
        match = game.called(match, *script[-1]).match
    return best


def public(log: tuple[Event, ...], viewer: Viewer) -> list[dict[str, Any]]:
    """What anybody at the table sees of a hand that is being played, and what `viewer` is dealt and draws."""
    seen: list[dict[str, Any]] = EVENTS.dump_python(log, mode="json")
    for event in seen:
        if event["type"] == "hand_dealt":
            event["tiles"] = [dealt for dealt in event["tiles"] if dealt["seat"] == viewer.seat]
            del event["boneyard"]
        if event["type"] == "tile_drawn" and event["seat"] != viewer.seat:
            del event["tile"]
    return seen


def twins(game: Game, deal: FixedDeal, script: Script, viewer: Viewer) -> Iterator[FixedDeal]:
    """Deals in which two tiles that `viewer` has not seen lie the other way round, and the same play looks the same."""
    match, log = game.after(deal, script)
    assert match.hand is not None
    others = [tiles for seat, tiles in enumerate(match.hand.tiles) if seat != viewer.seat]
    for here, there in itertools.combinations([*others, match.hand.boneyard], 2):
        for one, other in itertools.product(here, there):
            named = DEAL.dump_json(deal).decode().replace(f'"{one}"', '"?"').replace(f'"{other}"', f'"{one}"')
            twin = DEAL.validate_json(named.replace('"?"', f'"{other}"'))
            try:
                _, twin_log = game.after(twin, script)
            except RuleViolation:
                continue
            if public(twin_log, viewer) == public(log, viewer):
                yield twin


def masked(answer: httpx.Response) -> tuple[int, dict[str, str], str]:
    text = answer.text
    for shape, name in MASKS:
        text = shape.sub(name, text)
    headers = {name: value for name, value in answer.headers.items() if name not in {"content-length", "location"}}
    return answer.status_code, headers, text


async def probe(caller: Caller) -> list[httpx.Response]:
    """Refused calls: every tile that is not the caller's own, and whatever else is not legal now."""
    state = await caller.get()
    own = [tile for seat in state["seats"] if seat["seat"] == caller.viewer.seat for tile in seat["tiles"]]
    legal = {move["type"] for move in state["hand"]["legal_moves"]}
    tiles = [str(tile) for tile in tile_set(6) if str(tile) not in own]
    calls: list[tuple[str, Any]] = [("play", {"tile": tile}) for tile in tiles]
    calls += [("play", {"tile": tile, "end": end}) for tile in tiles[::5] for end in ("left", "up")]
    calls += [(path, None) for path in ("draw", "pass", "next-hand", "step") if path not in legal]
    calls += [("draw", {"position": 90}), ("draw", {"position": 90, "until_playable": True})]
    answers = [await caller.send(path, body) for path, body in calls]
    assert not any(answer.is_success for answer in answers)
    return answers


async def look(caller: Caller, *, limit: int) -> list[httpx.Response]:
    """The state and, page by page, the log."""
    answers = [await caller.client.get(caller.path, headers=caller.headers)]
    for after in range(0, answers[0].json()["version"], limit):
        path = f"{caller.path}/events?after={after}&limit={limit}"
        answers.append(await caller.client.get(path, headers=caller.headers))
    return answers


async def watched(
    client: httpx.AsyncClient, game: Game, deal: FixedDeal, script: Script, viewers: set[Viewer]
) -> list[tuple[int, dict[str, str], str]]:
    """All that `viewers` are answered while `script` is played, and when they then try what is refused."""
    body = {
        "ruleset": game.ruleset,
        "seats": [PLAYER.dump_python(player, mode="json") for player in game.players],
        "deal": DEAL.dump_python(deal, mode="json"),
    }
    created = await client.post("/v1/matches", json=body)
    table = callers.seat_everyone(client, created)
    watching = [caller for caller in table.everyone if caller.viewer in viewers]
    answers = []
    if len(table.people) > 1 or table.people[0].viewer in viewers:
        answers.append(created)
    for seat, move in script:
        answer = await table.people[seat].send(move.type, MOVE.dump_python(move, mode="json"))
        assert answer.is_success, answer.text
        if Viewer("seat", seat) in viewers:
            answers.append(answer)
        for caller in watching:
            answers += await look(caller, limit=500)
    for caller in watching:
        answers += await probe(caller)
        answers += await look(caller, limit=7)
    return [masked(answer) for answer in answers]


TABLES = [
    *[(ruleset, (Human(),) * RULESETS[ruleset].seat_counts[0]) for ruleset in SOURCE_GAMES],
    *[(ruleset, (Human(), Cpu("hard"))) for ruleset in ("draw", "all-fives", "block")],
    ("partner-penalty", (Human(), Cpu("hard"), Cpu("medium"), Cpu("medium"))),
    ("partner-penalty", (Human(), Cpu("hard"), Human(), Cpu("medium"))),
]


@pytest.mark.parametrize("viewers", [{Viewer("seat", 0)}, {HOST, SPECTATOR}], ids=["seat", "others"])
@pytest.mark.parametrize(("ruleset", "players"), TABLES)
async def test_matches_that_differ_in_hidden_tiles_answer_the_same(
    client: httpx.AsyncClient, ruleset: str, players: tuple[Player, ...], viewers: set[Viewer]
) -> None:
    game, viewer = Game(ruleset, players), min(viewers, key=str)
    for number in range(20):
        rng = random.Random(number)
        deal = some_deal(ruleset, rng)
        script = some_play(game, deal, viewer, rng)
        found = list(itertools.islice(twins(game, deal, script, viewer), 40))
        if len(script) >= 3 and found:
            break
    else:
        raise AssertionError("No two worlds look alike.")
    twin = rng.choice(found)
    assert game.after(twin, script) != game.after(deal, script)
    first = await watched(client, game, deal, script, viewers)
    assert await watched(client, game, twin, script, viewers) == first
