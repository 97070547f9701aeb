"""Who leads a hand, and with which tile."""

from operator import attrgetter

from engine.rules import Lead, Opening, Rules
from engine.tiles import Tile
from engine.values import value


@value
class Ending:
    """What the next lead depends on: how the last hand was led, who played its last tile, and who won."""

    leader: int
    last_player: int
    blocked: bool
    winner: int | None
    """The winning seat: who went out or, after a block, the lightest of the winning team; null for a tie."""


@value
class Opener:
    """The seat that leads, the tile that found it, and how that tile is played; no tile for a free lead."""

    seat: int
    tile: Tile | None = None
    opening: Opening = "free"


def find_opener(rules: Rules, tiles: tuple[tuple[Tile, ...], ...], ending: Ending | None, lot: int) -> Opener:
    """Who leads a hand of `tiles` after one that ended as `ending` says; `lot` is the seat that a lot would choose."""
    if ending is not None and (seat := _led_on(rules, len(tiles), ending)) is not None:
        return Opener(seat)
    for tile in rules.opening_tiles:
        for seat, hand in enumerate(tiles):
            if tile in hand:
                return Opener(seat, tile, rules.opening)
    if rules.opener == "lot":
        return Opener(lot)
    doubles = [tile for hand in tiles for tile in hand if tile.is_double]
    if not doubles:
        # The heaviest tile, ties by the larger end (B2, C/D 2): no two tiles without a double tie further.
        tile = max((tile for hand in tiles for tile in hand), key=lambda tile: (tile.pips, tile.high))
        return Opener(_holder(tiles, tile), tile, rules.opening_without_double)
    tile = (min if rules.opener == "lowest_double" else max)(doubles, key=attrgetter("pips"))
    return Opener(_holder(tiles, tile), tile, rules.opening)


def _led_on(rules: Rules, seat_count: int, ending: Ending) -> int | None:
    """The seat that the last hand gives the lead to, or null where the opener is found as in the first hand."""
    lead: Lead
    if ending.winner is None:
        lead = rules.lead_after_tie
    else:
        lead = rules.lead_after_block if ending.blocked else rules.lead_after_domino
    match lead:
        case "opener":
            return None
        case "winner":
            return ending.winner
        case "last_player":
            return ending.last_player
        case "next_seat":
            return (ending.leader + 1) % seat_count
        case "same_seat":
            return ending.leader


def _holder(tiles: tuple[tuple[Tile, ...], ...], tile: Tile) -> int:
    return next(seat for seat, hand in enumerate(tiles) if tile in hand)
