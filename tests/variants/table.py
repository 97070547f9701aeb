"""Worked examples of the games in the catalogue, as data, and the table that plays them.

An `Example` is a hand from its deal on. `plays` tells it move by move:

    0: 6-6; 1: pass +20; 2: 6-3 right +15; 3: 5-4 left !tile-does-not-fit

Seat 0 opens with 6-6. Seat 1 passes, which gives 20 to the team that played last. Seat 2 plays 6-3 at the right end,
and scores 15. Seat 3 is refused, with that code, and still has the turn. A move without `+` scores nothing in play. The
passes that the service makes in a dead hand are not told.

The hands may be smaller than the game's, all of one size. The tiles that the example names nowhere are out of this
hand, and the next one is dealt by the game's own rules.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import Any, Final, Literal, get_args

import pytest

from engine import scoring
from engine.catalogue import RULESETS
from engine.deal import SecretDeal, deal
from engine.errors import RuleViolation
from engine.events import HandReason, PointsScored
from engine.faults import check
from engine.layout import End, OpenEnd
from engine.match import Match, create, decide, legal_moves
from engine.moves import Draw, Move, NextHand, Pass, Play
from engine.players import Human
from engine.rules import Rules
from engine.scoring import Dead
from engine.tiles import Tile
from tests.engine.games import AT, setup
from tests.engine.situations import amounts, fixed, tiles

SEEDS: Final = range(1, 40)
"""Enough for a lot to fall on each seat, and for a tile that few are left asleep with to be dealt."""

DEALS: Final = range(900)
"""Enough for a hand that is thrown in to be among them."""

_STEP: Final = re.compile(r"(\d): (\d-\d|draw|pass)(?: (left|right|up|down))?(?: \+(\d+)| !([a-z-]+))?")


@dataclass(frozen=True)
class Over:
    """How a hand ended, and what that was worth to each team or charged it."""

    reason: HandReason
    winner: int | None
    """A team."""
    points: tuple[int, ...]
    """By team, for how the hand ended; what its plays scored stands beside them."""
    _: KW_ONLY
    bonus: int = 0
    doubled: bool = False


@dataclass(frozen=True)
class _Stated:
    ruleset: str
    says: str
    """The rule that it is an example of."""
    _: KW_ONLY
    source: str = ""
    """Where that is written: one of the sources of the rule set."""
    shows: tuple[str, ...] = ()
    """Parameters that make the game different: with the default of any one of them the example turns out otherwise."""
    unlike: Mapping[str, object] = field(default_factory=dict)
    """Other values of parameters, as other games have them, with each of which it turns out otherwise too."""

    @property
    def contrasts(self) -> list[dict[str, Any]]:
        """Changes to the rules, by each of which it turns out otherwise."""
        return [{name: getattr(Rules(), name)} for name in self.shows] + [{n: v} for n, v in self.unlike.items()]


@dataclass(frozen=True, kw_only=True)
class Example(_Stated):
    """A hand, or the beginning of one, and what comes of it."""

    hands: tuple[str, ...]
    """The tiles of each seat."""
    plays: str
    """The moves, from the first on; where a lot finds who leads, it falls on the seat that moves first."""
    boneyard: str = ""
    """All of it, in drawing order."""

    number: int = 1
    """Of the hand in its match."""
    leader: int | None = None
    """The seat that leads, if the hand is a later one and a hand before gave it the lead."""
    before: tuple[int, ...] = ()
    """The scores before the hand."""
    tied: int = 0
    """What tied blocks before have added to what the hand is worth."""

    over: Over | None = None
    """Null where the hand goes on."""
    scores: tuple[int, ...] = ()
    """Afterwards; not looked at if left out, and neither are the next four."""
    turn: int | None = None
    ends: str = ""
    """The open ends: `left 6, up 3-3 only`."""
    may: str = ""
    """All that the seat that has the turn may do: `6-3 left, 6-3 right`."""
    leads: int | str | None = None
    """Who leads the next hand: a seat, with any tile; the holder of a tile, who has to play it; or `lot`."""
    more: int = 0
    """What a tied block adds to what winning the next hand is worth."""
    wins: int | None = None
    """The team that has won the match; null while that goes on."""

    def check(self, **changed: Any) -> None:
        """Play it by the rules of the game, `changed` so; an error says where it turns out otherwise."""
        match = _begun(self, replace(RULESETS[self.ruleset].tables[len(self.hands)], **changed))
        for step in self.plays.split("; "):
            match = _after(match, step)
        _judge(self, match)
        if self.leads is not None:
            _judge_lead(self, match)


@dataclass(frozen=True, kw_only=True)
class Worth(_Stated):
    """What counts of the open ends score in play or, by `domino` and `blocked`, what losers' pips score at the end."""

    how: Literal["count", "domino", "blocked"]
    given: str
    worth: str

    def check(self, **changed: Any) -> None:
        """Compare each of `given`, by the rules of the game, `changed` so."""
        ruleset = RULESETS[self.ruleset]
        rules = replace(ruleset.rules, **changed)
        found = [self._worth(rules, ruleset.seat_counts[0], int(number)) for number in self.given.split()]
        assert " ".join(str(points) for points in found) == self.worth

    def _worth(self, rules: Rules, seats: int, number: int) -> int:
        held = (0, number, *[0] * (seats - 2))
        match self.how:
            case "count":
                return scoring.for_count(rules, number)
            case "domino":
                return sum(scoring.domino(rules, held, 0).amounts)
            case "blocked":
                return sum(scoring.block(rules, Dead(held, (True,) * seats, 0, 0)).amounts)


@dataclass(frozen=True, kw_only=True)
class Dealt(_Stated):
    """How many tiles are dealt, and which deals are thrown in."""

    tables: Mapping[int, str]
    """By the number of seats, the tiles for each and those that are left: `7 + 14`."""
    most_doubles: int = 0
    """In any hand; 0: as many as there are."""
    most_alike: int = 0
    """Tiles of one number in any hand; 0: as many as there are."""

    def check(self, **changed: Any) -> None:
        """Deal by the rules of the game, `changed` so."""
        for seats, told in self.tables.items():
            rules = replace(RULESETS[self.ruleset].tables[seats], **changed)
            check(rules, seats)
            for seed in DEALS if self.most_doubles or self.most_alike else SEEDS:
                made = deal(rules, seats, f"{seed:064x}", SecretDeal(), 1)
                assert {f"{len(hand)} + {len(made.boneyard)}" for hand in made.tiles} == {told}
                for hand in made.tiles:
                    assert sum(tile.is_double for tile in hand) <= (self.most_doubles or len(hand))
                    alike = max(sum(number in {tile.high, tile.low} for tile in hand) for number in range(10))
                    assert alike <= (self.most_alike or len(hand))


def _begun(example: Example, rules: Rules) -> Match:
    """The match at the first move of `example`."""
    named = {tile for hand in example.hands for tile in tiles(hand)}
    assert len(named) == sum(len(tiles(hand)) for hand in example.hands), "A tile is named twice."
    assert len({len(tiles(hand)) for hand in example.hands}) == 1, "The hands are not of one size."
    short = replace(rules, hand_size=len(tiles(example.hands[0])))
    kind = fixed(short, *example.hands, boneyard=example.boneyard)
    players = (Human(),) * len(example.hands)
    first = int(example.plays[0])
    setups = [replace(setup("block", seed, players, kind), rules=short) for seed in SEEDS]
    match = create(setups[0], AT).match
    if rules.opener == "lot":
        match = next(match for match in (create(each, AT).match for each in setups) if match.turn == first)
    hand = match.hand
    assert hand is not None
    start = replace(hand.start, number=example.number, tied=example.tied)
    turn = hand.turn
    if example.leader is not None:
        turn = example.leader
        start = replace(start, number=max(2, example.number), leader=turn, must_open=None)
    before = example.before or hand.tally.scores
    assert len(before) == len(hand.tally.scores), "There are more or fewer teams."
    tally = replace(hand.tally, scores=before)
    hand = replace(hand, start=start, turn=turn, tally=tally, boneyard=tiles(example.boneyard))
    assert hand.turn == first, f"Seat {hand.turn} leads."
    return replace(match, setup=replace(match.setup, rules=rules), hand=hand)


def _after(match: Match, step: str) -> Match:
    """`match` after one move, which scores or is refused as `step` tells."""
    told = _STEP.fullmatch(step)
    assert told is not None, f"{step} is no move."
    seat, what, end, points, code = told.groups()
    moves: dict[str, Move] = {"draw": Draw(), "pass": Pass()}
    move = moves.get(what) or Play(Tile.parse(what), _end(end))
    if code is not None:
        with pytest.raises(RuleViolation) as refusal:
            decide(match, int(seat), move, AT)
        assert refusal.value.code == code, step
        return match
    done = decide(match, int(seat), move, AT)
    scored = [event for event in done.events if isinstance(event, PointsScored) and event.cause in {"play", "pass"}]
    assert sum(event.points for event in scored) == int(points or 0), f"{step}: scores {scored}"
    assert match.hand is not None
    scorer = match.hand.last_player if what == "pass" else int(seat)
    for event in scored:
        assert scorer is not None
        assert event.team == match.setup.rules.team(scorer), f"{step}: scored by another team"
    return done.match


def _end(name: str | None) -> End | None:
    return next((end for end in get_args(End) if end == name), None)


def _judge(example: Example, match: Match) -> None:
    hand, over = match.hand, None
    assert hand is not None
    if (result := hand.result) is not None:
        points = amounts(result.end_points)
        over = Over(result.reason, result.winner, points, bonus=result.bonus, doubled=result.doubled)
    assert over == example.over
    assert (match.result is not None) == (example.wins is not None), "The match is over, or it is not."
    assert match.result is None or match.result.winner == example.wins
    assert example.scores in {(), match.scores}, f"The scores are {match.scores}."
    assert example.turn in {None, match.turn}, f"Seat {match.turn} has the turn."
    ends = ", ".join(map(_open, hand.layout.ends))
    assert example.ends in {"", ends}, f"Open: {ends}."
    may = ", ".join(map(_told, legal_moves(match, match.turn)))
    assert example.may in {"", may}, f"Seat {match.turn} may: {may}."


def _open(end: OpenEnd) -> str:
    return f"{end.end} {end.value}-{end.value} only" if end.double_only else f"{end.end} {end.value}"


def _told(move: Move) -> str:
    if isinstance(move, Play):
        return f"{move.tile} {move.end}" if move.end else str(move.tile)
    return move.type


def _judge_lead(example: Example, match: Match) -> None:
    """The next hand is dealt by many seeds: what leads it is no chance."""
    tie = match.hand is not None and match.hand.result is not None and match.hand.result.winner is None
    leads = set[int | str | None]()
    for dealt in _next_hands(match):
        hand = dealt.hand
        assert hand is not None
        assert hand.start.tied == (example.more if tie else 0), f"The next hand is worth {hand.start.tied} more."
        opening = hand.start.must_open
        if not isinstance(example.leads, str) or example.leads == "lot":
            assert opening is None, "The tile that opens the next hand is not free."
            leads.add(hand.turn)
        elif any(Tile.parse(example.leads) in held for held in hand.tiles):
            assert opening is Tile.parse(example.leads), f"{opening} opens the next hand."
            assert hand.turn is not None
            assert opening in hand.tiles[hand.turn]
            leads.add(example.leads)
    expected = set(range(len(example.hands))) if example.leads == "lot" else {example.leads}
    assert leads == expected, f"The next hand is led by {leads}."


def _next_hands(match: Match) -> Iterator[Match]:
    for seed in SEEDS:
        seeded = replace(match, setup=replace(match.setup, seed=f"{seed:064x}"))
        yield decide(seeded, None, NextHand(), AT).match
