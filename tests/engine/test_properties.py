"""What holds in every game: any rules that can be played, any deal, any legal play."""

from contextlib import suppress
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from pydantic import TypeAdapter

from engine.errors import RuleViolation
from engine.events import Event
from engine.hand import Hand, playable
from engine.layout import ENDS, End, Layout, suits
from engine.match import Match, Setup, decide, evolve, fold, legal_moves
from engine.moves import Draw, Move, NextHand, Pass, Play
from engine.players import Human
from engine.rules import Rules
from engine.tiles import DOUBLE_SUIT, Tile
from tests.engine.any_rules import SEEDS, games
from tests.engine.games import AT, Moment, random_play, setup
from tests.engine.lives import random_life, tables

pytestmark = pytest.mark.usefixtures("compiled")

Game = tuple[Rules, int]

LOG: TypeAdapter[tuple[Event, ...]] = TypeAdapter(tuple[Event, ...])
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
def test_halves_that_touch_are_equal_or_add_up(game: Game, seed: int) -> None:
    rules, _ = game

    def touch(nearer: int, further: int, tile: Tile) -> bool:
        fits = nearer == further if rules.matching == "equal" else nearer + further == rules.highest_double + 1
        return fits or (tile in rules.wild_tiles and further == tile.low)

    for moment in moments(game, seed):
        layout = hand_of(moment.match).layout
        if layout.opening is None:
            continue
        spinner = layout.spinner.high if layout.spinner is not None else -1
        starts = {"left": layout.opening.left, "right": layout.opening.right, "up": spinner, "down": spinner}
        for arm in layout.arms:
            assert touch(starts[arm.end], arm.tiles[0].inner, arm.tiles[0].tile)
            assert all(touch(nearer.outer, further.inner, further.tile) for nearer, further in pairwise(arm.tiles))
            assert all(
                sorted((placed.inner, placed.outer)) == [placed.tile.low, placed.tile.high] for placed in arm.tiles
            )


@given(games(), SEEDS)
@any_game
def test_the_count_is_that_of_the_ends(game: Game, seed: int) -> None:
    """Ends that are closed for the time being count too, and only a cross or the owing of doubles closes any."""
    rules, _ = game
    for moment in moments(game, seed):
        layout = hand_of(moment.match).layout
        counted = sum(end.count for end in layout.ends)
        assert layout.count >= counted
        assert layout.count == counted or rules.spinner_arms in {
            "cross_first",
            "sides_first",
            "cross_and_doubles_first",
        }
        assert {end.end for end in layout.ends} <= ({"right"} if rules.line_ends == 1 else set(ENDS))
        assert bool(layout.ends) == (layout.opening is not None)
        if layout.spinner is None:
            assert {end.end for end in layout.ends} <= {"left", "right"}
        for end in layout.ends:
            awaited = not any(text == f"{end.value}-{end.value}" for text in on_the_table(layout))
            assert awaited or not end.double_only
            assert not end.double_only or rules.double_first or rules.spinner_arms == "cross_and_doubles_first"


@given(games(), SEEDS)
@any_game
def test_a_spinner_is_a_double_on_the_table_and_stays(game: Game, seed: int) -> None:
    rules, _ = game
    for before, after in pairwise(moments(game, seed)):
        old, new = hand_of(before.match), hand_of(after.match)
        spinner = new.layout.spinner
        assert spinner is None or (spinner.is_double and rules.spinner != "none")
        assert spinner is None or str(spinner) in on_the_table(new.layout)
        if old.start.number == new.start.number and old.layout.spinner is not None:
            assert spinner is old.layout.spinner


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
def test_a_seat_may_play_or_draw_or_pass_and_only_one_of_these(game: Game, seed: int) -> None:
    for moment in moments(game, seed):
        match = moment.match
        for seat in range(len(match.players)):
            families = {move.type for move in legal_moves(match, seat)}
            expected = 1 if match.status == "hand_over" or seat == match.turn else 0
            assert len(families) == expected
            if match.status == "playing" and expected:
                can_play = bool(playable(game[0], hand_of(match), seat))
                assert (families == {"play"}) == can_play
                assert "draw" not in families or game[0].drawing != "never"


def longest(rules: Rules, seat_count: int) -> int:
    """The moves of the longest hand: a tile is drawn and played once, and all seats may pass in between."""
    return 3 * len(rules.live_tiles()) * (seat_count + 1)


@given(games(), SEEDS)
@any_game
def test_every_hand_ends(game: Game, seed: int) -> None:
    moves = random_play(people_at(game, seed), most=longest(*game))
    assert any(moment.match.status != "playing" for moment in moves)


@given(games(), SEEDS)
@settings(max_examples=20)
def test_every_match_ends(game: Game, seed: int) -> None:
    """At the latest with its last hand; here that is the third."""
    rules = replace(game[0], most_hands=3)
    *_, last = random_play(people_at((rules, game[1]), seed), most=3 * (longest(rules, game[1]) + 1))
    assert last.match.status == "finished"
    assert last.match.result is not None
    assert 1 <= len(last.match.past_hands) <= 3
    assert last.match.result.reason == "score"


@given(games(), SEEDS)
@any_game
def test_a_seat_lacks_what_the_table_says_it_lacks(game: Game, seed: int) -> None:
    for moment in moments(game, seed):
        hand = hand_of(moment.match)
        for seat, tiles in enumerate(hand.tiles):
            # A tile just drawn may fit: then it is played before anything else happens (C14).
            known = tiles[:-1] if seat == hand.turn and hand.drawn else tiles
            assert not [tile for tile in known if suits(game[0], tile) & hand.lacks[seat]]


@given(games(), SEEDS)
@any_game
def test_what_a_seat_lacks_is_learnt_from_passes_and_draws(game: Game, seed: int) -> None:
    match = fold((last := moments(game, seed)[-1]).match.setup, last.log[:2])
    lacks: dict[int, set[int]] = {}
    for event in last.log[2:]:
        asked = {end.value + DOUBLE_SUIT * end.double_only for end in hand_of(match).layout.ends}
        match = evolve(match, event)
        if event.type == "hand_dealt":
            lacks = {}
        elif event.type == "turn_passed" and event.seat is not None:
            lacks.setdefault(event.seat, set()).update(asked)
        elif event.type == "tile_drawn" and event.seat is not None:
            lacks[event.seat] = asked
        for seat, mask in enumerate(hand_of(match).lacks):
            assert {suit for suit in range(2 * DOUBLE_SUIT) if mask >> suit & 1} == lacks.get(seat, set())


@given(games(), SEEDS)
@any_game
def test_a_seat_that_drew_has_at_most_one_tile_to_play(game: Game, seed: int) -> None:
    for moment in moments(game, seed):
        hand = hand_of(moment.match)
        if hand.turn is not None and hand.drawn:
            assert playable(game[0], hand, hand.turn) in ([], [hand.tiles[hand.turn][-1]])


@given(games(), SEEDS)
@any_game
def test_points_are_for_somebody_and_add_up(game: Game, seed: int) -> None:
    """Each hand's points add up to what it lifted the scores by, unless the rules set scores back at its end."""
    rules, _ = game
    last = moments(game, seed)[-1]
    assert all(event.points > 0 for event in last.log if event.type == "points_scored")
    before = [0] * len(last.match.scores)
    for hand in last.match.past_hands:
        for amount in (*hand.play_points, *hand.end_points):
            assert amount.points >= 0
            before[amount.team] += amount.points
        after = [score.points for score in hand.scores]
        losers = [points for team, points in enumerate(before) if team != hand.winner]
        is_broken = rules.target_rule == "in_a_row" and hand.winner is not None and any(losers)
        if is_broken or (rules.target_rule == "shutout" and all(before)):
            before = [0] * len(before)
        assert after == before
        before = after


@given(games(), SEEDS)
@any_game
def test_the_losers_are_charged_and_the_winner_gains(game: Game, seed: int) -> None:
    rules, _ = game
    for event in moments(game, seed)[-1].log:
        if event.type != "hand_ended":
            continue
        result = event.result
        gaining = {amount.team for amount in result.end_points if amount.points}
        if result.reason == "target" or (result.winner is None and rules.block_pips != "own_each"):
            assert not gaining
        elif rules.scoring == "points":
            assert gaining <= {result.winner}
        elif result.reason == "domino" or rules.block_pips != "own_each":
            assert result.winner not in gaining
        if rules.scoring == "penalty":
            assert not any(amount.points for amount in result.play_points)
        assert result.reason != "domino" or not rules.play_out
        assert not result.doubled or (result.reason == "domino" and rules.last_tile_factor > 1)


@given(games(), SEEDS)
@any_game
def test_no_score_passes_what_the_rules_bound_it_by(game: Game, seed: int) -> None:
    rules, seat_count = game
    scores = [0] * rules.team_count(seat_count)
    for event in moments(game, seed)[-1].log:
        if event.type == "points_scored":
            if not scores[event.team] and rules.target_rule != "short" and not rules.end_ceiling:
                assert event.points >= rules.first_entry
            scores[event.team] += event.points
            if rules.target_rule == "exact" and rules.target:
                assert scores[event.team] <= rules.target
            if rules.end_ceiling and event.cause in {"domino", "blocked"}:
                assert scores[event.team] <= rules.end_ceiling
            if rules.target_rule == "short" and event.cause in {"play", "pass"}:
                to_go = rules.target - scores[event.team] + event.points
                assert to_go <= 1 or scores[event.team] < rules.target
        elif event.type == "hand_ended":
            scores = [score.points for score in event.result.scores]


@given(games(), SEEDS)
@any_game
def test_the_turn_goes_on_by_the_rules(game: Game, seed: int) -> None:
    """To a seat that holds a tile; back to the same one only by an extra turn, or if the others are out or miss it."""
    rules, seat_count = game
    again = rules.extra_turn != "never" or rules.extra_turn_counts or rules.play_out
    missed = rules.skip_counts or rules.skip_equal_ends
    for before, after in pairwise(moments(game, seed)):
        old, new = before.match.turn, after.match.turn
        if old is None or new is None:
            continue
        assert hand_of(after.match).tiles[new]
        played = [event for event in after.events if event.type == "tile_played"]
        if played and not again and not missed:
            assert new == (old + 1) % seat_count
        if not played and any(event.type == "turn_passed" for event in after.events) and not rules.play_out:
            assert new == (old + 1) % seat_count


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
        if event.type not in ("hand_dealt", "points_scored", "hand_ended"):
            assert match.scores == before.scores


@given(tables())
@any_game
def test_only_the_last_hand_of_a_life_may_be_unfinished(chosen: Setup) -> None:
    *_, last = random_life(chosen)
    match = last.match
    assert [hand.number for hand in match.past_hands] == list(range(1, len(match.past_hands) + 1))
    assert all(hand.reason != "unfinished" for hand in match.past_hands[:-1])
    if match.past_hands and match.past_hands[-1].reason == "unfinished":
        assert match.is_over
        assert match.result is None or match.result.reason in ("time", "resignation")
