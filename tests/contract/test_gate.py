"""The gate lets through what `docs/versioning.md` tells clients to bear, and nothing else unless it is announced."""

import json
import re
from collections.abc import Iterable
from copy import deepcopy
from pathlib import Path
from typing import Any, Final

import pytest

from tests.contract.document import DOCUMENT, PUBLISHED
from tests.contract.gate import OPEN, Break, breaks, main, unannounced
from tests.documents import Document

Schema = dict[str, Any]

DRAW: Final = "/v1/matches/{match_id}/draw"
VERSION: Final = DOCUMENT["info"]["version"]


class Draft:
    """The published document, to be changed."""

    def __init__(self) -> None:
        self.whole: Schema = deepcopy(DOCUMENT)
        self.paths: Schema = self.whole["paths"]
        self.schemas: Schema = self.whole["components"]["schemas"]

    def enum(self, name: str) -> list[str]:
        """The values of a property, given as `Schema.property`."""
        schema, _, member = name.partition(".")
        found: Schema = self.schemas[schema]["properties"][member]
        values: list[str] = found.get("anyOf", [found])[0]["enum"]
        return values

    def add(self, name: str, member: str, *, required: bool) -> None:
        schema = self.schemas[name]
        schema["properties"][member] = {"type": "string", "maxLength": 20}
        schema["required"] = [*schema.get("required", []), *([member] if required else [])]

    def add_event(self, name: str) -> None:
        reference = f"#/components/schemas/{name}"
        self.schemas[name] = self.schemas["Resigned"] | {"title": name}
        union = self.schemas["Event"]
        union["oneOf"].append({"$ref": reference})
        union["discriminator"]["mapping"][name.lower()] = reference

    def rename(self, name: str, new: str) -> None:
        text = json.dumps(self.whole).replace(f'"#/components/schemas/{name}"', f'"#/components/schemas/{new}"')
        self.whole = json.loads(text.replace(f'"{name}": {{', f'"{new}": {{'))

    def written(self, directory: Path) -> Path:
        path = directory / "draft.json"
        path.write_text(json.dumps(self.whole), encoding="utf-8")
        return path


def names(found: Iterable[Break]) -> set[str]:
    return {each.name for each in found}


def test_what_breaks_is_found_and_named(tmp_path: Path) -> None:
    draft = Draft()
    del draft.paths["/v1/matches/{match_id}/resign"]
    draft.paths[DRAW]["post"]["operationId"] = "take"
    del draft.schemas["SeatView"]["properties"]["lacks"]
    draft.enum("ChangeLevel.level").remove("hard")
    draft.enum("MatchSummary.status").append("paused")
    draft.schemas["TimeControl"]["properties"]["seconds_per_hand"]["maximum"] -= 1
    draft.add("JoinMatch", "password", required=True)
    draft.rename("Viewer", "Beholder")
    assert names(breaks(PUBLISHED, draft.written(tmp_path))) == {
        "POST /v1/matches/{match_id}/resign",
        f"POST {DRAW}",
        "SeatView",
        "ChangeLevel",
        "MatchSummary",
        "JoinMatch",
        "TimeControl",
        "Viewer",
    }


def test_what_clients_bear_passes(tmp_path: Path) -> None:
    draft = Draft()
    draft.paths["/v1/news"] = draft.paths["/health/live"]
    draft.paths[DRAW]["post"]["deprecated"] = True
    draft.add("CreateMatch", "title", required=False)
    draft.add("SeatView", "mood", required=True)
    draft.add_event("Sneezed")
    draft.schemas["TimeControl"]["properties"]["seconds_per_hand"]["maximum"] += 1
    draft.schemas["SeatView"]["properties"]["tile_count"]["minimum"] -= 1
    del draft.schemas["MatchPage"]["properties"]["items"]["maxItems"]
    draft.enum("SeatView.level").append("expert")
    draft.enum("HandResult.reason").append("misdeal")
    draft.enum("Rules.drawing").append("twice")
    assert breaks(PUBLISHED, draft.written(tmp_path)) == []


def test_the_places_that_may_gain_values_are_those_that_are_written_down() -> None:
    cells = [row[0] for row in Document.read("docs/versioning.md").below("What clients have to bear").table()]
    assert sorted(name for cell in cells for name in re.findall(r"`([^`]+)`", cell)) == sorted(OPEN)


@pytest.mark.parametrize(
    ("changelog", "missing"),
    [
        ("## [Unreleased]\n\n### Breaking\n\n- `SeatView` lost `lacks`.\n- `POST /v1/matches` is gone.\n", set()),
        ("## [9.0.0] - 2026-01-01\n\n### Breaking\n\n- `SeatView` and `POST /v1/matches`.\n", set()),
        ("## [Unreleased]\n\n### Breaking\n\n- `SeatView` lost `lacks`.\n", {"POST /v1/matches"}),
        ("## [Unreleased]\n\n### Added\n\n- `SeatView`, `POST /v1/matches`.\n", {"SeatView", "POST /v1/matches"}),
        (
            "## [Unreleased]\n\n### Breaking\n\n- `SeatView`.\n\n### Fixed\n\n- `POST /v1/matches`.\n",
            {"POST /v1/matches"},
        ),
        (
            "## [Unreleased]\n\n## [0.0.1]\n\n### Breaking\n\n- `SeatView`, `POST /v1/matches`.\n",
            {"SeatView", "POST /v1/matches"},
        ),
        (f"## [{VERSION}]\n\n### Breaking\n\n- `SeatView`, `POST /v1/matches`.\n", {"SeatView", "POST /v1/matches"}),
        ("", {"SeatView", "POST /v1/matches"}),
    ],
    ids=[
        "announced",
        "being released",
        "one of two",
        "elsewhere",
        "below another heading",
        "in an older section",
        "already released",
        "nowhere",
    ],
)
def test_what_is_announced(changelog: str, missing: set[str]) -> None:
    found = [Break("SeatView", "lost"), Break("POST /v1/matches", "gone")]
    assert names(unannounced(found, f"# Changelog\n\n{changelog}", VERSION)) == missing


@pytest.mark.parametrize(("section", "status"), [("Breaking", 1), ("Breaking\n\n- `SeatView` lost `lacks`", 0)])
def test_the_gate(tmp_path: Path, capsys: pytest.CaptureFixture[str], section: str, status: int) -> None:
    draft, changelog = Draft(), tmp_path / "CHANGELOG.md"
    del draft.schemas["SeatView"]["properties"]["lacks"]
    changelog.write_text(f"# Changelog\n\n## [Unreleased]\n\n### {section}\n", encoding="utf-8")
    assert main([str(PUBLISHED), str(draft.written(tmp_path)), str(changelog)]) == status
    assert ("`SeatView`: Property `lacks` of `SeatView` was removed." in capsys.readouterr().out) == bool(status)
