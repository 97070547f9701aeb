"""Calls by chance, from the document: none fails, and every answer is one that the document describes."""

import subprocess

from tests.contract.document import OPERATIONS
from tests.contract.fuzz import STREAM_SECONDS, command
from tests.documents import ROOT
from tests.serving import Serve

PHASES = ("Examples", "Coverage", "Fuzzing", "Stateful")


def test_no_call_makes_the_service_break_its_word(serve: Serve, database_url: str) -> None:
    """As `make fuzz` does, but for a while, and with the same calls each time."""
    served = serve(CAPICUA_DATABASE_URL=database_url, CAPICUA_STREAM_SECONDS=STREAM_SECONDS)
    run = subprocess.run(
        command(served.url, "--generation-deterministic"),
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert f"Tested: {len(OPERATIONS)}\n" in run.stdout
    assert all(f"✅ {phase}" in run.stdout for phase in PHASES), run.stdout
