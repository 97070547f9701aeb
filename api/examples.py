"""The examples of the OpenAPI document.

What is asked and answered has been: `examples.json` holds calls that were made, in the order in which they were, and
the tests make them again and compare. Only ids, times and tokens, which are never twice the same, stand for others.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

FILE: Final = Path(__file__).with_name("examples.json")

MATCH_ID: Final = "019b8f50-dd00-7c1e-8f4a-5b0d6e2c7a31"
CURSOR: Final = "AZuPUN0AfB6PSlsNbix6MQ"
"""Of that match."""

PARAMETERS: Final[dict[str, Any]] = {
    "after": 17,
    "cursor": CURSOR,
    "hand": 1,
    "limit": 20,
    "match_id": MATCH_ID,
    "reach": 24,
    "ruleset_id": "partner-penalty",
    "seat": 1,
    "status": "waiting",
}
"""One value for each parameter of a path or a query, by its name; headers have theirs in `conditions.py`."""


def calls() -> dict[str, list[dict[str, Any]]]:
    """For each operation, calls that were made: `name`, `summary`, `status`, and the bodies `request` and `answer`."""
    recorded: dict[str, list[dict[str, Any]]] = json.loads(FILE.read_text(encoding="utf-8"))
    return recorded


def add(operation: dict[str, Any], recorded: list[dict[str, Any]]) -> None:
    """Put the recorded calls of an operation, and the values of its parameters, into its part of the document."""
    for parameter in operation.get("parameters", []):
        if "example" not in parameter:
            parameter["example"] = PARAMETERS[parameter["name"]]
    if "requestBody" in operation:
        _put(operation["requestBody"], "request", recorded)
    for status, response in operation["responses"].items():
        if int(status) < 300:
            _put(response, "answer", [call for call in recorded if call["status"] == int(status)])


def _put(described: dict[str, Any], side: str, recorded: list[dict[str, Any]]) -> None:
    examples = dict(_examples(side, recorded))
    for content in described.get("content", {}).values():
        content["examples"] = examples


def _examples(side: str, recorded: list[dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    for call in recorded:
        if side in call:
            yield call["name"], {"summary": call["summary"], "value": call[side]}
