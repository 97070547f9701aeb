"""The games that can be played, as data."""

from typing import Annotated, Any, Final

from fastapi import APIRouter, Path, Request, Response
from pydantic import TypeAdapter

from api import declared
from api.fixed import Fixed
from api.openapi import operation_id
from api.problems import UnknownRuleset
from api.schemas import RULES_SCHEMA, Parameter, RulesetList, RulesetTable, RulesetView
from engine.catalogue import RULESETS
from engine.rules import Rules
from engine.rulesets import Ruleset
from engine.wording import wording

router = APIRouter(prefix="/v1/rulesets", tags=["rulesets"], generate_unique_id_function=operation_id)

_RULES: Final = TypeAdapter(Rules)
_VIEW: Final = TypeAdapter(RulesetView)
_CACHED: Final = "public, max-age=300"
"""The catalogue changes only when the service does."""


@router.get("", response_model=RulesetList, response_description="All rule sets.", openapi_extra={"security": []})
async def list_rulesets(request: Request) -> Response:
    """List the rule sets.

    Every game that can be played, with each parameter's title, value and schema. Any of them may be changed in `rules`
    when a match is created.
    """
    return _ALL.answer(request)


@router.get(
    "/{ruleset_id}",
    response_model=RulesetView,
    response_description="The rule set.",
    responses=declared.refusals(UnknownRuleset),
    openapi_extra={"security": []},
)
async def get_ruleset(
    ruleset_id: Annotated[str, Path(description="One of those that are listed.", max_length=100)], request: Request
) -> Response:
    """Get a rule set.

    One game, with each parameter's title, value and schema.
    """
    if (found := _BY_ID.get(ruleset_id)) is None:
        raise UnknownRuleset
    return found.answer(request)


def _view(ruleset: Ruleset) -> RulesetView:
    values: dict[str, Any] = _RULES.dump_python(ruleset.rules, mode="json")
    parameters = [
        Parameter(name, schema["title"], values[name], {key: schema[key] for key in schema if key != "default"})
        for name, schema in RULES_SCHEMA["properties"].items()
    ]
    return RulesetView(
        id=ruleset.id,
        title=ruleset.title,
        summary=ruleset.summary,
        sources=ruleset.sources,
        seat_counts=ruleset.seat_counts,
        parameters=tuple(parameters),
        tables=tuple([RulesetTable(seats, rules, wording(rules, seats)) for seats, rules in ruleset.tables.items()]),
    )


def _fixed(adapter: TypeAdapter[Any], body: object) -> Fixed:
    return Fixed.of(adapter.dump_json(body), "application/json", {"Cache-Control": _CACHED})


_VIEWS: Final = {ruleset.id: _view(ruleset) for ruleset in RULESETS.values()}
_BY_ID: Final = {name: _fixed(_VIEW, view) for name, view in _VIEWS.items()}
_ALL: Final = _fixed(TypeAdapter(RulesetList), RulesetList(tuple(_VIEWS.values())))
