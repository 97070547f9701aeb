"""What a match does by itself: CPU seats move, people who can do nothing pass, and all of it repeats."""

from collections import Counter
from dataclasses import replace
from uuid import UUID

import pytest

from engine.autoplay import choose, play_on, ponders, step
from engine.catalogue import RULESETS
from engine.deal import NumberedDeal, Stream, seed_for
from engine.events import Event, HandDealt, LevelChanged, TilePlayed
from engine.hand import Hand
from engine.layout import End
from engine.match import Setup, Transition, change_level, create, decide, legal_moves
from engine.moves import Draw, NextHand, Pass, Play
from engine.players import Cpu, Level
from engine.strategies import STRATEGIES
from engine.tiles import Tile
from engine.view import Viewer, view
from tests.engine.games import AT, setup
from tests.engine.situations import DRAW, FIVES, kinds, situation, table
from tests.kinds import KINDS


def chosen_by(level: Level, hand: Hand, seed: int = 0) -> object:
    """What a CPU seat of `level` does in the first place of `hand`, with chances drawn from `seed`."""
    match = table(DRAW, hand)
    return STRATEGIES[level](view(match, Viewer("seat", 0)), Stream(f"{seed:064x}", "test"))


def test_c10_easy_plays_every_tile_at_every_end_alike() -> None:
    hand = situation(DRAW, "6-4 right:4-1", ("6-1 6-2 1-0 3-3", "5-5"))
    legal = legal_moves(table(DRAW, hand), 0)
    counts = Counter(chosen_by("easy", hand, seed) for seed in range(4_000))
    assert set(counts) == set(legal)
    assert sum((count - 1_000) ** 2 / 1_000 for count in counts.values()) < 16.3  # chi-square, 3 degrees: 0.1 %


@pytest.mark.parametrize(
    ("tiles", "tile", "end"),
    [
        ("6-1 6-2 1-0", "6-2", "left"),  # the heaviest
        ("6-1 6-0 1-0", "6-1", "left"),  # on both ends: left
        ("2-1 1-1 3-0 6-0", "6-0", "left"),
        ("4-1 3-2 1-1", "4-1", "right"),
        ("6-0 5-1", "6-0", "left"),  # as heavy: the larger end
    ],
)
def test_c11_medium_plays_the_heaviest_tile(tiles: str, tile: str, end: End) -> None:
    hand = situation(DRAW, "6-5 right:5-5 right:5-3 right:3-1", (tiles, "4-4"))
    assert chosen_by("medium", hand) == Play(Tile.parse(tile), end)


@pytest.mark.parametrize("level", STRATEGIES)
def test_every_level_draws_or_passes_when_nothing_fits(level: Level) -> None:
    assert chosen_by(level, situation(DRAW, "6-6", ("5-4", "6-1"), "1-1")) == Draw()
    assert chosen_by(level, situation(DRAW, "6-6", ("5-4", "6-1"))) == Pass()


def cpus(ruleset: str, number: int, *levels: Level) -> Setup:
    """A match of a numbered deal, among CPU seats."""
    kind = NumberedDeal(number)
    return replace(setup(ruleset, 0, tuple(map(Cpu, levels)), kind), seed=seed_for(kind, b""))


def whole_match(chosen: Setup) -> tuple[Event, ...]:
    done = play_on(create(chosen, AT), AT)
    log = done.events
    while done.match.status == "hand_over":
        done = play_on(decide(done.match, None, NextHand(), AT), AT)
        log += done.events
    return log


LEVELS: dict[str, tuple[Level, ...]] = {"all-fives": ("hard", "easy"), "block": ("easy", "easy")}


def levels(ruleset: str) -> tuple[Level, ...]:
    """For each seat; of every kind, where they are not chosen."""
    mixed: tuple[Level, ...] = ("medium", "easy", "hard", "easy", "medium")
    return LEVELS.get(ruleset, mixed[: RULESETS[ruleset].seat_counts[0]])


@pytest.mark.parametrize("ruleset", KINDS)
def test_a_numbered_match_against_cpu_seats_repeats_move_for_move(ruleset: str) -> None:
    chosen = cpus(ruleset, 17, *levels(ruleset))
    log = whole_match(chosen)
    assert kinds(log[-2:]) == ["hand_ended", "match_ended"]
    assert whole_match(replace(chosen, id=UUID(int=99))) == log
    assert whole_match(cpus(ruleset, 18, *levels(ruleset))) != log


@pytest.mark.parametrize("ruleset", KINDS)
def test_stepping_and_not_stepping_come_to_the_same(ruleset: str) -> None:
    chosen = cpus(ruleset, 5, *levels(ruleset))
    at_once = play_on(create(chosen, AT), AT)
    done = play_on(create(replace(chosen, pacing="step"), AT), AT)
    log = done.events
    while done.match.status == "playing":
        done = step(done.match, AT)
        log += done.events
    assert log == at_once.events


def test_at_once_it_goes_no_further_than_to_a_seat_that_ponders(monkeypatch: pytest.MonkeyPatch) -> None:
    """And with each decision made it comes to the same."""
    monkeypatch.setitem(STRATEGIES, "expert", STRATEGIES["medium"])
    begun = create(cpus("partner-penalty", 5, "expert", "hard", "expert", "easy"), AT)
    done, pondered = play_on(begun, AT, at_once=True), 0
    while ponders(done.match):
        turn = done.match.turn
        assert turn in {0, 2}
        assert len(legal_moves(done.match, turn)) > 1
        following = decide(done.match, turn, choose(done.match), AT)
        following = play_on(following, AT, at_once=True)
        done, pondered = Transition(following.match, done.events + following.events), pondered + 1
    assert pondered > 3
    assert done == play_on(begun, AT)


def test_a_step_is_one_play_one_draw_or_one_pass() -> None:
    done = create(replace(cpus("draw", 6, "easy", "medium"), pacing="step"), AT)
    while done.match.status == "playing":
        done = step(done.match, AT)
        moves = [kind for kind in kinds(done.events) if kind in ("tile_played", "tile_drawn", "turn_passed")]
        assert len(moves) == 1 or moves[-2:] == ["turn_passed", "turn_passed"]


def test_an_easy_seat_chooses_for_ever_alike() -> None:
    first = whole_match(cpus("block", 1, "easy", "easy"))[2:9]
    assert [(event.tile.text, event.end) for event in first if isinstance(event, TilePlayed)] == [
        ("6-6", None),
        ("6-5", "right"),
        ("5-4", "right"),
        ("4-1", "right"),
        ("6-1", "right"),
        ("6-2", "left"),
    ]


def test_levels_never_touch_the_deals() -> None:
    easy = [event for event in whole_match(cpus("block", 3, "easy", "easy")) if isinstance(event, HandDealt)]
    medium = [event for event in whole_match(cpus("block", 3, "medium", "medium")) if isinstance(event, HandDealt)]
    shared = min(len(easy), len(medium))
    assert shared > 1
    assert [event.tiles for event in easy[:shared]] == [event.tiles for event in medium[:shared]]


def test_c13_a_changed_level_decides_from_then_on() -> None:
    begun = create(replace(cpus("block", 4, "easy", "easy"), pacing="step"), AT).match
    seat = begun.turn
    assert seat is not None
    changed = change_level(begun, seat, "medium", AT)
    (event,) = changed.events
    assert event == LevelChanged(begun.version + 1, 1, seat, seat, AT, "medium")
    heaviest = step(changed.match, AT).events[0]
    assert isinstance(heaviest, TilePlayed)
    assert heaviest.tile.pips == max(move.tile.pips for move in legal_moves(begun, seat) if isinstance(move, Play))


def test_a_person_who_can_draw_does_not_pass() -> None:
    hand = situation(DRAW, "6-6", ("5-4", "6-1"), "1-1")
    match = table(DRAW, hand)
    match = replace(match, setup=replace(match.setup, auto_pass=True))
    assert play_on(Transition(match, ()), AT).events == ()


def test_people_who_can_do_nothing_pass_if_the_match_says_so() -> None:
    hand = situation(FIVES, "6-6", ("5-4", "3-2", "6-1"))
    match = table(FIVES, hand)
    assert play_on(Transition(match, ()), AT).events == ()
    match = replace(match, setup=replace(match.setup, auto_pass=True))
    done = play_on(Transition(match, ()), AT)
    assert [(event.type, event.seat, event.turn) for event in done.events] == [
        ("turn_passed", 0, 1),
        ("turn_passed", 1, 2),
    ]
    assert done.match.turn == 2
