"""What the store keeps: a match is written with its events or not at all, and read back as the engine had it."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import anyio
import httpx
import psycopg
import pytest
from psycopg.sql import SQL, Identifier
from sqlalchemy.engine import make_url

from api.database import Pool, connection_pool, libpq_url
from api.statements import PULSE
from api.store import Store
from engine.catalogue import RULESETS
from engine.deal import DealKind, FixedDeal, NumberedDeal, SecretDeal, SeededDeal
from engine.events import Event
from engine.match import Match, Transition, change_level, create, decide, fold, legal_moves
from engine.players import Cpu, Human
from tests.api.callers import CPU, HUMAN
from tests.api.callers import create as create_over_http
from tests.api.situations import seated
from tests.engine.games import AT, random_play, setup
from tests.kinds import SOURCE_GAMES

EVERYTHING = 2**40


@pytest.fixture
async def pool(fresh_database_url: str) -> AsyncIterator[Pool]:
    async with connection_pool(fresh_database_url) as opened:
        yield opened


@pytest.fixture
def store(pool: Pool) -> Store:
    return Store(pool)


async def load(store: Store, match_id: UUID) -> Match | None:
    found = await Store(store._pool).load(match_id)  # one that has nothing in memory
    return None if found is None else found.match


async def log(store: Store, match: Match) -> tuple[Event, ...]:
    return await store.events(match.setup.id, after=0, until=EVERYTHING, limit=EVERYTHING)


async def begun(store: Store, number: int = 1) -> Transition:
    """A match that is stored, with a person at each of two seats."""
    done = create(setup("draw", number), AT)
    await store.create(done)
    return done


def moved(match: Match, choice: int = 0) -> Transition:
    """The match after a legal move."""
    moves = legal_moves(match, match.turn)
    return decide(match, match.turn, moves[choice % len(moves)], AT + timedelta(seconds=1))


async def test_an_unknown_match_is_nothing(store: Store) -> None:
    assert await load(store, UUID(int=1)) is None
    assert await store.events(UUID(int=1), after=0, until=EVERYTHING, limit=10) == ()


@pytest.mark.parametrize("ruleset", SOURCE_GAMES)
async def test_a_match_comes_back_as_it_was_after_every_call(store: Store, ruleset: str) -> None:
    chosen, version = setup(ruleset, 5), 0
    for moment in random_play(chosen, most=60):
        done = Transition(moment.match, moment.events)
        if version:
            assert await store.append(done, seen=version)
        else:
            await store.create(done)
        version = moment.match.version
        assert await load(store, chosen.id) == moment.match
        assert await log(store, moment.match) == moment.log
        assert fold(chosen, moment.log) == moment.match
    assert version > 40


@pytest.mark.parametrize(
    "deal",
    [
        SecretDeal(),
        NumberedDeal(4_294_967_295),
        SeededDeal("Ab" * 32),
        FixedDeal(tuple(RULESETS["draw"].rules.live_tiles()[start : start + 7] for start in (0, 7)), ()),
    ],
    ids=lambda deal: deal.kind,
)
async def test_a_setup_comes_back(store: Store, deal: DealKind) -> None:
    players = (Human('O\'Neil \\ "null" %s $1 {} \U0001f3b2 \u202e'), Cpu("hard"))
    chosen = replace(setup("draw", 9, players, deal, scored_multiples=(3, 5)), auto_pass=True, pacing="step")
    done = create(chosen, AT.replace(microsecond=123_456))
    await store.create(done)
    assert await load(store, chosen.id) == done.match
    assert await log(store, done.match) == done.events


async def test_a_level_that_was_changed_comes_back(store: Store) -> None:
    done = create(setup("draw", 9, (Human(), Cpu("easy"))), AT)
    await store.create(done)
    changed = change_level(done.match, 1, "hard", AT)
    assert await store.append(changed, seen=done.match.version)
    found = await load(store, done.match.setup.id)
    assert found == changed.match
    assert found.players == (Human(), Cpu("hard"))
    assert found.setup.players == (Human(), Cpu("easy"))


@pytest.mark.parametrize("off", [-1, 1, 1_000])
async def test_a_match_that_has_moved_on_is_not_written(store: Store, off: int) -> None:
    done = await begun(store)
    assert not await store.append(moved(done.match), seen=done.match.version + off)
    assert await load(store, done.match.setup.id) == done.match
    assert await log(store, done.match) == done.events


async def test_a_match_that_is_not_there_is_not_written(store: Store) -> None:
    done = create(setup("draw", 1), AT)
    assert not await store.append(moved(done.match), seen=done.match.version)
    assert await load(store, done.match.setup.id) is None
    assert await log(store, done.match) == ()


async def test_of_many_at_once_one_is_written(store: Store) -> None:
    for number in range(1, 6):
        done = await begun(store, number)
        written: list[Transition] = []

        async def append(choice: int, done: Transition = done, written: list[Transition] = written) -> None:
            after = moved(done.match, choice)
            if await store.append(after, seen=done.match.version):
                written.append(after)

        async with anyio.create_task_group() as group:
            for choice in range(10):
                group.start_soon(append, choice)
        assert len(written) == 1
        assert await load(store, done.match.setup.id) == written[0].match
        assert await log(store, done.match) == (*done.events, *written[0].events)


async def test_a_match_is_created_once(store: Store) -> None:
    done = await begun(store)
    assert not await store.create(moved(done.match))
    assert await load(store, done.match.setup.id) == done.match
    assert await log(store, done.match) == done.events


async def test_where_an_event_cannot_be_written_nothing_is(store: Store, pool: Pool) -> None:
    done = await begun(store)
    async with pool.connection() as connection:
        in_the_way = {"match": done.match.setup.id, "seq": done.match.version + 1}
        await connection.execute("INSERT INTO events VALUES (%(match)s, %(seq)s, '{}')", in_the_way)
    with pytest.raises(psycopg.errors.UniqueViolation):
        await store.append(moved(done.match), seen=done.match.version)
    assert await load(store, done.match.setup.id) == done.match


async def test_events_are_asked_for_by_number(store: Store) -> None:
    *_, last = random_play(setup("block", 3), most=30)
    await store.create(Transition(last.match, last.log))
    match_id, count = last.match.setup.id, len(last.log)
    for after, until, limit in ((0, count, count), (0, count, 3), (4, count, 3), (4, 6, 500), (count, count, 9)):
        found = await store.events(match_id, after=after, until=until, limit=limit)
        assert found == last.log[after:until][:limit]


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The statements that calls run, by their first words: not those of the pulse, or of new connections."""
    run: list[str] = []
    execute = psycopg.AsyncCursor.execute

    async def noted(self: Any, query: Any, *arguments: Any, **options: Any) -> Any:
        word = str(query).split()[0]
        if word != "SET" and query != PULSE:
            run.append(word)
        return await execute(self, query, *arguments, **options)

    monkeypatch.setattr(psycopg.AsyncCursor, "execute", noted)
    return run


async def test_a_move_reads_once_and_writes_once(client: httpx.AsyncClient, statements: list[str]) -> None:
    """Replies of CPU seats and the end of the hand included."""
    table = await seated(client, "block", seats=[HUMAN, CPU])
    assert statements == ["SELECT", "WITH"]
    statements.clear()
    await table.people[0].post("play", {"tile": "6-6"})
    assert statements == ["SELECT", "WITH"]
    statements.clear()
    await table.people[0].refused("draw", None, "must-play")
    assert statements == ["SELECT"]
    statements.clear()
    await table.people[0].post("play", {"tile": "6-5"})
    assert statements == ["SELECT", "WITH"]


async def test_a_call_that_changes_nothing_writes_nothing(client: httpx.AsyncClient, statements: list[str]) -> None:
    table = await create_over_http(client, "draw", seats=[HUMAN, CPU])
    statements.clear()
    await table.host.patch(1, {"level": CPU["level"]})
    assert statements == ["SELECT"]
    statements.clear()
    await table.host.get()
    await table.host.get("/events")
    assert statements == ["SELECT"] * 3


async def test_a_match_that_has_not_moved_is_not_read_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """And one that another process has moved is."""
    done = await begun(store)
    first = await store.load(done.match.setup.id)
    assert first is not None
    assert first.match is done.match
    after = moved(done.match)
    assert await Store(store._pool).append(after, seen=done.match.version)
    second = await store.load(done.match.setup.id)
    assert second is not None
    assert second.match == after.match
    third = await store.load(done.match.setup.id)
    assert third is not None
    assert third.match is second.match


async def test_only_so_many_matches_are_kept(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("api.store.MOST_KEPT", 2)
    made = [await begun(store, number) for number in (1, 2, 3)]
    assert list(store._kept) == [done.match.setup.id for done in made[1:]]
    for done in made:
        found = await store.load(done.match.setup.id)
        assert found is not None
        assert found.match == done.match


async def test_times_are_in_utc_wherever_the_database_is(fresh_database_url: str) -> None:
    name = make_url(fresh_database_url).database
    with psycopg.connect(libpq_url(fresh_database_url), autocommit=True) as connection:
        connection.execute(SQL("ALTER DATABASE {} SET timezone TO 'Asia/Kolkata'").format(Identifier(str(name))))
    async with connection_pool(fresh_database_url) as pool:
        store = Store(pool)
        done = await begun(store)
        found = await store.load(done.match.setup.id)
        assert found is not None
        assert {found.now.utcoffset(), (await store.now()).utcoffset()} == {timedelta(0)}
