"""The games that can be played, as data."""

from typing import Annotated, Any, Final

from fastapi import APIRouter, Path
from pydantic import TypeAdapter

from api import declared
from api.openapi import operation_id
from api.problems import UnknownRuleset
from api.schemas import RULES_SCHEMA, Parameter, RulesetList, RulesetView
from engine.rules import Rules
from engine.rulesets import RULESETS, Ruleset

router = APIRouter(prefix="/v1/rulesets", tags=["rulesets"], generate_unique_id_function=operation_id)

_RULES: Final = TypeAdapter(Rules)


@router.get("", response_description="All rule sets.", openapi_extra={"security": []})
async def list_rulesets() -> RulesetList:
    """List the rule sets.

    Every game that can be played, with each parameter's title, value and schema. Any of them may be changed in `rules`
    when a match is created.
    """
    return _ALL


@router.get(
    "/{ruleset_id}",
    response_description="The rule set.",
    responses=declared.refusals(UnknownRuleset),
    openapi_extra={"security": []},
)
async def get_ruleset(
    ruleset_id: Annotated[str, Path(description="One of those that are listed.", max_length=100)],
) -> RulesetView:
    """Get a rule set.

    One game, with each parameter's title, value and schema.
    """
    if (found := _BY_ID.get(ruleset_id)) is None:
        raise UnknownRuleset
    return found


def _view(ruleset: Ruleset) -> RulesetView:
    values: dict[str, Any] = _RULES.dump_python(ruleset.rules, mode="json")
    parameters = [
        Parameter(name, schema["title"], values[name], {key: schema[key] for key in schema if key != "default"})
        for name, schema in RULES_SCHEMA["properties"].items()
    ]
    return RulesetView(ruleset.id, ruleset.title, ruleset.summary, ruleset.seat_counts, tuple(parameters))


_BY_ID: Final = {ruleset.id: _view(ruleset) for ruleset in RULESETS.values()}
_ALL: Final = RulesetList(tuple(_BY_ID.values()))
