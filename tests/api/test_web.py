"""The page for people: its files are served as they are, and nothing beside them is. What it does in a browser is in
`tests/browser`.
"""

import re
from pathlib import Path

import httpx
import pytest

from api.routes.web import POLICY, TYPES, files, folder

FILES = list(files())
NAMES = [path.name for path in FILES]


def by_name(path: Path) -> str:
    return path.name


async def test_the_root_is_the_page(client: httpx.AsyncClient) -> None:
    page = await client.get("/")
    assert page.status_code == 200
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.text == (folder() / "index.html").read_text(encoding="utf-8")
    assert (await client.get("/index.html")).content == page.content


@pytest.mark.parametrize("name", NAMES)
async def test_a_file_is_what_it_is_called(client: httpx.AsyncClient, name: str) -> None:
    answer = await client.get(f"/{name}")
    assert answer.status_code == 200
    assert answer.headers["content-type"].split(";")[0] == TYPES[Path(name).suffix]
    assert answer.headers["cache-control"] == "no-cache"
    assert answer.headers["content-security-policy"] == POLICY
    assert answer.content == (folder() / name).read_bytes()


async def test_who_has_a_file_is_told_so(client: httpx.AsyncClient) -> None:
    first = await client.get("/")
    for known in (first.headers["etag"], f'"other", {first.headers["etag"]}', "*"):
        again = await client.get("/", headers={"If-None-Match": known})
        assert (again.status_code, again.content) == (304, b"")
        for name in ("cache-control", "etag", "vary", "content-security-policy"):
            assert again.headers[name] == first.headers[name]
    assert (await client.get("/", headers={"If-None-Match": '"other"'})).status_code == 200


async def test_a_file_is_packed_for_whom_can_read_that(client: httpx.AsyncClient) -> None:
    packed = await client.get("/service.js", headers={"Accept-Encoding": "gzip"})
    plain = await client.get("/service.js", headers={"Accept-Encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert packed.content == plain.content  # as the client unpacked it
    assert packed.num_bytes_downloaded < plain.num_bytes_downloaded / 2
    for answer in (packed, plain):
        assert "Accept-Encoding" in answer.headers["vary"]
        assert answer.headers["etag"] == plain.headers["etag"]


@pytest.mark.parametrize(
    "name", ["package.json", "tsconfig.json", ".npmrc", "types.d.ts", "README.md", "node_modules", "..%2fapi%2fmain.py"]
)
async def test_nothing_else_is_served(client: httpx.AsyncClient, name: str) -> None:
    refused = await client.get(f"/{name}")
    assert (refused.status_code, refused.json()["code"]) == (404, "not-found")


async def test_a_file_takes_no_post(client: httpx.AsyncClient) -> None:
    refused = await client.post("/")
    assert (refused.status_code, refused.headers["allow"]) == (405, "GET, HEAD, OPTIONS")


def test_no_file_has_the_name_of_a_call() -> None:
    assert {"docs", "health", "openapi.json", "problems", "v1"}.isdisjoint(NAMES)


@pytest.mark.parametrize("path", FILES, ids=by_name)
def test_a_file_names_no_other_host(path: Path) -> None:
    text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
    code = re.sub(r"`https://dominoes\.example/`", "", text)  # the example of a comment
    assert not re.search(r"https?:|[\"'(]//\w", code)


@pytest.mark.parametrize("path", FILES, ids=by_name)
def test_what_a_file_refers_to_is_beside_it(path: Path) -> None:
    """Relative, so that the folder may lie anywhere, and below any prefix."""
    text = path.read_text(encoding="utf-8")
    found = {
        ".html": r'(?:src|href)="([^"#]+)"',
        ".js": r'(?:^import|^export|^\}|\bimport\()[^"`\n]*"([^"\n]+\.js)"',
        ".css": r"url\(\"?([^)\"]+)\"?\)",
        ".svg": r'href="([^"#]+)"',
    }[path.suffix]
    for reference in re.findall(found, text, re.MULTILINE):
        if reference == "docs":
            continue  # another page of the service
        assert re.fullmatch(r"(\./)?[\w.-]+", reference), reference
        assert reference.removeprefix("./") in NAMES, reference


def test_all_modules_are_fetched_at_once() -> None:
    """And not one after another, as the imports in them come to be known."""
    text = (folder() / "index.html").read_text(encoding="utf-8")
    begun = [*re.findall(r'rel="modulepreload" href="(.+?)"', text), *re.findall(r'<script .*src="(.+?)"', text)]
    assert sorted(begun) == [name for name in NAMES if name.endswith(".js")]


@pytest.mark.parametrize("path", [path for path in FILES if path.suffix == ".js"], ids=by_name)
def test_no_text_becomes_markup(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"\b(innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval|new Function)\b", text)


def test_nothing_in_the_page_itself_is_run() -> None:
    text = (folder() / "index.html").read_text(encoding="utf-8")
    assert "unsafe" not in POLICY
    assert re.findall(r"<script(?![^>]* src=)|<style|\sstyle=|\son\w+=", text) == []


async def test_the_page_is_light(client: httpx.AsyncClient) -> None:
    """All that a first visit is sent, the games included, as browsers are sent it."""
    paths = [*[f"/{path.name}" for path in FILES], "/v1/rulesets"]
    answers = [await client.get(path, headers={"Accept-Encoding": "gzip"}) for path in paths]
    assert sum(int(answer.headers["content-length"]) for answer in answers) < 120_000
