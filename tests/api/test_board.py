"""The picture of a match's line: what is in it, who gets it, and that it can be shown anywhere."""

import random
import re
from typing import Final
from xml.etree import ElementTree as ET

import httpx
import pytest
from fastapi import FastAPI

from api.geometry import Felt, arrange
from api.picture import LARGEST, NARROWEST, WIDEST, picture
from engine.catalogue import RULESETS
from engine.match import Match
from tests.api.callers import CPU, HUMAN, OPEN, SEEDED, create, play
from tests.api.stored import stored
from tests.engine.games import random_play, setup

SVG: Final = "{http://www.w3.org/2000/svg}"
KNOWN: Final = {"svg", "title", "desc", "style", "rect", "defs", "path", "g", "use", "circle", "text"}
PIP: Final = 2
"""Arcs that a pip is made of."""


def read(text: str) -> ET.Element:
    """The picture, once it is known to hold nothing but shapes and words, and to need nothing else."""
    found = ET.fromstring(text)
    assert {element.tag.removeprefix(SVG) for element in found.iter()} <= KNOWN
    for element in found.iter():
        assert not [name for name in element.attrib if name.startswith("on") or "}" in name]
        assert element.attrib.get("href", "#").startswith("#")
    assert not re.search(r"url\(|@import|https?:(?!//www\.w3\.org/2000/svg\")|<!|&#", text)
    return found


def words(found: ET.Element, tag: str) -> list[str]:
    return [element.text or "" for element in found.iter(SVG + tag)]


def numbers(found: ET.Element) -> list[tuple[int, ...]]:
    """The pips of each tile in the picture, half by half."""
    shapes = {path.get("id"): path.get("d", "").count("a") // PIP for path in found.iter(f"{SVG}path")}
    groups = [group for group in found.iter(f"{SVG}g") if group.find(f"{SVG}rect") is not None]
    return [tuple(shapes[use.attrib["href"][1:]] for use in group.iter(f"{SVG}use")) for group in groups]


def check(match: Match, reach: int) -> None:
    text = picture(match, reach)
    found = read(text)
    assert len(text) <= LARGEST
    assert match.hand is not None
    layout = match.hand.layout
    arranged = arrange(layout, Felt(reach, reach // 3, match.setup.rules.spinner != "none"))
    shown = [tuple(half.number for half in placed.halves if half.number) for placed in arranged.tiles]
    assert numbers(found) == shown
    assert len(words(found, "text")) == (len(layout.ends) or 1)
    x, y, width, height = map(int, found.attrib["viewBox"].split())
    for placed in arranged.tiles:
        box = placed.box
        assert x < box.x < box.x + box.width < x + width
        assert y < box.y < box.y + box.height < y + height


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_tile_that_lies_is_in_it(ruleset: str) -> None:
    rng = random.Random(ruleset)
    for moment in random_play(setup(ruleset, 7), most=40):
        if moment.match.hand is not None:
            check(moment.match, rng.randint(NARROWEST, WIDEST))


@pytest.mark.parametrize("reach", [NARROWEST, WIDEST])
@pytest.mark.parametrize("ruleset", ["draw", "all-fives", "matador"])
def test_the_largest_set_fits(ruleset: str, reach: int) -> None:
    rules = {"highest_double": 12, "target": 0} | ({"wild_tiles": ()} if ruleset == "matador" else {})
    *_, last = [each.match for each in random_play(setup(ruleset, 9, (), None, **rules))]
    assert last.hand is not None
    assert sum(len(arm.tiles) for arm in last.hand.layout.arms) > 30
    check(last, reach)


async def test_it_looks_the_same_to_everybody(client: httpx.AsyncClient) -> None:
    table = await create(client, "all-fives", seats=[{"kind": "human", "name": "Asha"}, CPU], deal=SEEDED)
    pictures = set()
    async for _ in play(table):
        answers = [await caller.look("/board.svg") for caller in table.everyone]
        assert {answer.headers["Content-Type"] for answer in answers} == {"image/svg+xml"}
        [text] = {answer.text for answer in answers}
        pictures.add(text)
        state = await table.spectator.get()
        assert words(read(text), "desc") == [state["hand"]["layout"]["text"]]
        assert words(read(text), "title") == [f"All fives, hand {state['hand']['number']}"]
        assert "Asha" not in text
        if len(pictures) > 5:
            break


async def test_it_is_not_sent_again_while_nothing_happens(client: httpx.AsyncClient) -> None:
    table = await create(client, "draw", seats=[HUMAN, HUMAN], deal=SEEDED)
    for caller in table.everyone:
        state, first = await caller.look(""), await caller.look("/board.svg")
        for name in ("ETag", "Cache-Control", "Vary"):
            assert first.headers[name] == state.headers[name]
        again = await caller.look("/board.svg", headers={"If-None-Match": first.headers["ETag"]})
        assert (again.status_code, again.content) == (304, b"")
        for name in ("Content-Security-Policy", "Cross-Origin-Resource-Policy", "ETag"):
            assert again.headers[name] == first.headers[name]
    first = await table.spectator.look("/board.svg")
    turn = (await table.spectator.get())["hand"]["turn"]
    move = (await table.people[turn].moves())[0]
    await table.people[turn].post(move["type"], move)
    assert (await table.spectator.look("/board.svg", headers={"If-None-Match": first.headers["ETag"]})).is_success


async def test_a_page_of_any_site_may_show_it_and_nothing_in_it_runs(client: httpx.AsyncClient) -> None:
    table = await create(client, "draw")
    headers = (await table.spectator.look("/board.svg")).headers
    policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
    assert headers["Content-Security-Policy"] == policy
    assert headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert headers["X-Content-Type-Options"] == "nosniff"


async def test_a_match_that_has_not_begun_is_an_empty_felt(client: httpx.AsyncClient) -> None:
    table = await create(client, "block", seats=[HUMAN, OPEN])
    waiting = read((await table.spectator.look("/board.svg")).text)
    assert words(waiting, "text") == words(waiting, "desc") == ["No hand has been dealt."]
    assert words(waiting, "title") == ["Block"]
    table = await create(client, "block", seats=[HUMAN, HUMAN], rules={"opening": "free"})
    dealt = read((await table.spectator.look("/board.svg")).text)
    assert words(dealt, "text") == words(dealt, "desc") == ["No tile has been played."]


async def test_rows_are_as_long_as_is_asked_for(client: httpx.AsyncClient, app: FastAPI) -> None:
    table = await create(client, "draw", seats=[CPU, CPU], deal=SEEDED, rules={"target": 0})
    match, _ = await stored(app, table)
    usual = (await table.spectator.look("/board.svg")).text
    assert usual == (await table.spectator.look("/board.svg", reach=24)).text == picture(match)
    assert (await table.spectator.look("/board.svg", reach=10)).text == picture(match, 10) != usual
    for reach in ("7", "101", "x", "1e1", ""):
        answer = await table.spectator.look("/board.svg", reach=reach)
        assert (answer.status_code, answer.json()["code"]) == (422, "invalid-request")
