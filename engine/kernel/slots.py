"""Where everything stands in the kernel's arrays: a `Plan`, which is made once for rules, and the state of a hand.

A tile is its index in the plan, lighter ones first, and of equal ones the double last: the highest bit of a set is its
heaviest tile. -1 stands for none. Numbers of choices are their places in the literal types of `engine.rules`.
"""

from typing import Final

MOST_TILES: Final = 63
"""A set of tiles is a whole number of 64 bits, with its sign."""

NUMBERS: Final = 13
"""Numbers on tiles: 0 to 12."""

LEFT, RIGHT, UP, DOWN, OPENING = range(5)
"""Where a tile goes."""

DRAW: Final = -1
PASS: Final = -2
ENDS: Final = 8
"""A move is `DRAW`, `PASS` or, for a play, the tile times `ENDS` and the end."""

PLAYING, DOMINO, BLOCKED, TARGET = range(4)
REASONS: Final = ("playing", "domino", "blocked", "target", "unfinished")
"""How a hand ended, if it has."""

# The state of a hand.
(
    TURN,  # -1 once the hand is over
    LEADER,
    LAST_PLAYER,
    DRAWN,  # tiles drawn in this turn
    PASSES,  # since the last tile
    PASSED,  # whether the match's first pass has been made
    BOUND,  # the end at which the seat has to go on
    MUST_OPEN,
    YARD,  # tiles of the boneyard that have been drawn
    YARD_SIZE,  # tiles that it had
    BONUS,  # what winning the hand is worth besides
    IS_LAST,  # whether the match is over after this hand, whatever the scores
    REASON,
    WINNER,  # the team
    OPENED,  # whether there is a tile on the table
    OPENED_DOUBLE,  # whether the first one was a double
    SPINNER,  # its number
    LAID,  # the tiles on the table
    COUNT,  # of the layout
    ASKED,  # the tiles that fit anywhere
) = range(20)
SHOWN: Final = 20
"""By end: the number that lies there; the spinner's at its empty arms."""
HALVES: Final = 24
"""By end: with how many halves it is shown, as `scoring` counts them."""
LENGTH: Final = 28
"""By end: the tiles in the arm; 2 for more."""
BEYOND: Final = 32
"""By end: the tiles beyond the spinner; 2 for more."""
FITS: Final = 36
"""By end: the tiles that fit there; none where it is closed."""
HAND: Final = 40
"""The tiles of the first seat; the next seat's are `STRIDE` further on, and so with all that follows."""
SCORE: Final = 41
"""The match's points of the first team, as they stand."""
IN_PLAY: Final = 42
"""Points it took in play in this hand."""
AT_END: Final = 43
"""Points it took for how this hand ended."""
AMOUNT: Final = 44
"""What it is offered at the end of the hand."""
HELD: Final = 45
"""What counts of its tiles then."""
STRIDE: Final = 6

# A plan.
(
    SEATS,
    TEAMS,
    PAIRS,
    TILES,  # how many there are
    LINE_ENDS,
    DRAWING,
    RESERVE,
    LEAD_TILE,
    DOUBLE_FIRST,
    EXTRA_TURN,
    EXTRA_COUNTS,  # a bit for each
    SKIP_COUNTS,  # a bit for each
    SKIP_EQUAL_ENDS,
    SPINNER_RULE,
    SPINNER_ARMS,
    UNTIL_COVERED,
    RESTRICTS,  # whether what lies elsewhere may close an end
    COUNTS,  # whether the layout's count means anything
    SCORES_IN_PLAY,
    OPENING_SCORES,
    EQUAL_ENDS,  # how many points there are for equal ends
    DOUBLE_IS_PAIR,
    PASS_SCORES,  # whether a pass may be worth anything
    PASS_POINTS,
    FIRST_PASS_POINTS,
    OPENING_PASS_POINTS,
    ROUND_PASS_POINTS,
    PENALTY,
    PLAY_OUT,
    DOMINO_EXTRA,  # 1 where the winner's pips count too
    DOMINO_POINTS,
    LAST_TILE,
    LAST_TILE_FACTOR,
    LAST_TILE_BONUS,
    LAST_DOUBLE_BONUS,
    BONUS_TILES,
    BONUS_TILE_POINTS,
    BLOCK_WINNER,
    BLOCK_TIE,
    BLOCK_TILES,  # whether tiles are counted in a block
    BLOCK_EXTRA,  # how often the winner's pips count: 1, 0 or -1
    OWN_EACH,  # whether a block charges each team its own
    BLOCK_IS_FREE,  # whether it is worth nothing
    BLOCK_POINTS,
    ROUNDING,
    BLOCK_ROUNDING,
    ROUNDING_UNIT,
    ROUND_EACH,
    QUOTIENT,
    LEAST_POINTS,
    END_CEILING,
    FIRST_ENTRY,
    TARGET_SCORE,
    TARGET_RULE,
    AT_ONCE,
    DOUBLES,  # the tiles that are
) = range(56)
MOST_COUNT: Final = 160
EQUAL_ENDS_TABLE: Final = 56
"""Points for two equal halves, for three, and so on."""
FOR_COUNT: Final = 60
"""Points for each count of the layout."""
FITTING: Final = FOR_COUNT + MOST_COUNT
"""By number that is shown: the tiles that fit."""
FITTING_DOUBLE: Final = FITTING + NUMBERS
"""The same where only the double of what is asked for may go, and that double."""
ASKED_DOUBLE: Final = FITTING_DOUBLE + NUMBERS
"""By number that is shown: the double of the number asked for, if it is in the set."""
PIPS: Final = ASKED_DOUBLE + NUMBERS
"""By tile."""
HIGH: Final = PIPS + MOST_TILES
LOW: Final = HIGH + MOST_TILES
OUTER: Final = LOW + MOST_TILES
"""By tile, and by number that is shown where it goes: the half that lies outwards."""
PLAN_SIZE: Final = OUTER + MOST_TILES * NUMBERS
