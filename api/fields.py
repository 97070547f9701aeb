"""Fields that a schema library reads, or describes, otherwise than their clients mean them."""

from typing import Any, Final

from pydantic import BeforeValidator
from pydantic_core import PydanticCustomError


def _digits(text: object) -> object:
    """Python reads more as an integer than a client means: `1_0`, ` 5 `, `+5`."""
    if isinstance(text, str) and not (text.isascii() and text.isdecimal()):
        raise PydanticCustomError("digits", "Should be an integer, in digits.")
    return text


DIGITS: Final = BeforeValidator(_digits)
"""A number that is written in digits and nothing else."""


def never_null(schema: dict[str, Any]) -> None:
    """The schema of a field that is null in here where it is absent, and that is never null out there."""
    schema.pop("default", None)
    [present] = [kind for kind in schema.pop("anyOf") if kind != {"type": "null"}]
    described = {**present, **schema}
    schema.clear()
    schema.update(described)
