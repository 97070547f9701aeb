"""Judging a turn, and all that follows from it by the rules: points, a blocked hand's passes, the end of the hand."""

from datetime import datetime
from typing import assert_never

from engine import scoring
from engine.deal import Deal
from engine.errors import (
    EndNotOpen,
    EndRequired,
    MustDraw,
    MustOpen,
    MustPass,
    MustPlay,
    NoSuchPosition,
    NotYourTurn,
    TileDoesNotFit,
    TileNotInHand,
)
from engine.events import (
    Cause,
    DealtTiles,
    HandDealt,
    HandEnded,
    HandReason,
    HandResult,
    Leftover,
    PointsScored,
    TeamPoints,
    TileDrawn,
    TilePlayed,
    TurnPassed,
)
from engine.hand import (
    Hand,
    HandEvent,
    dealt,
    evolve,
    is_dead,
    keeps_turn,
    may_draw,
    places,
    playable,
    played,
    seat_after,
)
from engine.layout import End, Layout, place
from engine.lead import Opener
from engine.moves import Draw, Pass, Play, Turn
from engine.rules import Rules
from engine.scoring import Amounts, Dead, Verdict
from engine.tiles import Tile, pips


class Record:
    """The events of one call, numbered on from `seq`, and the hand after them."""

    __slots__ = ("at", "events", "hand", "rules", "seq")

    def __init__(self, rules: Rules, hand: Hand, seq: int, at: datetime) -> None:
        self.rules = rules
        self.hand = hand
        self.seq = seq
        self.at = at
        self.events: list[HandDealt | HandEvent] = []

    def next_seq(self) -> int:
        """The number of the next event."""
        self.seq += 1
        return self.seq

    def add(self, event: HandEvent) -> None:
        """Append `event` and let the hand follow it."""
        self.events.append(event)
        self.hand = evolve(self.rules, self.hand, event)


def decide(
    rules: Rules, hand: Hand, seat: int, turn: Turn, seq: int, at: datetime, *, automatic: bool = False
) -> Record:
    """Judge what `seat` asks for at `at`, after event number `seq`, and record what follows from it.

    `automatic` marks a pass that the service makes for the seat. A `RuleViolation` says which rule the turn breaks.
    """
    if hand.turn != seat:
        raise NotYourTurn
    record = Record(rules, hand, seq, at)
    match turn:
        case Play():
            _play(record, seat, turn.tile, judge(rules, hand, seat, turn))
        case Draw():
            _draw(record, seat, turn)
        case Pass():
            _pass(record, seat, automatic=automatic)
        case _:
            assert_never(turn)
    return record


def judge(rules: Rules, hand: Hand, seat: int, play: Play) -> End | None:
    """The end that `play` goes to, or the error of the first rule it breaks."""
    if hand.layout.opening is None and hand.start.must_open not in (None, play.tile):
        raise MustOpen
    if play.tile not in hand.tiles[seat]:
        raise TileNotInHand
    allowed = places(rules, hand, play.tile)
    if not allowed:
        raise TileDoesNotFit
    if play.end in allowed:
        return play.end
    if play.end is not None:
        is_open = play.end in [end.end for end in hand.layout.ends] and hand.bound is None
        raise TileDoesNotFit if is_open else EndNotOpen
    if len({end.value for end in hand.layout.ends if end.end in allowed}) > 1:
        raise EndRequired
    return allowed[0]


def number_after(previous: Hand | None) -> int:
    """The number of the hand that follows `previous`."""
    return 1 if previous is None else previous.start.number + 1


def open_hand(rules: Rules, deal: Deal, opener: Opener, previous: Hand | None, seq: int, at: datetime) -> Record:
    """Record the deal that follows `previous`, after event number `seq`, and its opening if the service plays that."""
    number = number_after(previous)
    event = HandDealt(
        seq=seq + 1,
        hand=number,
        seat=None,
        turn=opener.seat,
        at=at,
        number=number,
        tiles=tuple([DealtTiles(seat, tiles) for seat, tiles in enumerate(deal.tiles)]),
        boneyard=deal.boneyard,
        boneyard_count=len(deal.boneyard),
        redeals=deal.redeals,
    )
    record = Record(rules, dealt(rules, event, previous), seq + 1, at)
    record.events.append(event)
    if opener.opening == "automatic" and opener.tile is not None:
        _play(record, opener.seat, opener.tile, None, automatic=True)
    return record


def break_off(rules: Rules, hand: Hand, seq: int, at: datetime) -> Record:
    """Record the end of a hand that is not played out, after event number `seq`; nobody wins it."""
    record = Record(rules, hand, seq, at)
    _end(record, "unfinished", None)
    return record


def _play(record: Record, seat: int, tile: Tile, end: End | None, *, automatic: bool = False) -> None:
    rules, hand = record.rules, record.hand
    before = hand.layout
    layout = place(rules, before, tile, end)
    points = scoring.in_play(rules, layout, end)
    goes_out = len(hand.tiles[seat]) == 1 and not rules.play_out
    verdict = _goes_out(record, seat, tile) if goes_out else None
    reached = False
    if points:
        team = rules.team(seat)
        score = hand.tally.scores[team]
        if verdict is not None and scoring.overshoots(rules, score, points + verdict.amounts[team]):
            # What one play brings is taken together or not at all.
            points, verdict = 0, scoring.without(verdict, team)
        points = scoring.taken(rules, score, points)
        reached = _reaches(rules, score, points)
    turn = None if goes_out or reached else _next_turn(rules, hand, seat, tile, layout, end)
    inner = before.inner(tile, end)
    event = TilePlayed(
        record.next_seq(),
        hand.start.number,
        seat,
        turn,
        record.at,
        tile,
        end,
        inner,
        tile.other(inner),
        layout.count,
        automatic,
    )
    record.events.append(event)
    record.hand = played(rules, hand, event, layout)
    if points:
        _score(record, rules.team(seat), points, "play", seat)
    if reached:
        _end(record, "target", rules.team(seat))
    elif verdict is not None:
        _finish(record, "domino", verdict)
    elif is_dead(rules, record.hand):
        _block(record)


def _goes_out(record: Record, seat: int, tile: Tile) -> Verdict:
    """What it is worth that `seat` goes out with `tile`, which is not laid yet."""
    hand = record.hand
    held = tuple([0 if other == seat else pips(tiles) for other, tiles in enumerate(hand.tiles)])
    special = hand.bound is None and scoring.is_special(record.rules, hand.layout, tile)
    return scoring.domino(record.rules, held, seat, tile=tile, special=special, bonus=_bonus(record))


def _bonus(record: Record) -> int:
    """What winning the hand is worth beside its points."""
    start = record.hand.start
    return start.tied + scoring.hand_bonus(record.rules, start.number)


def _next_turn(rules: Rules, hand: Hand, seat: int, tile: Tile, layout: Layout, end: End | None) -> int:
    """The seat that has the turn once `seat` has played `tile` at `end`, which made the line `layout`."""
    if (rules.extra_turn != "never" or rules.extra_turn_counts) and keeps_turn(rules, hand, seat, tile, layout, end):
        return seat
    tiles = hand.tiles
    if rules.play_out and len(tiles[seat]) == 1:
        tiles = (*tiles[:seat], (), *tiles[seat + 1 :])
    following = seat_after(tiles, seat)
    if layout.count in rules.skip_counts or (rules.skip_equal_ends and scoring.line_is_equal(rules, layout)):
        return seat_after(tiles, following)
    return following


def _reaches(rules: Rules, score: int, points: int) -> bool:
    """Whether `points` taken in play on top of `score` decide the match at once (B18)."""
    return points > 0 and rules.target > 0 and rules.target_check == "at_once" and score + points >= rules.target


def _draw(record: Record, seat: int, draw: Draw) -> None:
    rules = record.rules
    if playable(rules, record.hand, seat):
        raise MustPlay
    if not may_draw(rules, record.hand):
        raise MustPass
    position = draw.position or 0
    if position >= len(record.hand.boneyard):
        raise NoSuchPosition
    _take(record, seat, position)
    while draw.until_playable and not playable(rules, record.hand, seat) and may_draw(rules, record.hand):
        _take(record, seat, 0)
    if is_dead(rules, record.hand):
        _block(record)


def _take(record: Record, seat: int, position: int) -> None:
    hand = record.hand
    tile, left = hand.boneyard[position], len(hand.boneyard) - 1
    record.add(TileDrawn(record.next_seq(), hand.start.number, seat, seat, record.at, tile, position, left))


def _pass(record: Record, seat: int, *, automatic: bool) -> None:
    rules, hand = record.rules, record.hand
    if playable(rules, hand, seat):
        raise MustPlay
    if may_draw(rules, hand):
        raise MustDraw
    turn, last = hand.after(seat), hand.last_player
    if last is None:
        _add_pass(record, seat, turn, automatic=automatic)
        return
    team, score = rules.team(last), hand.tally.scores[rules.team(last)]
    passes = None if rules.team(seat) == team else hand.passes
    points = scoring.for_pass(rules, hand.layout, passes, returns=turn == last, first=not hand.passed)
    if points:
        points = scoring.taken(rules, score, points)
    reached = _reaches(rules, score, points)
    _add_pass(record, seat, None if reached else turn, automatic=automatic)
    if points:
        _score(record, team, points, "pass", last)
    if reached:
        _end(record, "target", team)


def _add_pass(record: Record, seat: int, turn: int | None, *, automatic: bool) -> None:
    number = record.hand.start.number
    record.add(TurnPassed(record.next_seq(), number, seat, turn, record.at, automatic))


def _block(record: Record) -> None:
    """A dead hand: each seat passes in turn, and the hand ends."""
    assert record.hand.turn is not None
    seats = list(record.hand.from_seat(record.hand.turn))
    for seat, turn in zip(seats, [*seats[1:], None], strict=True):
        _add_pass(record, seat, turn, automatic=True)
    _finish(record, "blocked", scoring.block(record.rules, _dead(record.rules, record.hand), bonus=_bonus(record)))


def _dead(rules: Rules, hand: Hand) -> Dead:
    counted = hand.held() if rules.block_counts == "pips" else tuple([len(tiles) for tiles in hand.tiles])
    clear: tuple[bool, ...] = ()
    if rules.block_winner == "no_double":
        clear = tuple([not any(tile.is_double for tile in tiles) for tiles in hand.tiles])
    return Dead(counted, clear, hand.start.leader, hand.last_player)


def _finish(record: Record, reason: HandReason, verdict: Verdict) -> None:
    for team, amount in enumerate(verdict.amounts):
        if points := scoring.taken(record.rules, record.hand.tally.scores[team], amount, at_end=True):
            _score(record, team, points, "domino" if reason == "domino" else "blocked", None)
    _end(record, reason, verdict.winner, verdict)


def _score(record: Record, team: int, points: int, cause: Cause, seat: int | None) -> None:
    hand = record.hand
    record.add(PointsScored(record.next_seq(), hand.start.number, seat, hand.turn, record.at, team, points, cause))


def _end(record: Record, reason: HandReason, winner: int | None, verdict: Verdict | None = None) -> None:
    """The end of the hand; a `verdict` where it was played out, so that the rules may set scores back."""
    hand, scores = record.hand, record.hand.tally.scores
    result = HandResult(
        number=hand.start.number,
        reason=reason,
        winner=winner,
        play_points=by_team(hand.tally.play_points),
        end_points=by_team(hand.tally.end_points),
        scores=by_team(scores if verdict is None else scoring.carried(record.rules, scores, winner)),
        doubled=verdict is not None and verdict.doubled,
        bonus=0 if verdict is None else verdict.bonus,
        leftover=tuple([Leftover(seat, tiles, pips(tiles)) for seat, tiles in enumerate(hand.tiles)]),
        boneyard=hand.boneyard,
    )
    record.add(HandEnded(record.next_seq(), hand.start.number, None, None, record.at, result))


def by_team(amounts: Amounts) -> tuple[TeamPoints, ...]:
    """`amounts` as they are published."""
    return tuple([TeamPoints(team, points) for team, points in enumerate(amounts)])
