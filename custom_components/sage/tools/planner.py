"""The device interaction planner (SAGE paper, section III-B).

The model plans the steps of a command from the list of devices. The result is the plan, followed by
the current values or the documentation of the planned devices. With the setting `paper_flow`
(strictly as in the SAGE paper), the result is only the plan.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import probatio
from homeassistant.helpers import llm

from ..agent import (
    ActIntended,
    Call,
    async_call_tools,
    error_result,
    result_text,
    short_name,
    text_result,
)
from ..home import HomeError, Listing, quiet, render_documentation, render_readings
from ..model import ModelReply, ModelRequest, first_object, object_schema
from ..text import content_words
from .execute_command import CHANGE, TELL, wish_of
from .sage_tool import READ_ONLY, Arguments, SageTool, Situation

_ATTEMPTS: Final = 2
_MOST_NAMED: Final = 24  # maximum number of devices in one step. A group counts as one.
_MOST_STEPS: Final = 8
_ACTIONS: Final = ("command", "read", "before", "past")
_ACTIONS_FOR: Final = {CHANGE: ("command", "read"), TELL: ("read", "before", "past")}
"""The actions of a plan if it is known what the request wants."""

_MOST_CAPABILITIES: Final = 8
_MOST_MISSING: Final = 8
_LONGEST_MISSING: Final = 80
_MOST_NAMESAKES: Final = 2

_TEXT: Final = {"type": "string"}
_TEXTS: Final = {"type": "array", "items": _TEXT}
CAPABILITIES: Final = {**_TEXTS, "maxItems": _MOST_CAPABILITIES}
"""JSON schema of the field `capabilities` of a step."""

_REPLY_INFO: Final = (
    'Reply with one JSON object: {"steps": [{"action": "command", "devices": ["..."], '
    '"task": "...", "doubt": ""}], "missing": []}'
)
_NOTHING: Final = (
    "Finish with `could_not`: say in plain words that the home has no such device. Only if the "
    "person described one by its looks or place, call `device_disambiguation`."
)
_NOT_THERE: Final = (
    "Write the whole plan again. If the request means none of these, put it into `missing`, in the "
    "person's words."
)
_ALL_READ: Final = (
    "All is read. Now `finish` with kind `answered`; only if the request itself wants a change, "
    "`api_documentation` first."
)
_PAST: Final = (
    "The past is not read yet: `read_attributes` with `measure`, once for each period, in one "
    "reply. Then `finish` with kind `answered`."
)
_CARRY_OUT: Final = (
    "Carry it out with `execute_command`. Or `finish`: `answered` if the values say that there is "
    "nothing to do, `asked` if only the person can say which is meant, `could_not` if no command "
    "here does it."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanStep:
    """One step of a plan: a task and the devices for it."""

    action: str
    """What to do with the devices.

    - `command`: change something
    - `read`: only read the current values
    - `before`: only read the values that the devices had before their last change
    - `past`: only read what the devices were in a period, or since when
    """

    devices: tuple[str, ...]
    task: str
    doubt: str = ""
    """What has to be found out before the task, e.g. "which TV is on"; empty for nothing."""

    capabilities: tuple[str, ...] = ()
    """The device capabilities that the task needs; empty means all capabilities."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The steps that the model planned for a command, and what the home lacks for it."""

    steps: tuple[PlanStep, ...] = ()
    missing: tuple[str, ...] = ()
    """Things in the request that this home lacks, in the person's words."""


class Planner(SageTool):
    """Plans the steps of a command and their devices."""

    name = "sage__device_interaction_planner"
    title = "Plan"
    description = "Plan which devices and capabilities a command needs. Call it first."
    annotations = READ_ONLY
    parameters = probatio.Schema(
        {probatio.Required("command", description="the whole command in plain words"): str}
    )

    optional: tuple[str, ...] = ("capabilities",)  # names of the fields that a step may omit
    plan: Plan | None = None  # the plan that the model wrote; None before
    is_of_condition = False  # whether it plans what the code of a condition reads, not a command
    hint = ""
    """The last line of the prompt, with a rule for all plans of this planner; empty for none."""

    async def async_use(self, given: Arguments) -> llm.ToolResult:
        """Return the plan as text; an error if no device is available or the plan is unreadable.

        A plan that only reads also contains the current values of its devices; any other plan
        contains their documentation. With the setting `paper_flow`, the text is only the plan.
        """
        command = given["command"]
        situation = self.situation
        listing = await situation.home.async_listing()
        if not listing.devices:
            return error_result(
                "no device of this home may be used by this person. Finish with `could_not`: "
                "devices must be exposed to Assist first."
            )
        request = await self._async_request(listing, command, self.given(command))
        plan = await _async_plan(situation, listing, request)
        if plan is None:
            return error_result("the plan could not be read. Use `device_disambiguation` instead.")
        self.plan = plan
        if not self.is_of_condition and any(step.action == "command" for step in plan.steps):
            situation.run.record.add(ActIntended())
        return text_result(await self._async_render(listing, plan))

    async def async_prefix(self, given: str) -> list[ModelRequest]:
        """Return a list with the request that fills the model server's prompt cache.

        The request holds the constant start of the planner's prompts; `given` is any text in place
        of the task. The list is empty if the home has no available device.
        """
        listing = await self.situation.home.async_listing()
        if not listing.devices:
            return []
        return [await self._async_request(listing, "", given)]

    async def _async_request(self, listing: Listing, command: str, given: str) -> ModelRequest:
        run, home = self.situation.run, self.situation.home
        given = "\n".join(filter(None, (given, self.hint)))
        index, matches = await home.async_directory(f"{command} {run.utterance.text}")
        if matches:
            given = f"Devices that match the command:\n{matches}\n\n{given}"
        return run.settings.json_request(
            f"{self.situation.prompt('planner')}\n\nDevices:\n{index}",
            given,
            schema=_schema(self.step_fields(listing), self.optional),
        )

    def step_fields(self, listing: Listing) -> dict[str, Any]:
        """Return the fields of a plan step as a dict: field name -> JSON schema of its value."""
        wish = wish_of(self.situation.run)
        fields: dict[str, Any] = {
            "action": {"type": "string", "enum": [*_ACTIONS_FOR.get(wish, _ACTIONS)]},
            "devices": {**_TEXTS, "maxItems": _MOST_NAMED},
            "task": _TEXT,
            "doubt": _TEXT,
        }
        # Only if a device has a capability that no entity offers.
        has_more = any(device.more_components for device in listing.devices)
        return fields | ({"capabilities": CAPABILITIES} if has_more else {})

    def given(self, task: str) -> str:
        """Return `task` and its context, as a text for the model.

        The context is the time, the room, the person, the utterance, and what SAGE last did in this
        conversation. For a condition, it has no utterance: that contains a command, which would
        mislead small models.
        """
        # The agent that executes the plan gets this text, too.
        return self.situation.task_text(task, with_request=not self.is_of_condition)

    async def _async_render(self, listing: Listing, plan: Plan) -> str:
        situation, steps = self.situation, plan.steps
        if not steps:
            return f"Plan: nothing in this home fits{_named(plan)}. {_NOTHING}"
        # If the plan only reads, read now, so that the next decision can be the answer.
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
        lines += missing_lines(plan)
        if situation.run.settings.paper_flow:
            return "\n".join(lines)
        if not wanted:
            return "\n".join([*lines, _NOTHING])
        if only_read:
            return "\n".join([*lines, "", await self._async_values(wanted, steps)])
        return "\n".join([*lines, "", await self._async_documentation(wanted, steps)])

    async def _async_values(self, names: Sequence[str], steps: Sequence[PlanStep]) -> str:
        readings = await self.situation.home.async_read(
            dict.fromkeys(names), capabilities=capabilities_of(steps)
        )
        lines = ["Current values, read just now:", render_readings(readings)]
        if any(step.action == "before" for step in steps):
            lines += ["Before their last change:", await self._async_earlier(names)]
        asks_past = any(step.action == "past" for step in steps)
        return "\n".join([*lines, _PAST if asks_past else _ALL_READ])

    async def _async_earlier(self, names: Sequence[str]) -> str:
        try:
            earlier = await self.situation.home.async_read_earlier(
                dict.fromkeys(names), outcomes=self.situation.evidence.outcomes
            )
        except HomeError as err:
            return str(err)
        return render_readings(earlier)

    async def _async_documentation(self, names: Sequence[str], steps: Sequence[PlanStep]) -> str:
        documents = await self.situation.home.async_document(
            dict.fromkeys(names), capabilities_of(steps), with_main=True
        )
        lines = [
            "Documentation and current values, read just now:",
            render_documentation(documents, with_states=True),
        ]
        # What a list says belongs to the request.
        read = {name for step in steps if step.action != "command" for name in step.devices}
        if chosen := [name for name in dict.fromkeys(names) if name in read]:
            readings = await self.situation.home.async_read(chosen)
            lists = [each for each in readings if each.capability in ("todo", "calendar")]
            lines.append(render_readings(lists))
        return "\n".join([*lines, _CARRY_OUT])


async def _async_plan(situation: Situation, listing: Listing, request: ModelRequest) -> Plan | None:
    """Ask the model for a plan, again if invalid; return None if it cannot be parsed."""
    plan: Plan | None = None
    for _ in range(_ATTEMPTS):
        reply = await situation.run.async_sample(request)
        plan = _parse(reply) or plan
        wrong = _objection(listing, plan)
        if wrong is None:
            return plan
        request = request.after(reply, wrong)
    return plan


def _objection(listing: Listing, plan: Plan | None) -> str | None:
    """Return a sentence for the model if the plan is invalid; None if it is valid."""
    if plan is None:
        return f"That was not understood. {_REPLY_INFO}"
    problems = [problem for step in plan.steps for problem in known(listing, step)[1]]
    if not problems:
        return None
    return f"{' '.join(dict.fromkeys(problems))} {_NOT_THERE}"


def _schema(step_fields: Mapping[str, Any], optional: Sequence[str]) -> Mapping[str, Any]:
    step = object_schema(step_fields, optional=optional)
    return object_schema(
        {
            "steps": {"type": "array", "items": step, "maxItems": _MOST_STEPS},
            "missing": {**_TEXTS, "maxItems": _MOST_MISSING},
        }
    )


def _parse(reply: ModelReply) -> Plan | None:
    data = first_object(reply.text)
    if data is None or not isinstance(data.get("steps"), list):
        return None
    steps = [_step(item) for item in data["steps"] if isinstance(item, dict)]
    return Plan(
        steps=tuple(step for step in steps if step.devices or step.task),
        missing=_texts(data.get("missing"))[:_MOST_MISSING],
    )


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


def missing_lines(plan: Plan) -> list[str]:
    """Return a line for the prompt with what this home lacks for the plan, or []."""
    if not plan.missing:
        return []
    return [f"Not in this home{_named(plan)}. Say so; nothing else takes its place."]


def _named(plan: Plan) -> str:
    return f": {', '.join(quiet(each)[:_LONGEST_MISSING] for each in plan.missing)}" * bool(
        plan.missing
    )


def known(listing: Listing, step: PlanStep) -> tuple[list[str], list[str]]:
    """Return the valid device and group ids of a step, and an error text for each invalid one."""
    names: list[str] = []
    problems: list[str] = []
    for name in step.devices:
        try:
            found = listing.find_all((name,))
        except HomeError as err:
            problems.append(str(err))
        else:
            names.append(name if len(found) > 1 else found[0].id)
    return names, problems


def capabilities_of(steps: Iterable[PlanStep]) -> set[str]:
    """Return the names of the device capabilities that these steps need."""
    return {name for step in steps for name in step.capabilities}


def _step_line(number: int, step: PlanStep, names: Sequence[str], *, was_read: bool) -> str:
    ids = ", ".join(names) or "no device"
    is_read = was_read and names and step.action == "read"
    action = "read: done, the values are below" if is_read else step.action
    doubt = f" (settle first, from the values if they tell: {step.doubt})" if step.doubt else ""
    return f"{number}. [{action}] {ids}: {step.task}{doubt}"


async def async_planned_task(planner: Planner, task: str) -> str:
    """Run the planner and return the first input of an agent: the task and the plan."""
    situation = planner.situation
    text = planner.given(task)
    name = short_name(planner)
    arguments = {"command": task}
    call = Call(id="plan", tool=name, arguments=arguments)
    (result,) = await async_call_tools(
        situation.hass, situation.run.record, {name: planner}, [call], situation.llm_context
    )
    return f"{text}\n\n{result_text(result)}"


def namesakes(listing: Listing, name: str) -> tuple[str, ...]:
    """Return the ids of devices with longer names that contain all words of one device's name.

    `name`: the id of this device. For the lock "Front Door", the result contains, for example, the
    id of the sensor "Front Door Contact". If more than two devices match, the result is empty.
    """
    device = next((each for each in listing.devices if each.id == name), None)
    own = set(content_words(device.name)) if device is not None else set()
    alike = [
        each.id
        for each in listing.devices
        if own and each.id != name and own < set(content_words(each.name))
    ]
    return tuple(alike) if len(alike) <= _MOST_NAMESAKES else ()
