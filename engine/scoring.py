"""What a play, a domino and a block are worth. Points are by team; a penalty stands with the team that is charged."""

from collections.abc import Sequence

from engine.layout import Layout
from engine.rules import Rounding, Rules
from engine.tiles import Tile
from engine.values import value

Amounts = tuple[int, ...]
"""Points of each team, by team."""

Held = tuple[int, ...]
"""Pips that each seat holds, by seat."""


@value
class Verdict:
    """The winning team of a hand, null for a tie, and what each team scores for how it ended."""

    winner: int | None
    amounts: Amounts
    doubled: bool = False


def in_play(rules: Rules, count: int) -> int:
    """What a play scores that brings the layout's count to `count`; a count of zero scores nothing (B11)."""
    if not count or not rules.scored_multiples:
        return 0
    met = [multiple for multiple in rules.scored_multiples if count % multiple == 0]
    return sum(count if rules.play_points == "pips" else count // multiple for multiple in met)


def leaders(rules: Rules, scores: Amounts, among: Sequence[int]) -> list[int]:
    """The teams of `among` that stand best at `scores`: those with the most points, or the least penalty."""
    best = (max if rules.scoring == "points" else min)(scores[team] for team in among)
    return [team for team in among if scores[team] == best]


def domino(rules: Rules, held: Held, seat: int, *, doubled: bool) -> Verdict:
    """The verdict when `seat` goes out and the seats hold `held` pips."""
    team = rules.team(seat)
    by_team = _by_team(rules, held)
    extra = by_team[team] if rules.domino_pips == "everyone" else 0
    amounts = _amounts(rules, by_team, team, extra, rules.rounding)
    return Verdict(team, tuple([2 * amount for amount in amounts]) if doubled else amounts, doubled)


def block(rules: Rules, held: Held) -> Verdict:
    """The verdict when nobody can move and the seats hold `held` pips; a tie scores nothing (A3, B16), but where each
    team is charged its own.
    """
    by_team = _by_team(rules, held)
    winner = _block_winner(rules, held, by_team)
    if rules.block_pips == "own_each":
        return Verdict(winner, tuple([rounded(own, rules.block_rounding, rules.rounding_unit) for own in by_team]))
    if winner is None:
        return Verdict(None, (0,) * len(by_team))
    extra = {"loser": 0, "everyone": by_team[winner], "difference": -by_team[winner]}[rules.block_pips]
    return Verdict(winner, _amounts(rules, by_team, winner, extra, rules.block_rounding))


def doubles(rules: Rules, before: Layout, tile: Tile) -> bool:
    """Whether `tile`, the last of a hand, doubles the points, judged on the layout before it was laid (A5 to A7)."""
    if rules.last_tile_doubles == "never" or not before.ends:
        return False
    left, right = before.value("left"), before.value("right")
    if not (tile.numbers >> left & 1 and tile.numbers >> right & 1):
        return False
    match rules.last_tile_doubles:
        case "legal_both":
            return True
        case "distinct_ends":
            return left != right
        case "non_double":
            return not tile.is_double


def rounded(pips: int, rounding: Rounding, unit: int) -> int:
    """`pips` as a multiple of `unit`."""
    match rounding:
        case "none":
            return pips
        case "nearest":
            return (2 * pips + unit) // (2 * unit) * unit
        case "down":
            return pips // unit * unit
        case "up":
            return -(-pips // unit) * unit


def _by_team(rules: Rules, held: Held) -> Amounts:
    totals = [0] * rules.team_count(len(held))
    for seat, pips in enumerate(held):
        totals[rules.team(seat)] += pips
    return tuple(totals)


def _block_winner(rules: Rules, held: Held, by_team: Amounts) -> int | None:
    if rules.block_winner == "lowest_team":
        lowest = {team for team, pips in enumerate(by_team) if pips == min(by_team)}
    else:
        lowest = {rules.team(seat) for seat, pips in enumerate(held) if pips == min(held)}
    return lowest.pop() if len(lowest) == 1 else None


def _amounts(rules: Rules, by_team: Amounts, winner: int, extra: int, rounding: Rounding) -> Amounts:
    """`extra`, the winner's pips or those less than none, goes once to a winner's gain and to each loser's charge."""
    losing = [pips if team != winner else 0 for team, pips in enumerate(by_team)]
    if rules.scoring == "points":
        gain = rounded(max(0, sum(losing) + extra), rounding, rules.rounding_unit)
        return tuple([gain if team == winner else 0 for team in range(len(by_team))])
    return tuple(
        [
            rounded(max(0, pips + extra), rounding, rules.rounding_unit) if team != winner else 0
            for team, pips in enumerate(losing)
        ]
    )
