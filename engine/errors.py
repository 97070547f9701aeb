"""One error for each rule that a call can break. `code` is stable and `str(error)` says what to do instead.

The docstring of a class is for callers too, and so in their words: the service shows it as the page on the `code`.
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
    """Each parameter is allowed by itself, but they do not make a game that can be played: too few tiles for the seats,
    say. `errors` points at the parameter that is wrong beside the others, and says why.

    Parameters that `rules` leaves out have the values of the rule set, which `GET /v1/rulesets` lists.
    """

    code = "invalid-rules"
    title = "These rules cannot be played"

    def __init__(self, detail: str, parameter: str) -> None:
        super().__init__(detail)
        self.parameter = parameter


class InvalidDeal(RuleViolation):
    """The deal does not fit the rules or the seats; `errors` points at the place, below `#/deal`, and says why.

    A fixed deal has one hand for each seat, as many tiles in each as `hand_size` says, and no tile twice. A numbered
    one is for at most one person. A secret deal, which is the default, always fits.
    """

    code = "invalid-deal"
    title = "This deal cannot be dealt"

    def __init__(self, detail: str, pointer: str = "") -> None:
        super().__init__(detail)
        self.pointer = pointer


class MatchWaiting(RuleViolation):
    """The match has not begun: a seat is open still, and no tile has been dealt."""

    code = "match-waiting"
    title = "Seats are open"
    detail = "The first hand is dealt once every open seat has been taken by a post to join."


class MatchFinished(RuleViolation):
    """The match has ended, by score, by time or by resignation, or it was cancelled. `status` and `result` say which.

    A move that arrives at the deadline of its seat's clock or later is refused like this, too.
    """

    code = "match-finished"
    title = "The match is over"
    detail = "Nothing more can happen in this match: create another one."


class NoOpenSeat(RuleViolation):
    """The seat that was asked for is not open, or no seat is. Somebody else may have been first."""

    code = "no-open-seat"
    title = "No open seat"
    detail = "That seat, or every seat, is taken: look for a seat whose kind is open, or for another match."


class HandOver(RuleViolation):
    """The hand has ended and the next one has not been dealt, so that there is nothing to play, draw, pass or step."""

    code = "hand-over"
    title = "The hand is over"
    detail = "Post to next-hand first: the next hand has not been dealt."


class HandNotOver(RuleViolation):
    """The next hand was asked for while one is being played."""

    code = "hand-not-over"
    title = "The hand is not over"
    detail = "Play this hand to its end before the next one is dealt."


class NoCpuTurn(RuleViolation):
    """No CPU seat waits for a step. The seat that has the turn may be a person's, or the pacing `auto`, in which CPU
    seats move by themselves.
    """

    code = "no-cpu-turn"
    title = "No CPU seat is waiting"
    detail = 'A step moves a CPU seat that has the turn in a match with "pacing": "step"; no such seat has it.'


class NotACpuSeat(RuleViolation):
    """A level was given to a seat that a person sits in, or may sit in."""

    code = "not-a-cpu-seat"
    title = "Not a CPU seat"
    detail = "Only a CPU seat has a level: name a seat whose kind is cpu."


class NotYourTurn(RuleViolation):
    """Another seat has the turn. Somebody may have moved for the same seat at the same time, with the same token."""

    code = "not-your-turn"
    title = "Not your turn"
    detail = "Wait until hand.turn is your seat: GET the events with Prefer: wait=20, or read the stream."


class SetTooLarge(RuleViolation):
    """The call needs to look ahead in hands of this match, and its set of tiles is too large for that: at most 63 tiles
    can be seen through, so that a double-nine set is not too large and a double-twelve set is.

    A seat at the level `hard` plays with any set.
    """

    code = "set-too-large"
    title = "The set is too large to look ahead"
    detail = (
        "Expert seats, hints and reviews are for matches with at most 63 tiles: choose another level, or a smaller set."
    )


class HintsOff(RuleViolation):
    """A hint was asked for in a match that was created without `hints`. That is settled when it is created, and all who
    sit down can see it.
    """

    code = "hints-off"
    title = "No hints in this match"
    detail = 'Create the match with "hints": true: this one was created without.'


class MatchNotFinished(RuleViolation):
    """A review was asked for of a match that goes on, or that was cancelled: only in a finished one all that it would
    tell is known to everybody.
    """

    code = "match-not-finished"
    title = "The match is not finished"
    detail = "Ask again once status is finished; a match that was cancelled never is."


class MustOpen(RuleViolation):
    """The hand has to be opened with one certain tile, and the seat that holds it asked to play another."""

    code = "must-open"
    title = "Another tile must open"
    detail = "The tile that gave you the lead must open this hand: play the one in legal_moves."


class MustPlay(RuleViolation):
    """The seat asked to draw or to pass while it holds a tile that fits."""

    code = "must-play"
    title = "A tile fits"
    detail = "A seat that can play must play: choose from legal_moves."


class MustDraw(RuleViolation):
    """The seat asked to pass while there is a tile that it may draw."""

    code = "must-draw"
    title = "A tile can be drawn"
    detail = "A seat that cannot play must draw while it may: post to draw."


class MustPass(RuleViolation):
    """The seat asked to draw while nothing can be drawn: the boneyard is used up but for what stays in it, or the game
    has no drawing.
    """

    code = "must-pass"
    title = "Nothing can be drawn"
    detail = "These rules let nothing more be drawn now: post to pass."


class NoSuchPosition(RuleViolation):
    """The draw names a place beyond the end of the boneyard. Places count from 0, among the tiles that remain."""

    code = "no-such-position"
    title = "No such place in the boneyard"
    detail = "Name a position below hand.boneyard_count, or none for the first tile."


class TileNotInHand(RuleViolation):
    """The seat does not hold that tile. The answer is the same wherever the tile is."""

    code = "tile-not-in-hand"
    title = "Tile not in hand"
    detail = "Play one of your own tiles: choose from legal_moves."


class TileDoesNotFit(RuleViolation):
    """The tile has none of the numbers that the open ends ask for, or not that of the end that was named."""

    code = "tile-does-not-fit"
    title = "The tile does not fit"
    detail = "Play a tile that has the number asked for by the end it goes to: choose from legal_moves."


class EndNotOpen(RuleViolation):
    """The layout has no such end now. `up` and `down` are there only beside a spinner, once the rules open them."""

    code = "end-not-open"
    title = "No such end"
    detail = "Name one of layout.ends, or choose from legal_moves; the tile that opens a hand goes to none."


class EndRequired(RuleViolation):
    """The tile fits ends that ask for different numbers, and the call does not say which one it goes to."""

    code = "end-required"
    title = "The tile fits more than one end"
    detail = "Say which end the tile goes to: it fits ends with different numbers."
