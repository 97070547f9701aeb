"""The line of play: arms that grow out of the opening tile and, later, out of a spinner."""

from functools import cache
from typing import Annotated, Final, Literal

from engine.bounds import Between, Described, Length, Number, Pips
from engine.rules import Rules
from engine.tiles import Tile
from engine.values import value

End = Literal["left", "right", "up", "down"]
ENDS: Final[tuple[End, ...]] = ("left", "right", "up", "down")
_OPPOSITE: Final[dict[End, End]] = {"left": "right", "right": "left"}


@value
class Opening(Described):
    """The first tile of a hand; a non-double lies with its higher half to the left."""

    tile: Tile
    """The tile that opened the hand."""
    left: Number
    """The half that faces left."""
    right: Number
    """The half that faces right."""


@value
class PlacedTile(Described):
    """A tile in an arm."""

    tile: Tile
    """The tile, high end first, whichever way it lies."""
    inner: Number
    """The half nearer to the opening tile, or to the spinner for arms that start there."""
    outer: Number
    """The half further away."""


@value
class Arm(Described):
    """The tiles played at one end, ordered outwards."""

    end: End
    """Where it grows."""
    tiles: Annotated[tuple[PlacedTile, ...], Length(1, 90)]
    """Its last tile makes the open end."""


@value
class OpenEnd(Described):
    """A place where a tile may go."""

    end: End
    """What a play names as its `end`."""
    value: Number
    """The number asked for."""
    count: Annotated[int, Between(0, 24)]
    """The pips it adds to the layout's count: the number asked for, or both halves where the tile at the end is a
    double. An opening double that lies alone counts one half at each end; once one of its sides is covered, the other
    end counts both. An empty arm of a spinner counts nothing."""


@value
class Layout(Described):
    """The tiles on the table. Without any, `opening` is null and there are no arms and no ends."""

    opening: Opening | None
    """The first tile of the hand; null while there is none."""
    spinner: Tile | None
    """The double that is built on from all four sides, once there is one."""
    arms: Annotated[tuple[Arm, ...], Length(0, 4)]
    """The arms that have a tile, in the order left, right, up, down."""
    ends: Annotated[tuple[OpenEnd, ...], Length(0, 4)]
    """The open places, in the order left, right, up, down, whoever holds what."""
    count: Pips
    """The sum of the ends' counts; a play scores by it where the rules have `scored_multiples`."""

    @property
    def numbers(self) -> int:
        """A bit for each number that an open end asks for."""
        mask = 0
        for end in self.ends:
            mask |= 1 << end.value
        return mask

    def arm(self, end: End) -> tuple[PlacedTile, ...]:
        """The tiles played at `end`, ordered outwards."""
        for arm in self.arms:
            if arm.end == end:
                return arm.tiles
        return ()

    def value(self, end: End) -> int:
        """The number that the open `end` asks for."""
        for each in self.ends:
            if each.end == end:
                return each.value
        raise ValueError("The end is not open.")


EMPTY: Final = Layout(None, None, (), (), 0)
"""The layout before the first tile."""


@cache
def _open_end(end: End, value: int, count: int) -> OpenEnd:
    return OpenEnd(end, value, count)


def place(rules: Rules, layout: Layout, tile: Tile, end: End | None) -> Layout:
    """The layout after `tile` went to the open `end`; null opens an empty layout. Whether it may is not asked here."""
    if end is None:
        spinner = tile if tile.is_double and rules.spinner != "none" else None
        return _with_ends(rules, Opening(tile, tile.high, tile.low), spinner, ())
    assert layout.opening is not None
    inner = layout.value(end)
    placed = PlacedTile(tile, inner, tile.other(inner))
    becomes_spinner = layout.spinner is None and tile.is_double and rules.spinner == "first_double"
    spinner = tile if becomes_spinner else layout.spinner
    covered = layout.arm(end)
    arms = _extended(layout.arms, end, placed)
    if becomes_spinner or not covered or covered[-1].tile is spinner:
        return _with_ends(rules, layout.opening, spinner, arms)
    # Further out no other end changes, and this is most of the moves there are.
    after = _end_of(end, placed)
    ends = tuple([after if each.end == end else each for each in layout.ends])
    return Layout(layout.opening, spinner, arms, ends, sum([each.count for each in ends]))


def _extended(arms: tuple[Arm, ...], end: End, placed: PlacedTile) -> tuple[Arm, ...]:
    if end in [arm.end for arm in arms]:
        return tuple([Arm(end, (*arm.tiles, placed)) if arm.end == end else arm for arm in arms])
    return tuple(sorted((*arms, Arm(end, (placed,))), key=lambda arm: ENDS.index(arm.end)))


def _with_ends(rules: Rules, opening: Opening, spinner: Tile | None, arms: tuple[Arm, ...]) -> Layout:
    outermost = {arm.end: arm.tiles[-1] for arm in arms}
    ends = [_side(opening, outermost, "left"), _side(opening, outermost, "right")]
    if spinner is not None and (rules.spinner_arms == "at_once" or _sides_covered(opening, spinner, outermost)):
        ends += [_arm_end(spinner, outermost, "up"), _arm_end(spinner, outermost, "down")]
    return Layout(opening, spinner, arms, tuple(ends), sum([end.count for end in ends]))


def _side(opening: Opening, outermost: dict[End, PlacedTile], end: End) -> OpenEnd:
    """The left or right end. A double counts both halves while it is the end of its side: an opening double on an
    uncovered side counts whole once the other is covered, and as one half on each while it lies alone (B4, B5).
    """
    if (last := outermost.get(end)) is not None:
        return _end_of(end, last)
    value = opening.left if end == "left" else opening.right
    whole = opening.tile.is_double and _OPPOSITE[end] in outermost
    return _open_end(end, value, 2 * value if whole else value)


def _arm_end(spinner: Tile, outermost: dict[End, PlacedTile], end: End) -> OpenEnd:
    """The end of an arm that starts at the spinner: open to its number but worth nothing while it is empty (B6, B8)."""
    if (last := outermost.get(end)) is not None:
        return _end_of(end, last)
    return _open_end(end, spinner.high, 0)


def _end_of(end: End, last: PlacedTile) -> OpenEnd:
    return _open_end(end, last.outer, last.tile.pips if last.tile.is_double else last.outer)


def _sides_covered(opening: Opening, spinner: Tile, outermost: dict[End, PlacedTile]) -> bool:
    """Whether both sides of the spinner in the line are covered; away from the opening the inner one always is (B9)."""
    if opening.tile is spinner:
        return "left" in outermost and "right" in outermost
    return all(outermost[end].tile is not spinner for end in _OPPOSITE if end in outermost)


def describe(layout: Layout) -> str:
    """The whole line in words, left to right, for people who cannot see it."""
    opening = layout.opening
    if opening is None:
        return "No tile has been played."
    left = [f"{placed.outer}-{placed.inner}" for placed in reversed(layout.arm("left"))]
    right = [f"{placed.inner}-{placed.outer}" for placed in layout.arm("right")]
    sentences = ["Left to right: " + ", ".join([*left, f"{opening.left}-{opening.right}", *right]) + "."]
    if layout.spinner is not None:
        sentences.append(f"Spinner {layout.spinner}.")
    for end in ("up", "down"):
        if arm := layout.arm(end):
            line = ", ".join(f"{placed.inner}-{placed.outer}" for placed in arm)
            sentences.append(f"{end.capitalize()} from the spinner: {line}.")
    asked = ", ".join(f"{each.end} {each.value}" for each in layout.ends)
    return " ".join([*sentences, f"Open ends: {asked}."])
