"""The rules of a game in words: made of its parameters, so that the two cannot differ."""

from collections.abc import Iterator, Sequence
from typing import Final

from engine.rules import Lead, Rules, TieLead
from engine.tiles import Tile

_NUMBERS: Final = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
SETS: Final = {6: "double-six", 9: "double-nine", 12: "double-twelve"}
_LEADS: Final[dict[Lead | TieLead, str]] = {
    "opener": "the seat that is found as for the first hand",
    "winner": "the winner",
    "last_player": "the seat that played last",
    "next_seat": "the seat after the last leader",
    "same_seat": "the same seat again",
}
_OPENED: Final = {"automatic": ", and the service plays it", "forced": " and must play it", "free": " with any tile"}
_ROUNDED: Final = {"nearest": "to the nearest", "down": "down to a", "up": "up to a"}


def wording(rules: Rules, seat_count: int) -> str:
    """How `seat_count` seats play by `rules`: a paragraph each on the deal, the lead, play, points in play, the end of
    a hand and the match.
    """
    paragraphs = (
        _deal(rules, seat_count),
        _lead(rules, seat_count),
        _play(rules),
        _in_play(rules),
        _end(rules),
        _match(rules),
    )
    return "\n\n".join(text for sentences in paragraphs if (text := " ".join(filter(None, sentences))))


def _deal(rules: Rules, seat_count: int) -> Iterator[str]:
    seats = f"{_counted(seat_count, 'seat').capitalize()}, {'in pairs' if rules.partners == 'pairs' else 'each alone'}"
    live = len(rules.live_tiles())
    without = f" without {_listed(rules.removed_tiles)}" if rules.removed_tiles else ""
    yield f"{seats}. A {SETS[rules.highest_double]} set{without}, {live} tiles; {rules.hand_size} each."
    if left := live - seat_count * rules.hand_size:
        yield (
            f"The other {left} lie in the boneyard." if rules.drawing != "never" else f"The other {left} are not used."
        )
    thrown_in = []
    if rules.redeal_doubles:
        thrown_in.append(f"with {rules.redeal_doubles} or more doubles in one hand")
    if rules.redeal_suit:
        thrown_in.append(f"with {rules.redeal_suit} or more tiles of one number in one hand")
    if rules.lead_tile == "double":
        thrown_in.append("that gives nobody a double")
    if thrown_in:
        yield f"A deal {' or '.join(thrown_in)} is dealt again."


def _lead(rules: Rules, seat_count: int) -> Iterator[str]:
    live, dealt = rules.live_tiles(), seat_count * rules.hand_size
    if rules.opening_tiles:
        several = len(rules.opening_tiles) > 1
        tiles = f"the first dealt of {_in_order(rules.opening_tiles)}" if several else _in_order(rules.opening_tiles)
        yield f"The holder of {tiles} leads the first hand{_OPENED[rules.opening]}."
    if not rules.opening_tiles or dealt < len(live):
        otherwise = "Otherwise the" if rules.opening_tiles else "The"
        if rules.opener == "lot":
            yield f"{otherwise} leader of the first hand is found by lot."
        else:
            which = rules.opener.split("_")[0]
            if not {tile for tile in live if tile.is_double} <= set(rules.opening_tiles):
                yield f"{otherwise} holder of the {which} double dealt leads the first hand{_OPENED[rules.opening]}."
            if dealt <= sum(not tile.is_double for tile in live) and rules.lead_tile == "any":
                how = _OPENED[rules.opening_without_double]
                yield f"Where no double is dealt, the holder of the heaviest tile does{how}."
    leads = {
        "somebody went out": rules.lead_after_domino,
        "a block with a winner": rules.lead_after_block,
        "a tied block": rules.lead_after_tie,
    }
    for lead in dict.fromkeys(leads.values()):
        after = [how for how, chosen in leads.items() if chosen == lead]
        when = "Every later hand" if len(after) == len(leads) else f"The hand after {' or '.join(after)}"
        yield f"{when} is led by {_LEADS[lead]}."
    if rules.lead_tile == "double":
        how = "passes" if rules.drawing == "never" or dealt == len(live) else "draws"
        yield f"Only a double may be led: who has none {how} as if no tile fitted."


def _play(rules: Rules) -> Iterator[str]:
    if rules.matching == "equal":
        yield "Touching halves show the same number."
    else:
        yield f"Touching halves add up to {rules.highest_double + 1}."
    if rules.wild_tiles:
        yield f"{_listed(rules.wild_tiles)} {'fit' if len(rules.wild_tiles) > 1 else 'fits'} every end; where no half"
        yield "matches, the lower one lies inwards."
    if rules.line_ends == 1:
        yield "The line has one open end, the right one."
    if rules.double_first:
        yield "An end takes only the double of its number until that double has been laid."
    yield {
        "never": "A seat that cannot play passes.",
        "once": f"A seat that cannot play draws one tile{_reserve(rules)}, and then plays it or passes.",
        "until_playable": f"A seat that cannot play draws until a tile fits{_reserve(rules)}, and passes only then.",
    }[rules.drawing]
    yield from _spinner(rules)
    yield from _turns(rules)


def _reserve(rules: Rules) -> str:
    kept = rules.boneyard_reserve
    return f", but never the last {_counted(kept, 'tile')}" if kept else ""


def _spinner(rules: Rules) -> Iterator[str]:
    if rules.spinner == "none":
        return
    which = {
        "first_double": "The first double played",
        "opening_double": "A double that opens the hand",
        "first_covered": "The first double with a tile on both its sides",
    }[rules.spinner]
    yield f"{which} is the spinner: it is built on from all four sides."
    yield {
        "after_sides": "Its ends up and down open once both its sides are covered.",
        "at_once": "All four are open at once.",
        "cross_first": "A tile is laid on each of the four before anything else is played.",
        "sides_first": "A tile is laid on both its sides, then up and down, before anything else is played.",
        "cross_and_doubles_first": "A tile is laid on each of the four, and then the double of its number on each of "
        "these, before anything else is played.",
    }[rules.spinner_arms]


def _turns(rules: Rules) -> Iterator[str]:
    if rules.extra_turn == "after_double":
        yield "Who plays a double keeps the turn while a tile fits."
    if rules.extra_turn == "until_stuck":
        yield "A turn goes on at the end where it began for as long as a tile fits there."
    if rules.extra_turn_counts:
        yield f"A count of {_either(rules.extra_turn_counts)} gives another turn, if a tile fits."
    missed = []
    if rules.skip_counts:
        missed.append(f"a count of {_either(rules.skip_counts)}")
    if rules.skip_equal_ends:
        missed.append("a play that leaves left and right equal")
    if missed:
        yield f"{' or '.join(missed).capitalize()} makes the next seat miss its turn."


def _in_play(rules: Rules) -> Iterator[str]:
    if rules.scored_multiples:
        worth = "it" if rules.play_points == "pips" else "as many points as that goes into it"
        each = " for each that it is a multiple of" if len(rules.scored_multiples) > 1 else ""
        multiples = _either(rules.scored_multiples)
        yield f"A play that makes the open ends total a multiple of {multiples} scores {worth}{each}."
    if rules.spinner != "none" and rules.spinner_count == "until_covered":
        yield "The spinner's free ends up and down count one half each."
    if rules.equal_ends_points:
        names = ("two", "three", "four", "five")
        pairs = [f"{points} for {names[at]}" for at, points in enumerate(rules.equal_ends_points)]
        yield "A play that leaves its end showing the same number as another scores by the halves that show it, two at"
        yield f"an end with a double: {', '.join(pairs)}."
        if rules.double_is_pair:
            yield "A double scores by its own two halves alone."
    if not rules.opening_scores:
        yield "The first tile of a hand scores nothing in play."
    passes = [
        (rules.pass_points, "for the first pass after a tile"),
        (rules.first_pass_points, "for the first pass of the match"),
        (rules.opening_pass_points, "for a pass on the first tile of the hand"),
        (rules.round_pass_points, "when it has the turn again after nothing but passes"),
    ]
    given = [f"{points} {when}" for points, when in passes if points]
    if given:
        yield f"The team that played last gains {_and(given)}."


def _end(rules: Rules) -> Iterator[str]:
    charged = rules.scoring == "penalty"
    if rules.play_out:
        yield "The hand goes on when a seat is out, until nobody can play."
    else:
        everyone = rules.domino_pips == "everyone"
        if rules.domino_points:
            worth = _points(rules.domino_points)
        elif charged:
            worth = "the pips it holds, and the winner's" if everyone else "the pips it holds"
        else:
            worth = "the pips that are left in all hands" if everyone else "the pips that the opponents hold"
        rounding = "" if rules.domino_points else _rounding(rules, rules.rounding)
        yield (
            f"Going out charges each other team {worth}{rounding}."
            if charged
            else f"Going out scores {worth}{rounding}."
        )
        yield from _last_tile(rules)
    yield from _block(rules)
    if rules.least_points:
        yield f"A hand that is won by pips is worth at least {_points(rules.least_points)}."
    if rules.hand_bonuses:
        yield f"Winning the first hands of the match is worth {_and(rules.hand_bonuses)} more."
    if rules.tie_bonus:
        yield f"Each tied block makes winning the next hand worth {rules.tie_bonus} more."
    if rules.end_ceiling:
        yield f"The end of a hand lifts no score above {rules.end_ceiling}."


def _last_tile(rules: Rules) -> Iterator[str]:
    special = {
        "never": "",
        "legal_both": "that could go left and right",
        "distinct_ends": "that could go left and right while these differ",
        "non_double": "that could go left and right and is no double",
    }[rules.last_tile]
    if special and rules.last_tile_factor > 1:
        yield f"A last tile {special} multiplies that by {rules.last_tile_factor}."
    bonuses = [
        (rules.last_tile_bonus if special else 0, f"with a last tile {special}"),
        (rules.last_double_bonus, "with a double"),
        (rules.bonus_tile_points, f"with {_listed(rules.bonus_tiles)}"),
    ]
    added = [f"{points} more {how}" for points, how in bonuses if points]
    if added:
        yield f"Going out is worth {_and(added)}."


def _block(rules: Rules) -> Iterator[str]:
    what = rules.block_counts
    winner = {
        "lowest_team": f"the team with the fewest {what}",
        "lowest_hand": f"the team of the single hand with the fewest {what}",
        "no_double": f"the team of the hand with the fewest {what} among those without a double, if there are any",
        "blocker_or_next": f"the one with fewer {what} of who played last and the next seat",
    }[rules.block_winner]
    tie = {"none": "", "leader": ", the leader's team if it is tied", "last_player": ", who played last if it is tied"}
    name = "The hand" if rules.play_out else "A blocked hand"
    yield f"{name} goes to {winner}{tie[rules.block_tie]}."
    charged = rules.scoring == "penalty"
    if rules.block_points and rules.block_pips not in {"none", "own_each"}:
        worth = _points(rules.block_points)
        yield f"Each other team is charged {worth}." if charged else f"The winner scores {worth}."
        return
    rounding = _rounding(rules, rules.block_rounding)
    own = (
        "Each other team is charged the {what} it holds"
        if charged
        else "The winner scores the {what} that the others hold"
    )
    yield {
        "none": "It is worth nothing.",
        "own_each": f"Each team is charged the {what} it holds{rounding}.",
        "loser": f"{own}{rounding}.",
        "difference": f"{own} less the winner's{rounding}.",
        "everyone": f"{own} and the winner's{rounding}.",
    }[rules.block_pips].replace("{what}", what)


def _rounding(rules: Rules, rounding: str) -> str:
    parts = ""
    if rounding != "none":
        each = ", each hand" if rules.rounding_of == "each_hand" else ","
        parts = f"{each} rounded {_ROUNDED[rounding]} multiple of {rules.rounding_unit}"
    if rules.end_points == "quotient":
        parts += f", a point for each {rules.rounding_unit}"
    return parts


def _match(rules: Rules) -> Iterator[str]:
    best = "the highest score wins" if rules.scoring == "points" else "the lowest score wins"
    if rules.first_entry:
        yield f"A team that has nothing takes no fewer than {_points(rules.first_entry)} at once."
    if rules.target:
        when = "at once" if rules.target_check == "at_once" else "when the hand is over"
        yield f"The match is decided {when} by a score of {rules.target}: {best}."
        yield {
            "at_least": "",
            "exact": "Only that score will do: what a play brings is not taken if it leads past it.",
            "short": "Points in play stop one short of it, unless one is all that is missing.",
            "in_a_row": "A hand won while another team has points sets all back to 0.",
            "shutout": "It decides only while another team has 0; once all have points, all go back to 0.",
        }[rules.target_rule]
        if rules.target_rule in {"in_a_row", "shutout"}:
            yield "A hand that begins with all at 0 is led as the first one."
    if rules.most_hands:
        yield f"After {_counted(rules.most_hands, 'hand')} the match is over: {best}."
    elif not rules.target:
        yield f"The match is one hand: {best}."


def _counted(number: int, noun: str) -> str:
    word = _NUMBERS[number] if number < len(_NUMBERS) else str(number)
    return f"{word} {noun}" if number == 1 else f"{word} {noun}s"


def _points(number: int) -> str:
    return _counted(number, "point")


def _listed(tiles: tuple[Tile, ...]) -> str:
    return _and(tiles)


def _in_order(tiles: tuple[Tile, ...]) -> str:
    return ", ".join(map(str, tiles))


def _either(numbers: tuple[int, ...]) -> str:
    return " or ".join(map(str, numbers))


def _and(items: Sequence[object]) -> str:
    words = list(map(str, items))
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)
