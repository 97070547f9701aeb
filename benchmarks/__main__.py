"""`make bench`, or `python -m benchmarks moves` for one of them."""

import sys

from benchmarks import engine_play, inference, kernel, moves, streams

REPORTS = {
    "engine": engine_play.report,
    "inference": inference.report,
    "kernel": kernel.report,
    "moves": moves.report,
    "streams": streams.report,
}

if __name__ == "__main__":
    for name in sys.argv[1:] or REPORTS:
        for line in REPORTS[name]():
            print(line, flush=True)
