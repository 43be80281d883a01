"""The base class and shared constants of SAGE's tools."""

from typing import Any, Final

from homeassistant.helpers import llm

from ..const import DOMAIN
from ..home.home_types import HomeError
from .situation import Situation

DEVICES: Final = 'ids, or groups: "all light", "all light in Kitchen", "all light except hall_lamp"'
"""Description of an argument `devices`."""

READ_ONLY: Final = llm.ToolAnnotations(
    read_only=True, destructive=False, idempotent=True, open_world=False
)
"""A tool that changes nothing and reads nothing from outside the home."""

WRITES: Final = llm.ToolAnnotations(
    read_only=False, destructive=True, idempotent=False, open_world=False
)
"""A tool that may change the home."""


class SageTool(llm.Tool):
    """A tool of SAGE, built for one run.

    `tools/sage.py` lists the tools of the entry agent, `tools/device_interaction.py` and
    `tools/routines/condition_code_writing.py` those of the inner agents.
    """

    integration = DOMAIN

    def __init__(self, situation: Situation) -> None:
        """Keep the run and the parts of SAGE that the tool may use."""
        self.situation = situation

    def arguments(self, tool_input: llm.ToolInput) -> dict[str, Any]:
        """Return the checked arguments; raises probatio.Invalid."""
        checked: dict[str, Any] = self.parameters(dict(tool_input.tool_args))
        return checked


__all__ = ["DEVICES", "READ_ONLY", "WRITES", "HomeError", "SageTool"]
