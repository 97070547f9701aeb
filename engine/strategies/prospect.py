"""What a play leads to, measured in the ways that the hard level weighs against each other."""

import math
from typing import NamedTuple

from engine.layout import Layout, OpenEnd, place
from engine.moves import Play
from engine.strategies.table import MATCH, Table
from engine.tiles import Tile, pips


class Prospect(NamedTuple):
    """What a play leads to: in points or in stakes (a stake is what going out is worth now)."""

    gain: float = 0
    """Points that the play takes."""
    reply: float = 0
    """Points that the next seat takes, on average, with its best reply."""
    shed: float = 0
    """Points that the pips are worth that leave the hand."""
    double: float = 0
    """Stakes: one for a double, which fits fewer numbers than another tile and so is harder to get rid of."""
    variety: float = 0
    """Stakes: one for each number left in the hand, where leftover pips are a penalty: common numbers go first, and the
    only tile with a number is kept."""
    way_back: float = 0
    """Stakes: the chance that the own hand still fits after the next seat has played."""
    control: float = 0
    """Stakes: the part of the tiles for the open ends, seen and unseen, that is in the own hand."""
    rivals: float = 0
    """Stakes: one for each turn that rivals lose, on average, because they cannot play; where they draw, one for each
    tile."""
    partner: float = 0
    """Stakes: one for each turn that the partner loses."""
    threat: float = 0
    """Points lost to a rival that may go out next or, less likely, with the tile after."""
    finish: float = 0
    """Points for going out next with the own last tile, or the partner's, with what that tile adds."""
    blocked: float = 0
    """Points for the hand that this play blocks, as likely as it does."""
    squeeze: float = 0
    """Points for the block that may follow when only the own hand can go on."""


def look_ahead(table: Table, play: Play) -> Prospect:
    """What `play` leads to. For a match won at once no price is too high. The last tile ends the hand wherever it goes:
    only the points that it takes depend on the end.
    """
    after = place(table.rules, table.layout, play.tile, play.end)
    points = table.in_play(after, play.end)
    kept = tuple([tile for tile in table.tiles if tile is not play.tile])
    if table.reaches(table.me, points):
        return Prospect(gain=math.inf)
    if not kept:
        return Prospect(gain=points)
    asked, stake, own = after.asked, table.stake, pips(kept)
    rivals, partners = table.rivals, table.partners
    suits = table.memory.suits
    can_follow = any(suits[tile] & asked for tile in kept)
    shut = 1.0
    for seat in (*rivals, *partners):
        shut *= table.memory.stuck(seat, asked)
    block = shut * table.block(own) if shut and not table.stock else 0.0
    on = 1.0 if can_follow or table.stock else 1 - shut
    """The chance that the hand goes on; everything but points and a block depends on that."""
    return Prospect(
        gain=points,
        reply=on * _reply(table, after) if table.rules.scored_multiples else 0,
        shed=on * play.tile.pips * table.pip,
        double=on * stake * play.tile.is_double,
        variety=on * stake * _variety(kept) if table.rules.scoring == "penalty" else 0,
        way_back=on * stake * _way_back(table, after, kept),
        control=on * stake * _control(table, after, kept),
        rivals=on * stake * sum([_turns_lost(table, seat, asked) for seat in rivals]),
        partner=on * stake * sum([_turns_lost(table, seat, asked) for seat in partners]),
        threat=on * _threat(table, after, own),
        finish=on * _finish(table, after, kept),
        blocked=0 if can_follow else block,
        squeeze=block if can_follow else 0,
    )


def counts_without(layout: Layout) -> list[tuple[OpenEnd, int]]:
    """For each open end the layout's count without it, to add the next tile's own end to.

    While the opening double lies alone each of its sides counts a half; the first tile beside it makes the other side
    count whole (B4, B5).
    """
    opening = layout.opening
    alone = (
        opening is not None
        and opening.tile.is_double
        and not layout.arm("left")
        and not layout.arm("right")
        and len(layout.ends) > 1
    )
    return [
        (end, layout.count - end.count + (end.count if alone and end.end in {"left", "right"} else 0))
        for end in layout.ends
    ]


def _reply(table: Table, after: Layout) -> float:
    """The next seat plays the tile that takes most, if it holds it; otherwise the second, and so on."""
    most: dict[Tile, int] = {}
    for end, count in counts_without(after):
        for tile in table.memory.fitting(after.asked_at(end.end)):
            inner = after.inner(tile, end.end)
            points = table.for_count(count + (tile.pips if tile.is_double else tile.other(inner)))
            if points > most.get(tile, 0):
                most[tile] = points
    seat = next(iter(table.rivals))
    chances = table.memory.chances[seat]
    replies = [
        (points + MATCH if table.reaches(seat, points) else points, chances[tile])
        for tile, points in most.items()
        if tile in chances
    ]
    expected, missed = 0.0, 1.0
    for points, chance in sorted(replies, reverse=True):
        expected += missed * chance * points
        missed *= 1 - chance
    return expected


def _variety(kept: tuple[Tile, ...]) -> int:
    numbers = 0
    for tile in kept:
        numbers |= tile.numbers
    return numbers.bit_count()


def _way_back(table: Table, after: Layout, kept: tuple[Tile, ...]) -> float:
    """Certain with two ends to go on at, which the next seat cannot both close; with one, if it cannot close that."""
    asked = [after.asked_at(end.end) for end in after.ends]
    ours = [each for each in asked if any(table.memory.suits[tile] & each for tile in kept)]
    if len(ours) != 1:
        return 1.0 if ours else 0.0
    return table.memory.stuck(next(iter(table.rivals)), ours[0])


def _control(table: Table, after: Layout, kept: tuple[Tile, ...]) -> float:
    shares = 0.0
    for end in after.ends:
        asked = after.asked_at(end.end)
        own = sum([table.memory.suits[tile] & asked != 0 for tile in kept])
        if own:
            shares += own / (own + len(table.memory.fitting(asked)))
    return shares / len(after.ends)


def _turns_lost(table: Table, seat: int, asked: int) -> float:
    """The chance that `seat` cannot play, times what that costs it: a turn or, where it draws, the tiles until one of
    the unseen ones fits.
    """
    stuck = table.memory.stuck(seat, asked)
    if not stuck or not table.stock or table.rules.drawing == "once":
        return stuck
    unseen, fitting = table.memory.unseen, table.memory.fitting(asked)
    return stuck * min(table.stock, (len(unseen) + 1) / (len(fitting) + 1))


def _goes_out(table: Table, seat: int, after: Layout, own: int) -> float:
    """What it is worth that `seat`, with one tile left, can go out next, as likely as it can."""
    plain = (1 - table.memory.stuck(seat, after.asked)) * table.domino(seat, own)
    if not table.last_tile_counts:
        return plain
    chances = table.memory.chances[seat].items()
    return plain + sum([chance * table.last_tile(seat, own, after, tile) for tile, chance in chances])


def _threat(table: Table, after: Layout, own: int) -> float:
    """A rival with one tile goes out if it fits; one with two tiles that can play is taken to be a quarter as near."""
    points = 0.0
    for seat, count in table.rivals.items():
        if count == 1:
            points -= _goes_out(table, seat, after, own)
        elif count == 2:
            points -= table.domino(seat, own) * (1 - table.memory.stuck(seat, after.asked)) / 4
    return points


def _finish(table: Table, after: Layout, kept: tuple[Tile, ...]) -> float:
    points = 0.0
    if len(kept) == 1 and table.memory.suits[kept[0]] & after.asked:
        points += table.domino(table.me, 0) + table.last_tile(table.me, 0, after, kept[0])
    for seat, count in table.partners.items():
        if count == 1:
            points += _goes_out(table, seat, after, pips(kept))
    return points
