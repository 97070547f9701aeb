"""Where rows go, and the bar that shows how far it has got."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from arena.errors import Refused


@contextmanager
def writing(output: Path | None) -> Iterator[TextIO]:
    """The file, or standard output. It is opened before anything is played, so that a wrong name costs no time."""
    if output is None:
        yield sys.stdout
        return
    try:
        file = output.open("w", encoding="utf-8", newline="")
    except OSError as error:
        raise Refused(f"Cannot write {output} ({error.strerror}): name a file that can be written.") from None
    with file:
        yield file


@contextmanager
def progress(name: str, total: int, *, hidden: bool = False) -> Iterator[Callable[[int], None]]:
    """Count up to `total` on standard error where that is a terminal; the value says how much more is done."""
    columns = TextColumn(name), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    console = Console(stderr=True)
    shown = console.is_terminal and not hidden
    # What is printed meanwhile goes where it should: rich would send it after the bar.
    with Progress(*columns, console=console, transient=True, disable=not shown, redirect_stdout=False) as bar:
        task = bar.add_task(name, total=total)
        yield lambda count: bar.advance(task, count)
