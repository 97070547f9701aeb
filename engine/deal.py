"""Fair, repeatable deals.

Everything random in a match comes from its seed, 32 bytes, through streams that anybody can write again:

1. A stream has a label and some integers. Its block `n` (from 0) is HMAC-SHA-256 with the seed as key and as
   message the label in ASCII, then the integers, then `n`, each as 8 bytes, high byte first.
2. A block is eight words of 4 bytes, high byte first. An integer below `b` is the next word `w` for which
   `w < 2**32 - 2**32 % b`, modulo `b`; other words are skipped. So every integer below `b` is equally likely.
3. A deck is the live tiles, lowest first (0-0, 1-0, 1-1, 2-0 …), shuffled: for `i` from the last index down to 1, swap
   the tiles at `i` and at an integer below `i + 1`. Its stream is `capicua/deal/1` with the number of the hand and the
   number of deals thrown in before.
4. The first tiles of the deck go to seat 0, as many as a hand has, the next to seat 1 and so on; the rest is the
   boneyard in drawing order. A deal with too many doubles, or tiles of one number, in one hand is thrown in, and so is
   one without any double where a double has to be led.
5. The seed of a numbered deal is SHA-256 of `capicua/numbered/1/` and the number in decimal.
6. Other streams have purposes of their own: `capicua/lot/1` with the hand's number chooses, below the number of seats,
   the seat that a lot gives the lead; `capicua/rest/1` shuffles, as in 3, the tiles that a fixed deal names nowhere;
   `capicua/cpu/1` is for the choices of CPU seats and never touches a deal.
7. The match publishes SHA-256 of the seed at once, and the seed when it is over.
"""

import hashlib
import hmac
import struct
from collections.abc import Iterator
from itertools import chain, count
from typing import Annotated, Final, Literal

from engine.bounds import MOST_SEATS, Between, Described, Length, Tagged, Text
from engine.errors import InvalidDeal
from engine.rules import Rules
from engine.tiles import HIGHEST_NUMBER, Tile
from engine.values import value

Seed = Annotated[str, Text(64, 64, "^[0-9a-fA-F]{64}$")]
"""32 bytes in hexadecimal."""

DealNumber = Annotated[int, Between(0, 4_294_967_295)]

_WORDS: Final = struct.Struct(">8I")
_WORD_RANGE: Final = 1 << 32


class Stream:
    """Unbiased integers from a seed, for one purpose. It changes in place, as integers are taken from it."""

    __slots__ = ("_words",)

    def __init__(self, seed: str, label: str, *numbers: int) -> None:
        message = label.encode("ascii") + b"".join([number.to_bytes(8, "big") for number in numbers])
        self._words = _words(bytes.fromhex(seed), message)

    def below(self, bound: int) -> int:
        """The next integer from 0 to `bound` - 1."""
        limit = _WORD_RANGE - _WORD_RANGE % bound
        word = next(self._words)
        while word >= limit:
            word = next(self._words)
        return word % bound

    def shuffled(self, tiles: tuple[Tile, ...]) -> tuple[Tile, ...]:
        """`tiles` in an order that is as likely as any other."""
        deck, words = list(tiles), self._words
        for last in range(len(deck) - 1, 0, -1):
            bound = last + 1  # from here on it is `below`, without a call for each tile
            limit, word = _WORD_RANGE - _WORD_RANGE % bound, next(words)
            while word >= limit:
                word = next(words)
            chosen = word % bound
            deck[last], deck[chosen] = deck[chosen], deck[last]
        return tuple(deck)


def _words(key: bytes, message: bytes) -> Iterator[int]:
    blocks = (hmac.digest(key, message + block.to_bytes(8, "big"), "sha256") for block in count())
    return chain.from_iterable(map(_WORDS.unpack, blocks))


@value
class SecretDeal(Described):
    """A seed from the operating system's source of randomness."""

    kind: Literal["secret"] = "secret"


@value
class NumberedDeal(Described):
    """Deals that anyone can repeat by their number, for practice: at most one seat may be human."""

    number: DealNumber
    """The same number is the same deals, for everybody."""
    kind: Literal["numbered"] = "numbered"


@value
class SeededDeal(Described):
    """Deals from a seed that the host keeps, for duplicate tables or to play a finished match's deals again."""

    seed: Seed
    """32 bytes in hexadecimal, yours to choose; the same seed is the same deals."""
    kind: Literal["seeded"] = "seeded"


@value
class FixedDeal(Described):
    """The exact first hand, for puzzles and lessons: dealt as it is, never thrown in. Later hands are secret."""

    hands: Annotated[tuple[Annotated[tuple[Tile, ...], Length(1, 45)], ...], Length(2, MOST_SEATS)]
    """The tiles of each seat, by seat."""
    boneyard: Annotated[tuple[Tile, ...], Length(0, 90)] = ()
    """The first tiles of the boneyard, in drawing order; tiles named nowhere follow in a random order."""
    kind: Literal["fixed"] = "fixed"


DealKind = Annotated[SecretDeal | NumberedDeal | SeededDeal | FixedDeal, Tagged("kind")]


@value
class Deal:
    """The tiles of one hand, by seat and in drawing order."""

    tiles: tuple[tuple[Tile, ...], ...]
    boneyard: tuple[Tile, ...]
    redeals: int


def seed_for(kind: DealKind, secret: bytes) -> str:
    """The seed of a match whose deal is `kind`; `secret`, 32 random bytes, is used where the deal names none."""
    match kind:
        case NumberedDeal():
            return hashlib.sha256(b"capicua/numbered/1/%d" % kind.number).hexdigest()
        case SeededDeal():
            return kind.seed.lower()
        case SecretDeal() | FixedDeal():
            return secret.hex()


def commitment(seed: str) -> str:
    """What a match publishes before play: SHA-256 of the seed's 32 bytes, in lowercase hexadecimal."""
    return hashlib.sha256(bytes.fromhex(seed)).hexdigest()


def deal(rules: Rules, seat_count: int, seed: str, kind: DealKind, number: int) -> Deal:
    """The deal of hand `number` of a match."""
    live = rules.live_tiles()
    if isinstance(kind, FixedDeal) and number == 1:
        named = {*kind.boneyard, *(tile for hand in kind.hands for tile in hand)}
        rest = tuple(tile for tile in live if tile not in named)
        return Deal(kind.hands, kind.boneyard + Stream(seed, "capicua/rest/1").shuffled(rest), redeals=0)
    redeals = 0
    while True:
        dealt = _dealt(rules, seat_count, Stream(seed, "capicua/deal/1", number, redeals).shuffled(live), redeals)
        if not _is_thrown_in(rules, dealt):
            return dealt
        redeals += 1


def lot(seat_count: int, seed: str, number: int) -> int:
    """The seat that a lot gives the lead of hand `number`."""
    return Stream(seed, "capicua/lot/1", number).below(seat_count)


def _dealt(rules: Rules, seat_count: int, deck: tuple[Tile, ...], redeals: int) -> Deal:
    size = rules.hand_size
    tiles = tuple([deck[seat * size : (seat + 1) * size] for seat in range(seat_count)])
    return Deal(tiles, deck[seat_count * size :], redeals)


def _is_thrown_in(rules: Rules, dealt: Deal) -> bool:
    if not rules.redeal_doubles and not rules.redeal_suit and rules.lead_tile == "any":
        return False
    doubles = [sum([tile.is_double for tile in tiles]) for tiles in dealt.tiles]
    if rules.lead_tile == "double" and not any(doubles):
        return True
    if 0 < rules.redeal_doubles <= max(doubles):
        return True
    return rules.redeal_suit > 0 and any(_longest_suit(tiles) >= rules.redeal_suit for tiles in dealt.tiles)


def _longest_suit(tiles: tuple[Tile, ...]) -> int:
    return max([sum([tile.numbers >> number & 1 for tile in tiles]) for number in range(HIGHEST_NUMBER + 1)])


def check_deal(rules: Rules, seat_count: int, kind: DealKind) -> None:
    """Raise `InvalidDeal` unless `kind` can be dealt to `seat_count` seats by `rules`."""
    if not isinstance(kind, FixedDeal):
        return
    if len(kind.hands) != seat_count:
        raise InvalidDeal(f"Give one hand for each of the {seat_count} seats.", "/hands")
    for seat, hand in enumerate(kind.hands):
        if len(hand) != rules.hand_size:
            raise InvalidDeal(f"Each hand holds {rules.hand_size} tiles by these rules.", f"/hands/{seat}")
    live = set(rules.live_tiles())
    groups = [(f"/hands/{seat}", hand) for seat, hand in enumerate(kind.hands)] + [("/boneyard", kind.boneyard)]
    for pointer, tiles in groups:
        for index, tile in enumerate(tiles):
            if tile not in live:
                raise InvalidDeal(
                    "Name each tile once, and only tiles of the set that the rules do not remove.",
                    f"{pointer}/{index}",
                )
            live.remove(tile)
    if rules.lead_tile == "double" and not any(tile.is_double for hand in kind.hands for tile in hand):
        raise InvalidDeal("Give somebody a double: by these rules a hand is led with one.", "/hands")
