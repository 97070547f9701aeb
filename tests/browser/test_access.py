"""That the page can be used by everybody: what axe-core finds in each of its states, on a phone in the dark as on a
desktop by day.
"""

import pytest

from tests.browser.conftest import Visit
from tests.browser.guards import violations
from tests.browser.table import Table


@pytest.fixture(params=[("desktop", "light"), ("phone", "dark")], ids=["desktop", "phone"])
async def table(visit: Visit, request: pytest.FixtureRequest) -> Table:
    device, scheme = request.param
    return await visit(device, color_scheme=scheme)


async def nothing_is_found(table: Table) -> None:
    found = await violations(table.page)
    assert found == [], "\n".join(found)


async def test_a_set_up(table: Table) -> None:
    await table.open()
    await table.there("form [data-game]")
    await nothing_is_found(table)
    for summary in await table.page.locator("form details:not([open]) > summary").all():
        if await summary.is_visible():
            await summary.click()
    await nothing_is_found(table)


async def test_a_match(table: Table) -> None:
    await table.begin("all-fives", seats="human,easy", target=10, deal=7, hints=True, auto_pass=True)
    await nothing_is_found(table)
    while not await table.has("#hint:not([disabled])"):
        await table.move()
    await table.press("hint")
    await table.there(".hint-moves ol")
    await nothing_is_found(table)
    while not await table.has("body[data-status=hand_over]") and not await table.is_over():
        await table.move()
    await nothing_is_found(table)
    await table.finish()
    await nothing_is_found(table)
    await table.press("review")
    await table.there(".reviewed li")
    await nothing_is_found(table)


async def test_a_tile_that_fits_two_ends(table: Table) -> None:
    await table.begin("draw", seats="human,easy", target=0, deal=7)
    while not await table.has('[data-playable*=" "]'):
        await table.move()
    await (await table.there('[data-playable*=" "]')).click()
    await table.there(".felt-ghost")
    await nothing_is_found(table)


async def test_a_table_that_waits(table: Table) -> None:
    await table.open("#new?ruleset=block&seats=human,open")
    await table.there("#room input")
    await nothing_is_found(table)


async def test_the_help(table: Table) -> None:
    await table.open()
    await table.page.locator("#help").click()
    await table.there("dialog[open]")
    await nothing_is_found(table)
