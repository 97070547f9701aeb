"""Games on a plain line that only the end of a hand scores in, for players on their own."""

from dataclasses import replace
from typing import Final

from engine.rules import Rules
from engine.rulesets import Ruleset
from engine.tiles import Tile

_BLOCK: Final = Rules(
    opener="lot",
    lead_after_domino="next_seat",
    lead_after_block="next_seat",
    lead_after_tie="next_seat",
    block_pips="difference",
    target=100,
)
_DRAW: Final = replace(_BLOCK, drawing="until_playable", boneyard_reserve=2)
_MATADOR: Final = Rules(
    matching="sum",
    wild_tiles=(Tile(0, 0), Tile(6, 1), Tile(5, 2), Tile(4, 3)),
    drawing="until_playable",
    target=100,
)
_TIDDLY_WINK: Final = Rules(hand_size=3, line_ends=1, extra_turn="after_double", target=100)

RULESETS: Final = (
    Ruleset(
        id="block-book",
        title="Block, by the book",
        about="The plain game for two to four: the lead goes round, whoever cannot play passes. Going out scores "
        "what the others hold, and a blocked hand that less the winner's own pips. The first to reach 100 wins.",
        sources=("https://onlinedominogames.com/block-dominoes", "https://wikisum.wiki/wiki/Block_Dominoes"),
        tables={2: _BLOCK, 3: replace(_BLOCK, hand_size=5), 4: replace(_BLOCK, hand_size=5)},
        assumed="five tiles each for three and for four seats; books say five to seven.",
    ),
    Ruleset(
        id="draw-book",
        title="Draw, by the book",
        about="As block by the book, but whoever cannot play draws, and the last tiles of the boneyard stay: two of "
        "them with two seats, one with more.",
        sources=("https://onlinedominogames.com/draw-dominoes",),
        tables={
            2: _DRAW,
            3: replace(_DRAW, hand_size=5, boneyard_reserve=1),
            4: replace(_DRAW, hand_size=5, boneyard_reserve=1),
        },
        assumed="five tiles each for three and for four seats, where some deal seven, six and five; a lot finds the "
        "first leader; no drawing while a tile fits.",
    ),
    Ruleset(
        id="matador",
        title="Matador",
        about="Halves touch that make seven together, and the four matadors, 0-0, 6-1, 5-2 and 4-3, go anywhere; "
        "nothing else goes on a blank. Whoever cannot play draws. Going out, or the lightest hand when it is "
        "blocked, scores what the others hold. The first to reach 100 wins.",
        sources=(
            "https://www.pagat.com/domino/line/matador.html",
            "https://en.wikipedia.org/wiki/Matador_(domino_game)",
        ),
        tables={2: _MATADOR, 3: replace(_MATADOR, hand_size=6), 4: replace(_MATADOR, hand_size=5)},
        assumed="seven, six or five tiles by the number of seats, where some deal seven; a matador has to be played "
        "when nothing else fits; the highest double opens every hand; the boneyard is drawn to the end; a matador "
        "that makes no seven lies with its lower half inwards, where some let its player turn it.",
    ),
    Ruleset(
        id="tiddly-wink",
        title="Tiddly-wink",
        about="Five to nine seats, three tiles each, and a line that grows at one end only. Whoever plays a double "
        "plays again. Going out, or the lightest hand when it is blocked, scores what the others hold. The first to "
        "reach 100 wins.",
        sources=("https://www.pagat.com/domino/line/tiddlywink.html",),
        tables=dict.fromkeys((5, 6, 7, 8, 9), _TIDDLY_WINK),
        assumed="pips are scored in place of a pool; after a double a tile that fits has to be played, where the "
        "book leaves it open; the highest double opens every hand.",
    ),
    Ruleset(
        id="domy",
        title="Dômy",
        about="Three seats, seven tiles each, and seven asleep: nothing is drawn. Going out, or the lightest hand "
        "when it is blocked, scores what the others hold. The first to reach 120 wins.",
        sources=("https://domy-mg.tech/rules",),
        tables={
            3: Rules(lead_after_domino="winner", lead_after_block="winner", target=120),
        },
        assumed="the winner of a hand leads the next; no hand wins the match at once, where the source has four that "
        "do.",
    ),
)
