"""Hooks for Schemathesis: a call that fits the schema is made at a table where it can be answered, with a token."""

from typing import Any, Final

import httpx
import schemathesis
from schemathesis import AuthContext, Case, GenerationMode, HookContext
from schemathesis.core.parameters import ParameterLocation

HUMAN: Final = {"kind": "human"}
CPU: Final = {"kind": "cpu"}
STUCK: Final = {"kind": "fixed", "hands": [["1-1", "1-0"], ["6-6", "6-5"]], "boneyard": ["2-0", "6-4"]}
"""Seat 1 opens with 6-6, and seat 0 cannot follow."""

RULESETS: Final = ("partner-penalty", "all-fives", "draw", "block")
SMALL: Final = {"hand_size": 2}
TABLES: Final[dict[str, dict[str, Any]]] = {
    "draw": {"ruleset": "draw", "rules": SMALL, "deal": STUCK},
    "join_match": {"ruleset": "draw", "seats": [HUMAN, {"kind": "open"}]},
    "pass_turn": {"ruleset": "block", "rules": SMALL, "deal": STUCK},
    "next_hand": {"ruleset": "block", "rules": SMALL, "seats": [CPU, CPU]},
    "step": {"ruleset": "block", "seats": [CPU, CPU], "pacing": "step"},
}
"""What is created for an operation; for all others, a table at which seat 0 may play."""


@schemathesis.hook
def map_case(context: HookContext, case: Case[Any]) -> Case[Any]:
    """A match is created by a rule set that there is; a schema cannot say which there are. Nobody waits for long."""
    if "Prefer" in case.headers:
        case.headers["Prefer"] = "wait=1"
    if _lacks(case, "Authorization"):
        case.headers.pop("If-Match", None)  # a header without its form would be refused first
    if (
        case.operation.label == "POST /v1/matches"
        and _fits(case, ParameterLocation.BODY)
        and isinstance(case.body, dict)
    ):
        case.body = {**case.body, "ruleset": RULESETS[len(str(case.body)) % len(RULESETS)]}
    return case


@schemathesis.auth(refresh_interval=None).apply_to(path_regex="/v1/matches/{match_id}")
class Seat:
    """Takes a seat at a new table for each call."""

    def __init__(self) -> None:
        self.client = httpx.Client()

    def get(self, _: Case[Any], context: AuthContext) -> dict[str, Any]:
        body = TABLES.get(context.operation.definition.raw["operationId"], {"ruleset": "all-fives"})
        created: dict[str, Any] = self.client.post(f"{context.operation.base_url}v1/matches", json=body).json()
        return created

    def set(self, case: Case[Any], data: dict[str, Any], _: AuthContext) -> None:
        tokens = [seat["token"] for seat in data["tokens"]]
        case.headers["Authorization"] = f"Bearer {[*tokens, data['host_token']][0]}"
        if _fits(case, ParameterLocation.PATH):
            case.path_parameters["match_id"] = data["match"]["id"]
        moves = (data["match"]["hand"] or {"legal_moves": []})["legal_moves"]
        if moves and _fits(case, ParameterLocation.BODY) and moves[0]["type"] == case.operation.path.rpartition("/")[2]:
            case.body = moves[0]


def _lacks(case: Case[Any], header: str) -> bool:
    """Whether the case is one to see what becomes of a call without this header."""
    return case.meta is not None and getattr(case.meta.phase.data, "parameter", None) == header


def _fits(case: Case[Any], location: ParameterLocation) -> bool:
    """Whether this part of the call is meant to fit the schema."""
    component = case.meta.components.get(location) if case.meta is not None else None
    return component is None or component.mode is GenerationMode.POSITIVE
