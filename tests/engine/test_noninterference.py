"""No hidden tile leaves: worlds that differ only in what a viewer may not know look the same to that viewer."""

import itertools
import random
from collections.abc import Iterator
from dataclasses import fields, replace
from typing import get_args

import pytest
from pydantic import TypeAdapter

from engine.autoplay import step
from engine.catalogue import RULESETS
from engine.clock import TimeControl
from engine.deal import commitment
from engine.endings import due
from engine.errors import RuleViolation
from engine.events import Event
from engine.layout import ENDS, End
from engine.match import Match, create, decide
from engine.moves import Draw, Move, Pass, Play
from engine.players import Cpu, Human, Level, Open, Player
from engine.strategies import STRATEGIES
from engine.tiles import Tile, tile_set
from engine.view import SPECTATOR, Viewer, open_hand, redact, summary, view
from tests.engine.games import AT, Moment, random_play, setup, text, viewers
from tests.engine.lives import random_life
from tests.kinds import KINDS

pytestmark = pytest.mark.usefixtures("compiled")

LOG: TypeAdapter[tuple[Event, ...]] = TypeAdapter(tuple[Event, ...])
MATCH = TypeAdapter(Match)
EVENTS = get_args(get_args(Event)[0])
WORLDS = 4


def seen(match: Match, log: tuple[Event, ...], viewer: Viewer) -> tuple[str, str]:
    """All that `viewer` gets: the state, and the log."""
    redacted = tuple(redact(event, viewer, open_hand(match)) for event in log)
    return text(view(match, viewer)), LOG.dump_json(redacted).decode()


def hidden(match: Match, viewer: Viewer) -> list[Tile]:
    """The tiles whose place `viewer` may not know."""
    assert match.hand is not None
    others = [tiles for seat, tiles in enumerate(match.hand.tiles) if seat != viewer.seat]
    return [tile for tiles in [*others, match.hand.boneyard] for tile in tiles]


def swapped(moment: Moment, one: Tile, other: Tile) -> tuple[Match, tuple[Event, ...]]:
    """The world in which each of two tiles was, and is, where the other one is in this hand."""

    def swap(json: bytes) -> bytes:
        first, second = f'"{one}"'.encode(), f'"{other}"'.encode()
        return json.replace(first, b"\0").replace(second, first).replace(b"\0", second)

    number = open_hand(moment.match)
    before = tuple(event for event in moment.log if event.hand != number)
    during = tuple(event for event in moment.log if event.hand == number)
    match = MATCH.validate_json(swap(MATCH.dump_json(moment.match)))
    match = replace(match, setup=moment.match.setup)  # its rules name tiles, which are where they were
    return match, before + LOG.validate_json(swap(LOG.dump_json(during)))


def worlds(moment: Moment, viewer: Viewer, rng: random.Random) -> Iterator[tuple[Match, tuple[Event, ...]]]:
    """Some worlds that `viewer` may not tell from this one."""
    unknown = hidden(moment.match, viewer)
    for one, other in itertools.islice(itertools.combinations(rng.sample(unknown, len(unknown)), 2), WORLDS):
        yield swapped(moment, one, other)


def refusals(match: Match, seat: int) -> list[tuple[str, str]]:
    """What `seat` is answered to each call that is refused; what follows from the others may differ."""
    ends: list[End | None] = [None, *ENDS]
    calls: list[Move] = [Draw(), Draw(99), Pass(), *[Play(tile, end) for tile in tile_set(6) for end in ends]]
    answers = []
    for call in calls:
        try:
            decide(match, seat, call, AT)
        except RuleViolation as refused:
            answers.append((refused.code, str(refused)))
        else:
            answers.append(("", ""))
    return answers


@pytest.mark.parametrize("ruleset", KINDS)
@pytest.mark.parametrize("number", range(4))
def test_a_viewer_cannot_tell_worlds_apart_that_differ_in_hidden_tiles(ruleset: str, number: int) -> None:
    rng = random.Random(number)
    compared = 0
    for moment in itertools.islice(random_play(setup(ruleset, number)), 40):
        if open_hand(moment.match) is None:
            continue
        for viewer in viewers(moment.match):
            for world in worlds(moment, viewer, rng):
                assert world != (moment.match, moment.log)
                assert seen(*world, viewer) == seen(moment.match, moment.log, viewer)
                compared += 1
    assert compared > 100


PEOPLE: tuple[Player, ...] = (Human(), Open(), Human("Asha"), Cpu("easy"))


@pytest.mark.parametrize("ruleset", KINDS)
@pytest.mark.parametrize("number", range(4))
def test_neither_clocks_nor_late_seats_nor_levels_tell_worlds_apart(ruleset: str, number: int) -> None:
    rng = random.Random(number)
    compared = 0
    players = PEOPLE[: RULESETS[ruleset].seat_counts[0]]
    for moment in itertools.islice(random_life(replace(setup(ruleset, number, players), clock=TimeControl(90))), 60):
        if open_hand(moment.match) is None:
            continue
        for viewer in viewers(moment.match):
            for match, log in worlds(moment, viewer, rng):
                assert seen(match, log, viewer) == seen(moment.match, moment.log, viewer)
                assert summary(match) == summary(moment.match)
                assert due(match) == due(moment.match)
                compared += 1
    assert compared > 30


@pytest.mark.parametrize("ruleset", KINDS)
def test_before_the_first_hand_worlds_of_any_seed_look_the_same_but_for_its_commitment(ruleset: str) -> None:
    chosen = setup(ruleset, 1, PEOPLE[: RULESETS[ruleset].seat_counts[0]])
    one, other = (create(replace(chosen, seed=f"{seed:064x}"), AT) for seed in (1, 2))
    for viewer in viewers(one.match):
        state, log = seen(one.match, one.events, viewer)
        other_state, other_log = seen(other.match, other.events, viewer)
        assert state != other_state
        assert state == other_state.replace(commitment(other.match.setup.seed), commitment(one.match.setup.seed))
        assert log == other_log


@pytest.mark.parametrize("ruleset", KINDS)
def test_everything_is_shown_when_a_life_has_ended_but_the_seed_of_what_was_cancelled(ruleset: str) -> None:
    ends = set()
    players = PEOPLE[: RULESETS[ruleset].seat_counts[0]]
    for number in range(40):
        *_, last = random_life(replace(setup(ruleset, number, players), clock=TimeControl(12)))
        match = last.match
        if not match.is_over:
            continue
        ends.add(match.result.reason if match.result is not None else "cancelled")
        for viewer in viewers(match):
            shown = view(match, viewer)
            assert shown.deal.seed == (None if match.cancelled else match.setup.seed)
            assert tuple(redact(event, viewer, open_hand(match)) for event in last.log) == last.log
            if match.hand is not None:
                assert tuple(seat.tiles for seat in shown.seats) == match.hand.tiles
    assert {"time", "resignation", "cancelled"} <= ends


@pytest.mark.parametrize("ruleset", KINDS)
def test_a_seat_is_refused_alike_in_worlds_that_it_cannot_tell_apart(ruleset: str) -> None:
    rng = random.Random(8)
    for moment in itertools.islice(random_play(setup(ruleset, 8)), 0, 40, 4):
        if open_hand(moment.match) is None:
            continue
        for seat in range(len(moment.match.players)):
            for world, _ in worlds(moment, Viewer("seat", seat), rng):
                assert refusals(world, seat) == refusals(moment.match, seat)


@pytest.mark.parametrize("ruleset", KINDS)
@pytest.mark.parametrize("level", STRATEGIES)
def test_a_cpu_seat_moves_alike_in_worlds_that_it_cannot_tell_apart(ruleset: str, level: Level) -> None:
    rng = random.Random(9)
    # What looks ahead is asked less often: it takes some hundred times as long.
    for moment in itertools.islice(random_play(setup(ruleset, 9)), 0, 30, 6 if level == "expert" else 1):
        seat = moment.match.turn
        if seat is None:
            continue
        match = replace(moment.match, players=(Cpu(level),) * len(moment.match.players))
        for world, _ in worlds(replace(moment, match=match), Viewer("seat", seat), rng):
            assert _choice(step(world, AT).events[0]) == _choice(step(match, AT).events[0])


def _choice(event: Event) -> object:
    """What a seat chose to do; a tile that it draws is not its choice."""
    return replace(event, tile=None) if event.type == "tile_drawn" else event


@pytest.mark.parametrize("ruleset", KINDS)
def test_no_answer_names_a_tile_that_is_hidden(ruleset: str) -> None:
    for moment in itertools.islice(random_play(setup(ruleset, 7)), 60):
        number = open_hand(moment.match)
        if number is None:
            continue
        during = tuple(event for event in moment.log if event.hand == number)
        for viewer in viewers(moment.match):
            state, log = seen(moment.match, during, viewer)
            named = [
                str(tile) for tile in hidden(moment.match, viewer) if f'"{tile}"' in state.split('"seats"')[1] + log
            ]
            assert named == []


@pytest.mark.parametrize("ruleset", KINDS)
def test_a_seat_sees_its_own_tiles_and_draws(ruleset: str) -> None:
    for moment in itertools.islice(random_play(setup(ruleset, 3)), 60):
        match = moment.match
        assert match.hand is not None
        for seat in range(len(match.players)):
            assert view(match, Viewer("seat", seat)).seats[seat].tiles == match.hand.tiles[seat]
            mine = [event for event in moment.events if event.type == "tile_drawn" and event.seat == seat]
            assert [redact(event, Viewer("seat", seat), open_hand(match)) for event in mine] == mine


@pytest.mark.parametrize("ruleset", KINDS)
def test_everything_is_shown_when_a_hand_has_ended(ruleset: str) -> None:
    ended = 0
    for moment in random_play(setup(ruleset, 5), most=300):
        match = moment.match
        assert match.hand is not None
        if open_hand(match) is not None:
            continue
        ended += 1
        for viewer in viewers(match):
            shown = view(match, viewer)
            assert tuple(seat.tiles for seat in shown.seats) == match.hand.tiles
            assert shown.hand is not None
            assert shown.hand.result is not None
            assert shown.hand.result.boneyard == match.hand.boneyard
            assert tuple(redact(event, viewer, open_hand(match)) for event in moment.log) == moment.log
    assert ended > 2


def test_the_seed_is_shown_when_the_match_is_finished_and_not_before() -> None:
    for moment in random_play(setup("all-fives", 2)):
        for viewer in viewers(moment.match):
            shown = view(moment.match, viewer).deal.seed
            assert shown == (moment.match.setup.seed if moment.match.status == "finished" else None)
            if shown is None:
                assert moment.match.setup.seed not in text(view(moment.match, viewer))


def test_only_the_seat_that_has_the_turn_is_told_its_moves() -> None:
    for moment in random_play(setup("partner-penalty", 4)):
        for viewer in viewers(moment.match):
            shown = view(moment.match, viewer).hand
            assert shown is not None
            may_move = viewer.seat is not None and viewer.seat == moment.match.turn
            may_deal = moment.match.status == "hand_over" and viewer.role != "spectator"
            assert bool(shown.legal_moves) == (may_move or may_deal)


ENVELOPE = {"seq", "hand", "seat", "turn", "at", "type"}
FIELDS = {
    "match_created": ({"ruleset"}, set()),
    "hand_dealt": ({"number", "boneyard_count", "redeals"}, {"tiles", "boneyard"}),
    "tile_played": ({"tile", "end", "inner", "outer", "count", "automatic"}, set()),
    "tile_drawn": ({"position", "boneyard_count"}, {"tile"}),
    "turn_passed": ({"automatic"}, set()),
    "points_scored": ({"team", "points", "cause"}, set()),
    "hand_ended": ({"result"}, set()),
    "level_changed": ({"level"}, set()),
    "seat_joined": ({"name"}, set()),
    "clock_expired": (set(), set()),
    "resigned": (set(), set()),
    "cancelled": (set(), set()),
    "match_ended": ({"result"}, set()),
}
"""Every field of every event: what everyone may know at once, and what is hidden until the hand has ended."""


def test_every_field_of_every_event_is_known_to_be_public_or_hidden() -> None:
    kinds = {str(next(field.default for field in fields(kind) if field.name == "type")): kind for kind in EVENTS}
    assert set(kinds) == set(FIELDS)
    for name, kind in kinds.items():
        public, hidden_fields = FIELDS[name]
        assert {field.name for field in fields(kind)} == ENVELOPE | public | hidden_fields, name


def test_a_spectator_gets_public_fields_as_they_are_and_hidden_ones_blank() -> None:
    for moment in itertools.islice(random_play(setup("draw", 6)), 40):
        for event in moment.events:
            if event.hand is None or event.hand != open_hand(moment.match):
                continue
            public, hidden_fields = FIELDS[event.type]
            seen_event = redact(event, SPECTATOR, event.hand)
            assert all(getattr(seen_event, name) == getattr(event, name) for name in ENVELOPE | public)
            for name in hidden_fields:
                blank = getattr(seen_event, name)
                assert blank is None or all(seat.tiles is None for seat in blank)
