"""The service and its document refuse the same bodies, queries and headers."""

import json
import re
from functools import cache
from typing import Any, Final
from urllib.parse import urlencode

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.api.provoked import NOBODY
from tests.contract.document import DOCUMENT, OPERATIONS, validator
from tests.contract.near import near, string

COMPONENTS: Final[dict[str, Any]] = DOCUMENT["components"]["schemas"]
BODIES: Final = {
    name: operation["requestBody"]["content"]["application/json"]["schema"]
    for name, operation in OPERATIONS.items()
    if "requestBody" in operation
}
PARAMETERS: Final = {
    f"{name} {parameter['name']}": (name, parameter)
    for name, operation in OPERATIONS.items()
    for parameter in operation.get("parameters", [])
    if parameter["in"] in {"header", "query"}
}
LATIN: Final = st.characters(min_codepoint=0x20, max_codepoint=0xFF)


async def call(client: httpx.AsyncClient, operation: str, **sent: Any) -> Any:
    """The answer at a match that there is not, which is found out only after the form of all that is sent."""
    method, _, path = operation.partition(" ")
    path = path.replace("{match_id}", NOBODY).replace("{seat}", "1").replace("{ruleset_id}", "draw")
    headers = [(b"Authorization", b"Bearer x"), (b"Content-Type", b"application/json"), *sent.pop("headers", [])]
    return await client.request(method, path + sent.pop("query", ""), headers=headers, **sent)


async def agree(client: httpx.AsyncClient, operation: str, content: str, *, fits: bool) -> None:
    answer = await call(client, operation, content=content)
    code = answer.json().get("code")
    if fits:
        assert code in {"unknown-match", "unknown-ruleset"}, (content, answer.text)
    else:
        assert (answer.status_code, code) == (422, "invalid-request"), content


def drawn(strategy: st.SearchStrategy[Any], *, number: int) -> list[Any]:
    """So many values, the same ones in every run. They are not drawn within a test, as what Hypothesis raises there
    would end the event loop that all tests share.
    """
    found: list[Any] = []

    @settings(max_examples=number, database=None, suppress_health_check=list(HealthCheck))
    @given(strategy)
    def collect(value: Any) -> None:
        found.append(value)

    collect()
    return found


@pytest.mark.parametrize("operation", BODIES)
async def test_a_body_is_refused_by_both_or_by_neither(client: httpx.AsyncClient, operation: str) -> None:
    """No rule set has the name that is drawn for a create: it is looked for once the schema is judged."""
    fits = validator(BODIES[operation]).is_valid
    bodies = drawn(near(BODIES[operation], COMPONENTS), number=100)
    for body in bodies:
        await agree(client, operation, json.dumps(body), fits=fits(body))
    assert len({fits(body) for body in bodies}) == 2


@pytest.mark.parametrize("operation", BODIES)
async def test_a_body_that_fits_is_accepted(client: httpx.AsyncClient, operation: str) -> None:
    for body in drawn(near(BODIES[operation], COMPONENTS, odds=0), number=30):
        assert validator(BODIES[operation]).is_valid(body)
        await agree(client, operation, json.dumps(body), fits=True)


NUMBERS = {
    "0": True,
    "-0": True,
    "0.0": True,
    "-0.0": True,
    "0e5": True,
    "1.0": True,
    "1e0": True,
    "1E+0": True,
    "10e-1": True,
    "9.0e1": True,
    "90.00000000000000000000000001": True,  # in 64 bits, which is all that JSON numbers promise
    "91": False,
    "90.5": False,
    "-1": False,
    "1e-400": True,
    "1E400": False,
    "-1E400": False,
    "1e30": False,
    "9" * 4_300: False,
    '"1"': False,
    "true": False,
    "false": False,
    "[1]": False,
}


@pytest.mark.parametrize(("written", "fits"), NUMBERS.items(), ids=[written[:12] for written in NUMBERS])
async def test_a_number_is_what_it_means(client: httpx.AsyncClient, written: str, fits: bool) -> None:
    content = f'{{"position": {written}}}'
    operation = "POST /v1/matches/{match_id}/draw"
    if "400" not in written:  # jsonschema-rs knows no infinity
        assert validator(BODIES[operation]).is_valid(json.loads(content)) == fits
    await agree(client, operation, content, fits=fits)


@pytest.mark.parametrize("written", ["1.", ".5", "01", "+1", "0x1", "1_0", "1e", "--1", "NaN", "Infinity", "\uff11"])
async def test_what_is_no_number_is_no_json(client: httpx.AsyncClient, written: str) -> None:
    answer = await call(client, "POST /v1/matches/{match_id}/draw", content=f'{{"position": {written}}}')
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed-json")
    assert re.search(r" at line 1 column \d+\.$", answer.json()["detail"])


@pytest.mark.parametrize("place", PARAMETERS)
async def test_a_parameter_is_refused_by_both_or_by_neither(client: httpx.AsyncClient, place: str) -> None:
    operation, parameter = PARAMETERS[place]
    name = parameter["name"]
    for text in texts(json.dumps(parameter["schema"])):
        if parameter["in"] == "query":
            answer = await call(client, operation, query="?" + urlencode({name: text}))
            refused = (422, "invalid-request")
        else:
            if text != text.strip(" \t"):
                continue  # such spaces are no part of a header
            answer = await call(client, operation, headers=[(name.encode(), text.encode("latin-1"))])
            refused = (400, "bad-header")
        is_refused = (answer.status_code, answer.json().get("code")) == refused
        assert is_refused != judged_as(parameter["schema"], text), (text, answer.text)


@cache
def texts(schema: str) -> list[str]:
    """Drawn once for all parameters of a schema: those of a pattern take longer than the calls."""
    return drawn(written(json.loads(schema)), number=40)


def written(schema: dict[str, Any]) -> Any:
    """How a value that nearly fits `schema` stands in a header or a query."""
    if schema["type"] == "integer":
        low, high = schema["minimum"], schema["maximum"]
        numbers = st.one_of(st.integers(low - 2, high + 2), st.sampled_from([low - 1, low, high, high + 1]))
        odd = st.sampled_from(["", "x", "1.0", "1e0", "+1", "-0", "1_0", "0x1", "\xb2", "true", "9" * 5_000])
        return st.one_of(numbers.map(str), odd)
    if "enum" in schema:
        return st.one_of(st.sampled_from(schema["enum"]), st.text(LATIN, max_size=9))
    return string(schema, None, 6, LATIN)


def judged_as(schema: dict[str, Any], text: str) -> bool:
    is_number = schema["type"] == "integer"
    if is_number and not (text.isascii() and text.isdecimal() and len(text) < 20):
        return False
    return validator(schema).is_valid(int(text) if is_number else text)


@pytest.mark.parametrize(
    "query", ["after=1&after=1", "after=1&limit=2&after=2", "limit=1&limit=1", "after=1&%61fter=1"]
)
async def test_a_parameter_is_given_once(client: httpx.AsyncClient, query: str) -> None:
    answer = await call(client, "GET /v1/matches/{match_id}/events", query=f"?{query}")
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid-request")
    assert answer.json()["errors"] == [{"pointer": "#", "detail": "Has a parameter that is given more than once."}]


async def test_a_tile_that_is_none_is_told_what_one_is(client: httpx.AsyncClient) -> None:
    answer = await call(client, "POST /v1/matches/{match_id}/play", content='{"tile": "7-13"}')
    assert answer.json()["errors"] == [{"pointer": "#/tile", "detail": 'Should be a tile, such as "6-4".'}]
