"""The guards over all tests in a browser do see what they are there for."""

import pytest

from tests.browser.conftest import Visit
from tests.browser.guards import hidden_tiles_shown, known_tiles, tiles_of, violations

WRONG = {
    "a call to another host": (
        "fetch('http://127.0.0.1:9/').catch(() => null)",
        "forbidden by the policy: connect-src",
    ),
    "a way to another host": ("open('http://127.0.0.1:9/')", "a request to http://127.0.0.1:9/"),
    "the console": ("console.error('oh no')", "oh no"),
    "an error": ("setTimeout(() => { throw new Error('oh no') })", "oh no"),
    "a script of the page's own": (
        "document.body.append(Object.assign(document.createElement('script'), { textContent: '1' }))",
        "forbidden by the policy: script-src-elem inline",
    ),
}


@pytest.mark.parametrize(("expression", "told"), WRONG.values(), ids=WRONG)
async def test_trouble_is_seen(visit: Visit, expression: str, told: str) -> None:
    table = await visit()
    await table.open()
    assert table.guard.trouble == []
    await table.page.evaluate(f"() => {{ {expression} }}")
    await table.page.wait_for_timeout(200)
    assert any(told in each for each in table.guard.trouble), table.guard.trouble
    table.guard.trouble.clear()


async def test_a_hidden_tile_is_seen(visit: Visit) -> None:
    """By its name, in a text or an attribute and either way round, and by its picture."""
    table = await visit()
    await table.begin("draw", seats="human,easy", target=0, deal=7)
    match = await table.see()
    hidden = min(tiles_of(match["rules"]) - known_tiles(match))
    high, low = hidden.split("-")
    pips = "".join(f'<path class="tile-pips" style="--pips: var(--pip-{number})"></path>' for number in (high, low))
    for markup in (f"the {low}-{high}", f'<i title="{hidden}"></i>', f"<svg>{pips}</svg>"):
        assert await hidden_tiles_shown(table.page, match, set()) == []
        await table.page.evaluate("(html) => { document.body.insertAdjacentHTML('beforeend', html) }", markup)
        assert len(await hidden_tiles_shown(table.page, match, set())) == 1
        await table.page.evaluate("() => document.body.lastChild.remove()")
    table.guard.trouble.clear()  # a style that stands in markup is forbidden


async def test_what_stands_in_somebodys_way_is_seen(visit: Visit) -> None:
    table = await visit()
    await table.open()
    await table.page.evaluate("() => document.body.append(document.createElement('input'))")
    assert any(found.startswith("label ") for found in await violations(table.page))
