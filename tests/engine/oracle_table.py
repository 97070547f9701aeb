"""Seats taken late, time at the table and ends before the end, written a second time: see `oracle`."""

from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

from tests.engine.oracle import Oracle


class TableOracle(Oracle):
    """A match whose seats may be open at first, and that may end before its score decides it."""

    def __init__(self, rules: dict[str, Any], kinds: list[str], seed: str, ruleset: str) -> None:
        self.kinds = list(kinds)
        self.broken = False
        super().__init__(rules, len(kinds), seed, ruleset)

    def deal(self) -> None:
        if "open" in self.kinds:
            self.status, self.turn = "waiting", None
        else:
            super().deal()

    def closed(self) -> str | None:
        """The code that refuses every move, where one does."""
        if self.status == "waiting":
            return "match-waiting"
        return "match-finished" if self.status in ("finished", "cancelled") else None

    def legal(self, seat: int | None) -> list[dict[str, Any]]:
        return [] if self.closed() else super().legal(seat)

    def refusal(self, seat: int | None, move: dict[str, Any]) -> str | None:
        return self.closed() or super().refusal(seat, move)

    def refused_seat(self, seat: int | None) -> str | None:
        if self.status in ("finished", "cancelled"):
            return "match-finished"
        taken = "open" not in self.kinds if seat is None else self.kinds[seat] != "open"
        return "no-open-seat" if taken else None

    def join(self, seat: int | None, name: str | None) -> None:
        seat = self.kinds.index("open") if seat is None else seat
        self.kinds[seat] = "human"
        self.say("seat_joined", seat, None, name=name)
        self.deal()

    def lose(self, seat: int, reason: str) -> None:
        self.say({"time": "clock_expired", "resignation": "resigned"}[reason], seat, self.turn)
        self.break_off()
        sign = 1 if self.rules["scoring"] == "points" else -1
        standing = {team: sign * self.scores[team] for team in range(self.teams) if team != self.team(seat)}
        best = [team for team, points in standing.items() if points == max(standing.values())]
        self.status = "finished"
        winner = best[0] if len(best) == 1 else None
        self.say("match_ended", None, None, result={"winner": winner, "reason": reason})

    def cancel(self) -> None:
        self.break_off()
        self.status = "cancelled"
        self.say("cancelled", None, None)

    def break_off(self) -> None:
        if self.status == "playing":
            self.broken = True
            self.turn = None
            self.end("unfinished", None)

    def end_match(self) -> None:
        if not self.broken:
            super().end_match()


def times(log: list[dict[str, Any]], kinds: list[str], seconds: int) -> tuple[list[int], int | None, datetime | None]:
    """What a published log says of the clock, if its seats were of `kinds` at first.

    Each seat's microseconds left, the seat whose time runs, and when it will have run out.
    """
    people = {seat for seat, kind in enumerate(kinds) if kind == "human"}
    people |= {event["seat"] for event in log if event["type"] == "seat_joined"}
    left = [seconds * 1_000_000] * len(kinds)
    for before, after in pairwise(log):
        if after["type"] == "hand_dealt":
            left = [seconds * 1_000_000] * len(kinds)
        elif before["turn"] in people:
            passed = (when(after) - when(before)) / timedelta(microseconds=1)
            left[before["turn"]] = max(0, left[before["turn"]] - round(passed))
    last = log[-1]
    if last["turn"] not in people:
        return left, None, None
    return left, last["turn"], when(last) + timedelta(microseconds=left[last["turn"]])


def when(event: dict[str, Any]) -> datetime:
    return datetime.fromisoformat(event["at"])
