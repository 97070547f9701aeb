"""Whatever bytes are sent to the service that runs, it answers within its contract, and goes on."""

import json
from collections.abc import Callable
from typing import Final

import httpx
import pytest

from api.problems import MEDIA_TYPE
from tests.api.callers import Table
from tests.api.provoked import CATALOGUE
from tests.api.situations import seated
from tests.api.sockets import Connection, connected
from tests.contract.document import Contract
from tests.contract.hostile import CANARY, Entries, Entry
from tests.contract.hostile_bodies import BODIES
from tests.contract.hostile_targets import TARGETS
from tests.contract.hostile_wire import WIRE
from tests.serving import PATIENCE, Served

CORPUS: Final = (*BODIES, *TARGETS, *WIRE)


def filled(entry: Entry, table: Table, other: Table) -> bytes:
    """What is sent, with the ids and tokens of the test's matches in it."""
    tokens = {"seat": table.people[0], "host": table.host, "foreign": other.people[0]}
    words = {name: caller.headers["Authorization"].split()[1] for name, caller in tokens.items()}
    sent = entry.sent
    for name, word in {**words, "match": str(table.id), "other": str(other.id)}.items():
        sent = sent.replace(f"{{{name}}}".encode(), word.encode())
    return sent


async def judge(contract: Contract, sent: bytes, connection: Connection, expected: str | int) -> None:
    """Whether the next answer is the expected one: a described success, or a problem of the catalogue."""
    words = sent.split(b" ")
    method, target = words[0].decode("latin-1"), words[1].decode("latin-1") if len(words) > 1 else ""
    status, headers, body = connection.answer(method)
    assert CANARY not in body.lower() + str(headers).lower().encode()
    if isinstance(expected, int):
        assert (status, status < 400) == (expected, True), body
        if target.startswith("/"):
            request = httpx.Request(method, f"http://a{target}")
            await contract.hold(httpx.Response(status, headers=headers, content=body, request=request))
        return
    problem = json.loads(body)
    assert problem["code"] == expected, body
    assert headers["content-type"] == MEDIA_TYPE
    assert problem["status"] == status < 500
    assert (expected, status) in CATALOGUE


@pytest.mark.parametrize("entries", CORPUS, ids=lambda entries: entries.__name__)
async def test_whatever_is_sent_is_answered_within_the_contract(served: Served, entries: Callable[[], Entries]) -> None:
    contract, wrong = Contract(), []
    async with httpx.AsyncClient(base_url=served.url, timeout=PATIENCE) as client:
        table, other = await seated(client, "draw"), await seated(client, "draw")
        before = [await caller.get() for caller in table.everyone]
        for entry in entries():
            sent = filled(entry, table, other)
            assert CANARY in sent or entry.is_cut_off, entry.name
            try:
                with connected(served) as connection:
                    connection.send(sent, is_last=entry.is_cut_off)
                    for expected in entry.expected:
                        await judge(contract, sent, connection, expected)
                    assert connection.is_closed()
                assert (await client.get("/health/ready")).status_code == 200
            except Exception as error:  # noqa: BLE001 - one test has many entries, and tells of all that fail
                wrong.append((entry.name, repr(error)[:300]))
        assert [await caller.get() for caller in table.everyone] == before
    assert wrong == []


def test_every_entry_has_a_name_of_its_own() -> None:
    for entries in CORPUS:
        names = [entry.name for entry in entries()]
        assert sorted({name for name in names if names.count(name) > 1}) == []
