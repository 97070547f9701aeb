"""The tiles on the table written a second time: one list of halves, with two arms beside the spinner."""

from typing import Any

from tests.engine.oracle_deals import Tile, live_tiles, name


class Line:
    """The layout of a hand, which changes in place. A place is `left`, `right`, `up` or `down`."""

    def __init__(self, rules: dict[str, Any]) -> None:
        self.rules = rules
        self.line: list[tuple[int, int]] = []
        self.spinner: int | None = None
        self.arms: dict[str, list[tuple[int, int]]] = {"up": [], "down": []}
        self.laid: list[Tile] = []

    def outermost(self) -> dict[str, tuple[int, int] | None]:
        """The half that faces away at each place where the layout ends, open or not, and the half behind it.

        Null for an arm of the spinner without a tile.
        """
        if not self.line:
            return {}
        places: dict[str, tuple[int, int] | None] = {}
        if self.rules["line_ends"] == 2:
            places["left"] = self.line[0]
        places["right"] = (self.line[-1][1], self.line[-1][0])
        at = self.spinner
        if at is not None and (self.rules["spinner_arms"] != "after_sides" or 0 < at < len(self.line) - 1):
            for place, arm in self.arms.items():
                places[place] = (arm[-1][1], arm[-1][0]) if arm else None
        return places

    def spinner_number(self) -> int:
        assert self.spinner is not None
        return self.line[self.spinner][0]

    def shown(self) -> dict[str, int]:
        """The number that each place shows."""
        return {place: halves[0] if halves else self.spinner_number() for place, halves in self.outermost().items()}

    def halves(self, place: str) -> int:
        """How many halves face away there; an opening double that lies alone has one for each side."""
        halves = self.outermost()[place]
        if halves is None:
            return 0
        shares = len(self.line) == 1 and place in ("left", "right") and self.rules["line_ends"] == 2
        return 2 if halves[0] == halves[1] and not shares else 1

    def counted(self, place: str) -> int:
        halves = self.halves(place)
        if not halves and self.rules["spinner_count"] == "until_covered":
            halves = 1
        return halves * self.shown()[place]

    def count(self) -> int:
        return sum(map(self.counted, self.outermost()))

    def asked(self, shown: int) -> int:
        return shown if self.rules["matching"] == "equal" else self.rules["highest_double"] + 1 - shown

    def awaited(self, number: int) -> bool:
        """Whether the double of `number` is still to be laid."""
        return (number, number) in live_tiles(self.rules) and (number, number) not in self.laid

    def ends(self) -> dict[str, tuple[int, bool]]:
        """The number asked for at each open place, and whether only its double may go there."""
        ends = {place: (self.asked(shown), False) for place, shown in self.shown().items()}
        cross, at = self.rules["spinner_arms"], self.spinner
        if at is not None and cross in ("cross_first", "sides_first", "cross_and_doubles_first"):
            sizes = {"left": at, "right": len(self.line) - 1 - at, **{arm: len(self.arms[arm]) for arm in self.arms}}
            bare = [place for place in ends if sizes[place] == 0]
            owing = [place for place, (number, _) in ends.items() if sizes[place] == 1 and self.awaited(number)]
            if cross == "sides_first":
                bare = [place for place in bare if place in ("left", "right")] or bare
            if bare:
                ends = {place: ends[place] for place in bare}
            elif owing and cross == "cross_and_doubles_first":
                return {place: (ends[place][0], True) for place in owing}
        if self.rules["double_first"]:
            return {place: (number, self.awaited(number)) for place, (number, _) in ends.items()}
        return ends

    def fits(self, tile: Tile) -> list[str]:
        """The places where `tile` may go, once there is a tile."""
        ends = self.ends()
        if name(tile) in self.rules["wild_tiles"]:
            return list(ends)
        return [
            place for place, (number, only) in ends.items() if (tile == (number, number) if only else number in tile)
        ]

    def lay(self, tile: Tile, end: str | None) -> tuple[int, int]:
        """Put `tile` down, and say which half lies inwards and which outwards."""
        wanted, double = self.rules["spinner"], tile[0] == tile[1]
        if end is None:
            self.line, self.laid = [tile], [tile]
            self.spinner = 0 if double and wanted in ("first_double", "opening_double") else None
            return tile
        number = self.ends()[end][0]
        inner = number if number in tile else min(tile)
        outer = tile[0] + tile[1] - inner
        self.laid.append(tile)
        if end in self.arms:
            self.arms[end].append((inner, outer))
            return inner, outer
        if end == "left":
            self.line.insert(0, (outer, inner))
            self.spinner = None if self.spinner is None else self.spinner + 1
        else:
            self.line.append((inner, outer))
        if self.spinner is None and wanted in ("first_double", "first_covered"):
            among = range(len(self.line)) if wanted == "first_double" else range(1, len(self.line) - 1)
            self.spinner = next((at for at in among if self.line[at][0] == self.line[at][1]), None)
        return inner, outer

    def equal_halves(self, end: str | None, tile: Tile) -> int:
        """How many halves show the number that `tile`, just played at `end`, leaves there; 0 where it is alone."""
        shown = self.shown()
        number = shown[end or "right"]
        same = [place for place in shown if shown[place] == number and self.halves(place)]
        if len(same) > 1:
            return sum(map(self.halves, same))
        return 2 if self.rules["double_is_pair"] and tile[0] == tile[1] else 0
