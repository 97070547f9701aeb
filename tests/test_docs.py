"""The documents against the code: their programs run, their examples hold, and their lists are complete."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

import pytest

from api import conditions, limits, protocol
from api.handbook import handbook
from api.settings import Settings
from engine import scoring
from engine.bounds import MOST_HANDS
from engine.catalogue import RULESETS, partners
from engine.deal import NumberedDeal, Stream, commitment, deal, seed_for
from engine.errors import RuleViolation
from engine.events import Event
from engine.layout import EMPTY, End, place
from engine.lead import find_opener
from engine.rules import Rules
from engine.rulesets import Ruleset
from engine.tiles import Tile, pips, tile_set
from tests.api.provoked import CATALOGUE
from tests.contract.document import OPERATIONS
from tests.documents import ROOT, Document, post
from tests.kinds import SOURCE_GAMES
from tests.programs import printed, run
from tests.serving import Served
from tests.variants import table

DOCUMENTS = [
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "examples/README.md",
    *(f"docs/{path.name}" for path in ROOT.glob("docs/*.md")),
]

RULES = Document.read("docs/rules.md")
FAIR_DEALS = Document.read("docs/fair-deals.md")
BOTS = Document.read("docs/bots.md")
HTTP = Document.read("docs/http.md")


def tiles(text: str) -> tuple[Tile, ...]:
    return tuple(Tile.parse(tile) for tile in text.replace(",", " ").split())


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_link_leads_somewhere(name: str) -> None:
    for link in Document.read(name).links():
        path, _, anchor = link.partition("#")
        target = ((ROOT / name).parent / path).resolve() if path else ROOT / name
        assert target.exists(), link
        assert not anchor or anchor in Document(target.read_text(encoding="utf-8")).anchors(), link


class TestRules:
    def test_every_parameter_is_explained(self) -> None:
        named = set(re.findall(r"`([a-z_]+)`", RULES.below("Parameters", until="Partner penalty").text))
        assert {field.name for field in fields(Rules)} <= named

    def test_the_page_of_games_is_the_one_that_the_code_makes(self) -> None:
        assert Document.read("docs/games.md").text == handbook()

    def test_every_clause_is_there_once_and_in_order(self) -> None:
        clauses = re.findall(r"^- \*\*([ABC]\d+)\.\*\* ", RULES.text, re.MULTILINE)
        assert clauses == [
            f"{game}{number}" for game, last in (("A", 22), ("B", 23), ("C", 14)) for number in range(1, last + 1)
        ]

    def test_every_clause_that_the_code_names_is_there(self) -> None:
        text = "".join(path.read_text(encoding="utf-8") for path in ROOT.glob("engine/**/*.py"))
        named = set(re.findall(r"\b([ABC]\d+)\b", text))
        assert named <= set(re.findall(r"\*\*([ABC]\d+)\.\*\*", RULES.text))

    @pytest.mark.parametrize("row", RULES.below("Partner penalty", until="All fives").below("Examples").table(0))
    def test_the_last_tile(self, row: list[str]) -> None:
        left, right = map(int, row[0].split(" and "))
        before = place(Rules(), place(Rules(), EMPTY, Tile(left, left), None), Tile(left, right), "right")
        assert [end.value for end in before.ends] == [left, right]
        held = (0, pips(tiles("5-3")), pips(tiles("3-3")), pips(tiles("6-1")))
        for rule, points in zip(("legal_both", "distinct_ends", "non_double"), row[2:], strict=True):
            rules = Rules(partners="pairs", scoring="penalty", last_tile=rule, last_tile_factor=2)  # type: ignore[arg-type]
            special = scoring.is_special(rules, before, Tile.parse(row[1]))
            assert scoring.domino(rules, held, 0, special=special).amounts == (0, int(points)), rule

    @pytest.mark.parametrize("row", RULES.below("Partner penalty", until="All fives").below("Examples").table(1))
    def test_a_block(self, row: list[str]) -> None:
        rules = Rules(partners="pairs", scoring="penalty", block_pips=row[0].strip("`"))  # type: ignore[arg-type]
        held = tuple(map(pips, map(tiles, ("4-1", "5-4", "5-3", "6-6"))))
        dead = scoring.Dead(held, (False,) * len(held))
        assert scoring.block(rules, dead).amounts == tuple(map(int, row[1:]))

    @pytest.mark.parametrize("row", RULES.below("All fives", until="Draw and block").below("Examples").table(0))
    def test_a_count(self, row: list[str]) -> None:
        rules, layout = RULESETS["all-fives"].rules, EMPTY
        end: End | None = None
        for play in row[0].split(", "):
            tile, _, name = play.partition(" ")
            end = _end(name)
            assert end is None or end in {place.end for place in layout.ends}
            layout = place(rules, layout, Tile.parse(tile), end)
        assert (layout.count, scoring.in_play(rules, layout, end)) == (int(row[1]), int(row[2]))

    def test_rounding(self) -> None:
        part = RULES.below("All fives", until="Draw and block").below("Examples")
        ((_, *points),) = part.table(1)
        header = re.search(r"^\| pips \|(.*)\|$", part.text, re.MULTILINE)
        assert header is not None
        for held, rounded in zip(header[1].split("|"), points, strict=True):
            assert scoring.rounded(int(held), "nearest", 5) == int(rounded)

    @pytest.mark.parametrize("row", RULES.below("Draw and block", until="Variants").below("Examples").table())
    def test_an_opener(self, row: list[str]) -> None:
        opener = find_opener(RULESETS["draw"].rules, (tiles(row[0]), tiles(row[1])), None, 0)
        assert f"seat {opener.seat}, {opener.tile}" == row[2]
        assert opener.opening == "automatic"

    def test_every_variant_can_be_created(self, served: Served) -> None:
        part = RULES.below("Variants")
        bodies = [part.block("json"), *(row[1].strip("`") for row in part.table())]
        for body in bodies:
            created = post(f"{served.url}/v1/matches", json=json.loads(body))
            assert created.status_code == 201, body
            rules = created.json()["match"]["rules"]
            assert all(rules[name] == value for name, value in json.loads(body)["rules"].items())


def _end(text: str) -> End | None:
    return text or None  # type: ignore[return-value]


class TestFairDeals:
    def vectors(self) -> dict[str, str]:
        text = "\n".join(FAIR_DEALS.below("Test vectors").blocks("text"))
        return {line[:11].strip(): line[11:] for line in text.splitlines() if line}

    def test_the_vectors_of_the_streams(self) -> None:
        vectors = self.vectors()
        seed = seed_for(NumberedDeal(7), b"")
        assert (seed, commitment(seed)) == (vectors["seed"], vectors["commitment"])
        words = Stream(seed, "capicua/deal/1", 1, 0)
        assert [words.below(2**32) for _ in range(4)] == [int(word) for word in vectors["words"].split()]
        for name, highest, hand in (("hand 1", 6, 1), ("hand 2", 6, 2), ("double-9", 9, 1)):
            deck = Stream(seed, "capicua/deal/1", hand, 0).shuffled(tile_set(highest))
            assert deck == tiles(vectors[name]), name

    def test_the_vector_of_a_deal_thrown_in(self) -> None:
        kind = NumberedDeal(802)
        dealt = deal(RULESETS["partner-penalty"].rules, 4, seed_for(kind, b""), kind, 1)
        vectors = self.vectors()
        assert dealt.redeals == 1
        assert dealt.tiles == tuple(tiles(vectors[f"seat {seat}"]) for seat in range(4))
        assert dealt.boneyard == tiles(vectors["boneyard"])

    @pytest.mark.parametrize(
        "body",
        [
            {"ruleset": "draw"},
            {"ruleset": "partner-penalty", "deal": {"kind": "numbered", "number": 802}},
            {"ruleset": "block", "rules": {"highest_double": 9, "removed_tiles": ["9-9"], "redeal_doubles": 4}},
            {"ruleset": "block", "deal": {"kind": "seeded", "seed": "0123456789ABCDEF" * 4}},
            {"ruleset": "kozel", "rules": {"hand_size": 6, "redeal_doubles": 4, "target": 1000}},
            {"ruleset": "double-bergen", "rules": {"hand_size": 1, "target": 40}},
        ],
        ids=["draw", "thrown in", "double-nine", "seeded", "one number", "no double"],
    )
    def test_the_program_checks_a_match(self, tmp_path: Path, served: Served, body: dict[str, Any]) -> None:
        address, match = _finished(served, body)
        done = _python(tmp_path, FAIR_DEALS.block("python"), address, match["deal"]["commitment"])
        assert f"of {match['hand']['number']} hands" in done.stdout, done.stderr

    def test_the_program_finds_another_seed(self, tmp_path: Path, served: Served) -> None:
        address, _ = _finished(served, {"ruleset": "block", "rules": {"target": 0}})
        done = _python(tmp_path, FAIR_DEALS.block("python"), address, "0" * 64)
        assert done.returncode == 1
        assert "the seed is not the one committed to" in done.stderr


def _finished(served: Served, body: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """A match of CPU seats alone, played to its end."""
    seats = [{"kind": "cpu", "level": "easy"}] * RULESETS[body["ruleset"]].seat_counts[0]
    created = post(f"{served.url}/v1/matches", json={**body, "seats": seats}).json()
    match: dict[str, Any] = created["match"]
    address = f"{served.url}/v1/matches/{match['id']}"
    token = {"Authorization": f"Bearer {created['host_token']}"}
    while match["status"] != "finished":
        match = post(f"{address}/next-hand", headers=token).json()["match"]
    return address, match


def _python(directory: Path, program: str, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    (directory / "program.py").write_text(program, encoding="utf-8")
    return run([sys.executable, "-I", "program.py", *arguments], cwd=directory, **variables)


class TestContributing:
    def test_the_game_that_is_added_is_played_as_its_example_says(self, monkeypatch: pytest.MonkeyPatch) -> None:
        entry, example = Document.read("CONTRIBUTING.md").below("Add a game").blocks("python")
        ruleset = eval(entry.strip().rstrip(","), {**vars(partners)})
        assert isinstance(ruleset, Ruleset)
        monkeypatch.setitem(RULESETS, ruleset.id, ruleset)
        played = eval(example.strip().rstrip(","), {**vars(table)})
        assert isinstance(played, table.Example)
        played.check()
        for contrast in played.contrasts:
            with pytest.raises((AssertionError, RuleViolation)):
                played.check(**contrast)


class TestBots:
    @pytest.mark.parametrize("ruleset", SOURCE_GAMES)
    def test_the_bot_plays_a_match(self, tmp_path: Path, served: Served, ruleset: str) -> None:
        done = _python(tmp_path, BOTS.block("python"), ruleset, SERVICE=served.url)
        assert done.stdout.split()[0] in {"won", "lost"}, done.stderr

    def test_two_bots_play_each_other(self, tmp_path: Path, served: Served) -> None:
        *_, curl = BOTS.blocks("sh")
        (body,) = re.findall(r"--data '(.*)'", curl, re.DOTALL)
        created = post(f"{served.url}/v1/matches", json={**json.loads(body), "rules": {"target": 20}}).json()
        address = f"{served.url}/v1/matches/{created['match']['id']}"
        (tmp_path / "bot.py").write_text(BOTS.block("python"), encoding="utf-8")
        commands = [[sys.executable, "bot.py", address, seat["token"]] for seat in created["tokens"]]
        with ThreadPoolExecutor() as bots:
            told = list(bots.map(lambda command: printed(command, cwd=tmp_path), commands))
        assert sorted(each.split()[0] for each in told) == ["lost", "won"]


class TestHttp:
    def test_the_calls_are_those_of_the_contract(self) -> None:
        contract = {re.sub(r"{(match|ruleset)_id}", "{id}", operation) for operation in OPERATIONS}
        assert {
            call.strip("`") for row in HTTP.below("Playing over HTTP").table() for call in _codes(row[0])
        } == contract

    def test_the_body_that_creates_is_accepted(self, served: Served) -> None:
        body = json.loads(HTTP.below("Create").block("json"))
        assert post(f"{served.url}/v1/matches", json=body).status_code == 201

    def test_the_events_are_those_there_are(self) -> None:
        (union, _) = get_args(Event)
        written = [row[0].strip("`") for row in HTTP.below("Events").table()]
        assert written == [_type(kind) for kind in get_args(union)]

    def test_the_errors_are_those_of_the_contract(self) -> None:
        statuses = {int(row[0]): set(_codes(row[1])) for row in HTTP.below("Errors").table()}
        written = {(code, status) for status, codes in statuses.items() for code in codes - {"Retry-After"}}
        assert written == CATALOGUE

    def test_the_limits_are_those_of_the_code(self) -> None:
        rows = {row[0]: list(map(int, re.findall(r"\d+", row[1]))) for row in HTTP.below("Limits").table()}
        assert rows == {
            "path and query": [limits.MOST_TARGET_BYTES],
            "headers": [limits.MOST_HEADERS, limits.MOST_HEADER_BYTES],
            "body": [Settings.model_fields["max_body_bytes"].default],
            "lists and objects within each other": [limits.MOST_NESTING],
            "values in them together": [limits.MOST_VALUES],
            "digits of a number": [sys.int_info.default_max_str_digits],
            "`Idempotency-Key`": [conditions.LONGEST_KEY],
            "`If-Match`, `If-None-Match`": [conditions.LONGEST_TAGS],
            "`wait` in `Prefer`": [conditions.MOST_WAIT],
            "hands of a match": [MOST_HANDS],
            "time for a request to arrive": [protocol.REQUEST_SECONDS],
            "time in which nothing of an answer is read": [protocol.STUCK_SECONDS, 2 * protocol.STUCK_SECONDS],
        }
        codes = {code for row in HTTP.below("Limits").table() for code in _codes(row[2])}
        assert codes <= {code for code, _ in CATALOGUE}


def _codes(cell: str) -> Iterator[str]:
    yield from re.findall(r"`([^`]+)`", cell)


def _type(kind: type) -> str:
    return str(next(field.default for field in fields(kind) if field.name == "type"))
