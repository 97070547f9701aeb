"""The rules of a game as one value: every parameter, its choices, and which combinations can be played.

The parameters are orthogonal. Nothing in the engine asks for the name of a game: a variant is another `Rules`.
`docs/rules.md` says where each comes from; references such as A12, here and elsewhere, name its clauses.
"""

from collections.abc import Iterator
from typing import Annotated, Final, Literal

from engine.bounds import Between, Described, Length
from engine.errors import InvalidRules
from engine.tiles import Tile, tile_set
from engine.values import value

Partners = Literal["none", "pairs"]
HighestDouble = Literal[6, 9, 12]
Opener = Literal["lowest_double", "highest_double", "lot"]
Opening = Literal["automatic", "forced", "free"]
TieLead = Literal["opener", "last_player", "next_seat", "same_seat"]
Lead = Literal["opener", "winner", "last_player", "next_seat", "same_seat"]
Drawing = Literal["never", "once", "until_playable"]
Spinner = Literal["none", "first_double", "opening_double"]
SpinnerArms = Literal["after_sides", "at_once"]
Counted = Literal["opponents", "everyone"]
LastTile = Literal["never", "legal_both", "distinct_ends", "non_double"]
BlockWinner = Literal["lowest_team", "lowest_hand"]
BlockPips = Literal["loser", "difference", "everyone", "own_each"]
Rounding = Literal["none", "nearest", "down", "up"]

FEWEST_REDEAL_DOUBLES: Final = 4


@value
class Rules(Described):
    """Every parameter of a game. The defaults are a plain double-six block game of one hand."""

    partners: Partners = "none"
    """`pairs`: seats 0 and 2 play seats 1 and 3; `none`: each seat is its own team."""

    highest_double: HighestDouble = 6
    """The set: 6 is double-six (28 tiles), 9 double-nine (55), 12 double-twelve (91)."""

    removed_tiles: Annotated[tuple[Tile, ...], Length(0, 91)] = ()
    """Tiles taken out of the set before the shuffle: never dealt, drawn, played or counted."""

    hand_size: Annotated[int, Between(1, 45)] = 7
    """Tiles dealt to each seat; the rest is the boneyard."""

    redeal_doubles: Annotated[int, Between(0, 13)] = 0
    """A deal with at least this many doubles in one hand is dealt again, unseen; 0: never."""

    opener: Opener = "highest_double"
    """Who opens the first hand: the holder of the lowest or of the highest double dealt (where no double is dealt: of
    the heaviest tile, ties by the larger end), or a seat drawn by `lot`."""

    opening: Opening = "forced"
    """How the tile that found the opener is played: `automatic`, by the service; `forced`, its holder must play it;
    `free`, its holder may play any tile. A lot finds no tile, so its opener plays any."""

    opening_without_double: Opening = "forced"
    """How the tile that found the opener is played where no double was dealt, and so the heaviest tile found it."""

    lead_after_domino: Lead = "opener"
    """Who leads the hand after one that a seat went out in: the `opener` as in the first hand, the `winner` (who went
    out), the `last_player` (the same seat), the `next_seat` after the last leader, or the `same_seat`."""

    lead_after_block: Lead = "opener"
    """Who leads the hand after a blocked one with a winner. `winner`: the seat of the winning team with fewer pips,
    ties by turn order after the last tile; `last_player`: who played the last tile."""

    lead_after_tie: TieLead = "opener"
    """Who leads the hand after a blocked one without a winner."""

    drawing: Drawing = "never"
    """A seat that cannot play passes (`never`), draws one tile and then plays it or passes (`once`), or draws until a
    tile fits or no more may be drawn (`until_playable`)."""

    boneyard_reserve: Annotated[int, Between(0, 90)] = 0
    """Tiles of the boneyard that may never be drawn."""

    spinner: Spinner = "none"
    """Which double may be built on from all four sides: none, the first one played, or only one that opens the hand."""

    spinner_arms: SpinnerArms = "after_sides"
    """When the spinner's `up` and `down` open: once both its sides are covered, or `at_once`."""

    scored_multiples: Annotated[tuple[Annotated[int, Between(2, 30)], ...], Length(0, 4)] = ()
    """A play that brings the layout's count to a multiple of one of these scores; empty: no points in play."""

    play_points: Literal["pips", "quotient"] = "pips"
    """What such a play scores, for each multiple it meets: the count, or the count divided by the multiple."""

    scoring: Literal["points", "penalty"] = "points"
    """`points`: the winner of a hand gains, and the highest score wins the match; `penalty`: the losers of a hand are
    charged, and the lowest score wins."""

    domino_pips: Counted = "opponents"
    """Whose leftover pips count when a seat goes out: its opponents', or its partner's too."""

    last_tile_doubles: LastTile = "never"
    """When the last tile doubles the points for going out: `never`; `legal_both`, when it could legally go on the
    left and on the right end; `distinct_ends`, when it could and these ask for different numbers; `non_double`, when
    it could and is no double."""

    block_winner: BlockWinner = "lowest_team"
    """Who wins a blocked hand: the team with the fewest pips in all, or the team of the single lightest hand."""

    block_pips: BlockPips = "loser"
    """What a blocked hand is worth: the pips of the losers, those less the winner's (`difference`), or those and the
    winner's (`everyone`); `own_each`: every team is charged its own."""

    rounding: Rounding = "none"
    """How points for going out are rounded to `rounding_unit`."""

    block_rounding: Rounding = "none"
    """How points for a blocked hand are rounded to `rounding_unit`."""

    rounding_unit: Annotated[int, Between(1, 30)] = 5
    """What points are rounded to; `nearest` rounds a tie up."""

    target: Annotated[int, Between(0, 1_000)] = 0
    """The score that decides the match, reached or passed: whose it is wins or, with the scoring `penalty`, loses. 0:
    the match is one hand."""

    target_check: Literal["hand_end", "at_once"] = "hand_end"
    """When the target is looked at: at the end of a hand, or also at once when points are taken in play."""

    def live_tiles(self) -> tuple[Tile, ...]:
        """The tiles that are shuffled, lowest first."""
        return tuple(tile for tile in tile_set(self.highest_double) if tile not in self.removed_tiles)

    def team(self, seat: int) -> int:
        """The team that `seat` plays for."""
        return seat % 2 if self.partners == "pairs" else seat

    def team_count(self, seat_count: int) -> int:
        """How many teams `seat_count` seats make."""
        return 2 if self.partners == "pairs" else seat_count


def check(rules: Rules, seat_count: int) -> None:
    """Raise `InvalidRules`, naming the parameter at fault, unless `seat_count` seats can play by `rules`."""
    for parameter, detail in _faults(rules, seat_count):
        raise InvalidRules(detail, parameter)


def _faults(rules: Rules, seat_count: int) -> Iterator[tuple[str, str]]:
    live = rules.live_tiles()
    if rules.partners == "pairs" and seat_count != 4:
        yield "partners", "Pairs need four seats."
    if len(set(rules.removed_tiles)) < len(rules.removed_tiles):
        yield "removed_tiles", "A tile can be removed only once: name each tile once."
    if any(tile.high > rules.highest_double for tile in rules.removed_tiles):
        yield "removed_tiles", f"A double-{rules.highest_double} set has no such tile: name tiles of the set."
    if rules.hand_size * seat_count > len(live):
        yield (
            "hand_size",
            f"{len(live)} tiles give {seat_count} seats {len(live) // seat_count} each at most.",
        )
    if rules.redeal_doubles and rules.redeal_doubles < _fewest_redeal_doubles(rules, live):
        yield (
            "redeal_doubles",
            f"Too many deals would be thrown in: choose 0 or at least {_fewest_redeal_doubles(rules, live)}.",
        )
    if len(set(rules.scored_multiples)) < len(rules.scored_multiples):
        yield "scored_multiples", "A multiple scores once: name each number once."
    if rules.scoring == "penalty" and rules.scored_multiples:
        yield "scored_multiples", 'Points in play need "scoring": "points".'
    if rules.scoring == "points" and rules.block_pips == "own_each":
        yield "block_pips", 'Charging each team its own pips needs "scoring": "penalty".'


def _fewest_redeal_doubles(rules: Rules, live: tuple[Tile, ...]) -> int:
    """One more than a hand holds on average, and so more than half of the hands pass."""
    doubles = sum(tile.is_double for tile in live)
    return max(FEWEST_REDEAL_DOUBLES, -(-rules.hand_size * doubles // len(live)) + 1)
