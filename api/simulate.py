"""`capicua simulate`, with parameters of rules as the service would accept them."""

import json
from collections.abc import Sequence
from typing import Any

from pydantic import TypeAdapter, ValidationError

from api.schemas import RulesOverrides
from arena import simulation
from arena.errors import Refused


def run(*, rules: Sequence[str], **options: Any) -> None:
    """Read the rules, and play."""
    simulation.run(rules=read_rules(rules), **options)


def read_rules(texts: Sequence[str]) -> dict[str, Any]:
    """Parameters from `target=50` and the like; a value that is no JSON is a word."""
    given = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise Refused(f"{text!r} gives a parameter no value: write NAME=VALUE, such as target=50.")
        given[name] = _value(value)
    try:
        return dict(TypeAdapter(RulesOverrides).validate_json(json.dumps(given)))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name = str(first["loc"][0])
        if first["type"] == "extra_forbidden":
            raise Refused(f"Rules have no parameter {name!r}: `capicua games` describes those they have.") from None
        raise Refused(f"{name}: {first['msg']}; `capicua games` describes it.") from None


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
