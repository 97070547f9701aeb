"""The line of play as a picture: an SVG document that needs nothing else, for pages, chats and print."""

from html import escape
from typing import Final

from api.geometry import Arranged, Box, Felt, Half, Placement, arrange
from engine.catalogue import RULESETS
from engine.layout import Layout, describe
from engine.match import Match

NARROWEST: Final = 8
WIDEST: Final = 100
USUAL: Final = 24
"""How far rows go from the middle to either side, in the units of `api.geometry`, where nobody asks for another."""
LARGEST: Final = 60_000
"""Characters; a line of 91 tiles takes half as many."""

_MARGIN: Final = 2
_SCALE: Final = 12
"""Pixels per unit where nobody asks for another size: a tile is 24 by 48."""
_EMPTY: Final = Box(-14, -5, 28, 10)

_PIPS: Final = (
    ((), ()),
    ((), (0,)),
    ((), ()),  # a diagonal: 2 and 3 have their corners by themselves
    ((), (0,)),
    ((-55, 55), ()),
    ((-55, 55), (0,)),
    ((-55, 0, 55), ()),
    ((-55, 0, 55), (0,)),
    ((-55, 0, 55), (-55, 55)),
    ((-55, 0, 55), (-55, 0, 55)),
    ((-70, -23, 23, 70), (-47, 47)),
    ((-70, -23, 23, 70), (-47, 0, 47)),
    ((-70, -23, 23, 70), (-70, -23, 23, 70)),
)
"""For each number the heights of the pips in the outer columns of a standing tile, and of those in the middle one, in
hundredths of half a half-tile.
"""
_DIAGONAL: Final = ((-55, -55), (55, 55))


def _sheet(felt: str, words: str, tile: str, edge: str) -> str:
    return (
        f".felt{{fill:{felt}}}.words{{fill:{words}}}.end{{fill:none;stroke:{words}}}"
        f".tile{{fill:{tile};stroke:{edge}}}.line{{stroke:{edge}}}.spinner{{stroke:#f2b632}}"
    )


_COLOURS: Final = (
    *("#b3261e", "#1c6e3c", "#1f4fa8", "#8a4b08", "#6f2a91", "#1d1d1b"),
    *("#0b6b74", "#a3195b", "#4b5b0c", "#5a3a22", "#33419b", "#7a1f1f"),
)
"""Of the pips of each number, from 1: those of the page."""
_STYLE: Final = (
    "<style>text{font:600 1.1px system-ui,sans-serif;text-anchor:middle}text.long{font-size:.8px}"
    + "".join(f".n{number}{{fill:{colour}}}" for number, colour in enumerate(_COLOURS, 1))
    + _sheet("#1f6b4a", "#f2f6ee", "#fbf6e6", "#a89b79")
    + f"@media(prefers-color-scheme:dark){{{_sheet('#174b36', '#e3ebe5', '#e4dcc6', '#857b60')}}}</style>"
)


def picture(match: Match, reach: int = USUAL) -> str:
    """What lies on the table of `match`, in rows of `reach` to either side of the middle."""
    ruleset = RULESETS.get(match.setup.ruleset)
    title = "Dominoes" if ruleset is None else ruleset.title
    if match.hand is None:
        return _document(title, "No hand has been dealt.", _EMPTY, None)
    title, layout = f"{title}, hand {match.hand.start.number}", match.hand.layout
    if layout.opening is None:
        return _document(title, describe(layout), _EMPTY, None)
    arranged = arrange(layout, Felt(reach, reach // 3, match.setup.rules.spinner != "none"))
    return _document(title, describe(layout), arranged.box(), _line(layout, arranged))


def _document(title: str, description: str, box: Box, line: str | None) -> str:
    """A picture of `line`, or of the description where there is none."""
    x, y = box.x - _MARGIN, box.y - _MARGIN
    width, height = box.width + 2 * _MARGIN, box.height + 2 * _MARGIN
    shown = f'<text class="words" y=".4">{escape(description)}</text>' if line is None else line
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{x} {y} {width} {height}" width="{_SCALE * width}" '
        f'height="{_SCALE * height}" role="img"><title>{escape(title)}</title><desc>{escape(description)}</desc>'
        f'{_STYLE}<rect class="felt" x="{x}" y="{y}" width="{width}" height="{height}" rx="1"/>{shown}</svg>\n'
    )


def _line(layout: Layout, arranged: Arranged) -> str:
    numbers = sorted({half.number for placed in arranged.tiles for half in placed.halves} - {0})
    halves = "".join(f'<path id="n{number}" class="n{number}" d="{_pips(number)}"/>' for number in numbers)
    tiles = "".join([_tile(placed, is_spinner=placed.tile is layout.spinner) for placed in arranged.tiles])
    spots = arranged.spots()
    ends = "".join([_end(spots[end.end], double_only=end.double_only) for end in layout.ends])
    return f'<defs>{halves}</defs><g stroke-width=".09">{tiles}{ends}</g>'


def _tile(placed: Placement, *, is_spinner: bool) -> str:
    box = placed.box
    lies = box.width > box.height
    middle = f"M{box.x + 2} {box.y + 0.3:g}v1.4" if lies else f"M{box.x + 0.3:g} {box.y + 2}h1.4"
    marked = ' class="tile spinner" stroke-width=".16"' if is_spinner else ' class="tile"'
    halves = "".join(
        f'<use href="#n{half.number}" transform="translate({half.x} {half.y}){"rotate(90)" if lies else ""}"/>'
        for half in placed.halves
        if half.number
    )
    return (
        f'<g><rect{marked} x="{box.x + 0.06:g}" y="{box.y + 0.06:g}" width="{box.width - 0.12:g}" '
        f'height="{box.height - 0.12:g}" rx=".3"/><path class="line" d="{middle}"/>{halves}</g>'
    )


def _end(spot: Half, *, double_only: bool) -> str:
    text = f"{spot.number}-{spot.number}" if double_only else f"{spot.number}"
    size = ' class="words long"' if double_only else ' class="words"'
    return (
        f'<circle class="end" cx="{spot.x}" cy="{spot.y}" r=".8"/>'
        f'<text{size} x="{spot.x}" y="{spot.y}" dy=".35em">{text}</text>'
    )


def _pips(number: int) -> str:
    outer, middle = _PIPS[number]
    wide = 65 if number > 9 else 55
    places = [(-wide, y) for y in outer] + [(0, y) for y in middle] + [(wide, y) for y in outer]
    if number in {2, 3}:
        places += _DIAGONAL
    r = 17 if number > 9 else 20 if number > 6 else 22
    circle = f"a{r / 100} {r / 100} 0 1 0 {r / 50} 0a{r / 100} {r / 100} 0 1 0 {-r / 50} 0z"
    return "".join(f"M{(x - r) / 100:g} {y / 100:g}{circle}" for x, y in places)
