"""Matches that older versions stored can be played on, and a change of what is stored is noticed."""

import json
import os
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import psycopg
import pytest
from alembic import command
from pydantic import TypeAdapter
from sqlalchemy import create_engine
from sqlalchemy.pool import NullPool

from api.database import alembic_config, connection_pool, libpq_url, migrate
from api.store import FORMAT, NewerFormat, Store
from engine.match import Match, Setup, decide, fold, legal_moves

STORED: Final = Path(__file__).parents[1] / "golden" / "stored"
FIRST: Final[dict[str, Any]] = json.loads((STORED / "0001.json").read_text(encoding="utf-8"))
"""A match as the first revision of the schema had it, in the middle of a hand."""


def insert_as_first(url: str, match: dict[str, Any] = FIRST) -> None:
    """Make the tables of the first revision, and store a match in them."""
    with create_engine(url, poolclass=NullPool).begin() as connection:
        command.upgrade(alembic_config(connection), "0001")
    with psycopg.connect(libpq_url(url), autocommit=True) as connection:
        connection.execute(
            "INSERT INTO matches (id, version, updated_at, setup, snapshot) VALUES (%s, %s, %s, %s, %s)",
            (
                match["id"],
                match["version"],
                match["updated_at"],
                json.dumps(match["setup"]),
                json.dumps(match["snapshot"]),
            ),
        )
        for event in match["events"]:
            row = (match["id"], event["seq"], json.dumps(event))
            connection.execute("INSERT INTO events (match_id, seq, event) VALUES (%s, %s, %s)", row)


async def test_a_match_of_the_first_revision_is_played_on(empty_database_url: str) -> None:
    insert_as_first(empty_database_url)
    migrate(empty_database_url)
    async with connection_pool(empty_database_url) as pool:
        store = Store(pool)
        found = await store.load(UUID(FIRST["id"]))
        assert found is not None
        match = found.match
        assert (match.version, match.status, match.clock) == (FIRST["version"], "playing", None)
        assert match.hand is not None
        assert [list(map(str, tiles)) for tiles in match.hand.tiles] == FIRST["snapshot"]["hand"]["tiles"]
        done = decide(match, match.turn, legal_moves(match, match.turn)[0], found.now)
        assert await store.append(done, seen=match.version)
        async with pool.connection() as connection:
            row = await (await connection.execute("SELECT format, status FROM matches")).fetchone()
        assert row == (FORMAT, "playing")
        again = await store.load(match.setup.id)
        assert again is not None
        log = await store.events(match.setup.id, after=0, until=again.match.version)
        assert again.match == done.match == fold(match.setup, log)


async def test_a_match_of_a_newer_format_is_left_to_newer_processes(empty_database_url: str) -> None:
    insert_as_first(empty_database_url)
    migrate(empty_database_url)
    async with connection_pool(empty_database_url) as pool:
        async with pool.connection() as connection:
            await connection.execute("UPDATE matches SET format = %s, snapshot = '{}'", (FORMAT + 1,))
        with pytest.raises(NewerFormat):
            await Store(pool).load(UUID(FIRST["id"]))


def test_a_change_of_the_snapshot_is_a_new_format() -> None:
    """Where this fails: raise `FORMAT`, and write the new shape down with `CAPICUA_REWRITE_GOLDEN=1`."""
    shape = {"format": FORMAT, "schema": _without_words(TypeAdapter(Match).json_schema(mode="serialization"))}
    path = STORED / "format.json"
    if "CAPICUA_REWRITE_GOLDEN" in os.environ:
        path.write_text(json.dumps(shape, indent=1) + "\n", encoding="utf-8")
    assert shape == json.loads(path.read_text(encoding="utf-8"))


def _without_words(part: Any) -> Any:
    match part:
        case dict():
            return {
                name: _without_words(value)
                for name, value in part.items()
                if name != "description" or not isinstance(value, str)
            }
        case list():
            return [_without_words(value) for value in part]
    return part


def test_last_tiles_that_double_and_hands_without_a_bonus_are_carried_over(empty_database_url: str) -> None:
    rules = {**FIRST["setup"]["rules"], "last_tile_doubles": "legal_both"}
    first = {**FIRST, "setup": {**FIRST["setup"], "rules": rules}}
    ended = {"seq": FIRST["version"] + 1, "type": "hand_ended", "result": {"number": 1, "doubled": True}}
    insert_as_first(empty_database_url, {**first, "events": [*first["events"], ended]})
    migrate(empty_database_url)
    with psycopg.connect(libpq_url(empty_database_url)) as connection:
        setup = connection.execute("SELECT setup FROM matches").fetchone()
        event = connection.execute("SELECT event FROM events WHERE seq = %s", (ended["seq"],)).fetchone()
    assert setup is not None
    assert event is not None
    carried = TypeAdapter(Setup).validate_python(setup[0], strict=False)
    assert (carried.rules.last_tile, carried.rules.last_tile_factor) == ("legal_both", 2)
    assert event[0]["result"] == {"number": 1, "doubled": True, "bonus": 0}
