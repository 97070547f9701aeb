import httpx
import pytest
from pydantic import SecretStr

from api.interruptions import StartupError
from api.main import create_app
from api.settings import Settings
from tests.api.services import client_of


async def test_a_service_with_a_current_database_is_ready(client: httpx.AsyncClient) -> None:
    for path in ("/health/live", "/health/ready"):
        answer = await client.get(path)
        assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


@pytest.mark.parametrize("state", ["away", "empty"])
async def test_a_service_without_one_lives_and_is_not_ready(
    settings: Settings, empty_database_url: str, state: str
) -> None:
    url = {"away": "postgresql+psycopg://127.0.0.1:1/name", "empty": empty_database_url}[state]
    app = create_app(settings.model_copy(update={"database_url": SecretStr(url)}))
    async with app.router.lifespan_context(app), client_of(app) as client:
        assert (await client.get("/health/live")).status_code == 200
        unready = await client.get("/health/ready")
    assert (unready.status_code, unready.json()["code"]) == (503, "unavailable")
    assert unready.headers["retry-after"] == "1"


async def test_an_application_does_not_start_without_a_database(settings: Settings) -> None:
    app = create_app(settings.model_copy(update={"database_url": None}))
    with pytest.raises(StartupError, match="capicua serve"):
        async with app.router.lifespan_context(app):
            pass
