"""What the machine can do and Python has no word for: addresses, and sets of tiles that are a bit for each tile."""

from collections.abc import Callable
from typing import Any, Final, cast

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from engine.kernel.compiled import Slots, compiled

Generate = Callable[[Any, ir.IRBuilder, Any, Any], Any]


def _at(context: Any, array: Any) -> tuple[Any, Generate]:  # noqa: ARG001 - Numba gives it
    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        return context.make_array(signature.args[0])(context, builder, arguments[0]).data

    pointer: Any = types.CPointer
    return pointer(array.dtype)(array), generate


def _further(context: Any, slots: Any, steps: Any) -> tuple[Any, Generate]:  # noqa: ARG001
    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
        return builder.gep(arguments[0], [arguments[1]])

    return slots(slots, types.int64), generate


def _of_tiles(instruction: Callable[[ir.IRBuilder, Any], Any]) -> Any:
    """A function of a set of tiles that is one instruction, or two."""

    def function(context: Any, tiles: Any) -> tuple[Any, Generate]:  # noqa: ARG001
        def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
            return instruction(builder, arguments[0])

        return types.int64(types.int64), generate

    return intrinsic(function)


def _count(builder: ir.IRBuilder, tiles: Any) -> Any:
    return builder.ctpop(tiles)


def _lowest(builder: ir.IRBuilder, tiles: Any) -> Any:
    return builder.cttz(tiles, ir.Constant(ir.IntType(1), 0))


def _highest(builder: ir.IRBuilder, tiles: Any) -> Any:
    leading = builder.ctlz(tiles, ir.Constant(ir.IntType(1), 0))
    return builder.sub(ir.Constant(ir.IntType(64), 63), leading)


at: Final = cast(Callable[[Any], Slots], intrinsic(_at))
"""The address of the numbers of an array, which has to be held as long as they are used: by who calls `kept` code."""

further: Final = cast(Callable[[Slots, int], Slots], intrinsic(_further))
"""The address so many numbers further on."""

count: Final = cast(Callable[[int], int], _of_tiles(_count))
"""How many tiles there are in a set."""

lowest: Final = cast(Callable[[int], int], _of_tiles(_lowest))
"""The lowest tile of a set; there has to be one."""

highest: Final = cast(Callable[[int], int], _of_tiles(_highest))
"""The highest tile of a set; there has to be one."""


@compiled
def copy(source: Slots, target: Slots, size: int) -> None:
    """Copy `size` numbers."""
    for slot in range(size):
        target[slot] = source[slot]
