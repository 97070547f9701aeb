"""The games written a second time, slowly and plainly, from the rules and the contract: the engine has to agree.

Nothing of the engine is imported. Rules are a dict of their parameters, a tile is a pair of numbers with the higher one
first, the line is one list of halves, and what happens is a list of dicts in the form of the log.
"""

from typing import Any

from tests.engine.oracle_deals import Tile, below, dealt, live_tiles, name, named, shuffled, words

Facts = list[dict[str, Any]]


def pips(tiles: list[Tile]) -> int:
    return sum(map(sum, tiles))


def rounded(points: int, how: str, unit: int) -> int:
    multiples = range(0, points + unit + 1, unit)
    if how == "down":
        return max(multiple for multiple in multiples if multiple <= points)
    if how == "up":
        return min(multiple for multiple in multiples if multiple >= points)
    if how == "nearest":
        return min(multiples, key=lambda multiple: (abs(points - multiple), -multiple))
    return points


class Oracle:
    """A match that changes in place. `facts` is its log, less the times."""

    def __init__(self, rules: dict[str, Any], seats: int, seed: str, ruleset: str, fixed: Any = None) -> None:
        self.rules, self.seats, self.seed, self.fixed = rules, seats, seed, fixed
        self.teams = 2 if rules["partners"] == "pairs" else seats
        self.scores = [0] * self.teams
        self.status = "playing"
        self.number = 0
        self.lead: dict[str, Any] = {}
        self.facts: Facts = []
        self.say("match_created", None, None, ruleset=ruleset)
        self.deal()

    def team(self, seat: int) -> int:
        return seat % self.teams

    def after(self, seat: int) -> int:
        return (seat + 1) % self.seats

    def say(self, type_: str, seat: int | None, turn: int | None, **more: Any) -> None:
        hand = None if type_ in ("match_created", "match_ended") else self.number or None
        self.facts.append({"seq": len(self.facts) + 1, "type": type_, "hand": hand, "seat": seat, "turn": turn, **more})

    # The deal and the lead

    def deal(self) -> None:
        self.number += 1
        self.status = "playing"
        redeals = self.shuffle()
        seat, self.must_open, how = self.opener()
        self.turn: int | None = seat
        self.leader = seat
        self.last_player: int | None = None
        self.drawn = 0
        self.line: list[tuple[int, int]] = []
        self.spinner: int | None = None
        self.arms: dict[str, list[tuple[int, int]]] = {"up": [], "down": []}
        self.play_points = [0] * self.teams
        self.end_points = [0] * self.teams
        self.say(
            "hand_dealt",
            None,
            seat,
            number=self.number,
            tiles=[{"seat": seat, "tiles": list(map(name, tiles))} for seat, tiles in enumerate(self.hands)],
            boneyard=list(map(name, self.boneyard)),
            boneyard_count=len(self.boneyard),
            redeals=redeals,
        )
        opening = self.must_open
        if how != "forced":
            self.must_open = None
        if how == "automatic" and opening is not None:
            self.play(seat, opening, None, automatic=True)

    def shuffle(self) -> int:
        """Deal, and say how many deals were thrown in."""
        live = live_tiles(self.rules)
        if self.fixed is not None and self.number == 1:
            self.hands = [list(map(named, tiles)) for tiles in self.fixed["hands"]]
            first = list(map(named, self.fixed["boneyard"]))
            rest = [tile for tile in live if not any(tile in tiles for tiles in [first, *self.hands])]
            self.boneyard = first + shuffled(rest, words(self.seed, "capicua/rest/1"))
            return 0
        self.hands, self.boneyard, redeals = dealt(self.rules, self.seats, self.seed, self.number)
        return redeals

    def opener(self) -> tuple[int, Tile | None, str]:
        """The seat that leads, the tile that found it, and how that is played."""
        if self.lead:
            rule = self.rules[f"lead_after_{self.lead['how']}"]
            if rule != "opener":
                return self.lead[rule], None, "free"
        if self.rules["opener"] == "lot":
            return below(self.seats, words(self.seed, "capicua/lot/1", self.number)), None, "free"
        tiles = [tile for hand in self.hands for tile in hand]
        doubles = sorted(tile for tile in tiles if tile[0] == tile[1])
        if doubles:
            tile = doubles[0] if self.rules["opener"] == "lowest_double" else doubles[-1]
            how = self.rules["opening"]
        else:
            tile = max(tiles, key=lambda tile: (sum(tile), tile))
            how = self.rules["opening_without_double"]
        return next(seat for seat in range(self.seats) if tile in self.hands[seat]), tile, how

    # What may be done

    def ends(self) -> dict[str, tuple[int, int]]:
        """The number asked for at each open place, and the pips that it counts."""
        if not self.line:
            return {}
        (left, after_left), (before_right, right) = self.line[0], self.line[-1]
        alone = len(self.line) == 1
        places = {
            "left": (left, 2 * left if left == after_left and not alone else left),
            "right": (right, 2 * right if right == before_right and not alone else right),
        }
        at = self.spinner
        if at is not None and (self.rules["spinner_arms"] == "at_once" or 0 < at < len(self.line) - 1):
            for place, arm in self.arms.items():
                if arm:
                    inner, outer = arm[-1]
                    places[place] = (outer, 2 * outer if inner == outer else outer)
                else:
                    places[place] = (self.line[at][0], 0)
        return places

    def fits(self, tile: Tile) -> list[str | None]:
        if not self.line:
            return [None] if self.must_open in (None, tile) else []
        return [place for place, (number, _) in self.ends().items() if number in tile]

    def can_play(self, seat: int) -> bool:
        return any(self.fits(tile) for tile in self.hands[seat])

    def left_to_draw(self) -> bool:
        return len(self.boneyard) > self.rules["boneyard_reserve"] and bool(self.rules["drawing"] != "never")

    def may_draw(self) -> bool:
        return self.left_to_draw() and (self.rules["drawing"] == "until_playable" or self.drawn == 0)

    def legal(self, seat: int | None) -> list[dict[str, Any]]:
        """What `seat` (null: the host) may ask for, as the contract publishes it."""
        if self.status == "hand_over":
            return [{"type": "next-hand"}]
        if self.status == "finished" or seat is None or seat != self.turn:
            return []
        plays = [
            {"type": "play", "tile": name(tile), "end": end} for tile in self.hands[seat] for end in self.fits(tile)
        ]
        if plays:
            return plays
        return [{"type": "draw", "position": None, "until_playable": False} if self.may_draw() else {"type": "pass"}]

    def refusal(self, seat: int | None, move: dict[str, Any]) -> str | None:
        """The code of the first rule that a move breaks, in the contract's order; null: it is accepted."""
        if self.status == "finished":
            return "match-finished"
        if move["type"] == "next-hand":
            return None if self.status == "hand_over" else "hand-not-over"
        if self.status == "hand_over":
            return "hand-over"
        if seat is None or seat != self.turn:
            return "not-your-turn"
        if move["type"] == "play":
            return self.refused_play(seat, named(move["tile"]), move["end"])
        if self.can_play(seat):
            return "must-play"
        if move["type"] == "pass":
            return "must-draw" if self.may_draw() else None
        if not self.may_draw():
            return "must-pass"
        return "no-such-position" if (move["position"] or 0) >= len(self.boneyard) else None

    def refused_play(self, seat: int, tile: Tile, end: str | None) -> str | None:
        if not self.line and self.must_open not in (None, tile):
            return "must-open"
        if tile not in self.hands[seat]:
            return "tile-not-in-hand"
        places, ends = self.fits(tile), self.ends()
        if not places:
            return "tile-does-not-fit"
        if end is None:
            return "end-required" if len({ends[place][0] for place in places if place}) > 1 else None
        if end in places:
            return None
        return "tile-does-not-fit" if end in ends else "end-not-open"

    # What happens

    def act(self, seat: int | None, move: dict[str, Any], *, automatic: bool = False) -> Facts:
        """Do a legal move, and say all that follows from it; `automatic` is a pass by the service."""
        before = len(self.facts)
        if move["type"] == "next-hand":
            self.deal()
            return self.facts[before:]
        assert seat is not None
        if move["type"] == "play":
            tile = named(move["tile"])
            self.play(seat, tile, move["end"] or self.fits(tile)[0])
        elif move["type"] == "draw":
            self.draw(seat, move["position"] or 0)
            while move["until_playable"] and not self.can_play(seat) and self.may_draw():
                self.draw(seat, 0)
            self.end_if_dead()
        else:
            self.pass_(seat, self.after(seat), automatic=automatic)
        return self.facts[before:]

    def play(self, seat: int, tile: Tile, end: str | None, *, automatic: bool = False) -> None:
        self.hands[seat].remove(tile)
        self.last_player, self.drawn = seat, 0
        doubled = self.doubles(tile)
        inner, outer = self.lay(tile, end)
        count = sum(pips for _, pips in self.ends().values())
        points = self.worth(count)
        out = not self.hands[seat]
        won = bool(points) and self.reaches(self.scores[self.team(seat)] + points)
        self.turn = None if out or won else self.after(seat)
        self.say(
            "tile_played",
            seat,
            self.turn,
            tile=name(tile),
            end=end,
            inner=inner,
            outer=outer,
            count=count,
            automatic=automatic,
        )
        if points:
            self.score(self.team(seat), points, "play", seat)
        if won:
            self.end("target", self.team(seat))
        elif out:
            self.domino(seat, doubled)
        else:
            self.end_if_dead()

    def lay(self, tile: Tile, end: str | None) -> tuple[int, int]:
        double = tile[0] == tile[1]
        if end is None:
            self.line = [tile]
            self.spinner = 0 if double and self.rules["spinner"] != "none" else None
            return tile
        inner = self.ends()[end][0]
        outer = tile[0] + tile[1] - inner
        becomes_spinner = double and self.spinner is None and self.rules["spinner"] == "first_double"
        if end == "left":
            self.line.insert(0, (outer, inner))
            if self.spinner is not None:
                self.spinner += 1
            elif becomes_spinner:
                self.spinner = 0
        elif end == "right":
            self.line.append((inner, outer))
            if becomes_spinner:
                self.spinner = len(self.line) - 1
        else:
            self.arms[end].append((inner, outer))
        return inner, outer

    def draw(self, seat: int, position: int) -> None:
        tile = self.boneyard.pop(position)
        self.hands[seat].append(tile)
        self.drawn += 1
        self.say("tile_drawn", seat, seat, tile=name(tile), position=position, boneyard_count=len(self.boneyard))

    def pass_(self, seat: int, turn: int | None, *, automatic: bool) -> None:
        self.turn, self.drawn = turn, 0
        self.say("turn_passed", seat, turn, automatic=automatic)

    def end_if_dead(self) -> None:
        if self.left_to_draw() or any(self.can_play(seat) for seat in range(self.seats)):
            return
        seat = self.turn
        assert seat is not None
        for passed in range(1, self.seats + 1):
            self.pass_(seat, self.after(seat) if passed < self.seats else None, automatic=True)
            seat = self.after(seat)
        self.block()

    # What it is worth

    def worth(self, count: int) -> int:
        points = 0
        for multiple in self.rules["scored_multiples"]:
            if count % multiple == 0:
                points += count if self.rules["play_points"] == "pips" else count // multiple
        return points

    def reaches(self, points: int) -> bool:
        target: int = self.rules["target"]
        return 0 < target <= points and bool(self.rules["target_check"] == "at_once")

    def doubles(self, tile: Tile) -> bool:
        """Whether `tile`, if it is the last one, doubles the points; asked before it is laid."""
        how = self.rules["last_tile_doubles"]
        if how == "never" or not self.line:
            return False
        left, right = self.line[0][0], self.line[-1][1]
        if left not in tile or right not in tile:
            return False
        return not (how == "distinct_ends" and left == right) and not (how == "non_double" and tile[0] == tile[1])

    def held(self, team: int) -> int:
        return sum(pips(self.hands[seat]) for seat in range(self.seats) if self.team(seat) == team)

    def domino(self, seat: int, doubled: bool) -> None:
        team = self.team(seat)
        own = self.held(team) if self.rules["domino_pips"] == "everyone" else 0
        for other, points in self.amounts(team, own, self.rules["rounding"]).items():
            self.score(other, 2 * points if doubled else points, "domino", None)
        self.lead = {"how": "domino", "winner": seat}
        self.end("domino", team, doubled=doubled)

    def block(self) -> None:
        winner = self.block_winner()
        for team, points in self.block_amounts(winner).items():
            self.score(team, points, "blocked", None)
        self.lead = {"how": "tie"} if winner is None else {"how": "block", "winner": self.lightest(winner)}
        self.end("blocked", winner)

    def block_amounts(self, winner: int | None) -> dict[int, int]:
        counted, rounding = self.rules["block_pips"], self.rules["block_rounding"]
        if counted == "own_each":
            unit = self.rules["rounding_unit"]
            return {team: rounded(self.held(team), rounding, unit) for team in range(self.teams)}
        if winner is None:
            return {}
        own = self.held(winner)
        extra = {"loser": 0, "everyone": own, "difference": -own}[counted]
        return self.amounts(winner, extra, rounding)

    def block_winner(self) -> int | None:
        if self.rules["block_winner"] == "lowest_team":
            totals = [(self.held(team), team) for team in range(self.teams)]
        else:
            totals = [(pips(self.hands[seat]), self.team(seat)) for seat in range(self.seats)]
        best = {team for total, team in totals if total == min(totals)[0]}
        return best.pop() if len(best) == 1 else None

    def lightest(self, team: int) -> int:
        """The seat of `team` with the fewest pips, ties by turn order after the last tile."""
        assert self.last_player is not None
        order = [(self.last_player + step) % self.seats for step in range(1, self.seats + 1)]
        return min((seat for seat in order if self.team(seat) == team), key=lambda seat: pips(self.hands[seat]))

    def amounts(self, winner: int, extra: int, how: str) -> dict[int, int]:
        """What the winner gains, or what each loser is charged."""
        losers = [team for team in range(self.teams) if team != winner]
        unit = self.rules["rounding_unit"]
        if self.rules["scoring"] == "points":
            total = sum(self.held(team) for team in losers) + extra
            return {winner: rounded(max(total, 0), how, unit)}
        return {team: rounded(max(self.held(team) + extra, 0), how, unit) for team in losers}

    def score(self, team: int, points: int, cause: str, seat: int | None) -> None:
        if not points:
            return
        self.scores[team] += points
        (self.play_points if cause == "play" else self.end_points)[team] += points
        self.say("points_scored", seat, self.turn, team=team, points=points, cause=cause)

    def end(self, reason: str, winner: int | None, *, doubled: bool = False) -> None:
        result = {
            "number": self.number,
            "reason": reason,
            "winner": winner,
            **{what: self.listed(what) for what in ("play_points", "end_points", "scores")},
            "doubled": doubled,
            "leftover": [
                {"seat": seat, "tiles": list(map(name, tiles)), "pips": pips(tiles)}
                for seat, tiles in enumerate(self.hands)
            ],
            "boneyard": list(map(name, self.boneyard)),
        }
        self.say("hand_ended", None, None, result=result)
        self.lead |= {
            "last_player": self.last_player,
            "same_seat": self.leader,
            "next_seat": self.after(self.leader),
        }
        self.status = "hand_over"
        self.end_match()

    def listed(self, what: str) -> list[dict[str, int]]:
        return [{"team": team, "points": points} for team, points in enumerate(getattr(self, what))]

    def end_match(self) -> None:
        target = self.rules["target"]
        if max(self.scores) < target:
            return
        best = max(self.scores) if self.rules["scoring"] == "points" else min(self.scores)
        if self.scores.count(best) > 1 and target:
            return
        winner = self.scores.index(best) if self.scores.count(best) == 1 else None
        self.status = "finished"
        self.say("match_ended", None, None, result={"winner": winner, "reason": "score"})
