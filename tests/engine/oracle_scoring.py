"""Points written a second time: what a hand's end is worth, by the rules' words."""

from dataclasses import dataclass
from typing import Any

from tests.engine.oracle_deals import Tile, name

Hands = list[list[Tile]]


def pips(tiles: list[Tile]) -> int:
    return sum(map(sum, tiles))


def is_double(tile: Tile) -> bool:
    return tile[0] == tile[1]


def rounded(points: int, how: str, unit: int) -> int:
    multiples = range(0, points + unit + 1, unit)
    if how == "down":
        return max(multiple for multiple in multiples if multiple <= points)
    if how == "up":
        return min(multiple for multiple in multiples if multiple >= points)
    if how == "nearest":
        return min(multiples, key=lambda multiple: (abs(points - multiple), -multiple))
    return points


def reaches(rules: dict[str, Any], score: int) -> bool:
    """Whether points in play that make a score of `score` decide the match at once."""
    target: int = rules["target"]
    return 0 < target <= score and bool(rules["target_check"] == "at_once")


def overshoots(rules: dict[str, Any], score: int, points: int) -> bool:
    target: int = rules["target"]
    return bool(rules["target_rule"] == "exact") and score + points > target > 0


def taken(rules: dict[str, Any], score: int, points: int, *, at_end: bool = False) -> int:
    """What a team at `score` takes of `points`."""
    if overshoots(rules, score, points):
        return 0
    if at_end and rules["end_ceiling"]:
        points = max(0, min(score + points, int(rules["end_ceiling"])) - score)
    if rules["target_rule"] == "short" and not at_end and score + 1 < rules["target"]:
        points = min(score + points, int(rules["target"]) - 1) - score
    return 0 if score == 0 and points < rules["first_entry"] else points


@dataclass
class End:
    """The table at the end of a hand."""

    rules: dict[str, Any]
    hands: Hands
    teams: int
    number: int
    ties: int
    """Tied blocks in a row before this hand."""
    leader: int
    last_player: int

    def seats(self, team: int) -> list[int]:
        return [seat for seat in range(len(self.hands)) if seat % self.teams == team]

    def measure(self, seat: int, *, blocked: bool) -> int:
        tiles = self.hands[seat]
        return len(tiles) if blocked and self.rules["block_counts"] == "tiles" else pips(tiles)

    def scored(self, plus: list[int], minus: list[int], *, blocked: bool, won: bool) -> int:
        """What the pips of the seats `plus` less those of `minus` score."""
        rules = self.rules
        how, unit = rules["block_rounding" if blocked else "rounding"], rules["rounding_unit"]
        signed = [(1, seat) for seat in plus] + [(-1, seat) for seat in minus]
        held = [(sign, self.measure(seat, blocked=blocked)) for sign, seat in signed]
        if rules["rounding_of"] == "sum":
            points = rounded(max(sum(sign * count for sign, count in held), 0), how, unit)
        else:
            points = max(sum(sign * rounded(count, how, unit) for sign, count in held), 0)
        if rules["end_points"] == "quotient":
            points //= unit
        return max(points, rules["least_points"]) if won else points

    def won_by(self, winner: int, plus: list[int], minus: list[int], instead: int, *, blocked: bool) -> dict[int, int]:
        """What the winner gains, or each loser is charged, when the winner's seats `plus` and `minus` count too."""
        losers = [team for team in range(self.teams) if team != winner]
        if self.rules["scoring"] == "points":
            counted = {winner: [seat for team in losers for seat in self.seats(team)]}
        else:
            counted = {team: self.seats(team) for team in losers}
        return {
            team: instead or self.scored(seats + plus, minus, blocked=blocked, won=True)
            for team, seats in counted.items()
        }

    def bonus_of_hand(self) -> int:
        """What winning this hand is worth besides."""
        bonuses = self.rules["hand_bonuses"]
        own: int = bonuses[self.number - 1] if self.number <= len(bonuses) else 0
        return own + self.ties * int(self.rules["tie_bonus"])

    def bonus_of_tile(self, tile: Tile, *, special: bool) -> int:
        """What going out with `tile` is worth besides."""
        rules = self.rules
        bonus = 0
        if special:
            bonus += rules["last_tile_bonus"]
        if is_double(tile):
            bonus += rules["last_double_bonus"]
        if name(tile) in rules["bonus_tiles"]:
            bonus += rules["bonus_tile_points"]
        return bonus

    def domino(self, tile: Tile, *, special: bool) -> tuple[dict[int, int], int]:
        """The points of each team when the last player went out with `tile`, and the bonus in them."""
        rules, winner = self.rules, self.last_player % self.teams
        own = self.seats(winner) if rules["domino_pips"] == "everyone" else []
        amounts = self.won_by(winner, own, [], rules["domino_points"], blocked=False)
        factor = rules["last_tile_factor"] if special else 1
        bonus = self.bonus_of_hand() + self.bonus_of_tile(tile, special=special)
        return {team: factor * points + bonus for team, points in amounts.items()}, bonus

    def blocked(self, winner: int | None) -> tuple[dict[int, int], int]:
        """The points of each team in a block that `winner` wins, and the bonus in them."""
        rules = self.rules
        if rules["block_pips"] == "own_each":
            return {team: self.scored(self.seats(team), [], blocked=True, won=False) for team in range(self.teams)}, 0
        if winner is None or rules["block_pips"] == "none":
            return {}, 0
        own = self.seats(winner)
        plus, minus = {"loser": ([], []), "everyone": (own, []), "difference": ([], own)}[rules["block_pips"]]
        amounts = self.won_by(winner, plus, minus, rules["block_points"], blocked=True)
        bonus = self.bonus_of_hand()
        for team in range(self.teams):
            if (team == winner) == (rules["scoring"] == "points"):
                amounts[team] = amounts.get(team, 0) + bonus
        return amounts, bonus

    def block_winner(self) -> int | None:
        how = self.rules["block_winner"]
        weights = {seat: self.measure(seat, blocked=True) for seat in range(len(self.hands))}
        if how == "lowest_team":
            totals = [(sum(weights[seat] for seat in self.seats(team)), team) for team in range(self.teams)]
        else:
            among = list(weights)
            if how == "no_double":
                among = [seat for seat in among if not any(map(is_double, self.hands[seat]))] or among
            elif how == "blocker_or_next":
                among = [self.last_player, (self.last_player + 1) % len(self.hands)]
            totals = [(weights[seat], seat % self.teams) for seat in among]
        best = {team for total, team in totals if total == min(totals)[0]}
        if len(best) == 1:
            return best.pop()
        asked = {"none": None, "leader": self.leader, "last_player": self.last_player}[self.rules["block_tie"]]
        return asked % self.teams if asked is not None and asked % self.teams in best else None
