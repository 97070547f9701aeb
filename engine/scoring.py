"""What a play, a pass, a domino and a block are worth. Points are by team; a penalty stands with the team charged."""

from collections.abc import Sequence
from dataclasses import replace

from engine.layout import ENDS, End, Layout, suits
from engine.rules import BlockPips, Counted, Rounding, Rules
from engine.tiles import Tile
from engine.values import value

Amounts = tuple[int, ...]
"""Points of each team, by team."""

Held = tuple[int, ...]
"""What each seat holds, by seat: pips, or tiles where these count."""


@value
class Verdict:
    """The winning team of a hand, null for a tie, and what each team scores for how it ended."""

    winner: int | None
    amounts: Amounts
    doubled: bool = False
    bonus: int = 0
    """What of it is a bonus, for the winner or for each team that is charged."""


@value
class Dead:
    """A hand in which nobody can move."""

    held: Held
    clear: tuple[bool, ...] = ()
    """By seat, whether it holds no double; empty where the rules do not ask for that."""
    leader: int | None = None
    last_player: int | None = None


def in_play(rules: Rules, layout: Layout, end: End | None) -> int:
    """What a play at `end` scores that makes the line `layout`."""
    if not (rules.scored_multiples or rules.equal_ends_points) or (end is None and not rules.opening_scores):
        return 0
    return for_count(rules, layout.count) + (_for_equal_ends(rules, layout, end) if rules.equal_ends_points else 0)


def for_count(rules: Rules, count: int) -> int:
    """What a play scores that brings the layout's count to `count`; a count of zero scores nothing (B11)."""
    if not count or not rules.scored_multiples:
        return 0
    met = [multiple for multiple in rules.scored_multiples if count % multiple == 0]
    return sum(count if rules.play_points == "pips" else count // multiple for multiple in met)


def _for_equal_ends(rules: Rules, layout: Layout, end: End | None) -> int:
    shown_at = {each: halves(rules, layout, each) for each in ENDS}
    number, own = shown_at["right" if end is None else end]
    same = [count for shown, count in shown_at.values() if count and shown == number]
    if len(same) < 2 and not (rules.double_is_pair and own > 1):
        return 0
    return rules.equal_ends_points[min(sum(same) - 2, len(rules.equal_ends_points) - 1)]


def halves(rules: Rules, layout: Layout, end: End) -> tuple[int, int]:
    """The number that the line shows at `end`, and with how many halves: none where nothing lies there."""
    if line := layout.arm(end):
        return line[-1].outer, 1 + line[-1].tile.is_double
    opening = layout.opening
    if opening is None or end in {"up", "down"} or (end == "left" and rules.line_ends == 1):
        return 0, 0
    alone = rules.line_ends == 2 and not layout.arm("left") and not layout.arm("right")
    return opening.shown(end), 2 if opening.tile.is_double and not alone else 1


def line_is_equal(rules: Rules, layout: Layout) -> bool:
    """Whether both ends of the line show the same number."""
    (left, one), (right, other) = halves(rules, layout, "left"), halves(rules, layout, "right")
    return one > 0 and other > 0 and left == right


def for_pass(rules: Rules, layout: Layout, passes: int | None, *, returns: bool, first: bool) -> int:
    """What a pass gives to the team of the seat that played last, when `passes` came before it since then.

    Null for `passes` is a pass by that team itself. The pass may be the `first` of the match, and it may be the one
    that `returns` the turn.
    """
    points = rules.round_pass_points if returns else 0
    if passes is None:
        return points
    if passes == 0:
        points += rules.pass_points
        if not layout.arms:
            points += rules.opening_pass_points
    return points + (rules.first_pass_points if first else 0)


def hand_bonus(rules: Rules, number: int) -> int:
    """What winning hand `number` of a match is worth beside its points."""
    return rules.hand_bonuses[number - 1] if number <= len(rules.hand_bonuses) else 0


def leaders(rules: Rules, scores: Amounts, among: Sequence[int]) -> list[int]:
    """The teams of `among` that stand best at `scores`: those with the most points, or the least penalty."""
    best = (max if rules.scoring == "points" else min)(scores[team] for team in among)
    return [team for team in among if scores[team] == best]


def domino(
    rules: Rules, held: Held, seat: int, *, tile: Tile | None = None, special: bool = False, bonus: int = 0
) -> Verdict:
    """The verdict when `seat` goes out and the seats hold `held` pips, for a hand that is worth a `bonus` besides.

    The last `tile` may be `special`; null where it is not known.
    """
    team, teams = rules.team(seat), rules.team_count(len(held))
    if rules.domino_points:
        amounts = _each(rules, teams, team, rules.domino_points)
    else:
        amounts = _worth(rules, held, team, rules.domino_pips, rules.rounding)
    if special:
        amounts = tuple([rules.last_tile_factor * amount for amount in amounts])
        bonus += rules.last_tile_bonus
    if tile is not None and tile.is_double:
        bonus += rules.last_double_bonus
    if tile in rules.bonus_tiles:
        bonus += rules.bonus_tile_points
    return Verdict(team, _added(rules, amounts, team, bonus), special and rules.last_tile_factor > 1, bonus)


def block(rules: Rules, dead: Dead, *, bonus: int = 0) -> Verdict:
    """The verdict on a `dead` hand that is worth a `bonus` besides; a tie scores nothing (A3, B16), but where each team
    is charged its own.
    """
    winner = _block_winner(rules, dead)
    teams = rules.team_count(len(dead.held))
    if rules.block_pips == "own_each":
        held = _by_team(rules, _pieces(rules, dead.held, rules.block_rounding))
        return Verdict(winner, tuple([_points(rules, own, rules.block_rounding) for own in held]))
    if winner is None or rules.block_pips == "none":
        return Verdict(winner, (0,) * teams)
    if rules.block_points:
        amounts = _each(rules, teams, winner, rules.block_points)
    else:
        amounts = _worth(rules, dead.held, winner, rules.block_pips, rules.block_rounding)
    return Verdict(winner, _added(rules, amounts, winner, bonus), bonus=bonus)


def is_special(rules: Rules, before: Layout, tile: Tile) -> bool:
    """Whether `tile`, the last of a hand, is special, judged on the layout before it was laid (A5 to A7)."""
    if rules.last_tile == "never":
        return False
    left, right = before.asked_at("left"), before.asked_at("right")
    having = suits(rules, tile)
    if not (having & left and having & right):
        return False
    match rules.last_tile:
        case "legal_both":
            return True
        case "distinct_ends":
            return left != right
        case "non_double":
            return not tile.is_double


def overshoots(rules: Rules, score: int, points: int) -> bool:
    """Whether a team at `score` would pass an exact target by `points`."""
    return rules.target_rule == "exact" and score + points > rules.target > 0


def without(verdict: Verdict, team: int) -> Verdict:
    """`verdict` with nothing for `team`."""
    return replace(
        verdict, amounts=tuple([0 if each == team else amount for each, amount in enumerate(verdict.amounts)])
    )


def taken(rules: Rules, score: int, points: int, *, at_end: bool = False) -> int:
    """What a team at `score` takes of `points`, in play or `at_end` of a hand."""
    if overshoots(rules, score, points):
        return 0
    to_go = rules.target - score
    if at_end and rules.end_ceiling:
        points = min(points, max(0, rules.end_ceiling - score))
    elif not at_end and rules.target_rule == "short" and to_go > 1:
        points = min(points, to_go - 1)
    return 0 if score == 0 and points < rules.first_entry else points


def carried(rules: Rules, scores: Amounts, winner: int | None) -> Amounts:
    """What is left of `scores` after a hand that `winner` won."""
    match rules.target_rule:
        case "in_a_row":
            others = [score for team, score in enumerate(scores) if team != winner]
            set_back = winner is not None and any(others)
        case "shutout":
            set_back = all(scores)
        case _:
            return scores
    return (0,) * len(scores) if set_back else scores


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


def _block_winner(rules: Rules, dead: Dead) -> int | None:
    """The winning team: of those that stand best by the rule, if that is more than one, whom a tie goes to."""
    held, seats = dead.held, range(len(dead.held))
    if rules.block_winner == "lowest_team":
        by_team = _by_team(rules, held)
        best = {team for team, count in enumerate(by_team) if count == min(by_team)}
    else:
        among = list(seats)
        if rules.block_winner == "no_double":
            among = [seat for seat in seats if dead.clear[seat]] or among
        elif rules.block_winner == "blocker_or_next" and dead.last_player is not None:
            among = [dead.last_player, (dead.last_player + 1) % len(held)]
        fewest = min(held[seat] for seat in among)
        best = {rules.team(seat) for seat in among if held[seat] == fewest}
    if len(best) == 1:
        return best.pop()
    seat = {"none": None, "leader": dead.leader, "last_player": dead.last_player}[rules.block_tie]
    return rules.team(seat) if seat is not None and rules.team(seat) in best else None


def _worth(rules: Rules, held: Held, winner: int, counted: Counted | BlockPips, rounding: Rounding) -> Amounts:
    """What the leftovers `held` are worth: once to a winner, or to each loser its own.

    `counted` `everyone` adds the winner's to that, `difference` takes them off.
    """
    by_team = _by_team(rules, _pieces(rules, held, rounding))
    extra = by_team[winner] if counted == "everyone" else -by_team[winner] if counted == "difference" else 0
    losing = [count if team != winner else 0 for team, count in enumerate(by_team)]
    if rules.scoring == "points":
        gain = max(rules.least_points, _points(rules, max(0, sum(losing) + extra), rounding))
        return _each(rules, len(by_team), winner, gain)
    return tuple(
        [
            max(rules.least_points, _points(rules, max(0, count + extra), rounding)) if team != winner else 0
            for team, count in enumerate(losing)
        ]
    )


def _pieces(rules: Rules, held: Held, rounding: Rounding) -> Held:
    if rules.rounding_of == "sum":
        return held
    return tuple([rounded(count, rounding, rules.rounding_unit) for count in held])


def _points(rules: Rules, count: int, rounding: Rounding) -> int:
    count = rounded(count, rounding, rules.rounding_unit)
    return count if rules.end_points == "pips" else count // rules.rounding_unit


def _each(rules: Rules, teams: int, winner: int, points: int) -> Amounts:
    """`points` for the winner or, in a penalty game, for each loser."""
    return tuple([points if (team == winner) == (rules.scoring == "points") else 0 for team in range(teams)])


def _added(rules: Rules, amounts: Amounts, winner: int, bonus: int) -> Amounts:
    if not bonus:
        return amounts
    extra = _each(rules, len(amounts), winner, bonus)
    return tuple([amount + more for amount, more in zip(amounts, extra, strict=True)])


def _by_team(rules: Rules, held: Held) -> Amounts:
    totals = [0] * rules.team_count(len(held))
    for seat, count in enumerate(held):
        totals[rules.team(seat)] += count
    return tuple(totals)
