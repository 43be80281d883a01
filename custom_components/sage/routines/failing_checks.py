"""Rules for failing checks: they back off, are repaired once, and then stop."""

from datetime import timedelta
from typing import Final

FAILURES: Final = 3
"""Failures in a row after which the model repairs the code."""

LONGEST_BACKOFF: Final = timedelta(minutes=5)

FIRST_REPAIR_PAUSE: Final = timedelta(minutes=5)
LONGEST_REPAIR_PAUSE: Final = timedelta(hours=1)
"""Longest pause between repair attempts while the model is unavailable; the pause doubles."""


def backoff(interval: float, failures: int) -> timedelta:
    """Return the pause of a check after `failures` failures in a row."""
    seconds = interval * 2.0 ** min(failures, 16)
    return min(timedelta(seconds=seconds), LONGEST_BACKOFF)


def repair_pause(attempts: int) -> timedelta:
    """Return the pause after `attempts` repair attempts without a model."""
    return min(FIRST_REPAIR_PAUSE * 2.0 ** (min(attempts, 16) - 1), LONGEST_REPAIR_PAUSE)
