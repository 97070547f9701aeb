"""Whole matches, played on the page as people play them."""

import pytest

from tests.browser.conftest import Visit

GAMES = [
    ("draw", "human,easy", 10),
    ("block", "human,easy", 15),
    ("all-fives", "human,easy", 20),
    ("partner-penalty", "human,easy,easy,easy", 25),
    ("maltese-cross", "human,easy", 0),
    ("tiddly-wink", "human,easy,easy,easy,easy", 0),
]


@pytest.mark.parametrize(("ruleset", "seats", "target"), GAMES, ids=[game for game, *_ in GAMES])
async def test_a_match_is_played_with_the_mouse(visit: Visit, ruleset: str, seats: str, target: int) -> None:
    """To its end; and while it is played, no tile is in the document that its seat may not know."""
    table = await visit()
    await table.begin(ruleset, seats=seats, target=target, deal=7)
    while not await table.is_over():
        if await table.has("body[data-status=playing]"):
            await table.shows_nothing_hidden()
        await table.move()
    assert (await table.see())["status"] == "finished"


async def test_a_match_is_played_on_a_phone(visit: Visit) -> None:
    """By touch; and nothing is wider than the screen."""
    table = await visit("phone")
    await table.begin("all-fives", seats="human,easy", target=0, deal=5)
    while not await table.is_over():
        assert await table.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        await table.move()
    assert (await table.see())["status"] == "finished"


async def test_replies_are_shown_one_by_one(visit: Visit) -> None:
    """At a speed that can be followed, with motion; what has been shown so far holds nothing hidden either."""
    table = await visit(reduced_motion="no-preference")
    await table.begin("partner-penalty", seats="human,easy,easy,easy", target=0, deal=3, speed="fast")
    before = await table.version()
    await table.play((await table.tiles(playable=True))[0])
    versions = set()
    while await table.has("body[data-busy]"):
        versions.add(await table.version())
    await table.ready()
    assert len(versions - {before, await table.version()}) > 1
    await table.shows_nothing_hidden()


async def test_a_match_goes_on_where_it_was_left(visit: Visit) -> None:
    table = await visit()
    await table.begin("draw", seats="human,easy", target=0, deal=9)
    await table.move()
    tiles, version = await table.tiles(), await table.version()
    await table.page.reload()
    await table.ready()
    assert (await table.tiles(), await table.version()) == (tiles, version)
    await table.finish()


async def test_cpu_seats_wait_for_a_step(visit: Visit) -> None:
    table = await visit()
    await table.begin("draw", seats="human,easy", target=0, deal=9, pacing="step", speed="step")
    await table.move()
    while not await table.has("#step"):
        await table.move()
    await table.shows_nothing_hidden()
    await table.finish()


async def test_two_people_play_each_other(visit: Visit) -> None:
    """One sends a link to the other; each sees the moves of the other, and not their tiles."""
    asha, bela = await visit(), await visit("phone")
    await asha.open("#new?ruleset=block&seats=human,open&target=0")
    link = await (await asha.there("#room input")).input_value()
    await bela.open(link.removeprefix(f"{bela.url}/"))
    await bela.page.locator("#join button").click()
    for table in (asha, bela):
        await table.there("#hand [data-tile]")
    while not await asha.is_over():
        for table in (asha, bela):
            if await table.has("body[data-status=playing]:not([data-busy]) #hand [data-playable]"):
                await table.shows_nothing_hidden()
                await table.play((await table.tiles(playable=True))[0], "left")
            elif await table.has("body:not([data-busy]) #pass"):
                await table.press("pass")
        await asha.page.wait_for_timeout(20)
    await bela.ready()
    assert await bela.is_over()
