import httpx
import pytest
from fastapi import FastAPI

from api.store import Store
from tests.kinds import SOURCE_GAMES
from tests.soak.all_cpu import play_all


@pytest.mark.parametrize("ruleset", SOURCE_GAMES)
async def test_some_matches_of_each_game(client: httpx.AsyncClient, app: FastAPI, ruleset: str) -> None:
    report = await play_all(client, Store(app.state.database), matches=5, at_once=3, rulesets=[ruleset])
    assert report[ruleset].matches == 5
    assert report[ruleset].events > report[ruleset].hands > 5
