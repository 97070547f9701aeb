"""Which call may follow which, as OpenAPI links: a way through the service for programs that read no prose."""

from typing import Any, Final

# Calls on a match, and what to know of them.
_FOLLOW: Final = {
    "get_match": "The match as it is then.",
    "get_board": "What lies on the table, as a picture.",
    "list_events": "What has happened.",
    "stream_events": "What has happened, and then what happens.",
    "get_review": "What the choices in the first hand cost, once the match is finished.",
}
_JOIN: Final = {"join_match": "Take a seat, while one is open."}
_MOVE: Final = {
    "play": "Post an entry of `legal_moves` as it is, if its `type` is `play`.",
    "draw": "Post an entry of `legal_moves` as it is, if its `type` is `draw`.",
    "pass_turn": "Post an entry of `legal_moves` as it is, if its `type` is `pass`.",
    "next_hand": "Post an entry of `legal_moves` as it is, if its `type` is `next-hand`.",
    "step": "Where the turn is a CPU seat's and the pacing is `step`.",
}
_HINT: Final = {"get_hint": "What each of these moves is worth, in a match with `hints`."}
_ELSE: Final = {
    "resign": "For a seat.",
    "cancel": "For the host.",
    "change_seat": "For the host, where the seat is a CPU seat.",
}

_SHARED: Final = {
    "create_match": _FOLLOW | _JOIN | _MOVE | _HINT | _ELSE,
    "join_match": _FOLLOW | _MOVE | _HINT,
    **dict.fromkeys(_MOVE, _MOVE | _HINT),
}
"""What to do after each operation that answers a match and what it did: all of them have the match in one place."""


def links() -> dict[str, Any]:
    """For the document's components: a link to each call on a match, from an answer that holds one."""
    return _to("$response.body#/match", _FOLLOW | _JOIN | _MOVE | _HINT | _ELSE)


def of_operation(operation: str) -> dict[str, Any]:
    """The links from what `operation` answers, by name."""
    if operation in _OWN:
        return _OWN[operation]
    return {name: {"$ref": f"#/components/links/{name}"} for name in _SHARED.get(operation, {})}


def _to(match: str, described: dict[str, str]) -> dict[str, Any]:
    """Links to calls on the match that an answer has at `match`, a runtime expression."""
    found: dict[str, Any] = {
        operation: {"operationId": operation, "parameters": {"match_id": f"{match}/id"}, "description": text}
        for operation, text in described.items()
    }
    if "play" in found:
        found["play"]["requestBody"] = f"{match}/hand/legal_moves/0"
    if "change_seat" in found:
        found["change_seat"]["parameters"]["seat"] = f"{match}/seats/1/seat"
    return found


_OWN: Final[dict[str, dict[str, Any]]] = {
    "get_match": _to("$response.body#", _FOLLOW | _MOVE | _HINT | _ELSE),
    "list_matches": _to(
        "$response.body#/items/0",
        {"get_match": "Watch the first one.", "join_match": "Take a seat in the first one, if it is waiting."},
    ),
    "list_rulesets": {
        "get_ruleset": {
            "operationId": "get_ruleset",
            "parameters": {"ruleset_id": "$response.body#/items/0/id"},
            "description": "The first one.",
        }
    },
    "get_ruleset": {
        "create_match": {
            "operationId": "create_match",
            "requestBody": {"ruleset": "$response.body#/id"},
            "description": "A match by these rules.",
        }
    },
}
"""The links of operations whose answers have matches and rule sets in places of their own."""
