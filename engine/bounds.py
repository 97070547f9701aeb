"""Bounds that travel with a type.

Every integer and string that enters or leaves the service is bounded. A bound is written once, beside the field it
limits. Type checkers ignore it; a schema library that looks for the hook method below obeys it, and none is imported.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Annotated, Any, ClassVar, Final, get_args

CoreSchema = dict[str, Any]
Handler = Callable[[Any], CoreSchema]


def _whole(value: object) -> object:
    """JSON has one kind of number: 2.0 is the integer 2. Text and booleans stay what they are, and are refused."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


@dataclass(frozen=True, slots=True)
class Between:
    """An integer from `low` to `high`, both included."""

    low: int
    high: int

    def __get_pydantic_core_schema__(self, source: object, handler: Handler) -> CoreSchema:
        exact = {"type": "int", "strict": True, "ge": self.low, "le": self.high}
        return {"type": "function-before", "function": {"type": "no-info", "function": _whole}, "schema": exact}


@dataclass(frozen=True, slots=True)
class Amount:
    """A number from `low` to `high`, both included, that need not be whole."""

    low: int
    high: int

    def __get_pydantic_core_schema__(self, source: object, handler: Handler) -> CoreSchema:
        return {"type": "float", "strict": True, "ge": self.low, "le": self.high}


@dataclass(frozen=True, slots=True)
class Text:
    """A string of `low` to `high` characters, wholly matching `pattern` (a dialect that Rust and ECMAScript share)."""

    low: int
    high: int
    pattern: str

    def __get_pydantic_core_schema__(self, source: object, handler: Handler) -> CoreSchema:
        return {
            "type": "str",
            "strict": True,
            "min_length": self.low,
            "max_length": self.high,
            "pattern": self.pattern,
        }


@dataclass(frozen=True, slots=True)
class Length:
    """A list of `low` to `high` items."""

    low: int
    high: int

    def __get_pydantic_core_schema__(self, source: object, handler: Handler) -> CoreSchema:
        return {**handler(source), "min_length": self.low, "max_length": self.high}


@dataclass(frozen=True, slots=True)
class Exact:
    """A boolean that is `true` or `false`, never a number or a word that stands for one."""

    def __get_pydantic_core_schema__(self, source: object, handler: Handler) -> CoreSchema:
        return {"type": "bool", "strict": True}


@dataclass(frozen=True, slots=True)
class Tagged:
    """A union whose members are told apart by the one value that each has in `field`."""

    field: str

    def __get_pydantic_core_schema__(self, source: object, handler: Any) -> CoreSchema:
        choices = {self._tag(member): handler.generate_schema(member) for member in get_args(source)}
        return {"type": "tagged-union", "discriminator": self.field, "choices": choices}

    def __get_pydantic_json_schema__(self, schema: object, handler: Any) -> dict[str, Any]:
        """A member's tag has a default, and yet the union cannot be read without it."""
        described: dict[str, Any] = handler(schema)
        for choice in described["oneOf"]:
            member = handler.resolve_ref_schema(choice)
            member["required"] = list(dict.fromkeys([*member.get("required", []), self.field]))
        return described

    def _tag(self, member: Any) -> Any:
        return next(field.default for field in fields(member) if field.name == self.field)


MOST_SEATS: Final = 9
MOST_TILES: Final = 91  # a double-twelve set
MOST_HANDS: Final = 1_000
"""Of a match, which keeps them all. There are rules by which no hand scores, so that no target is ever reached."""

Flag = Annotated[bool, Exact()]
SeatIndex = Annotated[int, Between(0, MOST_SEATS - 1)]
TeamIndex = Annotated[int, Between(0, MOST_SEATS - 1)]
Number = Annotated[int, Between(0, 12)]
TileCount = Annotated[int, Between(0, MOST_TILES)]
Position = Annotated[int, Between(0, MOST_TILES - 1)]
Pips = Annotated[int, Between(0, 1092)]  # all pips of a double-twelve set
Points = Annotated[int, Between(0, 1_000_000_000)]
HandNumber = Annotated[int, Between(1, 1_000_000)]
Seq = Annotated[int, Between(1, 2_147_483_647)]


class Described:
    """Base of the values that cross the service's border: fields are closed, and their docstrings are published."""

    __slots__ = ()
    __pydantic_config__: ClassVar = {
        "extra": "forbid",
        "use_attribute_docstrings": True,
        "json_schema_serialization_defaults_required": True,
    }
