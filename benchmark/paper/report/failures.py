"""The first mistake of a failed case, by the failure types of the paper's Table II.

Rules read the result and the trace; a model judge may decide where no rule applies.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from ..case import Component
from ..result import FailureReason, TaskResult


class FailureType(StrEnum):
    """The failure types of Table II, in its order."""

    FORMATTING = "Formatting"
    UNDERSTANDING = "Command understanding"
    PLANNING = "Planning"
    EXECUTION = "Plan execution"
    TOOL_SELECTION = "Tool selection"
    TOOL_POPULATION = "Tool population"
    API_REQUEST = "API request"
    CODE_WRITING = "Code writing"
    FAULTY_TOOL = "Faulty tool"
    LIMITATION = "LLM limitation"
    HALLUCINATION = "Hallucination"
    OTHER = "Other"


TIERS: Final[Mapping[FailureType, str]] = {
    FailureType.FORMATTING: "1",
    FailureType.UNDERSTANDING: "1",
    FailureType.PLANNING: "2",
    FailureType.EXECUTION: "3",
    FailureType.TOOL_SELECTION: "3",
    FailureType.TOOL_POPULATION: "3",
    FailureType.API_REQUEST: "3",
    FailureType.CODE_WRITING: "3",
    FailureType.FAULTY_TOOL: "4",
    FailureType.LIMITATION: "4",
    FailureType.HALLUCINATION: "4",
    FailureType.OTHER: "NA",
}

TOOL_COMPONENTS: Final[Mapping[str, Component]] = {
    "personalization": Component.PERSONALIZATION,
    "memory": Component.PERSONALIZATION,
    "human_interaction": Component.HUMAN_INTERACTION,
    "device_interaction_planner": Component.PLANNER,
    "api_documentation": Component.DOCUMENTATION,
    "read_attributes": Component.ATTRIBUTES,
    "execute_command": Component.COMMANDS,
    "undo": Component.COMMANDS,
    "device_disambiguation": Component.DISAMBIGUATION,
    "condition_code_writing": Component.CODE_WRITING,
    "code_execution": Component.CODE_WRITING,
    "condition_polling": Component.POLLING,
    "routines": Component.POLLING,
    "search_email": Component.MAIL,
    "get_message": Component.MAIL,
    "get_thread": Component.MAIL,
    "create_email_draft": Component.MAIL,
    "send_message": Component.MAIL,
    "list_calendar_events": Component.CALENDAR,
    "create_calendar_event": Component.CALENDAR,
    "get_contacts": Component.CONTACTS,
    "change_contacts": Component.CONTACTS,
    "weather": Component.WEATHER,
    "search_tv_schedule": Component.TV_SCHEDULE,
}
"""Tool of SAGE -> component."""

AGENT_TOOLS: Final = frozenset({"device_interaction", "email_and_calendar", "finish"})
_OF_API: Final = frozenset({"execute_command", "read_attributes", "api_documentation"})
_OF_CODE: Final = frozenset({"condition_code_writing", "code_execution"})
_BLAMED: Final[Mapping[FailureType, Component]] = {
    FailureType.PLANNING: Component.PLANNER,
    FailureType.API_REQUEST: Component.COMMANDS,
    FailureType.CODE_WRITING: Component.CODE_WRITING,
}
_SHOWN: Final = 400
"""Characters of a part of an excerpt."""

BY_RULES: Final = "rules"
UNDECIDED: Final = "no rule applies"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    """The first mistake of a case."""

    type: FailureType
    component: Component | None = None
    """The component at fault; None if none is known."""

    by: str = BY_RULES
    """`rules`, name of the judge, or that no rule applies."""

    why: str = ""
    excerpt: str = ""
    """Part of the trace, or the answer and the problems without a trace."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    """A node of a trace, with the step before it."""

    node: Mapping[str, Any]
    before: Mapping[str, Any] | None

    @property
    def name(self) -> str:
        """Return the short name of the tool, or of the model."""
        return str(self.node["name"]).removeprefix("sage__")

    @property
    def is_tool(self) -> bool:
        """Return whether it is a call of a tool."""
        return bool(self.node["kind"] == "tool")


def steps_of(result: TaskResult) -> list[_Step]:
    """Return all model and tool calls of a result in order; empty for a method without trace."""
    steps: list[_Step] = []
    for trace in result.trace:
        before: Mapping[str, Any] | None = None
        for node in _walked(trace["root"]) if "root" in trace else ():
            if node["kind"] != "agent":
                steps.append(_Step(node=node, before=before))
                before = node
    return steps


def _walked(node: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield a node and those below it, in the order in which they ended."""
    for child in node.get("children", ()):
        yield from _walked(child)
    yield node


def mistake(result: TaskResult) -> Mistake:
    """Return the first mistake of a failed result, by rules; OTHER where none applies."""
    steps = steps_of(result)
    found = _by_reason(result) or _in_trace(steps) or _in_course(result, steps)
    return found or Mistake(
        type=FailureType.OTHER, by=UNDECIDED, why=_why(result), excerpt=_end(result, steps)
    )


def _by_reason(result: TaskResult) -> Mistake | None:
    """Return the mistake that the reason of the failure names."""
    if result.reason in {FailureReason.EXCEPTION, FailureReason.LEFTOVER_TASKS}:
        return Mistake(type=FailureType.FAULTY_TOOL, why=_why(result))
    if result.reason is FailureReason.TIMEOUT:
        return Mistake(type=FailureType.LIMITATION, why=_why(result))
    if result.reason is FailureReason.MALFORMED_REPLY:
        return Mistake(type=FailureType.FORMATTING, why=_why(result), excerpt=_end(result, ()))
    return None


def _in_trace(steps: Sequence[_Step]) -> Mistake | None:
    """Return the first step with an error."""
    for step in steps:
        if step.node["error"]:
            type_ = _type_of(step)
            return Mistake(
                type=type_,
                component=TOOL_COMPONENTS.get(step.name) if step.is_tool else _BLAMED.get(type_),
                why=f"{step.node['kind']} {step.name}: {_short(step.node['result'], 160)}",
                excerpt=_excerpt(step),
            )
    return None


def _type_of(step: _Step) -> FailureType:
    if not step.is_tool:
        # A reply that was counted and is an error could not be read; otherwise there was none.
        return FailureType.FORMATTING if step.node["usage"] else FailureType.LIMITATION
    if step.name not in TOOL_COMPONENTS and step.name not in AGENT_TOOLS:
        return FailureType.TOOL_SELECTION
    if step.name in _OF_API:
        return FailureType.API_REQUEST
    return FailureType.CODE_WRITING if step.name in _OF_CODE else FailureType.TOOL_POPULATION


def _in_course(result: TaskResult, steps: Sequence[_Step]) -> Mistake | None:
    """Return a mistake that the steps together show."""
    called = {step.name for step in steps if step.is_tool}
    needs = frozenset(result.components)
    end = _end(result, steps)
    if result.reason is FailureReason.FALSE_CLAIM:
        return Mistake(type=FailureType.HALLUCINATION, why=_why(result), excerpt=end)
    if result.superfluous_questions:
        return Mistake(
            type=FailureType.UNDERSTANDING,
            component=Component.HUMAN_INTERACTION,
            why="asked the person instead of deciding",
            excerpt=end,
        )
    if Component.POLLING in needs and steps:
        if "condition_polling" not in called:
            why = "no routine was set up"
            return Mistake(
                type=FailureType.PLANNING, component=Component.PLANNER, why=why, excerpt=end
            )
        return Mistake(
            type=FailureType.CODE_WRITING,
            component=Component.CODE_WRITING,
            why=_why(result),
            excerpt=end,
        )
    if Component.COMMANDS in needs and steps and "execute_command" not in called:
        return Mistake(
            type=FailureType.PLANNING,
            component=Component.PLANNER,
            why="no command was executed",
            excerpt=end,
        )
    return None


def _why(result: TaskResult) -> str:
    return _short("; ".join(result.problems), 300)


def _end(result: TaskResult, steps: Sequence[_Step]) -> str:
    """Return the last step and the answer."""
    last = [line_of(steps[-1].node)] if steps else []
    return "\n".join([*last, f"answer: {_short(result.answer)}"])


def _excerpt(step: _Step) -> str:
    """Return a step with the one before it."""
    before = [line_of(step.before)] if step.before is not None else []
    return "\n".join([*before, line_of(step.node)])


def line_of(node: Mapping[str, Any]) -> str:
    """Return a call in one line."""
    arguments = json.dumps(node["arguments"], ensure_ascii=False) if node["arguments"] else ""
    mark = " ERROR" if node["error"] else ""
    return f"{node['kind']} {node['name']}{mark} {_short(arguments)} -> {_short(node['result'])}"


def _short(text: str, most: int = _SHOWN) -> str:
    one_line = " ".join(str(text).split())
    return one_line if len(one_line) <= most else f"{one_line[:most]} ..."
