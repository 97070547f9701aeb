"""Which call may follow which, as OpenAPI links: a way through the service for programs that read no prose."""

from typing import Any, Final

MATCH: Final = "$response.body#/match/id"
"""Where an answer that holds a match, and what it did, has the match's id."""

_FOLLOW: Final = {
    "get_match": "The match as it is then.",
    "list_events": "What has happened.",
    "stream_events": "What has happened, and then what happens.",
}
_ACT: Final = {
    "play": "Post an entry of `legal_moves` as it is to the call that its `type` names.",
    "draw": "Where `legal_moves` has a draw.",
    "pass_turn": "Where it has a pass.",
    "next_hand": "Where it has the next hand.",
    "step": "Where the turn is a CPU seat's and the pacing is `step`.",
    "resign": "For a seat.",
    "cancel": "For the host.",
    "change_seat": "For the host, where the seat is a CPU seat.",
}
_MOVING: Final = ("play", "draw", "pass_turn", "next_hand", "step")


def links() -> dict[str, Any]:
    """For the document's components: a link to each call on a match, from an answer that holds one."""
    described = _FOLLOW | {"join_match": "While a seat is open."} | _ACT
    return {operation: _link(operation, MATCH, description) for operation, description in described.items()}


def of_operation(operation: str) -> dict[str, Any]:
    """The links from what `operation` answers, by name."""
    match operation:
        case "create_match":
            return _shared(*_FOLLOW, "join_match", *_ACT)
        case "join_match":
            return _shared(*_FOLLOW, *_MOVING)
        case _ if operation in _MOVING:
            return _shared(*_MOVING)
        case "get_match":
            return {
                name: _link(name, "$response.body#/id", text)
                for name, text in (_FOLLOW | _ACT).items()
                if name != operation
            }
        case "list_matches":
            found = {
                "get_match": "Watch the first one.",
                "join_match": "Take a seat in the first one, if it is waiting.",
            }
            return {name: _link(name, "$response.body#/items/0/id", text) for name, text in found.items()}
        case "list_rulesets":
            name = {"ruleset_id": "$response.body#/items/0/id"}
            return {"get_ruleset": {"operationId": "get_ruleset", "parameters": name, "description": "The first one."}}
        case "get_ruleset":
            body = {"ruleset": "$response.body#/id"}
            described = "A match by these rules."
            return {"create_match": {"operationId": "create_match", "requestBody": body, "description": described}}
    return {}


def _shared(*operations: str) -> dict[str, Any]:
    return {operation: {"$ref": f"#/components/links/{operation}"} for operation in operations}


def _link(operation: str, match_id: str, description: str) -> dict[str, Any]:
    link: dict[str, Any] = {
        "operationId": operation,
        "parameters": {"match_id": match_id},
        "description": description,
    }
    whole = match_id.removesuffix("/id")
    match operation:
        case "play":
            link["requestBody"] = f"{whole}/hand/legal_moves/0"
        case "change_seat":
            link["parameters"]["seat"] = f"{whole}/seats/1/seat"
    return link
