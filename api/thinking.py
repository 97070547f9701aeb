"""What takes a processor a while, kept off the event loop."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


async def think(function: Callable[[], T]) -> T:
    """What `function` returns, which is called in another thread. No transaction is to be open meanwhile."""
    return await asyncio.to_thread(function)
