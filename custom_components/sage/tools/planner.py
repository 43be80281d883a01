"""The device interaction planner (paper, section III-B).

One model call over the list of devices; its steps are typed. Its result
carries the documentation and current values of what it named, so that the next
decision can be the command (DESIGN 4); `paper_flow` leaves that out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import probatio
from homeassistant.helpers import llm

from ..agent.language_model import ChatMessage, ModelReply, ModelRequest
from ..agent.partial_json import first_object
from ..agent.sampling import async_sample
from ..agent.tool_call import TracedTool, error_result, text_result
from ..agent.trace import TraceNode
from ..home.groups import find_all, groups_of
from ..home.listing import Found, Listing
from ..home.model import HomeError
from ..home.rendering import render_documentation, render_readings
from ..home.state_summary import states_by_kind, states_of_documents, states_of_readings
from .sage_tool import READ_ONLY, SageTool
from .situation import Situation

_ATTEMPTS: Final = 2
_ENUMERATED_DEVICES: Final = 100
"""Up to so many devices the reply's schema lists their ids, so that none can be made up."""

_MOST_NAMED: Final = 24
"""Devices of one step; more are a group."""

_MOST_STEPS: Final = 8
_ACTIONS: Final = ("command", "read", "before")

_REPLY_INFO: Final = (
    'Reply with one JSON object: {"steps": [{"action": "command", "devices": ["..."], '
    '"capabilities": ["..."], "task": "...", "doubt": ""}]}'
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanStep:
    """One step of a plan: what to do with which devices."""

    action: str
    """`command` if something is to be changed, `read` if only to be found out.

    `before` if the question is what it was before its last change.
    """

    devices: tuple[str, ...]
    capabilities: tuple[str, ...]
    task: str
    doubt: str = ""


class Planner(SageTool, TracedTool):
    """Plans how devices can carry out a command."""

    name = "sage__device_interaction_planner"
    title = "Plan"
    description = "Plan which devices and capabilities a command needs. Call it first."
    annotations = READ_ONLY
    parameters = probatio.Schema(
        {probatio.Required("command", description="the whole command in plain words"): str}
    )

    hint = ""
    """What holds for all commands that are planned here; the model reads it last."""

    async def async_call_traced(
        self, tool_input: llm.ToolInput, llm_context: llm.LLMContext, trace: TraceNode
    ) -> llm.ToolResult:
        """Return the steps, with documentation unless `paper_flow` is on."""
        command = self.arguments(tool_input)["command"]
        situation = self.situation
        listing = await situation.home.async_listing(situation.run.person)
        if not listing.devices:
            return error_result(
                "no device of this home may be used by this person. Finish with `could_not`: "
                "devices must be exposed to Assist first."
            )
        messages = _messages(situation, listing, command, self.given(command), self.hint)
        steps = await _async_steps(situation, listing, messages, trace)
        if steps is None:
            return error_result("the plan could not be read. Use `device_disambiguation` instead.")
        self._note_intent(steps)
        return text_result(await self._async_render(listing, steps))

    async def async_prefix(self, given: str) -> list[ModelRequest]:
        """Return a request that begins as those of all plans; none without devices."""
        listing = await self.situation.home.async_listing(self.situation.run.person)
        if not listing.devices:
            return []
        messages = _messages(self.situation, listing, "", given, self.hint)
        return [_request(self.situation, listing, messages)]

    def given(self, task: str) -> str:
        """Return the task as the models get it, here and where it is carried out."""
        return self.situation.task_text(task)

    def _note_intent(self, steps: Sequence[PlanStep]) -> None:
        if any(step.action == "command" for step in steps):
            self.situation.run.act_intended = True

    async def _async_render(self, listing: Listing, steps: Sequence[PlanStep]) -> str:
        situation = self.situation
        if not steps:
            return (
                "Plan: no device fits. `device_disambiguation` may find one; else finish with "
                "`could_not`."
            )
        # What only asks is read at once, and nothing is left to be done but the answer.
        only_read = not situation.run.settings.paper_flow and all(
            step.action != "command" for step in steps
        )
        lines = ["Plan:"]
        wanted: list[str] = []
        for number, step in enumerate(steps, start=1):
            names, problems = known(listing, step)
            wanted += names
            lines.append(_step_line(number, step, names, was_read=only_read))
            lines.extend(f"   Note: {problem}" for problem in problems)
        if situation.run.settings.paper_flow or not wanted:
            return "\n".join(lines)
        if only_read:
            return "\n".join([*lines, "", await self._async_values(wanted, steps)])
        return "\n".join([*lines, "", await self._async_documentation(wanted, steps)])

    async def _async_values(self, names: Sequence[str], steps: Sequence[PlanStep]) -> str:
        """Return the current values: a question needs no documentation of commands."""
        situation = self.situation
        capabilities = {name for step in steps for name in step.capabilities}
        readings = await situation.home.async_read(
            situation.run.person, dict.fromkeys(names), capabilities=capabilities
        )
        situation.evidence.record_reads(readings)
        lines = ["Current values, read just now:", render_readings(readings)]
        lines += states_by_kind(states_of_readings(readings))
        if any(step.action == "before" for step in steps):
            lines += ["Before their last change:", await self._async_earlier(names)]
        return "\n".join([*lines, "All is read. Now `finish` with kind `answered`."])

    async def _async_earlier(self, names: Sequence[str]) -> str:
        try:
            return render_readings(await self.situation.async_read_earlier(dict.fromkeys(names)))
        except HomeError as err:
            return str(err)

    async def _async_documentation(self, names: Sequence[str], steps: Sequence[PlanStep]) -> str:
        situation = self.situation
        capabilities = {name for step in steps for name in step.capabilities}
        documents = await situation.home.async_document(
            situation.run.person, dict.fromkeys(names), capabilities
        )
        situation.evidence.record_documents(documents)
        lines = [
            "Documentation and current values, read just now:",
            render_documentation(documents),
        ]
        lines += states_by_kind(states_of_documents(documents))
        return "\n".join([*lines, "Now carry out the plan with `execute_command`."])


async def _async_steps(
    situation: Situation, listing: Listing, messages: list[ChatMessage], trace: TraceNode
) -> tuple[PlanStep, ...] | None:
    """Return the steps that the model plans, None if it writes none that can be read."""
    for _ in range(_ATTEMPTS):
        request = _request(situation, listing, messages)
        reply = await async_sample(situation.run, trace, request)
        steps = _parse(reply)
        if steps is not None:
            return steps
        messages += [
            ChatMessage(role="assistant", content=reply.text),
            ChatMessage(role="user", content=f"That was not understood. {_REPLY_INFO}"),
        ]
    return None


def _request(
    situation: Situation, listing: Listing, messages: Sequence[ChatMessage]
) -> ModelRequest:
    schema = _schema(listing) if situation.run.settings.schema_works else None
    return ModelRequest(messages=tuple(messages), response_schema=schema)


def _messages(
    situation: Situation, listing: Listing, command: str, given: str, hint: str
) -> list[ChatMessage]:
    home = situation.home
    system = "\n\n".join(
        (situation.prompt("planner"), _REPLY_INFO, "Devices:\n" + home.index(listing))
    )
    given = "\n".join(filter(None, (given, hint)))
    utterance = situation.run.utterance
    matches = home.matches(listing, f"{command} {utterance.text}", utterance.language)
    if matches:
        given = f"Devices that match the command:\n{matches}\n\n{given}"
    return [ChatMessage(role="system", content=system), ChatMessage(role="user", content=given)]


def _schema(listing: Listing) -> Mapping[str, Any]:
    device: dict[str, Any] = {"type": "string"}
    if len(listing.devices) <= _ENUMERATED_DEVICES:
        device["enum"] = [*(each.id for each in listing.devices), *groups_of(listing)]
    texts = {"type": "array", "items": {"type": "string"}}
    step = {
        "type": "object",
        "properties": {
            "action": {"type": "string", "enum": [*_ACTIONS]},
            "devices": {"type": "array", "items": device, "maxItems": _MOST_NAMED},
            "capabilities": texts,
            "task": {"type": "string"},
            "doubt": {"type": "string"},
        },
        "required": ["action", "devices", "capabilities", "task", "doubt"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {"steps": {"type": "array", "items": step, "maxItems": _MOST_STEPS}},
        "required": ["steps"],
        "additionalProperties": False,
    }


def _parse(reply: ModelReply) -> tuple[PlanStep, ...] | None:
    data = first_object(reply.text)
    if data is None or not isinstance(data.get("steps"), list):
        return None
    steps = [_step(item) for item in data["steps"] if isinstance(item, dict)]
    return tuple(step for step in steps if step.devices or step.task)


def _step(item: Mapping[str, Any]) -> PlanStep:
    return PlanStep(
        action=action if (action := item.get("action")) in _ACTIONS else "command",
        devices=_texts(item.get("devices")),
        capabilities=_texts(item.get("capabilities")),
        task=str(item.get("task", "")),
        doubt=str(item.get("doubt") or ""),
    )


def _texts(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, list):
        return ()
    return tuple(dict.fromkeys(text for text in value if isinstance(text, str)))


def known(listing: Listing, step: PlanStep) -> tuple[list[str], list[str]]:
    """Return the names of a step that stand for something, and what is wrong with the others."""
    names: list[str] = []
    problems: list[str] = []
    for name in step.devices:
        try:
            found = find_all(listing, (name,))
        except HomeError as err:
            problems.append(str(err))
        else:
            names.append(name if len(found) > 1 else _id(found[0]))
    return names, problems


def _id(found: Found) -> str:
    """Return the id by which a model may name it: of the part if it is one of several."""
    return found.component.id if found.component else found.device.id


def _step_line(number: int, step: PlanStep, names: Sequence[str], *, was_read: bool) -> str:
    ids = ", ".join(names) or "no device"
    action = "read: done, the values are below" if was_read and names else step.action
    doubt = f" (settle first, from the values if they tell: {step.doubt})" if step.doubt else ""
    return f"{number}. [{action}] {ids}: {step.task}{doubt}"
