"""Sizes beyond which code is split. Nobody notices a function grow by a line at a time."""

import ast
from pathlib import Path

import pytest

LONGEST_MODULE = 400
LONGEST_FUNCTION = 50

ROOT = Path(__file__).parents[1]
PACKAGES = ("alembic", "api", "arena", "benchmarks", "engine")
SOURCES = [path for package in PACKAGES for path in sorted(ROOT.glob(f"{package}/**/*.py"))]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_source_is_short_enough_to_read(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= LONGEST_MODULE
    long = [
        f"{node.name}, {length} lines"
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (length := (node.end_lineno or 0) - node.lineno + 1) > LONGEST_FUNCTION
    ]
    assert long == []
