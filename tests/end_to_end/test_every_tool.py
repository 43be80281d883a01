"""Whatever a tool reads or changes is an entry of the record: nobody can forget to write one."""

import importlib
import pkgutil
from collections.abc import Iterator
from typing import Any

import probatio
import pytest
from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm

from custom_components.sage import tools
from custom_components.sage.agent.record import Record
from custom_components.sage.home.commands.evidence import Evidence, RunEvent, RunEventKind
from custom_components.sage.home.home_types import Outcome, Reading
from custom_components.sage.tools.device_disambiguation import DeviceDisambiguation
from custom_components.sage.tools.execute_command import ExecuteCommand
from custom_components.sage.tools.external.external_tool import ExternalTool
from custom_components.sage.tools.memory import MemoryTool
from custom_components.sage.tools.personalization import Personalization
from custom_components.sage.tools.read_attributes import ApiDocumentation, ReadAttributes
from custom_components.sage.tools.routines.condition_polling import ConditionPolling
from custom_components.sage.tools.routines.routines_tool import RoutinesTool
from custom_components.sage.tools.sage_tool import WRITES, SageTool
from custom_components.sage.tools.undo import Undo
from tests.decisions import NATIVE

from .conftest import Sage

LIGHT = "kitchen_light"

type Leaves = type[Outcome | Reading] | RunEventKind

CALLED: dict[type[SageTool], tuple[dict[str, Any], Leaves]] = {
    ExecuteCommand: ({"devices": [LIGHT], "command": "turn_on"}, Outcome),
    Undo: ({}, Outcome),
    ReadAttributes: ({"devices": [LIGHT]}, Reading),
    ApiDocumentation: ({"devices": [LIGHT]}, Reading),
    DeviceDisambiguation: ({"description": "kitchen light"}, Reading),
    MemoryTool: ({"action": "remember", "text": "I like tea."}, RunEventKind.MEMORY_CHANGED),
    Personalization: ({"question": "What do I like?"}, RunEventKind.RECALLED),
    RoutinesTool: ({"action": "list", "final": False}, RunEventKind.ROUTINES_LISTED),
    ConditionPolling: (
        {"kind": "tell", "action": "Take the tea out.", "in_minutes": 20, "final": False},
        RunEventKind.ROUTINE_CHANGED,
    ),
}
"""Tool of the home, memory and routines -> arguments of a call, and the entry that it leaves."""

THROUGH_OTHERS = {
    # They act and read only through tools of their own.
    *("device_interaction", "condition_code_writing", "email_and_calendar"),
    # It reads through the home, and executes nothing.
    "device_interaction_planner",
    # The condition is recorded when it is written; a routine, when it is set up.
    "code_execution",
    # The person's reply is an entry of the agent.
    "human_interaction",
}


def subclasses(kind: type[Any]) -> Iterator[type[Any]]:
    """Yield all subclasses, also those of subclasses."""
    for each in kind.__subclasses__():
        yield each
        yield from subclasses(each)


def names_of(kind: type[Any]) -> set[str]:
    for module in pkgutil.walk_packages(tools.__path__, f"{tools.__name__}."):
        importlib.import_module(module.name)
    own = [each for each in subclasses(kind) if each.__module__.startswith(tools.__name__)]
    return {str(each.name).removeprefix("sage__") for each in own if hasattr(each, "name")}


ACTS_OUTSIDE = {"change_contacts", "create_calendar_event", "create_email_draft", "send_message"}
"""Tools that change something outside the home; the tests of each show its `RunEvent`."""


def test_every_tool_is_known_here() -> None:
    """A new tool needs a call above, or reads through the base class of external tools."""
    reads_outside = names_of(ExternalTool)
    called = {kind.name.removeprefix("sage__") for kind in CALLED}
    assert names_of(SageTool) == {*called, *THROUGH_OTHERS, *ACTS_OUTSIDE, *reads_outside}


@pytest.mark.parametrize("kind", CALLED)
async def test_a_call_leaves_an_entry_that_all_see(
    sage: Sage, user: User, monkeypatch: pytest.MonkeyPatch, kind: type[SageTool]
) -> None:
    arguments, leaves = CALLED[kind]
    records: list[Record] = []

    class Toy(SageTool):
        name = "sage__toy"
        description = "Calls the tool under test."
        annotations = WRITES
        parameters = probatio.Schema({})

        async def async_call(
            self, hass: HomeAssistant, _: llm.ToolInput, llm_context: llm.LLMContext
        ) -> llm.ToolResult:
            records.append(self.situation.run.record)
            tool_input = llm.ToolInput(tool_name=kind.name, tool_args=arguments)
            result = await kind(self.situation).async_call(hass, tool_input, llm_context)
            assert isinstance(result, llm.ToolResult)
            return result

    monkeypatch.setattr("custom_components.sage.tools.sage.HumanInteraction", Toy)
    cannot = NATIVE.finish("could_not", "No.", about="other")
    if kind is Undo:
        command = {**CALLED[ExecuteCommand][0], "timing": "now", "final": False}
        sage.model_says(NATIVE.call("execute_command", **command), cannot, cannot)
        await sage.hear("turn on the kitchen light", user_id=user.id)
    sage.model_says(NATIVE.call("toy"), *[cannot] * 4)
    await sage.hear("I like tea. Is all as it should be?", user_id=user.id)

    (record,) = records
    kinds = {entry.kind for entry in record.all(RunEvent)}
    assert record.all(leaves) if isinstance(leaves, type) else leaves in kinds
    evidence = Evidence(*(entry.content for entry in record.entries))
    assert evidence.read or evidence.wrote or evidence.changed_others
    trace = sage.traces(user.id)[-1]
    # The page shows the call as a step, and what the details in the chat said.
    assert "toy" in {step["name"] for step in trace["root"]["children"]}
    assert trace["outcomes"] or trace["seen"] or trace["reads"]
    assert bool(trace["outcomes"]) == (leaves is Outcome)
    if kind is ExecuteCommand:
        assert [change.component_id for change in sage.changes(user.id)] == ["light.kitchen_light"]
