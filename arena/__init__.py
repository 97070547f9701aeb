"""CPU levels against each other: what `capicua ladder` and `capicua simulate` do.

It stands on the engine and knows nothing of the service. Unlike the engine it reads a clock, starts processes and
writes files.
"""
