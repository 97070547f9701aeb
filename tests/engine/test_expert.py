"""The expert: what holds for its choice in every game, and positions in which the best move is known."""

import itertools
from collections.abc import Iterator
from typing import Any, Final

import pytest
from hypothesis import given, settings

from engine.catalogue import RULESETS
from engine.deal import Stream
from engine.layout import ENDS, End
from engine.moves import PastMove, Play, Turn
from engine.rules import Rules
from engine.strategies import expert, hard
from engine.strategies.inference import Inference
from engine.strategies.legal import turns
from engine.tiles import Tile
from engine.view import MatchView, Viewer, view
from tests.engine.any_rules import SEEDS, games
from tests.engine.games import random_play
from tests.engine.kernel.positions import asked
from tests.engine.small_games import without
from tests.engine.test_hard import position

pytestmark = pytest.mark.usefixtures("compiled")

TABLES: Final = [(ruleset.id, seats) for ruleset in RULESETS.values() for seats in ruleset.seat_counts]


def choice(seen: MatchView, seed: int = 0) -> Turn:
    return expert.choose(seen, Stream(f"{seed:064x}", "test"))


def choices(rules: Rules, seats: int, seed: int, *, most: int) -> Iterator[MatchView]:
    """What a seat sees that has a choice, in a match of random moves."""
    for moment in random_play(asked(rules, seats, seed), most=most):
        if moment.match.status == "playing":
            seen = view(moment.match, Viewer("seat", moment.match.turn))
            if len(turns(seen)) > 1:
                yield seen


@pytest.mark.parametrize(("ruleset", "seats"), TABLES)
def test_makes_a_legal_move_in_every_listed_game_and_the_same_one_again(ruleset: str, seats: int) -> None:
    found = list(choices(RULESETS[ruleset].tables[seats], seats, 1, most=60))
    for seen in (found[0], found[len(found) // 2]):
        chosen = choice(seen)
        assert chosen in turns(seen)
        assert choice(seen) == chosen


@given(games(), SEEDS)
@settings(max_examples=25)
def test_makes_a_legal_move_by_any_rules(game: tuple[Rules, int], seed: int) -> None:
    rules, seats = game
    found = list(choices(rules, seats, seed, most=30))
    if found:
        assert choice(found[seed % len(found)]) in turns(found[seed % len(found)])


def test_plays_as_hard_does_with_more_tiles_than_the_kernel_knows() -> None:
    for seen in itertools.islice(choices(Rules(highest_double=12), 4, 1, most=60), 5):
        assert choice(seen) == hard.choose(seen, Stream("00" * 32, "test"))


def seen(ruleset: str, own: str, others: list[int], moves: list[str], **rules: Any) -> MatchView:
    """What seat 0 sees after `moves`: seat, tile and end each."""
    line, past = list[tuple[str, End | None]](), []
    for move in moves:
        seat, tile, *ends = move.split()
        if tile == "pass":
            past.append(PastMove(int(seat), "pass"))
            continue
        end = next((end for end in ENDS if [end] == ends), None)
        line.append((tile, end))
        past.append(PastMove(int(seat), "play", Tile.parse(tile), end))
    return position(ruleset, line, own, others, moves=tuple(past), **rules)


def plays(shown: MatchView) -> set[str]:
    """What is played, by any chances."""
    chosen = [choice(shown, seed) for seed in range(4)]
    assert all(isinstance(play, Play) for play in chosen)
    return {f"{play.tile} {play.end}" for play in chosen if isinstance(play, Play)}


SHUT: Final = ["0 5-5", "1 pass", "0 5-4 left", "1 4-3 left"]


def test_shuts_out_a_rival_that_has_shown_what_it_lacks_when_it_is_ahead() -> None:
    """With 5-3 at the 3 both ends ask for fives: the rival has none, and its six tiles weigh more than these four."""
    assert plays(seen("block", "5-3 3-0 1-0 0-0 2-0", [6], SHUT)) == {"5-3 left"}


def test_goes_on_when_to_shut_out_the_rival_would_lose() -> None:
    assert "5-3 left" not in plays(seen("block", "5-3 6-3 6-6 6-4 6-2", [6], SHUT))


def test_leaves_the_end_at_which_the_partner_goes_out() -> None:
    """Neither rival has a four, so the partner's last tile is 4-4, which goes out doubly where both ends ask for it."""
    moves = ["2 3-3", "3 3-2 right", "0 4-3 left", "1 2-1 right", "2 1-1 right", "3 pass", "0 1-0 right", "1 pass"]
    kept = "3-3 3-2 4-3 2-1 1-1 1-0 0-0 2-0 4-2 5-4 4-4 2-2 6-6 6-5 5-5 6-3"
    rules: dict[str, Any] = {"opener": "lot", "opening_tiles": (), "hand_size": 4, "removed_tiles": without(kept)}
    shown = seen("partner-penalty", "4-2 5-4", [3, 1, 2], [*moves, "2 0-0 right", "3 2-0 right"], **rules)
    assert Inference(shown).deals > 1
    assert plays(shown) == {"4-2 right"}


def test_reaches_the_target_at_once() -> None:
    """Both make the count 5, which wins a match that stands at 145."""
    shown = position("all-fives", [("5-3", None)], "5-2 3-0 3-1 6-6", [4], hand_size=4, scores=(145, 0))
    assert plays(shown) <= {"5-2 left", "3-0 right"}
