"""The four games that the others are variants of."""

from typing import Final

from engine.rules import Rules
from engine.rulesets import Ruleset
from engine.tiles import Tile

RULESETS: Final = (
    Ruleset(
        id="partner-penalty",
        title="Partner penalty",
        about="Four seats in pairs, six tiles each, no double blank. Leftover pips are penalties, and a last tile "
        "that fits both ends doubles them. The first team to reach 101 loses.",
        sources=("MoPronostik: Domino practice",),
        tables={
            4: Rules(
                partners="pairs",
                removed_tiles=(Tile(0, 0),),
                hand_size=6,
                redeal_doubles=5,
                opener="lowest_double",
                lead_after_domino="winner",
                lead_after_block="winner",
                lead_after_tie="next_seat",
                scoring="penalty",
                last_tile="legal_both",
                last_tile_factor=2,
                target=101,
            )
        },
    ),
    Ruleset(
        id="all-fives",
        title="All fives",
        about="Two seats, seven tiles each (or nine, by `hand_size`), a spinner with four arms. A play that makes "
        "the open ends total a multiple of five scores it, and so do the opponent's leftover pips. The first to "
        "reach 150 wins at once.",
        sources=("Gamblers Palace: Dominoes",),
        tables={
            2: Rules(
                lead_after_domino="winner",
                drawing="until_playable",
                spinner="first_double",
                scored_multiples=(5,),
                rounding="nearest",
                block_rounding="nearest",
                target=150,
                target_check="at_once",
            )
        },
    ),
    Ruleset(
        id="draw",
        title="Draw",
        about="Two seats, seven tiles each. A seat that cannot play draws until it can. Going out scores the "
        "opponent's leftover pips, a blocked hand the difference. The first to reach 100 wins.",
        sources=("gekro: Dominoes",),
        tables={
            2: Rules(
                opening="automatic",
                opening_without_double="automatic",
                drawing="until_playable",
                block_pips="difference",
                target=100,
            )
        },
    ),
    Ruleset(
        id="block",
        title="Block",
        about="Two seats, seven tiles each, nothing to draw: a seat that cannot play passes. Going out scores the "
        "opponent's leftover pips, a blocked hand the difference. The first to reach 100 wins.",
        sources=("gekro: Dominoes",),
        tables={
            2: Rules(
                opening="automatic",
                opening_without_double="automatic",
                block_pips="difference",
                target=100,
            )
        },
    ),
)
