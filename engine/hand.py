"""One hand: what the table holds, the one test of legality, and the fold of the hand's events.

A tile fits an end that asks for one of its suits. `places` says so for each end, and `legal_turns` lists what it allows
while `turns.decide` refuses what it does not; `playable` and `is_dead` ask the same of all ends at once, as sets of
suits.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Final, Literal, TypeVar, assert_never

from engine.events import HandDealt, HandEnded, HandResult, PointsScored, TileDrawn, TilePlayed, TurnPassed
from engine.layout import EMPTY, End, Layout, asked_to_go_on, place, suits
from engine.lead import Ending, find_opener
from engine.moves import Draw, Pass, PastMove, Play, Turn
from engine.rules import Rules
from engine.scoring import Amounts, Held
from engine.tiles import Tile, pips
from engine.values import value

HandEvent = TilePlayed | TileDrawn | TurnPassed | PointsScored | HandEnded

T = TypeVar("T")

_OPENING: Final = (None,)
_DRAWS: Final = (Draw(),)
_PASSES: Final = (Pass(),)


@value
class Start:
    """How a hand began."""

    number: int
    first_seq: int
    """The number of the event that dealt it."""
    leader: int
    must_open: Tile | None
    """The tile that has to be played first, where one has to."""
    tied: int = 0
    """Points that tied blocks before it have added to what winning it is worth."""


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
    """By seat, its suits that the table has seen it without and that it cannot have got since, a bit for each."""
    passes: int
    """Since the last tile was played."""
    passed: bool
    """Whether there has been a pass that `first_pass_points` are for in this match."""
    bound: End | None
    """Where the seat that has the turn has to go on, having played there."""
    tally: Tally
    moves: tuple[PastMove, ...] = ()
    """All that were made, in order."""
    result: HandResult | None = None

    def after(self, seat: int) -> int:
        """The seat that has the turn after `seat`."""
        return seat_after(self.tiles, seat)

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

    def ending(self, rules: Rules) -> Ending | None:
        """What the next lead depends on, once the hand has ended; null where it is found as for the first hand."""
        if rules.target_rule in {"in_a_row", "shutout"} and not any(self.tally.scores):
            return None
        assert self.result is not None
        assert self.last_player is not None
        winner: int | None = self.last_player
        if self.result.reason == "blocked":
            held, team = self.held(), self.result.winner
            order = self.from_seat((self.last_player + 1) % len(self.tiles))
            winning = [seat for seat in order if rules.team(seat) == team]
            winner = min(winning, key=held.__getitem__, default=None)
        return Ending(self.start.leader, self.last_player, self.result.reason == "blocked", winner)


def seat_after(tiles: tuple[tuple[Tile, ...], ...], seat: int) -> int:
    """The next seat after `seat` that is not out, when the seats hold `tiles`."""
    following = (seat + 1) % len(tiles)
    while not tiles[following] and following != seat:
        following = (following + 1) % len(tiles)
    return following


@cache
def _play(tile: Tile, end: End | None) -> Play:
    return Play(tile, end)


def places(rules: Rules, hand: Hand, tile: Tile) -> tuple[End | None, ...]:
    """Where `tile` may go, in the order left, right, up, down; null, alone, is the opening."""
    layout = hand.layout
    if layout.opening is None:
        return _OPENING if _may_open(rules, hand, tile) else ()
    having = tile.suits if not rules.wild_tiles else suits(rules, tile)
    fitted = [end.end for end in layout.ends if having & end.suit]
    if hand.bound is not None:
        return (hand.bound,) if hand.bound in fitted else ()
    return tuple(fitted)


def _may_open(rules: Rules, hand: Hand, tile: Tile) -> bool:
    if hand.start.must_open is not None:
        return hand.start.must_open is tile
    return rules.lead_tile == "any" or tile.is_double


def playable(rules: Rules, hand: Hand, seat: int) -> list[Tile]:
    """The tiles of `seat` that may go anywhere: those that have places."""
    if hand.layout.opening is None or hand.bound is not None or rules.wild_tiles:
        return [tile for tile in hand.tiles[seat] if places(rules, hand, tile)]
    asked = hand.layout.asked
    return [tile for tile in hand.tiles[seat] if tile.suits & asked]


def may_draw(rules: Rules, hand: Hand) -> bool:
    """Whether the seat that has the turn, unable to play, has a draw left."""
    return _is_drawable(rules, hand) and not (rules.drawing == "once" and hand.drawn)


def legal_turns(rules: Rules, hand: Hand, seat: int) -> tuple[Turn, ...]:
    """All that `seat` may do now: its plays, or else a draw, or else a pass; nothing when it does not have the turn."""
    if hand.turn != seat:
        return ()
    layout = hand.layout
    if layout.opening is None or hand.bound is not None or rules.wild_tiles:
        plays = tuple([_play(tile, end) for tile in playable(rules, hand, seat) for end in places(rules, hand, tile)])
    else:  # the same in one go, as it is asked for at every turn
        ends = [(end.suit, end.end) for end in layout.ends]
        plays = tuple([_play(tile, end) for tile in hand.tiles[seat] for suit, end in ends if tile.suits & suit])
    return plays or (_DRAWS if may_draw(rules, hand) else _PASSES)


def keeps_turn(rules: Rules, hand: Hand, seat: int, tile: Tile, layout: Layout, end: End | None) -> bool:
    """Whether `seat` goes on, having played `tile` at `end`, which made the line `layout`: it may, and it can."""
    asked = asked_to_go_on(rules, tile, layout, end)
    return asked != 0 and any(suits(rules, kept) & asked for kept in hand.tiles[seat] if kept is not tile)


def is_dead(rules: Rules, hand: Hand) -> bool:
    """Whether no tile in any hand fits and nothing can be drawn (A18, B17, C5)."""
    asked, wild = hand.layout.asked, rules.wild_tiles
    for tiles in hand.tiles:
        for tile in tiles:
            if tile.suits & asked or tile in wild:
                return False
    return hand.layout.opening is not None and not _is_drawable(rules, hand)


def _is_drawable(rules: Rules, hand: Hand) -> bool:
    return rules.drawing != "never" and len(hand.boneyard) > rules.boneyard_reserve


def dealt(rules: Rules, event: HandDealt, previous: Hand | None) -> Hand:
    """The hand that `event` deals after `previous`."""
    assert event.boneyard is not None
    assert event.turn is not None
    tiles = tuple([seat.tiles or () for seat in event.tiles])
    # Whoever a lot has chosen has the turn.
    opener = find_opener(rules, tiles, None if previous is None else previous.ending(rules), event.turn)
    must_open = opener.tile if opener.opening == "forced" else None
    nothing = (0,) * rules.team_count(len(tiles))
    tied = 0
    if previous is not None and previous.result is not None and previous.result.winner is None:
        tied = previous.start.tied + rules.tie_bonus
    return Hand(
        start=Start(event.number, event.seq, event.turn, must_open, tied),
        turn=event.turn,
        drawn=0,
        last_player=None,
        tiles=tiles,
        boneyard=event.boneyard,
        layout=EMPTY,
        lacks=(0,) * len(tiles),
        passes=0,
        passed=previous is not None and previous.passed,
        bound=None,
        tally=Tally(nothing if previous is None else previous.tally.scores, nothing, nothing),
    )


def evolve(rules: Rules, hand: Hand, event: HandEvent) -> Hand:
    """The hand after `event`, which is believed: nothing is judged here."""
    match event:
        case TilePlayed():
            return played(rules, hand, event, place(rules, hand.layout, event.tile, event.end))
        case TurnPassed():
            return _passed(rules, hand, event)
        case TileDrawn():
            return _drawn(hand, event)
        case PointsScored():
            return _told(hand, hand.turn, _scored(hand.tally, event), None)
        case HandEnded():
            tally, scores = hand.tally, tuple([team.points for team in event.result.scores])
            if scores != tally.scores:
                tally = replace(tally, scores=scores)
            return _told(hand, event.turn, tally, event.result)
        case _:
            assert_never(event)


# Those below say every field: `dataclasses.replace` would take as long as all the rest of a move.


def played(rules: Rules, hand: Hand, event: TilePlayed, layout: Layout) -> Hand:
    """The hand after a play that makes the line `layout`."""
    seat, spent = event.seat, event.tile
    assert seat is not None
    kept = tuple([tile for tile in hand.tiles[seat] if tile is not spent])
    tiles = _with(hand.tiles, seat, kept)
    start = hand.start
    if hand.layout.opening is None and seat != start.leader:
        start = replace(start, leader=seat)  # whoever was to lead had no double
    return Hand(
        start=start,
        turn=event.turn,
        drawn=0,
        last_player=seat,
        tiles=tiles,
        boneyard=hand.boneyard,
        layout=layout,
        lacks=hand.lacks,
        passes=0,
        passed=hand.passed,
        bound=_bound(rules, hand, event, layout) if rules.extra_turn == "until_stuck" else None,
        tally=hand.tally,
        moves=(*hand.moves, PastMove(seat, "play", spent, event.end)),
    )


def _bound(rules: Rules, hand: Hand, event: TilePlayed, layout: Layout) -> End | None:
    """Where the seat has to go on that keeps the turn; one that only has it again is free."""
    if event.seat is None or event.turn != event.seat:
        return None
    return event.end if keeps_turn(rules, hand, event.seat, event.tile, layout, event.end) else None


def _passed(rules: Rules, hand: Hand, event: TurnPassed) -> Hand:
    seat, layout = event.seat, hand.layout
    assert seat is not None
    lacks = _with(hand.lacks, seat, hand.lacks[seat] | layout.asked)
    return Hand(
        start=hand.start,
        turn=event.turn,
        drawn=0,
        last_player=hand.last_player,
        tiles=hand.tiles,
        boneyard=hand.boneyard,
        layout=layout,
        lacks=lacks,
        passes=hand.passes + 1,
        passed=hand.passed or (rules.first_pass_points > 0 and layout.opening is not None and not is_dead(rules, hand)),
        bound=None,
        tally=hand.tally,
        moves=(*hand.moves, _past(seat, "pass")),
    )


def _drawn(hand: Hand, event: TileDrawn) -> Hand:
    seat, tile, position, layout = event.seat, event.tile, event.position, hand.layout
    assert seat is not None
    assert tile is not None
    tiles = _with(hand.tiles, seat, (*hand.tiles[seat], tile))
    boneyard = hand.boneyard[:position] + hand.boneyard[position + 1 :]
    # The tile drawn may have any number that the seat lacked before. Those asked for now it lacks still, but for that
    # tile; and if it fits, it has to be played next (C14).
    lacks = _with(hand.lacks, seat, layout.asked)
    return Hand(
        start=hand.start,
        turn=event.turn,
        drawn=hand.drawn + 1,
        last_player=hand.last_player,
        tiles=tiles,
        boneyard=boneyard,
        layout=layout,
        lacks=lacks,
        passes=hand.passes,
        passed=hand.passed,
        bound=None,
        tally=hand.tally,
        moves=(*hand.moves, _past(seat, "draw")),
    )


@cache
def _past(seat: int, kind: Literal["draw", "pass"]) -> PastMove:
    return PastMove(seat, kind)


def _told(hand: Hand, turn: int | None, tally: Tally, result: HandResult | None) -> Hand:
    """The hand as it stands, with what was said of it."""
    return Hand(
        start=hand.start,
        turn=turn,
        drawn=hand.drawn,
        last_player=hand.last_player,
        tiles=hand.tiles,
        boneyard=hand.boneyard,
        layout=hand.layout,
        lacks=hand.lacks,
        passes=hand.passes,
        passed=hand.passed,
        bound=hand.bound if result is None else None,
        tally=tally,
        moves=hand.moves,
        result=result,
    )


def _scored(tally: Tally, event: PointsScored) -> Tally:
    team, points = event.team, event.points
    scores = _with(tally.scores, team, tally.scores[team] + points)
    if event.cause in {"play", "pass"}:
        return Tally(scores, _with(tally.play_points, team, tally.play_points[team] + points), tally.end_points)
    return Tally(scores, tally.play_points, _with(tally.end_points, team, tally.end_points[team] + points))


def _with(values: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    return (*values[:index], item, *values[index + 1 :])
