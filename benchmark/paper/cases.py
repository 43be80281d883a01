"""All cases."""

from typing import Final

from .case import PaperCase
from .device_cases import DEVICE_CASES
from .dialog_cases import DIALOG_CASES
from .direct_cases import DIRECT_CASES
from .unseen_cases import UNSEEN_CASES
from .wider_cases import WIDER_CASES

CASES: Final[tuple[PaperCase, ...]] = (
    *DEVICE_CASES,
    *DIRECT_CASES,
    *WIDER_CASES,
    *UNSEEN_CASES,
    *DIALOG_CASES,
)
BY_ID: Final = {each.id: each for each in CASES}
