"""The pictures of the page that the README shows, taken of the real thing: `make pictures` takes them anew.

They are of numbered deals and of moves drawn by a chance that repeats, so that they change only with the page.
"""

import asyncio
import random
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import httpx
from playwright.async_api import Browser, async_playwright

from tests.browser.chromium import ARGUMENTS, program
from tests.browser.conftest import DEVICES
from tests.browser.guards import Guard
from tests.browser.table import Table
from tests.documents import ROOT
from tests.serving import PATIENCE, serving

FOLDER: Final = ROOT / "docs" / "images"

State = Callable[[Table], Awaitable[None]]


async def set_up(table: Table) -> None:
    await table.open()
    await table.there("form [data-game]")


async def spinner(table: Table) -> None:
    """All fives, with all four arms of the spinner built on and something to play."""
    await table.begin("all-fives", deal=39, seats="human,medium", hints=True)
    for _ in range(13):
        await table.move()


async def choice(table: Table) -> None:
    """A tile whose end is being chosen."""
    await table.begin("draw", deal=7, seats="human,medium", auto_pass=True)
    for _ in range(4):
        await table.move()
    while not await table.has('[data-playable*=" "]'):
        await table.move()
    await (await table.there('[data-playable*=" "]')).click()
    await table.there(".felt-ghost")


async def hint(table: Table) -> None:
    await table.begin("partner-penalty", deal=5, seats="human,hard,hard,medium", hints=True, auto_pass=True)
    for _ in range(3):
        await table.move()
    await table.press("hint")
    await table.there(".hint-moves ol")


async def hand_over(table: Table) -> None:
    """A hand that is over, with every tile shown."""
    await table.begin("partner-penalty", deal=5, seats="human,hard,hard,medium", auto_pass=True)
    while not await table.has("body[data-status=hand_over]"):
        await table.move()


PICTURES: Final[dict[str, tuple[State, str, dict[str, Any]]]] = {
    "table": (spinner, "desktop", {}),
    "hint": (hint, "desktop", {}),
    "hand-over": (hand_over, "desktop", {"color_scheme": "dark"}),
    "phone": (spinner, "phone", {}),
    "phone-set-up": (set_up, "phone", {"color_scheme": "dark"}),
    "phone-choice": (choice, "phone", {}),
}


async def take(browser: Browser, url: str, name: str) -> None:
    state, device, options = PICTURES[name]
    context = await browser.new_context(**{"reduced_motion": "reduce", **DEVICES[device], **options})
    context.set_default_timeout(1000 * PATIENCE)
    guard = Guard(url)
    await guard.watch(context)
    table = Table(await context.new_page(), url, guard, random.Random(1))
    await state(table)
    await table.page.evaluate("() => scrollTo(0, 0)")
    await table.page.screenshot(path=FOLDER / f"{name}.jpg", type="jpeg", quality=90)
    await context.close()


async def main(names: list[str]) -> None:
    FOLDER.mkdir(exist_ok=True)
    with TemporaryDirectory() as directory, serving(Path(directory)) as served:
        async with httpx.AsyncClient(timeout=PATIENCE) as client:
            await client.get(f"{served.url}/health/ready")
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=program(), args=ARGUMENTS)
            for name in names or PICTURES:
                await take(browser, served.url, name)
            await browser.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
