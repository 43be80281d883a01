"""The repair flow that answers the question of a routine (DESIGN 8).

Only its person can read and answer it; for the household, any administrator.
"""

from typing import Final

import probatio
from homeassistant.components.repairs import RepairsFlow, RepairsFlowResult
from homeassistant.helpers.selector import TextSelector, TextSelectorConfig, TextSelectorType

from ..delivery.open_questions import OpenQuestion, questions_of
from ..speech import async_load_sentences
from .fix_flow import async_looker

_ANSWER: Final = "answer"


class QuestionFlow(RepairsFlow):
    """Shows the question of a routine and accepts the answer."""

    def __init__(self, question_id: str) -> None:
        """Keep the id of the question."""
        self._question_id = question_id

    async def async_step_init(self, user_input: dict[str, str] | None = None) -> RepairsFlowResult:
        """Show the question to a user who may answer it."""
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
        """Answer with a yes."""
        return await self._async_answer("routine_yes")

    async def async_step_no(self, user_input: dict[str, str] | None = None) -> RepairsFlowResult:
        """Answer with a no."""
        return await self._async_answer("routine_no")

    async def async_step_words(self, user_input: dict[str, str] | None = None) -> RepairsFlowResult:
        """Answer in words, or with the PIN."""
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
        # In the language of the routine, like the buttons of an app.
        sentences = await async_load_sentences(self.hass, question.language)
        question.answer(sentences.say(key), is_signed_in=True)
        return self.async_create_entry(data={})

    async def _async_question(self) -> OpenQuestion | None:
        """Return the question if it is open and the user may answer it."""
        user_id = (await async_looker(self.hass)).person.user_id
        own = questions_of(self.hass).of(user_id) if user_id is not None else ()
        return next((each for each in own if each.id == self._question_id), None)
