"""All cases."""

from typing import Final

from .case import PaperCase
from .device_cases import DEVICE_CASES
from .wider_cases import WIDER_CASES

CASES: Final[tuple[PaperCase, ...]] = (*DEVICE_CASES, *WIDER_CASES)
BY_ID: Final = {each.id: each for each in CASES}
