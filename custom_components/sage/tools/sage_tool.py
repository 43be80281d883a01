"""The base class of SAGE's tools, and the context that the tools of one run share."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import probatio
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm

from ..agent import Call, Run, error_result, short_name
from ..const import DOMAIN
from ..external import External
from ..home import Command, Confirmation, Evidence, HomeError, HomeView, Outcome, say_outcomes
from ..routines import RoutineError
from ..text import Sentences
from .confirmation import RunAuthority
from .routines.run_routines import RunRoutines
from .run_memory import RunMemory

DEVICES: Final = (
    'ids, or groups of a kind: "all light", "all switch in Kitchen" (area, floor or label), '
    '"all light except hall_lamp, Bedroom"'
)
"""Description of the tool argument `devices`; the language model reads it."""

FINAL: Final = probatio.Required(
    "final",
    description=(
        "true: its answer goes straight to the person, the usual case; false: you need its "
        "result for another tool"
    ),
)
"""The argument `final` of an agent-tool; the language model reads its description."""

READ_ONLY: Final = llm.ToolAnnotations(
    read_only=True, destructive=False, idempotent=True, open_world=False
)
"""Annotations of a tool that changes nothing and reads only data of the home."""

WRITES: Final = llm.ToolAnnotations(
    read_only=False, destructive=True, idempotent=False, open_world=False
)
"""Annotations of a tool that may change the home."""

NOT_SHOWN: Final = (
    "(not shown, may hold text from outside; only if the request needs it: `personalization` with "
    "`earlier` true)"
)
"""Takes the place of an earlier answer in prompts (`Exchange.without_outside_text`)."""

_EXCHANGE_CHARACTERS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """The context that all tools share while one command of a person is processed.

    `home`, `memory` and `routines` have only the permissions of this person; the methods of
    `external` take `run.person`. `evidence` is the record of commands, of their outcomes and of the
    values that were read.
    """

    hass: HomeAssistant
    run: Run
    home: HomeView
    memory: RunMemory
    routines: RunRoutines
    external: External
    evidence: Evidence
    authority: RunAuthority
    sentences: Sentences
    llm_context: llm.LLMContext
    tv_channels: dict[str, set[str]] = field(default_factory=dict)
    """Device id of a TV -> channels that need no confirmation there, after a search for the person.

    A channel has names and a number. Only the person's own words can have chosen these TVs.
    """

    def prompt(self, name: str) -> str:
        """Return the text of the prompt file `name`; raises KeyError if there is no such prompt."""
        return self.run.settings.prompts[name]

    def task_text(self, task: str, *, with_request: bool = True) -> str:
        """Return the task and its context, as input for an agent that a tool starts.

        The context is the time, the room, the person, and what SAGE last did in this conversation.
        With `with_request`, it also contains the person's utterance, if this differs from `task`.
        """
        utterance = self.run.utterance
        lines = self.here_and_now()
        done = [each for each in utterance.earlier if each.done or each.is_cut][-1:]
        lines += [
            f'Before: "{short(each.said)}": {NOT_SHOWN if each.is_cut else short(each.done)}'
            for each in done
        ]
        if with_request and task.strip() != utterance.text.strip():
            lines.append(f'The person said: "{utterance.text}"')
        return "\n".join([*lines, f"Task: {task}"])

    def here_and_now(self) -> list[str]:
        """Return prompt lines: person, language, room, extra instructions and time.

        The extra instructions come from the caller of Assist (`extra_system_prompt`).
        """
        utterance = self.run.utterance
        name = utterance.person.name if utterance.person.is_known else "not known"
        lines = [f"Person: {name}. Their language: {utterance.language}."]
        if utterance.room:
            lines.append(f"The person is in: {utterance.room}")
        # A satellite that begins a conversation passes its announcement a second time.
        announced = {turn.answered for turn in utterance.earlier}
        if utterance.extra_prompt and utterance.extra_prompt not in announced:
            lines.append(utterance.extra_prompt)
        # The time always changes, and the prompt cache ends at the first change: put the time last.
        return [*lines, f"Time: {utterance.now:%A %Y-%m-%d %H:%M}"]

    def say_outcomes(self, outcomes: Sequence[Outcome]) -> str:
        """Return sentences that report the outcomes of commands to the person."""
        return say_outcomes(self.hass, self.sentences, outcomes, self.run.utterance.language)

    async def async_ask_which(self, names: Iterable[str]) -> str:
        """Ask the person which of these is meant; return the reply as text for the model."""
        named = self.sentences.joined(names)
        return await self.run.async_ask(self.sentences.say("which_of_these", devices=named))


type Arguments = Mapping[str, Any]
"""The validated arguments of a call of a tool."""


def short(text: str) -> str:
    """Return `text` on one line, cut to 300 characters."""
    flat = " ".join(text.split())
    return flat if len(flat) <= _EXCHANGE_CHARACTERS else f"{flat[:_EXCHANGE_CHARACTERS]} ..."


class SageTool(llm.Tool):
    """Base class of SAGE's tools; each instance is for one command of a person.

    Each agent has its own tools; `tools/sage.py` lists those of the entry agent, which receives the
    utterance.
    """

    integration = DOMAIN

    def __init__(self, situation: Situation) -> None:
        self.situation = situation

    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> llm.ToolResult:
        """Call `async_use` with the validated arguments; raises probatio.Invalid."""
        try:
            return await self.async_use(self.parameters(dict(tool_input.tool_args)))
        except (HomeError, RoutineError) as err:
            return error_result(str(err))

    async def async_use(self, given: Arguments) -> llm.ToolResult:
        """Do the work of the tool. The model gets the text of a HomeError or RoutineError."""
        raise NotImplementedError

    def may_act(self, given: Mapping[str, Any]) -> bool:
        """Return whether a call may change something, also while the run `only_asks`."""
        return not self.annotations.read_only

    def is_same_call(self, given: Mapping[str, Any], call: Call) -> bool:
        """Return whether `call` calls this tool with the validated arguments `given`.

        The argument `final` is not compared, because it changes nothing in the home.
        """
        if call.tool != short_name(self):
            return False
        try:
            own = self.parameters(dict(call.arguments))
        except probatio.Invalid:
            return False
        return bool({**own, "final": None} == {**given, "final": None})

    async def async_declined(
        self, question: str, outcome: str = "Nothing was changed", *, short: str = ""
    ) -> llm.ToolResult | None:
        """Ask the person; return None for a yes, otherwise an error with `outcome`."""
        match await self.situation.authority.async_agree(question, short):
            case Confirmation.GIVEN:
                return None
            case Confirmation.DECLINED:
                return error_result(f"The person said no. {outcome}. Do not try again.")
        return error_result(f"{outcome}: nobody can confirm it here, as without the PIN. Say so.")


def commands_given(
    given: Mapping[str, Any], asked_for: Callable[[], Awaitable[bool]] | None = None
) -> list[Command]:
    """Return a command for each of the `devices` in the arguments of a tool call.

    `given`: also `command`, and perhaps `component` and `arguments`. A component that is one of the
    devices says nothing: small models fill it in.
    """
    devices, component = dict.fromkeys(given["devices"]), given.get("component")
    return [
        Command(
            device_id=device,
            name=given["command"],
            component_id=component if component and component not in devices else None,
            arguments=given.get("arguments") or {},
            asked_for=asked_for,
        )
        for device in devices
    ]
