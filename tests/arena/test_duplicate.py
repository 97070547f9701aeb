"""Duplicate deals: what cancels out, what counts, and which games have two sides."""

from dataclasses import replace

import pytest

from arena.duplicate import Gains, Pair, Table, play_pair
from arena.errors import Refused
from arena.players import PLAYERS
from engine.catalogue import RULESETS
from engine.deal import Stream
from engine.moves import Turn
from engine.strategies import Strategy, medium
from engine.view import MatchView
from tests.kinds import SOURCE_GAMES


def table(ruleset: str, seats: int = 0) -> Table:
    return Table(RULESETS[ruleset], seats or RULESETS[ruleset].seat_counts[0])


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("ruleset", SOURCE_GAMES)
def test_a_player_gains_nothing_over_itself_whatever_the_deal(ruleset: str, player: str) -> None:
    """Easy too, which asks for chance: the same comes of it in both seatings."""
    for number in range(5):
        pair = play_pair(table(ruleset), PLAYERS[player], PLAYERS[player], number, hands=2)
        assert len(pair.even) == len(pair.odd) == 2
        assert pair.odd == gains_of_other(pair.even)
        assert (pair.points, pair.won) == (0, 0.5)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_game_with_two_sides_is_played(ruleset: str) -> None:
    for seats in RULESETS[ruleset].seat_counts:
        if seats % 2 == 0:
            table(ruleset, seats).refuse_uneven()
            one, other = PLAYERS["reference"], PLAYERS["medium"]
            pair, turned = (play_pair(table(ruleset, seats), *players, 3) for players in ((one, other), (other, one)))
            assert (pair.even, pair.odd) == (gains_of_other(turned.odd), gains_of_other(turned.even))
            assert pair.won == 1 - turned.won


def gains_of_other(gains: Gains) -> Gains:
    return tuple(-gain for gain in gains)


def test_a_hand_that_gives_both_sides_the_same_is_half_won() -> None:
    assert Pair((3, 0), (-2, 0)).won == (1 + 0.5 + 0 + 0.5) / 4
    assert Pair((3, 0), (-2, 0)).points == 0.25


def test_a_penalty_charged_to_the_other_side_is_a_gain() -> None:
    """Or the better player would lose the more, the better it is."""
    gains = [play_pair(table("partner-penalty"), PLAYERS["hard"], PLAYERS["easy"], number) for number in range(30)]
    assert sum(pair.points for pair in gains) > 0


def test_seats_take_sides_in_turn() -> None:
    asked: set[tuple[int, str]] = set()

    def player(name: str) -> Strategy:
        def choose(view: MatchView, rng: Stream) -> Turn:
            assert view.viewer.seat is not None
            asked.add((view.viewer.seat % 2, name))
            return medium.choose(view, rng)

        return choose

    pair = play_pair(table("cut-throat", 4), player("one"), player("other"), 0)
    assert len(pair.even) == 1
    assert asked == {(0, "one"), (1, "other"), (1, "one"), (0, "other")}


def test_sides_of_different_size_are_refused() -> None:
    uneven = table("cut-throat", 3)
    with pytest.raises(Refused, match="play it with 2 or 4 seats"):
        uneven.refuse_uneven()
    alone = replace(uneven.ruleset, tables={3: uneven.rules})
    with pytest.raises(Refused, match="choose another game"):
        Table(alone, 3).refuse_uneven()
