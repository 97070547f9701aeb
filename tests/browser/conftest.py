"""A browser for each worker, and in it a context for each visitor, who are watched over."""

import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any, Final

import pytest
from playwright.async_api import Browser, BrowserContext, async_playwright

from tests.browser.chromium import ARGUMENTS, program
from tests.browser.guards import Guard
from tests.browser.table import Table
from tests.serving import PATIENCE, Served

DESKTOP: Final = {"viewport": {"width": 1280, "height": 800}}
PHONE: Final = {
    "viewport": {"width": 360, "height": 740},
    "device_scale_factor": 2,
    "has_touch": True,
    "is_mobile": True,
}
DEVICES: Final[dict[str, dict[str, Any]]] = {"desktop": DESKTOP, "phone": PHONE}

Visit = Callable[..., Awaitable[Table]]


@pytest.fixture(scope="session")
async def browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        running = await playwright.chromium.launch(executable_path=program(), args=ARGUMENTS)
        yield running
        await running.close()


async def _leave(context: BrowserContext) -> None:
    """Calls that a test holds up may still be under way: nobody waits for them."""
    for page in context.pages:
        await page.unroute_all(behavior="ignoreErrors")
    await context.close()


@pytest.fixture
async def visit(browser: Browser, served: Served) -> AsyncIterator[Visit]:
    """Another visitor, with nothing kept from before: `visit("phone", reduced_motion="reduce")`.

    When the test is over, nobody may have met with trouble.
    """
    guards: list[Guard] = []
    async with AsyncExitStack() as stack:

        async def start(device: str = "desktop", **options: Any) -> Table:
            context = await browser.new_context(**{"reduced_motion": "reduce", **DEVICES[device], **options})
            stack.push_async_callback(_leave, context)
            context.set_default_timeout(1000 * PATIENCE)
            guard = Guard(served.url)
            await guard.watch(context)
            guards.append(guard)
            return Table(await context.new_page(), served.url, guard, random.Random(len(guards)))

        yield start
    assert [trouble for guard in guards for trouble in guard.trouble] == []
