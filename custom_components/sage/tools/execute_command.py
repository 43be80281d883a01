"""The tool with which the model executes device commands (SAGE paper, section III-B)."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import Any, Final

import probatio
from homeassistant.helpers import llm

from ..agent import (
    About,
    Call,
    FinishKind,
    JointTool,
    Run,
    SecondReplied,
    error_result,
    final_answer,
    text_result,
)
from ..home import Command, HomeError, NoCommandError, Outcome, describe_for_model, leaves
from ..model import ModelRequest, first_object, object_schema
from .sage_tool import DEVICES, WRITES, SageTool, Situation, commands_given


class Timing(StrEnum):
    """The time at which a request should be executed."""

    NOW = "now"
    LATER = "later"  # after an event or at a given time


TIMING: Final = probatio.Required(
    "timing",
    description=(
        "now: also if only on a condition about now; later, which is done elsewhere: something has "
        "to happen first, or a time has to come"
    ),
)
"""The schema key `timing` of the tools that execute requests immediately."""

TIMINGS: Final = probatio.In([each.value for each in Timing])

CHANGE: Final = "change"
TELL: Final = "tell"
EVENT: Final = "event"
_TIME: Final = "time"
_NOTHING: Final = "nothing"
_WAITS_SCHEMA: Final = object_schema(
    {"waits_for": {"type": "string", "enum": [EVENT, _TIME, _NOTHING]}}
)
"""JSON schema of the reply to "does the request wait for an event or a time?".

Small models answer this question more reliably than "now or later?".
"""

_LATER: Final = (
    "Nothing was done: this tool acts at once. For a time call `condition_polling`; if something "
    "has to happen first, `condition_code_writing`, then `condition_polling`. What is for now "
    "goes here, by itself."
)
_ITS_TIME: Final = (
    "Nothing was done, but the time of this routine has come: call this again with `timing` now. "
    "Only for what waits for something else still: `condition_polling`."
)


@dataclass(frozen=True, slots=True)
class JudgedTiming:
    """The model's replies to separate questions: what the request waits for, what it wants."""

    waits_for: str
    wants: str = ""
    """The reply to the other question, what the request wants."""

    then: str = ""
    """`CHANGE` or `TELL`: what an event is to lead to."""

    is_set_up: bool = False
    """Whether the model tried to set something up that waits for no time."""

    was_told: bool = False
    """Whether a tool has refused to act now for this reason; the model may know better then."""

    @property
    def is_later(self) -> bool:
        """Whether the request waits for an event or a time."""
        return self.waits_for in (EVENT, _TIME)

    @property
    def wish(self) -> str:
        """`CHANGE`, `TELL` or `EVENT` if both replies agree or it was tried; otherwise empty."""
        if self.is_set_up:
            return EVENT
        is_sure = self.is_later is (self.wants == EVENT) and self.waits_for != _TIME
        return self.wants if is_sure else ""


def wish_of(run: Run) -> str:
    """Return what the request wants, as far as the model was asked (`JudgedTiming.wish`)."""
    judged = run.record.all(JudgedTiming)
    return judged[-1].wish if judged else ""


_WISHES: Final = (CHANGE, TELL, EVENT, _TIME, "other")


def wish_question(
    situation: Situation, request: str, wishes: Sequence[str] = _WISHES
) -> ModelRequest:
    """Return the model request that asks which of `wishes` describes `request`."""
    return situation.run.settings.json_request(
        situation.prompt("wish"),
        f"Request: {request}",
        schema=object_schema({"wants": {"type": "string", "enum": [*wishes]}}),
    )


async def _async_wanted(situation: Situation, *wishes: str) -> str:
    """Return the reply to `wish_question`; empty if it is none of `wishes`."""
    run = situation.run
    reply = await run.async_sample(wish_question(situation, run.utterance.text, wishes))
    wants = str((first_object(reply.text) or {}).get("wants"))
    return wants if wants in wishes else ""


async def async_wish(situation: Situation) -> str:
    """Return what the request wants: `CHANGE`, `TELL`, `EVENT`, or an empty text if unsure.

    In the midst of all else a small model takes a command for a question. So it is asked only for
    that, and only for what the request waits for; both replies must agree. For an event, it is
    also asked what is to happen then. Empty for a routine's command.
    """
    run = situation.run
    if run.settings.paper_flow or run.utterance.routine:
        return ""
    wants = await _async_wanted(situation, *_WISHES)
    if wants not in (CHANGE, TELL, EVENT):
        return ""
    then = "" if wants == EVENT else wants
    judged = replace(await _async_timing(situation), wants=wants, then=then)
    if judged.wish == EVENT and run.settings.schema_works:
        judged = replace(judged, then=await _async_wanted(situation, CHANGE, TELL))
    run.record.add(judged)
    return judged.wish


async def _async_timing(situation: Situation) -> JudgedTiming:
    """Return what the request waits for; the model is asked once per run."""
    run = situation.run
    if judged := run.record.all(JudgedTiming):
        return judged[-1]
    reply = await run.async_sample(timing_question(situation, run.utterance.text))
    made = JudgedTiming(str((first_object(reply.text) or {}).get("waits_for")))
    run.record.add(made)
    return made


async def async_note_later(situation: Situation) -> None:
    """Note that the request waits for an event, unless the model says that it waits for a time.

    For a model with `misjudges_timing` that sets something up for later and gives neither.
    """
    if situation.run.settings.misjudges_timing:
        judged = await _async_timing(situation)
        if judged.waits_for != _TIME:
            situation.run.record.add(replace(judged, waits_for=EVENT, is_set_up=True))


def timing_question(situation: Situation, request: str) -> ModelRequest:
    """Return the model request that asks whether `request` is meant for now or for later."""
    return situation.run.settings.json_request(
        situation.prompt("later"), f"Request: {request}", schema=_WAITS_SCHEMA
    )


async def async_refusal(situation: Situation, given: Mapping[str, Any]) -> llm.ToolResult | None:
    """Return an error for the model if the person's request is for later; otherwise None.

    `given`: the arguments of a tool call; the model decides with its argument `timing`.

    A model with the setting `misjudges_timing` often chooses a wrong `timing`. So it must answer a
    separate question, once per run. The question is omitted, and the request is for now, if a
    routine started the run, or if the run has written a condition or a routine.
    """
    run = situation.run
    is_later, fired = given.get("timing") == Timing.LATER, run.utterance.routine
    settings = run.settings
    misjudges_timing = settings.misjudges_timing or (
        settings.second_misjudges_timing and bool(run.record.all(SecondReplied))
    )
    if misjudges_timing and not settings.paper_flow:
        if fired is not None or situation.routines.written or situation.evidence.routines:
            is_later = False
        else:
            judged = await _async_timing(situation)
            is_later = judged.is_later and (is_later or not judged.was_told)
            if is_later:
                run.record.add(replace(judged, was_told=True))
    if not is_later:
        return None
    return error_result(_LATER if fired is None else _ITS_TIME)


_NAME: Final = "execute_command"
_COMMAND: Final = ("devices", "command", "component", "arguments")
"""The tool arguments that define a command."""

_STARTS: Final = ("turn_on", "on")  # commands that switch a TV on without arguments
_LOOKS_FOR_MEDIA: Final = ("search_media", "browse_media")
_OF_MEDIA: Final = ("play_media", "browse_media")
"""Commands that search the library of a player, and those that use what was found there."""

_ENQUEUED: Final = frozenset({"play", "next", "add", "replace"})

_CHANNEL: Final = "channel"  # the media type, which a command may have besides a channel's name


_MOST_ASKED: Final = 4  # maximum number of devices in the question to the person
_MOST_EQUALS: Final = 8  # maximum number of devices or words in the error `_PICKED`
_PICKED: Final = (
    "Nothing was done: as far as the words of the request go, these are meant as well: {}.{} Call "
    "again with those that are meant. If the home does not have what the request names, `finish` "
    "with kind `could_not`; if only the person can tell which, with kind `asked`."
)
_HAVING: Final = "Of the devices in the prompt, these have this command: {}."


class ExecuteCommand(JointTool, SageTool):
    """Executes one command on one or several devices and returns the outcomes."""

    name = f"sage__{_NAME}"
    title = "Execute command"
    description = "Execute one documented command on one or several devices, and see its outcome."
    annotations = WRITES
    parameters = probatio.Schema(
        {
            probatio.Required("devices", description=DEVICES): [str],
            probatio.Required("command", description="name of the command"): str,
            probatio.Optional(
                "arguments", description="values by argument name, {} for none"
            ): dict,
            probatio.Optional(
                "component",
                description=(
                    "id after the device's in the documentation, as written there, if it has one"
                ),
            ): str,
            probatio.Optional(
                "language", description="of the request, if it is not the person's: ISO 639-1"
            ): str,
        }
    )

    is_only_command = False
    """Whether its outcomes are the final answer, though no argument says so."""

    async def async_call_joint(
        self, tool_inputs: Sequence[llm.ToolInput], llm_context: llm.LLMContext
    ) -> Sequence[llm.ToolResult | probatio.Invalid]:
        """Validate, authorize and execute the commands of several calls.

        Returns the results in the order of the calls. The result of a call is one of these:

        - the outcomes of its commands, as text for the model
        - a final answer to the person (`Finish`)
        - an error text for the model
        - a `probatio.Invalid` exception if its arguments are invalid
        """
        results: list[llm.ToolResult | probatio.Invalid | None] = []
        accepted: list[tuple[Mapping[str, Any], Sequence[Command]]] = []
        objection: llm.ToolResult | None = None
        is_judged = not self.situation.run.settings.misjudges_timing
        for tool_input in tool_inputs:
            result: llm.ToolResult | probatio.Invalid | None = None
            try:
                given = self.parameters(dict(tool_input.tool_args))
                if "timing" in given:
                    result = await async_refusal(self.situation, given)
                if result is None and not given["devices"]:
                    result = error_result("`devices` needs the id of at least one device.")
                if result is None and not is_judged:
                    objection, is_judged = await self._async_objection(tool_inputs), True
                result = result or objection
                if result is None:
                    if language := given.get("language"):
                        await self.situation.authority.async_speak(language)
                    commands = commands_given(given, partial(self._async_asked_for, given))
                    accepted.append((given, commands))
            except probatio.Invalid as err:
                result = err
            results.append(result)
        executed = await self.situation.home.async_execute_sets([own for _, own in accepted])
        # The texts about hundreds of devices take milliseconds.
        await asyncio.sleep(0)
        done = (
            self._refused(given["command"], outcomes)
            if isinstance(outcomes, HomeError)
            else self._result(given, outcomes)
            for (given, _), outcomes in zip(accepted, executed, strict=True)
        )
        return [next(done) if each is None else each for each in results]

    async def _async_objection(self, tool_inputs: Sequence[llm.ToolInput]) -> llm.ToolResult | None:
        """Return a result if a small model picks some of equal devices, at its first attempt.

        The person is asked which of a few devices is meant, if the home has all that the request
        names. Else it is an error; the model may know better then, so its second attempt counts.
        """
        run = self.situation.run
        if run.record.has_failed(_NAME) or run.utterance.earlier or run.utterance.routine:
            return None
        chosen = [each for one in tool_inputs for each in one.tool_args.get("devices") or ()]
        others, unknown = await self.situation.home.async_equals(chosen)
        meant = (await self.situation.home.async_listing()).devices_named(chosen)[0]
        meant = (*meant, *others)
        if others and not unknown and len(meant) <= _MOST_ASKED:
            alike = Counter(each.name for each in meant)
            reply = await self.situation.async_ask_which(
                each.name if alike[each.name] == 1 else f"{each.name} ({each.area or each.id})"
                for each in meant
            )
            return error_result(f"Nothing was done yet. {reply}")
        shown = ", ".join(each.id for each in others[:_MOST_EQUALS])
        lacks = f" Nothing here is called {' or '.join(unknown[:_MOST_EQUALS])}." if unknown else ""
        return error_result(_PICKED.format(shown, lacks)) if others else None

    def _refused(self, command: str, error: HomeError) -> llm.ToolResult:
        """Return the error; for a command that a device lacks, also the shown ones that have it."""
        shown = self.situation.evidence.shown if isinstance(error, NoCommandError) else ()
        having = (
            each.device_id for each in shown if command in (own.name for own in each.commands)
        )
        able = ", ".join(list(dict.fromkeys(having))[:_MOST_EQUALS])
        return error_result(f"{error} {_HAVING.format(able)}" if able else str(error))

    def _result(self, given: Mapping[str, Any], outcomes: Sequence[Outcome]) -> llm.ToolResult:
        """Return complete outcomes as final answer if `final`, else as text for the model."""
        evidence = self.situation.evidence
        final = evidence.final_outcomes
        is_read = any(each.is_read or each.response for each in evidence.outcomes)
        is_complete = (
            (given.get("final") or self.is_only_command)
            and final
            and all(each.is_done for each in final)
            and self.situation.sentences.is_own_language
            and not (is_read or evidence.changed_others)
        )
        if not is_complete:
            # A title may be text of others: only a run that has read such text sees it.
            is_tainted = self.situation.run.record.is_tainted
            return text_result(describe_for_model(outcomes, shows_titles=is_tainted))
        answer = self.situation.say_outcomes(final)
        return final_answer(FinishKind.ACTED, answer, About.HOME, tells_run=True)

    async def _async_asked_for(self, given: Mapping[str, Any]) -> bool:
        """Return whether the person asked for a command, or it only selects what was looked for.

        Such a command only turns on TVs, or selects channels there, that the tool `tv_guide` found;
        or it browses or plays media that commands of this run have found.
        """
        allowed = [self.situation.tv_channels.get(each) or set() for each in given["devices"]]
        if allowed and all(allowed):
            texts = [text for _, text in leaves(given.get("arguments") or {})]
            if not texts and given["command"].rpartition(".")[2] in _STARTS:
                return True
            names = [each for each in texts if each != _CHANNEL]
            if names and allowed[0].intersection(*allowed[1:]).issuperset(names):
                return True

        if given["command"].rpartition(".")[2] in _OF_MEDIA and self._are_from_library(
            given.get("arguments") or {}
        ):
            return True

        def is_same(call: Call) -> bool:
            return call.tool == _NAME and all(
                (call.arguments.get(each) or None) == (given.get(each) or None) for each in _COMMAND
            )

        return await self.situation.run.async_asked_for(is_same)

    def _are_from_library(self, arguments: Mapping[str, Any]) -> bool:
        """Return whether all texts in the arguments of a command come from a search for media."""
        found = {
            value
            for outcome in self.situation.evidence.outcomes
            if outcome.is_read and outcome.command in _LOOKS_FOR_MEDIA
            for _, value in leaves(first_object(outcome.response) or {})
            if isinstance(value, str)
        }
        texts = {
            text
            for _, value in leaves(arguments)
            if isinstance(value, str)
            for _, text in leaves(first_object(value) or [value])
        }
        return bool(found) and texts <= found | _ENQUEUED


_FINAL: Final = (
    "true: with the calls of this reply all is done, and without a `finish` among them the home "
    "tells the person what happened; false: more is to be done"
)
_IN_FULL: Final = probatio.Schema(
    {
        **ExecuteCommand.parameters.schema,
        TIMING: TIMINGS,
        probatio.Required("final", description=_FINAL): bool,
    }
)
_IN_SHORT: Final = probatio.Schema(
    {
        **ExecuteCommand.parameters.schema,
        probatio.Optional("timing", default=Timing.NOW.value): TIMINGS,
        probatio.Optional("final", default=True, description=_FINAL): bool,
    }
)
"""For models with `misjudges_timing`, which get a separate question about timing."""


class DirectCommand(ExecuteCommand):
    """The entry agent's command tool; the outcomes can be the final answer."""

    def __init__(self, situation: Situation) -> None:
        super().__init__(situation)
        self.parameters = _IN_SHORT if situation.run.settings.misjudges_timing else _IN_FULL
