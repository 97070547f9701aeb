"""Every example in the published document is one that the schema allows, and that was asked and answered so."""

import json
import os
from collections.abc import Iterator
from typing import Any, Final

import httpx
import pytest

from api.examples import FILE
from api.problems import MEDIA_TYPE
from tests.api.provoked import SITUATIONS
from tests.api.services import Service
from tests.contract.document import OPERATIONS, resolved, validator
from tests.contract.recorded import record

VARYING: Final = {"bad-header", "invalid-request", "invalid-rules", "invalid-deal", "malformed-json"}
"""Problems that say what exactly is wrong, which is another thing each time."""


async def test_the_examples_are_what_was_asked_and_answered(service: Service) -> None:
    """`CAPICUA_REWRITE_GOLDEN=1 make test ARGS=tests/contract/test_examples.py openapi` writes them anew."""
    recorded = await record(service.client)
    if "CAPICUA_REWRITE_GOLDEN" in os.environ:
        FILE.write_text(json.dumps(recorded, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    assert recorded == json.loads(FILE.read_text(encoding="utf-8"))


def exchanges(operation: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Where an operation describes bodies and what stands for them, and the description."""
    for parameter in operation.get("parameters", []):
        yield f"parameter {parameter['name']}", {**parameter, "examples": {"": {"value": parameter["example"]}}}
    if "requestBody" in operation:
        for media_type, content in operation["requestBody"]["content"].items():
            yield media_type, content
    for status, response in operation["responses"].items():
        for media_type, content in resolved(response).get("content", {}).items():
            yield f"{status} {media_type}", content
        for name, header in resolved(response).get("headers", {}).items():
            yield f"{status} header {name}", {**header, "examples": {"": {"value": header["example"]}}}


@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=OPERATIONS)
def test_everything_has_examples_that_fit_the_schema(operation: dict[str, Any]) -> None:
    for place, described in exchanges(operation):
        judge = validator(described["schema"])
        assert described["examples"], place
        for name, example in described["examples"].items():
            errors = judge.iter_errors(example["value"])
            assert [f"{place} {name} {error.instance_path}: {error}" for error in errors] == []


def problems() -> dict[tuple[str, int], Any]:
    """The example of each problem in the document, by code and status."""
    found: dict[tuple[str, int], Any] = {}
    for operation in OPERATIONS.values():
        for response in map(resolved, operation["responses"].values()):
            for code, example in response.get("content", {}).get(MEDIA_TYPE, {}).get("examples", {}).items():
                known = found.setdefault((code, example["value"]["status"]), example["value"])
                assert known == example["value"]
    return found


@pytest.mark.parametrize(
    "refusal", sorted(SITUATIONS.keys() & problems()), ids=lambda refusal: "-".join(map(str, refusal))
)
async def test_a_problem_is_answered_as_in_its_example(client: httpx.AsyncClient, refusal: tuple[str, int]) -> None:
    _, call = await SITUATIONS[refusal](client)
    told, shown = (await call).json(), problems()[refusal]
    assert told.keys() == shown.keys()
    varying = {"detail", "errors"} if refusal[0] in VARYING else set()
    assert {name for name in told if told[name] != shown[name]} <= varying
