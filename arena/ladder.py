"""`capicua ladder`: players against each other on duplicate deals, and how much better the one is than the other."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Final

from arena.duplicate import Pair, Table, play_pair
from arena.estimate import Estimate, Stopwatch, percentile
from arena.games import deals, game, refuse_seats
from arena.output import progress, writing
from arena.players import PLAYERS, known, rungs
from arena.processes import cores, portion, spread
from arena.standings import Contest, Row, Times, print_table, write_rows
from engine.catalogue import source_games

GAMES: Final = tuple(ruleset.id for ruleset in source_games.RULESETS)
"""Those to play where none are named."""


def run(
    *,
    games: Sequence[str] | None,
    players: Sequence[str] | None,
    seats: int | None,
    pairs: int,
    first: int,
    workers: int | None,
    output: Path | None,
) -> None:
    """Play, and print a table of the outcome; write the rows to `output` as they come."""
    contests = contests_of(games or GAMES, seats, players)
    numbers = deals(first, pairs)
    with writing(output) as file, progress("pairs", len(contests) * pairs) as advance:
        rows = play(contests, numbers, workers or cores(), advance)
        kept = list(rows) if output is None else list(write_rows(rows, file))
    print_table(kept)


def contests_of(games: Sequence[str], seats: int | None, players: Sequence[str] | None) -> list[Contest]:
    """Who plays whom at what, in the order of the rows."""
    pairings = [(known(players[0]), known(players[1]))] if players else rungs()
    contests = []
    for ruleset in map(game, dict.fromkeys(games)):
        seat_count = seats or ruleset.seat_counts[0]
        refuse_seats(ruleset, seat_count)
        Table(ruleset, seat_count).refuse_uneven()
        contests += [Contest(ruleset.id, seat_count, one, other) for one, other in pairings]
    return contests


@cache
def warm(name: str) -> None:
    """Have a player play a hand in this process before its decisions are timed, so that it loads what it needs."""
    ruleset = game(GAMES[0])
    play_pair(Table(ruleset, ruleset.seat_counts[0]), PLAYERS[name], PLAYERS[name], 0)


def _play(task: tuple[Contest, range]) -> tuple[list[Pair], list[int], list[int]]:
    """The pairs of some deals, and how long each decision of each player took, in nanoseconds."""
    contest, numbers = task
    table = Table(game(contest.game), contest.seats)
    warm(contest.player)
    warm(contest.against)
    one, other = Stopwatch(PLAYERS[contest.player]), Stopwatch(PLAYERS[contest.against])
    pairs = [play_pair(table, one, other, number) for number in numbers]
    return pairs, one.nanoseconds, other.nanoseconds


def play(
    contests: Sequence[Contest], numbers: range, workers: int, advance: Callable[[int], None] = lambda _: None
) -> Iterator[Row]:
    """A row for each contest, over the same deals. All of it but the times is the same for any number of workers."""
    size = portion(len(numbers), workers)
    parts = [numbers[start : start + size] for start in range(0, len(numbers), size)]
    with spread(_play, [(contest, part) for contest in contests for part in parts], workers) as results:
        for contest in contests:
            pairs: list[Pair] = []
            times: tuple[list[int], list[int]] = [], []
            for played, one, other in islice(results, len(parts)):
                pairs += played
                times[0].extend(one)
                times[1].extend(other)
                advance(len(played))
            yield Row(
                contest,
                numbers[0],
                len(pairs),
                Estimate.of([100 * pair.won for pair in pairs]),
                Estimate.of([pair.points for pair in pairs]),
                _times(times[0]),
                _times(times[1]),
            )


def _times(nanoseconds: Sequence[int]) -> Times:
    return Times(percentile(nanoseconds, 50), percentile(nanoseconds, 99))
