"""The page of each problem, and the index of them all."""

import json
import re
from html.parser import HTMLParser
from typing import Any

import httpx
import pytest

from api.problems import Refusal, all_refusals, status_of
from tests.api.provoked import NOBODY
from tests.contract.document import OPERATIONS, resolved

REFUSALS = list(all_refusals())
CODES = sorted({kind.code for kind in REFUSALS})
EMPTY = {"link", "meta"}

PARTICULAR: list[tuple[str, str, dict[str, Any]]] = [
    ("method-not-allowed", "PUT", {}),
    ("invalid-request", "POST", {"ruleset": "block", "name": "Asha"}),
    ("invalid-rules", "POST", {"ruleset": "block", "rules": {"hand_size": 20}}),
    (
        "invalid-deal",
        "POST",
        {"ruleset": "block", "deal": {"kind": "fixed", "hands": [["6-6"], ["5-5"]], "boneyard": []}},
    ),
    ("unknown-ruleset", "POST", {"ruleset": "chess"}),
]
"""Calls to the matches that are refused as their pages show."""


class Page(HTMLParser):
    """What a page holds; every tag that is opened is closed where it should be."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: dict[str, list[str]] = {}
        self.links: list[str] = []
        assert text.startswith('<!doctype html>\n<html lang="en">')
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag != "script"
        assert not any(name.startswith("on") or name == "style" for name, _ in attrs)
        self.links += [value or "" for name, value in attrs if name in {"href", "src"}]
        self.texts.setdefault(tag, []).append("")
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        for tag in set(self.open):
            self.texts[tag][-1] += data


async def page_at(client: httpx.AsyncClient, path: str) -> Page:
    answer = await client.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert "script-src" not in answer.headers["content-security-policy"]
    assert "unsafe" not in answer.headers["content-security-policy"]
    page = Page(answer.text)
    for link in page.links:
        assert not re.match("[a-z]+:|/", link)  # relative, so that it holds below a prefix
        assert (await client.get(str(httpx.URL(path).join(link)))).status_code == 200, link
    return page


@pytest.mark.parametrize("code", CODES)
async def test_a_type_leads_to_a_page_that_explains_it(client: httpx.AsyncClient, code: str) -> None:
    kinds = [kind for kind in REFUSALS if kind.code == code]
    page = await page_at(client, f"/problems/{code}")
    assert page.texts["h1"] == [kinds[0].title]
    assert [int(heading[:3]) for heading in page.texts["h2"]] == [status_of(kind) for kind in kinds]
    assert "../problems" in page.links
    for kind, answer in zip(kinds, page.texts["pre"], strict=True):
        head, _, body = answer.partition("\n\n")
        problem = json.loads(body)
        assert head.startswith(f"HTTP/1.1 {status_of(kind).value} ")
        assert (problem["code"], problem["status"]) == (code, status_of(kind))
        assert problem["detail"]
        assert all(f"\n{name}: " in head for name in getattr(kind, "documented_headers", {}))


@pytest.mark.parametrize("kind", REFUSALS, ids=lambda kind: kind.__name__)
async def test_a_page_names_the_calls_that_declare_the_code(client: httpx.AsyncClient, kind: Refusal) -> None:
    page = await page_at(client, f"/problems/{kind.code}")
    declaring = {
        f"../docs#/{operation['tags'][0]}/{operation['operationId']}"
        for operation in OPERATIONS.values()
        for response in operation["responses"].values()
        if f"- `{kind.code}`: " in resolved(response)["description"]
    }
    assert {link for link in page.links if "#" in link} == declaring


async def answers(client: httpx.AsyncClient, code: str) -> list[Any]:
    """The bodies that a page shows."""
    page = await page_at(client, f"/problems/{code}")
    return [json.loads(answer.partition("\n\n")[2]) for answer in page.texts["pre"]]


@pytest.mark.parametrize(("code", "method", "body"), PARTICULAR)
async def test_an_answer_is_one_that_is_given(
    client: httpx.AsyncClient, code: str, method: str, body: dict[str, Any]
) -> None:
    given = await client.request(method, "/v1/matches", json=body)
    assert given.json() in await answers(client, code)


async def test_a_bad_header_is_refused_as_shown(client: httpx.AsyncClient) -> None:
    given = await client.post(f"/v1/matches/{NOBODY}/pass", headers={"If-Match": "17"})
    assert given.json() in await answers(client, "bad-header")


async def test_the_index_has_every_code_under_each_of_its_statuses(client: httpx.AsyncClient) -> None:
    page = await page_at(client, "/problems")
    statuses = [int(heading[:3]) for heading in page.texts["h2"]]
    assert statuses == sorted({int(status_of(kind)) for kind in REFUSALS})
    for status, listed in zip(statuses, page.texts["ul"], strict=True):
        codes = {line.split()[0] for line in listed.strip().splitlines()}
        assert codes == {kind.code for kind in REFUSALS if status_of(kind) == status}
    assert {f"problems/{code}" for code in CODES} <= set(page.links)


async def test_a_code_that_is_not_there_has_no_page(client: httpx.AsyncClient) -> None:
    refused = await client.get("/problems/nothing")
    assert (refused.status_code, refused.json()["code"]) == (404, "not-found")
