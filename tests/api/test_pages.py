import re

import httpx


async def test_the_documentation_needs_no_other_host(client: httpx.AsyncClient) -> None:
    page = await client.get("/docs")
    assert page.status_code == 200
    assert not re.search(r"""(?:src|href|url)\s*[=:]\s*["'](?:https?:)?//""", page.text)
    for address in re.findall(r'(?:src|href)="(docs/[^"]+)"', page.text):
        assert (await client.get(f"/{address}")).status_code == 200


async def test_the_root_leads_there(client: httpx.AsyncClient) -> None:
    answer = await client.get("/")
    assert (answer.status_code, answer.headers["location"]) == (307, "docs")
