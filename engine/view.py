"""What one viewer may know: the only place where a match, or its log, becomes something that leaves the engine.

A view leaves out everything that is not put in by name. A new kind of event does not type-check until it is decided
here what may be seen of it, and a test names every field of every event as public or hidden. CPU seats are handed the
same view as a person who sits in that seat.
"""

from dataclasses import replace
from datetime import datetime
from typing import Annotated, Final, Literal, assert_never
from uuid import UUID

from engine.bounds import (
    MOST_SEATS,
    Amount,
    Described,
    Flag,
    HandNumber,
    Length,
    Number,
    Points,
    SeatIndex,
    Seq,
    TeamIndex,
    Text,
    TileCount,
)
from engine.clock import Clock, TimeControl
from engine.deal import DealNumber, NumberedDeal, Seed, commitment
from engine.events import (
    Cancelled,
    ClockExpired,
    Event,
    HandDealt,
    HandEnded,
    HandResult,
    HandSummary,
    HandTiles,
    LevelChanged,
    MatchCreated,
    MatchEnded,
    MatchResult,
    PointsScored,
    Resigned,
    SeatJoined,
    TeamScores,
    TileDrawn,
    TilePlayed,
    TurnPassed,
)
from engine.hand import Hand
from engine.layout import AskedNumber, Layout, describe
from engine.match import Match, Pacing, Status, legal_moves
from engine.moves import Move, PastMove
from engine.players import Cpu, Human, Level, Name
from engine.rules import Rules
from engine.rulesets import RulesetId
from engine.tiles import DOUBLE_SUIT, numbers_in
from engine.turns import by_team
from engine.values import value


@value
class Viewer(Described):
    """Who looks: a seat sees its own tiles, the host and a spectator see only what lies face up."""

    role: Literal["seat", "host", "spectator"]
    """`seat`: sent with the token of a seat; `host`: with the host's; `spectator`: without a token."""
    seat: SeatIndex | None = None
    """For the role `seat`, which one."""


HOST: Final = Viewer("host")
SPECTATOR: Final = Viewer("spectator")


@value
class SeatSummary(Described):
    """A seat and who sits in it."""

    seat: SeatIndex
    """Seats are numbered in turn order."""
    kind: Literal["human", "cpu", "open"]
    """An `open` seat may be taken by a post to join."""
    name: Name | None
    """As the person in it gave it; null for none, and for CPU seats."""
    level: Level | None
    """Of a CPU seat; null for the others."""
    team: TeamIndex
    """The team it plays for. Without partners every seat is its own team."""


@value
class SeatView(SeatSummary):
    """A seat, who sits in it, and what this viewer may see of its tiles."""

    tile_count: TileCount
    """How many tiles it holds; 0 before the first deal."""
    tiles: HandTiles | None
    """Null unless this viewer may see them: its own, and everybody's once the hand has ended."""
    lacks: Annotated[tuple[AskedNumber, ...], Length(0, 14)]
    """Numbers that the table has seen this seat unable to play, by a draw or a pass, and that it cannot have got since,
    but for a tile just drawn that it has to play. They are numbers as ends ask for them."""
    lacks_doubles: Annotated[tuple[Number, ...], Length(0, 13)]
    """The same for ends that only take the double of a number."""


@value
class LayoutView(Layout):
    """The tiles on the table, and the line in words."""

    text: Annotated[str, Text(1, 2000, "^[^\\u0000]*$")]
    """The whole line, left to right, for people who cannot see it."""


@value
class HandView(Described):
    """The hand that is being played, or that has just ended."""

    number: HandNumber
    """From 1, by the order in which the match's hands were dealt."""
    first_seq: Seq
    """The number of the event that dealt it."""
    turn: SeatIndex | None
    """The seat that has to move; null once the hand is over."""
    boneyard_count: TileCount
    """Tiles left to draw, those that the rules keep back included."""
    layout: LayoutView
    """The tiles on the table."""
    moves: Annotated[tuple[PastMove, ...], Length(0, 2000)]
    """All that the seats did in this hand, in order: what bots can tell hidden tiles by."""
    passed: Flag
    """Whether the pass that `first_pass_points` are for has been made in this match; false where there are none."""
    legal_moves: Annotated[tuple[Move, ...], Length(0, 200)]
    """Every play, draw, pass and next hand that this viewer may post now, each as it is to the path that its `type`
    names. Empty while another seat has the turn: wait for it, or post to step if it is a CPU seat and the `pacing` is
    `step`. To step, resign and cancel are never listed."""
    result: HandResult | None
    """How the hand ended; null while it is played."""


Digest = Annotated[str, Text(64, 64, "^[0-9a-f]{64}$")]


@value
class DealView(Described):
    """Where the deals come from."""

    kind: Literal["secret", "numbered", "seeded", "fixed"]
    """As the match was created with."""
    number: DealNumber | None
    """Of a numbered deal."""
    commitment: Digest
    """SHA-256 of the seed's 32 bytes, published before the first move."""
    seed: Seed | None
    """Null until the match is finished, and for good if it is cancelled."""


SecondsLeft = Annotated[float, Amount(0, 86_400)]


@value
class SeatClock(Described):
    """The time of one seat."""

    seat: SeatIndex
    """CPU seats are listed too."""
    seconds_left: SecondsLeft
    """Of its budget for this hand, as of the match's last event; CPU seats never spend any."""


@value
class RunningClock(Described):
    """The seat whose time is running."""

    seat: SeatIndex
    """A seat with a person in it."""
    deadline: datetime
    """When its team loses the match, unless the seat has moved."""


@value
class ClockView(TimeControl):
    """Everybody's time, as of the match's last event."""

    seats: Annotated[tuple[SeatClock, ...], Length(2, MOST_SEATS)]
    """In turn order."""
    running: RunningClock | None
    """Null while no person has to move."""


@value
class MatchView(Described):
    """A match as one viewer may see it."""

    id: UUID
    """Stands in the paths of all calls on the match."""
    version: Seq
    """The number of the last event: follow the log from here."""
    status: Status
    """`waiting`, until all open seats are taken; `playing`; `hand_over`, until somebody posts to next-hand; `finished`;
    `cancelled`."""
    ruleset: RulesetId
    """The game, one of those that are listed."""
    rules: Rules
    """Every parameter, as this match is played."""
    pacing: Pacing
    """`auto`: CPU seats move within the call that gives them the turn; `step`: each of their moves waits for a post to
    step."""
    auto_pass: Flag
    """Whether the service passes for a person who can neither play nor draw."""
    listed: Flag
    """Whether the match is in the list that everybody can read."""
    hints: Flag
    """Whether each seat that has the turn may get a hint."""
    created_at: datetime
    """When it was created."""
    updated_at: datetime
    """When its last event happened."""
    viewer: Viewer
    """As whom this caller sees it."""
    seats: Annotated[tuple[SeatView, ...], Length(2, MOST_SEATS)]
    """In turn order."""
    scores: TeamScores
    """The match's points so far, by team."""
    hand: HandView | None
    """Null before the first deal."""
    past_hands: Annotated[tuple[HandSummary, ...], Length(0, 1_000_000)]
    """The hands that have ended, the one just ended included."""
    result: MatchResult | None
    """Null until the match is finished."""
    clock: ClockView | None
    """Null where nobody's time is limited."""
    deal: DealView
    """Where its deals come from, and how to check them at the end."""


@value
class MatchSummary(Described):
    """A match as it stands in the list of matches."""

    id: UUID
    """Stands in the paths of all calls on the match."""
    version: Seq
    """The number of the last event."""
    status: Status
    """`waiting` ones have open seats."""
    ruleset: RulesetId
    """The game, one of those that are listed."""
    target: Points
    """The points at which it is decided, won or, in a penalty game, lost; 0 where only the number of hands decides."""
    hand_number: HandNumber | None
    """The hand in play, or just ended; null before the first deal."""
    created_at: datetime
    """When it was created."""
    updated_at: datetime
    """When its last event happened."""
    seats: Annotated[tuple[SeatSummary, ...], Length(2, MOST_SEATS)]
    """In turn order; those of the kind `open` may be joined."""
    scores: TeamScores
    """The match's points so far, by team."""
    result: MatchResult | None
    """How it ended; null until it is finished."""
    clock: TimeControl | None
    """Null where nobody's time is limited."""
    hints: Flag
    """Whether each seat that has the turn may get a hint."""


def summary(match: Match) -> MatchSummary:
    """`match` as the list shows it to everybody."""
    return MatchSummary(
        id=match.setup.id,
        version=match.version,
        status=match.status,
        ruleset=match.setup.ruleset,
        target=match.setup.rules.target,
        hand_number=match.hand_number,
        created_at=match.created_at,
        updated_at=match.updated_at,
        seats=tuple([SeatSummary(seat, *_sitting(match, seat)) for seat in range(len(match.players))]),
        scores=by_team(match.scores),
        result=match.result,
        clock=match.setup.clock,
        hints=match.setup.hints,
    )


def view(match: Match, viewer: Viewer) -> MatchView:
    """`match` as `viewer` may see it."""
    setup = match.setup
    return MatchView(
        id=setup.id,
        version=match.version,
        status=match.status,
        ruleset=setup.ruleset,
        rules=setup.rules,
        pacing=setup.pacing,
        auto_pass=setup.auto_pass,
        listed=setup.listed,
        hints=setup.hints,
        created_at=match.created_at,
        updated_at=match.updated_at,
        viewer=viewer,
        seats=tuple([_seat(match, match.hand, viewer, seat) for seat in range(len(match.players))]),
        scores=by_team(match.scores),
        hand=_hand(match, match.hand, viewer) if match.hand is not None else None,
        past_hands=match.past_hands,
        result=match.result,
        clock=_clock(match, setup.clock, match.clock),
        deal=_deal(match),
    )


def _seat(match: Match, hand: Hand | None, viewer: Viewer, seat: int) -> SeatView:
    kind, name, level, team = _sitting(match, seat)
    shown = hand is not None and (hand.result is not None or viewer.seat == seat)
    return SeatView(
        seat=seat,
        kind=kind,
        name=name,
        level=level,
        team=team,
        tile_count=len(hand.tiles[seat]) if hand is not None else 0,
        tiles=hand.tiles[seat] if hand is not None and shown else None,
        lacks=numbers_in(hand.lacks[seat]) if hand is not None else (),
        lacks_doubles=numbers_in(hand.lacks[seat] >> DOUBLE_SUIT) if hand is not None else (),
    )


def _sitting(match: Match, seat: int) -> tuple[Literal["human", "cpu", "open"], str | None, Level | None, int]:
    player, team = match.players[seat], match.setup.rules.team(seat)
    name = player.name if isinstance(player, Human) else None
    return player.kind, name, player.level if isinstance(player, Cpu) else None, team


def _clock(match: Match, control: TimeControl | None, clock: Clock | None) -> ClockView | None:
    if control is None or clock is None:
        return None
    seats = tuple([SeatClock(seat, left / 1_000_000) for seat, left in enumerate(clock.left)])
    deadline = clock.deadline(match.updated_at)
    running = RunningClock(clock.running, deadline) if clock.running is not None and deadline is not None else None
    return ClockView(control.seconds_per_hand, seats, running)


def _hand(match: Match, hand: Hand, viewer: Viewer) -> HandView:
    layout = hand.layout
    return HandView(
        number=hand.start.number,
        first_seq=hand.start.first_seq,
        turn=hand.turn,
        boneyard_count=len(hand.boneyard),
        layout=LayoutView(layout.opening, layout.spinner, layout.arms, layout.ends, layout.count, describe(layout)),
        moves=hand.moves,
        passed=hand.passed,
        legal_moves=() if viewer.role == "spectator" else legal_moves(match, viewer.seat),
        result=hand.result,
    )


def _deal(match: Match) -> DealView:
    kind = match.setup.deal
    return DealView(
        kind=kind.kind,
        number=kind.number if isinstance(kind, NumberedDeal) else None,
        commitment=commitment(match.setup.seed),
        seed=match.setup.seed if match.status == "finished" else None,
    )


def redact(event: Event, viewer: Viewer, open_hand: int | None) -> Event:
    """`event` as `viewer` may see it while hand number `open_hand` is being played (null: none is)."""
    hidden = event.hand is not None and event.hand == open_hand
    match event:
        case HandDealt():
            if not hidden:
                return event
            tiles = tuple([dealt if dealt.seat == viewer.seat else replace(dealt, tiles=None) for dealt in event.tiles])
            return replace(event, tiles=tiles, boneyard=None)
        case TileDrawn():
            return replace(event, tile=None) if hidden and event.seat != viewer.seat else event
        case TilePlayed() | TurnPassed() | PointsScored() | HandEnded():
            return event
        case MatchCreated() | SeatJoined() | LevelChanged():
            return event
        case ClockExpired() | Resigned() | Cancelled() | MatchEnded():
            return event
        case _:
            assert_never(event)


def open_hand(match: Match) -> int | None:
    """The number of the hand whose tiles are still hidden."""
    return match.hand_number if match.hand is not None and match.hand.result is None else None
