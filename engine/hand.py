"""One hand: what the table holds, the one test of legality, and the fold of the hand's events.

A tile fits an end whose number it has. `places` says so for each end, and `legal_turns` lists what it allows while
`turns.decide` refuses what it does not; `playable` and `is_dead` ask the same of all ends at once, as sets of numbers.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Final, TypeVar, assert_never

from engine.events import HandDealt, HandEnded, HandResult, PointsScored, TileDrawn, TilePlayed, TurnPassed
from engine.layout import EMPTY, End, Layout, place
from engine.lead import Ending, find_opener
from engine.moves import Draw, Pass, Play, Turn
from engine.rules import Rules
from engine.scoring import Amounts, Held
from engine.tiles import Tile, pips
from engine.values import value

HandEvent = TilePlayed | TileDrawn | TurnPassed | PointsScored | HandEnded

T = TypeVar("T")

_OPENING: Final = (None,)


@value
class Start:
    """How a hand began."""

    number: int
    first_seq: int
    """The number of the event that dealt it."""
    leader: int
    must_open: Tile | None
    """The tile that has to be played first, where one has to."""


@value
class Tally:
    """Points by team."""

    scores: Amounts
    """The match's, as they stand now."""
    play_points: Amounts
    """Taken in play in this hand."""
    end_points: Amounts
    """For how this hand ended."""


@value
class Hand:
    """One hand as the table knows it, hidden tiles included. `view` says what may be shown of it."""

    start: Start
    turn: int | None
    """The seat that has to move; null once the hand is over."""
    drawn: int
    """Tiles drawn in this turn."""
    last_player: int | None
    """Who played the last tile."""
    tiles: tuple[tuple[Tile, ...], ...]
    """By seat."""
    boneyard: tuple[Tile, ...]
    """In drawing order."""
    layout: Layout
    lacks: tuple[int, ...]
    """By seat, a bit for each number that the table has seen it unable to play and that it cannot have got since."""
    tally: Tally
    result: HandResult | None = None

    def after(self, seat: int) -> int:
        """The seat that has the turn after `seat`."""
        return (seat + 1) % len(self.tiles)

    def from_seat(self, seat: int) -> Iterator[int]:
        """All seats in turn order, `seat` first."""
        count = len(self.tiles)
        return ((seat + step) % count for step in range(count))

    def tiles_left(self) -> int:
        """How many tiles all seats hold together."""
        return sum([len(tiles) for tiles in self.tiles])

    def held(self) -> Held:
        """The pips that each seat holds."""
        return tuple([pips(tiles) for tiles in self.tiles])

    def ending(self, rules: Rules) -> Ending:
        """What the next lead depends on, once the hand has ended."""
        assert self.result is not None
        assert self.last_player is not None
        winner: int | None = self.last_player
        if self.result.reason == "blocked":
            held, team = self.held(), self.result.winner
            winning = [seat for seat in self.from_seat(self.after(self.last_player)) if rules.team(seat) == team]
            winner = min(winning, key=held.__getitem__, default=None)
        return Ending(self.start.leader, self.last_player, self.result.reason == "blocked", winner)


@cache
def _play(tile: Tile, end: End | None) -> Play:
    return Play(tile, end)


def places(hand: Hand, tile: Tile) -> tuple[End | None, ...]:
    """Where `tile` may go, in the order left, right, up, down; null, alone, is the opening."""
    layout, numbers = hand.layout, tile.numbers
    if layout.opening is None:
        return _OPENING if hand.start.must_open is None or hand.start.must_open is tile else ()
    return tuple([end.end for end in layout.ends if numbers >> end.value & 1])


def playable(hand: Hand, seat: int) -> list[Tile]:
    """The tiles of `seat` that may go anywhere: those that have places."""
    if hand.layout.opening is None:
        return [tile for tile in hand.tiles[seat] if places(hand, tile)]
    numbers = hand.layout.numbers
    return [tile for tile in hand.tiles[seat] if tile.numbers & numbers]


def may_draw(rules: Rules, hand: Hand) -> bool:
    """Whether the seat that has the turn, unable to play, has a draw left."""
    return _is_drawable(rules, hand) and not (rules.drawing == "once" and hand.drawn)


def legal_turns(rules: Rules, hand: Hand, seat: int) -> tuple[Turn, ...]:
    """All that `seat` may do now: its plays, or else a draw, or else a pass; nothing when it does not have the turn."""
    if hand.turn != seat:
        return ()
    plays = tuple([_play(tile, end) for tile in playable(hand, seat) for end in places(hand, tile)])
    return plays or (Draw() if may_draw(rules, hand) else Pass(),)


def is_dead(rules: Rules, hand: Hand) -> bool:
    """Whether no tile in any hand fits and nothing can be drawn (A18, B17, C5)."""
    numbers = hand.layout.numbers
    for tiles in hand.tiles:
        for tile in tiles:
            if tile.numbers & numbers:
                return False
    return not _is_drawable(rules, hand)


def _is_drawable(rules: Rules, hand: Hand) -> bool:
    return rules.drawing != "never" and len(hand.boneyard) > rules.boneyard_reserve


def dealt(rules: Rules, event: HandDealt, previous: Hand | None) -> Hand:
    """The hand that `event` deals after `previous`."""
    assert event.boneyard is not None
    assert event.turn is not None
    tiles = tuple([seat.tiles or () for seat in event.tiles])
    opener = find_opener(rules, tiles, None if previous is None else previous.ending(rules), event.turn)
    must_open = opener.tile if opener.opening == "forced" else None
    nothing = (0,) * rules.team_count(len(tiles))
    return Hand(
        start=Start(event.number, event.seq, event.turn, must_open),
        turn=event.turn,
        drawn=0,
        last_player=None,
        tiles=tiles,
        boneyard=event.boneyard,
        layout=EMPTY,
        lacks=(0,) * len(tiles),
        tally=Tally(nothing if previous is None else previous.tally.scores, nothing, nothing),
    )


def evolve(rules: Rules, hand: Hand, event: HandEvent) -> Hand:
    """The hand after `event`, which is believed: nothing is judged here."""
    match event:
        case TilePlayed():
            return played(hand, event, place(rules, hand.layout, event.tile, event.end))
        case TurnPassed():
            return _passed(hand, event)
        case TileDrawn():
            return _drawn(hand, event)
        case PointsScored():
            return replace(hand, tally=_scored(hand.tally, event))
        case HandEnded():
            return replace(hand, turn=event.turn, result=event.result)
        case _:
            assert_never(event)


# The three below say every field: `dataclasses.replace` would take as long as all the rest of a move.


def played(hand: Hand, event: TilePlayed, layout: Layout) -> Hand:
    """The hand after a play that makes the line `layout`."""
    seat, spent = event.seat, event.tile
    assert seat is not None
    kept = tuple([tile for tile in hand.tiles[seat] if tile is not spent])
    tiles = _with(hand.tiles, seat, kept)
    return Hand(
        start=hand.start,
        turn=event.turn,
        drawn=0,
        last_player=seat,
        tiles=tiles,
        boneyard=hand.boneyard,
        layout=layout,
        lacks=hand.lacks,
        tally=hand.tally,
    )


def _passed(hand: Hand, event: TurnPassed) -> Hand:
    seat, layout = event.seat, hand.layout
    assert seat is not None
    lacks = _with(hand.lacks, seat, hand.lacks[seat] | layout.numbers)
    return Hand(
        start=hand.start,
        turn=event.turn,
        drawn=0,
        last_player=hand.last_player,
        tiles=hand.tiles,
        boneyard=hand.boneyard,
        layout=layout,
        lacks=lacks,
        tally=hand.tally,
    )


def _drawn(hand: Hand, event: TileDrawn) -> Hand:
    seat, tile, position, layout = event.seat, event.tile, event.position, hand.layout
    assert seat is not None
    assert tile is not None
    tiles = _with(hand.tiles, seat, (*hand.tiles[seat], tile))
    boneyard = hand.boneyard[:position] + hand.boneyard[position + 1 :]
    # The tile drawn may have any number that the seat lacked before. Those asked for now it lacks still, but for that
    # tile; and if it fits, it has to be played next (C14).
    lacks = _with(hand.lacks, seat, layout.numbers)
    return Hand(
        start=hand.start,
        turn=event.turn,
        drawn=hand.drawn + 1,
        last_player=hand.last_player,
        tiles=tiles,
        boneyard=boneyard,
        layout=layout,
        lacks=lacks,
        tally=hand.tally,
    )


def _scored(tally: Tally, event: PointsScored) -> Tally:
    def add(amounts: Amounts) -> Amounts:
        return _with(amounts, event.team, amounts[event.team] + event.points)

    if event.cause == "play":
        return replace(tally, scores=add(tally.scores), play_points=add(tally.play_points))
    return replace(tally, scores=add(tally.scores), end_points=add(tally.end_points))


def _with(values: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    return (*values[:index], item, *values[index + 1 :])
