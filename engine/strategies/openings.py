"""What the way in which a hand opens tells of the tiles that nobody was dealt."""

from typing import Final

from engine.rules import Lead, Opening, Rules
from engine.tiles import Tile
from engine.view import MatchView

_PLAYED: Final[set[Opening]] = {"automatic", "forced"}
"""How a tile is played that found the opener, where it is known to be the one that opened the hand."""


def is_opener_found(view: MatchView) -> bool:
    """Whether the hand's tiles, or a lot, found its leader: as in the first hand, and not by how the last one ended."""
    rules = view.rules
    if not view.past_hands:
        return True
    last = view.past_hands[-1]
    if rules.target_rule in {"in_a_row", "shutout"} and not any(team.points for team in last.scores):
        return True
    lead: Lead = rules.lead_after_domino
    if last.reason == "blocked":
        lead = rules.lead_after_tie if last.winner is None else rules.lead_after_block
    return lead == "opener"


def never_dealt(view: MatchView) -> frozenset[Tile]:
    """Tiles that were in no hand when the hand was dealt: if they had been, another tile had found the opener.

    They are in the boneyard, but for those that were drawn since. Where the opener may play another tile than the one
    that found it, only the opener itself can tell, and only before it plays: the view says neither who led nor why.
    """
    assert view.hand is not None
    if not is_opener_found(view):
        return frozenset()
    rules, opening = view.rules, view.hand.layout.opening
    if opening is not None:
        return frozenset(_before_played(rules, opening.tile))
    if view.viewer.seat is None or view.hand.turn != view.viewer.seat:
        return frozenset()
    return frozenset(_before_own(rules, view.seats[view.viewer.seat].tiles or ()))


def _before_played(rules: Rules, tile: Tile) -> list[Tile]:
    """The tiles that are asked for before `tile`, which opened a hand."""
    if rules.opening not in _PLAYED:
        return []
    named = list(rules.opening_tiles)
    if tile in named:
        return named[: named.index(tile)]
    if rules.opener == "lot":
        return named
    if tile.is_double:
        return named + _doubles_before(rules, tile)
    # Had a double been dealt, it had been played. Any other tile may follow where this one is free.
    heavier = _heavier(rules, tile) if rules.opening_without_double in _PLAYED else []
    return named + _doubles(rules) + heavier


def _before_own(rules: Rules, tiles: tuple[Tile, ...]) -> list[Tile]:
    """The tiles that are asked for before the one of `tiles`, all that the leader was dealt, that found it."""
    named = list(rules.opening_tiles)
    for number, tile in enumerate(named):
        if tile in tiles:
            return named[:number]
    if rules.opener == "lot":
        return named
    if doubles := [tile for tile in tiles if tile.is_double]:
        found = min(doubles) if rules.opener == "lowest_double" else max(doubles)
        return named + _doubles_before(rules, found)
    heaviest = max(tiles, key=lambda tile: (tile.pips, tile.high))
    return named + _doubles(rules) + _heavier(rules, heaviest)


def _doubles(rules: Rules) -> list[Tile]:
    return [tile for tile in rules.live_tiles() if tile.is_double]


def _doubles_before(rules: Rules, found: Tile) -> list[Tile]:
    if rules.opener == "lowest_double":
        return [tile for tile in _doubles(rules) if tile < found]
    return [tile for tile in _doubles(rules) if found < tile]


def _heavier(rules: Rules, found: Tile) -> list[Tile]:
    weight = (found.pips, found.high)
    return [tile for tile in rules.live_tiles() if (tile.pips, tile.high) > weight]
