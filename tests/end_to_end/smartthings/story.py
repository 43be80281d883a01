"""The prompts of a request, and its effects in the simulated home."""

from collections.abc import Iterable, Mapping
from typing import Any

from homeassistant.components.conversation import ConversationResult

from benchmark.model_script import Answer
from benchmark.simulator.cloud import SimulatedCloud
from tests.decisions import NATIVE, Decides
from tests.end_to_end.conftest import Sage, spoken

type Values = dict[str, object]
"""`fridge freezer contactSensor.contact` -> value, of all devices of a home."""


async def carried_out(
    sage: Sage, said: str, planned: Iterable[Mapping[str, Any]], *decisions: Answer, **say: Any
) -> str:
    """Say a request for devices with this plan and these `decisions`; return what is heard."""
    heard = spoken(await begun(sage, said, planned, *decisions, **say))
    assert len(sage.decisions) == 2 + len(decisions), heard
    return heard


async def begun(
    sage: Sage, said: str, planned: Iterable[Mapping[str, Any]], *decisions: Answer, **say: Any
) -> ConversationResult:
    """Say such a request; the response may be a question."""
    sage.model_says(*sage.decides.planned(said, *map(dict, planned)), *decisions)
    return await sage.say(said, **say)


def executed(
    *devices: str, command: str, component: str = "", decides: Decides = NATIVE, **arguments: object
) -> Answer:
    """Return the decision to execute a command with these arguments."""
    part = {"component": component} if component else {}
    return decides.call("execute_command", **call(*devices, command=command, **arguments), **part)


def call(*devices: str, command: str, **arguments: object) -> dict[str, Any]:
    return {"devices": [*devices], "command": command, "arguments": arguments}


def hasty(sage: Sage) -> Sage:
    """Let raw commands wait hardly for the report of the device."""
    sage.entry.runtime_data.home.waits.report_seconds = 0.05
    return sage


# ------------------------------------------------------------- prompts of the model


def index(sage: Sage) -> str:
    """Return the prompt of the planner: its instructions and the devices of the home."""
    return str(sage.server.completions[1].prompt)


def given(sage: Sage) -> str:
    """Return what the agent of the devices got: plan, documentation and current values."""
    return str(sage.server.completions[2].messages[-1]["content"])


def observed(sage: Sage) -> list[str]:
    """Return what the agent of the devices observed after its native decisions, in order."""
    messages = sage.server.completions[-1].messages
    return [str(each["content"]) for each in messages if each["role"] == "tool"]


# ------------------------------------------------------------- what came of it


def posted(cloud: SimulatedCloud) -> list[str]:
    """Return the commands that came in, such as `fridge freezer switch.on()`, in order."""
    return [
        f"{each.device} {each.component} {each.capability}.{each.command}"
        f"({', '.join(map(repr, each.arguments))})"
        for each in cloud.commands
    ]


def values(cloud: SimulatedCloud) -> Values:
    return {
        f"{device.key} {component} {capability}.{attribute}": told.get("value")
        for device in cloud.home.devices.values()
        for component, capabilities in device.status.items()
        for capability, attributes in capabilities.items()
        for attribute, told in attributes.items()
    }


def changed(before: Values, cloud: SimulatedCloud) -> Values:
    """Return what has other values than before; everything else is as it was."""
    return {name: value for name, value in values(cloud).items() if value != before[name]}
