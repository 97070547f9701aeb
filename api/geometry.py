"""Where the tiles of a layout lie on a felt, in whole numbers: what `web/geometry.js` has for pages.

A half-tile is 2 by 2, and 0, 0 is the middle of the spinner, or of the opening tile while there is no spinner; y grows
downwards. A line goes along a row until the next tile would pass the felt's edge. That tile goes off at a right angle
from the side of the last one's outer half, and the one after it back the other way, from its end: so rows are at least
6 apart, and doubles, which lie across and at most 2 beyond the edge, never touch those of the next row. The right arm
folds down and the left one up, over the whole width; where a spinner may have arms too, each has a quarter of it.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from engine.layout import ENDS, End, Layout
from engine.tiles import Tile
from engine.values import value

LENGTH: Final = 4
GAP: Final = 6
"""How far the rows of a quarter stay away from the arm in the middle."""
LEAST_REACH: Final = 8
LEAST_QUARTER: Final = 12
LEAST_DEPTH: Final = 8
_OTHER: Final[dict[End, End]] = {"left": "right", "right": "left"}


@value
class Felt:
    """What there is room for."""

    reach: int
    """How far rows go to the left and to the right of the middle; less than `LEAST_REACH` is as much."""
    depth: int
    """How far a spinner's arms go up and down before they bend; less than `LEAST_DEPTH` is as much."""
    quadrants: bool
    """Whether the rules have a spinner; a reach of less than `LEAST_QUARTER` is as much then."""


@value
class Box:
    """A rectangle, from its upper left corner."""

    x: int
    y: int
    width: int
    height: int


@value
class Half:
    """Half a tile: its middle, and the number on it."""

    x: int
    y: int
    number: int


@value
class Placement:
    """A tile that lies."""

    tile: Tile
    end: End | None
    """The side of the middle that it is on; null for the tile in the middle."""
    double: bool
    """Whether it lies across its line, as a double does."""
    halves: tuple[Half, Half]
    """The inner one first; in the middle, the left or the upper one."""
    box: Box


@value
class Laid:
    """A tile by its halves, the inner one first."""

    tile: Tile
    inner: int
    outer: int


@value
class Cursor:
    """Where a line goes on."""

    end: End
    x: int
    y: int
    """The middle of the edge that the next tile touches."""
    half: int
    """Half as long as that edge."""
    row: int
    """The direction of this row or, in a column, of the next one."""
    fold: int
    """The direction in which row follows row."""
    column: bool
    room: int
    """How far a tile may go on."""
    low: int
    """How far rows go to the left."""
    high: int
    """How far rows go to the right."""


@value
class Arranged:
    """Where all tiles of a layout lie, and where the line goes on."""

    tiles: tuple[Placement, ...]
    layout: Layout
    cursors: dict[End, Cursor]

    def next(self, end: End | None, tile: Tile) -> Placement:
        """Where `tile` would lie at an open end or, with the end null, in the middle of an empty felt."""
        if end is None:
            return _at_middle(Laid(tile, tile.high, tile.low))
        inner = self.layout.inner(tile, end)
        return _lay(self.cursors[end], Laid(tile, inner, tile.other(inner)))[0]

    def spots(self) -> dict[End, Half]:
        """For each open end what is asked for, at the middle of the half that would touch it next."""
        spots: dict[End, Half] = {}
        for each in self.layout.ends:
            single = Laid(Tile(0, 0), each.value, -1)  # of whatever tile, but no double
            spots[each.end] = _lay(self.cursors[each.end], single)[0].halves[0]
        return spots

    def box(self) -> Box:
        """What all of them take up."""
        return around([*[placed.box for placed in self.tiles], *[_square(each) for each in self.spots().values()]])


def arrange(layout: Layout, felt: Felt) -> Arranged:
    """Lay the tiles of `layout` out on `felt`."""
    middle = _anchor(layout)
    lines = _lines(layout)
    across = middle is not None and middle.inner == middle.outer
    tiles = [] if middle is None else [_at_middle(middle)]
    cursors: dict[End, Cursor] = {}
    for end in ENDS:
        cursor = _start(end, felt, across=across)
        for laid in lines[end]:
            placed, cursor = _lay(cursor, laid)
            tiles.append(placed)
        cursors[end] = cursor
    return Arranged(tuple(tiles), layout, cursors)


def around(boxes: Iterable[Box]) -> Box:
    """The smallest rectangle around others; that of a tile in the middle where there are none."""
    found = tuple(boxes) or (Box(-2, -2, 4, 4),)
    x, y = min(box.x for box in found), min(box.y for box in found)
    right, bottom = max(box.x + box.width for box in found), max(box.y + box.height for box in found)
    return Box(x, y, right - x, bottom - y)


def _anchor(layout: Layout) -> Laid | None:
    if layout.spinner is not None:
        return Laid(layout.spinner, layout.spinner.high, layout.spinner.low)
    opening = layout.opening
    return None if opening is None else Laid(opening.tile, opening.left, opening.right)


def _lines(layout: Layout) -> dict[End, list[Laid]]:
    """The tiles on each side of the one in the middle, ordered outwards. A spinner that is not the opening tile divides
    the line anew.
    """
    lines = {end: [Laid(each.tile, each.inner, each.outer) for each in layout.arm(end)] for end in ENDS}
    opening, spinner = layout.opening, layout.spinner
    if opening is None or spinner is None or opening.tile is spinner:
        return lines
    near: End = "left" if any(each.tile is spinner for each in lines["left"]) else "right"
    far = _OTHER[near]
    place = [each.tile for each in lines[near]].index(spinner)
    turned = [Laid(each.tile, each.outer, each.inner) for each in reversed(lines[near][:place])]
    first = Laid(opening.tile, opening.shown(near), opening.shown(far))
    return lines | {near: lines[near][place + 1 :], far: [*turned, first, *lines[far]]}


def _start(end: End, felt: Felt, *, across: bool) -> Cursor:
    edge = max(felt.reach, LEAST_QUARTER if felt.quadrants else LEAST_REACH)
    on_left = end in {"left", "down"}
    low = GAP if felt.quadrants and not on_left else -edge
    high = -GAP if felt.quadrants and on_left else edge
    row = 1 if end in {"right", "up"} else -1
    fold = 1 if end in {"right", "down"} else -1
    if end in _OTHER:
        x = 1 if across else 2
        half = 2 if across else 1
        return Cursor(end, row * x, 0, half, row, fold, column=False, room=edge - x, low=low, high=high)
    room = max(felt.depth, LEAST_DEPTH) - 2
    return Cursor(end, 0, 2 * fold, 1, row, fold, column=True, room=room, low=low, high=high)


def _lay(cursor: Cursor, laid: Laid) -> tuple[Placement, Cursor]:
    """Lay a tile where a line goes on."""
    row, fold = cursor.row, cursor.fold
    double = laid.inner == laid.outer and cursor.room >= 0
    turns = not double and cursor.room < LENGTH
    column = cursor.column != turns
    x, y = cursor.x, cursor.y
    if turns:
        x, y = x - row, y + fold * (cursor.half if column else 1)
    dx, dy = (0, fold) if column else (row, 0)
    length = 2 if double else LENGTH
    to = x + length * dx, y + length * dy
    room = cursor.room - length
    if turns:
        room = 0 if column else ((cursor.high if row > 0 else cursor.low) - to[0]) * row
    after = replace(
        cursor,
        x=to[0],
        y=to[1],
        half=2 if double else 1,
        row=-row if turns and column else row,
        column=column,
        room=room,
    )
    return _placed(laid, cursor.end, (x + dx, y + dy), (dx, dy), double=double), after


def _placed(laid: Laid, end: End | None, at: tuple[int, int], way: tuple[int, int], *, double: bool) -> Placement:
    """A tile whose first half, or that whole if it lies across, is in the middle of `at`."""
    (x, y), (dx, dy) = at, way
    inner, outer = Half(x, y, laid.inner), Half(x + 2 * dx, y + 2 * dy, laid.outer)
    if double:
        inner, outer = (Half(x + side * abs(dy), y + side * abs(dx), laid.inner) for side in (-1, 1))
    return Placement(laid.tile, end, double, (inner, outer), around([_square(inner), _square(outer)]))


def _at_middle(laid: Laid) -> Placement:
    double = laid.inner == laid.outer
    return _placed(laid, None, (0 if double else -1, 0), (1, 0), double=double)


def _square(half: Half) -> Box:
    return Box(half.x - 1, half.y - 1, 2, 2)
