"""Calls by chance, from the document: none fails, and every answer is one that the document describes."""

import subprocess
import sys
from pathlib import Path

from tests.api.conftest import Serve
from tests.contract.test_document import OPERATIONS

ROOT = Path(__file__).parents[2]


def test_no_call_makes_the_service_break_its_word(serve: Serve, database_url: str) -> None:
    """As by hand, with fewer examples; `schemathesis.toml` has the rest. Streams, read to their end, are short."""
    served = serve(CAPICUA_DATABASE_URL=database_url, CAPICUA_STREAM_SECONDS="1")
    command = [sys.executable, "-m", "schemathesis.cli", "run", f"{served.url}/openapi.json", "--max-examples", "20"]
    run = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True, timeout=600)
    assert run.returncode == 0, run.stdout + run.stderr
    assert f"Tested: {len(OPERATIONS)}\n" in run.stdout
