"""One error for each rule that a call can break. `code` is stable and `str(error)` says what to do instead.

No message holds a tile, a number or a name that the caller sent, or that the caller may not see.
"""

from typing import ClassVar


class RuleViolation(Exception):  # noqa: N818 - a subclass is named for the rule
    """A call that the rules refuse; the match is as it was."""

    code: ClassVar[str]
    title: ClassVar[str]
    detail: ClassVar[str] = ""

    def __init__(self, detail: str = "") -> None:
        super().__init__(detail or self.detail)


class InvalidRules(RuleViolation):
    """A combination of parameters that cannot be played."""

    code = "invalid-rules"
    title = "These rules cannot be played"

    def __init__(self, detail: str, parameter: str) -> None:
        super().__init__(detail)
        self.parameter = parameter


class InvalidDeal(RuleViolation):
    """A deal that does not fit the rules or the seats; `pointer` is the place at fault, below the deal."""

    code = "invalid-deal"
    title = "This deal cannot be dealt"

    def __init__(self, detail: str, pointer: str = "") -> None:
        super().__init__(detail)
        self.pointer = pointer


class MatchWaiting(RuleViolation):
    """A move before all seats are taken."""

    code = "match-waiting"
    title = "Seats are open"
    detail = "The first hand is dealt once every open seat has been taken by a post to join."


class MatchFinished(RuleViolation):
    """The match has ended, or was cancelled."""

    code = "match-finished"
    title = "The match is over"
    detail = "Nothing more can happen in this match: create another one."


class NoOpenSeat(RuleViolation):
    """Joining where no seat is open, or a seat that is not."""

    code = "no-open-seat"
    title = "No open seat"
    detail = "That seat, or every seat, is taken: look for a seat whose kind is open, or for another match."


class HandOver(RuleViolation):
    """A move between two hands."""

    code = "hand-over"
    title = "The hand is over"
    detail = "Post to next-hand first: the next hand has not been dealt."


class HandNotOver(RuleViolation):
    """A next hand while one is being played."""

    code = "hand-not-over"
    title = "The hand is not over"
    detail = "Play this hand to its end before the next one is dealt."


class NoCpuTurn(RuleViolation):
    """A step while no CPU seat has to move."""

    code = "no-cpu-turn"
    title = "No CPU seat is waiting"
    detail = 'A step moves a CPU seat that has the turn in a match with "pacing": "step"; no such seat has it.'


class NotACpuSeat(RuleViolation):
    """A level for a seat that a person sits in."""

    code = "not-a-cpu-seat"
    title = "Not a CPU seat"
    detail = "Only a CPU seat has a level: name a seat whose kind is cpu."


class NotYourTurn(RuleViolation):
    """A move by a seat that does not have the turn."""

    code = "not-your-turn"
    title = "Not your turn"
    detail = "Wait until hand.turn is your seat."


class MustOpen(RuleViolation):
    """Another tile than the one that has to open the hand."""

    code = "must-open"
    title = "Another tile must open"
    detail = "The tile that gave you the lead must open this hand: play the one in legal_moves."


class MustPlay(RuleViolation):
    """A draw or a pass with a tile that fits."""

    code = "must-play"
    title = "A tile fits"
    detail = "A seat that can play must play: choose from legal_moves."


class MustDraw(RuleViolation):
    """A pass with a tile left to draw."""

    code = "must-draw"
    title = "A tile can be drawn"
    detail = "A seat that cannot play must draw while it may: post to draw."


class MustPass(RuleViolation):
    """A draw where nothing can be drawn."""

    code = "must-pass"
    title = "Nothing can be drawn"
    detail = "These rules let nothing more be drawn now: post to pass."


class NoSuchPosition(RuleViolation):
    """A place beyond the end of the boneyard."""

    code = "no-such-position"
    title = "No such place in the boneyard"
    detail = "Name a position below hand.boneyard_count, or none for the first tile."


class TileNotInHand(RuleViolation):
    """A tile that the seat does not hold, wherever else it is."""

    code = "tile-not-in-hand"
    title = "Tile not in hand"
    detail = "Play one of your own tiles."


class TileDoesNotFit(RuleViolation):
    """A tile that has neither of the numbers asked for."""

    code = "tile-does-not-fit"
    title = "The tile does not fit"
    detail = "Play a tile that has the number asked for by the end it goes to: choose from legal_moves."


class EndNotOpen(RuleViolation):
    """An end that the layout does not have."""

    code = "end-not-open"
    title = "No such end"
    detail = "Name one of layout.ends; the tile that opens a hand goes to none."


class EndRequired(RuleViolation):
    """A tile that fits ends with different numbers."""

    code = "end-required"
    title = "The tile fits more than one end"
    detail = "Say which end the tile goes to: it fits ends with different numbers."
