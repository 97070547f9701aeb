"""What a search remembers of positions: two places for each remainder of their identity, so that memory is bounded."""

from typing import Final

from engine.kernel.compiled import Slots, compiled

EXACT, AT_LEAST, AT_MOST = 1, 2, 3
"""What is remembered of a worth."""
BYTES: Final = 32
"""Of memory, for each remainder."""

_MOVE: Final = 2
_LEFT: Final = 12
_SALT: Final = 19
_WORTH: Final = 31
_LEFT_MASK: Final = (1 << _SALT - _LEFT) - 1
_SALT_MASK: Final = (1 << _WORTH - _SALT) - 1
_MOVE_MASK: Final = (1 << _LEFT - _MOVE) - 1


@compiled
def entry(kind: int, worth: int, move: int, left: int, salt: int) -> int:
    """What is known of a position with so many tiles left, in one number, which is never 0."""
    return kind | move + 1 << _MOVE | left << _LEFT | (salt & _SALT_MASK) << _SALT | worth << _WORTH


@compiled
def kind_of(known: int) -> int:
    """Whether the worth is `EXACT`, or a bound."""
    return known & 3


@compiled
def worth_of(known: int) -> int:
    """The worth, or the bound."""
    return known >> _WORTH


@compiled
def move_of(known: int) -> int:
    """The move that was best; -1 for none."""
    return (known >> _MOVE & _MOVE_MASK) - 1


@compiled
def _mark(key: int, salt: int) -> int:
    """What is written beside what is known: no search finds what another one, of another salt, knew."""
    return key ^ (salt << 40)


@compiled
def recall(table: Slots, key: int, mask: int, salt: int) -> int:
    """What is known of the position of this identity; 0: nothing."""
    place, mark = (key & mask) * 4, _mark(key, salt)
    if table[place] == mark:
        return table[place + 1]
    return table[place + 3] if table[place + 2] == mark else 0


@compiled
def remember(table: Slots, key: int, mask: int, salt: int, known: int) -> None:
    """Remember what is `known`: in the first place if more tiles are left than in what this search has there, else in
    the second. So it never matters what another search has left there.
    """
    place, mark = (key & mask) * 4, _mark(key, salt)
    there = table[place + 1]
    is_current = there != 0 and (there ^ known) >> _SALT & _SALT_MASK == 0
    if table[place] != mark and is_current and there >> _LEFT & _LEFT_MASK > known >> _LEFT & _LEFT_MASK:
        place += 2
    table[place] = mark
    table[place + 1] = known
