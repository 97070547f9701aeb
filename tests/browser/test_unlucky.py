"""Visits that go wrong: answers that get lost, several tabs, browsers that keep nothing, addresses that are no good."""

import json
import random
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Error, Request, Route

from tests.browser.conftest import Visit
from tests.browser.guards import LOST, TWICE
from tests.browser.table import Table
from tests.serving import serving

REFUSAL = {
    "type": "/problems/unknown-match",
    "title": "No such match",
    "status": 404,
    "detail": "There is no such match.",
    "code": "unknown-match",
}


async def another_tab(table: Table) -> Table:
    page = await table.page.context.new_page()
    return Table(page, table.url, table.guard, random.Random(1))


def counted(table: Table, path: str) -> list[Request]:
    """The posts to this path, from now on."""
    found: list[Request] = []

    def count(request: Request) -> None:
        if request.method == "POST" and request.url.endswith(path):
            found.append(request)

    table.page.on("request", count)
    return found


@pytest.mark.parametrize("body", ["throw new Error('full')", ""], ids=["refuses", "forgets"])
async def test_a_browser_that_keeps_nothing_plays(visit: Visit, body: str) -> None:
    table = await visit()
    await table.page.add_init_script(f"Storage.prototype.setItem = () => {{ {body} }};")
    await table.page.goto(f"{table.url}/")
    await (await table.there("form button:text-is('Deal')")).click()
    await table.there("#hand [data-tile]")


@pytest.mark.parametrize(
    "kept",
    ["{", "5", '{"setUp": 5, "link": "#new?ruleset=draw&seats=5", "speed": [], "name": {}}', '[{"id": 1}, null]'],
)
async def test_what_was_kept_may_be_anything(visit: Visit, kept: str) -> None:
    table = await visit()
    await table.page.goto(f"{table.url}/docs")
    for name in ("tickets", "records", "liked"):
        await table.page.evaluate("([name, kept]) => localStorage.setItem(name, kept)", [f"capicua.{name}", kept])
    await table.page.goto(f"{table.url}/")
    await (await table.there("form button:text-is('Deal')")).click()
    await table.there("#hand [data-tile]")


async def test_a_seat_that_is_no_longer_known_is_watched(visit: Visit) -> None:
    table = await visit()
    table.guard.expected.append(LOST)
    await table.begin("draw", seats="human,easy", deal=5)
    tickets = await table.page.evaluate("localStorage.getItem('capicua.tickets')")
    spoilt = json.loads(tickets)
    for ticket in spoilt:
        ticket["seats"] = {seat: token[:-4] + "AAAA" for seat, token in ticket["seats"].items()}
    await table.page.evaluate("(kept) => localStorage.setItem('capicua.tickets', kept)", json.dumps(spoilt))
    await table.page.reload()
    await table.there("#trouble:has-text('you look on')")
    assert not await table.has("#hand [data-tile]")


async def test_a_stale_tab_moves_nothing(visit: Visit) -> None:
    """What it shows lies elsewhere by now: it is told so, and shows what is."""
    table = await visit()
    table.guard.expected.append(LOST)
    await table.begin("draw", seats="human,easy", target=0, deal=18)
    stale = await another_tab(table)
    await stale.page.goto(table.page.url)
    await stale.ready()
    await table.move()
    version = await table.version()
    await stale.play((await stale.tiles(playable=True))[0], "left")
    await stale.there(f'body[data-version="{version}"]:not([data-busy])')
    assert (await stale.see())["version"] == version
    assert await stale.page.locator("#trouble").inner_text() != ""
    assert await stale.tiles() == await table.tiles()


async def test_what_is_refused_is_not_asked_again_and_again(visit: Visit) -> None:
    table = await visit()
    table.guard.expected.append(LOST)
    steps = counted(table, "/step")
    await table.page.route("**/step", lambda route: route.fulfill(status=404, json=REFUSAL))
    await table.open("#new?ruleset=draw&seats=easy,easy&pacing=step&target=0")
    await table.there("body[data-version]")
    await table.page.locator("#speed").select_option("at once")
    await table.there("#trouble:has-text('no such match')")
    await table.page.wait_for_timeout(300)
    assert len(steps) == 1
    await table.page.unroute("**/step")
    await table.page.locator("#step").click()
    await table.there("body[data-status=finished]")


async def test_an_answer_that_is_lost_moves_once(visit: Visit) -> None:
    table = await visit()
    table.guard.expected.append(LOST)
    await table.begin("draw", seats="human,easy", target=0, deal=7)

    async def lose(route: Route) -> None:
        await route.fetch()
        await route.abort()

    await table.page.route("**/play", lose, times=1)
    plays = counted(table, "/play")
    while not await table.tiles(playable=True):
        await table.move()
    before = (await table.see())["hand"]["moves"]
    await table.move()
    after = (await table.see())["hand"]["moves"]
    mine = [move for move in after[len(before) :] if move["seat"] == 0 and move["type"] == "play"]
    assert len(plays) == 2
    assert len(mine) == 1


async def test_a_page_that_is_left_before_it_is_there_stays_away(visit: Visit) -> None:
    table = await visit()
    await table.begin("draw", seats="human,easy", deal=5)
    first = await table.match_id()
    await table.begin("block", seats="human,easy", deal=5)
    second = table.page.url

    async def slowly(route: Route) -> None:
        with suppress(Error):  # the page may be gone by then
            await table.page.wait_for_timeout(500)
            await route.continue_()

    await table.page.route(f"**/v1/matches/{first}", slowly)
    await table.page.goto(f"{table.url}/#match={first}")
    await table.page.goto(second)
    await table.ready()
    await table.page.wait_for_timeout(700)
    assert await table.page.title() == "Block · Capicua"
    assert await table.page.locator("h1").inner_text() == "Block"


async def test_an_answer_that_comes_when_the_table_was_left_changes_nothing(visit: Visit) -> None:
    table = await visit()
    await table.begin("block", seats="human,easy", target=0, deal=5)

    async def slowly(route: Route) -> None:
        with suppress(Error):  # the page may be gone by then
            await table.page.wait_for_timeout(400)
            await route.continue_()

    await table.page.route("**/play", slowly)
    async with table.page.expect_response("**/play"):
        await table.page.locator(f'#hand [data-tile="{(await table.tiles(playable=True))[0]}"]').click()
        if await table.has("#choice:not([hidden])"):
            await table.page.locator("#choice button").first.click()
        await table.page.evaluate("location.hash = '#'")
        await table.there("form [data-game]")
    await table.page.wait_for_timeout(200)
    assert not await table.has("body:is([data-status], [data-version], [data-busy])")


async def test_a_link_begins_a_match_while_another_is_being_created(visit: Visit) -> None:
    table = await visit()

    async def slowly(route: Route) -> None:
        with suppress(Error):  # the page may be gone by then
            await table.page.wait_for_timeout(400)
            await route.continue_()

    await table.open()
    await table.page.route("**/v1/matches", slowly, times=1)
    await (await table.there("form button.primary")).click()
    await table.page.evaluate("location.hash = '#new?ruleset=block&seats=human,easy&target=0&deal=3'")
    await table.ready()
    assert await table.page.title() == "Block · Capicua"


async def test_playing_again_begins_one_match(visit: Visit) -> None:
    table = await visit()
    await table.begin("block", seats="human,easy", target=0, deal=5, auto_pass=True)
    await table.finish()
    created = counted(table, "/v1/matches")
    before = table.page.url
    await table.page.locator("#rematch").evaluate(TWICE)
    await table.there("body[data-status=playing]")
    assert len(created) == 1
    assert table.page.url != before


async def test_a_match_is_cancelled_while_a_call_is_under_way(visit: Visit) -> None:
    table = await visit()

    async def slowly(route: Route) -> None:
        with suppress(Error):  # the page may be gone by then
            await table.page.wait_for_timeout(400)
            await route.continue_()

    await table.page.route("**/step", slowly)
    await table.open("#new?ruleset=draw&seats=easy,easy&pacing=step&target=0")
    await (await table.there("#step")).click()
    await table.page.locator(".menu summary").click()
    await table.page.locator("#cancel-match").click()
    await table.page.locator("#agree").click()
    await table.there("body[data-status=cancelled]")


async def test_a_link_never_seats_one_person_twice_or_tells_a_seed(visit: Visit) -> None:
    table = await visit()
    seed = "ab" * 32
    await table.open(f"#new?ruleset=draw&seats=human,human&deal={seed}")
    await table.there("#room input")
    await table.page.locator(".menu summary").click()
    await table.page.locator("#share").click()
    links = [await link.input_value() for link in await table.page.locator("dialog input").all()]
    assert len(links) == 2
    assert not any(seed in link for link in links)


async def test_a_dialog_goes_with_its_page(visit: Visit) -> None:
    table = await visit()
    await table.begin("draw", seats="human,easy", deal=5)
    await table.page.locator("#help").click()
    await table.there("dialog[open]")
    await table.page.goto(f"{table.url}/#")
    await table.there("body:not([data-status]) form")
    assert not await table.has("dialog[open]")


@pytest.mark.parametrize("fragment", ["#match=xyz", "#nowhere", "#new?ruleset=sesame", "#new?"])
async def test_a_link_that_leads_nowhere_says_so(visit: Visit, fragment: str) -> None:
    table = await visit()
    await table.open(fragment)
    assert "link" in await (await table.there("form [role=alert]:not(:empty)")).inner_text()


async def test_reloading_in_the_middle_of_replies_shows_what_is(visit: Visit) -> None:
    table = await visit()
    await table.begin("partner-penalty", seats="human,easy,easy,easy", target=0, deal=3, speed="slow")
    await table.play((await table.tiles(playable=True))[0])
    await table.there("body[data-busy]")
    await table.page.reload()
    await table.ready()
    assert await table.version() == (await table.see())["version"]


async def test_each_move_is_said_once_and_in_order(visit: Visit) -> None:
    table = await visit()
    await table.begin("draw", seats="human,easy", target=0, deal=7)
    said: list[str] = []
    while not await table.is_over():
        await table.move()
        said += [line for line in await table.page.locator("#say p").all_inner_texts() if line not in said[-40:]]
    logged = await table.page.locator(".log li").all_inner_texts()
    moves = [line for line in logged if any(word in line for word in (" play", " draw", " pass"))]
    assert len(moves) > 8
    told = [line for line in said if line in moves]
    assert told == list(dict.fromkeys(moves))


async def test_a_finished_match_is_counted_once_and_dealt_again(visit: Visit) -> None:
    table, other = await visit(), await visit()
    await table.begin("block", seats="human,easy", target=0, deal=5, auto_pass=True)
    tiles = await table.tiles()
    await table.finish()
    await table.page.reload()
    await table.there("#same-deal")
    won = (await table.see())["result"]["winner"] == 0
    await table.page.locator("#same-deal").click()
    await table.there("body[data-status=playing]:not([data-busy])")
    assert await table.tiles() == tiles
    await table.page.locator(".menu summary").click()
    await table.page.locator("#share").click()
    link = await table.page.locator("dialog input").first.input_value()
    await other.open(link.removeprefix(f"{table.url}/"))
    await other.there("body[data-status=playing]:not([data-busy])")
    assert await other.tiles() == tiles
    await table.page.goto(f"{table.url}/#")
    assert f"{int(won)} won of 1 played" in await (await table.there("#records")).inner_text()


async def test_play_goes_on_after_the_service_was_restarted(visit: Visit, tmp_path: Path) -> None:
    table = await visit()
    table.guard.expected.append(LOST)
    with serving(tmp_path) as first:
        table.url = table.guard.origin = first.url
        await table.begin("draw", seats="human,easy", target=0, deal=9)
        first.stop()
        port = first.url.rpartition(":")[2]
    before: dict[str, Any] = {"version": await table.version()}
    with serving(tmp_path, "--port", port):
        await table.move()
        assert (await table.see())["version"] > before["version"]
