"""What players were told, and whether the log bears it out: each acknowledged call once, and nothing else."""

import asyncio
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise
from typing import Any, Final

Event = Mapping[str, Any]

CAUSES: Final = {
    "create": "match_created",
    "join": "seat_joined",
    "play": "tile_played",
    "draw": "tile_drawn",
    "pass": "turn_passed",
    "next-hand": "hand_dealt",
    "resign": "resigned",
    "cancel": "cancelled",
}
"""The event that a call asks for; a step may bring any."""

HIDDEN: Final = frozenset({"tiles", "tile", "boneyard"})
"""Members that are null for those who may not know them, or not yet."""

EXACT_SECONDS: Final = 0.001


@dataclass(frozen=True)
class Acknowledged:
    """A call that was answered with what it did."""

    name: str
    seat: int | None
    events: Sequence[Event]


@dataclass
class Book:
    """All that was told about one match."""

    match_id: str
    humans: set[int]
    """Every seat that a person sits in, or will."""
    clock: int | None
    """Seconds per hand."""
    host: str
    """The host's token."""
    calls: list[Acknowledged] = field(default_factory=list)
    streams: list[Sequence[Event]] = field(default_factory=list)
    """What each reader was sent, in the order it came."""

    @property
    def path(self) -> str:
        return f"/v1/matches/{self.match_id}"


@dataclass
class Ledger:
    """All matches, and the faults found in any."""

    books: dict[str, Book] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    tally: Counter[str] = field(default_factory=Counter)
    longest_wait: float = 0
    """Seconds, of a call from its first attempt to its answer."""
    longest_stop: float = 0
    up: asyncio.Event = field(default_factory=asyncio.Event)
    """Whether the service has answered since it was last wholly down."""
    stopping_since: float | None = None
    """When a stop began that is still going on."""

    def fault(self, text: str) -> None:
        self.faults.append(f"{time.strftime('%H:%M:%S')} {text}")

    def waited(self, since: float) -> None:
        self.longest_wait = max(self.longest_wait, time.monotonic() - since)

    def check(self, book: Book, log: Sequence[Event]) -> None:
        """Hold everything told about a match against its log."""
        for text in check(book, log):
            self.fault(f"{book.match_id}: {text}")
        self.tally["hands"] += sum(event["type"] == "hand_ended" for event in log)
        self.tally["events"] += len(log)
        self.tally["forfeits"] += sum(event["type"] == "clock_expired" for event in log)


def check(book: Book, log: Sequence[Event]) -> Iterator[str]:
    """What is wrong with a match's whole log."""
    if [event["seq"] for event in log] != list(range(1, len(log) + 1)):
        yield "the log has a gap"
        return
    for call in book.calls:
        yield from _misquoted(f"what {call.name} answered", call.events, log)
    for number, sent in enumerate(book.streams):
        yield from _misquoted(f"what stream {number} sent", sent, log)
        if [event["seq"] for event in sent] != list(range(1, len(sent) + 1)):
            yield f"stream {number} sent {[event['seq'] for event in sent]}"
    yield from _unasked(book, log)
    yield from _miscounted(book, log)
    yield from _untimely(book, log)


def agrees(told: object, kept: object) -> bool:
    """Whether `told` is `kept`, but for what its reader may not have known."""
    match told, kept:
        case dict(), dict():
            return told.keys() == kept.keys() and all(
                (told[name] is None and name in HIDDEN) or agrees(told[name], kept[name]) for name in told
            )
        case list(), list():
            return len(told) == len(kept) and all(map(agrees, told, kept))
        case _:
            return told == kept


def _misquoted(where: str, told: Sequence[Event], log: Sequence[Event]) -> Iterator[str]:
    for event in told:
        seq = event["seq"]
        if seq > len(log):
            yield f"{where} is lost: {event}"
        elif not agrees(event, log[seq - 1]):
            yield f"{where} is not in the log: {event}, but {log[seq - 1]}"


def _unasked(book: Book, log: Sequence[Event]) -> Iterator[str]:
    """Every event comes from one call; only the end by the clock comes from none."""
    asked = Counter(event["seq"] for call in book.calls for event in call.events)
    for seq, times in asked.items():
        if times > 1:
            yield f"{times} calls were told that event {seq} was theirs"
    expired = next((event["seq"] for event in log if event["type"] == "clock_expired"), len(log) + 1)
    for event in log[: expired - 1]:
        if event["seq"] not in asked:
            yield f"nobody asked for {event}"
    for event in log[expired - 1 :]:
        if event["seq"] in asked:
            yield f"somebody was told to have asked for {event}"


def _miscounted(book: Book, log: Sequence[Event]) -> Iterator[str]:
    """The moves of each person are as many as their acknowledged calls."""
    calls: Counter[tuple[str, int | None]] = Counter()
    for call in book.calls:
        if call.name not in CAUSES:
            continue
        kind = CAUSES[call.name]
        who = call.seat if kind in {"tile_played", "tile_drawn", "turn_passed", "resigned", "seat_joined"} else None
        made = sum(_is_own(event, kind, who) for event in call.events)
        if made != 1 and not (kind == "tile_drawn" and made) and not (kind == "hand_dealt" and made):
            yield f"a {call.name} of seat {call.seat} made {made} events: {call.events}"
        calls[kind, who] += made
    for kind in set(CAUSES.values()) - {"hand_dealt"}:
        for who in sorted(book.humans) if kind not in {"match_created", "cancelled"} else [None]:
            found = sum(_is_own(event, kind, who) for event in log)
            if found != calls[kind, who]:
                yield f"the log has {found} {kind} of seat {who}, whose calls made {calls[kind, who]}"
    dealt = sum(event["type"] == "hand_dealt" and event["number"] > 1 for event in log)
    if dealt != calls["hand_dealt", None]:
        yield f"the log has {dealt} later hands, and {calls['hand_dealt', None]} were asked for"


def _is_own(event: Event, kind: str, who: int | None) -> bool:
    return event["type"] == kind and event["seat"] == who and not event.get("automatic", False)


def _untimely(book: Book, log: Sequence[Event]) -> Iterator[str]:
    """A clock expires when its seat has used all its time for the hand, and never goes beyond."""
    spent: Counter[int] = Counter()
    for before, after in pairwise(log):
        seat = before["turn"]
        if before["type"] == "hand_dealt":
            spent.clear()
        if seat in book.humans:
            spent[seat] += round(1_000_000 * (_at(after) - _at(before)).total_seconds())
        left = None if book.clock is None or seat is None else book.clock - spent[seat] / 1_000_000
        if after["type"] == "clock_expired" and (left is None or abs(left) > EXACT_SECONDS or after["seat"] != seat):
            yield f"with {left} seconds left came {after}"
        elif left is not None and left < -EXACT_SECONDS:
            yield f"with {left} seconds left seat {seat} was still there for {after}"


def _at(event: Event) -> datetime:
    return datetime.fromisoformat(event["at"])
