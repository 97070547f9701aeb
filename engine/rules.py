"""The rules of a game as one value: every parameter and its choices.

Nothing in the engine asks for the name of a game: a variant is another `Rules`. Some parameters matter only beside
another, and change nothing without it; `faults.check` says which combinations cannot be played. `docs/rules.md` says
where each comes from; references such as A12, here and elsewhere, name its clauses.
"""

from typing import Annotated, Literal

from engine.bounds import MOST_HANDS, Between, Described, Flag, Length
from engine.tiles import Tile, tile_set
from engine.values import value

Partners = Literal["none", "pairs"]
HighestDouble = Literal[6, 9, 12]
Opener = Literal["lowest_double", "highest_double", "lot"]
Opening = Literal["automatic", "forced", "free"]
TieLead = Literal["opener", "last_player", "next_seat", "same_seat"]
DominoLead = Literal["opener", "winner", "next_seat", "same_seat"]
Lead = Literal["opener", "winner", "last_player", "next_seat", "same_seat"]
LeadTile = Literal["any", "double"]
Matching = Literal["equal", "sum"]
Drawing = Literal["never", "once", "until_playable"]
ExtraTurn = Literal["never", "after_double", "until_stuck"]
Spinner = Literal["none", "first_double", "opening_double", "first_covered"]
SpinnerArms = Literal["after_sides", "at_once", "cross_first", "sides_first", "cross_and_doubles_first"]
SpinnerCount = Literal["until_sides", "until_covered"]
Counted = Literal["opponents", "everyone"]
LastTile = Literal["never", "legal_both", "distinct_ends", "non_double"]
BlockWinner = Literal["lowest_team", "lowest_hand", "no_double", "blocker_or_next"]
BlockTie = Literal["none", "leader", "last_player"]
BlockPips = Literal["loser", "difference", "everyone", "own_each", "none"]
Rounding = Literal["none", "nearest", "down", "up"]
TargetRule = Literal["at_least", "exact", "short", "in_a_row", "shutout"]

Worth = Annotated[int, Between(0, 1_000)]
"""Points that a rule gives."""

SomeTiles = Annotated[tuple[Tile, ...], Length(0, 28)]
Counts = Annotated[tuple[Annotated[int, Between(0, 48)], ...], Length(0, 8)]


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

    redeal_suit: Annotated[int, Between(0, 13)] = 0
    """A deal with at least this many tiles of one number in one hand is dealt again, unseen; 0: never."""

    opening_tiles: SomeTiles = ()
    """The first of these tiles that has been dealt finds the opener, before `opener` is asked."""

    opener: Opener = "highest_double"
    """Who opens the first hand: the holder of the lowest or of the highest double dealt (where no double is dealt: of
    the heaviest tile, ties by the larger end), or a seat drawn by `lot`."""

    opening: Opening = "forced"
    """How the tile that found the opener is played: `automatic`, by the service; `forced`, its holder must play it;
    `free`, its holder may play any tile. A lot finds no tile, so its opener plays any."""

    opening_without_double: Opening = "forced"
    """How the tile that found the opener is played where no double was dealt, and so the heaviest tile found it."""

    lead_after_domino: DominoLead = "opener"
    """Who leads the hand after one that a seat went out in: the `opener` as in the first hand, the `winner` (who went
    out), the `next_seat` after the last leader, or the `same_seat`."""

    lead_after_block: Lead = "opener"
    """Who leads the hand after a blocked one with a winner. `winner`: the seat of the winning team with fewer pips,
    ties by turn order after the last tile; `last_player`: who played the last tile."""

    lead_after_tie: TieLead = "opener"
    """Who leads the hand after a blocked one without a winner."""

    lead_tile: LeadTile = "any"
    """What a hand may be led with: `any` tile, or only a `double`. Then a seat without one draws or passes as it does
    when no tile fits, and a deal that gives nobody a double is dealt again."""

    matching: Matching = "equal"
    """Which halves may touch: `equal` ones, or those whose `sum` is one more than the set's highest number."""

    wild_tiles: SomeTiles = ()
    """Tiles that fit every end. One that would not fit otherwise lies with its lower half inwards."""

    double_first: Flag = False
    """Whether an end takes nothing but the double of the number it asks for, if that is in the set and not laid yet."""

    line_ends: Annotated[int, Between(1, 2)] = 2
    """The open ends of the line: both, or only `right`."""

    drawing: Drawing = "never"
    """A seat that cannot play passes (`never`), draws one tile and then plays it or passes (`once`), or draws until a
    tile fits or no more may be drawn (`until_playable`)."""

    boneyard_reserve: Annotated[int, Between(0, 90)] = 0
    """Tiles of the boneyard that may never be drawn."""

    extra_turn: ExtraTurn = "never"
    """When a seat that can play on keeps the turn: `never`, `after_double`, or `until_stuck`: as long as a tile of its
    own fits the end it played at, where it has to go on; who opens may choose an end then."""

    extra_turn_counts: Counts = ()
    """A seat that brings the layout's count to one of these keeps the turn too, if it can play on; by `until_stuck` it
    is a matter of the end alone."""

    skip_counts: Counts = ()
    """A seat that brings the layout's count to one of these makes the next seat miss its turn."""

    skip_equal_ends: Flag = False
    """Whether a play that leaves `left` and `right` showing the same number makes the next seat miss its turn."""

    spinner: Spinner = "none"
    """Which double may be built on from all four sides: none, the first one played, only one that opens the hand, or
    the first one with a tile on both its sides (`first_covered`)."""

    spinner_arms: SpinnerArms = "after_sides"
    """When the spinner's `up` and `down` open: once both its sides are covered, `at_once`, or `cross_first`: at once,
    and no tile goes elsewhere until the spinner has one on each side. `sides_first`: the same, its sides before `up`
    and `down`; `cross_and_doubles_first`: as `cross_first`, and each of these four is followed by the double of its
    number, if that is still to come, before a tile goes elsewhere."""

    spinner_count: SpinnerCount = "until_sides"
    """What the spinner counts: both halves until both its sides are covered, and nothing then (`until_sides`), or one
    half more for each of its `up` and `down` that is open and empty (`until_covered`)."""

    scored_multiples: Annotated[tuple[Annotated[int, Between(2, 30)], ...], Length(0, 4)] = ()
    """A play that brings the layout's count to a multiple of one of these scores; empty: no such points."""

    opening_scores: Flag = True
    """Whether the first tile of a hand may score in play."""

    play_points: Literal["pips", "quotient"] = "pips"
    """What such a play scores, for each multiple it meets: the count, or the count divided by the multiple."""

    equal_ends_points: Annotated[tuple[Annotated[int, Between(0, 100)], ...], Length(0, 4)] = ()
    """What a play scores that leaves its end showing the same number as another: the first for two halves that show
    it, the next for three, and so on, the last for more too. A double at an end is two halves."""

    double_is_pair: Flag = False
    """Whether a double played at an end scores `equal_ends_points` by its two halves alone."""

    pass_points: Worth = 0
    """What the first pass after a tile gives to the team that played it, if it is another's. Passes before the first
    tile, and those of a blocked hand, give nothing and are not counted, here and below."""

    first_pass_points: Worth = 0
    """What such a pass gives besides if it is the first of the match after any tile."""

    opening_pass_points: Worth = 0
    """What such a pass gives besides when it answers the first tile of the hand."""

    round_pass_points: Worth = 0
    """What the team of the seat that played last gains when it has the turn again after nothing but passes."""

    scoring: Literal["points", "penalty"] = "points"
    """`points`: the winner of a hand gains, and the highest score wins the match; `penalty`: the losers of a hand are
    charged, and the lowest score wins."""

    domino_pips: Counted = "opponents"
    """Whose leftover pips count when a seat goes out: its opponents', or its partner's too."""

    domino_points: Worth = 0
    """What going out is worth instead of pips; 0: pips."""

    last_tile: LastTile = "never"
    """Which last tile is special: none (`never`); one that could legally go on the left and on the right end
    (`legal_both`), that could and whose ends ask for different numbers (`distinct_ends`), or that could and is no
    double (`non_double`)."""

    last_tile_factor: Annotated[int, Between(1, 10)] = 1
    """What points for going out are multiplied by when the last tile is special."""

    last_tile_bonus: Worth = 0
    """Points added for going out with a special last tile."""

    last_double_bonus: Worth = 0
    """Points added for going out with a double."""

    bonus_tiles: SomeTiles = ()
    """Tiles that are worth `bonus_tile_points` more to go out with."""

    bonus_tile_points: Worth = 0
    """Points added for going out with one of `bonus_tiles`."""

    hand_bonuses: Annotated[tuple[Worth, ...], Length(0, 20)] = ()
    """Points added to what winning the match's first hand is worth, its second, and so on."""

    tie_bonus: Worth = 0
    """Points that each tied block adds to what winning the next hand is worth."""

    play_out: Flag = False
    """Whether a hand goes on when a seat is out, until no tile in any hand fits; it ends like a blocked one then."""

    block_winner: BlockWinner = "lowest_team"
    """Who wins a blocked hand: the team with the fewest pips in all; that of the single lightest hand (`lowest_hand`),
    among those without a double if there are any (`no_double`); or that of the lighter of two: who played the last tile
    and the seat after (`blocker_or_next`)."""

    block_tie: BlockTie = "none"
    """Who wins a blocked hand that is tied: nobody, or among those tied the team of the hand's `leader` or of its
    `last_player`."""

    block_counts: Literal["pips", "tiles"] = "pips"
    """What is counted in a blocked hand, for who wins it and for what it is worth."""

    block_pips: BlockPips = "loser"
    """What a blocked hand is worth: the pips of the losers, those less the winner's (`difference`), those and the
    winner's (`everyone`), or nothing at all (`none`); `own_each`: every team is charged its own, and no more."""

    block_points: Worth = 0
    """What winning a blocked hand is worth instead of pips; 0: pips, as `block_pips` has it."""

    rounding: Rounding = "none"
    """How pips for going out are rounded to `rounding_unit`."""

    block_rounding: Rounding = "none"
    """How pips for a blocked hand are rounded to `rounding_unit`."""

    rounding_unit: Annotated[int, Between(1, 30)] = 5
    """What pips are rounded to; `nearest` rounds a tie up."""

    rounding_of: Literal["sum", "each_hand"] = "sum"
    """What is rounded: all the pips that count together, or those of each hand."""

    end_points: Literal["pips", "quotient"] = "pips"
    """What rounded pips score at the end of a hand: as many, or as many as there are `rounding_unit` in them."""

    least_points: Worth = 0
    """What the pips of others are worth at least to the winner of a hand, or what each loser is charged at least."""

    end_ceiling: Worth = 0
    """The end of a hand lifts no score above this; 0: no limit."""

    first_entry: Worth = 0
    """A team whose score is 0 takes no fewer points at once than this: fewer are not written down."""

    target: Annotated[int, Between(0, 1_000)] = 0
    """The score that decides the match, reached or passed: whose it is wins or, with the scoring `penalty`, loses. 0:
    only the number of hands decides."""

    target_rule: TargetRule = "at_least"
    """`at_least`: a score may pass the target; `exact`: what one play brings is not taken if it would; `short`: points
    in play stop one short of the target, unless one is all that is missing; `in_a_row`: a hand won while another team
    has points sets all back to 0; `shutout`: the target decides only while another team has 0, and once all have points
    all go back to 0. By the last two a hand that begins with all at 0 is led as the first one."""

    target_check: Literal["hand_end", "at_once"] = "hand_end"
    """When the target is looked at: at the end of a hand, or also at once when points are taken in play."""

    most_hands: Annotated[int, Between(0, MOST_HANDS)] = 0
    """The hands after which the best score wins, if the target has not decided; 0: no such limit or, without a target,
    one hand."""

    def live_tiles(self) -> tuple[Tile, ...]:
        """The tiles that are shuffled, lowest first."""
        return tuple(tile for tile in tile_set(self.highest_double) if tile not in self.removed_tiles)

    def last_hand(self) -> int:
        """The number of the hand after which the match is over, whatever the scores."""
        return self.most_hands or (MOST_HANDS if self.target else 1)

    def team(self, seat: int) -> int:
        """The team that `seat` plays for."""
        return seat % 2 if self.partners == "pairs" else seat

    def team_count(self, seat_count: int) -> int:
        """How many teams `seat_count` seats make."""
        return 2 if self.partners == "pairs" else seat_count
