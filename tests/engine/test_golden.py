"""Golden playthroughs: one hand of each rule set, with all that every viewer gets at every step.

`CAPICUA_REWRITE_GOLDEN=1 make test ARGS=tests/engine/test_golden.py` writes the files anew; read what changed in them.
"""

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.catalogue import RULESETS
from engine.deal import NumberedDeal, seed_for
from engine.events import Event
from engine.match import Match, Setup
from engine.moves import Move
from engine.players import Cpu
from engine.view import Viewer, open_hand, redact, view
from tests.engine.games import Moment, random_play, setup, text, viewers

FOLDER = Path(__file__).parents[1] / "golden"
NUMBERS = {"partner-penalty": 5, "all-fives": 3, "draw": 3, "block": 2}
"""The deal of a playthrough, where it is not number 1: one that shows much of the game."""


def playthrough(ruleset: str) -> Iterator[dict[str, Any]]:
    """The start, and each step to the end of the first hand and the next deal: what a spectator gets anew, and what
    others get instead of that.
    """
    moments = random_play(_setup(ruleset))
    previous: dict[str, Any] = {}
    for moment in moments:
        step = _step(moment)
        states = {name: seen["state"] for name, seen in step.items()}
        new = {name: {**seen, "state": _changes(previous.get(name), seen["state"])} for name, seen in step.items()}
        public = new["spectator"]
        others = {name: _changes(public, seen) for name, seen in new.items() if name != "spectator"}
        yield {"move": moment.move and json.loads(text(moment.move, Move)), "spectator": public, **others}
        previous = states
        if moment.match.hand is not None and moment.match.hand.start.number > 1:
            return


def _setup(ruleset: str) -> Setup:
    kind = NumberedDeal(NUMBERS.get(ruleset, 1))
    cpus = (Cpu(),) * RULESETS[ruleset].seat_counts[0]
    return replace(setup(ruleset, 0, cpus, kind), seed=seed_for(kind, b""))


def _step(moment: Moment) -> dict[str, Any]:
    return {_name(viewer): _seen(moment.match, moment.events, viewer) for viewer in viewers(moment.match)}


def _name(viewer: Viewer) -> str:
    return viewer.role if viewer.seat is None else f"seat {viewer.seat}"


def _seen(match: Match, events: tuple[Event, ...], viewer: Viewer) -> dict[str, Any]:
    redacted = [json.loads(text(redact(event, viewer, open_hand(match)), Event)) for event in events]
    return {"state": json.loads(text(view(match, viewer))), "events": redacted}


def _changes(before: Any, after: Any) -> Any:
    """`after` less what it shares with `before`, so that a step can be read; of a list, by index, or its new end."""
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after) > 1:
        changed = {index: (old, new) for index, (old, new) in enumerate(zip(before, after, strict=True)) if old != new}
        if all(isinstance(old, dict) and isinstance(new, dict) for old, new in changed.values()):
            return {str(index): _changes(old, new) for index, (old, new) in changed.items()}
    if isinstance(before, list) and isinstance(after, list) and len(before) > 1 and after[:-1] == before:
        return {"+": after[-1]}
    if not isinstance(before, dict) or not isinstance(after, dict):
        return after
    return {key: _changes(before.get(key), value) for key, value in after.items() if before.get(key) != value}


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_playthrough_is_as_it_was(ruleset: str) -> None:
    path = FOLDER / f"{ruleset}.jsonl"
    lines = [json.dumps(step) for step in playthrough(ruleset)]
    if os.environ.get("CAPICUA_REWRITE_GOLDEN"):
        path.write_text("\n".join(lines) + "\n")
    assert path.exists(), "every rule set has a playthrough"
    assert lines == path.read_text().splitlines()
    assert {"tile_played", "hand_ended", "hand_dealt"} <= {
        event["type"] for line in lines for event in json.loads(line)["spectator"].get("events", [])
    }
