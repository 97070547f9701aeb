"""Which rule sets a test is tried on: all of them, where it is quick; else those that differ in kind."""

from typing import Final

SOURCE_GAMES: Final = ("partner-penalty", "all-fives", "draw", "block")
"""What the others are variants of."""

KINDS: Final = (
    *SOURCE_GAMES,
    "matador",  # sums, and tiles that fit every end
    "tiddly-wink",  # five seats and more, one open end, another turn
    "maltese-cross",  # four arms, and ends for doubles only
    "hungarian",  # turns that go on, a hand that goes on without a seat
    "pass-pass",  # turns that are missed
    "manaus",  # a double leads, points for passes
    "cut-throat",  # scores that are set back
)
"""The source games, and one of each kind that plays differently."""
