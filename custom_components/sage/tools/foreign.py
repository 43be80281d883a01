"""Tools of other integrations, wrapped with SAGE's permission checks.

- A tool that is not `read_only` needs confirmation. An `open_world` tool sends its arguments out of
  the home: it needs confirmation if untrusted text may have caused the call.
- The result of an `open_world` tool is untrusted text. An action that this text may have caused
  needs confirmation, even if the action is harmless.
- Arguments and results contain only entities that the person may use.
- Tools of Home Assistant's `assist` and `homeassistant` APIs are never used: they bypass the
  checks.
"""

import logging
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm

from ..agent import ActIntended, error_result, result_text, short_name, text_result
from ..const import DOMAIN
from ..home import Confirmation, RiskClass, RiskyAction, RunEvent, RunEventKind, cleaned
from ..text import fenced
from .sage_tool import Situation

_LOGGER = logging.getLogger(__name__)

NEVER_TAKEN: Final = frozenset({llm.LLM_API_ASSIST, "homeassistant", DOMAIN})
"""Ids of LLM APIs that SAGE never uses."""

_OF_ASSIST: Final = re.compile(r"homeassistant\.components\.\w+\.llm")
"""Modules of Home Assistant integrations that contain tools for `assist`."""


class ForeignTool(llm.Tool):
    """A tool of another integration, wrapped with SAGE's permission checks and confirmations."""

    def __init__(self, situation: Situation, tool: llm.Tool, instance: llm.APIInstance) -> None:
        """Wrap `tool`, which belongs to the API `instance`."""
        self._situation = situation
        self._instance = instance
        self.name = tool.name
        self.title = tool.title
        self.description = tool.description
        self.parameters = tool.parameters
        self.annotations = tool.annotations
        self.integration = tool.integration

    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> llm.ToolResult:
        """Call the tool and return its result without entities that the person may not use.

        Returns an error if an argument refers to such an entity, or if the person does not confirm
        the call.
        """
        situation = self._situation
        hidden = situation.home.hidden_reference(tool_input.tool_args)
        if hidden is not None:
            return error_result(
                f"`{hidden}` is not available. Use only devices that your tools have named."
            )
        if not self.annotations.read_only:
            situation.run.record.add(ActIntended())
        if not await self._async_is_harmless(tool_input):
            action = RiskyAction(
                risk=RiskClass.FOREIGN,
                device_name=cleaned(self.title or self.name) or self.name,
                command=self.name,
                arguments=dict(tool_input.tool_args),
                is_tainted=situation.run.record.is_tainted,
            )
            if await situation.authority.async_confirm([action]) is not Confirmation.GIVEN:
                return error_result("the person did not agree, so this was not done.")
        try:
            result = await self._instance.async_call_tool(tool_input)
        except HomeAssistantError as err:
            if not self.annotations.open_world:
                raise
            return error_result(fenced(str(err) or type(err).__name__))
        result = replace(result, data=situation.home.without_hidden(result.data))
        if not self.annotations.read_only and not result.error:
            situation.run.record.add(RunEvent(kind=RunEventKind.FOREIGN_CALLED, text=self.name))
        if self.annotations.open_world:
            return text_result(fenced(result_text(result)))
        situation.run.record.add(
            RunEvent(kind=RunEventKind.FOREIGN_READ, text=self.name, key="details_foreign")
        )
        return result

    async def _async_is_harmless(self, tool_input: llm.ToolInput) -> bool:
        """Return whether the call needs no confirmation."""
        name, arguments = short_name(self), dict(tool_input.tool_args)
        return self.annotations.read_only and (
            not self.annotations.open_world
            or await self._situation.run.async_asked_for(
                lambda call: call.tool == name and dict(call.arguments) == arguments
            )
        )


async def async_foreign_tools(situation: Situation, api_ids: Sequence[str]) -> list[llm.Tool]:
    """Return the tools of the LLM APIs `api_ids`, wrapped with SAGE's permission checks.

    Leaves out tools that bypass these checks. An API that cannot be loaded is logged and skipped.
    """
    tools: list[llm.Tool] = []
    for api_id in api_ids:
        if api_id in NEVER_TAKEN:
            continue
        try:
            instance = await llm.async_get_api(situation.hass, api_id, situation.llm_context)
        except HomeAssistantError as err:
            _LOGGER.warning("The tools of %s are not available: %s", api_id, err)
            continue
        tools += [
            ForeignTool(situation, tool, instance)
            for tool in instance.tools
            if not bypasses_gate(tool)
        ]
    return tools


def bypasses_gate(tool: llm.Tool) -> bool:
    """Return whether `tool` is one of Home Assistant's own tools, which bypass SAGE's checks."""
    while isinstance(tool, llm.NamespacedTool):
        tool = tool.tool
    if isinstance(tool, llm.IntentTool | llm.ActionTool):
        return True
    return bool(_OF_ASSIST.match(type(tool).__module__))
