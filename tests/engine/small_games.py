"""Games so small that every deal can be played: what everybody sees of one, and all deals with which that is seen."""

import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

from engine.deal import FixedDeal
from engine.errors import RuleViolation
from engine.events import HandDealt
from engine.hand import playable
from engine.match import Match, Transition, create, decide
from engine.moves import Draw
from engine.rules import Rules
from engine.tiles import Tile
from engine.view import SPECTATOR, MatchView, Viewer, open_hand, redact, view
from tests.engine.games import AT, setup

Hands = tuple[tuple[Tile, ...], ...]


def tiles(text: str) -> tuple[Tile, ...]:
    return tuple(map(Tile.parse, text.split()))


def without(kept: str) -> tuple[Tile, ...]:
    """All tiles but these."""
    return tuple(tile for tile in Rules().live_tiles() if tile not in tiles(kept))


SMALL = "0-0 1-0 1-1 2-0 2-1 2-2 3-2"
"""A set of which few deals can be made: 630 with two tiles for each of three seats, whatever their order."""

OPENINGS: dict[str, dict[str, Any]] = {
    "highest double": {},
    "lowest double": {"opener": "lowest_double", "opening": "automatic"},
    "named tiles": {"opening_tiles": tiles("2-1 3-2 0-0")},
    "named tiles, or a lot": {"opening_tiles": tiles("2-1 3-2"), "opener": "lot"},
    "heaviest tile": {"removed_tiles": without("1-0 2-0 2-1 2-2 3-0 3-1 3-2"), "opening_without_double": "automatic"},
    "a free lead": {"opener": "lot"},
    "a free opening": {"opening": "free", "opening_without_double": "free"},
    "a free opening without a double": {"opening_without_double": "free"},
    "a free opening with a double": {"opening": "free", "opening_tiles": tiles("2-1 1-1")},
    "a double leads": {"lead_tile": "double"},
    "a double that is missing at the lead": {"lead_tile": "double", "opener": "lot"},
    "a double of one's own choice leads": {"lead_tile": "double", "opening": "free"},
}
"""Ways to open a hand."""

TURNS: dict[str, dict[str, Any]] = {
    "sums": {"matching": "sum", "removed_tiles": without("6-1 5-2 4-3 5-1 3-3 4-2 4-4")},
    "wild tiles": {"wild_tiles": tiles("1-0 2-2")},
    "one end": {"line_ends": 1},
    "an end for a double": {"double_first": True},
    "turns missed": {"skip_counts": (2, 3, 4), "skip_equal_ends": True},
    "a double gives another turn": {"extra_turn": "after_double"},
    "a count gives another turn": {"extra_turn_counts": (2, 3, 4)},
    "another turn, or turns missed": {"extra_turn_counts": (2, 3, 4), "skip_counts": (1, 2, 3)},
    "a turn until stuck": {"extra_turn": "until_stuck"},
    "a turn until stuck, or turns missed": {
        "extra_turn": "until_stuck",
        "skip_counts": (2, 3),
        "skip_equal_ends": True,
    },
    "a spinner": {"spinner": "first_double", "spinner_arms": "at_once"},
}
"""What else may tell of tiles."""

BLOCK: dict[str, dict[str, Any]] = {
    **OPENINGS,
    **TURNS,
    "a hand played out": {"play_out": True},
    "a hand played out until stuck": {"play_out": True, "extra_turn": "until_stuck"},
}
"""Games of three seats that pass."""

DRAWING: dict[str, dict[str, Any]] = {
    **{
        name: rules for name, rules in (OPENINGS | TURNS).items() if "free opening" not in name and "choice" not in name
    },
    "one draw": {"drawing": "once"},
    "a reserve": {"boneyard_reserve": 1},
    "one draw, and a double leads": {"drawing": "once", "lead_tile": "double", "opener": "lot"},
}
"""Games of two seats that draw. A seat that draws may not know which of its tiles it was dealt, to tell how others were
found that could open with any.
"""


class World(NamedTuple):
    """A match as it may be, and what the seats have held in it."""

    match: Match
    held: tuple[Hands, ...]
    """By how many moves had been made."""


def every_deal(live: Sequence[Tile], seat_count: int, size: int, *, ordered: bool) -> Iterator[Hands]:
    """All deals of `live`, the boneyard last, in each of its orders where they matter."""
    if not seat_count:
        for boneyard in itertools.permutations(live) if ordered else [tuple(live)]:
            yield (boneyard,)
        return
    for hand in itertools.combinations(live, size):
        left = [tile for tile in live if tile not in hand]
        for rest in every_deal(left, seat_count - 1, size, ordered=ordered):
            yield (hand, *rest)


def public(done: Transition) -> list[object]:
    """What everybody sees of what a call did, but for the hand's end, which shows all tiles."""
    hidden = open_hand(done.match) or 1
    events = [redact(event, SPECTATOR, hidden) for event in done.events]
    return [event for event in events if event.type not in {"hand_ended", "points_scored", "match_ended"}]


@cache
def beginnings(name: str, *, draws: bool) -> tuple[Transition, ...]:
    """A small game with each deal that can be made."""
    parameters = {"removed_tiles": without(SMALL)} | (DRAWING if draws else BLOCK)[name]
    seat_count = 2 if draws else 3
    players = setup("block", 0).players[:1] * seat_count
    chosen = setup("draw" if draws else "block", 1, players, hand_size=2, target=0, opening="forced")
    chosen = replace(chosen, rules=replace(chosen.rules, **parameters))
    return tuple(
        create(replace(chosen, deal=FixedDeal(dealt[:-1], dealt[-1])), AT)
        for dealt in every_deal(chosen.rules.live_tiles(), seat_count, 2, ordered=draws)
        if chosen.rules.lead_tile == "any" or any(tile.is_double for held in dealt[:-1] for tile in held)
    )


def begun(done: Transition) -> World:
    assert done.match.hand is not None
    deal = next(event for event in done.events if isinstance(event, HandDealt))
    dealt = tuple(hand.tiles or () for hand in deal.tiles)
    return World(done.match, (dealt, done.match.hand.tiles) if done.match.hand.moves else (dealt,))


def looking_alike(name: str, number: int, *, draws: bool) -> Iterator[tuple[Match, list[World]]]:
    """The positions of a small game played by chance, each with all that the public log allows instead."""
    rng = random.Random(number)
    every = beginnings(name, draws=draws)
    true = rng.choice(every)
    worlds = [begun(each) for each in every if public(each) == public(true)]
    while true.match.status == "playing":
        match = true.match
        assert match.hand is not None
        yield match, worlds
        move = rng.choice(view(match, Viewer("seat", match.turn)).hand.legal_moves)  # type: ignore[union-attr]
        if isinstance(move, Draw):
            move = Draw(rng.randrange(len(match.hand.boneyard)))
        true = decide(match, match.turn, move, AT)
        following = [(attempted(each.match, move), each.held) for each in worlds]
        worlds = [
            World(done.match, (*held, done.match.hand.tiles))
            for done, held in following
            if done is not None and done.match.hand is not None and public(done) == public(true)
        ]


def attempted(match: Match, move: Any) -> Transition | None:
    try:
        return decide(match, match.turn, move, AT)
    except RuleViolation:
        return None


def compared(name: str, number: int, *, draws: bool = False) -> Iterator[tuple[MatchView, list[World]]]:
    """What the seat sees that has the turn and can play, and all worlds that look like it, by the log."""
    for match, worlds in looking_alike(name, number, draws=draws):
        assert match.hand is not None
        assert match.turn is not None
        if not playable(match.setup.rules, match.hand, match.turn):
            continue  # somebody else can play, or the hand were over: that is not told
        own = set(match.hand.tiles[match.turn])
        alike = [each for each in worlds if each.match.hand and set(each.match.hand.tiles[match.turn]) == own]
        yield view(match, Viewer("seat", match.turn)), alike
