"""The keyboard alone plays everything."""

from tests.browser.conftest import Visit


async def test_a_match_is_set_up_and_played_on_the_keyboard(visit: Visit) -> None:
    table = await visit()
    await table.open()
    await table.there("form [data-game]")
    await table.tab_to("[data-game=draw]")
    await table.key("Enter")
    await table.tab_to("form button.primary")
    await table.key("Enter")
    await table.ready()
    for _ in range(3):
        await table.move_by_key()
    match = await table.see()
    assert match["ruleset"] == "draw"
    assert match["viewer"] == {"role": "seat", "seat": 0}


async def test_a_match_is_played_to_its_end_on_the_keyboard(visit: Visit) -> None:
    table = await visit()
    await table.begin("draw", seats="human,easy", target=20, deal=11)
    while not await table.is_over():
        await table.move_by_key()
    assert (await table.see())["status"] == "finished"


async def test_play_goes_on_where_the_focus_is(visit: Visit) -> None:
    """After a move the focus is on a tile that can be played, or near the button that is all there is."""
    table = await visit()
    await table.begin("block", seats="human,easy", target=0, deal=4)
    await table.move_by_key()
    while not await table.is_over():
        tiles = await table.tiles(playable=True)
        assert await table.has(":is(#hand, #controls) :focus")
        assert not tiles or await table.focused("data-tile") in tiles
        await table.move_by_key()


async def test_a_choice_is_taken_back(visit: Visit) -> None:
    table = await visit()
    await table.begin("all-fives", seats="human,easy", target=0, deal=7)
    while not await table.has('[data-playable*=" "]'):
        await table.move_by_key()
    tile = await (await table.there('[data-playable*=" "]')).get_attribute("data-tile")
    await table.page.locator(f'#hand [data-tile="{tile}"]').press("Enter")
    await table.there(".felt-ghost")
    await table.key("Escape")
    assert not await table.has(".felt-ghost")
    assert await table.focused("data-tile") == tile
