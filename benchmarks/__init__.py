"""Measurements: `make bench`. None of them is a test, and none has a limit; figures are ratios within one run."""
