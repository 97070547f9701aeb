"""What became of a hand that was played: what each choice cost, by what its seat could know when it made it.

The log is folded again and the seat that had the turn looks at the match as it was then, so that a review tells nothing
by hindsight and says what a hint would have said.
"""

from collections.abc import Iterator, Sequence
from typing import Annotated, Final

from engine.bounds import MOST_SEATS, Amount, Between, Described, HandNumber, Length, SeatIndex, Seq
from engine.errors import MatchNotFinished, SetTooLarge
from engine.events import Event, TilePlayed
from engine.faults import has_lookahead
from engine.hints import Chance, Cost, measured
from engine.match import Match, Setup, evolve, fold, legal_moves
from engine.moves import Move, Play
from engine.values import value
from engine.view import MatchView, Viewer, view

VISITS: Final = 3_000
"""How many hands are played on for each choice: some 20 ms."""

_MOST_CHOICES: Final = 2_000


@value
class ReviewedMove(Described):
    """A play where there was a choice, beside the best one."""

    seq: Seq
    """The number of its event."""
    seat: SeatIndex
    """Who made it."""
    move: Move
    """What was played."""
    best: Move
    """What was worth most."""
    cost: Cost
    """How much less it was worth than the best, in points, as in a hint; 0 for the best."""
    win: Chance
    """The chance to win the hand after it, for the seat's side; one that nobody wins counts half."""
    best_win: Chance
    """The same after the best one. It is the lower of the two where the best one brings more points all the same."""


@value
class TurningPoint(Described):
    """The play after which the side that won the hand gained most."""

    seq: Seq
    """The number of its event."""
    seat: SeatIndex
    """Who made it: a seat of the side that won the hand."""
    before: Chance
    """The side's chance to win the hand with that play."""
    after: Chance
    """Its chance by the time of its next choice, with the best move; 1 where it had no other."""


@value
class SeatReview(Described):
    """The choices of a seat in the hand."""

    seat: SeatIndex
    """All seats are listed."""
    choices: Annotated[int, Between(0, _MOST_CHOICES)]
    """Plays that were chosen from several."""
    best_choices: Annotated[int, Between(0, _MOST_CHOICES)]
    """Those of them that cost nothing."""
    cost: Annotated[float, Amount(0, 1_000_000_000)]
    """What all of them cost together, in points."""


@value
class HandReview(Described):
    """A hand of a finished match, by what each seat could know when it chose."""

    hand: HandNumber
    """Which hand it is."""
    hands: HandNumber
    """How many hands the match had: each has a review of its own."""
    seats: Annotated[tuple[SeatReview, ...], Length(2, MOST_SEATS)]
    """In turn order. Add up those of all hands for the match."""
    moves: Annotated[tuple[ReviewedMove, ...], Length(0, _MOST_CHOICES)]
    """Every play where there was a choice, oldest first."""
    turning_point: TurningPoint | None
    """Null where nobody won the hand, or the side that won it had no choice in it."""


def check(match: Match) -> None:
    """Raise `MatchNotFinished` or `SetTooLarge` where there is no review of the match's hands."""
    if match.result is None:
        raise MatchNotFinished
    if not has_lookahead(match.setup.rules):
        raise SetTooLarge


def review(match: Match, log: Sequence[Event], number: int, visits: int = VISITS) -> HandReview:
    """What each choice in hand `number` of a finished match was worth; `log` is all of the match's."""
    moves = tuple([_judged(*choice, visits) for choice in choices(match.setup, log, number)])
    assert match.hand_number is not None
    return HandReview(
        hand=number,
        hands=match.hand_number,
        seats=tuple([_summed(seat, moves) for seat in range(len(match.players))]),
        moves=moves,
        turning_point=_turning_point(match, number, moves),
    )


def choices(setup: Setup, log: Sequence[Event], number: int) -> Iterator[tuple[TilePlayed, MatchView]]:
    """Each play of hand `number` that was chosen from several, and what its seat saw before it."""
    match = fold(setup, log[:1])
    for event in log[1:]:
        if event.hand is not None and event.hand > number:
            return
        if event.hand == number and isinstance(event, TilePlayed) and not event.automatic:
            assert event.seat is not None
            if len(legal_moves(match, event.seat)) > 1:
                yield event, view(match, Viewer("seat", event.seat))
        match = evolve(match, event)


def _judged(event: TilePlayed, seen: MatchView, visits: int) -> ReviewedMove:
    assert event.seat is not None
    found = measured(seen, visits)
    made = next(each for each in found if each.move == Play(event.tile, event.end))
    best = found[0]
    return ReviewedMove(event.seq, event.seat, made.move, best.move, made.cost, made.win, best.win)


def _summed(seat: int, moves: Sequence[ReviewedMove]) -> SeatReview:
    costs = [move.cost for move in moves if move.seat == seat]
    return SeatReview(seat, len(costs), costs.count(0), round(sum(costs), 2))


def _turning_point(match: Match, number: int, moves: Sequence[ReviewedMove]) -> TurningPoint | None:
    """Chances are compared within one side, which is the only one that they are known for."""
    winner = match.past_hands[number - 1].winner
    chosen = [move for move in moves if match.setup.rules.team(move.seat) == winner]
    if winner is None or not chosen:
        return None
    later = [*[move.best_win for move in chosen[1:]], 1.0]
    points = [TurningPoint(move.seq, move.seat, move.win, after) for move, after in zip(chosen, later, strict=True)]
    return max(points, key=lambda point: point.after - point.before)
