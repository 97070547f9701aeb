"""What speaks for a move or against it: plain facts of the position, from what the seat sees, in one sentence."""

from collections.abc import Iterator
from typing import Final

from engine import scoring
from engine.layout import Layout, asked_to_go_on, place, suits
from engine.moves import Draw, Pass, Play, Turn
from engine.strategies.legal import turns
from engine.tiles import DOUBLE_SUIT, Tile, numbers_in
from engine.view import HandView, MatchView

_MOST_FACTS: Final = 4
"""In a sentence: the rest is left out, the most telling ones being first."""


def why(view: MatchView, move: Turn) -> str:
    """A sentence about a legal `move` of the seat that has the turn."""
    match move:
        case Draw():
            return "You hold nothing that fits, and there is a tile to draw."
        case Pass():
            return "You hold nothing that fits, and there is nothing to draw."
        case Play():
            facts = list(_facts(view, move))[:_MOST_FACTS]
            subject = "It is the only legal move: it" if len(turns(view)) == 1 else "It"
            return f"{subject} {_listed(facts)}."


def _facts(view: MatchView, play: Play) -> Iterator[str]:
    """What `play` does, each as a phrase that goes on after "it"."""
    hand, me = view.hand, view.viewer.seat
    assert hand is not None
    assert me is not None
    rules, tiles = view.rules, view.seats[me].tiles or ()
    after = place(rules, hand.layout, play.tile, play.end)
    kept = tuple([tile for tile in tiles if tile is not play.tile])
    points, wins = _taken(view, me, after, play)
    if points:
        yield f"takes {points} point{'s' * (points > 1)}" + (", which win the match" if wins else "")
    if not kept:
        yield "is your last tile" if rules.play_out else "is your last tile, so that you go out"
    elif not wins:
        fitting = sum([suits(rules, tile) & after.asked != 0 for tile in kept])
        unseen = [tile for tile in rules.live_tiles() if tile not in {*_laid(hand.layout), *tiles}]
        if not fitting and not _stock(view, hand) and not any(suits(rules, tile) & after.asked for tile in unseen):
            yield "blocks the hand, as no tile fits then"
        else:
            yield from _goes_on(view, me, after, play, kept)
            yield _choice(fitting, len(kept))
    yield from _shed(play.tile, kept)


def _taken(view: MatchView, me: int, after: Layout, play: Play) -> tuple[int, bool]:
    """The points that `play` takes, and whether the match is won by them at once."""
    rules = view.rules
    score = view.scores[rules.team(me)].points
    points = scoring.taken(rules, score, scoring.in_play(rules, after, play.end))
    wins = points > 0 and rules.target_check == "at_once" and score + points >= rules.target > 0
    return points, wins


def _goes_on(view: MatchView, me: int, after: Layout, play: Play, kept: tuple[Tile, ...]) -> Iterator[str]:
    """Who is next, where that is sure, and what the table knows of what it lacks."""
    rules = view.rules
    if any(suits(rules, tile) & asked_to_go_on(rules, play.tile, after, play.end) for tile in kept):
        yield "keeps the turn"
        return
    count = len(view.seats)
    following = [view.seats[(me + step) % count] for step in range(1, count)]
    seat = next((seat for seat in following if seat.tile_count), None)
    if seat is None or rules.skip_counts or rules.skip_equal_ends:
        return
    lacks = sum([1 << number for number in seat.lacks]) | sum([1 << n + DOUBLE_SUIT for n in seat.lacks_doubles])
    asked = after.asked & lacks
    if not asked:
        return
    numbers = [str(number) for number in numbers_in(asked)]
    numbers += [f"the double {number}" for number in numbers_in(asked >> DOUBLE_SUIT)]
    if asked == after.asked:
        yield f"leaves seat {seat.seat}, which is next, only {_listed(numbers)}, which it has shown to lack"
    else:
        yield f"leaves an end at {_listed(numbers)}, which seat {seat.seat}, the next one, has shown to lack"


def _choice(fitting: int, kept: int) -> str:
    """How many of the tiles that are kept fit then."""
    if kept == 1:
        return "leaves you one tile, which fits" if fitting else "leaves you one tile, which does not fit then"
    if fitting == kept:
        return f"leaves you {kept} tiles that all fit"
    return (
        f"leaves you {fitting} of {kept} tiles that fit" if fitting else f"leaves you {kept} tiles, none of which fits"
    )


def _shed(tile: Tile, kept: tuple[Tile, ...]) -> Iterator[str]:
    """What is got rid of, where that is worth saying."""
    if not kept:
        return
    if tile.pips > max(each.pips for each in kept):
        yield "gets rid of your heaviest tile" + (", a double" if tile.is_double else "")
    elif tile.is_double:
        yield "gets rid of a double"


def _stock(view: MatchView, hand: HandView) -> bool:
    """Whether a tile can be drawn."""
    return view.rules.drawing != "never" and hand.boneyard_count > view.rules.boneyard_reserve


def _laid(layout: Layout) -> list[Tile]:
    opening = [] if layout.opening is None else [layout.opening.tile]
    return opening + [placed.tile for arm in layout.arms for placed in arm.tiles]


def _listed(phrases: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(phrases[:-1]), *phrases[-1:]]))
