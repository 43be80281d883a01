"""The memory tool, for "remember that ...", "that is wrong, ..." and "forget ...".

SAGE stores utterances also without this tool. Before a deletion, SAGE reads the memories out and
asks for confirmation.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import partial
from typing import Any, Final

import probatio
from homeassistant.helpers import llm

from ..agent import About, FinishKind, error_result, final_answer, short_name, text_result
from ..memory import (
    Memory,
    MemoryStoreError,
    Origin,
    PersonMemory,
    Sentence,
    contains,
    is_question,
    sentences_of,
    whole_days,
)
from ..people import Said, async_languages, async_meaning
from ..storage import FileFault
from ..text import Verbatim, verbatim, visible
from .execute_command import CHANGE, wish_of
from .sage_tool import WRITES, Arguments, SageTool, Situation

_LOGGER = logging.getLogger(__name__)

_NAMED: Final = 3  # maximum memories read out before a deletion; the others are counted
_NOTHING_FITS: Final = text_result(
    "No memory fits: nothing to forget. Finish with kind `could_not`."
)
_NOT_FORGOTTEN: Final = "Nothing was forgotten"


class MemoryAction(StrEnum):
    """The actions of the memory tool."""

    REMEMBER = "remember"
    CORRECT = "correct"
    FORGET = "forget"
    FORGET_PERIOD = "forget_period"
    FORGET_EVERYTHING = "forget_everything"
    PAUSE = "pause"
    RESUME = "resume"


class MemoryTool(SageTool):
    """Stores, corrects and deletes memories."""

    name = "sage__memory"
    title = "Remember"
    description = (
        "Only when the person asks in words to remember, correct or forget something about "
        "them: `remember` or `correct` with the whole fact as `text`, which is kept instead of the "
        "request; `forget` with the topic as `text`, in as few words as name it, never for what is "
        "set up for later (`routines`); "
        "`forget_period` with `first_day` and `last_day`; "
        "`forget_everything`; `pause` and `resume` remembering. It asks the person itself before "
        "anything is forgotten."
    )
    annotations = WRITES
    parameters = probatio.Schema(
        {
            probatio.Required("action"): probatio.In([each.value for each in MemoryAction]),
            probatio.Optional("text", description="in the person's own words"): str,
            probatio.Optional("first_day", description="YYYY-MM-DD"): str,
            probatio.Optional("last_day", description="YYYY-MM-DD"): str,
        },
        extra=probatio.REMOVE_EXTRA,
    )

    async def async_use(self, given: Arguments) -> llm.ToolResult:
        """Execute the action for the person who gave the command.

        If the memory cannot be used, returns an error for the model, with one exception: if the
        memory file is unusable and no device command was executed yet, the final answer to the
        person reports it.
        """
        try:
            return await self._async_do(MemoryAction(given["action"]), given)
        except ValueError as err:
            return error_result(str(err))
        except MemoryStoreError as err:
            _LOGGER.warning("The memory could not be used: %s", err)
            # If commands were executed, the model writes the answer, which must also report them.
            if (why := err.fault) is not None and not self.situation.evidence.wrote:
                return memory_fault(self.situation, why)
            return error_result(
                f"The memory cannot be used right now, so this was not done. {err} Finish with "
                "kind `could_not`."
            )

    async def _async_do(self, action: MemoryAction, given: Mapping[str, Any]) -> llm.ToolResult:
        text = (given.get("text") or "").strip()
        match action:
            case MemoryAction.REMEMBER:
                return await self._async_remember(given, text, Origin.TOLD)
            case MemoryAction.CORRECT:
                return await self._async_remember(given, text, Origin.CORRECTED)
            case MemoryAction.FORGET:
                return await self._async_forget_topic(text)
            case MemoryAction.FORGET_PERIOD:
                return await self._async_forget_period(given)
            case MemoryAction.FORGET_EVERYTHING:
                return await self._async_forget_everything()
            case MemoryAction.PAUSE:
                return await self._async_switch(given, on=False)
            case MemoryAction.RESUME:
                return await self._async_switch(given, on=True)

    async def _async_remember(
        self, given: Mapping[str, Any], text: str, origin: Origin
    ) -> llm.ToolResult:
        if not text:
            return error_result("`text` must hold what is to be remembered.")
        situation = self.situation
        source = await situation.memory.async_source(text, await self._async_sentences())
        has_failed = situation.run.record.has_failed(short_name(self))
        is_weak = situation.run.settings.misjudges_timing and not has_failed
        if source is None or (source.needs_yes and is_weak):
            return self._not_said(source, is_final=has_failed)
        is_own = await situation.run.async_asked_for(partial(self.is_same_call, given))
        if source.is_own and not (source.needs_yes or contains(source.text, text)):
            # The model's words may say more or something else.
            text = source.text
        if not is_own or source.needs_yes:
            key = "memory_ask" if is_own else "memory_tainted"
            question = situation.sentences.say(key, text=text)
            if (no := await self.async_declined(question, "Nothing was remembered")) is not None:
                return no
        # A small model would say that the person "has been remembered".
        is_said = situation.run.settings.misjudges_timing and self._may_answer
        stored = await situation.memory.async_remember(
            text,
            origin,
            tainted=not is_own,
            question=source.question if text == source.text else None,
        )
        if stored is None:
            return error_result(
                "Remembering is paused for this person, so nothing was kept. They can say "
                "that it is to be resumed."
            )
        if is_said and wish_of(situation.run) != CHANGE:
            kept = situation.sentences.say("memory_kept", text=text)
            return final_answer(FinishKind.ACTED, kept, About.MEMORY)
        return text_result(f"Remembered: {stored.line}. Finish with kind `acted`.")

    @property
    def _may_answer(self) -> bool:
        """Whether a sentence of SAGE about the memory is all that there is to be said."""
        evidence = self.situation.evidence
        has_more = evidence.wrote or evidence.changed_others
        return self.situation.sentences.is_own_language and not has_more

    async def _async_sentences(self) -> list[Sentence]:
        """Return what was said in this conversation, the person's latest words first."""
        situation, run = self.situation, self.situation.run
        utterance = run.utterance
        languages = (utterance.language, *await async_languages(situation.hass, run.person))
        turns = [("", turn.said, turn.answered) for turn in utterance.earlier]
        turns.append(("", utterance.text, ""))
        turns += [(replied.question, replied.reply, "") for replied in run.replies]
        asks = is_question(turns[-1][1])
        sentences: list[Sentence] = []
        before = ""
        for asked, said, answered in turns:
            before = asked or before
            own = sentences_of(said)
            for text in own if len(own) == 1 else (*own, said):
                needs_yes = asks or is_question(text)
                sentences.append(Sentence(text=text, question=asked or None, needs_yes=needs_yes))
            if before:
                # "Shall I remember that you like tea?" - "Yes."
                is_yes = await async_meaning(situation.hass, said, languages) is Said.YES
                sentences.append(Sentence(text=before, is_own=False, needs_yes=asks or not is_yes))
            before = answered
        return [sentence for sentence in reversed(sentences) if sentence.text.strip()]

    def _not_said(self, source: Sentence | None, *, is_final: bool) -> llm.ToolResult:
        """Return why nothing is remembered; the second time as a final answer, if possible."""
        if is_final and self._may_answer:
            answer = self.situation.sentences.say("memory_not_said")
            return final_answer(FinishKind.COULD_NOT, answer, About.MEMORY)
        if source is None:
            said = self.situation.run.utterance.text
            return error_result(
                f'Nothing was remembered: the person did not say that, but "{said}". Do what that '
                "asks for. Only if it is to be remembered: `text` in exactly these words."
            )
        return error_result(
            f'Nothing was remembered: "{source.text}" only asks. For what is known about the '
            "person: `personalization`. Only if it asks to remember: call this again."
        )

    async def _async_forget_topic(self, topic: str) -> llm.ToolResult:
        if not topic:
            return error_result("`text` must say what is to be forgotten.")
        found = await self.situation.memory.async_find(topic)
        ids = [each.id for each in found]
        return await self._async_forget(found, partial(PersonMemory.forget, ids=ids))

    async def _async_forget_period(self, given: Mapping[str, Any]) -> llm.ToolResult:
        start, end = whole_days(given.get("first_day"), given.get("last_day"))
        found = await self.situation.memory.async_look(PersonMemory.said_within, start, end)
        period = partial(PersonMemory.forget_period, start=start, end=end)
        return await self._async_forget(found, period)

    async def _async_forget_everything(self) -> llm.ToolResult:
        situation = self.situation
        count = await situation.memory.async_look(PersonMemory.count)
        if not count:
            return _NOTHING_FITS
        question = situation.sentences.say("forget_all", count=str(count))
        if (no := await self.async_declined(question, _NOT_FORGOTTEN)) is not None:
            return no
        await situation.memory.async_forget(PersonMemory.forget_all)
        return _forgotten(count)

    async def _async_forget(
        self, found: Sequence[Memory], forget: Callable[[PersonMemory], int]
    ) -> llm.ToolResult:
        """Ask before `found` is deleted; `forget` deletes it."""
        if not found:
            return _NOTHING_FITS
        say = self.situation.sentences.say
        texts = Verbatim("; ".join(f'"{verbatim(each.text)}"' for each in found))
        question = visible(say("forget_these", texts=texts))
        more = len(found) - _NAMED
        first = "; ".join(f'"{each.text}"' for each in found[:_NAMED])
        short = visible(say("forget_many", texts=first, more=str(more))) if more > 0 else ""
        if (no := await self.async_declined(question, _NOT_FORGOTTEN, short=short)) is not None:
            return no
        await self.situation.memory.async_forget(forget)
        return _forgotten(len(found))

    async def _async_switch(self, given: Mapping[str, Any], *, on: bool) -> llm.ToolResult:
        say = self.situation.sentences.say
        if not await self.situation.run.async_asked_for(partial(self.is_same_call, given)):
            question = f"{say('outside_read')} {say(f'memory_{given["action"]}_ask')}"
            if (no := await self.async_declined(question)) is not None:
                return no
        await self.situation.memory.async_set_enabled(enabled=on)
        return text_result(
            ("Remembering goes on." if on else "Nothing more is remembered until it is resumed.")
            + " Finish with kind `acted`."
        )


def _forgotten(count: int) -> llm.ToolResult:
    return text_result(f"Forgotten: {count}. Finish with kind `acted`.")


def memory_fault(situation: Situation, fault: FileFault) -> llm.ToolResult:
    """Return a final answer that explains why the memory of the person cannot be used."""
    answer = situation.sentences.say(f"memory_fault_{fault}")
    return final_answer(FinishKind.COULD_NOT, answer, About.MEMORY)
