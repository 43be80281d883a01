"""The base class of SAGE's tools, and the parts of a run that they share."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import probatio
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm

from ..agent.decision import Call
from ..agent.example_turns import turns_of
from ..agent.formats import Example
from ..agent.run import Run
from ..agent.tool import short_name
from ..const import DOMAIN
from ..external import PersonExternal
from ..home.commands.evidence import Evidence
from ..home.commands.outcome_text import say_outcomes
from ..home.home_types import Outcome
from ..home.run_home import RunHome
from ..text.speech import Sentences
from .confirmation import RunAuthority
from .routines.run_routines import RunRoutines
from .run_memory import RunMemory
from .tv_choice import TvChoice

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

_EXCHANGE_CHARACTERS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """A run and the parts of SAGE that its tools may use.

    `home`, `memory`, `routines` and `external` act for the person of the run. The first three
    record all use in `evidence`; for `external`, `ExternalTool` does.
    """

    hass: HomeAssistant
    run: Run
    home: RunHome
    memory: RunMemory
    routines: RunRoutines
    external: PersonExternal
    evidence: Evidence
    authority: RunAuthority
    sentences: Sentences
    llm_context: llm.LLMContext
    tv_choice: TvChoice = field(default_factory=TvChoice)

    def prompt(self, name: str) -> str:
        """Return the prompt `name`."""
        return self.run.settings.prompts[name]

    @property
    def shows_turns(self) -> bool:
        """Whether prompts show examples as turns: for small models that write decisions as text."""
        settings = self.run.settings
        is_text = settings.decision_format.name != "native"
        return settings.confuses_later and is_text and not settings.paper_flow

    def turns(self, name: str) -> tuple[Example, ...]:
        """Return the example turns `name`; empty for models that do not need them."""
        return tuple(turns_of(self.prompt(name))) if self.shows_turns else ()

    def task_text(self, task: str, *, with_request: bool = True) -> str:
        """Return the changing part of the prompt of an inner agent-tool.

        SAGE worded `task`. The text also contains the last change, and the request if it differs
        from the task.
        """
        utterance = self.run.utterance
        lines = self.here_and_now()
        done = [each for each in utterance.earlier if each.done][-1:]
        lines += [f'Before: "{short(each.said)}": {short(each.done)}' for each in done]
        if with_request and task.strip() != utterance.text.strip():
            lines.append(f'The person said: "{utterance.text}"')
        return "\n".join([*lines, f"Task: {task}"])

    def here_and_now(self) -> list[str]:
        """Return the lines with time, room and person."""
        utterance = self.run.utterance
        lines = [f"Time: {utterance.now:%A %Y-%m-%d %H:%M}"]
        if utterance.room:
            lines.append(f"The person is in: {utterance.room}")
        name = utterance.person.name if utterance.person.is_known else "not known"
        lines.append(f"Person: {name}. Their language: {utterance.language}.")
        if utterance.extra_prompt:
            lines.append(utterance.extra_prompt)
        return lines

    def say_outcomes(self, outcomes: Sequence[Outcome]) -> str:
        """Return the outcomes of commands as sentences for the person."""
        return say_outcomes(self.hass, self.sentences, outcomes, self.run.utterance.language)


def short(text: str) -> str:
    """Return a text of an earlier turn on one line, at most 300 characters of it."""
    flat = " ".join(text.split())
    return flat if len(flat) <= _EXCHANGE_CHARACTERS else f"{flat[:_EXCHANGE_CHARACTERS]} ..."


class SageTool(llm.Tool):
    """A tool of SAGE, built for one run.

    `tools/sage.py` lists the tools of the entry agent, `tools/device_interaction.py` and
    `tools/routines/condition_code_writing.py` those of the inner agents.
    """

    integration = DOMAIN

    def __init__(self, situation: Situation) -> None:
        self.situation = situation

    def arguments(self, tool_input: llm.ToolInput) -> dict[str, Any]:
        """Return the checked arguments; raises probatio.Invalid."""
        checked: dict[str, Any] = self.parameters(dict(tool_input.tool_args))
        return checked

    def is_same_call(self, given: Mapping[str, Any], call: Call) -> bool:
        """Return whether a call of the model is one of this tool with these checked arguments.

        `final` may differ: it has no effect outside the run.
        """
        if call.tool != short_name(self):
            return False
        try:
            own = self.parameters(dict(call.arguments))
        except probatio.Invalid:
            return False
        return bool({**own, "final": None} == {**given, "final": None})
