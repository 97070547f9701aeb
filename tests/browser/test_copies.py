"""A copy of the page on another site, as its README tells to make one."""

import random
import re
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.async_api import Browser

from tests.browser.guards import Guard
from tests.browser.table import Table
from tests.documents import ROOT, Document
from tests.serving import PATIENCE, serving

README = Document.read("web/README.md")
PATTERNS = ("*.html", "*.css", "*.js", "icon.svg")


class Site(SimpleHTTPRequestHandler):
    """Sends files with the policy that the README has, on top of one that allows nothing."""

    policy = ""

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", self.policy)
        super().end_headers()

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def site(folder: Path) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Site, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()


def copy(folder: Path, service: str) -> None:
    """The files that the README names, in a folder, with the service where it says."""
    steps = README.below("Copy it into another site")
    assert all(f"`{pattern}`" in steps.text for pattern in PATTERNS)
    folder.mkdir()
    for pattern in PATTERNS:
        for path in (ROOT / "web").glob(pattern):
            shutil.copy(path, folder)
    index = folder / "index.html"
    before = index.read_text(encoding="utf-8")
    [named] = re.findall(r'<meta name="service".*>', steps.text.replace("https://dominoes.example", service))
    index.write_text(re.sub(r'<meta name="service".*>', named, before), encoding="utf-8")
    [policy] = re.findall(r"`(script-src [^`]*)`", steps.text)
    Site.policy = f"default-src 'none'; connect-src {service}; {policy}"


async def test_a_copy_is_played_at(browser: Browser, tmp_path: Path) -> None:
    """On another origin, below a path, by a strict policy; and so is the README's own table."""
    (tmp_path / "site").mkdir()
    with (
        site(tmp_path / "site") as origin,
        serving(tmp_path / "data", CAPICUA_CORS_ORIGINS=origin) as service,
    ):
        copy(tmp_path / "site" / "games", service.url)
        context = await browser.new_context(reduced_motion="reduce")
        context.set_default_timeout(1000 * PATIENCE)
        guard = Guard(origin)
        await guard.watch(context)
        table = Table(await context.new_page(), f"{origin}/games", guard, random.Random(1))
        await table.begin("draw", seats="human,easy", target=0, deal=7)
        await table.finish()
        assert await table.page.locator("#contract").get_attribute("href") == f"{service.url}/docs"
        program = README.below("How little a table takes").block("js").replace("https://dominoes.example", service.url)
        program = program.replace("import { Service } from", "const { Service } = await import(").replace(
            '.js";', '.js");'
        )
        assert await table.page.evaluate(f"async () => {{ {program}; return match.status; }}") == "finished"
        await context.close()
    assert [each for each in guard.trouble if not each.startswith(f"a request to {service.url}/")] == []
