"""What a search remembers of positions: two places for each remainder of their identity, so that memory is bounded.

A place is four numbers: the mark of the position, which move was best and what the place is worth keeping for, and
between what and what the worth lies.
"""

from typing import Final

from engine.kernel.compiled import Slots, compiled

ABOUT, LEAST, MOST = 1, 2, 3
"""After the mark."""
BYTES: Final = 64
"""Of memory, for each remainder."""

_PLACE: Final = 4
_LEFT: Final = 10
_SALT: Final = 17
_LEFT_MASK: Final = (1 << _SALT - _LEFT) - 1
_MOVE_MASK: Final = (1 << _LEFT) - 1


@compiled
def _mark(key: int, salt: int) -> int:
    """What is written for a position: no search finds what another one, of another salt, knew."""
    return key ^ (salt << 40)


@compiled
def recall(table: Slots, key: int, mask: int, salt: int) -> int:
    """The place of the position of this identity; -1: nothing is known of it."""
    place, mark = (key & mask) * 2 * _PLACE, _mark(key, salt)
    if table[place] == mark:
        return place
    return place + _PLACE if table[place + _PLACE] == mark else -1


@compiled
def move_at(table: Slots, place: int) -> int:
    """The move that was best; -1 for none."""
    return (table[place + ABOUT] & _MOVE_MASK) - 1


@compiled
def place_for(table: Slots, key: int, mask: int, salt: int, left: int) -> int:
    """Where to remember a position with so many tiles left: in the first place if these are more than of what this
    search has there, else in the second. So it never matters what another search has left there.
    """
    place, mark = (key & mask) * 2 * _PLACE, _mark(key, salt)
    about = table[place + ABOUT]
    if table[place] == mark or about >> _SALT != salt or about >> _LEFT & _LEFT_MASK <= left:
        return place
    return place + _PLACE


@compiled
def remember(table: Slots, place: int, key: int, salt: int, about: int) -> None:
    """Write down whose place it is."""
    table[place] = _mark(key, salt)
    table[place + ABOUT] = about


@compiled
def about(move: int, left: int, salt: int) -> int:
    """The best move and the tiles that are left, in one number."""
    return move + 1 | left << _LEFT | salt << _SALT
