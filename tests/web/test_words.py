"""What the page says: over playthroughs of every game, beside what the viewer may know; and sentence by sentence."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest

from engine.catalogue import RULESETS
from engine.events import Event
from engine.match import Match, create, join
from engine.players import Cpu, Human, Open, Player
from engine.view import SPECTATOR, Viewer, open_hand, redact, view
from tests.engine import statuses
from tests.engine.games import AT, Moment, as_json, random_play, setup
from tests.programs import evaluated

MOST_MOVES = 90
TILE = re.compile(r"\b\d{1,2}-\d{1,2}\b")
ILL_MADE = re.compile(r"undefined|null|NaN|\[object|  | \.|\.\.|^[a-z]|[^.]$")
YOU = Viewer("seat", 0)
CPU = Cpu()


def told(expression: str, given: Any) -> Any:
    """What an expression over `given` and the page's words is."""
    return evaluated("words.js", expression, given)


def all_told(given: list[list[Any]]) -> Any:
    """All that is said of states, each with the events that led to it."""
    return told(
        """given.map(([match, events]) => ({
            said: events.map((event) => page.said(event, match)),
            turn: page.turnOf(match),
            outcome: page.outcomeOf(match),
            names: match.seats.map(({ seat }) => page.nameOf(match, seat)),
            teams: match.scores.map(({ team }) => page.teamOf(match, team)),
        }))""",
        given,
    )


def seen(match: Match, events: tuple[Event, ...] = (), viewer: Viewer = YOU) -> list[Any]:
    """A state and the events that led to it, as a viewer gets them."""
    shown = [redact(event, viewer, open_hand(match)) for event in events]
    return [as_json(view(match, viewer)), as_json(shown, list[Event])]


def playthrough(ruleset: str, seat_count: int) -> list[list[Any]]:
    """A match by chance, seen by whoever has the turn or by another, and by all of some where a hand ends."""
    players = (Human(), *[Human("Asha") if seat % 3 == 2 else CPU for seat in range(1, seat_count)])
    viewers = [YOU, SPECTATOR, Viewer("seat", seat_count - 1)]
    chosen = replace(setup(ruleset, 1, players), rules=RULESETS[ruleset].tables[seat_count])
    given = []
    for number, moment in enumerate(random_play(chosen, most=MOST_MOVES)):
        turn = moment.match.turn
        looking = viewers if turn is None else [Viewer("seat", turn) if number % 2 else viewers[number % 3]]
        given += [seen(moment.match, moment.events, viewer) for viewer in looking]
    return given


def visible(match: Any) -> set[str]:
    """The tiles that a state shows, those that the rules name apart."""
    return set(TILE.findall(json.dumps([match["seats"], {**(match["hand"] or {}), "legal_moves": []}])))


def check_status(match: Any, names: list[str], line: str) -> None:
    """The status line asks for what `legal_moves` has, and for nothing else."""
    moves, turn = match["hand"]["legal_moves"], match["hand"]["turn"]
    if match["viewer"]["seat"] != turn:
        assert line == f"{names[turn]} is to move."
        return
    assert line.startswith("Your turn: ")
    types = {move["type"] for move in moves}
    assert line.endswith(": no tile fits, draw from the boneyard.") == ("draw" in types)
    assert line.endswith(": no tile fits, pass.") == ("pass" in types)
    tiles = {move["tile"] for move in moves if move["type"] == "play"}
    assert TILE.findall(line) == (list(tiles) if len(tiles) == 1 else [])
    assert ("raised" in line) == (len(tiles) > 1)


def check_amounts(match: Any, teams: list[str], lines: list[str]) -> None:
    """What is said of points is what the hand's result has, where the hand was played to its end, and the scores."""
    result, score = match["hand"]["result"], next(line for line in lines if "core: " in line)
    is_told = match["status"] != "cancelled" and (match["result"] or {}).get("reason") in {None, "score"}
    for team, name in enumerate(teams):
        assert re.search(rf"[:,] {re.escape(name)} {match['scores'][team]['points']}\b", score), score
        total = result["play_points"][team]["points"] + result["end_points"][team]["points"]
        brought = [line for line in lines if re.match(rf"{re.escape(name)} (scored|were charged|was charged) ", line)]
        amounts = [int(amount) for line in brought for amount in re.findall(r"d (\d+) points?\b", line)]
        assert amounts == [total] * (total > 0 and is_told)


def check(match: Any, events: list[Any], say: Any) -> None:
    """All that is said of a state is well made, true, and no more than the viewer may know."""
    names, outcome = say["names"], say["outcome"]
    said = [*say["said"], say["turn"], *outcome["lines"]]
    assert len(say["said"]) == len(events)
    for line in said:
        assert line is not None
        assert not ILL_MADE.search(line.removesuffix(":") + "." * line.endswith(":")), line
        assert set(TILE.findall(line)) <= visible(match), line
    assert len({*names}) == len(names)
    assert (names[0] == "You") == (match["viewer"]["seat"] == 0)
    if match["status"] == "playing":
        assert outcome == {"title": "", "lines": []}
        check_status(match, names, say["turn"])
    elif match["hand"]:
        check_amounts(match, say["teams"], outcome["lines"])
    if match["status"] == "finished":
        assert outcome["title"] == title(match, say["teams"])


def title(match: Any, teams: list[str]) -> str:
    """What stands over the outcome of a finished match."""
    winner, own = match["result"]["winner"], match["viewer"]["seat"]
    if winner is None:
        return "Nobody wins the match"
    team = winner if own is None else match["seats"][own]["team"]
    verb = "win" if team == winner else "lose"
    many = teams[team].startswith("You") or match["rules"]["partners"] == "pairs"
    return f"{teams[team]} {verb}{'' if many else 's'} the match"


COUNTS = {game: sorted({rules.seat_counts[0], max(rules.seat_counts)}) for game, rules in RULESETS.items()}


@pytest.mark.parametrize(("ruleset", "seat_count"), [(game, count) for game in COUNTS for count in COUNTS[game]])
def test_a_game_is_told_from_its_first_deal_on(ruleset: str, seat_count: int) -> None:
    given = playthrough(ruleset, seat_count)
    assert any(match["hand"]["result"] for match, _ in given)
    for (match, events), say in zip(given, all_told(given), strict=True):
        check(match, events, say)


def dealt(ruleset: str, *players: Player) -> Match:
    return create(setup(ruleset, 1, players), AT).match


PAIRS = dealt("partner-penalty", Human("Asha"), CPU, Human("Bo"), CPU)
TWO = dealt("all-fives", Human(), CPU)
PLAYED = {"type": "tile_played", "tile": "6-4", "end": "left", "count": 10, "automatic": False}
DRAWN = {"type": "tile_drawn", "tile": None, "position": 0, "boneyard_count": 13}
PASSED = {"type": "turn_passed", "automatic": False}
SCORED = {"type": "points_scored", "points": 15, "cause": "play"}
DEALT = {"type": "hand_dealt", "number": 2, "boneyard_count": 3, "redeals": 1}


@pytest.mark.parametrize(
    ("match", "viewer", "event", "sentence"),
    [
        (PAIRS, YOU, {**PLAYED, "seat": 0}, "You play 6-4 on the left."),
        (PAIRS, YOU, {**PLAYED, "seat": 1}, "Left plays 6-4 on the left."),
        (PAIRS, YOU, {**PLAYED, "seat": 2, "end": None}, "Bo opens with 6-4."),
        (PAIRS, YOU, {**PLAYED, "seat": 3, "end": "right"}, "Right plays 6-4 on the right."),
        (PAIRS, Viewer("seat", 2), {**PLAYED, "seat": 1}, "Right plays 6-4 on the left."),
        (PAIRS, SPECTATOR, {**PLAYED, "seat": 1}, "CPU 2 plays 6-4 on the left."),
        (TWO, YOU, {**PLAYED, "seat": 1, "end": "up"}, "CPU plays 6-4 upwards, count 10."),
        (TWO, YOU, {**PLAYED, "seat": 0, "end": "down"}, "You play 6-4 downwards, count 10."),
        (TWO, YOU, {**PLAYED, "seat": 0, "end": None, "automatic": True}, "6-4 is laid for you to open, count 10."),
        (TWO, YOU, {**DRAWN, "seat": 1}, "CPU draws a tile (13 left)."),
        (TWO, YOU, {**DRAWN, "seat": 0, "tile": "4-2"}, "You draw 4-2 (13 left)."),
        (PAIRS, YOU, {**PASSED, "seat": 0}, "You pass."),
        (PAIRS, SPECTATOR, {**PASSED, "seat": 0}, "Asha passes."),
        (PAIRS, YOU, {**PASSED, "seat": 0, "automatic": True}, "Nothing fits: you pass."),
        (TWO, YOU, {**SCORED, "seat": 0, "team": 0}, "You score 15."),
        (TWO, YOU, {**SCORED, "team": 1, "cause": "domino"}, "CPU scores 15 at the end of the hand."),
        (TWO, SPECTATOR, {**SCORED, "team": 0, "cause": "pass"}, "Player 1 scores 15 for the pass."),
        (PAIRS, YOU, {**SCORED, "team": 1}, "Left and Right are charged 15."),
        (PAIRS, Viewer("seat", 2), {**SCORED, "team": 0}, "You and Asha are charged 15."),
        (PAIRS, YOU, DEALT, "Hand 2 is dealt: 6 tiles each, 3 left over. One deal before it was thrown in."),
        (TWO, YOU, {**DEALT, "redeals": 0}, "Hand 2 is dealt: 7 tiles each, 3 in the boneyard."),
        (TWO, YOU, {"type": "level_changed", "seat": 1, "level": "hard"}, "CPU plays at level hard from now on."),
        (PAIRS, YOU, {"type": "seat_joined", "seat": 2, "name": "Bo"}, "Bo takes a seat."),
        (PAIRS, YOU, {"type": "clock_expired", "seat": 2}, "Bo runs out of time."),
        (PAIRS, YOU, {"type": "resigned", "seat": 0}, "You resign."),
        (PAIRS, YOU, {"type": "match_ended", "result": {"winner": 0}}, "The match is over: you and Bo win."),
        (PAIRS, YOU, {"type": "match_ended", "result": {"winner": None}}, "The match is over: nobody wins."),
        (PAIRS, YOU, {"type": "toString", "seat": 0}, None),
    ],
)
def test_an_event_is_a_sentence(match: Match, viewer: Viewer, event: Any, sentence: str | None) -> None:
    shown = as_json(view(match, viewer))
    assert told("page.said(...given)", [{"seat": None, **event}, shown]) == sentence


def test_no_two_seats_are_called_the_same() -> None:
    given = ("You", "CPU", "Asha", "Asha", "Right", "asha (seat 3)", " \u200f", "\uff21sha", "cpu 2")
    match = dealt("tiddly-wink", *[Human(name) for name in given])
    [own, others] = all_told([seen(match), seen(match, (), SPECTATOR)])
    assert own["names"] == [
        "You",
        "CPU (seat 2)",
        "Asha (seat 3)",
        "Asha (seat 4)",
        "Right (seat 5)",
        "asha (seat 3) (seat 6)",
        "Player 7",
        "\uff21sha (seat 8)",
        "cpu 2 (seat 9)",
    ]
    assert others["names"] == ["You (seat 1)", *own["names"][1:]]


def test_open_seats_are_waited_for() -> None:
    waiting = create(setup("cross", 1, (Human(), Open(), Open())), AT).match
    first = join(waiting, None, None, AT)
    said = all_told([seen(waiting), seen(first.match, first.events)])
    assert [each["turn"] for each in said] == [
        "Waiting for 2 open seats to be taken.",
        "Waiting for the open seat to be taken.",
    ]
    assert [each["names"] for each in said] == [
        ["You", "Open seat 2", "Open seat 3"],
        ["You", "Player 2", "Open seat"],
    ]
    assert said[1]["said"] == ["Player 2 takes a seat."]


def test_a_cpu_seat_that_is_stepped_waits_for_it() -> None:
    match = create(replace(setup("draw", 1, (CPU, CPU)), pacing="step"), AT).match
    [host, spectator] = all_told([seen(match, (), Viewer("host")), seen(match, (), SPECTATOR)])
    assert match.turn is not None
    assert host["turn"] == f"CPU {match.turn + 1} waits: press Step."
    assert spectator["turn"] == f"CPU {match.turn + 1} is to move."


def test_every_end_of_a_match_is_told() -> None:
    ended = [
        (over(table), viewer) for over in statuses.OVER for table in statuses.TABLES for viewer in (YOU, SPECTATOR)
    ]
    given = [seen(moment.match, moment.events, viewer) for moment, viewer in ended]
    for (match, events), say in zip(given, all_told(given), strict=True):
        check(match, events, say)


@pytest.mark.parametrize(
    ("moment", "viewer", "outcome"),
    [
        (
            statuses.finished("pairs"),
            YOU,
            [
                "You and Player 3 win the match",
                "It was a match of one hand. These are penalties: the lowest score wins.",
                "Final score: You and Player 3 0, Player 2 and Player 4 26.",
                "In the last hand:",
                "Nobody could play on: you and Player 3 win the block.",
                "Pips left in hand: you (12), Player 2 (6), Player 3 (6) and Player 4 (20).",
                "Player 2 and Player 4 were charged 26 points.",
            ],
        ),
        (
            statuses.hand_over("four"),
            Viewer("seat", 1),
            [
                "You win hand 1",
                "You went out.",
                "Pips left in hand: Player 1 (7), Player 3 (8) and Player 4 (6).",
                "You scored 21 points.",
                "Score: You 21, Player 1 0, Player 3 0, Player 4 0.",
                "100 points win the match.",
            ],
        ),
        (
            statuses.resigned("pairs"),
            YOU,
            [
                "You and Player 3 lose the match",
                "Player 2 and Player 4 win. You and Player 3 gave up.",
                "Final score: You and Player 3 0, Player 2 and Player 4 26.",
            ],
        ),
        (
            statuses.timed_out("three, penalty"),
            YOU,
            [
                "Nobody wins the match",
                "Player 2 ran out of time. The best of the others are equal.",
                "Final score: You 0, Player 2 0, Player 3 0.",
            ],
        ),
        (
            statuses.cancelled_while_waiting("two"),
            SPECTATOR,
            ["The match was cancelled", "Its seats were not taken in time, or its host ended it."],
        ),
    ],
)
def test_an_outcome_says_who_won_and_why(moment: Moment, viewer: Viewer, outcome: list[str]) -> None:
    [say] = all_told([seen(moment.match, moment.events, viewer)])
    assert [say["outcome"]["title"], *say["outcome"]["lines"]] == outcome


def test_a_doubled_charge_and_a_bonus_are_told() -> None:
    match = as_json(view(PAIRS, YOU))
    none, charged = (
        [{"team": team, "points": 0} for team in (0, 1)],
        [{"team": 0, "points": 0}, {"team": 1, "points": 30}],
    )
    result = {"number": 1, "reason": "domino", "winner": 0, "play_points": none, "end_points": charged}
    result |= {"scores": charged, "doubled": True, "bonus": 0}
    outcome = told("page.handOutcome(...given)", [match, result])
    assert outcome == {
        "title": "You and Bo win hand 1",
        "lines": [
            "You and Bo went out.",
            "Left and Right were charged 30 points.",
            "The last tile fitted both ends: going out was doubled.",
            "Score: You and Bo 0, Left and Right 30.",
            "The match ends when somebody has 101. These are penalties: the lowest score wins.",
        ],
    }
    tie = {**result, "reason": "blocked", "winner": None, "end_points": none, "scores": none, "doubled": False}
    assert told("page.handOutcome(...given)", [match, {**tie, "bonus": 25}])["lines"][:3] == [
        "Nobody could play on: the block is tied.",
        "Nobody was charged.",
        "A bonus of 25 was part of what the hand was worth.",
    ]
