"""JSON in the strict sense: what two readers could take for different things is refused."""

import json
from typing import Any, Final

from pydantic_core import from_json

from api.limits import MOST_NESTING, MOST_VALUES
from api.problems import MalformedJson

_TOO_DEEP: Final = f"Lists and objects may be nested {MOST_NESTING} deep."

_CONTAINERS: Final = frozenset({dict, list})

TOO_MUCH: Final = object()
"""What a body is read as that holds more values than any legal one: nothing else of it is judged."""


def parse(body: bytes) -> Any:
    """What `body` says. `json.loads` would take `NaN`, lone surrogates and UTF-16, and recurse without a limit."""
    try:
        value = from_json(body, allow_inf_nan=False)
    except ValueError as error:  # says what and where, and quotes nothing
        if "recursion limit" in str(error):
            raise MalformedJson(_TOO_DEEP) from None
        raise MalformedJson(f"The body is not JSON that can be read here: {error}.") from None
    values, members = _counted(value)
    if body.count(b":") > members:
        _require_single_names(body)
    return value if values <= MOST_VALUES else TOO_MUCH


def _counted(value: Any) -> tuple[int, int]:
    """How many values all lists and objects hold together, and how many of these are members of objects. Each member
    has a colon, as has one that another of its name replaced.
    """
    values = members = depth = 0
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
        values += len(inner)
        level = inner
    return values, members


def _require_single_names(body: bytes) -> None:
    """Only now, as it takes as long as all else: a colon too many may just as well be a part of some text."""

    def judge(pairs: list[tuple[str, Any]]) -> None:
        if len({name for name, _ in pairs}) < len(pairs):
            raise MalformedJson("An object of the body has two members of one name.")

    json.loads(body.decode(), object_pairs_hook=judge)
