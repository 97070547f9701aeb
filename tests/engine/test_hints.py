"""Hints say what the legal moves are worth by what the seat sees, and reviews say it afterwards."""

import itertools
import random
from dataclasses import replace
from typing import Any, Final

import pytest

from engine.catalogue import RULESETS
from engine.errors import HandOver, HintsOff, InvalidRules, MatchFinished, MatchNotFinished, NotYourTurn, SetTooLarge
from engine.hints import hint, measured, position
from engine.match import Match, change_level, create, fold, legal_moves
from engine.moves import Draw, Pass, Play
from engine.players import Cpu, Human
from engine.review import check, choices, review
from engine.view import Viewer, view
from tests.engine.games import AT, Moment, random_play, setup
from tests.engine.test_noninterference import worlds
from tests.kinds import SOURCE_GAMES

VISITS = 60


def turns_of(ruleset: str, number: int, *, most: int = 60, step: int = 1) -> list[Moment]:
    played = itertools.islice(random_play(setup(ruleset, number)), most)
    return [moment for moment in played if moment.match.turn is not None][::step]


def whole(ruleset: str, number: int, **rules: Any) -> tuple[Match, Moment]:
    *_, last = random_play(setup(ruleset, number, **rules))
    return last.match, last


@pytest.mark.parametrize("ruleset", SOURCE_GAMES)
def test_a_hint_has_every_legal_move_once_and_the_best_first(ruleset: str) -> None:
    kinds = set()
    for moment in turns_of(ruleset, 3):
        match = moment.match
        assert match.turn is not None
        told = hint(view(match, Viewer("seat", match.turn)), VISITS)
        moves = [each.move for each in told.moves]
        legal = legal_moves(match, match.turn)
        assert (told.version, told.seat) == (match.version, match.turn)
        assert len(moves) == len(legal)
        assert set(moves) == set(legal)
        costs = [each.cost for each in told.moves]
        assert costs == sorted(costs)
        assert costs[0] == 0
        assert all(0 <= each.win <= 1 for each in told.moves)
        kinds |= {move.type for move in moves}
    assert kinds >= {"play", "pass" if RULESETS[ruleset].rules.drawing == "never" else "draw"}


@pytest.mark.parametrize("ruleset", SOURCE_GAMES)
def test_a_hint_is_the_same_in_worlds_that_its_seat_cannot_tell_apart(ruleset: str) -> None:
    rng, compared = random.Random(5), 0
    for moment in turns_of(ruleset, 5, step=5):
        match = moment.match
        assert match.turn is not None
        viewer = Viewer("seat", match.turn)
        for world, _ in worlds(moment, viewer, rng):
            assert hint(view(world, viewer), VISITS) == hint(view(match, viewer), VISITS)
            compared += 1
        renamed = replace(match, setup=replace(match.setup, id=setup(ruleset, 99).id, seed="ab" * 32))
        assert hint(view(renamed, viewer), VISITS) == hint(view(match, viewer), VISITS)
    assert compared > 10


def test_a_seat_that_has_to_pass_in_a_hand_that_goes_on_gets_a_hint() -> None:
    """Deals in which nobody could go on are none of those that may be: the last play would have ended the hand."""
    passing = [
        moment for moment in turns_of("partner-penalty", 3) if legal_moves(moment.match, moment.match.turn) == (Pass(),)
    ]
    assert len(passing) > 3
    for moment in passing:
        assert moment.match.turn is not None
        told = hint(view(moment.match, Viewer("seat", moment.match.turn)), 1_000)
        assert [each.cost for each in told.moves] == [0]


def test_who_may_ask_for_a_hint() -> None:
    chosen = replace(setup("partner-penalty", 4), hints=True)
    kinds = set()
    for moment in random_play(chosen):
        match = moment.match
        with pytest.raises(HintsOff):
            position(replace(match, setup=replace(match.setup, hints=False)), 0)
        for seat in range(4):
            if match.status == "playing" and seat == match.turn:
                assert position(match, seat) == view(match, Viewer("seat", seat))
                continue
            refusal = {"finished": MatchFinished, "hand_over": HandOver, "playing": NotYourTurn}[match.status]
            with pytest.raises(refusal):
                position(match, seat)
            kinds.add(refusal)
    assert len(kinds) == 3


LARGE: Final[dict[str, Any]] = {"highest_double": 12}


def test_who_looks_ahead_needs_a_set_that_is_not_too_large() -> None:
    plain = setup("draw", 1, (Human(), Cpu("hard")), **LARGE)
    match = create(plain, AT).match
    for refused in (replace(plain, hints=True), replace(plain, players=(Human(), Cpu("expert")))):
        with pytest.raises(InvalidRules, match="63 tiles") as error:
            create(refused, AT)
        assert error.value.parameter == "highest_double"
    with pytest.raises(SetTooLarge):
        change_level(match, 1, "expert", AT)
    assert change_level(match, 1, "easy", AT).match.players[1] == Cpu("easy")
    double_nine = setup("draw", 1, (Human(), Cpu("hard")), highest_double=9)
    created = create(replace(double_nine, hints=True), AT).match
    assert change_level(created, 1, "expert", AT).match.players[1] == Cpu("expert")


def test_only_finished_matches_of_sets_that_are_not_too_large_are_reviewed() -> None:
    check(whole("block", 2, target=0)[0])
    for moment in itertools.islice(random_play(setup("block", 2)), 10):
        with pytest.raises(MatchNotFinished):
            check(moment.match)
    with pytest.raises(MatchNotFinished):
        check(replace(create(setup("block", 2), AT).match, cancelled=True))
    with pytest.raises(SetTooLarge):
        check(whole("block", 2, target=0, **LARGE)[0])


@pytest.mark.parametrize("ruleset", SOURCE_GAMES)
def test_a_review_says_what_hints_would_have_said(ruleset: str) -> None:
    match, last = whole(ruleset, 6, target=60)
    assert match.hand_number is not None
    reviewed = 0
    for number in (1, match.hand_number):
        told = review(match, last.log, number, VISITS)
        assert (told.hand, told.hands) == (number, match.hand_number)
        for made in told.moves:
            then = fold(match.setup, last.log[: made.seq - 1])
            assert then.turn == made.seat
            assert len(legal_moves(then, made.seat)) > 1
            found = {each.move: each for each in measured(view(then, Viewer("seat", made.seat)), VISITS)}
            assert made.best == next(iter(found))
            assert (made.cost, made.win) == (found[made.move].cost, found[made.move].win)
            assert made.cost >= 0
            assert made.cost == 0 or made.move != made.best
            reviewed += 1
    assert reviewed > 5


@pytest.mark.parametrize("ruleset", SOURCE_GAMES)
def test_a_review_sums_the_choices_of_each_seat(ruleset: str) -> None:
    match, last = whole(ruleset, 7, target=0)
    told = review(match, last.log, 1, VISITS)
    assert [seat.seat for seat in told.seats] == list(range(len(match.players)))
    for seat in told.seats:
        own = [move for move in told.moves if move.seat == seat.seat]
        assert seat.choices == len(own)
        assert seat.best_choices == sum(move.cost == 0 for move in own)
        assert seat.cost == pytest.approx(sum(move.cost for move in own))


def test_all_plays_that_were_chosen_from_several_are_reviewed_and_no_others() -> None:
    match, last = whole("draw", 8, target=60)
    assert match.hand_number is not None
    found = [
        event.seq for number in range(1, match.hand_number + 1) for event, _ in choices(match.setup, last.log, number)
    ]
    expected = []
    for before, after in itertools.pairwise(random_play(setup("draw", 8, target=60))):
        if isinstance(after.move, Play) and len(legal_moves(before.match, before.match.turn)) > 1:
            expected.append(after.events[0].seq)
    assert found == expected


def test_a_turning_point_is_a_play_of_the_side_that_won_the_hand() -> None:
    seen = 0
    for number in range(12):
        match, last = whole("block", number, target=0)
        told = review(match, last.log, 1, VISITS)
        winner = match.past_hands[0].winner
        own = [move for move in told.moves if move.seat == winner]
        if not own:
            assert told.turning_point is None
            continue
        assert told.turning_point is not None
        rises = [after - move.win for move, after in zip(own, [*[move.best_win for move in own[1:]], 1.0], strict=True)]
        assert told.turning_point.after - told.turning_point.before == max(rises)
        seen += 1
    assert seen > 4


def test_a_hint_draws_where_that_is_the_only_move() -> None:
    [moment] = [m for m in turns_of("draw", 3) if legal_moves(m.match, m.match.turn) == (Draw(),)][:1]
    assert moment.match.turn is not None
    [only] = hint(view(moment.match, Viewer("seat", moment.match.turn)), VISITS).moves
    assert (only.move, only.cost) == (Draw(), 0)
    assert only.why == "You hold nothing that fits, and there is a tile to draw."
