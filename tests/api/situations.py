"""Small tables over HTTP: two people with two or three tiles each, as text: `6-6 6-5`."""

from typing import Any, Final

import httpx

from tests.api.callers import HUMAN, Table, create

STUCK: Final = ("6-6 6-5", "5-0 1-0")
"""Seat 0 has to open with 6-6, seat 1 cannot follow, and then seat 0 goes out."""

FORKED: Final = ("6-6 6-4 1-1", "6-5 5-4 0-0")
"""After 6-6, 6-5 and 6-4, seat 1's 5-4 fits both ends, which ask for different numbers."""


async def seated(
    client: httpx.AsyncClient,
    ruleset: str,
    hands: tuple[str, ...] = STUCK,
    boneyard: str = "4-4 3-3",
    *,
    target: int = 100,
    **body: Any,
) -> Table:
    """A table with `hands`, at which the holder of the highest double has to open with it."""
    held = [hand.split() for hand in hands]
    return await create(
        client,
        ruleset,
        **{
            "seats": [HUMAN] * len(hands),
            "rules": {"hand_size": len(held[0]), "opening": "forced", "redeal_doubles": 0, "target": target},
            "deal": {"kind": "fixed", "hands": held, "boneyard": boneyard.split()},
            **body,
        },
    )


async def played(table: Table, line: str) -> Table:
    """The table after the plays of `line`, such as `6-6 6-5:left pass`, by two people in turn from seat 0."""
    for turn, step in enumerate(line.split()):
        tile, _, end = step.partition(":")
        caller = table.people[turn % 2]
        await (caller.post(tile) if tile == "pass" else caller.post("play", {"tile": tile, "end": end or None}))
    return table
