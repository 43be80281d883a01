"""Fix flows for two repair issues: a stopped routine, and a question of a routine.

Only administrators can open repair issues. A flow shows

- code and error of a stopped routine: only to the owner of the routine;
- a question: only to the person whom the routine asks;
- routines and questions of the household: to every administrator.
"""

import re
from typing import Final

import probatio
from homeassistant.components.http.const import KEY_HASS_USER
from homeassistant.components.repairs import RepairsFlow, RepairsFlowResult
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import AbortFlow
from homeassistant.helpers.http import current_request
from homeassistant.helpers.selector import TextSelector, TextSelectorConfig, TextSelectorType

from ...const import DOMAIN
from ...delivery.open_questions import OpenQuestion, questions_of
from ...run.runtime import SageConfigEntry
from ...text.speech import async_load_sentences
from ..routine_types import Condition, Routine, RoutineError, Status
from ..routines import Routines
from ..sandbox.sandbox_types import Fault
from .permissions import Caller, async_caller

_PRIVATE: Final = frozenset({Status.FAILING, Status.NOT_EXPOSED})
"""Statuses for which the fix flow shows private details: the error and the code."""

_ANSWER: Final = "answer"


class RoutineFixFlow(RepairsFlow):
    """Shows why SAGE stopped a routine, and resumes or deletes the routine."""

    def __init__(self, routine_id: str) -> None:
        self._routine_id = routine_id

    async def async_step_init(self, user_input: dict[str, str] | None = None) -> RepairsFlowResult:
        """Show the error if the user may see it, otherwise only the number of the routine."""
        if (routine := self._routine) is None:
            return self.async_create_entry(data={})
        caller = await async_looker(self.hass)
        if routine.status in _PRIVATE and not _may_read(caller, routine):
            return await self.async_step_others()
        return self._menu("init", routine, **_details(routine))

    async def async_step_others(
        self, user_input: dict[str, str] | None = None
    ) -> RepairsFlowResult:
        """Show only the number of the routine, which belongs to another person."""
        if (routine := self._routine) is None:
            return self.async_create_entry(data={})
        return self._menu("others", routine)

    async def async_step_resume(
        self, user_input: dict[str, str] | None = None
    ) -> RepairsFlowResult:
        """Resume the routine."""
        try:
            if self._routine is not None:
                await self._routines.async_resume(self._routine_id)
        except RoutineError as err:
            return self._unchanged(err)
        return self.async_create_entry(data={})

    async def async_step_delete(
        self, user_input: dict[str, str] | None = None
    ) -> RepairsFlowResult:
        """Delete the routine."""
        try:
            if self._routine is not None:
                await self._routines.async_delete(self._routine_id)
        except RoutineError as err:
            return self._unchanged(err)
        return self.async_create_entry(data={})

    def _menu(self, step_id: str, routine: Routine, **details: str) -> RepairsFlowResult:
        return self.async_show_menu(
            step_id=step_id,
            menu_options=["resume", "delete"],
            description_placeholders={"number": str(routine.number), **details},
        )

    def _unchanged(self, err: RoutineError) -> RepairsFlowResult:
        return self.async_abort(reason="unchanged", description_placeholders={"error": str(err)})

    @property
    def _entry(self) -> SageConfigEntry:
        entries: list[SageConfigEntry] = self.hass.config_entries.async_loaded_entries(DOMAIN)
        if not entries:
            raise AbortFlow("not_loaded")
        return entries[0]

    @property
    def _routines(self) -> Routines:
        return self._entry.runtime_data.routines

    @property
    def _routine(self) -> Routine | None:
        try:
            watched = self._routines.get(self._routine_id)
        except RoutineError as err:
            raise AbortFlow("unchanged", {"error": str(err)}) from err
        return None if watched is None else watched.routine


async def async_looker(hass: HomeAssistant) -> Caller:
    """Return the user of the current HTTP request, who has opened the repair issue."""
    request = current_request.get()
    user = request.get(KEY_HASS_USER) if request is not None else None
    return await async_caller(hass, user.id if user is not None else None)


def _may_read(caller: Caller, routine: Routine) -> bool:
    return routine.owner is None or caller.owns(routine)


def _details(routine: Routine) -> dict[str, str]:
    if routine.status not in _PRIVATE:
        return {}
    conditions = (routine.trigger, routine.end)
    code = "\n".join(each.source for each in conditions if isinstance(each, Condition))
    trouble = routine.trouble
    error = trouble and (trouble.detail if trouble.fault is Fault.WITHHELD else str(trouble))
    return {"error": error or "", "code": _fenced(code)}


def _fenced(code: str) -> str:
    """Return code as a Markdown code block; backticks in the code cannot end the block."""
    longest = max((len(each) for each in re.findall("`+", code)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}python\n{code}\n{fence}"


class QuestionFlow(RepairsFlow):
    """Shows a question that a routine asks, and passes the answer to the routine."""

    def __init__(self, question_id: str) -> None:
        self._question_id = question_id

    async def async_step_init(self, user_input: dict[str, str] | None = None) -> RepairsFlowResult:
        """Show the question; abort if the user may not answer it."""
        question = await self._async_question()
        if question is None:
            return self.async_abort(reason="not_yours")
        shown = {"question": question.text}
        if question.is_yes_or_no:
            return self.async_show_menu(
                step_id="init", menu_options=["yes", "no"], description_placeholders=shown
            )
        kind = TextSelectorType.PASSWORD if question.takes_pin else TextSelectorType.TEXT
        field = TextSelector(TextSelectorConfig(type=kind))
        return self.async_show_form(
            step_id="words",
            data_schema=probatio.Schema({probatio.Required(_ANSWER): field}),
            description_placeholders=shown,
        )

    async def async_step_yes(self, user_input: dict[str, str] | None = None) -> RepairsFlowResult:
        """Answer the question with yes."""
        return await self._async_answer("routine_yes")

    async def async_step_no(self, user_input: dict[str, str] | None = None) -> RepairsFlowResult:
        """Answer the question with no."""
        return await self._async_answer("routine_no")

    async def async_step_words(self, user_input: dict[str, str] | None = None) -> RepairsFlowResult:
        """Answer the question with the typed text or PIN."""
        question = await self._async_question()
        reply = (user_input or {}).get(_ANSWER, "").strip()
        if question is None or not reply:
            return await self.async_step_init()
        question.answer(reply, is_signed_in=True)
        return self.async_create_entry(data={})

    async def _async_answer(self, key: str) -> RepairsFlowResult:
        question = await self._async_question()
        if question is None:
            return self.async_abort(reason="not_yours")
        # Answer in the language of the routine, as the buttons of a notification do.
        sentences = await async_load_sentences(self.hass, question.language)
        question.answer(sentences.say(key), is_signed_in=True)
        return self.async_create_entry(data={})

    async def _async_question(self) -> OpenQuestion | None:
        """Return the question if it is open and the user may answer it; otherwise None."""
        user_id = (await async_looker(self.hass)).person.user_id
        own = questions_of(self.hass).of(user_id) if user_id is not None else ()
        return next((each for each in own if each.id == self._question_id), None)
