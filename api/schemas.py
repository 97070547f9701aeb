"""Bodies of requests and answers that the engine has no type for."""

from dataclasses import fields
from typing import Annotated, Any, Final, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, with_config
from typing_extensions import TypedDict

from engine.bounds import MOST_SEATS, Described, Flag, Length, SeatIndex, Seq, Text
from engine.clock import TimeControl
from engine.deal import DealKind, SecretDeal
from engine.events import Event
from engine.match import Pacing
from engine.players import Level, Name, Player
from engine.rules import Rules
from engine.rulesets import RulesetId
from engine.values import value
from engine.view import MatchSummary, MatchView

Token = Annotated[str, Text(40, 80, r"^[a-z0-9]+\.[A-Za-z0-9_-]{43}$")]
Cursor = Annotated[str, Text(22, 22, "^[A-Za-z0-9_-]+$")]
MOST_LISTED: Final = 100
Events = Annotated[tuple[Event, ...], Length(0, 1_000)]

RULES_SCHEMA: Final[dict[str, Any]] = TypeAdapter(Rules).json_schema()
"""The JSON Schema of all parameters; its properties are described by the parameters' docstrings."""


def _overridable() -> dict[str, Any]:
    hints = get_type_hints(Rules, include_extras=True)
    described = RULES_SCHEMA["properties"]
    return {
        field.name: Annotated[hints[field.name], Field(description=described[field.name]["description"])]
        for field in fields(Rules)
    }


RulesOverrides = TypedDict("RulesOverrides", _overridable(), total=False)  # type: ignore[misc]  # the same names as Rules
RulesOverrides.__doc__ = "Parameters of a rule set, each with the value that it is to have in one match."
with_config(ConfigDict(extra="forbid"))(RulesOverrides)


class CreateMatch(BaseModel):
    """What match to create. Only `ruleset` is required."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)

    ruleset: RulesetId
    """One of those that `GET /v1/rulesets` lists."""

    rules: RulesOverrides = Field(default_factory=RulesOverrides)
    """Parameters that differ from the rule set's."""

    seats: Annotated[tuple[Player, ...], Length(2, MOST_SEATS)] = Field(default_factory=tuple)
    """Who sits where, in turn order; seat 0 human and the rest `medium` CPU seats if left out."""

    pacing: Pacing = "auto"
    """`auto`: CPU seats move within the request that gives them the turn; `step`: each move of theirs waits for a post
    to step."""

    auto_pass: Flag = False
    """Whether the service passes for a human seat that can neither play nor draw."""

    deal: DealKind = Field(default_factory=SecretDeal)
    """Where the deals come from; `secret` if left out."""

    listed: Flag = False
    """Whether everybody can find the match in the list of matches, with the names in it."""

    hints: Flag = False
    """Whether every seat that has the turn may get a hint: what each of its moves is worth."""

    clock: TimeControl | None = None
    """Limits the time of every person; nobody's is limited if left out."""


class JoinMatch(BaseModel):
    """Which seat to take, and by what name; all of it may be left out."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)

    seat: SeatIndex | None = None
    """An open seat; the first one if left out."""

    name: Name | None = None
    """Shown to everyone at the table."""


class ChangeLevel(BaseModel):
    """A level for a CPU seat."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)

    level: Level
    """`easy`, `medium`, `hard` or `expert`; that it is this already is no error."""


class Nothing(BaseModel):
    """A call without parameters takes no body, or an empty object."""

    model_config = ConfigDict(extra="forbid")


@value
class SeatToken(Described):
    """The token that moves a seat."""

    seat: SeatIndex
    """The seat that it acts for."""
    token: Token
    """Send it as `Authorization: Bearer TOKEN`."""


@value
class Moved(Described):
    """The match after a call, and the events that the call caused, as this caller may see both."""

    match: MatchView
    """As this caller sees it now."""
    events: Events
    """In the order in which they happened."""


@value
class Created(Moved):
    """A new match, seen as its only human seat or else as the host, and the tokens that act in it. Keep them secret."""

    tokens: Annotated[tuple[SeatToken, ...], Length(0, MOST_SEATS)]
    """One for each seat of the kind `human`, in turn order."""
    host_token: Token
    """Sees what a spectator sees; may deal the next hand, step, change CPU levels and cancel the match."""


@value
class Joined(Moved):
    """The match as the seat just taken sees it, and the token that acts for the seat. Keep it secret."""

    tokens: Annotated[tuple[SeatToken, ...], Length(1, 1)]
    """One, for the seat that was taken."""


@value
class MatchPage(Described):
    """A part of the list of matches, newest first."""

    items: Annotated[tuple[MatchSummary, ...], Length(0, MOST_LISTED)]
    """Newest first."""
    next_cursor: Cursor | None
    """For the next page; null on the last one."""


@value
class EventPage(Described):
    """A part of a match's log, oldest first."""

    items: Events
    """Oldest first."""
    last_seq: Seq
    """The number of the log's last event, which may lie beyond this page."""


@value
class Parameter(Described):
    """One parameter of a rule set."""

    name: Annotated[str, Text(1, 40, "^[a-z_]+$")]
    """As `rules` has it."""
    title: Annotated[str, Text(1, 80, "^.*$")]
    """Its name in words."""
    value: Any
    """What it is in this rule set."""
    schema: dict[str, Any]
    """The JSON Schema of its values."""


@value
class RulesetTable(Described):
    """A named game as one number of seats plays it."""

    seats: Annotated[int, Field(ge=2, le=MOST_SEATS)]
    """How many seats."""
    rules: Rules
    """Every parameter, as so many seats play by it."""
    text: Annotated[str, Text(1, 5000, "^[^\\u0000]*$")]
    """The rules in words, made of the parameters: paragraphs with an empty line between them."""


@value
class RulesetView(Described):
    """A named game as data."""

    id: RulesetId
    """Create a match with it as `ruleset`."""
    title: Annotated[str, Text(1, 80, "^.*$")]
    """Its name in words."""
    summary: Annotated[str, Text(1, 1000, "^.*$")]
    """How it is played, in a few sentences. What its sources leave open is settled after the word "Assumed"."""
    sources: Annotated[tuple[Annotated[str, Text(1, 200, "^.*$")], ...], Length(1, 10)]
    """Where its rules are written down: addresses, or titles."""
    seat_counts: Annotated[tuple[Annotated[int, Field(ge=2, le=MOST_SEATS)], ...], Length(1, MOST_SEATS - 1)]
    """The numbers of seats it is played with, the usual one first."""
    parameters: Annotated[tuple[Parameter, ...], Length(1, 100)]
    """Everything that `rules` may override, with its value for the usual number of seats."""
    tables: Annotated[tuple[RulesetTable, ...], Length(1, MOST_SEATS - 1)]
    """The game by the number of seats, in the order of `seat_counts`."""


@value
class RulesetList(Described):
    """All rule sets."""

    items: Annotated[tuple[RulesetView, ...], Length(1, 100)]
    """In no order that means anything."""
