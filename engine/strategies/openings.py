"""What the way in which a hand opens tells of the tiles that were dealt."""

from typing import Final, NamedTuple

from engine.rules import Lead, Opening, Rules
from engine.tiles import Tile
from engine.view import MatchView

_PLAYED: Final[set[Opening]] = {"automatic", "forced"}
"""How a tile is played that found the opener, where it is known to be the one that opened the hand."""


class Find(NamedTuple):
    """One of the ways in which the leader may have been found, which exclude each other."""

    tile: Tile | None = None
    """A tile that was dealt; null if none is known to have been."""
    seat: int | None = None
    """Who was dealt it; null if it may be anybody."""
    absent: frozenset[Tile] = frozenset()
    """Tiles that nobody was dealt."""
    chance: float = 1
    """Of finding this leader, with a deal of this kind."""


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


def finds(view: MatchView, own: frozenset[Tile], shown: frozenset[Tile]) -> list[Find]:
    """The ways in which the leader of the hand may have been found, by all that `view` says of it. The viewer may have
    been dealt the tiles `own`, which may be too many, and others are known to have been dealt those of `shown`.
    """
    found = _found(view, own) if is_opener_found(view) else [Find()]
    if view.rules.lead_tile == "any" or any(tile.is_double for tile in own | shown):
        return found
    # Somebody was dealt a double, or the deal had been thrown in.
    return [each for find in found for each in ([find] if find.tile is not None else _with_double(view, find))]


def asked_for(rules: Rules) -> list[Tile]:
    """The tiles whose holder leads, in the order in which they are asked for."""
    others = [tile for tile in rules.live_tiles() if tile not in rules.opening_tiles]
    doubles, rest = [tile for tile in others if tile.is_double], [tile for tile in others if not tile.is_double]
    if rules.opener == "lot":
        return list(rules.opening_tiles)
    if rules.opener == "highest_double":
        doubles.reverse()
    if rules.lead_tile == "double":
        rest.clear()
    rest.sort(key=lambda tile: (tile.pips, tile.high), reverse=True)
    return [*rules.opening_tiles, *doubles, *rest]


def _found(view: MatchView, own: frozenset[Tile]) -> list[Find]:
    rules, hand, me = view.rules, view.hand, view.viewer.seat
    assert hand is not None
    is_sure = me is None or len(own) == rules.hand_size
    leader = hand.moves[0].seat if hand.moves else hand.turn
    opening = hand.layout.opening
    found, order = [], asked_for(rules)
    for number, tile in enumerate(order):
        is_double = tile.is_double or tile in rules.opening_tiles
        mode = rules.opening if is_double else rules.opening_without_double
        is_own = is_sure and tile in own
        may_be = opening is None or opening.tile is tile or mode not in _PLAYED
        if may_be and (not is_sure or is_own == (leader == me)):
            found.append(Find(tile, leader, frozenset(order[:number])))
        if is_own:
            break
    else:
        if rules.opener == "lot":
            found.append(Find(absent=frozenset(order), chance=1 / len(view.seats)))
    return found if is_sure or len(found) == 1 else [Find()]


def _with_double(view: MatchView, find: Find) -> list[Find]:
    """`find`, by each of the doubles that may be the first one that was dealt, which is none of the viewer's."""
    hand, me = view.hand, view.viewer.seat
    assert hand is not None
    own = {move.tile for move in hand.moves if move.seat == me}
    if me is not None:
        own.update(view.seats[me].tiles or ())
    doubles = [tile for tile in view.rules.live_tiles() if tile.is_double and tile not in find.absent | own]
    return [
        find._replace(tile=tile, absent=find.absent | frozenset(doubles[:number]))
        for number, tile in enumerate(doubles)
    ]
