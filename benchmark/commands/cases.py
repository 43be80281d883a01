"""The sixty sentences.

They hold for the demo home and for the one with 300 entities, which has the same rooms and
devices and ten further rooms.
"""

from typing import Final

from .case import Case
from .single_cases import SINGLE
from .wider_cases import WIDER

CASES: Final[tuple[Case, ...]] = (*SINGLE, *WIDER)
"""All cases, the simplest first."""
