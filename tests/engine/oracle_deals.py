"""Deals written a second time, from the documentation of the engine's and from nothing else."""

import hashlib
import hmac
import itertools
from collections.abc import Iterator
from typing import Any

Tile = tuple[int, int]


def name(tile: Tile) -> str:
    return f"{tile[0]}-{tile[1]}"


def named(text: str) -> Tile:
    high, low = sorted(map(int, text.split("-")), reverse=True)
    return high, low


def words(seed: str, label: str, *integers: int) -> Iterator[int]:
    """The words of a stream, as the engine's documentation spells them out."""
    message = label.encode() + b"".join(integer.to_bytes(8, "big") for integer in integers)
    for block in itertools.count():
        digest = hmac.new(bytes.fromhex(seed), message + block.to_bytes(8, "big"), hashlib.sha256).digest()
        for start in range(0, 32, 4):
            yield int.from_bytes(digest[start : start + 4], "big")


def below(bound: int, stream: Iterator[int]) -> int:
    return next(word for word in stream if word < 2**32 - 2**32 % bound) % bound


def shuffled(tiles: list[Tile], stream: Iterator[int]) -> list[Tile]:
    deck = list(tiles)
    for last in range(len(deck) - 1, 0, -1):
        other = below(last + 1, stream)
        deck[last], deck[other] = deck[other], deck[last]
    return deck


def live_tiles(rules: dict[str, Any]) -> list[Tile]:
    tiles = [(high, low) for high in range(rules["highest_double"] + 1) for low in range(high + 1)]
    return [tile for tile in tiles if name(tile) not in rules["removed_tiles"]]


def thrown_in(rules: dict[str, Any], hands: list[list[Tile]]) -> bool:
    for tiles in hands:
        doubles = sum(high == low for high, low in tiles)
        suits = [sum(number in tile for tile in tiles) for number in range(rules["highest_double"] + 1)]
        for most, found in ((rules["redeal_doubles"], doubles), (rules["redeal_suit"], max(suits))):
            if most and found >= most:
                return True
    return bool(rules["lead_tile"] == "double") and all(high != low for tiles in hands for high, low in tiles)


def dealt(rules: dict[str, Any], seats: int, seed: str, hand: int) -> tuple[list[list[Tile]], list[Tile], int]:
    """The tiles of each seat, the boneyard, and how many deals were thrown in before."""
    for redeals in itertools.count():
        deck = shuffled(live_tiles(rules), words(seed, "capicua/deal/1", hand, redeals))
        hands = [[deck.pop(0) for _ in range(rules["hand_size"])] for _ in range(seats)]
        if not thrown_in(rules, hands):
            return hands, deck, redeals
    raise AssertionError
