"""Matches as they go in life: seats are taken late, time passes, levels change, and people give up."""

import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import get_args

from hypothesis import strategies as st

from engine.autoplay import play_on, step
from engine.clock import TimeControl
from engine.endings import cancel, resign, settle
from engine.faults import has_lookahead
from engine.match import Match, Setup, Transition, change_level, create, decide, join, legal_moves
from engine.moves import Draw, Move, Play
from engine.players import Cpu, Human, Level, Open, Player
from engine.rules import Rules
from tests.engine.any_rules import SEEDS, games
from tests.engine.games import AT, Moment, listed, setup

PLAYERS: st.SearchStrategy[Player] = st.sampled_from([Human(), Human(), Human(), Cpu("easy"), Cpu("medium"), Open()])

CLOCKS: st.SearchStrategy[TimeControl | None] = st.none() | st.builds(TimeControl, st.integers(1, 60))


@st.composite
def tables(draw: st.DrawFn, clocks: st.SearchStrategy[TimeControl | None] = CLOCKS) -> Setup:
    """Any game with any players, with or without a clock."""
    game: tuple[Rules, int] = draw(games())
    rules, seat_count = game
    players = draw(st.lists(PLAYERS, min_size=seat_count, max_size=seat_count))
    return replace(
        setup("block", draw(SEEDS), tuple(players)),
        rules=rules,
        pacing=draw(st.sampled_from(["auto", "step"])),
        auto_pass=draw(st.booleans()),
        clock=draw(clocks),
    )


def in_any_form(match: Match, rng: random.Random) -> Move:
    """One of the legal moves, in any form that stands for it: a draw from anywhere, or a play without its end."""
    move = listed(match, rng)
    hand = match.hand
    assert hand is not None
    if isinstance(move, Draw):
        return Draw(rng.choice([None, rng.randrange(len(hand.boneyard))]), rng.choice([False, True]))
    if isinstance(move, Play):
        plays = [play for play in legal_moves(match, match.turn) if isinstance(play, Play) and play.tile is move.tile]
        asked = {end.value for end in hand.layout.ends for play in plays if play.end == end.end}
        return Play(move.tile, rng.choice([move.end, None])) if len(asked) == 1 else move
    return move


def random_life(chosen: Setup, *, most: int = 120) -> Iterator[Moment]:
    """The match at its creation and after each of at most `most` calls, drawn by chance and made in good time."""
    rng = random.Random(chosen.seed)
    now = AT
    done = play_on(create(chosen, now), now)
    log = done.events
    yield Moment(done.match, None, done.events, log)
    for _ in range(most):
        if done.match.is_over:
            return
        now += _pause(done.match, rng)
        done = _call(done.match, rng, now)
        log += done.events
        yield Moment(done.match, None, done.events, log)


def _pause(match: Match, rng: random.Random) -> timedelta:
    """Hours where seats are open, else seconds at most, and often none at all."""
    if match.hand is None:
        return timedelta(hours=rng.randrange(9))
    return timedelta(microseconds=rng.choice([0, 1, rng.randrange(1_000_000), rng.randrange(8_000_000)]))


def _call(match: Match, rng: random.Random, at: datetime) -> Transition:
    """What time has done, or else a call of somebody: a move, mostly."""
    late = settle(match, at)
    if late.events:
        return late
    chance = rng.random()
    seat = rng.randrange(len(match.players))
    if chance < 0.005:
        return cancel(match, at)
    if chance < 0.015 and match.hand is not None:
        return resign(match, seat, at)
    if chance < 0.1 and isinstance(match.players[seat], Cpu):
        return play_on(change_level(match, seat, rng.choice(_levels(match)), at), at)
    if match.hand is None:
        seats = [None, *[seat for seat, player in enumerate(match.players) if isinstance(player, Open)]]
        return play_on(join(match, rng.choice(seats), rng.choice([None, "Asha"]), at), at)
    if match.turn is not None and isinstance(match.players[match.turn], Cpu):
        return step(match, at)
    return play_on(decide(match, match.turn, in_any_form(match, rng), at), at)


def _levels(match: Match) -> list[Level]:
    """The levels that may play the match's rules."""
    levels: list[Level] = list(get_args(Level))
    return levels if has_lookahead(match.setup.rules) else [level for level in levels if level != "expert"]
