"""Hard: one move ahead, with memory."""

from engine.strategies.medium import choose

__all__ = ["choose"]
