"""The page in a browser: how long until somebody can play, and what is sent for it.

A link begins a match against a CPU seat; it is timed from the navigation to the first tile that can be played. At first
nothing of the page is kept, then all of it. Browser, service and database run on the same machine, without a network
between them: what is sent says what one would add.
"""

import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, BrowserContext, sync_playwright

from api import embedded
from api.database import migrate
from benchmarks.moves import service
from tests.browser.chromium import ARGUMENTS, program

VISITS: Final = 15
LINK: Final = "#new?ruleset=draw&seats=human,medium&deal=7"
PLAYABLE: Final = "body:not([data-busy]) #hand [data-playable]"


class Sent:
    """Bytes of answers as they come over the wire, headers included."""

    def __init__(self, context: BrowserContext) -> None:
        self.page = context.new_page()
        self.page_bytes = self.call_bytes = 0
        self._urls: dict[str, str] = {}
        devtools = context.new_cdp_session(self.page)
        devtools.on("Network.responseReceived", self._on_response)
        devtools.on("Network.loadingFinished", self._on_finished)
        devtools.send("Network.enable")

    def _on_response(self, told: dict[str, dict[str, str]]) -> None:
        self._urls[str(told["requestId"])] = told["response"]["url"]

    def _on_finished(self, told: dict[str, float | str]) -> None:
        count = int(told["encodedDataLength"])
        if "/v1/" in self._urls.get(str(told["requestId"]), ""):
            self.call_bytes += count
        else:
            self.page_bytes += count


def _visit(browser: Browser, url: str) -> tuple[float, float, int, int]:
    """Milliseconds to play at the first visit and at the next, and bytes of the first: of the page and of its calls."""
    context = browser.new_context()
    sent = Sent(context)
    first = _seconds(sent, url)
    counts = sent.page_bytes, sent.call_bytes
    sent.page.goto("about:blank")
    second = _seconds(sent, url)
    context.close()
    return first * 1e3, second * 1e3, *counts


def _seconds(sent: Sent, url: str) -> float:
    begun = time.perf_counter()
    sent.page.goto(url, wait_until="commit")
    sent.page.locator(PLAYABLE).first.wait_for(state="visible")
    return time.perf_counter() - begun


def report() -> Iterator[str]:
    """Medians over visits that each begin with nothing kept."""
    with tempfile.TemporaryDirectory() as directory, embedded.lease(Path(directory)) as database:
        migrate(database)
        with service(database) as (port, _), sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=program(), args=ARGUMENTS)
            url = f"http://127.0.0.1:{port}/{LINK}"
            _visit(browser, url)
            visits = [_visit(browser, url) for _ in range(VISITS)]
            browser.close()
    first, again, page, calls = (statistics.median(column) for column in zip(*visits, strict=True))
    yield f"page: until a tile can be played {first:4.0f} ms, at the next visit {again:4.0f} ms"
    yield f"page: sent at the first visit {page / 1e3:5.1f} kB of files, {calls / 1e3:5.1f} kB of answers"
