"""What the page shows between two states: the match as it was right after each event, as far as a seat sees it."""

from typing import Any

import pytest

from engine.catalogue import RULESETS
from engine.events import Event
from engine.match import evolve, fold
from engine.players import Cpu, Human, Player
from engine.view import Viewer, open_hand, redact, view
from tests.engine.games import as_json, random_play, setup
from tests.programs import evaluated

SEEN = ("status", "scores", "past_hands", "result")
SEEN_OF_HAND = ("number", "turn", "boneyard_count", "moves", "result")
MOST_MOVES = 150
AT_ONCE = 7
"""How many moves an answer brings, as where CPU seats reply."""


def shown(match: Any) -> dict[str, Any]:
    """What people look at while the events go by, of a state or of a frame."""
    hand = match["hand"]
    return {
        **{name: match[name] for name in SEEN},
        "seats": [[seat["tile_count"], seat["tiles"] and sorted(seat["tiles"])] for seat in match["seats"]],
        **{f"hand.{name}": hand[name] for name in SEEN_OF_HAND},
        "layout": [hand["layout"][name] for name in ("opening", "arms")],
    }


def frames(batches: list[Any]) -> Any:
    """What the page makes of each state and the events that led to it."""
    return evaluated("frames.js", "given.map(([after, events]) => page.framesOf(after, events))", batches)


def batches_of(ruleset: str) -> tuple[list[Any], dict[int, Any]]:
    """Each of some answers as seat 0 gets it, and the state after each event by its number."""
    players: tuple[Player, ...] = (Human(), *(Cpu(),) * (RULESETS[ruleset].seat_counts[0] - 1))
    chosen = setup(ruleset, 1, players)
    viewer = Viewer("seat", 0)
    batches, states = [], {}
    match = None
    events: list[Event] = []
    for number, moment in enumerate(random_play(chosen, most=MOST_MOVES), 1):
        for event in moment.events:
            match = fold(chosen, [event]) if match is None else evolve(match, event)
            states[event.seq] = as_json(view(match, viewer))
        events += moment.events
        if number % AT_ONCE == 0:
            seen = [redact(event, viewer, open_hand(moment.match)) for event in events]
            batches.append([as_json(view(moment.match, viewer)), as_json(seen, list[Event])])
            events = []
    return batches, states


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_frame_is_the_state_after_its_event(ruleset: str) -> None:
    batches, states = batches_of(ruleset)
    found = [frame for batch in frames(batches) for frame in batch]
    assert len(found) > 3 * len(batches)
    for frame in found:
        number = frame["event"]["seq"]
        assert frame["match"]["version"] == number
        assert shown(frame["match"]) == shown(states[number]), frame["event"]
