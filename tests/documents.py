"""What a reader would copy out of a document: its fenced blocks and its tables."""

import re
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import httpx

post = partial(httpx.post, timeout=60)
"""A call that may take as long as a busy machine takes."""

ROOT: Final = Path(__file__).parents[1]

_BLOCK: Final = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_HEADING: Final = re.compile(r"^#+ (.+)$", re.MULTILINE)
_TABLE: Final = re.compile(r"(?:^\|.*\|\n)+", re.MULTILINE)


@dataclass(frozen=True)
class Document:
    """One file, or the part of it below a heading."""

    text: str

    @classmethod
    def read(cls, name: str) -> "Document":
        return cls((ROOT / name).read_text(encoding="utf-8"))

    def below(self, title: str, *, until: str | None = None) -> "Document":
        """What stands between the heading `title` and the next one, or the one that is named."""
        start = next(heading.end() for heading in self._headings() if heading[1] == title)
        ends = [heading.start() for heading in self._headings() if heading.start() > start]
        if until is not None:
            ends = [heading.start() for heading in self._headings() if heading[1] == until]
        return Document(self.text[start : min(ends, default=None)])

    def blocks(self, language: str) -> list[str]:
        """Its fenced blocks of a language."""
        return [text for found, text in _BLOCK.findall(self.text) if found == language]

    def block(self, language: str) -> str:
        """Its only fenced block of a language."""
        (text,) = self.blocks(language)
        return text

    def table(self, number: int = 0) -> list[list[str]]:
        """The cells of a table, below its header."""
        lines = _TABLE.findall(self.text)[number].splitlines()
        return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]

    def links(self) -> list[str]:
        """Where its links lead that stay in the repository."""
        return [link for link in re.findall(r"\]\(([^)\s]+)\)", self.text) if "://" not in link]

    def anchors(self) -> set[str]:
        """What a link into it may name, as it is made from a heading."""
        return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in _HEADING.findall(self._prose())}

    def _prose(self) -> str:
        return _BLOCK.sub(lambda block: re.sub(r"[^\n]", " ", block[0]), self.text)

    def _headings(self) -> list[re.Match[str]]:
        return list(_HEADING.finditer(self._prose()))
