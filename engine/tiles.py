"""Tiles, and the sets they come in."""

from functools import cache
from typing import Any, Final

HIGHEST_NUMBER: Final = 12
DOUBLE_SUIT: Final = 16
ANY_SUIT: Final = (1 << 2 * DOUBLE_SUIT) - 1
"""The suits of a tile that fits every end."""
_SHAPE: Final = r"(1[0-2]|[0-9])-(1[0-2]|[0-9])"


class Tile:
    """One tile, known by its two numbers and written high end first: `6-4`.

    There is one object for each tile, so tiles compare by identity: `Tile(4, 6) is Tile(6, 4)`. They sort by the high
    number, then by the low one. `numbers` has a bit set for each number on the tile. `suits` has those too and, for a
    double, one `DOUBLE_SUIT` places higher: an end that only takes the double of a number asks for that one.
    """

    __slots__ = ("high", "is_double", "low", "numbers", "pips", "suits", "text")

    high: int
    low: int
    pips: int
    is_double: bool
    numbers: int
    suits: int
    text: str

    def __new__(cls, one: int, other: int) -> "Tile":  # noqa: PYI034 - there is one object for each tile
        try:
            return _TILES[one, other]
        except KeyError:
            raise ValueError(f"A tile's numbers run from 0 to {HIGHEST_NUMBER}.") from None

    @classmethod
    def parse(cls, text: str) -> "Tile":
        """Read `6-4` or `4-6`; `ValueError` for anything else, without repeating it."""
        try:
            return _WRITTEN[text]
        except KeyError:
            raise ValueError(f'A tile is two numbers from 0 to {HIGHEST_NUMBER} and a hyphen, as in "6-4".') from None

    def other(self, number: int) -> int:
        """The number at the far end when the end that shows `number` touches the layout."""
        return self.low if number == self.high else self.high

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("A tile never changes.")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("A tile never changes.")

    def __lt__(self, other: "Tile") -> bool:
        return (self.high, self.low) < (other.high, other.low)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Tile({self.high}, {self.low})"

    def __reduce__(self) -> tuple[type["Tile"], tuple[int, int]]:
        return Tile, (self.high, self.low)

    @classmethod
    def _read(cls, value: object) -> "Tile":
        if isinstance(value, Tile):
            return value
        return cls.parse(value if isinstance(value, str) else "")

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: object) -> dict[str, Any]:
        return {
            "type": "custom-error",
            "schema": {"type": "function-plain", "function": {"type": "no-info", "function": cls._read}},
            "custom_error_type": "tile",
            "custom_error_message": 'Should be a tile, such as "6-4".',
            "serialization": {"type": "to-string", "when_used": "always"},
        }

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: object, handler: object) -> dict[str, Any]:
        return {"type": "string", "pattern": f"^{_SHAPE}$", "minLength": 3, "maxLength": 5, "examples": ["6-4"]}


def _make(high: int, low: int) -> Tile:
    tile = object.__new__(Tile)
    for name, value in (
        ("high", high),
        ("low", low),
        ("pips", high + low),
        ("is_double", high == low),
        ("numbers", 1 << high | 1 << low),
        ("suits", 1 << high | 1 << low | (1 << high + DOUBLE_SUIT if high == low else 0)),
        ("text", f"{high}-{low}"),
    ):
        object.__setattr__(tile, name, value)
    return tile


_TILES: Final[dict[tuple[int, int], Tile]] = {}
for _high in range(HIGHEST_NUMBER + 1):
    for _low in range(_high + 1):
        _TILES[_high, _low] = _TILES[_low, _high] = _make(_high, _low)

_WRITTEN: Final = {f"{one}-{other}": tile for (one, other), tile in _TILES.items()}


def pips(tiles: tuple[Tile, ...]) -> int:
    """The pips on all of `tiles` together."""
    return sum([tile.pips for tile in tiles])


@cache
def tile_set(highest_double: int) -> tuple[Tile, ...]:
    """All tiles of a set, lowest first: 28 for a double-six set, 55 for double-nine, 91 for double-twelve."""
    return tuple(Tile(high, low) for high in range(highest_double + 1) for low in range(high + 1))


@cache
def numbers_in(mask: int) -> tuple[int, ...]:
    """The numbers whose bits are set in `mask`, lowest first; one more than a tile has may be asked for."""
    return tuple(number for number in range(HIGHEST_NUMBER + 2) if mask >> number & 1)
