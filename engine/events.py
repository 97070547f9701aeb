"""What happened: the only definition of the log. Without gaps, numbered from 1, and the match is their fold."""

from datetime import datetime
from typing import Annotated, Literal

from engine.bounds import (
    MOST_SEATS,
    Between,
    Described,
    Flag,
    HandNumber,
    Length,
    Number,
    Pips,
    Points,
    Position,
    SeatIndex,
    Seq,
    Tagged,
    TeamIndex,
    TileCount,
)
from engine.layout import End
from engine.players import Level, Name
from engine.rulesets import RulesetId
from engine.tiles import Tile
from engine.values import value

HandReason = Literal["domino", "blocked", "target", "unfinished"]
MatchReason = Literal["score", "time", "resignation"]
Cause = Literal["play", "pass", "domino", "blocked"]
HandTiles = Annotated[tuple[Tile, ...], Length(0, 91)]


@value
class TeamPoints(Described):
    """Points of one team."""

    team: TeamIndex
    """Whose points they are."""
    points: Points
    """In a penalty game, the fewer the better."""


TeamScores = Annotated[tuple[TeamPoints, ...], Length(2, MOST_SEATS)]


@value
class Leftover(Described):
    """What a seat held when the hand ended."""

    seat: SeatIndex
    """Who held them."""
    tiles: HandTiles
    """The tiles left in hand; none for the seat that went out."""
    pips: Pips
    """Of these tiles, all together."""


@value
class HandSummary(Described):
    """How a hand ended and what it was worth."""

    number: HandNumber
    """From 1, by the order in which the match's hands were dealt."""
    reason: HandReason
    """`domino`: a seat went out; `blocked`: no tile in any hand fitted; `target`: the match was decided by points taken
    in play, the last tile's included; `unfinished`: the match ended in mid-hand, without a winner of the hand."""
    winner: TeamIndex | None
    """The team that went out, won the block or reached the target; null for a tied block and an unfinished hand."""
    play_points: TeamScores
    """Points taken in play."""
    end_points: TeamScores
    """Points for how the hand ended; a penalty stands with the team that is charged."""
    scores: TeamScores
    """The match's scores after the hand."""
    doubled: Flag
    """Whether the last tile multiplied the points for going out, by `last_tile_factor`."""
    bonus: Points
    """What of the hand's worth was a bonus, for the last tile, the hand's number and ties before, whether or not the
    target, `end_ceiling` or `first_entry` let it be taken."""


@value
class HandResult(HandSummary):
    """How a hand ended and what it was worth, with every tile that was left."""

    leftover: Annotated[tuple[Leftover, ...], Length(2, MOST_SEATS)]
    """What each seat still held, in turn order."""
    boneyard: HandTiles
    """What was left to draw, in drawing order."""


@value
class MatchResult(Described):
    """How the match ended."""

    winner: TeamIndex | None
    """The team that won; null where nobody wins: the best were equal after the match's last hand, by its rules or the
    thousandth, or when a team was out and more than one was left."""
    reason: MatchReason
    """`score`: it was played out, to the target or to its last hand; `time`: a clock ran out; `resignation`: a team
    gave up."""


@value
class DealtTiles(Described):
    """The tiles dealt to a seat; null for a viewer who may not know them yet."""

    seat: SeatIndex
    """Who holds them."""
    tiles: HandTiles | None
    """In the order in which they were dealt."""


@value
class Entry(Described):
    """What every event says."""

    seq: Seq
    """The event's number in the match's log."""
    hand: HandNumber | None
    """The number of the hand it belongs to; null for what is about the match as a whole."""
    seat: SeatIndex | None
    """The seat that did it, or that it happened to; null where that is nobody or everybody."""
    turn: SeatIndex | None
    """The seat that has the turn after the event; null where none has: between hands and when the match is over. A
    clock that expires and a seat that resigns leave the turn where it was."""
    at: datetime
    """When it happened."""


@value
class MatchCreated(Entry):
    """The match was created."""

    ruleset: RulesetId
    """The game, one of those that are listed."""
    type: Literal["match_created"] = "match_created"


@value
class SeatJoined(Entry):
    """Somebody took an open seat."""

    name: Name | None
    """Of the person who took the seat; null if none was given."""
    type: Literal["seat_joined"] = "seat_joined"


@value
class HandDealt(Entry):
    """A hand was dealt."""

    number: HandNumber
    """The same as `hand`."""
    tiles: Annotated[tuple[DealtTiles, ...], Length(2, MOST_SEATS)]
    """By seat, in turn order."""
    boneyard: HandTiles | None
    """The tiles left to draw, in drawing order; null until the hand has ended."""
    boneyard_count: TileCount
    """Tiles left to draw."""
    redeals: Annotated[int, Between(0, 1_000_000)]
    """How many deals before it were thrown in, unseen: for too many doubles or tiles of one number in one hand, or
    because nobody had a double to lead."""
    type: Literal["hand_dealt"] = "hand_dealt"


@value
class TilePlayed(Entry):
    """A tile was played."""

    tile: Tile
    """High end first, whichever way it lies."""
    end: End | None
    """Where it went; null for the tile that opens a hand."""
    inner: Number
    """The half that touches the layout; the left half of an opening."""
    outer: Number
    """The half that faces away; the right half of an opening."""
    count: Pips
    """The layout's count after it: what scores where it is a multiple of one of the rules' `scored_multiples`."""
    automatic: Flag
    """Whether the service played it, as the rule set has it for an opening."""
    type: Literal["tile_played"] = "tile_played"


@value
class TileDrawn(Entry):
    """A tile was drawn from the boneyard."""

    tile: Tile | None
    """Null, until the hand has ended, for everyone but the seat that drew it."""
    position: Position
    """Where it lay among the tiles that remained."""
    boneyard_count: TileCount
    """Tiles left in the boneyard after it."""
    type: Literal["tile_drawn"] = "tile_drawn"


@value
class TurnPassed(Entry):
    """A seat passed."""

    automatic: Flag
    """Whether the service passed for the seat: in a dead hand, or by the match's `auto_pass`."""
    type: Literal["turn_passed"] = "turn_passed"


@value
class PointsScored(Entry):
    """A team gained points or, in a penalty game, was charged them."""

    team: TeamIndex
    """Whose score grows."""
    points: Points
    """By so much, after rounding, factors, bonuses and limits."""
    cause: Cause
    """`play`: a tile was played; `pass`: another seat could not play; `domino`: a seat went out; `blocked`: nobody
    could go on."""
    type: Literal["points_scored"] = "points_scored"


@value
class HandEnded(Entry):
    """A hand ended, and every tile is shown."""

    result: HandResult
    """How it ended and what it was worth, the tiles left included."""
    type: Literal["hand_ended"] = "hand_ended"


@value
class LevelChanged(Entry):
    """A CPU seat got another level."""

    level: Level
    """Of the CPU seat `seat` from its next decision on."""
    type: Literal["level_changed"] = "level_changed"


@value
class ClockExpired(Entry):
    """A seat used up its time for the hand, and its team loses the match."""

    type: Literal["clock_expired"] = "clock_expired"


@value
class Resigned(Entry):
    """A seat gave up, and its team loses the match."""

    type: Literal["resigned"] = "resigned"


@value
class Cancelled(Entry):
    """The match ended without a result: by its host, or because nobody took its open seats. Nothing follows it."""

    type: Literal["cancelled"] = "cancelled"


@value
class MatchEnded(Entry):
    """The match was decided. Nothing follows it."""

    result: MatchResult
    """How it ended and who won."""
    type: Literal["match_ended"] = "match_ended"


Event = Annotated[
    MatchCreated
    | SeatJoined
    | HandDealt
    | TilePlayed
    | TileDrawn
    | TurnPassed
    | PointsScored
    | HandEnded
    | LevelChanged
    | ClockExpired
    | Resigned
    | Cancelled
    | MatchEnded,
    Tagged("type"),
]
