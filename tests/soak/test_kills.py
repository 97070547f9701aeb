import asyncio
import tempfile
from pathlib import Path

from tests.soak.kills import Plan, run, summary
from tests.soak.service import KINDS


def test_no_kill_loses_or_doubles_what_was_acknowledged() -> None:
    with tempfile.TemporaryDirectory(prefix="capicua-soak-", dir="/tmp") as data_dir:
        ledger = asyncio.run(run(Plan(seconds=0, kills=20, tables=8), Path(data_dir)))
    assert not ledger.faults, "\n".join(summary(ledger))
    assert sum(ledger.tally[f"{kind} killed"] for kind in KINDS) >= 20
    assert ledger.tally["matches"] >= 8
    assert ledger.tally["replays"] > 0
    assert ledger.tally["streams dropped"] > 0
