"""What breaks clients is announced: the document against that of the last release.

    python -m tests.contract.gate

Redocly finds what may break a client; `docs/versioning.md` says what of it clients are told to bear. Each thing that is
left has to stand in the newest section of the changelog, under `### Breaking`, by the name of its operation or schema.
"""

import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from tests.contract.document import PUBLISHED
from tests.documents import ROOT
from tests.programs import NODE, run

RELEASED: Final = PUBLISHED.with_name("released.json")
CHANGELOG: Final = ROOT / "CHANGELOG.md"

OPEN: Final = (
    "Event",
    *("*.level", "*.reason", "*.cause", "*.pacing", "DealView.kind", "Rules.*"),
)
"""Schemas and their properties that may gain values, or members of a union, as the page on versions says."""

GAINS: Final = {"enum-values-added", "schema-combinator-changed"}

UPPER: Final = {"maximum", "maxLength", "maxItems"}
LOWER: Final = {"minimum", "minLength", "minItems"}

_SECTION: Final = re.compile(r"^## \[(?P<version>[^\]]+)\].*\n(?P<text>(?:(?!## ).*\n?)*)", re.MULTILINE)
_BREAKING: Final = re.compile(r"^### Breaking\n(?P<text>(?:(?!##).*\n?)*)", re.MULTILINE)


@dataclass(frozen=True, order=True)
class Break:
    """Something that a client of the released document may trip over."""

    name: str
    """The operation or the component, as it is announced."""

    message: str


def breaks(released: Path, document: Path) -> list[Break]:
    """What a client of the one may trip over in the other."""
    before, after = (json.loads(path.read_text(encoding="utf-8")) for path in (released, document))
    gone = before["components"]["schemas"].keys() - after["components"]["schemas"].keys()
    found = {Break(name, "The schema is gone, after which generated clients name a type.") for name in gone}
    for change in _redocly(released, document)["changes"]:
        for verdict in change["verdicts"]:
            if verdict["impact"] == "major" and not (_is_open(verdict, change) or _is_wider(change)):
                pointer = verdict["location"]["pointer"]
                found |= {Break(name, verdict["message"]) for name in _names(pointer, before, after)}
    return sorted(found)


def unannounced(found: Iterable[Break], changelog: str, released_version: str) -> list[Break]:
    """Those that the newest section does not name; once released, a section announces nothing any more."""
    section = _SECTION.search(changelog)
    breaking = _BREAKING.search(section["text"]) if section and section["version"] != released_version else None
    named = set(re.findall(r"`([^`]+)`", breaking["text"])) if breaking else set()
    return [each for each in found if each.name not in named]


def _redocly(released: Path, document: Path) -> dict[str, Any]:
    tools = PUBLISHED.parent
    options = [f"--config={tools}/redocly.yaml", "--lint-config=off", "--format=json", "--fail-on=none"]
    command = [NODE, tools / "node_modules/.bin/redocly", "diff", released, document, *options]
    done = run([str(word) for word in command], REDOCLY_TELEMETRY="off", REDOCLY_SUPPRESS_UPDATE_NOTICE="true")
    if done.returncode:
        sys.exit(done.stderr)
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def _is_open(verdict: dict[str, Any], change: dict[str, Any]) -> bool:
    """Whether it is a gain in a place of which clients know that it may grow."""
    if verdict["ruleId"] not in GAINS or change["kind"] == "removed":
        return False
    segments = _segments(verdict["location"]["pointer"])
    properties = [name for keyword, name in pairwise(segments) if keyword == "properties"]
    place = ".".join([*segments[2:3], *properties[-1:]])
    return any(fnmatchcase(place, pattern) for pattern in OPEN)


def _is_wider(change: dict[str, Any]) -> bool:
    """Whether it is a bound that allows more than before: what was sent still may be, and no client checks answers."""
    before, after = (change.get(side, {}).get("value") for side in ("base", "revision"))
    if change.get("property") not in UPPER | LOWER or before is None:
        return False
    return after is None or (after > before if change["property"] in UPPER else after < before)


def _names(pointer: str, *documents: dict[str, Any]) -> Iterator[str]:
    match _segments(pointer):
        case ["components", _, name, *_]:
            yield name
        case ["paths", path, *rest]:
            methods = next(document["paths"][path] for document in documents if path in document["paths"])
            yield from (f"{method.upper()} {path}" for method in methods if rest[:1] in ([], [method]))
        case [name, *_]:
            yield name


def _segments(pointer: str) -> list[str]:
    return [segment.replace("~1", "/").replace("~0", "~") for segment in pointer.split("/")[1:]]


def main(arguments: Sequence[str]) -> int:
    released, document, changelog = map(Path, arguments) if arguments else (RELEASED, PUBLISHED, CHANGELOG)
    version = json.loads(released.read_text(encoding="utf-8"))["info"]["version"]
    missing = unannounced(breaks(released, document), changelog.read_text(encoding="utf-8"), version)
    for each in missing:
        print(f"`{each.name}`: {each.message}")
    if missing:
        print(f"That breaks clients of {version}. CHANGELOG.md has to name it under ### Breaking, or it has to stay.")
    return bool(missing)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
