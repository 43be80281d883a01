"""The compared methods by name."""

from collections.abc import Mapping
from typing import Final

from ..commands.methods import ASSIST, PAPER_FLOW, SAGE
from .assist_method import PaperAssistMethod
from .controls import IdleMethod, ParrotMethod
from .ideal_method import IdealMethod
from .methods import MethodFactory
from .sage_method import SageMethod

IDEAL: Final = "ideal"
IDLE: Final = "idle"
PARROT: Final = "parrot"

METHODS: Final[Mapping[str, MethodFactory]] = {
    SAGE: SageMethod,
    PAPER_FLOW: SageMethod,
    ASSIST: PaperAssistMethod,
    IDEAL: IdealMethod,
    IDLE: IdleMethod,
    PARROT: ParrotMethod,
}
"""Name -> class of the method."""

WITHOUT_MODEL: Final = frozenset({IDEAL, IDLE, PARROT})
"""Methods that need no model server."""
