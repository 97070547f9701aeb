"""People who play each other: by a link or from the lobby, live, and through what befalls connections."""

import re
from contextlib import suppress
from typing import Any

import pytest
from playwright.async_api import Error, Route

from tests.browser.conftest import Visit
from tests.browser.guards import LOST, TWICE
from tests.browser.table import Table


async def seated(visit: Visit, set_up: str = "ruleset=block&seats=human,open&target=0") -> tuple[Table, Table]:
    """Two people at a table of two, the second by the link that the first was given."""
    asha, bela = await visit(), await visit()
    await asha.open(f"#new?{set_up}")
    await bela.open(await link_of(asha))
    await (await bela.there("#join button")).click()
    for table in (asha, bela):
        await table.there("body[data-status=playing] #hand [data-tile]")
    return asha, bela


async def link_of(table: Table) -> str:
    """The link to a seat, as an address in the page."""
    return (await (await table.there("#room input")).input_value()).removeprefix(f"{table.url}/")


async def on_turn(*tables: Table) -> Table:
    """Whoever may do something."""
    while True:
        for table in tables:
            if await table.has("body:not([data-busy]) :is(#hand [data-playable], #pass, #next-hand)"):
                return table
        await tables[0].page.wait_for_timeout(20)


async def act(table: Table) -> None:
    """Move, without waiting for one's turn to come again."""
    before = await table.version()
    if tiles := await table.tiles(playable=True):
        await table.play(tiles[0], "left")
    else:
        await table.press("pass" if await table.has("#pass") else "next-hand")
    await table.there(f'body:not([data-version="{before}"])')


async def caught_up(table: Table, version: int) -> None:
    await table.there(f'body[data-version="{version}"]:not([data-busy])')


async def test_who_was_offline_catches_up(visit: Visit) -> None:
    asha, bela = await seated(visit)
    asha.guard.expected.append(LOST)
    bela.guard.expected.append(LOST)
    mover = await on_turn(asha, bela)
    other = bela if mover is asha else asha
    await other.page.context.set_offline(True)
    await act(mover)
    await other.page.wait_for_timeout(300)
    await other.page.context.set_offline(False)
    await caught_up(other, (await mover.see())["version"])
    await act(await on_turn(asha, bela))


@pytest.mark.parametrize("status", [429, 503])
async def test_a_stream_that_is_refused_once_is_followed_later(visit: Visit, status: int) -> None:
    asha = await visit()
    asha.guard.expected.append(LOST)
    await asha.page.route("**/stream", lambda route: route.fulfill(status=status, json={}), times=1)
    await asha.open("#new?ruleset=block&seats=human,open&target=0")
    bela = await visit()
    await bela.open(await link_of(asha))
    await (await bela.there("#join button")).click()
    await asha.there("body[data-status=playing]")


async def test_joining_twice_takes_one_seat(visit: Visit) -> None:
    asha, bela = await visit(), await visit()
    await asha.open("#new?ruleset=tiddly-wink&seats=human,open,open,open,easy&target=0")
    await bela.open(await link_of(asha))

    async def slowly(route: Route) -> None:
        with suppress(Error):  # the page may be gone by then
            await bela.page.wait_for_timeout(400)
            await route.continue_()

    await bela.page.route("**/join", slowly)
    await (await bela.there("#join button")).evaluate(TWICE)
    await bela.there("#room input[readonly]")
    seats = (await bela.see())["seats"]
    assert [seat["kind"] for seat in seats] == ["human", "human", "open", "open", "cpu"]


async def test_a_form_that_is_half_filled_in_is_kept(visit: Visit) -> None:
    asha, bela, cato = await visit(), await visit(), await visit()
    await asha.open("#new?ruleset=tiddly-wink&seats=human,open,open,easy,easy&target=0")
    link = await link_of(asha)
    await bela.open(link)
    await bela.page.locator("#join-name").fill("Bel")
    await cato.open(link.replace("seat=1", "seat=2"))
    await (await cato.there("#join button")).click()
    await bela.there('body[data-version="2"]')
    assert await bela.focused() == "join-name"
    assert await bela.page.locator("#join-name").input_value() == "Bel"


async def test_a_table_in_the_lobby_is_joined_and_watched(visit: Visit) -> None:
    """By their names; and who watches sees no hand."""
    asha, bela, watcher = await visit(), await visit("phone"), await visit()
    await asha.open()
    await asha.page.evaluate("localStorage.setItem('capicua.liked', JSON.stringify({speed: 'at once', name: 'Asha'}))")
    await asha.page.goto("about:blank")
    await asha.page.goto(f"{asha.url}/#new?ruleset=block&seats=human,open&target=0&listed=true")
    await asha.there("#room input")
    match_id = await asha.match_id()
    await bela.open()
    await (await bela.there(".lobby li:has-text('Asha') button:has-text('Take')")).click()
    await bela.page.locator("#join-name").fill("Bela")
    await bela.page.locator("#join button").click()
    await watcher.open(f"#match={match_id}")
    for table in (asha, bela, watcher):
        await table.there("body[data-status=playing]:not([data-busy])")
        assert {"Asha", "Bela"} & set(re.findall(r"\w+", await table.page.locator(".around").inner_text()))
    await act(await on_turn(asha, bela))
    await caught_up(watcher, (await asha.see())["version"])
    assert not await watcher.has("#hand [data-tile]")
    await watcher.shows_nothing_hidden()


async def test_a_clock_that_runs_out_ends_the_match_for_both(visit: Visit) -> None:
    asha, bela = await seated(visit, "ruleset=block&seats=human,open&clock=1")
    for table in (asha, bela):
        await table.there("body[data-status=finished] #outcome h2")
    won = [await table.page.locator("#outcome h2").inner_text() for table in (asha, bela)]
    assert sorted(won) == ["You lose the match", "You win the match"]


async def test_one_deals_the_next_hand_for_both(visit: Visit) -> None:
    asha, bela = await seated(visit, "ruleset=block&seats=human,open&target=100")
    while not await asha.has("body[data-status=hand_over]:not([data-busy]) #next-hand"):
        await act(await on_turn(asha, bela))
        await caught_up(asha, (await bela.see())["version"])
    await bela.there("body[data-status=hand_over] #next-hand")
    await bela.press("next-hand")
    for table in (asha, bela):
        await table.there("body[data-status=playing]:not([data-busy])")
        await table.shows_nothing_hidden()


async def test_the_host_of_others_keeps_their_own_seat(visit: Visit) -> None:
    """A level is changed as the host, who sees no hand: what the seat sees is shown all the same."""
    asha, bela = await visit(), await visit()
    await asha.open("#new?ruleset=partner-penalty&seats=human,easy,open,easy&target=0")
    await bela.open(await link_of(asha))
    await (await bela.there("#join button")).click()
    await asha.there("body[data-status=playing]:not([data-busy]) #hand [data-tile]")
    tiles = await asha.tiles()
    await asha.page.locator("select[aria-label^='Level of']").first.select_option("hard")
    await asha.there(".log-lines li:has-text('hard')")
    assert await asha.tiles() == tiles
    assert not await bela.has("select[aria-label^='Level of']")


async def test_what_people_are_called_is_text(visit: Visit) -> None:
    """Whatever they call themselves, and none can be taken for somebody else."""
    names = ["<img src=x onerror=alert(1)>", "You\u200b", "\u202eYou", "W" * 40]
    host = await visit("phone")
    seats = [{"kind": "human", "name": name} for name in names]
    created = await host.page.request.post(
        f"{host.url}/v1/matches", data={"ruleset": "partner-penalty", "seats": seats}
    )
    match: dict[str, Any] = (await created.json())["match"]
    await host.open(f"#match={match['id']}")
    shown = await (await host.there(".table")).inner_text()
    assert names[0] in shown
    assert "You (seat 2)" in shown
    assert "You (seat 3)" in shown
    assert await host.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert not await host.has("img")
