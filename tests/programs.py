"""Programs that tests run as a reader would, with the Python and the Node of the tests, whatever else is installed."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

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


def evaluated(module: str, expression: str, given: Any) -> Any:
    """What a JavaScript expression is, over `given` and what the page's `module` exports as `page`."""
    script = f"""
import * as page from "./web/{module}";
import {{ readFileSync }} from "node:fs";
const given = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify({expression}));
"""
    return json.loads(printed([NODE, "--input-type=module", "--eval", script], stdin=json.dumps(given)))
