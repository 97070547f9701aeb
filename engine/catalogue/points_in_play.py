"""Games that score while they are played: by the count of the open ends, or by ends that show the same number."""

from dataclasses import replace
from typing import Final

from engine.rules import Rules
from engine.rulesets import Ruleset
from engine.tiles import Tile

_MUGGINS: Final = Rules(
    opener="lot",
    lead_after_domino="winner",
    lead_after_block="winner",
    drawing="until_playable",
    scored_multiples=(5,),
    rounding="nearest",
    block_rounding="nearest",
    target=100,
    target_check="at_once",
)
_ALL_FIVES: Final = replace(_MUGGINS, hand_size=9, lead_after_block="opener", spinner="first_double", target=150)
_SNIFF: Final = replace(
    _ALL_FIVES, hand_size=7, spinner_count="until_covered", play_points="quotient", end_points="quotient", target=61
)
_MERRY_GO_ROUND: Final = replace(
    _SNIFF,
    lead_tile="double",
    spinner="opening_double",
    spinner_arms="sides_first",
    spinner_count="until_sides",
    target_rule="exact",
)
_ALL_THREES: Final = replace(
    _MUGGINS, lead_after_block="opener", scored_multiples=(3,), rounding_unit=3, rounding_of="each_hand"
)
_FIVES_AND_THREES: Final = Rules(
    opener="lot",
    lead_after_domino="next_seat",
    lead_after_block="next_seat",
    lead_after_tie="next_seat",
    scored_multiples=(3, 5),
    play_points="quotient",
    domino_points=1,
    block_pips="none",
    target=61,
    target_rule="exact",
    target_check="at_once",
)
_THREES_AND_FIVES: Final = Rules(
    opener="lot",
    lead_after_domino="winner",
    lead_after_block="winner",
    drawing="until_playable",
    scored_multiples=(3, 5),
    target=200,
    target_check="at_once",
)
_BERGEN: Final = Rules(
    hand_size=6,
    opener="lowest_double",
    drawing="until_playable",
    boneyard_reserve=2,
    equal_ends_points=(2, 3),
    domino_points=1,
    block_winner="no_double",
    block_points=1,
    target=15,
    target_rule="short",
    target_check="at_once",
)
_DOUBLE_BERGEN: Final = replace(
    _BERGEN,
    opener="lot",
    lead_after_domino="next_seat",
    lead_after_block="next_seat",
    lead_after_tie="next_seat",
    lead_tile="double",
    boneyard_reserve=0,
    spinner="opening_double",
    spinner_arms="cross_first",
    equal_ends_points=(2, 3, 4),
    double_is_pair=True,
)
_TELEFON: Final = Rules(
    opening_tiles=(Tile(3, 2), *[Tile(number, number) for number in (1, 2, 3, 4, 5, 6, 0)]),
    lead_after_domino="winner",
    lead_after_block="winner",
    drawing="until_playable",
    spinner="first_covered",
    scored_multiples=(5,),
    opening_scores=False,
    rounding="up",
    block_rounding="up",
    end_ceiling=300,
    target=365,
)


def _five_for_more(rules: Rules) -> dict[int, Rules]:
    return {2: rules, 3: replace(rules, hand_size=5), 4: replace(rules, hand_size=5)}


def _six_six_five(rules: Rules) -> dict[int, Rules]:
    return {2: rules, 3: replace(rules, target=10), 4: replace(rules, hand_size=5, target=10)}


RULESETS: Final = (
    Ruleset(
        id="muggins",
        title="Muggins",
        about="Fives on a line without a spinner, for two to four. A play that makes the two ends total a multiple "
        "of five scores it; whoever cannot play draws. Going out, or the lightest hand when it is blocked, scores "
        "what the others hold, rounded to the nearest five. The first to reach 100 wins at once.",
        sources=(
            "Foster's Complete Hoyle: Muggins",
            "https://onlinedominogames.com/muggins-dominoes",
            "https://ms.pastillainstitute.com/1782-muggins",
        ),
        tables={2: _MUGGINS, 3: _MUGGINS, 4: replace(_MUGGINS, hand_size=5)},
        assumed="the winner of a blocked hand leads the next, and a lot decides after a tie.",
    ),
    Ruleset(
        id="all-fives-book",
        title="All fives, by the book",
        about="All fives for two to four, four of them in pairs, with nine, seven or five tiles. The first double is "
        "the spinner; a lot finds the first leader, and the leader after a blocked hand. Leftover pips are rounded "
        "to the nearest five. The first to reach 150 wins at once.",
        sources=("https://www.pagat.com/tile/wdom/all_fives.html",),
        tables={
            2: _ALL_FIVES,
            3: replace(_ALL_FIVES, hand_size=7),
            4: replace(_ALL_FIVES, hand_size=5, partners="pairs"),
        },
        assumed="the target, and that a blocked hand scores as going out does.",
    ),
    Ruleset(
        id="sniff",
        title="Sniff",
        about="Fives with a spinner, the sniff, that goes on counting: one half for each of its free ends, once both "
        "its sides are covered. A fifth of the count scores, and a fifth of what the others hold. The first to reach "
        "61 wins at once.",
        sources=("https://www.pagat.com/tile/wdom/sniff.html", "https://onlinedominogames.com/sniff-dominoes"),
        tables={2: _SNIFF, 3: replace(_SNIFF, hand_size=6), 4: replace(_SNIFF, hand_size=5)},
        assumed="the target, and that a blocked hand scores as going out does; the sniff's arms grow, which is the "
        "American form, where the older one takes one tile at each; four play each alone.",
    ),
    Ruleset(
        id="merry-go-round",
        title="Merry-go-round",
        about="Fives on a cross. A double leads, drawn for if need be; four play in pairs. Its two sides are covered "
        "first, then its two ends, and only then the arms grow. A fifth of the count scores, and a fifth of what the "
        "others hold. Exactly 61 wins: points that lead past it are not taken.",
        sources=("https://www.dominorules.com/merry-go-round",),
        tables={2: _MERRY_GO_ROUND, 3: _MERRY_GO_ROUND, 4: replace(_MERRY_GO_ROUND, partners="pairs")},
        assumed="who goes out leads next, and a lot decides after a block, which scores as going out does.",
    ),
    Ruleset(
        id="all-threes",
        title="All threes",
        about="As muggins, but multiples of three score, and each hand left over is rounded to the nearest three. "
        "The first to reach 100 wins at once.",
        sources=("https://cardsdicedominoes.com/", "https://www.pagat.com/domino/line/"),
        tables=_five_for_more(_ALL_THREES),
        assumed="the target; a blocked hand's winner takes what the others hold, its own not taken off.",
    ),
    Ruleset(
        id="fives-and-threes",
        title="Fives and threes",
        about="The game of pubs and leagues: the two ends' total scores a point for each five and each three in it, "
        "so that 15 is worth 8. No drawing. Going out is worth one point, a block nothing. Exactly 61 wins, and the "
        "last tile's points are judged with that one.",
        sources=(
            "https://gambiter.com/domino/western/fives_and_threes.html",
            "https://onlinedominogames.com/fives-and-threes-dominoes",
        ),
        tables=_five_for_more(_FIVES_AND_THREES),
        assumed="four seats play each alone, where leagues pair them and let both partners go out.",
    ),
    Ruleset(
        id="threes-and-fives",
        title="Threes and fives",
        about="The American form of fives and threes, with drawing: a total that is a multiple of three, or of five, "
        "scores itself, and one that is both scores twice, so that 15 is worth 30. The first to reach 200 wins at "
        "once.",
        sources=("https://www.dominorules.com/threes-and-fives",),
        tables=_five_for_more(_THREES_AND_FIVES),
        assumed="the target; going out and a blocked hand score what the others hold; their winner leads next.",
    ),
    Ruleset(
        id="bergen",
        title="Bergen",
        about="Ends that match score: two points for a play that makes both ends show one number, three when a "
        "double is one of them. Going out or a block is worth one; a block goes to the lightest hand without a "
        "double. The first to 15, or to 10 with more than two seats, wins; a play may not score the last point "
        "unless only one is missing.",
        sources=(
            "https://www.pagat.com/domino/line/bergen.html",
            "http://www.gamecabinet.com/",
            "https://onlinedominogames.com/bergen-dominoes",
        ),
        tables=_six_six_five(_BERGEN),
        assumed="the lowest double leads every hand; one point for going out and for a block, where some give two.",
    ),
    Ruleset(
        id="double-bergen",
        title="Double Bergen",
        about="Bergen on a cross whose four arms come first. A double leads: who holds none draws for one. A play "
        "scores two for a pair of equal ends, or for a double, which is two halves by itself, three for three halves "
        "and four for four. The lead goes round.",
        sources=("https://www.pagat.com/domino/cross/bergen2.html",),
        tables=_six_six_five(_DOUBLE_BERGEN),
        assumed="what going out and a block are worth, and the target, are Bergen's; a leader without a double draws "
        "at once, where the source lets the others lead first; five halves and more score as four.",
    ),
    Ruleset(
        id="telefon",
        title="Telefon",
        about="Fives, opened with 3-2 or, where nobody has it, the doubles from 1-1. The first double that is "
        "covered on both sides opens two more arms. The opening tile scores nothing. What the others hold is rounded "
        "up to the next five, but lifts no score above 300: the last points to 365 have to be made in play.",
        sources=("The rules of Telefon, in an open repository",),
        tables=dict.fromkeys((2, 3, 4), _TELEFON),
        assumed="the winner of a block leads the next hand; an opening 5-5 scores nothing either, where the source "
        "gives it ten in some hands.",
    ),
)
