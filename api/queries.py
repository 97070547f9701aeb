"""Query parameters."""

from typing import Final

from pydantic import BeforeValidator
from pydantic_core import PydanticCustomError


def _digits(text: object) -> object:
    """Python reads more as an integer than a client means: `1_0`, ` 5 `, `+5`."""
    if isinstance(text, str) and not (text.isascii() and text.isdecimal()):
        raise PydanticCustomError("digits", "Should be an integer, in digits.")
    return text


DIGITS: Final = BeforeValidator(_digits)
"""A number that is written in digits and nothing else."""
