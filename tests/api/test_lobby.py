"""The list of matches: those that are listed, newest first, page by page, as they stand."""

import json
from typing import Any

import httpx
import pytest

from tests.api.callers import CPU, HUMAN, OPEN, SEEDED, Table, create
from tests.api.services import DAY, Service
from tests.api.situations import played, seated


async def lobby(client: httpx.AsyncClient, **query: Any) -> Any:
    answer = await client.get("/v1/matches", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def ids(client: httpx.AsyncClient, **query: Any) -> list[str]:
    return [item["id"] for item in (await lobby(client, **query))["items"]]


async def some(service: Service, count: int, **body: Any) -> list[str]:
    """So many listed matches, newest first; ids of one millisecond would have no order."""
    made: list[Table] = []
    for index in range(count):
        service.put_ahead(service.matches.store.ahead + DAY / 86_400)
        made.append(await create(service.client, "draw", listed=True, **body, rules={"target": index + 1}))
    return [str(table.id) for table in reversed(made)]


async def test_a_service_without_matches_has_an_empty_list(service: Service) -> None:
    answer = await service.client.get("/v1/matches")
    assert (answer.status_code, answer.json()) == (200, {"items": [], "next_cursor": None})
    assert "Link" not in answer.headers
    assert answer.headers["Cache-Control"] == "no-cache"


async def test_only_matches_that_are_listed_are_in_it(service: Service) -> None:
    await create(service.client, "draw")
    await create(service.client, "draw", listed=False, seats=[HUMAN, OPEN])
    [listed] = await some(service, 1)
    assert await ids(service.client) == [listed]


async def test_it_begins_with_the_newest(service: Service) -> None:
    made = await some(service, 5)
    assert await ids(service.client) == made


@pytest.mark.parametrize("limit", [1, 2, 3, 6, 7, 8])
async def test_pages_of_any_size_are_the_whole_list(service: Service, limit: int) -> None:
    made = await some(service, 7, seats=[HUMAN, OPEN])
    for query in ({"limit": limit}, {"limit": limit, "status": "waiting"}):
        target: str | None = str(httpx.URL("/v1/matches", params=query))
        found: list[str] = []
        pages = 0
        while target is not None:
            answer = await service.client.get(target)
            page = answer.json()
            found += [item["id"] for item in page["items"]]
            pages += 1
            link, target = answer.headers.get("Link"), None
            assert (link is None) == (page["next_cursor"] is None)
            if link is not None:
                assert len(page["items"]) == limit
                target, _, relation = link.partition(">; ")
                target = target.removeprefix("<")
                assert relation == 'rel="next"'
                assert dict(httpx.URL(target).params) == {
                    **{name: str(value) for name, value in query.items()},
                    "cursor": page["next_cursor"],
                }
        assert found == made
        assert pages == -(-7 // limit)


async def test_a_page_has_twenty_matches_unless_it_is_asked_for_more(service: Service) -> None:
    made = await some(service, 21)
    page = await lobby(service.client)
    assert [item["id"] for item in page["items"]] == made[:20]
    assert await ids(service.client, cursor=page["next_cursor"]) == made[20:]
    assert await ids(service.client, limit=21) == made == await ids(service.client, limit=100)


async def test_matches_that_come_meanwhile_shift_no_page(service: Service) -> None:
    made = await some(service, 4)
    page = await lobby(service.client, limit=2)
    newer = await some(service, 3)
    assert await ids(service.client, cursor=page["next_cursor"]) == made[2:]
    assert await ids(service.client) == newer + made


async def test_it_says_how_a_match_stands_as_it_goes_on(service: Service) -> None:
    table = await seated(service.client, "block", seats=[HUMAN, OPEN], listed=True)
    every = ("waiting", "playing", "hand_over", "finished", "cancelled")

    async def check(status: str) -> None:
        for each in every:
            assert await ids(service.client, status=each) == ([str(table.id)] if each == status else [])
        [item] = (await lobby(service.client))["items"]
        state = await table.host.get()
        assert item["status"] == status
        for name in ("version", "created_at", "updated_at", "scores", "result", "ruleset"):
            assert item[name] == state[name]
        for seat, shown in zip(item["seats"], state["seats"], strict=True):
            assert seat == {name: shown[name] for name in ("seat", "kind", "name", "level", "team")}
        assert item["hand_number"] == (None if state["hand"] is None else state["hand"]["number"])
        assert item["target"] == state["rules"]["target"]

    await check("waiting")
    answer = await table.spectator.post("join", {"name": "Ben"})
    await check("playing")
    other = {"Authorization": f"Bearer {answer['tokens'][0]['token']}"}
    await table.people[0].post("play", {"tile": "6-6"})
    assert (await service.client.post(f"{table.host.path}/pass", headers=other)).is_success
    await table.people[0].post("play", {"tile": "6-5"})
    await check("hand_over")
    await table.people[0].post("resign")
    await check("finished")


async def test_cancelled_and_expired_matches_stay_in_the_list(service: Service) -> None:
    first = await create(service.client, "draw", seats=[HUMAN, OPEN], listed=True)
    await first.host.post("cancel")
    assert await ids(service.client, status="cancelled") == [str(first.id)]
    second = await create(service.client, "draw", seats=[HUMAN, OPEN], listed=True)
    service.put_ahead(2 * DAY)
    await second.spectator.get()
    assert await ids(service.client, status="waiting") == []
    assert sorted(await ids(service.client, status="cancelled")) == sorted([str(first.id), str(second.id)])


async def test_nothing_that_is_hidden_is_in_it(service: Service) -> None:
    """Whatever is dealt, and whoever asks: a token shows no more of it."""
    seen = []
    for hands in (("6-6 6-5", "5-0 1-0"), ("6-6 6-5", "3-2 2-2")):
        table = await seated(service.client, "draw", hands, listed=True, clock={"seconds_per_hand": 60})
        await played(table, "6-6")
        [item] = (await lobby(service.client, limit=1))["items"]
        assert {"id", "version", "status", "ruleset", "target", "hand_number", "created_at", "updated_at"} | {
            *("seats", "scores", "result", "clock", "hints")
        } == item.keys()
        assert {name for seat in item["seats"] for name in seat} == {"seat", "kind", "name", "level", "team"}
        moment = ("id", "created_at", "updated_at")  # which may read like a tile
        shown = {name: value for name, value in item.items() if name not in moment}
        text = json.dumps(shown)
        assert not any(tile in text for tile in ("6-6", "6-5", "5-0", "1-0", "3-2", "2-2"))
        assert all(token["token"] not in json.dumps(item) for token in table.created["tokens"])
        for caller in table.everyone:
            answer = await service.client.get("/v1/matches", params={"limit": 1}, headers=caller.headers)
            assert answer.json()["items"] == [item]
        seen.append(shown)
    assert seen[0] == seen[1]


async def test_hands_that_have_ended_are_not_read_for_it(service: Service) -> None:
    """A match may have a thousand, and a page a hundred matches."""
    table = await create(service.client, "draw", seats=[CPU, CPU], listed=True, deal=SEEDED)
    [match] = await service.matches.store.listed(status=None, before=None, limit=1)
    assert (match.setup.id, match.past_hands) == (table.id, ())
    assert len((await table.spectator.get())["past_hands"]) == 1


async def test_cpu_matches_end_up_finished_in_it(service: Service) -> None:
    table = await create(service.client, "draw", seats=[CPU, CPU], listed=True, rules={"target": 0}, deal=SEEDED)
    [item] = (await lobby(service.client, status="finished"))["items"]
    assert item["id"] == str(table.id)
    assert item["result"]["reason"] == "score"


@pytest.mark.parametrize(
    ("query", "pointer"),
    [
        ("limit=0", "#/limit"),
        ("limit=101", "#/limit"),
        ("limit=-1", "#/limit"),
        ("limit=1.0", "#/limit"),
        ("limit=1_0", "#/limit"),
        ("limit=", "#/limit"),
        ("limit=zzz", "#/limit"),
        ("status=open", "#/status"),
        ("status=", "#/status"),
        ("status=Waiting", "#/status"),
        ("cursor=", "#/cursor"),
        ("cursor=zzz", "#/cursor"),
        (f"cursor={'A' * 21}", "#/cursor"),
        (f"cursor={'A' * 23}", "#/cursor"),
        (f"cursor={'A' * 21}%3D", "#/cursor"),
        (f"cursor={'A' * 21}%0A", "#/cursor"),
        (f"cursor={'A' * 20}%C3%A9", "#/cursor"),
        ("after=1", "#"),
        ("zzz=1", "#"),
    ],
)
async def test_what_is_wrong_with_the_query_is_pointed_at(client: httpx.AsyncClient, query: str, pointer: str) -> None:
    answer = await client.get(f"/v1/matches?{query}")
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid-request"), answer.text
    assert [error["pointer"] for error in answer.json()["errors"]] == [pointer]
    assert "zzz" not in answer.text


async def test_any_cursor_of_the_right_form_is_a_place_in_the_list(service: Service) -> None:
    made = await some(service, 1)
    assert await ids(service.client, cursor="_" * 22) == made
    assert await ids(service.client, cursor="A" * 22) == []
