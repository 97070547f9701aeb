"""Matches of all games, one after the other at each table, with people, CPU seats, open seats and clocks."""

import asyncio
from random import Random
from typing import Any, Final

from engine.catalogue import RULESETS
from tests.soak.ledger import Acknowledged, Book
from tests.soak.players import Line, Person
from tests.soak.readers import follow

TARGET: Final = 30
FEW: Final = 20
"""Targets up to this count hands, and not pips."""


async def play_on(line: Line, ended: asyncio.Event) -> None:
    """Play matches, the last of them to its end, until that is asked for."""
    while not ended.is_set():
        await _play_match(line)


async def _play_match(line: Line) -> None:
    """A match from its creation to its end, with everybody in it, and the check of its log."""
    asked = _match(line.rng)
    created = await line.once("/v1/matches", asked)
    assert created is not None
    humans = {seat for seat, player in enumerate(asked["seats"]) if player["kind"] != "cpu"}
    match_id, clock = created["match"]["id"], asked.get("clock")
    budget = None if clock is None else clock["seconds_per_hand"]
    book = Book(match_id, humans, budget, created["host_token"])
    line.ledger.books[match_id] = book
    book.calls.append(Acknowledged("create", None, created["events"]))
    async with asyncio.TaskGroup() as group:
        for token in created["tokens"]:
            group.create_task(Person(line, book, token["seat"], token["token"]).play())
        for player in asked["seats"]:
            if player["kind"] == "open":
                group.create_task(_join(line, book))
        for _ in range(line.rng.choice([0, 0, 1, 2])):
            token = line.rng.choice([None, book.host, *[token["token"] for token in created["tokens"]]])
            group.create_task(follow(line, book, token))
        if line.rng.random() < 0.05:
            group.create_task(_cancel(line, book))
    line.ledger.check(book, await _log(line, book))
    line.ledger.tally["matches"] += 1


def _match(rng: Random) -> dict[str, Any]:
    """What match to create: at least one person, others to join, CPU seats, a clock now and then."""
    ruleset = rng.choice(list(RULESETS))
    count = rng.choice(RULESETS[ruleset].seat_counts)
    target = RULESETS[ruleset].tables[count].target
    target = min(target, 2 if target <= FEW else TARGET)  # a match takes a few hands
    seats = [{"kind": rng.choice(["human", "human", "open", "cpu"])} for _ in range(count)]
    seats[rng.randrange(count)] = {"kind": "human", "name": "Asha"}
    asked: dict[str, Any] = {"ruleset": ruleset, "rules": {"target": target}, "seats": seats}
    asked["pacing"] = rng.choice(["auto", "auto", "step"])
    asked["auto_pass"] = rng.random() < 0.3
    asked["listed"] = rng.random() < 0.3
    if rng.random() < 0.4:
        asked["clock"] = {"seconds_per_hand": rng.choice([5, 60])}
    return asked


async def _join(line: Line, book: Book) -> None:
    told = await line.once(f"{book.path}/join", {"name": "Bela"})
    if told is None:
        return
    [token] = told["tokens"]
    book.calls.append(Acknowledged("join", token["seat"], told["events"]))
    await Person(line, book, token["seat"], token["token"]).play()


async def _cancel(line: Line, book: Book) -> None:
    await asyncio.sleep(line.rng.uniform(0, 10))
    told = await line.once(f"{book.path}/cancel", token=book.host)
    if told is not None:
        book.calls.append(Acknowledged("cancel", None, told["events"]))


async def _log(line: Line, book: Book) -> list[dict[str, Any]]:
    """The whole log, as everybody may see it once the match is over."""
    log: list[dict[str, Any]] = []
    while True:
        answer, _ = await line.ask("GET", f"{book.path}/events?after={len(log)}&limit=500", {})
        page = answer.json()
        log += page["items"]
        if len(log) == page["last_seq"] or not page["items"]:
            return log
