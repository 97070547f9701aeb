"""What the moves of a hand tell of the tiles that others hold: when each may have come to them, and with which others.

The tiles of a seat came in batches: those it was dealt, and those it drew one after the other without one that fitted.
A seat that draws or passes holds nothing then that it might play, and one whose turn ends that would have gone on with
a tile that fits holds none. So no such tile is in a batch that the seat had at that time, unless it was played before.
A tile that is played when one has just been drawn is that one, for the seat could play no other.

A deal puts each hidden tile in a batch. The shuffle makes all ways to do so equally likely, whichever places of the
boneyard were drawn from: each is as many orders of the tiles as any other.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from engine.layout import EMPTY, asked_to_go_on, place, suits
from engine.moves import PastMove
from engine.tiles import Tile
from engine.view import MatchView, SeatView

Sightings = Sequence[tuple[int, int]]
"""What a seat was seen without: how many moves had been made then, and which tiles, a bit for each live one."""


class Batch(NamedTuple):
    """Hidden tiles that came to a place alike."""

    place: int
    """The seat or, after the last seat, the boneyard."""
    arrivals: tuple[int, ...]
    """For each tile how many moves had been made when the place first had it, lowest first; 0 where it was dealt."""

    @property
    def is_dealt(self) -> bool:
        """Whether all its tiles were there from the start."""
        return not self.arrivals or not self.arrivals[-1]


class Shown(NamedTuple):
    """A tile that another seat has played of which it is known when it came, by its index in `Rules.live_tiles`."""

    tile: int
    seat: int
    since: int
    """How many moves had been made when the seat first had it: 0 where it was dealt; -1 where that is only assumed."""
    until: int
    """How many moves had been made when it was played."""


class Held(NamedTuple):
    """What is known of the tiles that one place has held."""

    batches: tuple[Batch, ...]
    barred: tuple[int, ...]
    """By batch, the tiles that cannot be in it if they have not been played, a bit for each live one."""
    shown: tuple[Shown, ...] = ()
    played: tuple[tuple[int, int, int], ...] = ()
    """The other tiles that were played: each by its index, when, and the batches it may have been in, a bit for each.
    """

    def dealt(self, held: Iterable[int]) -> list[int]:
        """The tiles that may have been dealt to the seat, which holds those of `held`, by their index."""
        played = [tile for tile, _, options in self.played if options & 1]
        shown = [tile.tile for tile in self.shown if not tile.since]
        return [*[tile for tile in held if not self.barred[0] >> tile & 1], *played, *shown]

    def forgetting(self) -> "Held":
        """The same in a single batch: what was played is taken to have been dealt, and what was drawn to be left."""
        place = self.batches[0].place
        arrivals = sorted([each for batch in self.batches for each in batch.arrivals])[len(self.played) :]
        everywhere = -1
        for barred in self.barred:
            everywhere &= barred
        assumed = [Shown(tile, place, -1, until) for tile, until, _ in self.played]
        return Held((Batch(place, tuple(arrivals)),), (everywhere,), (*self.shown, *assumed))


class Past(NamedTuple):
    """Where all tiles may have been that the viewer does not hold, nor has played."""

    batches: tuple[Batch, ...]
    """By place; the last one is the boneyard."""
    tiles: tuple[int, ...]
    """The tiles that are in the batches, by their index in `Rules.live_tiles`: those never played, lowest first, then
    the others."""
    unseen: int
    """How many of them have never been played."""
    allowed: tuple[int, ...]
    """For each of these tiles the batches that it may be in, a bit for each."""
    shown: tuple[Shown, ...]

    @property
    def sizes(self) -> list[int]:
        """How many of the tiles are in each batch."""
        return [len(batch.arrivals) for batch in self.batches]


def past(unseen: Sequence[int], places: Sequence[Held]) -> Past:
    """The tiles `unseen`, never played, and those played that may have been in several batches."""
    batches: list[Batch] = []
    tiles, allowed = list(unseen), [0] * len(unseen)
    shown: list[Shown] = []
    for held in places:
        first = len(batches)
        for number, barred in enumerate(held.barred, first):
            for index, tile in enumerate(unseen):
                if not barred >> tile & 1:
                    allowed[index] |= 1 << number
        for tile, _, options in held.played:
            tiles.append(tile)
            allowed.append(options << first)
        batches += held.batches
        shown += held.shown
    return Past(tuple(batches), tuple(tiles), len(unseen), tuple(allowed), tuple(shown))


def places(view: MatchView, live: Sequence[Tile], *, believed: bool = True) -> list[Held]:
    """What the moves of `view` tell of each place, the boneyard last; only what each seat got and played, and when,
    unless it is `believed` that seats play when they can.
    """
    hand = view.hand
    assert hand is not None
    seen = _sightings(view, live) if believed else [[] for _ in view.seats]
    indexes = {tile: index for index, tile in enumerate(live)}
    known = [_held(seat, hand.moves, without, indexes) for seat, without in zip(view.seats, seen, strict=True)]
    return [*known, Held((Batch(len(view.seats), (0,) * hand.boneyard_count),), (0,))]


def _sightings(view: MatchView, live: Sequence[Tile]) -> list[list[tuple[int, int]]]:
    """What each seat was seen without, and when."""
    rules, hand, layout = view.rules, view.hand, EMPTY
    assert hand is not None
    having = [(suits(rules, tile), 1 << index) for index, tile in enumerate(live)]
    doubles = sum([1 << index for index, tile in enumerate(live) if tile.is_double])
    seen: list[list[tuple[int, int]]] = [[] for _ in view.seats]

    def fitting(asked: int) -> int:
        return sum([bit for suited, bit in having if suited & asked])

    for number, move in enumerate(hand.moves):
        if move.tile is None:
            # Before the first tile only a seat without a double to lead with does not play.
            seen[move.seat].append((number, doubles if layout.opening is None else fitting(layout.asked)))
            continue
        layout = place(rules, layout, move.tile, move.end)
        asked = asked_to_go_on(rules, move.tile, layout, move.end)
        if asked and _is_turn_over(view, number + 1):
            seen[move.seat].append((number + 1, fitting(asked)))
    return seen


def _is_turn_over(view: MatchView, number: int) -> bool:
    """Whether the seat that played last, after `number` moves, is seen not to go on where the rules would let it."""
    hand = view.hand
    assert hand is not None
    last = hand.moves[number - 1]
    if number == len(hand.moves):
        return hand.turn != last.seat
    after = hand.moves[number]
    if after.seat != last.seat:
        return True
    # It may have the turn again because the others miss theirs. Only where it has to go on at its end does that show.
    return view.rules.extra_turn == "until_stuck" and None is not last.end != after.end and after.type == "play"


def _held(seat: SeatView, moves: Sequence[PastMove], seen: Sightings, indexes: dict[Tile, int]) -> Held:
    """What the moves tell of a seat that was `seen` without some tiles."""
    place, made = seat.seat, [move.type for move in moves if move.seat == seat.seat]
    batches = [(0,) * (seat.tile_count + made.count("play") - made.count("draw")), *_draws(moves, place)]
    shown, played = [], []
    for tile, until, just_drawn in _plays(moves, place):
        index, options = indexes[tile], 0
        if just_drawn:
            shown.append(Shown(index, place, until, until))
            continue
        for number, arrivals in enumerate(batches):
            if arrivals[0] <= until and not _barred(seen, arrivals[0], until) >> index & 1:
                options |= 1 << number
        if options == 1:
            shown.append(Shown(index, place, 0, until))
        else:
            played.append((index, until, options))
    batches[0] = batches[0][sum([not each.since for each in shown]) :]
    barred = [_barred(seen, arrivals[0] if arrivals else 0, len(moves)) for arrivals in batches]
    return Held(tuple([Batch(place, arrivals) for arrivals in batches]), tuple(barred), tuple(shown), tuple(played))


def _plays(moves: Sequence[PastMove], seat: int) -> Iterator[tuple[Tile, int, bool]]:
    """The tiles that `seat` played, when, and whether each had been drawn just before."""
    for number, move in enumerate(moves):
        if move.seat == seat and move.tile is not None:
            before = moves[number - 1] if number else None
            yield move.tile, number, before is not None and before.seat == seat and before.type == "draw"


def _draws(moves: Sequence[PastMove], seat: int) -> Iterator[tuple[int, ...]]:
    """When tiles came to `seat` that it drew and did not play at once, those together that did not fit alike."""
    run: list[int] = []
    for number, move in enumerate(moves, 1):
        if move.seat == seat and move.type == "draw":
            run.append(number)
        elif run:
            if move.type == "play":
                run.pop()
            if run:
                yield tuple(run)
            run = []
    if run:  # the last one may yet be played
        if run[:-1]:
            yield tuple(run[:-1])
        yield (run[-1],)


def _barred(seen: Sightings, since: int, until: int) -> int:
    """The tiles that a seat was seen without at some time from `since` to `until`, a bit for each."""
    barred = 0
    for number, without in seen:
        if since <= number <= until:
            barred |= without
    return barred
