"""Games on a cross: four arms that grow out of the double that opens the hand."""

from dataclasses import replace
from typing import Final

from engine.rules import Rules
from engine.rulesets import Ruleset

_CROSS: Final = Rules(
    drawing="until_playable",
    boneyard_reserve=2,
    spinner="opening_double",
    spinner_arms="cross_first",
    block_pips="difference",
    target=100,
)
_MALTESE_CROSS: Final = replace(
    _CROSS, drawing="once", boneyard_reserve=0, spinner_arms="cross_and_doubles_first", target=60
)

RULESETS: Final = (
    Ruleset(
        id="sebastopol",
        title="Sebastopol",
        about="Four seats, all tiles dealt. 6-6 opens every hand, and four tiles are laid about it before anything "
        "else. Whoever cannot play passes. Going out scores what the others hold, and a blocked hand that less the "
        "winner's own pips. The first to reach 100 wins.",
        sources=(
            "https://gambiter.com/domino/western/sebastopol.html",
            "https://onlinedominogames.com/sebastopol-dominoes",
        ),
        tables={
            4: replace(_CROSS, drawing="never", boneyard_reserve=0),
        },
        assumed="100 is the target, where some play to 60.",
    ),
    Ruleset(
        id="cross",
        title="Cross",
        about="The highest double opens, and a tile is laid on each of its four sides before an arm grows. Whoever "
        "cannot play draws, all but the last two tiles. Going out scores what the others hold. The first to reach "
        "100 wins.",
        sources=("https://www.dominorules.com/cross-dominoes",),
        tables={2: _CROSS, 3: replace(_CROSS, hand_size=6), 4: replace(_CROSS, hand_size=5)},
        assumed="the target; a block scores what the others hold less the winner's own; the highest double opens "
        "every hand, and where nobody has one the heaviest tile does, and there is no cross.",
    ),
    Ruleset(
        id="maltese-cross",
        title="Maltese cross",
        about="As cross, and then each of the four tiles has to be followed by the double of its number before "
        "anything else is played. Whoever cannot play draws one tile. The first to reach 60 wins.",
        sources=("https://gambiter.com/domino/western/maltese.html", "https://www.pagat.com/domino/cross/"),
        tables={2: _MALTESE_CROSS, 3: replace(_MALTESE_CROSS, hand_size=5), 4: replace(_MALTESE_CROSS, hand_size=5)},
        assumed="the highest double opens every hand, and where nobody has one the heaviest tile does, and there is "
        "no cross.",
    ),
)
