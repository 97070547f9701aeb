"""Situations at the table, written as text: tiles as `6-4 5-5`, a line as `6-6 left:6-3 right:6-4`."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import islice
from typing import Any, Final

from engine.catalogue import RULESETS
from engine.deal import FixedDeal
from engine.events import HandResult, PointsScored, TeamPoints, TileDrawn, TilePlayed
from engine.hand import Hand, Start, Tally
from engine.layout import EMPTY, ENDS, End, Layout, place
from engine.match import Match, Transition, create
from engine.moves import Draw, Pass, Play
from engine.players import Human
from engine.rules import Rules
from engine.tiles import Tile
from engine.turns import Record, decide
from tests.engine.games import AT, setup

SEQ: Final = 10
PARTNER: Final = RULESETS["partner-penalty"].rules
FIVES: Final = RULESETS["all-fives"].rules
DRAW: Final = RULESETS["draw"].rules
BLOCK: Final = RULESETS["block"].rules


def tiles(text: str) -> tuple[Tile, ...]:
    return tuple(Tile.parse(name) for name in text.split())


def steps(line: str) -> list[tuple[End | None, Tile]]:
    """`6-6 left:6-3` as plays."""
    parts = [step.rpartition(":") for step in line.split()]
    return [(next((end for end in ENDS if end == name), None), Tile.parse(tile)) for name, _, tile in parts]


def lay(rules: Rules, line: str) -> Layout:
    layout = EMPTY
    for end, tile in steps(line):
        assert end is None or layout.asked_at(end) & tile.suits, "The line does not match."
        layout = place(rules, layout, tile, end)
    return layout


def situation(
    rules: Rules,
    line: str = "",
    hands: tuple[str, ...] = ("", ""),
    boneyard: str = "",
    *,
    turn: int = 0,
    leader: int = 0,
    must_open: str | None = None,
    scores: tuple[int, ...] | None = None,
) -> Hand:
    """A hand in progress: `turn` has to move on `line`, and the seat before it played last."""
    named = tiles(" ".join([*hands, boneyard])) + tuple(tile for _, tile in steps(line))
    assert len(set(named)) == len(named), "A tile is named twice."
    nothing = (0,) * rules.team_count(len(hands))
    return Hand(
        start=Start(1, 2, leader, Tile.parse(must_open) if must_open else None),
        turn=turn,
        drawn=0,
        last_player=(turn - 1) % len(hands) if line else None,
        tiles=tuple(tiles(hand) for hand in hands),
        boneyard=tiles(boneyard),
        layout=lay(rules, line),
        lacks=(0,) * len(hands),
        passes=0,
        passed=False,
        bound=None,
        tally=Tally(scores or nothing, nothing, nothing),
    )


def play(rules: Rules, hand: Hand, tile: str, end: End | None = None) -> Record:
    """What follows when the seat that has the turn plays."""
    assert hand.turn is not None
    return decide(rules, hand, hand.turn, Play(Tile.parse(tile), end), SEQ, AT)


def draw(rules: Rules, hand: Hand, position: int | None = None, *, until_playable: bool = False) -> Record:
    assert hand.turn is not None
    return decide(rules, hand, hand.turn, Draw(position, until_playable), SEQ, AT)


def pass_turn(rules: Rules, hand: Hand) -> Record:
    assert hand.turn is not None
    return decide(rules, hand, hand.turn, Pass(), SEQ, AT)


def block(
    rules: Rules, *hands: str, blocker: int = 0, leader: int = 0, scores: tuple[int, ...] | None = None
) -> Record:
    """`blocker` closes both ends to blanks, which nobody holds; 2-0 fitted both ends."""
    return play(rules, before_block(rules, *hands, blocker=blocker, leader=leader, scores=scores), "2-0", "left")


def before_block(
    rules: Rules, *hands: str, blocker: int = 0, leader: int = 0, scores: tuple[int, ...] | None = None
) -> Hand:
    """The hand in which the seat `blocker` has 2-0 besides, and plays it next."""
    held = tuple(f"2-0 {hand}" if seat == blocker else hand for seat, hand in enumerate(hands))
    return situation(rules, "1-0 left:2-1", held, turn=blocker, leader=leader, scores=scores)


def counts(rules: Rules, line: str) -> list[tuple[int, int]]:
    """The layout's count and the points after each play of `line`, by two seats in turn."""
    laid = [tile for _, tile in steps(line)]
    spare = [tile for tile in rules.live_tiles() if tile not in laid]
    held = [(*laid[seat::2], spare[seat]) for seat in range(2)]
    hand = replace(situation(rules), tiles=tuple(held), boneyard=tuple(spare[2:]))
    seen = []
    for end, tile in steps(line):
        record = play(rules, hand, str(tile), end)
        played = record.events[0]
        assert isinstance(played, TilePlayed)
        seen.append((played.count, sum(event.points for event in record.events if isinstance(event, PointsScored))))
        hand = record.hand
    return seen


def points(events: Iterable[object]) -> list[tuple[int, int, str]]:
    """Team, points and cause of each score."""
    return [(event.team, event.points, event.cause) for event in events if isinstance(event, PointsScored)]


def kinds(events: Iterable[Any]) -> list[str]:
    return [event.type for event in events]


def ended(record: Record) -> HandResult:
    assert record.hand.result is not None
    return record.hand.result


def amounts(scores: tuple[TeamPoints, ...]) -> tuple[int, ...]:
    return tuple(score.points for score in scores)


def asked(layout: Layout) -> dict[str, int]:
    """The number that each open end asks for."""
    return {end.end: end.value for end in layout.ends}


def table(rules: Rules, hand: Hand) -> Match:
    """A match of people that has come to `hand`."""
    chosen = replace(setup("block", 1, players=(Human(),) * len(hand.tiles)), rules=rules)
    return Match(chosen, SEQ, AT, AT, chosen.players, hand)


def fixed(rules: Rules, *hands: str, boneyard: str = "") -> FixedDeal:
    """A deal in which the seats hold at least `hands`: the lowest tiles named nowhere fill them up."""
    named = [tiles(hand) for hand in hands]
    yard = tiles(boneyard)
    taken = {*yard, *(tile for hand in named for tile in hand)}
    rest = iter([tile for tile in rules.live_tiles() if tile not in taken])
    return FixedDeal(tuple((*hand, *islice(rest, rules.hand_size - len(hand))) for hand in named), yard)


def begin(rules: Rules, *hands: str, boneyard: str = "") -> Transition:
    """A match whose first hand is `fixed`."""
    deal = fixed(rules, *hands, boneyard=boneyard)
    return create(replace(setup("block", 1, players=(Human(),) * len(hands), deal=deal), rules=rules), AT)


ENDS_6_1: Final = "6-4 right:4-1"
STUCK: Final = "5-4 3-3 2-0"
"""Tiles without a 6 or a 1."""


def stuck(rules: Rules, boneyard: str = "5-5 4-0 2-1") -> Hand:
    """Seat 0 has nothing for 6 and 1; seat 1 has."""
    return situation(rules, ENDS_6_1, (STUCK, "6-2 2-2"), boneyard)


def drawn(record_events: list[Any]) -> list[tuple[str, int, int]]:
    return [(str(e.tile), e.position, e.boneyard_count) for e in record_events if isinstance(e, TileDrawn)]
