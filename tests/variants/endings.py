"""Hands of four that many games play alike, so that an example is about what the end is worth there.

The last tile of seat 0 goes on 0 and 2, or on two blanks, and then 7, 6 and 8 pips are left to seats 1, 2 and 3. Or
nobody has a blank any more, and both ends are blank.
"""

from typing import Final

OUT: Final = "0: 4-4; 1: 5-4 right; 2: 4-0 left; 3: 5-2 right; "
"""Before the last tile: the ends are 0 and 2."""
OTHERS: Final = ("5-4 6-1", "4-0 3-3", "5-2 5-3")
"""What seats 1, 2 and 3 have then."""

OUT_ON_BLANKS: Final = "0: 4-4; 1: 5-4 right; 2: 4-0 left; 3: 5-0 right; "
"""Before the last tile: the ends are 0 and 0."""
OTHERS_ON_BLANKS: Final = ("5-4 6-1", "4-0 3-3", "5-0 5-3")

BLOCK: Final = "0: 2-2; 1: 2-0 left; 2: 2-1 right; 3: 1-0 right"
BLOCK_13_21: Final = ("2-2 4-1", "2-0 6-5", "2-1 5-3", "1-0 6-4")
"""Seat 0 is left with 5, seat 1 with 11, seat 2 with 8 and seat 3 with 10; the pairs with 13 and 21."""
BLOCK_13_13: Final = ("2-2 4-1", "2-0 3-1", "2-1 5-3", "1-0 5-4")
"""5, 4, 8 and 9: the pairs are tied."""
BLOCK_13_16: Final = ("2-2 4-3", "2-0 4-1", "2-1 5-1", "1-0 6-5")
"""7, 5, 6 and 11: the lightest hand is in the heavier pair."""
BLOCK_5_5: Final = ("2-2 4-1", "2-0 3-2", "2-1 5-1", "1-0 6-5")
"""5, 5, 6 and 11: the lightest hands are tied, and one of each pair."""
