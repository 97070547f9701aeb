"""A page at which somebody plays: what they do with the mouse or on the keyboard, and what they wait for."""

import json
import random
import re
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import quote

from playwright.async_api import Locator, Page

from tests.browser.guards import Guard, hidden_tiles_shown, names_in
from tests.serving import PATIENCE

AT_REST: Final = "body[data-version]:not([data-busy])"
MINE: Final = ":is(#hand [data-playable], #draw, #pass, #next-hand, #step)"
NOTHING_TO_DO: Final = ":is([data-status=finished], [data-status=cancelled])"
TICKETS: Final = "() => JSON.parse(localStorage.getItem('capicua.tickets'))"


@dataclass
class Table:
    """One page of one browser."""

    page: Page
    url: str
    guard: Guard
    choice: random.Random
    """What is done where there is a choice."""

    told: set[str] = field(default_factory=set)
    """Tiles that the rules in words name."""

    async def open(self, fragment: str = "", *, speed: str = "at once") -> None:
        """Open the page anew, with the speed at which moves of others are shown."""
        await self.page.goto(f"{self.url}/")
        liked = json.dumps({"speed": speed})
        await self.page.evaluate("(liked) => localStorage.setItem('capicua.liked', liked)", liked)
        await self.page.goto("about:blank")  # another fragment alone would not load it again
        await self.page.goto(f"{self.url}/{fragment}")

    async def begin(self, ruleset: str, *, speed: str = "at once", **set_up: object) -> None:
        """Begin a match by a link, and wait for what is to be done in it."""
        words = {name: value if isinstance(value, str) else json.dumps(value) for name, value in set_up.items()}
        query = "&".join(f"{name}={quote(text, safe=',/')}" for name, text in {"ruleset": ruleset, **words}.items())
        await self.open(f"#new?{query}", speed=speed)
        await self.ready()

    async def ready(self) -> None:
        """Wait until all is shown, and there is something to do, or nothing more."""
        await self.there(f"{AT_REST} {MINE}, {AT_REST}{NOTHING_TO_DO}")

    async def there(self, selector: str) -> Locator:
        """Wait for the first element that the selector finds, to be seen or not."""
        first = self.page.locator(selector).first
        await first.wait_for(state="attached", timeout=1000 * PATIENCE)
        return first

    async def has(self, selector: str) -> bool:
        return await self.page.locator(selector).count() > 0

    async def is_over(self) -> bool:
        return await self.has(f"body{NOTHING_TO_DO}")

    async def status(self) -> str:
        """What the page says of whose turn it is."""
        return await self.page.locator("#status").inner_text()

    async def version(self) -> int:
        return int(await self.page.locator("body").get_attribute("data-version") or 0)

    async def tiles(self, *, playable: bool = False) -> list[str]:
        """The own tiles, or those that can be played."""
        found = self.page.locator(f"#hand [data-tile]{'[data-playable]' if playable else ''}")
        return [await tile.get_attribute("data-tile") or "" for tile in await found.all()]

    # With the mouse

    async def play(self, tile: str, end: str | None = None) -> None:
        """Play a tile, at this end if it may be played at several."""
        mine = self.page.locator(f'#hand [data-tile="{tile}"]')
        ends = (await mine.get_attribute("data-playable") or "").split()
        await mine.click()
        if len(ends) > 1:
            await self.choose(end or self.choice.choice(ends))

    async def choose(self, end: str) -> None:
        """Click where on the felt a tile that is chosen goes."""
        await self.page.locator(f'.felt-ghost[data-end="{end}"]').click()

    async def press(self, name: str) -> None:
        """Press a button by its id: `draw`, `draw-on`, `pass`, `next-hand`, `step`."""
        await self.page.locator(f"#{name}").click()

    async def move(self) -> None:
        """Do something that may be done, and wait for what comes of it."""
        before = await self.version()
        if tiles := await self.tiles(playable=True):
            await self.play(self.choice.choice(tiles))
        elif await self.has("#draw"):
            await self._draw()
        else:
            await self.press(await self._only())
        await self.moved(before)

    async def moved(self, before: int) -> None:
        """Wait until more has happened than `before`, and it is this page's turn again."""
        await self.there(f'body:not([data-version="{before}"])')
        await self.ready()

    async def _draw(self) -> None:
        if await self.has("#draw-on") and self.choice.random() < 0.3:
            await self.press("draw-on")
        elif self.choice.random() < 0.3:
            await self.press("draw")
        else:
            places = self.page.locator("#boneyard button[data-position]")
            await places.nth(self.choice.randrange(await places.count())).click()

    async def _only(self) -> str:
        for name in ("pass", "next-hand", "step"):
            if await self.has(f"#{name}"):
                return name
        raise AssertionError(f"nothing can be done: {await self.status()}")

    async def finish(self) -> None:
        """Play to the end of the match."""
        while not await self.is_over():
            await self.move()

    # On the keyboard

    async def key(self, name: str) -> None:
        await self.page.keyboard.press(name)

    async def move_by_key(self) -> None:
        """Do something that may be done, with the keys that the page names, from wherever the focus is."""
        before = await self.version()
        if tiles := await self.tiles(playable=True):
            await self.play_by_key(self.choice.choice(tiles))
        else:
            await self.key("d" if await self.has("#draw") else (await self._only())[0])
        await self.moved(before)

    async def play_by_key(self, tile: str) -> None:
        """Go to the tile by arrow keys, and press Enter; then the first letter of an end if there are several."""
        mine = self.page.locator(f'#hand [data-tile="{tile}"]')
        ends = (await mine.get_attribute("data-playable") or "").split()
        for _ in range(len(await self.tiles()) + 1):
            if await self.focused("data-tile") == tile:
                break
            await self.key("ArrowRight")
        assert await self.focused("data-tile") == tile
        await self.key("Enter")
        if len(ends) > 1:
            await self.there("#choice:not([hidden])")
            await self.key(self.choice.choice(ends)[0])

    async def focused(self, attribute: str = "id") -> str | None:
        """An attribute of what has the focus."""
        found: str | None = await self.page.evaluate("(name) => document.activeElement?.getAttribute(name)", attribute)
        return found

    async def tab_to(self, selector: str) -> None:
        """Press Tab until what the selector finds has the focus."""
        for _ in range(200):
            if await self.page.evaluate("(selector) => document.activeElement?.matches(selector)", selector):
                return
            await self.key("Tab")
        raise AssertionError(f"the Tab key does not lead to {selector}")

    # What the service says

    async def match_id(self) -> str:
        found = re.search(r"#match=([0-9a-f-]{36})", self.page.url)
        assert found is not None, self.page.url
        return found[1]

    async def see(self) -> dict[str, Any]:
        """The state as the service shows it to the seat of this page, or to a spectator."""
        match_id = await self.match_id()
        tickets = await self.page.evaluate(TICKETS) or []
        tokens = [token for each in tickets if each["id"] == match_id for token in each["seats"].values()]
        headers = {"Authorization": f"Bearer {tokens[0]}"} if tokens else {}
        answer = await self.page.request.get(f"{self.url}/v1/matches/{match_id}", headers=headers)
        match: dict[str, Any] = await answer.json()
        return match

    async def shows_nothing_hidden(self) -> None:
        """The document of a match that waits for this page holds no tile that its seat may not know."""
        match = await self.see()
        assert await self.version() == match["version"]
        if not self.told:
            ruleset = await self.page.request.get(f"{self.url}/v1/rulesets/{match['ruleset']}")
            self.told = set(names_in(await ruleset.text()))
        line = set(names_in(match["hand"]["layout"]["text"]))  # it says of some ends which double they take
        shown = await hidden_tiles_shown(self.page, match, self.told | line)
        assert shown == [], shown
