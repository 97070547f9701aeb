"""Games that charge the losers of a hand, and that the lowest score wins."""

from dataclasses import replace
from typing import Final

from engine.rules import Rules
from engine.rulesets import Ruleset
from engine.tiles import Tile

_HUNGARIAN: Final = Rules(
    hand_size=8,
    opener="lot",
    lead_after_domino="next_seat",
    lead_after_block="next_seat",
    lead_after_tie="next_seat",
    extra_turn="until_stuck",
    scoring="penalty",
    play_out=True,
    block_pips="own_each",
    target=100,
)
_KOZEL: Final = Rules(
    redeal_doubles=5,
    redeal_suit=6,
    opening_tiles=(*[Tile(number, number) for number in (1, 2, 3, 4, 5, 6, 0)], Tile(6, 5)),
    lead_after_domino="winner",
    lead_after_block="last_player",
    lead_after_tie="last_player",
    scoring="penalty",
    first_entry=13,
    target=101,
)

RULESETS: Final = (
    Ruleset(
        id="hungarian",
        title="Hungarian",
        about="Two to four seats, twelve, eight or six tiles each, four asleep. A turn goes on at the end it began "
        "at for as long as a tile fits there. The hand is over only when nobody can play, and everyone is charged "
        "what it holds. Whoever reaches 100 loses: the lowest score wins.",
        sources=("https://www.pagat.com/domino/line/hungarian.html",),
        tables={
            4: replace(_HUNGARIAN, hand_size=6),
            3: _HUNGARIAN,
            2: replace(_HUNGARIAN, hand_size=12),
        },
        assumed="who leads chooses an end for the second tile, and goes on there.",
    ),
    Ruleset(
        id="pass-pass",
        title="Pass-pass",
        about="Four seats in pairs, six tiles each, four to draw, one at a time. Ends that count 5 or 10 give "
        "another turn; ends that are equal, or count 7, make the next seat miss its own. The losers are charged "
        "their pips; in a block each pair is charged a point for each tile. After seven hands the lower score wins.",
        sources=("https://www.pagat.com/invented/pass-pass.html", "https://onlinedominogames.com/pass-pass-dominoes"),
        tables={
            4: Rules(
                partners="pairs",
                hand_size=6,
                opener="lot",
                lead_after_domino="next_seat",
                lead_after_block="next_seat",
                lead_after_tie="next_seat",
                drawing="once",
                extra_turn_counts=(5, 10),
                skip_counts=(7,),
                skip_equal_ends=True,
                scoring="penalty",
                block_counts="tiles",
                block_pips="own_each",
                most_hands=7,
            )
        },
        assumed="the opening tile has these effects too, and another turn goes before a turn missed.",
    ),
    Ruleset(
        id="kozel",
        title="Kozel",
        about="The goat, for two to four, four of them in pairs; with two or three seats whoever cannot play draws. "
        "1-1 opens, or the next double; 0-0 comes last. The losers are charged their pips, but the first entry has "
        "to be 13 at least. Whoever reaches 101 is the goat and loses.",
        sources=(
            "https://ulodshi.ru/en/kak-v-domino-nazyvayutsya-fishki-pravila-igry-v-domino-kozel-cel-nastolnoi.html",
            "https://play.livegames.ru/domino.html",
            "http://igryman.ru/9117-domino-kozel.html",
        ),
        tables={
            4: replace(_KOZEL, partners="pairs"),
            3: replace(_KOZEL, drawing="until_playable"),
            2: replace(_KOZEL, drawing="until_playable"),
        },
        assumed="a block, the fish, charges those who hold more; less than 13 is lost, where some keep it for later; "
        "six tiles of one number are dealt again, as five doubles are.",
    ),
    Ruleset(
        id="gallinazo",
        title="Gallinazo",
        about="Four seats, each alone, all tiles dealt. 6-6 opens. Each is charged the pips that it holds, also "
        "after a block. After seven hands the highest score loses and the lowest wins.",
        sources=("https://gamerules.com/",),
        tables={
            4: Rules(scoring="penalty", block_pips="own_each", most_hands=7),
        },
        assumed="6-6 opens every hand; the fourfold charge for going out beside a lighter hand is left out, as its "
        "text is not clear.",
    ),
    Ruleset(
        id="french",
        title="Jamaican French",
        about="Four seats, each alone, all tiles dealt, on a cross whose arms come first. 0-0 opens the match, later "
        "hands any double of the winner, or of the next seat that has one. No number is passed before its double: an "
        "end takes nothing else until that is down. Losers are charged their pips. The match is over at 100; the "
        "lowest wins.",
        sources=("https://sixlove.pages.dev/french-domino/", "https://gambiter.com/domino/western/caribbean.html"),
        tables={
            4: Rules(
                opening_tiles=(Tile(0, 0),),
                lead_after_domino="winner",
                lead_after_block="winner",
                lead_tile="double",
                double_first=True,
                spinner="opening_double",
                spinner_arms="cross_first",
                scoring="penalty",
                target=100,
            )
        },
        assumed="the lightest hand wins a block and is charged nothing; 0-0 opens again after a tie; extra charges "
        "for passes and for doubles held are left out.",
    ),
)
