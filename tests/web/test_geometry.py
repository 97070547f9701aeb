"""Where tiles lie: nothing overlaps, neighbours touch, and the page and the service say the same."""

import itertools
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import pytest
from pydantic import TypeAdapter

from api.geometry import LEAST_QUARTER, LEAST_REACH, Arranged, Box, Felt, Placement, around, arrange
from engine.catalogue import RULESETS
from engine.layout import EMPTY, Arm, End, Layout, OpenEnd, Opening, PlacedTile, describe
from engine.tiles import Tile, tile_set
from engine.view import LayoutView
from tests.engine.games import random_play, setup
from tests.programs import evaluated

Point = tuple[int, int]

SET: Final = tile_set(12)
MOVES: Final = 70
"""Of each playthrough: a hand and some of the next one."""
REACHES: Final = (8, 11, 16, 23, 40)
STRANGE: Final = 400
_VIEW: Final = TypeAdapter(LayoutView)
_ARRANGED: Final = """given.map(({ layout, felt, ghosts }) => {
  const { tiles, spots, next, box } = page.arrange(layout, felt);
  return { tiles, spots: Object.fromEntries(spots), box, ghosts: ghosts.map(([end, tile]) => next(end, tile)) };
})"""


@dataclass(frozen=True)
class Case:
    """A layout on a felt, and tiles that might be laid next."""

    layout: Layout
    felt: Felt
    ghosts: tuple[tuple[End | None, Tile], ...]

    def arranged(self) -> Arranged:
        return arrange(self.layout, self.felt)


def some_felt(rng: random.Random, *, quadrants: bool) -> Felt:
    return Felt(rng.choice(REACHES), rng.choice((0, 8, 9, 14, 30)), quadrants)


@cache
def played(ruleset: str) -> tuple[Case, ...]:
    """Every layout of a playthrough; a ghost for each end there is, of whatever tile."""
    rng = random.Random(ruleset)
    found = []
    for moment in random_play(setup(ruleset, 5), most=MOVES):
        hand, rules = moment.match.hand, moment.match.setup.rules
        if hand is None:
            continue
        felt = some_felt(rng, quadrants=rules.spinner != "none")
        ends: list[End | None] = [end.end for end in hand.layout.ends] or [None]
        found.append(Case(hand.layout, felt, tuple((end, rng.choice(SET)) for end in ends)))
    return tuple(found)


@cache
def strange() -> tuple[Case, ...]:
    """Lines as no game makes them: with doubles in a row, with a spinner anywhere, of all lengths."""
    return tuple(map(strange_case, range(STRANGE)))


def strange_case(number: int) -> Case:
    rng = random.Random(number)
    spinner, single = Tile(12, 12), Tile(12, 11)
    quadrants = rng.random() < 0.7
    others = [tile for tile in SET if tile not in {spinner, single}]
    doubles = rng.choice((0.0, 0.1, 0.3, 0.6, 1.0))

    def line() -> list[PlacedTile]:
        tiles = [
            rng.choice([tile for tile in others if tile.is_double == (rng.random() < doubles)] or others)
            for _ in range(rng.randrange(rng.choice((2, 8, 30, 91))))
        ]
        return [PlacedTile(tile, *rng.sample((tile.high, tile.low), 2)) for tile in tiles]

    lines: dict[End, list[PlacedTile]] = {"left": line(), "right": line()}
    opening = rng.choice((spinner, single, Tile(3, 3)))
    has_spinner = quadrants and rng.random() < 0.8
    if has_spinner:
        lines |= {"up": line(), "down": line()}
        if opening is not spinner:
            side = lines[rng.choice(("left", "right"))]
            side.insert(rng.randint(0, len(side)), PlacedTile(spinner, 12, 12))
    arms = tuple(Arm(end, tuple(tiles)) for end, tiles in lines.items() if tiles)
    ends = tuple(OpenEnd(end, rng.randrange(14), 0) for end in lines)
    layout = Layout(Opening(opening, *opening_halves(opening)), spinner if has_spinner else None, arms, ends, 0)
    return Case(layout, some_felt(rng, quadrants=quadrants), tuple((end, rng.choice(SET)) for end in lines))


def opening_halves(tile: Tile) -> tuple[int, int]:
    return tile.high, tile.low


def plain(placed: Placement) -> dict[str, Any]:
    """As the page has it."""
    box = placed.box
    halves = [{"x": half.x, "y": half.y, "number": half.number} for half in placed.halves]
    return {
        "tile": str(placed.tile),
        "end": placed.end,
        "double": placed.double,
        "halves": halves,
        "x": box.x,
        "y": box.y,
        "width": box.width,
        "height": box.height,
    }


def told(case: Case) -> dict[str, Any]:
    arranged, box = case.arranged(), case.arranged().box()
    return {
        "tiles": [plain(placed) for placed in arranged.tiles],
        "spots": {end: {"x": at.x, "y": at.y, "number": at.number} for end, at in arranged.spots().items()},
        "box": {"x": box.x, "y": box.y, "width": box.width, "height": box.height},
        "ghosts": [plain(arranged.next(end, tile)) for end, tile in case.ghosts],
    }


def asked(case: Case) -> dict[str, Any]:
    layout, felt = case.layout, case.felt
    shown = LayoutView(layout.opening, layout.spinner, layout.arms, layout.ends, layout.count, describe(layout)[:2000])
    return {
        "layout": _VIEW.dump_python(shown, mode="json"),
        "felt": {"reach": felt.reach, "depth": felt.depth, "quadrants": felt.quadrants},
        "ghosts": [(end, str(tile)) for end, tile in case.ghosts],
    }


def on_the_page(cases: Iterable[Case]) -> list[Any]:
    """What the page makes of `cases`, in one run of its module."""
    found: list[Any] = evaluated("geometry.js", _ARRANGED, [asked(case) for case in cases])
    return found


def every() -> Iterator[tuple[str, Case]]:
    for ruleset in RULESETS:
        yield from ((ruleset, case) for case in played(ruleset))
    yield from ((f"strange {number}", case) for number, case in enumerate(strange()))


def test_the_page_and_the_service_lay_tiles_alike() -> None:
    cases = list(every())
    assert {name for name, _ in cases} >= set(RULESETS)
    for (name, case), shown in zip(cases, on_the_page([case for _, case in cases]), strict=True):
        assert shown == told(case), name


def overlap(one: Placement, other: Placement) -> bool:
    a, b = one.box, other.box
    return a.x < b.x + b.width and b.x < a.x + a.width and a.y < b.y + b.height and b.y < a.y + a.height


def points(placed: Placement, *halves: int) -> set[Point]:
    """Where a tile may be touched: at some of its halves or, if it lies across, also between them."""
    box = placed.box
    if not placed.double:
        return {(placed.halves[half].x, placed.halves[half].y) for half in halves}
    return {(half.x, half.y) for half in placed.halves} | {(box.x + box.width // 2, box.y + box.height // 2)}


def touch(some: set[Point], others: set[Point]) -> bool:
    """Whether two squares of 2 by 2, in the middle of these, lie side by side."""
    return any({abs(x - p), abs(y - q)} == {0, 2} for (x, y), (p, q) in itertools.product(some, others))


def check(case: Case) -> None:
    arranged = case.arranged()
    ghosts = [arranged.next(end, tile) for end, tile in case.ghosts]
    lying = [*arranged.tiles, *ghosts]
    assert len(arranged.tiles) == (case.layout.opening is not None) + sum(len(arm.tiles) for arm in case.layout.arms)
    assert not [(a, b) for a, b in itertools.combinations(lying, 2) if overlap(a, b)]
    edge = max(case.felt.reach, LEAST_QUARTER if case.felt.quadrants else LEAST_REACH) + 3
    assert all(-edge <= each.box.x and each.box.x + each.box.width <= edge for each in lying)
    if not arranged.tiles:
        return
    middle = arranged.tiles[0]
    for end in ("left", "right", "up", "down"):
        line = [middle, *[each for each in lying if each.end == end]]
        for inner, outer in itertools.pairwise(line):
            assert touch(points(inner, *((0, 1) if inner is middle else (1,))), points(outer, 0))
    for end, spot in arranged.spots().items():
        last = [middle, *[each for each in arranged.tiles if each.end == end]][-1]
        assert touch(points(last, *((0, 1) if last is middle else (1,))), {(spot.x, spot.y)})
        apart = Placement(Tile(0, 0), end, False, (spot, spot), arranged.next(end, Tile(12, 11)).box)
        assert not any(overlap(apart, each) for each in arranged.tiles)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_no_tile_of_a_game_lies_on_another(ruleset: str) -> None:
    assert len(played(ruleset)) > MOVES / 3
    for case in played(ruleset):
        check(case)


def test_no_line_that_could_be_lies_on_itself() -> None:
    for case in strange():
        check(case)


@pytest.mark.parametrize("quadrants", [False, True])
@pytest.mark.parametrize("doubles", [0, 2, 3])
def test_a_whole_set_lies_on_a_felt_of_any_width(doubles: int, quadrants: bool) -> None:
    """All 91 tiles in one arm, or in four, with every so many of them a double."""
    for reach in range(41):
        tiles = [Tile(n % 12, n % 12) if doubles and n % doubles == 0 else Tile(n % 12, 12) for n in range(90)]
        lines = {"right": tiles[:], "left": tiles[:30], "up": tiles[:45], "down": tiles[:60]}
        ends: tuple[End, ...] = ("left", "right", "up", "down") if quadrants else ("left", "right")
        arms = tuple(Arm(end, tuple(PlacedTile(tile, tile.low, tile.high) for tile in lines[end])) for end in ends)
        spinner = Tile(12, 12) if quadrants else None
        layout = Layout(Opening(Tile(12, 12), 12, 12), spinner, arms, tuple(OpenEnd(end, 5, 0) for end in ends), 0)
        for ghost in (Tile(5, 5), Tile(6, 5)):
            check(Case(layout, Felt(reach, reach // 2, quadrants), tuple((end, ghost) for end in ends)))


def test_an_empty_felt_has_room_in_the_middle() -> None:
    arranged = arrange(EMPTY, Felt(20, 8, quadrants=True))
    assert (arranged.tiles, arranged.spots()) == ((), {})
    first = [arranged.next(None, tile).box for tile in (Tile(6, 4), Tile(6, 6))]
    assert first == [Box(-2, -1, 4, 2), Box(-1, -2, 2, 4)]
    assert around(first) == arranged.box()
