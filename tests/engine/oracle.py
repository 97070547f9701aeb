"""The games written a second time, slowly and plainly, from the rules and the contract: the engine has to agree.

Nothing of the engine is imported. Rules are a dict of their parameters, a tile is a pair of numbers with the higher one
first, the line is one list of halves, and what happens is a list of dicts in the form of the log.
"""

from typing import Any

from tests.engine.oracle_deals import Tile, below, dealt, live_tiles, name, named, shuffled, words
from tests.engine.oracle_line import Line
from tests.engine.oracle_scoring import End, is_double, overshoots, pips, reaches, taken

Facts = list[dict[str, Any]]


class Oracle:
    """A match that changes in place. `facts` is its log, less the times."""

    def __init__(self, rules: dict[str, Any], seats: int, seed: str, ruleset: str, fixed: Any = None) -> None:
        self.rules, self.seats, self.seed, self.fixed = rules, seats, seed, fixed
        self.teams = 2 if rules["partners"] == "pairs" else seats
        self.scores = [0] * self.teams
        self.status = "playing"
        self.number = 0
        self.lead: dict[str, Any] = {}
        self.ties = 0
        self.anybody_passed = False
        self.facts: Facts = []
        self.say("match_created", None, None, ruleset=ruleset)
        self.deal()

    def team(self, seat: int) -> int:
        return seat % self.teams

    def after(self, seat: int) -> int:
        """The next seat that is not out."""
        order = [(seat + step) % self.seats for step in range(1, self.seats + 1)]
        return next((other for other in order if self.hands[other]), seat)

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
        self.line = Line(self.rules)
        self.bound: str | None = None
        self.passed: list[int] = []
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
        from_the_start = self.rules["target_rule"] in ("in_a_row", "shutout") and not any(self.scores)
        if self.lead and not from_the_start:
            rule = self.rules[f"lead_after_{self.lead['how']}"]
            if rule != "opener":
                return self.lead[rule], None, "free"
        for tile in map(named, self.rules["opening_tiles"]):
            for seat in range(self.seats):
                if tile in self.hands[seat]:
                    return seat, tile, self.rules["opening"]
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

    def fits(self, tile: Tile) -> list[str | None]:
        if not self.line.laid:
            if self.must_open is not None:
                return [None] if tile == self.must_open else []
            return [None] if self.rules["lead_tile"] == "any" or is_double(tile) else []
        return [place for place in self.line.fits(tile) if self.bound in (None, place)]

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
        if not self.line.laid and self.must_open not in (None, tile):
            return "must-open"
        if tile not in self.hands[seat]:
            return "tile-not-in-hand"
        places, ends = self.fits(tile), self.line.ends()
        if not places:
            return "tile-does-not-fit"
        if end is None:
            return "end-required" if len({ends[place][0] for place in places if place}) > 1 else None
        if end in places:
            return None
        return "tile-does-not-fit" if end in ends and self.bound is None else "end-not-open"

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
            self.pass_(seat, automatic=automatic)
        return self.facts[before:]

    def play(self, seat: int, tile: Tile, end: str | None, *, automatic: bool = False) -> None:
        team = self.team(seat)
        special = self.special(tile)
        self.hands[seat].remove(tile)
        self.last_player, self.drawn, self.passed, self.bound = seat, 0, [], None
        if not self.line.laid:
            self.leader = seat
        inner, outer = self.line.lay(tile, end)
        count = self.line.count()
        out = not self.hands[seat] and not self.rules["play_out"]
        points = self.play_worth(tile, end, count)
        ending, bonus = self.at_end().domino(tile, special=special) if out else ({}, 0)
        if overshoots(self.rules, self.scores[team], points + ending.get(team, 0)):
            points, ending = 0, {other: worth for other, worth in ending.items() if other != team}
        points = taken(self.rules, self.scores[team], points)
        won = bool(points) and reaches(self.rules, self.scores[team] + points)
        self.turn = None if out or won else self.next_turn(seat, tile, end, count)
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
        self.score(team, points, "play", seat)
        if won:
            self.reached(team)
        elif out:
            self.lead = {"how": "domino", "winner": seat}
            self.settle(ending, "domino")
            self.end("domino", team, doubled=special and self.rules["last_tile_factor"] > 1, bonus=bonus)
        else:
            self.end_if_dead()

    def next_turn(self, seat: int, tile: Tile, end: str | None, count: int) -> int:
        """Who has the turn after `seat` played `tile` at `end`; the seat may be bound to go on there."""
        rules = self.rules
        kept = rules["extra_turn"] == "until_stuck" or count in rules["extra_turn_counts"]
        if kept or (rules["extra_turn"] == "after_double" and is_double(tile)):
            self.bound = end if rules["extra_turn"] == "until_stuck" else None
            if self.can_play(seat):
                return seat
            self.bound = None
        shown = self.line.shown()
        equal = "left" in shown and shown["left"] == shown["right"]
        missed = count in rules["skip_counts"] or (rules["skip_equal_ends"] and equal)
        return self.after(self.after(seat)) if missed else self.after(seat)

    def draw(self, seat: int, position: int) -> None:
        tile = self.boneyard.pop(position)
        self.hands[seat].append(tile)
        self.drawn += 1
        self.say("tile_drawn", seat, seat, tile=name(tile), position=position, boneyard_count=len(self.boneyard))

    def pass_(self, seat: int, *, automatic: bool) -> None:
        turn = self.after(seat)
        team, points = self.pass_worth(seat, turn)
        points = taken(self.rules, self.scores[team], points)
        won = bool(points) and reaches(self.rules, self.scores[team] + points)
        self.say_pass(seat, None if won else turn, automatic=automatic)
        self.anybody_passed = self.anybody_passed or bool(self.line.laid)
        self.score(team, points, "pass", self.last_player)
        if won:
            self.reached(team)

    def say_pass(self, seat: int, turn: int | None, *, automatic: bool) -> None:
        self.turn, self.drawn = turn, 0
        self.passed.append(seat)
        self.say("turn_passed", seat, turn, automatic=automatic)

    def end_if_dead(self) -> None:
        if self.left_to_draw() or not self.line.laid or any(self.can_play(seat) for seat in range(self.seats)):
            return
        assert self.turn is not None
        order = [(self.turn + step) % self.seats for step in range(self.seats)]
        for seat, turn in zip(order, [*order[1:], None], strict=True):
            self.say_pass(seat, turn, automatic=True)
        end = self.at_end()
        winner = end.block_winner()
        amounts, bonus = end.blocked(winner)
        self.settle(amounts, "blocked")
        self.lead = {"how": "tie"} if winner is None else {"how": "block", "winner": self.lightest(winner)}
        self.end("blocked", winner, bonus=bonus)

    # What it is worth

    def at_end(self) -> End:
        assert self.last_player is not None
        return End(self.rules, self.hands, self.teams, self.number, self.ties, self.leader, self.last_player)

    def play_worth(self, tile: Tile, end: str | None, count: int) -> int:
        rules = self.rules
        if end is None and not rules["opening_scores"]:
            return 0
        points = 0
        for multiple in rules["scored_multiples"]:
            if count % multiple == 0:
                points += count if rules["play_points"] == "pips" else count // multiple
        halves, worth = self.line.equal_halves(end, tile), rules["equal_ends_points"]
        if halves and worth:
            points += worth[min(halves - 2, len(worth) - 1)]
        return points

    def pass_worth(self, seat: int, turn: int) -> tuple[int, int]:
        """The team that gains by the pass of `seat`, which gives the turn to `turn`, and what it gains."""
        rules, last = self.rules, self.last_player
        if last is None:
            return 0, 0
        points = 0
        if not self.passed and self.team(seat) != self.team(last):
            points += rules["pass_points"]
            if len(self.line.laid) == 1:
                points += rules["opening_pass_points"]
            if not self.anybody_passed:
                points += rules["first_pass_points"]
        if turn == last:
            points += rules["round_pass_points"]
        return self.team(last), points

    def special(self, tile: Tile) -> bool:
        """Whether `tile`, if it is the last one, is special; asked before it is laid."""
        how, ends = self.rules["last_tile"], self.line.ends()
        if how == "never" or not {"left", "right"} <= set(self.fits(tile)):
            return False
        if how == "distinct_ends":
            return ends["left"][0] != ends["right"][0]
        return how == "legal_both" or not is_double(tile)

    def lightest(self, team: int) -> int:
        """The seat of `team` with the fewest pips, ties by turn order after the last tile."""
        assert self.last_player is not None
        order = [(self.last_player + step) % self.seats for step in range(1, self.seats + 1)]
        return min((seat for seat in order if self.team(seat) == team), key=lambda seat: pips(self.hands[seat]))

    def settle(self, amounts: dict[int, int], cause: str) -> None:
        for team, points in sorted(amounts.items()):
            self.score(team, taken(self.rules, self.scores[team], points, at_end=True), cause, None)

    def score(self, team: int, points: int, cause: str, seat: int | None) -> None:
        if not points:
            return
        self.scores[team] += points
        (self.play_points if cause in ("play", "pass") else self.end_points)[team] += points
        self.say("points_scored", seat, self.turn, team=team, points=points, cause=cause)

    def reached(self, team: int) -> None:
        """The target, in play: if the match goes on all the same, it does as after a domino."""
        self.lead = {"how": "domino", "winner": self.last_player}
        self.end("target", team)

    def end(self, reason: str, winner: int | None, *, doubled: bool = False, bonus: int = 0) -> None:
        if reason in ("domino", "blocked"):
            self.set_back(winner)
        self.ties = self.ties + 1 if winner is None else 0
        result = {
            "number": self.number,
            "reason": reason,
            "winner": winner,
            **{what: self.listed(what) for what in ("play_points", "end_points", "scores")},
            "doubled": doubled,
            "bonus": bonus,
            "leftover": [
                {"seat": seat, "tiles": list(map(name, tiles)), "pips": pips(tiles)}
                for seat, tiles in enumerate(self.hands)
            ],
            "boneyard": list(map(name, self.boneyard)),
        }
        self.turn, self.bound = None, None
        self.say("hand_ended", None, None, result=result)
        self.lead |= {
            "last_player": self.last_player,
            "same_seat": self.leader,
            "next_seat": (self.leader + 1) % self.seats,
        }
        self.status = "hand_over"
        self.end_match()

    def set_back(self, winner: int | None) -> None:
        rule = self.rules["target_rule"]
        broken = winner is not None and any(score for team, score in enumerate(self.scores) if team != winner)
        if (rule == "in_a_row" and broken) or (rule == "shutout" and min(self.scores) > 0):
            self.scores = [0] * self.teams

    def listed(self, what: str) -> list[dict[str, int]]:
        return [{"team": team, "points": points} for team, points in enumerate(getattr(self, what))]

    def end_match(self) -> None:
        target, most = self.rules["target"], self.rules["most_hands"]
        last = self.number == (most or (1_000 if target else 1))
        if not last and (max(self.scores) < target or target == 0):
            return
        best = max(self.scores) if self.rules["scoring"] == "points" else min(self.scores)
        alone = self.scores.count(best) == 1
        if not alone and not last:
            return
        self.status = "finished"
        winner = self.scores.index(best) if alone else None
        self.say("match_ended", None, None, result={"winner": winner, "reason": "score"})
