"""How good a model is for SAGE: its decisions on a few small requests, in one decision format.

Only calls and kinds of answers are judged, never words, so that each language counts alike.
"""

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from ..agent import FINISH, Decision, DecisionFormat, FinishKind, read_reply
from ..const import FORMAT_REACT
from ..model import ChatMessage, ModelReply, ModelRequest, Structure, ToolSpec, object_schema

type AsyncReply = Callable[[ModelRequest], Awaitable[ModelReply | None]]
"""Sends a request; returns None if the model or its server does not support it."""


class Verdict(StrEnum):
    """What a model is good for."""

    GOOD = "good"
    SIMPLE = "simple"  # good for simple commands and questions
    UNUSABLE = "unusable"


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """The capabilities of one model, found by test requests in one or several formats."""

    formats: tuple[str, ...] = ()
    """Formats in which the model returned tool calls, best first, e.g. `native`; may be empty."""

    passed: frozenset[str] = frozenset()  # ids of the requests in `REQUESTS` that it understood
    seconds: float = 0.0  # duration of a direct command with its answer, in one reply or two
    misjudges_timing: bool = False
    """Whether the model wrongly executed a request immediately although it was meant for later.

    Example: for "lamp on at 8 pm", it switched the lamp on now.
    """

    structure: Structure | None = None
    """Kind of structured output that the AI Task entity supports; None if it supports none.

    Also None if the model runs on a model server, without an AI Task entity.
    """

    @property
    def verdict(self) -> Verdict:
        """What the model is good for in the best format."""
        if not {"command", "question"} <= self.passed:
            return Verdict.UNUSABLE
        is_good = len(self.passed) == len(REQUESTS) and not self.misjudges_timing
        return Verdict.GOOD if is_good else Verdict.SIMPLE


_TEXT: Final = {"type": "string"}


def _tool(name: str, description: str, **arguments: Mapping[str, Any]) -> ToolSpec:
    return ToolSpec(name=name, description=description, parameters=object_schema(arguments))


_LAMP: Final = _tool("switch_lamp", "Switch a lamp on or off.", lamp=_TEXT, on={"type": "boolean"})
_READ: Final = _tool("read_lamp", "Read whether a lamp is on; for questions.", lamp=_TEXT)
_END: Final = _tool(
    FINISH,
    "Give the answer. kind: acted (after commands), answered (a question), could_not (it is "
    "impossible, for example because the lamp does not exist).",
    kind={"type": "string", "enum": ["acted", "answered", "could_not"]},
    answer=_TEXT,
)
_WATCH: Final = _tool(
    "condition_polling",
    "Have something done later: when something happens, or at a time.",
    when=_TEXT,
    action=_TEXT,
)
_DEVICES: Final = _tool(
    "device_interaction",
    "Operate the devices of the home at once.",
    command=_TEXT,
    timing={"type": "string", "enum": ["now", "later"]},
)
_ASSISTANT: Final = "You are the assistant of a home."
_HOME: Final = (
    f"{_ASSISTANT} It has three lamps and nothing else: desk (off), shelf (off) "
    "and hall (on). Do what the person asks."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request with the decision that fits it."""

    text: str
    calls: tuple[Mapping[str, Any], ...] = ()
    """The arguments of all calls of `switch_lamp`, in any order."""

    kind: FinishKind | None = None
    """The kind of the answer; None: any, or none yet, because the lamp may be read first."""

    def fits(self, decision: Decision) -> bool:
        """Return whether a decision is right."""
        calls = [call.arguments for call in decision.calls if call.tool == _LAMP.name]
        is_called = len(calls) == len(self.calls) and all(
            any(_fits(arguments, expected) for arguments in calls) for expected in self.calls
        )
        finish = decision.finish
        is_read = self.kind is FinishKind.ANSWERED and any(
            call.tool == _READ.name for call in decision.calls
        )
        is_ended = (
            self.kind is None
            or is_read
            or (finish is not None and (finish.is_unstructured or finish.kind is self.kind))
        )
        return not decision.problem and is_called and is_ended


REQUESTS: Final[Mapping[str, Request]] = {
    "command": Request(text="Turn on the desk lamp.", calls=({"lamp": "desk", "on": True},)),
    "question": Request(text="Is the hall lamp on?", kind=FinishKind.ANSWERED),
    "two": Request(
        text="Turn the desk lamp on and the hall lamp off.",
        calls=({"lamp": "desk", "on": True}, {"lamp": "hall", "on": False}),
    ),
    "missing": Request(text="Turn on the garden lamp.", kind=FinishKind.COULD_NOT),
}
FOR_LATER: Final = (
    "Turn on the hall lamp when the front door opens.",
    "Switch the fan off in 20 minutes.",
    "As soon as the washer is done, turn on the kitchen light.",
)
"""Requests that are meant for later."""


async def async_decide(
    async_reply: AsyncReply, decision_format: DecisionFormat, on_step: Callable[[], None]
) -> Probe:
    """Let a model decide about all requests; `on_step` follows each one. Raises ModelError."""
    passed: set[str] = set()
    seconds = 0.0
    tools: tuple[ToolSpec, ...] = (_LAMP, _READ, _END)
    for name, request in REQUESTS.items():
        began = time.monotonic()
        asked = decision_format.request(_HOME, tools, f"Request: {request.text}")
        decision = await _async_decision(async_reply, decision_format, tools, asked)
        if name == "command":
            # Without an answer in the same reply, a second reply of the same length follows.
            is_whole = decision is not None and decision.finish is not None
            seconds = (time.monotonic() - began) * (1 if is_whole else 2)
        if decision is not None and request.fits(decision):
            passed.add(name)
        on_step()
    misjudges_timing = False
    tools = (_WATCH, _DEVICES)
    for text in FOR_LATER:
        asked = decision_format.request(_ASSISTANT, tools, f"Request: {text}")
        if decision_format.name != FORMAT_REACT:
            # Without an explanation of the format, small models show best what they confuse.
            message = ChatMessage(role="user", content=f"{_ASSISTANT} Request: {text}")
            asked = replace(asked, messages=(message,))
        decision = await _async_decision(async_reply, decision_format, tools, asked)
        on_step()
        if decision is not None and any(
            call.tool == _DEVICES.name and call.arguments.get("timing") != "later"
            for call in decision.calls
        ):
            misjudges_timing = True
            break
    return Probe(passed=frozenset(passed), seconds=seconds, misjudges_timing=misjudges_timing)


async def _async_decision(
    async_reply: AsyncReply,
    decision_format: DecisionFormat,
    tools: Sequence[ToolSpec],
    request: ModelRequest,
) -> Decision | None:
    reply = await async_reply(request)
    return None if reply is None else read_reply(reply, decision_format, tools)


def _fits(arguments: Mapping[str, Any], expected: Mapping[str, Any]) -> bool:
    """Return whether a lamp is switched as expected; its name may have more words."""
    lamp = str(arguments.get("lamp", "")).casefold()
    return expected["lamp"] in lamp and arguments.get("on") is expected["on"]
