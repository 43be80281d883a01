"""What becomes of a check that fails: it waits longer each time, is mended once, or stops."""

from datetime import timedelta
from typing import Final

FAILURES: Final = 3
"""So many in a row, and the model is asked for other code."""

LONGEST_BACKOFF: Final = timedelta(minutes=5)

FIRST_REPAIR_PAUSE: Final = timedelta(minutes=5)
LONGEST_REPAIR_PAUSE: Final = timedelta(hours=1)
"""Between two attempts to have other code while the model is away; it doubles."""


def backoff(interval: float, failures: int) -> timedelta:
    """Return how long a check is left alone after so many failures in a row."""
    seconds = interval * 2.0 ** min(failures, 16)
    return min(timedelta(seconds=seconds), LONGEST_BACKOFF)


def repair_pause(attempts: int) -> timedelta:
    """Return how long nobody is asked for other code after so many attempts for nothing."""
    return min(FIRST_REPAIR_PAUSE * 2.0 ** (min(attempts, 16) - 1), LONGEST_REPAIR_PAUSE)
