"""What holds on every page, whatever a test is about: nothing from elsewhere, nothing wrong in the console, nothing
that an accessibility check finds, and no tile that its viewer may not see.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from playwright.async_api import BrowserContext, ConsoleMessage, Page, Request, WebError

from tests.documents import ROOT

AXE: Final = ROOT / "web/node_modules/axe-core/axe.min.js"

TELL_VIOLATIONS: Final = """
addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
  console.error(`forbidden by the policy: ${violatedDirective} ${blockedURI}`));
"""

RUN_AXE: Final = """async () => {
  const { violations } = await axe.run(document, { resultTypes: ["violations"] });
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ target, failureSummary }) =>
    `${id} (${help}) at ${target.join(" ")}: ${failureSummary}`));
}"""

READ: Final = r"""(past) => {
  const leaves = ["d", "style", "points", "transform", "viewBox"];
  const texts = [], pictures = [];
  const walk = (node) => {
    if (node.nodeType === Node.TEXT_NODE) texts.push(node.data);
    if (node.nodeType !== Node.ELEMENT_NODE) return;
    if (past && node.matches(".log, #say, [aria-label='Score sheet']")) return;
    if (node.matches(".felt-end, script")) return;  // an end that takes a double alone names it
    for (const { name, value } of node.attributes) if (!leaves.includes(name)) texts.push(value);
    if ("value" in node) texts.push(String(node.value));
    const pips = [...node.children].filter((child) => child.matches(".tile-pips"));
    if (pips.length) pictures.push(pips.map((half) => Number(/--pip-(\d+)/.exec(half.getAttribute("style"))[1])));
    node.childNodes.forEach(walk);
  };
  walk(document.documentElement);
  return { texts, pictures };
}"""
"""Every text and attribute of the document, and the numbers on both halves of every tile that shows its face.

`past`: the log and the sheet also tell of hands that are over, whose tiles were shown."""

LOST: Final = "Failed to load resource"
"""What the console says of a call that failed, as some do on purpose."""

TWICE: Final = "(button) => { button.click(); button.click(); }"
"""A double click, whatever has become of the button in between."""

_NAME: Final = re.compile(r"(?<![\w.])(?<!\d-)(\d{1,2})-(\d{1,2})(?![\w-]|\.\d)")


@dataclass
class Guard:
    """What went wrong in a context, other than what a test expects."""

    origin: str
    expected: list[str] = field(default_factory=list)
    """Patterns of what may stand in the console, such as a refused call."""

    trouble: list[str] = field(default_factory=list)

    async def watch(self, context: BrowserContext) -> None:
        await context.add_init_script(TELL_VIOLATIONS)
        context.on("request", self._on_request)
        context.on("console", self._on_console)
        context.on("weberror", self._on_error)

    def _on_request(self, request: Request) -> None:
        if not request.url.startswith(f"{self.origin}/"):
            self.trouble.append(f"a request to {request.url}")

    def _on_console(self, message: ConsoleMessage) -> None:
        told = f"{message.text} ({message.location['url']})"
        if message.type == "error" and not any(re.search(pattern, told) for pattern in self.expected):
            self.trouble.append(told)

    def _on_error(self, error: WebError) -> None:
        self.trouble.append(str(error.error))


async def violations(page: Page) -> list[str]:
    """What axe-core has to say against the page as it is."""
    await page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[str] = await page.evaluate(RUN_AXE)
    return found


def names_in(text: str) -> Iterator[str]:
    """The tiles that a text names, high number first."""
    for one, other in _NAME.findall(text):
        high, low = sorted((int(one), int(other)), reverse=True)
        yield f"{high}-{low}"


def tiles_of(rules: dict[str, Any]) -> set[str]:
    return {f"{high}-{low}" for high in range(rules["highest_double"] + 1) for low in range(high + 1)}


def known_tiles(match: dict[str, Any]) -> set[str]:
    """The tiles that the viewer of this state may know."""
    hand = match["hand"]
    known = set(match["rules"]["removed_tiles"])
    for seat in match["seats"]:
        known |= set(seat["tiles"] or ())
    if hand is not None:
        known |= {move["tile"] for move in hand["moves"] if move.get("tile")}
        if hand["layout"]["opening"] is not None:
            known.add(hand["layout"]["opening"]["tile"])
        known |= {placed["tile"] for arm in hand["layout"]["arms"] for placed in arm["tiles"]}
        known |= set((hand["result"] or {}).get("boneyard") or ())
    return known


async def hidden_tiles_shown(page: Page, match: dict[str, Any], told: set[str]) -> list[str]:
    """Where the document holds the name or the picture of a tile that the viewer of `match` may not know.

    `told` are named anyway, by the rules in words.
    """
    read = await page.evaluate(READ, match["hand"] is not None and match["hand"]["number"] > 1)
    hidden = tiles_of(match["rules"]) - known_tiles(match)
    names = [f"{name} in {text!r}" for text in read["texts"] for name in names_in(text) if name in hidden - told]
    pictures = [f"a picture of {name}" for pair in read["pictures"] if (name := f"{max(pair)}-{min(pair)}") in hidden]
    return names + pictures
