"""The page to read and try the contract: it needs nothing but its own files. What its script makes of answers is in
`test_pages_script.py`.
"""

import re
from pathlib import Path

import httpx
import pytest

from api.routes.pages import ASSETS, OWN

TYPES = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}


async def test_the_documentation_needs_no_other_host(client: httpx.AsyncClient) -> None:
    page = await client.get("/docs")
    assert page.status_code == 200
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    references = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    assert {f"docs/{name}" for name in ASSETS} <= set(references)
    for reference in references:
        assert re.fullmatch(r"[\w/.-]+", reference)  # relative, so that it holds below a prefix
        assert (await client.get(f"/{reference}")).status_code == 200, reference


@pytest.mark.parametrize("path", sorted(OWN.iterdir()), ids=lambda path: path.name)
def test_a_file_of_ours_names_no_other_host(path: Path) -> None:
    names = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?:|//\w+\.", names)


async def test_nothing_in_the_page_itself_is_run(client: httpx.AsyncClient) -> None:
    page = await client.get("/docs")
    assert "unsafe" not in page.headers["content-security-policy"]
    assert "script-src 'self'; style-src 'self'" in page.headers["content-security-policy"]
    assert re.findall(r"<script(?![^>]* src=)|<style|\sstyle=|\son\w+=", page.text) == []


@pytest.mark.parametrize("name", ASSETS)
async def test_an_asset_is_what_it_is_called(client: httpx.AsyncClient, name: str) -> None:
    asset = await client.get(f"/docs/{name}")
    assert asset.status_code == 200
    assert asset.headers["content-type"].split(";")[0] == TYPES[name.rpartition(".")[2]]
    assert asset.headers["cache-control"] in {"no-cache", "public, max-age=86400"}
    known = await client.get(f"/docs/{name}", headers={"If-None-Match": asset.headers["etag"]})
    assert (known.status_code, known.content) == (304, b"")
    assert known.headers["cache-control"] == asset.headers["cache-control"]


@pytest.mark.parametrize("name", ["docs.html", "..%2fmain.py", "redoc.standalone.js", "nothing.js"])
async def test_nothing_else_is_served(client: httpx.AsyncClient, name: str) -> None:
    refused = await client.get(f"/docs/{name}")
    assert (refused.status_code, refused.json()["code"]) == (404, "not-found")
