"""Games that count hands won, not pips: whoever cannot play passes, and a block goes to the lightest hand."""

from dataclasses import replace
from typing import Final

from engine.rules import Rules
from engine.rulesets import Ruleset
from engine.tiles import Tile

_WINS: Final = Rules(
    lead_after_domino="winner",
    lead_after_block="winner",
    domino_points=1,
    block_winner="lowest_hand",
    block_points=1,
)
_PAIRS: Final = replace(_WINS, partners="pairs", last_tile="distinct_ends", last_tile_bonus=1, tie_bonus=1)
_CUT_THROAT: Final = replace(_WINS, target=6, target_rule="shutout")

RULESETS: Final = (
    Ruleset(
        id="pernambuco",
        title="Pernambuco",
        about="Four seats in pairs, six tiles each and four asleep. Going out is worth one point, with a double two, "
        "with a tile for both ends three (lá-e-lô), with a double for both ends four (cruzada). A block is worth "
        "one, and a tied one makes the next hand worth one more. The first to reach 6 wins.",
        sources=(
            "https://github.com/eriick505/domino-recife",
            "https://github.com/riltons/domino-club",
            "https://livrozilla.com/doc/1192275/",
            "https://domino-esje.blogspot.com/",
        ),
        tables={
            4: replace(
                _PAIRS,
                hand_size=6,
                redeal_doubles=5,
                last_tile="legal_both",
                last_tile_bonus=2,
                last_double_bonus=1,
                block_winner="lowest_team",
                target=6,
            )
        },
        assumed="a winner leads, and the highest double after a tie; 6 is the target, where some play to 7; five "
        "doubles are dealt again, where some say four and some give a point for six; a block goes to the pair with "
        "fewer pips, where some count none; a cruzada is four, where one source gives six.",
    ),
    Ruleset(
        id="jamaican-partner",
        title="Jamaican partner",
        about="Four seats in pairs, all tiles dealt. A hand is worth one, or two when the last tile matches both "
        "ends and these differ. A block goes to the lightest hand; after a tie 6-6 opens a hand that is worth one "
        "more. Six in a row win: a win of the other side sets both scores back to 0, and 6-6 opens again.",
        sources=("https://www.pagat.com/tile/wdom/caribbean.html", "https://sixlove.app/fr/partner-domino/"),
        tables={4: replace(_PAIRS, target=6, target_rule="in_a_row")},
        assumed="any such last tile counts, whether or not another tile could still have gone there; at one all "
        "nothing is worth more; after a tied block the next hand is; the winner leads, where the pair may choose "
        "which of them does.",
    ),
    Ruleset(
        id="cut-throat",
        title="Cut-throat",
        about="Two to four seats, each alone, all tiles dealt, without 0-0 for three. A hand won is worth one, a "
        "block goes to the lightest hand. Six wins decide, but only while somebody has none: once all have won, all "
        "scores go back to 0 and 6-6 opens again.",
        sources=("https://www.pagat.com/tile/wdom/caribbean.html", "https://sixlove.pages.dev/cutthroat-domino/"),
        tables={
            4: _CUT_THROAT,
            3: replace(_CUT_THROAT, removed_tiles=(Tile(0, 0),), hand_size=9),
            2: replace(_CUT_THROAT, hand_size=14),
        },
        assumed="two seats are dealt all tiles, where some deal seven and draw.",
    ),
    Ruleset(
        id="haitian",
        title="Haitian",
        about="Four seats in pairs, all tiles dealt; 6-6 opens, then a winner leads. A hand is worth one, a dekabès, "
        "a last tile that matches both different ends, two. A block goes to the lightest hand, and a tied one makes "
        "the next hand worth one more. The first to reach 4 wins.",
        sources=("https://www.cassandrementor.com/newBlogPost-zTtwLn",),
        tables={4: replace(_PAIRS, lead_after_tie="same_seat", target=4)},
        assumed="the target, and that after a tie the same seat leads a hand worth one more; the winner leads, where "
        "the pair may choose which of them does.",
    ),
    Ruleset(
        id="martinique",
        title="Martinique",
        about="Three seats, seven tiles each and seven asleep. A hand won is a star. Three stars win, but only while "
        "somebody has none: once all have one, all go back to 0, and the highest double opens again.",
        sources=("https://github.com/omardev1900/domino-martinique",),
        tables={3: replace(_WINS, target=3, target_rule="shutout")},
        assumed="a tied block is played again from the highest double, and the cochon's extra point is left out.",
    ),
)
