"""Programs that tests run as a reader would, with the Python and the Node of the tests, whatever else is installed."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests.documents import ROOT
from tests.serving import PATIENCE

BIN: Final = Path(sys.executable).parent
NODE: Final = str(BIN / "node")


def run(
    command: Sequence[str], *, cwd: Path = ROOT, stdin: str | None = None, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run a program to its end, with these variables."""
    environment = {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}", **variables}
    return subprocess.run(
        command, cwd=cwd, env=environment, input=stdin, capture_output=True, text=True, timeout=PATIENCE, check=False
    )


def printed(command: Sequence[str], *, cwd: Path = ROOT, stdin: str | None = None, **variables: str) -> str:
    """What a program prints that ends well."""
    done = run(command, cwd=cwd, stdin=stdin, **variables)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
