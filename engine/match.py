"""A match: hands to a target. It is a `Setup` and the fold of its events, and nothing else."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Literal, assert_never
from uuid import UUID

from engine import hand as hands
from engine import turns
from engine.clock import Clock, TimeControl, charged, full
from engine.deal import DealKind, NumberedDeal, Seed, check_deal, deal, lot
from engine.errors import (
    HandNotOver,
    HandOver,
    InvalidDeal,
    MatchFinished,
    MatchWaiting,
    NoOpenSeat,
    NotACpuSeat,
    NotYourTurn,
    SetTooLarge,
)
from engine.events import (
    Cancelled,
    ClockExpired,
    Event,
    HandDealt,
    HandEnded,
    HandResult,
    HandSummary,
    LevelChanged,
    MatchCreated,
    MatchEnded,
    MatchResult,
    PointsScored,
    Resigned,
    SeatJoined,
    TileDrawn,
    TilePlayed,
    TurnPassed,
)
from engine.faults import check, check_lookahead, has_lookahead
from engine.hand import Hand
from engine.lead import find_opener
from engine.moves import Draw, Move, NextHand, Pass, Play
from engine.players import Cpu, Human, Level, Open, Player
from engine.rules import Rules
from engine.rulesets import RulesetId
from engine.scoring import Amounts, leaders
from engine.turns import Record
from engine.values import value

Pacing = Literal["auto", "step"]
Status = Literal["waiting", "playing", "hand_over", "finished", "cancelled"]


@value
class Setup:
    """All that is settled before the first event. `id` names the match and nothing is derived from it."""

    id: UUID
    ruleset: RulesetId
    rules: Rules
    players: tuple[Player, ...]
    """By seat, as they sit down."""
    pacing: Pacing
    auto_pass: bool
    deal: DealKind
    seed: Seed
    listed: bool = False
    clock: TimeControl | None = None
    hints: bool = False
    """Whether a seat that has the turn may ask what its moves are worth."""


@value
class Match:
    """A match as the table knows it, hidden tiles included. `view` says what may be shown of it."""

    setup: Setup
    version: int
    """The number of the last event."""
    created_at: datetime
    updated_at: datetime
    players: tuple[Player, ...]
    """By seat, as they sit now."""
    hand: Hand | None = None
    past_hands: tuple[HandSummary, ...] = ()
    """The hands that have ended, the one just ended included."""
    result: MatchResult | None = None
    cancelled: bool = False
    clock: Clock | None = None
    """Null where nobody's time is limited."""

    @property
    def status(self) -> Status:
        """Where the match stands."""
        if self.cancelled:
            return "cancelled"
        if self.result is not None:
            return "finished"
        if self.hand is None:
            return "waiting"
        return "hand_over" if self.hand.result is not None else "playing"

    @property
    def is_over(self) -> bool:
        """Whether nothing more can happen in it."""
        return self.cancelled or self.result is not None

    @property
    def hand_number(self) -> int | None:
        """The number of the hand in play, or just ended."""
        return None if self.hand is None else self.hand.start.number

    @property
    def scores(self) -> Amounts:
        """By team."""
        if self.hand is not None:
            return self.hand.tally.scores
        return (0,) * self.setup.rules.team_count(len(self.players))

    @property
    def turn(self) -> int | None:
        """The seat that has to move, if any."""
        return self.hand.turn if self.hand is not None else None


@value
class Transition:
    """What a call did: its events, and the match after them."""

    match: Match
    events: tuple[Event, ...]


def create(setup: Setup, at: datetime) -> Transition:
    """Begin a match, and deal its first hand unless a seat is open; `InvalidRules` or `InvalidDeal` where that cannot
    be done: an expert, and hints, look ahead, which takes a set that is not too large.
    """
    seat_count = len(setup.players)
    check(setup.rules, seat_count)
    if setup.hints or any(player == Cpu("expert") for player in setup.players):
        check_lookahead(setup.rules)
    check_deal(setup.rules, seat_count, setup.deal)
    if isinstance(setup.deal, NumberedDeal) and sum(not isinstance(player, Cpu) for player in setup.players) > 1:
        raise InvalidDeal("Anyone can work out a numbered deal: at most one seat may be human or open.", "/kind")
    created = MatchCreated(seq=1, hand=None, seat=None, turn=None, at=at, ruleset=setup.ruleset)
    return _first_hand(Transition(_begun(setup, created), (created,)), at)


def join(match: Match, seat: int | None, name: str | None, at: datetime) -> Transition:
    """Seat a person in an open seat, the first one if none is named; whoever takes the last one starts the match."""
    if match.is_over:
        raise MatchFinished
    seats = [place for place, player in enumerate(match.players) if isinstance(player, Open)]
    if not seats or seat not in {None, *seats}:
        raise NoOpenSeat
    joined = SeatJoined(match.version + 1, None, seats[0] if seat is None else seat, None, at, name)
    return _first_hand(Transition(evolve(match, joined), (joined,)), at)


def decide(match: Match, seat: int | None, move: Move, at: datetime) -> Transition:
    """Judge `move` by `seat` (null: the host) and say what it does. A `RuleViolation` names the rule it breaks."""
    hand = hand_of(match)
    match move:
        case NextHand():
            if hand.result is None:
                raise HandNotOver
            return _next_hand(match, at)
        case Play() | Draw() | Pass():
            if hand.result is not None:
                raise HandOver
            if seat is None:
                raise NotYourTurn
            return _recorded(match, turns.decide(match.setup.rules, hand, seat, move, match.version, at))
        case _:
            assert_never(move)


def pass_for(match: Match, seat: int, at: datetime) -> Transition:
    """Pass for a person who can do nothing else, as the match's `auto_pass` asks."""
    record = turns.decide(match.setup.rules, hand_of(match), seat, Pass(), match.version, at, automatic=True)
    return _recorded(match, record)


def change_level(match: Match, seat: int, level: Level, at: datetime) -> Transition:
    """Give a CPU seat another level from its next decision on; the level that it has already changes nothing."""
    if match.is_over:
        raise MatchFinished
    player = match.players[seat]
    if not isinstance(player, Cpu):
        raise NotACpuSeat
    if level == "expert" and not has_lookahead(match.setup.rules):
        raise SetTooLarge
    if player.level == level:
        return Transition(match, ())
    event = LevelChanged(match.version + 1, match.hand_number, seat, match.turn, at, level)
    return Transition(evolve(match, event), (event,))


def legal_moves(match: Match, seat: int | None) -> tuple[Move, ...]:
    """All that `seat` (null: the host) may ask for now: `decide` accepts these moves and no others."""
    if match.status == "hand_over":
        return (NextHand(),)
    if match.is_over or match.hand is None or seat is None:
        return ()
    return hands.legal_turns(match.setup.rules, match.hand, seat)


def fold(setup: Setup, events: Iterable[Event]) -> Match:
    """The match that `events`, its whole log, make of `setup`."""
    log = iter(events)
    created = next(log)
    assert isinstance(created, MatchCreated)
    match = _begun(setup, created)
    for event in log:
        match = evolve(match, event)
    return match


def evolve(match: Match, event: Event) -> Match:
    """The match after `event`, which is believed: nothing is judged here."""
    after = _followed(replace(match, version=event.seq, updated_at=event.at), event)
    return after if match.clock is None else replace(after, clock=_clock_after(match, match.clock, after))


def _followed(match: Match, event: Event) -> Match:
    rules = match.setup.rules
    match event:
        case HandDealt():
            return replace(match, hand=hands.dealt(rules, event, match.hand))
        case TilePlayed() | TileDrawn() | TurnPassed() | PointsScored():
            assert match.hand is not None
            return replace(match, hand=hands.evolve(rules, match.hand, event))
        case HandEnded():
            assert match.hand is not None
            past_hands = (*match.past_hands, _summary(event.result))
            return replace(match, hand=hands.evolve(rules, match.hand, event), past_hands=past_hands)
        case LevelChanged():
            assert event.seat is not None
            return _seated(match, event.seat, Cpu(event.level))
        case SeatJoined():
            assert event.seat is not None
            return _seated(match, event.seat, Human(event.name))
        case ClockExpired() | Resigned():
            return match
        case Cancelled():
            return replace(match, cancelled=True)
        case MatchEnded():
            return replace(match, result=event.result)
        case MatchCreated():
            raise AssertionError("A match is created once.")
        case _:
            assert_never(event)


def _begun(setup: Setup, created: MatchCreated) -> Match:
    clock = full(setup.clock, len(setup.players)) if setup.clock is not None else None
    return Match(setup, created.seq, created.at, created.at, setup.players, clock=clock)


def _seated(match: Match, seat: int, player: Player) -> Match:
    return replace(match, players=(*match.players[:seat], player, *match.players[seat + 1 :]))


def _clock_after(before: Match, clock: Clock, after: Match) -> Clock:
    """The clock when events have made `after` of `before`; a new hand begins with full budgets."""
    if after.hand_number != before.hand_number and before.setup.clock is not None:
        clock = full(before.setup.clock, len(before.players))
    turn = after.turn
    running = turn if turn is not None and not after.is_over and isinstance(after.players[turn], Human) else None
    return charged(clock, after.updated_at - before.updated_at, running)


def hand_of(match: Match) -> Hand:
    """The hand in play, or just ended; `MatchWaiting` or `MatchFinished` where no move is possible at all."""
    if match.is_over:
        raise MatchFinished
    if match.hand is None:
        raise MatchWaiting
    return match.hand


def _first_hand(begun: Transition, at: datetime) -> Transition:
    """`begun`, and the first hand unless a seat is open."""
    if any(isinstance(player, Open) for player in begun.match.players):
        return begun
    dealt = _next_hand(begun.match, at)
    return Transition(dealt.match, (*begun.events, *dealt.events))


def _next_hand(match: Match, at: datetime) -> Transition:
    rules, seed = match.setup.rules, match.setup.seed
    seat_count, previous = len(match.players), match.hand
    number = turns.number_after(previous)
    dealt = deal(rules, seat_count, seed, match.setup.deal, number)
    ending = previous.ending(rules) if previous is not None else None
    opener = find_opener(rules, dealt.tiles, ending, lot(seat_count, seed, number))
    record = turns.open_hand(rules, dealt, opener, previous, match.version, at)
    return _recorded(match, record)


def _recorded(match: Match, record: Record) -> Transition:
    """`match` after what `record` holds: what `evolve` makes of the same events, in one step."""
    hand, events = record.hand, tuple(record.events)
    past_hands = match.past_hands if hand.result is None else (*match.past_hands, _summary(hand.result))
    after = Match(match.setup, record.seq, match.created_at, record.at, match.players, hand, past_hands)
    if match.clock is not None:
        after = replace(after, clock=_clock_after(match, match.clock, after))
    if (
        hand.result is not None
        and (result := _outcome(match.setup.rules, hand.start.number, hand.tally.scores)) is not None
    ):
        ended = MatchEnded(record.seq + 1, None, None, None, record.at, result)
        return Transition(evolve(after, ended), (*events, ended))
    return Transition(after, events)


def _outcome(rules: Rules, number: int, scores: Amounts) -> MatchResult | None:
    """How the match ended when hand `number` left it at `scores`; null while it goes on, as it does when the best are
    equal (A20), but after the last hand, which nobody wins then (C6).
    """
    is_last = number >= rules.last_hand()
    if not is_last and (max(scores) < rules.target or not rules.target):
        return None
    winners = leaders(rules, scores, range(len(scores)))
    if len(winners) == 1:
        return MatchResult(winners[0], "score")
    return MatchResult(None, "score") if is_last else None


def _summary(result: HandResult) -> HandSummary:
    return HandSummary(
        result.number,
        result.reason,
        result.winner,
        result.play_points,
        result.end_points,
        result.scores,
        result.doubled,
        result.bonus,
    )
