"""Hooks for Schemathesis: a call that fits the schema is made at a table where it can be answered, with a token."""

from dataclasses import dataclass, field
from typing import Any, Final

import httpx
import schemathesis
from schemathesis import AuthContext, Case, GenerationMode, HookContext, Response
from schemathesis.core.parameters import ParameterLocation

from tests.kinds import SOURCE_GAMES

HUMAN: Final = {"kind": "human"}
CPU: Final = {"kind": "cpu"}
STUCK: Final = {"kind": "fixed", "hands": [["1-1", "1-0"], ["6-6", "6-5"]], "boneyard": ["2-0", "6-4"]}
"""Seat 1 opens with 6-6, and seat 0 cannot follow."""

SMALL: Final = {"hand_size": 2}
TABLES: Final[dict[str, dict[str, Any]]] = {
    "draw": {"ruleset": "draw", "rules": SMALL, "deal": STUCK},
    "join_match": {"ruleset": "draw", "seats": [HUMAN, {"kind": "open"}]},
    "pass_turn": {"ruleset": "block", "rules": SMALL, "deal": STUCK},
    "next_hand": {"ruleset": "block", "rules": SMALL, "seats": [CPU, CPU]},
    "step": {"ruleset": "block", "seats": [CPU, CPU], "pacing": "step"},
}
"""What is created for an operation; for all others, a table at which seat 0 may play."""

TAGS: Final = {"If-Match", "If-None-Match"}
FOR_HOST: Final = {"cancel", "change_seat"}


@schemathesis.hook
def map_case(context: HookContext, case: Case[Any]) -> Case[Any]:
    """A match is created by a rule set that there is; a schema cannot say which there are."""
    for name in TAGS & case.headers.keys():
        if case.meta is not None and case.meta.generation.mode is GenerationMode.POSITIVE and case.headers[name] == "0":
            case.headers[name] = "*"  # the number is the generator's fault: the pattern allows none
    if _lacks(case, "Authorization"):
        case.headers.pop("If-Match", None)  # a header without its form would be refused first
    if (
        case.operation.label == "POST /v1/matches"
        and _fits(case, ParameterLocation.BODY)
        and isinstance(case.body, dict)
    ):
        case.body = {**case.body, "ruleset": SOURCE_GAMES[len(str(case.body)) % len(SOURCE_GAMES)]}
    return case


@schemathesis.hook
def before_call(context: HookContext, case: Case[Any], _: dict[str, Any]) -> None:
    """Nobody waits for long."""
    if "Prefer" in case.headers:
        case.headers["Prefer"] = "wait=1"


@schemathesis.hook
def after_call(context: HookContext, case: Case[Any], response: Response) -> None:
    """Remember whose turn it is, and the tokens of a match that was created or joined."""
    if response.status_code not in {200, 201} or not response.headers["content-type"][0].startswith("application/json"):
        return
    told = response.json()
    if isinstance(told, dict) and "match" in told:
        table = SEATED.setdefault(told["match"]["id"], Seated())
        table.notice(told)


@dataclass
class Seated:
    """What is known of a match that calls follow each other in."""

    tokens: dict[int, str] = field(default_factory=dict)
    host_token: str = ""
    turn: int | None = None

    def notice(self, told: dict[str, Any]) -> None:
        self.tokens |= {seat["seat"]: seat["token"] for seat in told.get("tokens", [])}
        self.host_token = told.get("host_token", self.host_token)
        self.turn = (told["match"]["hand"] or {"turn": None})["turn"]

    def token(self, operation: str) -> str:
        """The one that is good for the call, where there is one."""
        of_seats = [self.tokens[seat] for seat in sorted(self.tokens, key=lambda seat: seat != self.turn)]
        host_first = operation in FOR_HOST and len(self.tokens) != 1
        return ([self.host_token] if host_first else [*of_seats, self.host_token])[0]


SEATED: Final[dict[str, Seated]] = {}
"""By the match's id."""


@schemathesis.auth(refresh_interval=None).apply_to(path_regex="/v1/matches/{match_id}")
class Seat:
    """Calls with a token of the match that is called; where that is none in particular, a new one, which suits."""

    def __init__(self) -> None:
        self.client = httpx.Client()

    def get(self, _: Case[Any], context: AuthContext) -> str:
        return (context.operation.base_url or "").rstrip("/")

    def set(self, case: Case[Any], data: str, context: AuthContext) -> None:
        operation = context.operation.definition.raw["operationId"]
        seated = SEATED.get(case.path_parameters.get("match_id", ""))
        if seated is None:
            seated = self._sit_down(case, f"{data}/v1/matches", operation)
        case.headers["Authorization"] = f"Bearer {seated.token(operation)}"

    def _sit_down(self, case: Case[Any], url: str, operation: str) -> Seated:
        created = self.client.post(url, json=TABLES.get(operation, {"ruleset": "all-fives"})).json()
        seated = Seated()
        seated.notice(created)
        if _fits(case, ParameterLocation.PATH):
            case.path_parameters["match_id"] = created["match"]["id"]
        moves = (created["match"]["hand"] or {"legal_moves": []})["legal_moves"]
        if moves and _fits(case, ParameterLocation.BODY) and moves[0]["type"] == case.operation.path.rpartition("/")[2]:
            case.body = moves[0]
        return seated


def _lacks(case: Case[Any], header: str) -> bool:
    """Whether the case is one to see what becomes of a call without this header."""
    return case.meta is not None and getattr(case.meta.phase.data, "parameter", None) == header


def _fits(case: Case[Any], location: ParameterLocation) -> bool:
    """Whether this part of the call is meant to fit the schema."""
    component = case.meta.components.get(location) if case.meta is not None else None
    return component is None or component.mode is GenerationMode.POSITIVE
