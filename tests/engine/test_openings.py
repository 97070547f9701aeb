"""What an opening tells of tiles that nobody was dealt, and whether a view tells all that the public log does: in games
so small that every deal can be played.
"""

import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from engine.deal import FixedDeal
from engine.errors import RuleViolation
from engine.events import HandSummary
from engine.hand import playable
from engine.match import Match, Transition, create, decide
from engine.rules import Rules
from engine.strategies.inference import Inference, drawn, know
from engine.strategies.openings import never_dealt
from engine.tiles import Tile
from engine.turns import by_team
from engine.view import SPECTATOR, MatchView, Viewer, open_hand, redact, view
from tests.engine.games import AT, setup
from tests.engine.test_hard import position
from tests.engine.test_placements import every_way

DOUBLES = "0-0 1-1 2-2 3-3 4-4 5-5 6-6"


def tiles(text: str) -> tuple[Tile, ...]:
    return tuple(map(Tile.parse, text.split()))


SMALL = "0-0 1-0 1-1 2-0 2-1 2-2 3-2"
"""A set of which few deals can be made: 630 with two tiles for each of three seats."""


def without(kept: str) -> tuple[Tile, ...]:
    """All tiles but these."""
    return tuple(tile for tile in Rules().live_tiles() if tile not in tiles(kept))


SMALL_GAMES: dict[str, dict[str, Any]] = {
    "highest double": {},
    "lowest double": {"opener": "lowest_double", "opening": "automatic"},
    "named tiles": {"opening_tiles": tiles("2-1 3-2 0-0")},
    "named tiles, or a lot": {"opening_tiles": tiles("2-1 3-2"), "opener": "lot"},
    "heaviest tile": {"removed_tiles": without("1-0 2-0 2-1 2-2 3-0 3-1 3-2"), "opening_without_double": "automatic"},
    "a free lead": {"opener": "lot"},
    "a double leads": {"lead_tile": "double"},
    "sums": {"matching": "sum", "removed_tiles": without("6-1 5-2 4-3 5-1 3-3 4-2 4-4")},
    "wild tiles": {"wild_tiles": tiles("1-0 2-2")},
    "one end": {"line_ends": 1},
    "turns missed": {"skip_counts": (2, 3, 4), "skip_equal_ends": True},
    "a hand played out": {"play_out": True},
    "a spinner": {"spinner": "first_double", "spinner_arms": "at_once"},
}

UNTOLD: dict[str, dict[str, Any]] = {
    "a free opening": {"opening": "free", "opening_without_double": "free"},
    "a double that is missing at the lead": {"lead_tile": "double", "opener": "lot"},
    "a turn that did not go on": {"extra_turn": "after_double"},
    "a turn that went on": {"extra_turn": "until_stuck"},
    "an end for a double": {"double_first": True},
}
"""Games whose log tells more than a view does."""


def every_deal(live: Sequence[Tile], sizes: Sequence[int]) -> Iterator[tuple[tuple[Tile, ...], ...]]:
    """All deals of `live` to places of `sizes`, the boneyard last."""
    for way in every_way([(1 << len(sizes)) - 1] * len(live), sizes):
        yield tuple([tuple(itertools.compress(live, [place == at for at in way])) for place in range(len(sizes))])


def public(done: Transition) -> list[object]:
    """What everybody sees of what a call did, but for the hand's end, which shows all tiles."""
    hidden = open_hand(done.match) or 1
    events = [redact(event, SPECTATOR, hidden) for event in done.events]
    return [event for event in events if event.type not in {"hand_ended", "points_scored", "match_ended"}]


@cache
def beginnings(name: str) -> tuple[Transition, ...]:
    """A small game with each deal that can be made."""
    parameters = {"removed_tiles": without(SMALL)} | (SMALL_GAMES | UNTOLD)[name]
    chosen = setup("block", 1, setup("block", 0).players[:1] * 3, hand_size=2, target=0, **parameters)
    live = chosen.rules.live_tiles()
    return tuple(
        create(replace(chosen, deal=FixedDeal(dealt[:-1], dealt[-1])), AT)
        for dealt in every_deal(live, [2, 2, 2, len(live) - 6])
        if chosen.rules.lead_tile == "any" or any(tile.is_double for held in dealt[:-1] for tile in held)
    )


def looking_alike(name: str, number: int) -> Iterator[tuple[Match, list[Match]]]:
    """The positions of a small game played by chance, each with all that the public log allows instead."""
    rng = random.Random(number)
    begun = beginnings(name)
    true = rng.choice(begun)
    worlds = [each.match for each in begun if public(each) == public(true)]
    match = true.match
    while match.status == "playing":
        yield match, worlds
        assert match.hand is not None
        move = rng.choice(view(match, Viewer("seat", match.turn)).hand.legal_moves)  # type: ignore[union-attr]
        true = decide(match, match.turn, move, AT)
        worlds = [done.match for each in worlds if (done := attempted(each, move)) and public(done) == public(true)]
        match = true.match


def attempted(match: Match, move: Any) -> Transition | None:
    try:
        return decide(match, match.turn, move, AT)
    except RuleViolation:
        return None


def where(match: Match, viewer: Viewer) -> tuple[int, ...]:
    """The place of each tile that `viewer` does not see."""
    assert match.hand is not None
    places = (*match.hand.tiles, match.hand.boneyard)
    return tuple(
        next(place for place, held in enumerate(places) if tile in held) for tile in know(view(match, viewer)).unseen
    )


def compared(name: str, number: int) -> Iterator[tuple[MatchView, list[tuple[int, ...]]]]:
    """What the seat sees that has the turn and can play, and where all that it does not see may be, by the log."""
    for match, worlds in looking_alike(name, number):
        assert match.hand is not None
        assert match.turn is not None
        if not playable(match.setup.rules, match.hand, match.turn):
            continue  # somebody else can play, or the hand were over: that is not told
        viewer, own = Viewer("seat", match.turn), set(match.hand.tiles[match.turn])
        alike = [each for each in worlds if each.hand and set(each.hand.tiles[match.turn]) == own]
        yield view(match, viewer), sorted(where(each, viewer) for each in alike)


@pytest.mark.parametrize("name", SMALL_GAMES)
def test_the_deals_that_agree_are_those_that_the_log_allows(name: str) -> None:
    counts = set()
    for seen, expected in itertools.chain.from_iterable(compared(name, number) for number in range(6)):
        known = know(seen)
        assert sorted(every_way(known.allowed, known.sizes)) == expected
        assert Inference(seen).deals == len(expected)
        counts.add(len(expected))
    assert max(counts) > 10


@pytest.mark.parametrize("name", UNTOLD)
def test_where_the_log_tells_more_no_deal_that_it_allows_is_missed(name: str) -> None:
    more = 0
    for seen, expected in itertools.chain.from_iterable(compared(name, number) for number in range(40)):
        known = know(seen)
        agreeing = set(every_way(known.allowed, known.sizes))
        assert agreeing >= set(expected)
        more += len(agreeing) > len(set(expected))
    assert more > 0, "the view tells as much: the game belongs to the others"


OPENED: list[tuple[str, dict[str, Any], str]] = [
    ("4-4", {}, "5-5 6-6"),
    ("4-4", {"opening": "automatic"}, "5-5 6-6"),
    ("4-4", {"opening": "free"}, ""),
    ("2-2", {"opener": "lowest_double"}, "0-0 1-1"),
    ("6-6", {}, ""),
    ("3-1", {"opening_tiles": tiles("2-1 6-6 3-1 4-4")}, "2-1 6-6"),
    ("3-3", {"opening_tiles": tiles("2-1 3-1")}, "2-1 3-1 4-4 5-5 6-6"),
    ("3-3", {"opening_tiles": tiles("2-1 3-1"), "opener": "lot"}, "2-1 3-1"),
    ("5-4", {}, f"{DOUBLES} 6-3 6-4 6-5"),
    ("5-4", {"opening_without_double": "free"}, DOUBLES),
    ("5-4", {"opening": "free"}, ""),
    ("5-4", {"opener": "lot"}, ""),
]
"""The tile that opened the first hand, what the rules are, and which tiles cannot have been dealt."""


@pytest.mark.parametrize(("opening", "rules", "absent"), OPENED)
def test_tiles_that_come_before_the_one_that_opened_were_not_dealt(
    opening: str, rules: dict[str, Any], absent: str
) -> None:
    seen = position("block", [(opening, None)], "3-0 2-0", [7], **rules)
    assert never_dealt(seen) == set(tiles(absent))


OWN: list[tuple[str, dict[str, Any], str]] = [
    ("4-4 1-1 6-5", {}, "5-5 6-6"),
    ("4-4 1-1 6-5", {"opening": "free"}, "5-5 6-6"),
    ("4-4 1-1 6-5", {"opener": "lowest_double"}, "0-0"),
    ("6-1 5-4", {"opening_without_double": "free"}, f"{DOUBLES} 6-3 6-4 6-5"),
    ("6-1 5-4", {"opening_tiles": tiles("3-3 5-4 6-1")}, "3-3"),
    ("6-1 5-4", {"opening_tiles": tiles("3-3 2-2"), "opener": "lot"}, "3-3 2-2"),
    ("6-1 5-4", {"opener": "lot"}, ""),
]
"""What the leader of the first hand was dealt, what the rules are, and which tiles cannot have been dealt."""


@pytest.mark.parametrize(("own", "rules", "absent"), OWN)
def test_the_leader_can_tell_before_it_plays(own: str, rules: dict[str, Any], absent: str) -> None:
    seen = position("block", [], own, [7], **rules)
    assert never_dealt(seen) == set(tiles(absent))
    assert never_dealt(replace(seen, viewer=SPECTATOR)) == frozenset()


def later(reason: Any, winner: int | None, scores: tuple[int, int] = (5, 0), **rules: Any) -> MatchView:
    """A second hand that 4-4 opened, after a first that ended so."""
    seen = position("block", [("4-4", None)], "3-0 2-0", [7], **rules)
    points = by_team(scores)
    past = HandSummary(1, reason, winner, points, points, points, doubled=False, bonus=0)
    return replace(seen, past_hands=(past,))


def test_a_later_hand_tells_as_much_only_where_it_is_led_like_the_first() -> None:
    absent = {Tile(5, 5), Tile(6, 6)}
    leads: dict[str, Any] = {"lead_after_domino": "winner", "lead_after_block": "next_seat", "lead_after_tie": "opener"}
    assert never_dealt(later("domino", 0, **leads)) == frozenset()
    assert never_dealt(later("blocked", 0, **leads)) == frozenset()
    assert never_dealt(later("blocked", None, **leads)) == absent
    assert never_dealt(later("domino", 0, lead_after_domino="opener")) == absent
    assert never_dealt(later("domino", 0, (0, 0), target_rule="in_a_row", **leads)) == absent
    assert never_dealt(later("domino", 0, (5, 0), target_rule="in_a_row", **leads)) == frozenset()


def test_what_nobody_was_dealt_is_in_the_boneyard_until_it_may_have_been_drawn() -> None:
    def places(own: str, other: int) -> dict[str, int]:
        seen = position("draw", [("4-4", None)], own, [other], opener="highest_double", hand_size=4)
        known = know(seen)
        return {str(tile): allowed for tile, allowed in zip(known.unseen, known.allowed, strict=True)}

    in_boneyard, anywhere = 0b100, 0b110
    assert places("3-0 2-0 1-0", 4)["6-6"] == in_boneyard  # nothing has been drawn
    assert places("3-0 2-0 1-0", 5)["6-6"] == anywhere  # one tile has, by either seat
    assert places("3-0 2-0 1-0 5-5", 4)["6-6"] == in_boneyard  # one has, and it was the seat's own
    assert places("3-0 2-0 1-0 5-5", 5)["6-6"] == anywhere


def test_tiles_drawn_are_those_that_the_boneyard_has_lost() -> None:
    assert drawn(position("draw", [("4-4", None)], "3-0 2-0 1-0", [4], hand_size=4)) == 0
    assert drawn(position("draw", [("4-4", None)], "3-0 2-0 1-0 5-5", [6], hand_size=4)) == 3
