"""The catalogue of named rule sets. Each is data: nothing in the engine knows its name."""

from typing import Annotated, Final

from engine.bounds import Text
from engine.rules import Rules
from engine.tiles import Tile
from engine.values import value

RulesetId = Annotated[str, Text(1, 40, "^[a-z0-9]+(-[a-z0-9]+)*$")]


@value
class Ruleset:
    """A named game: its rules, and the numbers of seats it is played with, the usual one first."""

    id: RulesetId
    title: str
    summary: str
    seat_counts: tuple[int, ...]
    rules: Rules


_CATALOGUE: Final = (
    Ruleset(
        id="partner-penalty",
        title="Partner penalty",
        summary="Four seats in pairs, six tiles each, no double blank. Leftover pips are penalties, and a last tile"
        " that fits both ends doubles them. The first team to reach 101 loses.",
        seat_counts=(4,),
        rules=Rules(
            partners="pairs",
            removed_tiles=(Tile(0, 0),),
            hand_size=6,
            redeal_doubles=5,
            opener="lowest_double",
            lead_after_domino="winner",
            lead_after_block="winner",
            lead_after_tie="next_seat",
            scoring="penalty",
            last_tile_doubles="legal_both",
            target=101,
        ),
    ),
    Ruleset(
        id="all-fives",
        title="All fives",
        summary="Two seats, seven or nine tiles, a spinner with four arms. A play that makes the open ends total a "
        "multiple of five scores it, and so do the opponent's leftover pips. The first to reach 150 wins at once.",
        seat_counts=(2,),
        rules=Rules(
            lead_after_domino="winner",
            drawing="until_playable",
            spinner="first_double",
            scored_multiples=(5,),
            rounding="nearest",
            block_rounding="nearest",
            target=150,
            target_check="at_once",
        ),
    ),
    Ruleset(
        id="draw",
        title="Draw",
        summary="Two seats, seven tiles each. A seat that cannot play draws until it can. Going out scores the "
        "opponent's leftover pips, a blocked hand the difference. The first to reach 100 wins.",
        seat_counts=(2,),
        rules=Rules(
            opening="automatic",
            opening_without_double="automatic",
            drawing="until_playable",
            block_pips="difference",
            target=100,
        ),
    ),
    Ruleset(
        id="block",
        title="Block",
        summary="Two seats, seven tiles each, nothing to draw: a seat that cannot play passes. Going out scores the "
        "opponent's leftover pips, a blocked hand the difference. The first to reach 100 wins.",
        seat_counts=(2,),
        rules=Rules(
            opening="automatic",
            opening_without_double="automatic",
            block_pips="difference",
            target=100,
        ),
    ),
)

RULESETS: Final[dict[str, Ruleset]] = {ruleset.id: ruleset for ruleset in _CATALOGUE}
