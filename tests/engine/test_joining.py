"""Seats that are taken late: the match waits for them, and then is the one it would have been."""

import itertools
from dataclasses import replace
from datetime import timedelta

import pytest

from engine.autoplay import play_on, step
from engine.deal import FixedDeal, NumberedDeal, SeededDeal, seed_for
from engine.endings import cancel
from engine.errors import InvalidDeal, MatchFinished, MatchWaiting, NoOpenSeat, NotACpuSeat
from engine.events import Event, HandDealt, LevelChanged, SeatJoined
from engine.match import Match, Setup, change_level, create, decide, fold, join, legal_moves, pass_for
from engine.moves import Draw, Move, NextHand, Pass, Play
from engine.players import Cpu, Human, Open, Player
from engine.tiles import Tile
from engine.view import SPECTATOR, MatchView, summary, view
from tests.engine.games import AT, random_play, setup, text, viewers
from tests.engine.situations import DRAW, fixed, kinds
from tests.engine.statuses import LATER, OVER, TABLES, hand_over, playing
from tests.kinds import KINDS

MINUTE = timedelta(minutes=1)
PLAYERS: tuple[Player, ...] = (Human("Asha"), Open(), Cpu("easy"), Open())


def waiting(*players: Player, ruleset: str = "partner-penalty", number: int = 1) -> Match:
    return create(setup(ruleset, number, players or PLAYERS), AT).match


def seat_kinds(shown: MatchView) -> list[str]:
    return [seat.kind for seat in shown.seats]


# While a match waits


@pytest.mark.parametrize("name", TABLES)
def test_a_match_waits_while_any_seat_is_open(name: str) -> None:
    seats, (ruleset, rules) = TABLES[name]
    anybody: tuple[Player, ...] = (Human(), Cpu("easy"), Open())
    for players in itertools.product(anybody, repeat=seats):
        done = create(setup(ruleset, 1, players, **rules), AT)
        if Open() not in players:
            assert done.match.status == "playing"
            continue
        match = done.match
        assert kinds(done.events) == ["match_created"]
        assert (match.status, match.hand, match.hand_number, match.turn) == ("waiting", None, None, None)
        assert set(match.scores) == {0}
        assert all(legal_moves(match, seat) == () for seat in [None, *range(seats)])
        assert play_on(done, AT) == done


def test_a_waiting_match_shows_its_seats_and_no_hand() -> None:
    match = waiting()
    for viewer in viewers(match):
        shown = view(match, viewer)
        assert (shown.status, shown.hand, shown.past_hands, shown.result) == ("waiting", None, (), None)
        assert seat_kinds(shown) == ["human", "open", "cpu", "open"]
        assert [(seat.name, seat.level) for seat in shown.seats] == [
            ("Asha", None),
            (None, None),
            (None, "easy"),
            (None, None),
        ]
        assert all((seat.tile_count, seat.tiles, seat.lacks) == (0, None, ()) for seat in shown.seats)
        assert [score.points for score in shown.scores] == [0, 0]
        assert shown.deal.seed is None
    assert [seat.kind for seat in summary(match).seats] == ["human", "open", "cpu", "open"]
    assert (summary(match).status, summary(match).hand_number) == ("waiting", None)


@pytest.mark.parametrize("move", [Play(Tile(6, 6)), Draw(), Pass(), NextHand()])
@pytest.mark.parametrize("seat", [None, 0, 1, 2, 3])
def test_no_move_is_made_before_all_seats_are_taken(seat: int | None, move: Move) -> None:
    one_left = join(waiting(), 1, None, LATER).match
    for match in (waiting(), one_left):
        with pytest.raises(MatchWaiting):
            decide(match, seat, move, LATER)
        with pytest.raises(MatchWaiting):
            step(match, LATER)
        with pytest.raises(MatchWaiting):
            pass_for(match, 0, LATER)


def test_a_cpu_seat_s_level_may_be_changed_before_the_first_hand() -> None:
    match = waiting()
    done = change_level(match, 2, "hard", LATER)
    assert done.events == (LevelChanged(2, None, 2, None, LATER, "hard"),)
    assert done.match.players[2] == Cpu("hard")
    assert done.match.status == "waiting"
    assert change_level(done.match, 2, "hard", LATER).events == ()
    for seat in (0, 1, 3):
        with pytest.raises(NotACpuSeat):
            change_level(done.match, seat, "hard", LATER)
    dealt = join(join(done.match, None, None, LATER).match, None, None, LATER).match
    assert dealt.players == (Human("Asha"), Human(), Cpu("hard"), Human())


# Joining


@pytest.mark.parametrize(("named", "taken"), [(None, 1), (1, 1), (3, 3)])
@pytest.mark.parametrize("name", [None, "Björn"])
def test_a_seat_is_taken(named: int | None, taken: int, name: str | None) -> None:
    match = waiting()
    done = join(match, named, name, LATER)
    assert done.events == (SeatJoined(2, None, taken, None, LATER, name),)
    expected = [*PLAYERS]
    expected[taken] = Human(name)
    assert done.match.players == tuple(expected)
    assert match.players == match.setup.players == done.match.setup.players == PLAYERS
    assert (done.match.status, done.match.version, done.match.updated_at) == ("waiting", 2, LATER)
    seat = view(done.match, SPECTATOR).seats[taken]
    assert (seat.kind, seat.name, seat.level) == ("human", name, None)


@pytest.mark.parametrize("order", [(1, 3), (3, 1), (None, None), (3, None), (None, 3)])
def test_who_takes_the_last_seat_starts_the_match(order: tuple[int | None, int | None]) -> None:
    first, last = order
    match = join(waiting(), first, "B", LATER).match
    done = join(match, last, "D", LATER + MINUTE)
    assert kinds(done.events) == ["seat_joined", "hand_dealt"]
    assert [(event.seq, event.at) for event in done.events] == [(3, LATER + MINUTE), (4, LATER + MINUTE)]
    assert {player.kind for player in done.match.players} == {"human", "cpu"}
    assert (done.match.status, done.match.hand_number) == ("playing", 1)
    assert legal_moves(done.match, done.match.turn)


def test_the_service_opens_and_cpu_seats_move_when_the_last_seat_is_taken() -> None:
    assert kinds(join(waiting(Human(), Open(), ruleset="draw"), 1, None, LATER).events) == [
        "seat_joined",
        "hand_dealt",
        "tile_played",
    ]
    for number in range(8):
        match = waiting(Cpu("easy"), Open(), Cpu("easy"), Cpu("easy"), number=number)
        done = play_on(join(match, None, None, LATER), LATER)
        assert done.match.turn == 1
        assert fold(match.setup, (*create(match.setup, AT).events, *done.events)) == done.match


@pytest.mark.parametrize("seat", [0, 2, 4, 99])
def test_a_seat_that_is_not_open_cannot_be_taken(seat: int) -> None:
    with pytest.raises(NoOpenSeat):
        join(waiting(), seat, None, LATER)


def test_a_seat_is_taken_once() -> None:
    match = join(waiting(), 3, None, LATER).match
    with pytest.raises(NoOpenSeat):
        join(match, 3, "again", LATER)


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_a_match_without_open_seats_cannot_be_joined(seat: int | None) -> None:
    full = join(waiting(Human(), Open(), ruleset="block"), None, None, LATER).match
    for match in (full, playing("two").match, hand_over("two").match):
        with pytest.raises(NoOpenSeat):
            join(match, seat, None, LATER)


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_a_match_that_is_over_cannot_be_joined(seat: int | None) -> None:
    for over in (*[over("two").match for over in OVER], cancel(waiting(), LATER).match):
        with pytest.raises(MatchFinished):
            join(over, seat, None, LATER)


# Deals


NUMBERED = NumberedDeal(123)


@pytest.mark.parametrize(
    ("players", "allowed"),
    [
        ((Open(), Open()), False),
        ((Human(), Open()), False),
        ((Open(), Human()), False),
        ((Human(), Human()), False),
        ((Cpu(), Open()), True),
        ((Open(), Cpu()), True),
        ((Human(), Cpu()), True),
        ((Cpu(), Cpu()), True),
    ],
)
def test_a_numbered_deal_has_one_seat_at_most_that_is_human_or_open(players: tuple[Player, ...], allowed: bool) -> None:
    chosen = setup("block", 1, players, NUMBERED)
    if allowed:
        create(chosen, AT)
        return
    with pytest.raises(InvalidDeal) as refused:
        create(chosen, AT)
    assert refused.value.pointer == "/kind"
    create(replace(chosen, deal=SeededDeal("ab" * 32)), AT)


def with_open(chosen: Setup, seats: tuple[int, ...]) -> Setup:
    players = tuple(Open() if seat in seats else player for seat, player in enumerate(chosen.players))
    return replace(chosen, players=players)


def all_seated(chosen: Setup) -> tuple[Match, tuple[Event, ...]]:
    done = create(chosen, AT)
    log = done.events
    for _ in range(chosen.players.count(Open())):
        done = join(done.match, None, None, AT)
        log += done.events
    return done.match, log


def deals(match: Match) -> list[HandDealt]:
    """The second and third hands, less their place in the log, when all play the first move there is."""
    found: list[HandDealt] = []
    while len(found) < 2 and match.status != "finished":
        move = legal_moves(match, match.turn)[0]
        done = decide(match, match.turn, move, AT)
        found += [replace(event, seq=0) for event in done.events if isinstance(event, HandDealt)]
        match = done.match
    return found


@pytest.mark.parametrize("ruleset", KINDS)
@pytest.mark.parametrize("number", range(5))
def test_who_sits_down_when_changes_no_deal(ruleset: str, number: int) -> None:
    chosen = setup(ruleset, number)
    begun = create(chosen, AT)
    seats, last = range(len(chosen.players)), begun.match
    for count in range(1, len(seats) + 1):
        for open_seats in itertools.combinations(seats, count):
            match, log = all_seated(with_open(chosen, open_seats))
            assert match.hand is not None
            assert [replace(event, seq=event.seq - count) for event in log[count + 1 :]] == list(begun.events[1:])
            assert match.players == chosen.players
            assert fold(match.setup, log) == match
            last = match
    assert deals(last) == deals(begun.match)


def test_an_exact_deal_waits_too_and_shows_nothing() -> None:
    deal = fixed(DRAW, "6-6 5-5", "4-4 3-3", boneyard="1-0 2-0")
    chosen = setup("draw", 1, (Human(), Open()), deal)
    other = replace(chosen, deal=FixedDeal(deal.hands[::-1], deal.boneyard[::-1]))
    match = create(chosen, AT).match
    for viewer in viewers(match):
        assert text(view(match, viewer)) == text(view(create(other, AT).match, viewer))
    dealt = next(event for event in join(match, None, None, LATER).events if isinstance(event, HandDealt))
    assert tuple(seat.tiles for seat in dealt.tiles) == deal.hands


def test_a_numbered_match_replays_whether_its_person_sat_down_first_or_joined() -> None:
    chosen = setup("all-fives", 0, (Cpu("hard"), Human()), NUMBERED)
    chosen = replace(chosen, seed=seed_for(NUMBERED, b""))
    at_once = play_on(create(chosen, AT), AT)
    late = play_on(join(create(with_open(chosen, (1,)), AT).match, None, None, AT), AT)
    assert late.events[1:] == tuple(replace(event, seq=event.seq + 1) for event in at_once.events[1:])
    assert late.match.hand is not None
    assert at_once.match.hand is not None
    assert late.match.hand.tiles == at_once.match.hand.tiles


def test_a_match_that_was_joined_is_played_to_its_end() -> None:
    chosen = setup("block", 5)
    match, log = all_seated(with_open(chosen, (0, 1)))
    for moment in itertools.islice(random_play(chosen), 1, None):
        assert moment.move is not None
        done = decide(match, match.turn, moment.move, moment.match.updated_at)
        match, log = done.match, log + done.events
    assert match.status == "finished"
    assert fold(match.setup, log) == match
