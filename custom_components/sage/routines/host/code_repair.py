"""Lets the model rewrite the failing Python code of a routine's condition."""

import logging
import re
from collections.abc import Callable, Mapping
from typing import Final

from ...home import Home, HomeError, render_documentation
from ...model import ModelError, first_object, object_schema
from ...run import SageAgent
from ...text import fenced
from ...tools import readable, without_fence
from ..evaluation import RepairError
from ..routine_types import Condition, Routine
from ..sandbox.contract import condition_task_info
from ..sandbox.sandbox_types import CheckError, ConditionFunction
from .firing_runs import agent_of

_LOGGER = logging.getLogger(__name__)

_MOST_TOKENS: Final = 1_500
_MOST_NAMES: Final = 8

_SCHEMA: Final = object_schema({"code": {"type": "string"}})


class CodeRepair:
    """Lets the model rewrite the failing Python code of a condition."""

    def __init__(
        self,
        home: Home,
        agents: Callable[[], Mapping[str, SageAgent]],
        functions: Callable[[], tuple[ConditionFunction, ...]],
    ) -> None:
        """Store the inputs.

        `agents` returns agent id -> agent. `functions` returns the functions that condition code
        may call.
        """
        self._home = home
        self._agents = agents
        self._functions = functions

    async def async_rewrite(self, routine: Routine, condition: Condition, error: CheckError) -> str:
        """Return new source code for the failing condition, written by the model.

        Raises RepairError if there is no agent, or if the model is unavailable, fails, or returns
        unusable or unchanged code.
        """
        if (agent := agent_of(self._agents(), routine)) is None:
            raise RepairError("SAGE has no agent. Add one, then resume the routine.")
        settings = agent.settings
        prompt = condition_task_info(settings.prompts["routine_repair"], self._functions())
        given = await self._async_given(routine, condition, error)
        request = settings.json_request(prompt, given, schema=_SCHEMA, max_tokens=_MOST_TOKENS)
        try:
            reply = await settings.model.async_complete(request)
        except ModelError as err:
            why = f"the model gave no answer ({err.kind.value})"
            raise RepairError(why, is_temporary=err.kind.may_pass) from err
        source = _source(reply.text)
        if not re.search(rf"^def\s+{re.escape(condition.function)}\s*\(", source, re.MULTILINE):
            _LOGGER.debug("A repair had no function %s", condition.function)
            raise RepairError("the model wrote no code with that function")
        if source.strip() == condition.source.strip():
            raise RepairError("the model changed nothing")
        return source

    async def _async_given(self, routine: Routine, condition: Condition, error: CheckError) -> str:
        """Return the prompt input: the condition in words, the devices, the code and its error."""
        when = routine.end_when if condition == routine.end else routine.when
        return "\n\n".join(
            (
                f"Condition: {when}",
                "What can be read, with the values of this moment:\n"
                + await self._async_documentation(routine),
                f"Code:\n{condition.source.strip()}",
                f"Error: {fenced(str(error))}",
            )
        )

    async def _async_documentation(self, routine: Routine) -> str:
        """Return the documentation of the devices in the code, if the owner may see them."""
        # A key that is not a plain name refers to a part of a device.
        names = [name for name in routine.bindings if name.isprintable()][:_MOST_NAMES]
        home = self._home.of(routine.person)
        parts: list[str] = []
        for name in names:
            try:
                documents = await home.async_document([name])
            except HomeError as err:
                parts.append(f"{name}: {err}")
            else:
                parts.append(render_documentation(readable(documents)))
        return "\n\n".join(parts) or "not known"


def _source(text: str) -> str:
    data = first_object(text)
    code = data.get("code") if data is not None else None
    return without_fence(code if isinstance(code, str) else text)
