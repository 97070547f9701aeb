"""`make bench`, or `python -m benchmarks moves` for one of them."""

import sys
from importlib import import_module

REPORTS = {
    "expert": "expert",
    "crowd": "crowd",
    "engine": "engine_play",
    "inference": "inference",
    "kernel": "kernel",
    "moves": "moves",
    "page": "page",
    "streams": "streams",
}
"""Modules by name. They are imported when it is their turn: what is loaded is a part of what some measure."""

if __name__ == "__main__":
    for name in sys.argv[1:] or REPORTS:
        for line in import_module(f"benchmarks.{REPORTS[name]}").report():
            print(line, flush=True)
