"""What may be asked for.

A move's meaning never depends on the state: it names a tile and an end, not a place in a list.
"""

from typing import Annotated, Literal

from engine.bounds import Described, Flag, Position, SeatIndex, Tagged
from engine.layout import End
from engine.tiles import Tile
from engine.values import value


@value
class Play(Described):
    """Play a tile."""

    tile: Tile
    """One that the seat holds; either end may come first."""
    end: End | None = None
    """Where it goes; may be left out where the ends it fits ask for the same number, and is null for an opening."""
    type: Literal["play"] = "play"


@value
class Draw(Described):
    """Draw from the boneyard. The entry in `legal_moves` stands for every position. As it is, it takes one tile, the
    first one.
    """

    position: Position | None = None
    """An index among the tiles that remain; the first one if left out or null."""
    until_playable: Flag = False
    """Draw on, in the same call, until one fits or nothing more may be drawn: first the tile at `position`, then from
    the front."""
    type: Literal["draw"] = "draw"


@value
class Pass(Described):
    """Pass the turn."""

    type: Literal["pass"] = "pass"


@value
class NextHand(Described):
    """Deal the next hand."""

    type: Literal["next-hand"] = "next-hand"


Turn = Annotated[Play | Draw | Pass, Tagged("type")]
"""What a seat may do when it has the turn."""

Move = Annotated[Play | Draw | Pass | NextHand, Tagged("type")]


@value
class PastMove(Described):
    """What a seat did with its turn, as everybody at the table saw it."""

    seat: SeatIndex
    """Who moved."""
    type: Literal["play", "draw", "pass"]
    """A `draw` for each tile that was drawn."""
    tile: Tile | None = None
    """The tile that was played; null for the others: nobody else sees a tile drawn."""
    end: End | None = None
    """Where it went; null for an opening, a draw and a pass."""
