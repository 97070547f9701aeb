"""A Python client that is generated from the document has all of it, and plays.

`tests/test_examples.py` has one in TypeScript.
"""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import pytest

from tests.contract.document import DOCUMENT, OPERATIONS, PUBLISHED
from tests.kinds import SOURCE_GAMES
from tests.programs import BIN, printed
from tests.serving import Served

CLIENT: Final = "capicua_client"
CALLS: Final = {"play": "play", "draw": "draw", "pass": "pass_turn", "next-hand": "next_hand"}
"""The operation that each type of move is posted to."""


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory in which the client is a package. Nothing was left out: that would have been a warning."""
    directory = tmp_path_factory.mktemp("generated")
    config = directory / "config.yaml"
    config.write_text(
        "content_type_overrides:\n  image/svg+xml: text/plain\n", encoding="utf-8"
    )  # it knows no pictures
    options = [
        f"--config={config}",
        "--meta=none",
        f"--path={PUBLISHED}",
        f"--output-path={directory / CLIENT}",
        "--fail-on-warning",
    ]
    printed([str(BIN / "openapi-python-client"), "generate", *options])  # which runs ruff
    return directory


@pytest.fixture
def module(generated: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Any]:
    """Imports a module of the client."""
    monkeypatch.syspath_prepend(generated)
    return lambda name: import_module(f"{CLIENT}.{name}" if name else CLIENT)


def test_it_has_every_operation_and_every_schema(generated: Path, module: Callable[[str], Any]) -> None:
    operations = {path.stem for path in generated.glob(f"{CLIENT}/api/*/[!_]*.py")}
    assert operations == {operation["operationId"] for operation in OPERATIONS.values()}
    objects = {name for name, schema in DOCUMENT["components"]["schemas"].items() if schema.get("type") == "object"}
    assert set(module("models").__all__) >= objects


@pytest.mark.parametrize("ruleset", SOURCE_GAMES)
def test_it_plays_a_match(module: Callable[[str], Any], served: Served, ruleset: str) -> None:
    client, models = module(""), module("models")
    body = models.CreateMatch(ruleset=ruleset, rules=models.RulesOverrides(target=20))
    with client.Client(served.url, timeout=60) as anybody:
        created = module("api.matches.create_match").sync(client=anybody, body=body, idempotency_key=str(uuid4()))
    match = created.match
    with client.AuthenticatedClient(served.url, token=created.tokens[0].token, timeout=60) as player:
        while match.status in {"playing", "hand_over"}:
            move = match.hand.legal_moves[0]
            call = module(f"api.matches.{CALLS[move.type_]}")
            moved = call.sync(match.id, client=player, body=request(models, move), idempotency_key=str(uuid4()))
            assert isinstance(moved, models.Moved)
            match = moved.match
        assert match.status == "finished"
        assert match == module("api.matches.get_match").sync(match.id, client=player)
        log = module("api.events.list_events").sync(match.id, client=player, after=match.version - 1)
    assert [type(event) for event in log.items] == [models.MatchEnded]


def request(models: Any, move: Any) -> Any:
    """The move as it is sent: of the type that the call takes, with the members that were answered."""
    return getattr(models, f"{type(move).__name__}Request").from_dict(move.to_dict())
