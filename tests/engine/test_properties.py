"""What holds in every game: any rules that can be played, any deal, any legal play."""

from contextlib import suppress
from dataclasses import replace
from itertools import pairwise

from hypothesis import given, settings
from pydantic import TypeAdapter

from engine.errors import RuleViolation
from engine.events import Event
from engine.hand import Hand
from engine.layout import ENDS, End, Layout
from engine.match import Match, Setup, decide, evolve, fold, legal_moves
from engine.moves import Draw, Move, NextHand, Pass, Play
from engine.players import Human
from engine.rules import Rules
from engine.tiles import numbers_in
from tests.engine.any_rules import SEEDS, games
from tests.engine.games import AT, Moment, random_play, setup
from tests.engine.lives import random_life, tables

Game = tuple[Rules, int]

LOG: TypeAdapter[tuple[Event, ...]] = TypeAdapter(tuple[Event, ...])
MATCH = TypeAdapter(Match)
MOST_MOVES = 100

any_game = settings(max_examples=60)


def people_at(game: Game, seed: int) -> Setup:
    rules, seat_count = game
    return replace(setup("block", seed, (Human(),) * seat_count), rules=rules)


def moments(game: Game, seed: int) -> list[Moment]:
    return list(random_play(people_at(game, seed), most=MOST_MOVES))


def hand_of(match: Match) -> Hand:
    assert match.hand is not None
    return match.hand


def on_the_table(layout: Layout) -> list[str]:
    opening = [layout.opening.tile] if layout.opening is not None else []
    return [str(tile) for tile in [*opening, *[placed.tile for arm in layout.arms for placed in arm.tiles]]]


@given(games(), SEEDS)
@any_game
def test_no_tile_is_lost_or_doubled_by_any_event(game: Game, seed: int) -> None:
    last = moments(game, seed)[-1]
    live = sorted(map(str, game[0].live_tiles()))
    match = fold(last.match.setup, last.log[:1])
    for event in last.log[1:]:
        match = evolve(match, event)
        hand = hand_of(match)
        held = [str(tile) for tiles in (*hand.tiles, hand.boneyard) for tile in tiles]
        assert sorted(held + on_the_table(hand.layout)) == live


@given(games(), SEEDS)
@any_game
def test_halves_that_touch_are_equal(game: Game, seed: int) -> None:
    for moment in moments(game, seed):
        layout = hand_of(moment.match).layout
        if layout.opening is None:
            continue
        spinner = layout.spinner.high if layout.spinner is not None else None
        starts = {"left": layout.opening.left, "right": layout.opening.right, "up": spinner, "down": spinner}
        for arm in layout.arms:
            assert arm.tiles[0].inner == starts[arm.end]
            assert all(nearer.outer == further.inner for nearer, further in pairwise(arm.tiles))
            assert all(
                sorted((placed.inner, placed.outer)) == [placed.tile.low, placed.tile.high] for placed in arm.tiles
            )
        assert layout.count == sum(end.count for end in layout.ends)


@given(games(), SEEDS)
@any_game
def test_the_state_is_the_fold_of_the_log(game: Game, seed: int) -> None:
    for moment in moments(game, seed):
        assert fold(moment.match.setup, moment.log) == moment.match


@given(games(), SEEDS)
@any_game
def test_the_log_has_no_gap_and_says_whose_turn_it_is(game: Game, seed: int) -> None:
    for moment in moments(game, seed):
        assert [event.seq for event in moment.log] == list(range(1, moment.match.version + 1))
        assert moment.log[-1].turn == moment.match.turn
        assert (moment.match.turn is not None) == (moment.match.status == "playing")
        assert moment.match.updated_at == moment.log[-1].at


@given(games(), SEEDS)
@any_game
def test_state_and_log_survive_being_stored(game: Game, seed: int) -> None:
    last = moments(game, seed)[-1]
    assert MATCH.validate_json(MATCH.dump_json(last.match)) == last.match
    assert LOG.validate_json(LOG.dump_json(last.log)) == last.log


def accepted(match: Match, seat: int) -> set[Move]:
    """All that `seat` can do, by trying everything."""
    ends: list[End | None] = [None, *ENDS]
    tried: list[Move] = [NextHand(), Draw(), Pass()]
    tried += [Play(tile, end) for tile in match.setup.rules.live_tiles() for end in ends]
    found = set()
    for move in tried:
        with suppress(RuleViolation):
            decide(match, seat, move, AT)
            found.add(move)
    return found


@given(games(), SEEDS)
@settings(max_examples=40)
def test_exactly_the_legal_moves_are_accepted(game: Game, seed: int) -> None:
    for moment in moments(game, seed)[::7]:
        match = moment.match
        opened = hand_of(match).layout.opening is not None
        for seat in range(len(match.players)):
            legal = set(legal_moves(match, seat))
            # Where a tile's ends ask for one number, none need be named.
            short = {move for move in accepted(match, seat) if isinstance(move, Play) and move.end is None and opened}
            assert accepted(match, seat) - short == legal
            for play in short:
                ends = {move.end for move in legal if isinstance(move, Play) and move.tile is play.tile}
                assert len({end.value for end in hand_of(match).layout.ends if end.end in ends}) == 1


@given(games(), SEEDS)
@any_game
def test_every_hand_ends(game: Game, seed: int) -> None:
    rules, seat_count = game
    tiles = len(rules.live_tiles())
    longest = 2 * tiles * seat_count  # a tile is drawn and played once, and fewer than all seats pass in between
    assert any(moment.match.status != "playing" for moment in random_play(people_at(game, seed), most=longest))


@given(games(), SEEDS)
@any_game
def test_a_seat_lacks_what_the_table_says_it_lacks(game: Game, seed: int) -> None:
    for moment in moments(game, seed):
        hand = hand_of(moment.match)
        for seat, tiles in enumerate(hand.tiles):
            # A tile just drawn may fit: then it is played before anything else happens (C14).
            known = tiles[:-1] if seat == hand.turn and hand.drawn else tiles
            for number in numbers_in(hand.lacks[seat]):
                assert not [tile for tile in known if tile.numbers >> number & 1]


@given(games(), SEEDS)
@any_game
def test_what_a_seat_lacks_is_learnt_from_passes_and_draws(game: Game, seed: int) -> None:
    match = fold((last := moments(game, seed)[-1]).match.setup, last.log[:2])
    lacks: dict[int, set[int]] = {}
    for event in last.log[2:]:
        asked = {end.value for end in hand_of(match).layout.ends}
        match = evolve(match, event)
        if event.type == "hand_dealt":
            lacks = {}
        elif event.type == "turn_passed" and event.seat is not None:
            lacks.setdefault(event.seat, set()).update(asked)
        elif event.type == "tile_drawn" and event.seat is not None:
            lacks[event.seat] = asked
        for seat, mask in enumerate(hand_of(match).lacks):
            assert set(numbers_in(mask)) == lacks.get(seat, set())


@given(games(), SEEDS)
@any_game
def test_a_seat_that_drew_has_at_most_one_tile_to_play(game: Game, seed: int) -> None:
    for moment in moments(game, seed):
        hand = hand_of(moment.match)
        if hand.turn is not None and hand.drawn:
            fitting = [tile for tile in hand.tiles[hand.turn] if tile.numbers & hand.layout.numbers]
            assert fitting in ([], [hand.tiles[hand.turn][-1]])


@given(games(), SEEDS)
@any_game
def test_points_are_never_negative_and_add_up(game: Game, seed: int) -> None:
    last = moments(game, seed)[-1].match
    totals = [0] * len(last.scores)
    for hand in last.past_hands:
        for amount in (*hand.play_points, *hand.end_points):
            assert amount.points >= 0
            totals[amount.team] += amount.points
        assert [score.points for score in hand.scores] == totals


# The same whoever sits at the table and when, with levels that change, clocks that run out, and people who give up


@given(tables())
@any_game
def test_a_life_is_the_fold_of_its_log(chosen: Setup) -> None:
    folded: Match | None = None
    for moment in random_life(chosen):
        new = moment.events
        if folded is None:
            folded, new = fold(chosen, new[:1]), new[1:]
        for event in new:
            folded = evolve(folded, event)
        assert folded == moment.match
        assert moment.match.setup == chosen


@given(tables())
@any_game
def test_the_log_of_a_life_is_whole(chosen: Setup) -> None:
    for moment in random_life(chosen):
        match, last = moment.match, moment.log[-1]
        assert [event.seq for event in moment.log] == list(range(1, match.version + 1))
        assert all(earlier.at <= later.at for earlier, later in pairwise(moment.log))
        assert (last.turn, last.at) == (match.turn, match.updated_at)
        assert (match.turn is not None) == (match.status == "playing")
        assert (match.hand is None) == (match.past_hands == () and match.turn is None)
        over = [event.type for event in moment.log if event.type in ("cancelled", "match_ended")]
        assert over == ([last.type] if match.is_over else [])


@given(tables())
@any_game
def test_nothing_that_befalls_a_match_moves_a_tile_but_a_move(chosen: Setup) -> None:
    *_, last = random_life(chosen)
    live = sorted(map(str, chosen.rules.live_tiles()))
    match = fold(chosen, last.log[:1])
    for event in last.log[1:]:
        before, match = match, evolve(match, event)
        if match.hand is None:
            continue
        held = [str(tile) for tiles in (*match.hand.tiles, match.hand.boneyard) for tile in tiles]
        assert sorted(held + on_the_table(match.hand.layout)) == live
        if event.type not in ("hand_dealt", "tile_played", "tile_drawn"):
            assert before.hand is not None
            assert (match.hand.tiles, match.hand.boneyard) == (before.hand.tiles, before.hand.boneyard)
            assert match.hand.layout == before.hand.layout
        if event.type not in ("hand_dealt", "points_scored"):
            assert match.scores == before.scores


@given(tables())
@any_game
def test_a_life_survives_being_stored(chosen: Setup) -> None:
    *_, last = random_life(chosen)
    assert MATCH.validate_json(MATCH.dump_json(last.match)) == last.match
    assert LOG.validate_json(LOG.dump_json(last.log)) == last.log


@given(tables())
@any_game
def test_the_hands_of_a_life_add_up_and_only_the_last_may_be_unfinished(chosen: Setup) -> None:
    *_, last = random_life(chosen)
    match = last.match
    totals = [0] * len(match.scores)
    for hand in match.past_hands:
        for amount in (*hand.play_points, *hand.end_points):
            totals[amount.team] += amount.points
        assert [score.points for score in hand.scores] == totals
    assert [hand.number for hand in match.past_hands] == list(range(1, len(match.past_hands) + 1))
    assert all(hand.reason != "unfinished" for hand in match.past_hands[:-1])
    if match.past_hands and match.past_hands[-1].reason == "unfinished":
        assert match.is_over
        assert match.result is None or match.result.reason in ("time", "resignation")
