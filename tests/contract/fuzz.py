"""Calls by chance against a service of its own, for as long as is asked: each answer has to be one of the document.

    python -m tests.contract.fuzz --seconds 1800

The calls differ from run to run; those of one that fails can be made again with its seed.
"""

import argparse
import random
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests.documents import ROOT
from tests.serving import serving

STREAM_SECONDS: Final = "1"
"""Streams are read to their end, so that it should come soon."""


def command(url: str, *options: str) -> list[str]:
    """What makes the calls."""
    return [sys.executable, "-m", "schemathesis.cli", "run", f"{url}/openapi.json", *options]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run, and answer whether anything failed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=int, default=1800, help="how long (default: 1800)")
    parser.add_argument("--seed", type=int, default=random.randrange(2**32), help="of the calls (default: by chance)")
    asked = parser.parse_args(arguments)
    options = ("--max-time", str(asked.seconds), "--seed", str(asked.seed), "--no-color")
    with (
        tempfile.TemporaryDirectory(prefix="capicua-fuzz-", dir="/tmp") as data_dir,
        serving(Path(data_dir), CAPICUA_STREAM_SECONDS=STREAM_SECONDS) as served,
    ):
        return subprocess.run(command(served.url, *options), cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
