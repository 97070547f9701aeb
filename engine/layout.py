"""The line of play: arms that grow out of the opening tile and, later, out of a spinner."""

from dataclasses import field
from functools import cache
from typing import Annotated, Final, Literal

from engine.bounds import Between, Described, Flag, Length, Number, Pips
from engine.rules import Rules
from engine.tiles import ANY_SUIT, DOUBLE_SUIT, HIGHEST_NUMBER, Tile, tile_set
from engine.values import value

End = Literal["left", "right", "up", "down"]
ENDS: Final[tuple[End, ...]] = ("left", "right", "up", "down")
AskedNumber = Annotated[int, Between(0, HIGHEST_NUMBER + 1)]
_OPPOSITE: Final[dict[End, End]] = {"left": "right", "right": "left"}
_ARMS: Final = {"up", "down"}
_LINE_ENDS: Final[dict[int, tuple[End, ...]]] = {1: ("right",), 2: ("left", "right")}
_OPENING_SPINNERS: Final = {"first_double", "opening_double"}
_CROSS_FIRST: Final = {"cross_first", "sides_first", "cross_and_doubles_first"}


@value
class Opening(Described):
    """The first tile of a hand; a non-double lies with its higher half to the left."""

    tile: Tile
    """The tile that opened the hand."""
    left: Number
    """The half that faces left."""
    right: Number
    """The half that faces right."""

    def shown(self, end: End) -> int:
        """The half that faces the `end`, left or right."""
        return self.left if end == "left" else self.right


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
    value: AskedNumber
    """The number asked for. By `matching` `sum` it is what the number shown lacks to the sum, which for a blank may be
    more than any tile has: only `wild_tiles` go there."""
    count: Annotated[int, Between(0, 24)]
    """The pips it adds to the layout's count: the number it shows, or both halves where the tile at the end is a
    double. An opening double that lies alone counts one half at each end; once one of its sides is covered, the other
    end counts both. An empty arm of a spinner counts nothing, or one half by `spinner_count` `until_covered`."""
    double_only: Flag = False
    """Whether only the double of `value` may go there, beside `wild_tiles`."""
    suit: int = field(init=False, repr=False, compare=False)
    """What it asks for as a bit, as in `Tile.suits`. It follows from the rest, and is published nowhere."""

    def __post_init__(self) -> None:
        self.suit = 1 << self.value + DOUBLE_SUIT * self.double_only  # type: ignore[misc]  # ends are made once each


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
    """The sum of what all ends count, those included that are closed until the spinner has a tile on each side; a play
    scores by it where the rules have `scored_multiples`."""

    @property
    def asked(self) -> int:
        """A bit for each thing that an open end asks for, as in `Tile.suits`."""
        mask = 0
        for end in self.ends:
            mask |= end.suit
        return mask

    def asked_at(self, end: End) -> int:
        """The bit of what the open `end` asks for; none where it is not open."""
        for each in self.ends:
            if each.end == end:
                return each.suit
        return 0

    def arm(self, end: End) -> tuple[PlacedTile, ...]:
        """The tiles played at `end`, ordered outwards."""
        for arm in self.arms:
            if arm.end == end:
                return arm.tiles
        return ()

    def inner(self, tile: Tile, end: End | None) -> int:
        """The half of `tile` that lies inwards at `end`: the number asked for, if the tile has it; else, for a wild
        tile, the lower one. The opening tile lies with its higher half to the left.
        """
        if end is None:
            return tile.high
        for each in self.ends:
            if each.end == end:
                return each.value if tile.numbers >> each.value & 1 else tile.low
        raise ValueError("The end is not open.")


Lines = dict[End, tuple[PlacedTile, ...]]
"""The tiles of the arms, by end."""

EMPTY: Final = Layout(None, None, (), (), 0)
"""The layout before the first tile."""


def suits(rules: Rules, tile: Tile) -> int:
    """The suits of `tile`, a bit for each: all there are for a wild tile."""
    return ANY_SUIT if tile in rules.wild_tiles else tile.suits


@cache
def _open_end(end: End, value: int, count: int, *, double_only: bool = False) -> OpenEnd:
    return OpenEnd(end, value, count, double_only)


def place(rules: Rules, layout: Layout, tile: Tile, end: End | None) -> Layout:
    """The layout after `tile` went to the open `end`; null opens an empty layout. Whether it may is not asked here."""
    if end is None:
        spinner = tile if tile.is_double and rules.spinner in _OPENING_SPINNERS else None
        return _with_ends(rules, Opening(tile, tile.high, tile.low), spinner, ())
    assert layout.opening is not None
    inner = layout.inner(tile, end)
    placed = PlacedTile(tile, inner, tile.other(inner))
    covered = layout.arm(end)
    arms = _extended(layout.arms, end, placed)
    spinner = layout.spinner
    if spinner is None and rules.spinner != "none":
        spinner = _new_spinner(rules, layout.opening, arms, end)
    is_near = spinner is not layout.spinner or not covered or covered[-1].tile is spinner
    if is_near or (_may_restrict(rules) and not _is_complete(rules, layout)):
        return _with_ends(rules, layout.opening, spinner, arms)
    # Further out no other end changes, and this is most of the moves there are.
    after = _end_of(rules, end, placed)
    ends = tuple([after if each.end == end else each for each in layout.ends])
    return Layout(layout.opening, spinner, arms, ends, sum([each.count for each in ends]))


def asked_to_go_on(rules: Rules, tile: Tile, layout: Layout, end: End | None) -> int:
    """The suits of which a seat needs one to go on, having played `tile` at `end`, which made the line `layout`, a bit
    for each; none where it may not.
    """
    stays = rules.extra_turn == "until_stuck"
    after_double = rules.extra_turn == "after_double" and tile.is_double
    if not stays and not after_double and layout.count not in rules.extra_turn_counts:
        return 0
    return layout.asked_at(end) if stays and end is not None else layout.asked


def _new_spinner(rules: Rules, opening: Opening, arms: tuple[Arm, ...], end: End) -> Tile | None:
    """The spinner that a play at `end`, which made `arms`, makes where there was none."""
    line = next(arm.tiles for arm in arms if arm.end == end)
    made: Tile | None = None
    if rules.spinner == "first_double":
        made = line[-1].tile
    elif rules.spinner == "first_covered":
        is_covered = len(line) > 1 or len(arms) == len(_OPPOSITE)
        made = (line[-2].tile if len(line) > 1 else opening.tile) if is_covered else None
    return made if made is not None and made.is_double else None


def _extended(arms: tuple[Arm, ...], end: End, placed: PlacedTile) -> tuple[Arm, ...]:
    for place, arm in enumerate(arms):
        if arm.end == end:
            return (*arms[:place], Arm(end, (*arm.tiles, placed)), *arms[place + 1 :])
    return tuple(sorted((*arms, Arm(end, (placed,))), key=lambda arm: ENDS.index(arm.end)))


def _with_ends(rules: Rules, opening: Opening, spinner: Tile | None, arms: tuple[Arm, ...]) -> Layout:
    lines = {arm.end: arm.tiles for arm in arms}
    ends = [_side(rules, opening, lines, end) for end in _LINE_ENDS[rules.line_ends]]
    if spinner is not None and (
        rules.spinner_arms != "after_sides"
        or (tiles_beyond(opening, spinner, lines, "left") and tiles_beyond(opening, spinner, lines, "right"))
    ):
        ends += [_arm_end(rules, spinner, lines, "up"), _arm_end(rules, spinner, lines, "down")]
    open_ends = _restricted(rules, opening, spinner, lines, ends) if _may_restrict(rules) else ends
    return Layout(opening, spinner, arms, tuple(open_ends), sum([end.count for end in ends]))


def _side(rules: Rules, opening: Opening, lines: Lines, end: End) -> OpenEnd:
    """The left or right end. A double counts both halves while it is the end of its side: an opening double on an
    uncovered side counts whole once the other is covered, and as one half on each while it lies alone (B4, B5).
    """
    if line := lines.get(end):
        return _end_of(rules, end, line[-1])
    shown = opening.shown(end)
    whole = opening.tile.is_double and (_OPPOSITE[end] in lines or rules.line_ends == 1)
    return _open_end(end, _asked(rules, shown), 2 * shown if whole else shown)


def _arm_end(rules: Rules, spinner: Tile, lines: Lines, end: End) -> OpenEnd:
    """The end of an arm that starts at the spinner: open to its number but, as a rule, worth nothing while it is empty
    (B6, B8).
    """
    if line := lines.get(end):
        return _end_of(rules, end, line[-1])
    return _open_end(end, _asked(rules, spinner.high), spinner.high if rules.spinner_count == "until_covered" else 0)


def _end_of(rules: Rules, end: End, last: PlacedTile) -> OpenEnd:
    return _open_end(end, _asked(rules, last.outer), last.tile.pips if last.tile.is_double else last.outer)


def _asked(rules: Rules, shown: int) -> int:
    return shown if rules.matching == "equal" else rules.highest_double + 1 - shown


def tiles_beyond(opening: Opening, spinner: Tile, lines: Lines, end: End) -> int:
    """How many tiles lie on the side of the spinner towards `end`; towards the opening tile there are some (B9)."""
    line = lines.get(end, ())
    if end in _ARMS or opening.tile is spinner:
        return len(line)
    tiles = [placed.tile for placed in line]
    if spinner in tiles:
        return len(tiles) - 1 - tiles.index(spinner)
    return len(tiles) + 1 + [placed.tile for placed in lines[_OPPOSITE[end]]].index(spinner)


def _may_restrict(rules: Rules) -> bool:
    """Whether what lies elsewhere can close an end, or leave it open to a double only."""
    return rules.double_first or (rules.spinner != "none" and rules.spinner_arms in _CROSS_FIRST)


def _is_complete(rules: Rules, layout: Layout) -> bool:
    """Whether that is over: four arms lie about the double that opened, and their doubles where these come first."""
    if rules.double_first or layout.opening is None or layout.spinner is not layout.opening.tile:
        return False
    return len(layout.arms) == len(ENDS) and not any(end.double_only for end in layout.ends)


def _restricted(
    rules: Rules, opening: Opening, spinner: Tile | None, lines: Lines, ends: list[OpenEnd]
) -> list[OpenEnd]:
    """Those of `ends` that are open, the doubles marked that have to come first."""
    laid = {opening.tile, *[placed.tile for line in lines.values() for placed in line]}
    to_come = {tile.high for tile in _doubles(rules.highest_double, rules.removed_tiles) if tile not in laid}
    doubles = [end for end in ends if end.value in to_come] if rules.double_first else []
    first = ends
    if spinner is not None and rules.spinner_arms in _CROSS_FIRST:
        beyond = {end.end: tiles_beyond(opening, spinner, lines, end.end) for end in ends}
        first = [end for end in ends if not beyond[end.end]]
        sides = [end for end in first if end.end not in _ARMS]
        if sides and rules.spinner_arms == "sides_first":
            first = sides
        touching = [end for end in ends if beyond[end.end] == 1 and end.value in to_come]
        if touching and not first and rules.spinner_arms == "cross_and_doubles_first":
            first = doubles = touching
    return [
        _open_end(end.end, end.value, end.count, double_only=True) if end in doubles else end for end in first or ends
    ]


@cache
def _doubles(highest_double: int, removed: tuple[Tile, ...]) -> tuple[Tile, ...]:
    return tuple([tile for tile in tile_set(highest_double) if tile.is_double and tile not in removed])


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
    asked = ", ".join(_in_words(layout, end) for end in layout.ends)
    return " ".join([*sentences, f"Open ends: {asked}."])


def _in_words(layout: Layout, end: OpenEnd) -> str:
    if end.double_only:
        return f"{end.end} {end.value}-{end.value} only"
    shown = _shown(layout, end.end)
    return f"{end.end} {end.value}" if end.value == shown else f"{end.end} {end.value} to the {shown}"


def _shown(layout: Layout, end: End) -> int:
    if line := layout.arm(end):
        return line[-1].outer
    if end in _ARMS and layout.spinner is not None:
        return layout.spinner.high
    assert layout.opening is not None
    return layout.opening.shown(end)
