"""Games of two pairs for points, with all tiles dealt or some asleep: whoever cannot play passes."""

from dataclasses import replace
from typing import Final

from engine.rules import Rules
from engine.rulesets import Ruleset
from engine.tiles import Tile

_WINNERS_LEAD: Final = Rules(partners="pairs", lead_after_domino="winner", lead_after_block="winner")
_LEAD_GOES_ROUND: Final = Rules(
    partners="pairs",
    lead_after_domino="next_seat",
    lead_after_block="next_seat",
    lead_after_tie="next_seat",
)

RULESETS: Final = (
    Ruleset(
        id="latin",
        title="Latin partnership",
        about="Four seats in pairs, all tiles dealt. 6-6 opens the first hand, then the lead goes round. Going out, "
        "or the lower pair in a block, scores what the other pair holds. The first to reach 100 wins.",
        sources=("https://gambiter.com/domino/western/partnership.html",),
        tables={4: replace(_LEAD_GOES_ROUND, target=100)},
    ),
    Ruleset(
        id="spanish",
        title="Spanish pairs",
        about="Four seats in pairs, all tiles dealt. A lot finds the first leader, then the lead goes round. The "
        "winners of a hand score all that is left, their own tiles too. A tied block scores nothing. The first to "
        "reach 300 wins.",
        sources=("https://viewer.joomag.com/lloc-de-joc-marzo-abril-2008/0218185001480490582/p43",),
        tables={
            4: replace(_LEAD_GOES_ROUND, opener="lot", domino_pips="everyone", block_pips="everyone", target=300),
        },
        assumed="a lot finds the first leader, where some let 6-6 open, and 300 is the target, where some play to 350.",
    ),
    Ruleset(
        id="brazil-100",
        title="Brazilian hundred",
        about="The Latin game as it is played in Brazil: four seats in pairs, all tiles dealt. 6-6 opens the first "
        "hand, then the lead goes round. Going out, or the lower pair in a block, scores what the other pair holds. "
        "The first to reach 100 wins.",
        sources=("https://gamevelvet.com/",),
        tables={4: replace(_LEAD_GOES_ROUND, target=100)},
        assumed="6-6 opens, where some draw lots, and a tied block scores nothing, where some let its blocker lose.",
    ),
    Ruleset(
        id="brasilia",
        title="Brasília",
        about="Four seats in pairs, all tiles dealt, by the federation's rules. A lot finds the first leader. The "
        "winners of a hand score all that is left, their partner's tiles too, after a block as well. The first to "
        "reach 150 wins.",
        sources=(
            "http://www.fepad.com.br/fepad.php",
            "https://euamopadrebernardo.com.br/2013/04/abertas-as-inscricoes-para-o-campeonato.html",
        ),
        tables={
            4: replace(_LEAD_GOES_ROUND, opener="lot", domino_pips="everyone", block_pips="everyone", target=150),
        },
        assumed="the lead goes round after the first hand, and no hand is cut off by time.",
    ),
    Ruleset(
        id="manaus",
        title="Manaus",
        about="Fives for pairs on a double, all tiles dealt. Only a double may lead; who has none passes. Points for "
        "each multiple of five, 20 when the next seat has to pass, 20 more for going out with a double, and the "
        "losers' pips, rounded down to fives. The first to reach 200 wins at once.",
        sources=("The rules of the Amazonian domino, in an open repository", "https://kandyru.com.br/"),
        tables={
            4: replace(
                _WINNERS_LEAD,
                lead_tile="double",
                spinner="opening_double",
                scored_multiples=(5,),
                pass_points=20,
                rounding="down",
                block_rounding="down",
                last_double_bonus=20,
                target=200,
                target_check="at_once",
            )
        },
        assumed="the target; a pass is worth 20, where some give 10, and only the first one after a tile; the "
        "announced galo is left out.",
    ),
    Ruleset(
        id="cuban-double-nine",
        title="Cuban double-nine",
        about="Four seats in pairs, ten tiles each of the double-nine set, fifteen asleep. A lot finds the first "
        "leader, then a winner leads. Going out, or the lower pair in a block, scores what the other pair holds. The "
        "first to reach 150 wins.",
        sources=("https://www.pagat.com/domino/line/cuban.html", "https://onlinedominogames.com/cuban-dominoes"),
        tables={
            4: replace(_WINNERS_LEAD, highest_double=9, hand_size=10, redeal_doubles=5, opener="lot", target=150),
        },
        assumed="five doubles in one hand are always dealt again, where the holder may choose; 150 is the target, "
        "where some play to 100 or 200; the winner leads, where the pair may choose which of them does.",
    ),
    Ruleset(
        id="eastern-cuban",
        title="Eastern Cuban capicúa",
        about="Four seats in pairs, all tiles dealt. A hand is worth a point for each ten pips that are left, or "
        "part of ten, two at least; going out with a capicúa, a tile for both ends that is no double, is worth twice "
        "as much. The match's first pass gives two points. A block goes to the lightest hand. The first to reach 20 "
        "wins.",
        sources=("https://libreonline.com/datos-curiosos-en-el-domino-los-dominantes-dominan-2",),
        tables={
            4: replace(
                _WINNERS_LEAD,
                domino_pips="everyone",
                rounding="up",
                block_rounding="up",
                rounding_unit=10,
                end_points="quotient",
                least_points=2,
                last_tile="non_double",
                last_tile_factor=2,
                first_pass_points=2,
                block_winner="lowest_hand",
                block_tie="leader",
                block_pips="everyone",
                target=20,
            )
        },
        assumed="6-6 opens the first hand; a pair that has the two points for the first pass goes on with any score, "
        "where the source asks for three.",
    ),
    Ruleset(
        id="dominican",
        title="Dominican",
        about="Four seats in pairs, all tiles dealt; 6-6 opens, then the winner leads. The losers' pips score, and "
        "25 more for a capicúa, a last tile that matches both different ends, for a pass on the opening tile, and "
        "for three passes running. A block is between who made it and the next seat. The first to reach 200 wins.",
        sources=(
            "https://dominoesonline.com/rule.php?id=1228128405",
            "https://fichaflow.com/learn/how-to-score-a-tranque-in-dominican-domino/",
        ),
        tables={
            4: replace(
                _WINNERS_LEAD,
                last_tile="distinct_ends",
                last_tile_bonus=25,
                opening_pass_points=25,
                round_pass_points=25,
                block_winner="blocker_or_next",
                block_tie="last_player",
                target=200,
            )
        },
        assumed="each bonus is 25, where some give 30 or 50, and counts up to the end; the blocker and the next seat "
        "compare their hands, where some compare pairs or all hands; tied, the blocker wins; 200 is the target, "
        "where some play to 150.",
    ),
    Ruleset(
        id="puerto-rico-500",
        title="Puerto Rico 500",
        about="Four seats in pairs, all tiles dealt; 6-6 opens, then the winner leads. A hand scores all that is "
        "left. Winning the first four hands is worth 100, 75, 50 and 25 more, a capicú, a last tile for both ends "
        "that is no double, 100, and so is a chuchazo, going out with 0-0. The first to reach 500 wins.",
        sources=(
            "https://sacitc.blog/category/dominoes-2009/",
            "https://manualzz.com/doc/23614212/how-to-play-double-six-dominoes",
        ),
        tables={
            4: replace(
                _WINNERS_LEAD,
                lead_after_tie="same_seat",
                domino_pips="everyone",
                last_tile="non_double",
                last_tile_bonus=100,
                bonus_tiles=(Tile(0, 0),),
                bonus_tile_points=100,
                hand_bonuses=(100, 75, 50, 25),
                block_pips="everyone",
                target=500,
            )
        },
        assumed="a blocked hand has its hand's bonus too, where one source gives 100, and after a tie the same seat "
        "leads.",
    ),
    Ruleset(
        id="german-club",
        title="German club",
        about="Four seats in pairs, all tiles dealt; 6-6 opens, then a winner leads. The losers' pips score, 25 more "
        "for a last tile that fits both ends while they differ, and 10 when the next seat has to pass on the opening "
        "tile. A tied block goes to who played last. The first to reach 100 wins.",
        sources=("atari_cd11: DOMINO.TXT",),
        tables={
            4: replace(
                _WINNERS_LEAD,
                last_tile="distinct_ends",
                last_tile_bonus=25,
                opening_pass_points=10,
                block_tie="last_player",
                target=100,
            )
        },
        assumed="the ten points for a second tile by the same pair are given for the pass that allows it; no bonus "
        "for a 0-0 that was shut in, and a shut-out counts once; the winner leads, where the pair may choose which "
        "of them does.",
    ),
)
