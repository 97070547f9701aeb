"""What the kernel's functions are compiled with. They are written and type-checked as Python, and all integers are 64
bits wide.
"""

import hashlib
from collections.abc import Callable
from importlib import resources
from typing import Any, Final, Protocol, TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., Any])

_njit: Final[Any] = numba.njit


class Slots(Protocol):
    """Integers one after the other, as compiled functions see them: by their address, which costs nothing to hand on,
    where Numba would count who holds an array.
    """

    def __getitem__(self, index: int, /) -> int: ...

    def __setitem__(self, index: int, value: int, /) -> None: ...


def _digest() -> int:
    sources = [entry for entry in resources.files(__package__).iterdir() if entry.name.endswith(".py")]
    texts = [source.read_bytes() for source in sorted(sources, key=lambda source: source.name)]
    return int.from_bytes(hashlib.sha256(b"\0".join(texts)).digest()[:7], "big")


SOURCES: Final = _digest()
"""Of all the kernel's sources. Numba keeps compiled code until the file of the function itself changes, whatever
becomes of those that it calls; code that is kept names the sources that it was made of.
"""


def compiled(function: F) -> F:
    """Compile `function`, when it is first called, into what calls it."""
    return cast(F, _njit(nogil=True, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True)(function))


def kept(function: F) -> F:
    """Compile `function`, which Python calls, and keep the code for the next process. It has to close over `SOURCES`:
    what it closes over is part of the name that the code is kept under.
    """
    try:
        return cast(F, _njit(nogil=True, error_model="numpy", cache=True)(function))
    except RuntimeError:  # there is nowhere to keep it
        return cast(F, _njit(nogil=True, error_model="numpy")(function))
