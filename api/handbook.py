"""The page of all games, made of the catalogue: `docs/games.md`."""

from collections.abc import Iterator
from dataclasses import fields
from typing import Final

from api.schemas import RULES_SCHEMA
from engine.catalogue import RULESETS
from engine.rules import Rules
from engine.rulesets import Ruleset
from engine.wording import SETS, wording

_NONE: Final = "\N{EN DASH}"
_ABOUT: Final = """# Games

All games of the catalogue, {count} of them, and what each parameter of their rules does. This page is made of the code
by `make openapi`: the words of every game come from its parameters. A match is created from a game by its id, and
`rules` in the same body replaces any parameter. [Rules](rules.md) has the clauses of the four games that the others are
variants of, and what all games share.
"""


def handbook() -> str:
    """The page as Markdown."""
    parts = [_ABOUT.format(count=len(RULESETS)), "\n".join(_overview()), *map(_game, RULESETS.values()), _parameters()]
    return "\n".join(parts)


def _overview() -> Iterator[str]:
    yield "| game | id | seats | set | tiles each |"
    yield "|---|---|---|---|---|"
    for ruleset in RULESETS.values():
        seats = ", ".join(map(str, ruleset.seat_counts))
        sizes = ", ".join(dict.fromkeys(str(rules.hand_size) for rules in ruleset.tables.values()))
        anchor = ruleset.title.lower().replace(",", "").replace(" ", "-")
        row = (f"[{ruleset.title}](#{anchor})", f"`{ruleset.id}`", seats, SETS[ruleset.rules.highest_double], sizes)
        yield f"| {' | '.join(row)} |"
    yield ""


def _game(ruleset: Ruleset) -> str:
    return "\n".join(
        [
            f"## {ruleset.title}",
            "",
            f"`{ruleset.id}`. {ruleset.summary}",
            "",
            f"Sources: {', '.join(_source(source) for source in ruleset.sources)}.",
            "",
            *_values(ruleset),
            "",
            wording(ruleset.rules, ruleset.seat_counts[0]),
            "",
        ]
    )


def _source(source: str) -> str:
    return f"<{source}>" if source.startswith("http") else source


def _values(ruleset: Ruleset) -> Iterator[str]:
    """What differs from the defaults, by the number of seats; one column where they all play alike."""
    tables = list(ruleset.tables.items())
    if all(rules == ruleset.rules for rules in ruleset.tables.values()):
        tables = tables[:1]
    heads = ["value"] if len(tables) == 1 else [f"{seats} seats" for seats, _ in tables]
    yield f"| parameter | {' | '.join(heads)} |"
    yield "|---" * (1 + len(heads)) + "|"
    usual = Rules()
    for field in fields(Rules):
        values = [getattr(rules, field.name) for _, rules in tables]
        if any(value != getattr(usual, field.name) for value in values):
            yield f"| `{field.name}` | {' | '.join(map(_shown, values))} |"


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return " ".join(map(str, value)) or _NONE
    return str(value).lower() if isinstance(value, bool) else str(value)


def _parameters() -> str:
    lines = [
        "## Parameters",
        "",
        "Each has a value in every game; what a game does not name has the default here. `GET /v1/rulesets` gives the",
        "same as data, with the schema of the allowed values.",
        "",
        "| parameter | default | |",
        "|---|---|---|",
    ]
    usual = Rules()
    for name, schema in RULES_SCHEMA["properties"].items():
        text = " ".join(schema["description"].split())
        lines.append(f"| `{name}` | {_shown(getattr(usual, name))} | {text} |")
    return "\n".join(lines) + "\n"
