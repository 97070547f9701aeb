"""What all tests have in common: Hypothesis draws the same examples on every machine, and takes the time it takes."""

from hypothesis import settings

settings.register_profile("capicua", deadline=None, derandomize=True)
settings.load_profile("capicua")
