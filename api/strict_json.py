"""JSON in the strict sense: what two readers could take for different things is refused."""

import json
from typing import Any, Final

from pydantic_core import from_json

from api.limits import MOST_NESTING
from api.problems import MalformedJson

_TOO_DEEP: Final = f"Lists and objects may be nested {MOST_NESTING} deep."

_CONTAINERS: Final = frozenset({dict, list})


def parse(body: bytes) -> Any:
    """What `body` says. `json.loads` would take `NaN`, lone surrogates and UTF-16, and recurse without a limit."""
    try:
        value = from_json(body, allow_inf_nan=False)
    except ValueError as error:  # says what and where, and quotes nothing
        if "recursion limit" in str(error):
            raise MalformedJson(_TOO_DEEP) from None
        raise MalformedJson(f"The body is not JSON that can be read here: {error}.") from None
    if body.count(b":") > _members(value):
        _require_single_names(body)
    return value


def _members(value: Any) -> int:
    """How many members all objects have together. Each has a colon, as has one that another of its name replaced."""
    members = depth = 0
    level = [value]
    while level := [each for each in level if type(each) in _CONTAINERS]:
        depth += 1
        if depth > MOST_NESTING:
            raise MalformedJson(_TOO_DEEP)
        inner: list[Any] = []
        for each in level:
            if type(each) is dict:
                members += len(each)
                inner.extend(each.values())
            else:
                inner.extend(each)
        level = inner
    return members


def _require_single_names(body: bytes) -> None:
    """Only now, as it takes as long as all else: a colon too many may just as well be a part of some text."""

    def judge(pairs: list[tuple[str, Any]]) -> None:
        if len({name for name, _ in pairs}) < len(pairs):
            raise MalformedJson("An object of the body has two members of one name.")

    json.loads(body.decode(), object_pairs_hook=judge)
