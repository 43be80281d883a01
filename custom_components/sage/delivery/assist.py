"""Answer questions of routines (stored commands) in Assist by yes, no or the PIN.

Only signed-in people can answer in Assist, and only if the conversation itself has no open
question. Any other utterance is a normal request. A yes must not answer a question that the person
has not heard. So if several questions are open, or the conversation had another topic, SAGE first
asks the oldest question.
"""

import asyncio
from dataclasses import dataclass
from typing import Final

from homeassistant.core import HomeAssistant

from ..agent.run import End, EndKind, Question
from ..people.confirmation_words import Said, confirmation_words
from ..people.person import Person
from ..people.spoken_digits import is_like_pin
from ..text.speech import async_load_sentences
from .open_questions import OpenQuestion, questions_of

_SECONDS: Final = 60.0
"""Maximum seconds that Assist waits for the result; a later result is delivered separately."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AssistReply:
    """An utterance in Assist that is a reply to a question of a routine."""

    question: OpenQuestion
    conversation_id: str
    user_id: str
    language: str
    text: str | None
    """The reply; None if SAGE must first ask the question in this conversation."""

    is_secret: bool
    """Whether the utterance may contain the PIN, so no model, memory or trace may get it."""

    async def async_give(self, hass: HomeAssistant) -> Question | End:
        """Pass the reply to the routine; return its next question or the final result.

        If SAGE has not yet asked the question in this conversation, return the question instead.
        """
        sentences = await async_load_sentences(hass, self.language)
        if self.question.reply.done():
            return End(EndKind.FAILURE, sentences.say("routine_answered_already"))
        if self.text is None:
            asked = self.question.text
            is_only = len(questions_of(hass).of(self.user_id)) == 1
            put = asked if is_only else sentences.say("routine_asks_several", question=asked)
            return self._put(hass, Question(put), asked)
        self.question.answer(self.text, is_signed_in=True)
        await asyncio.wait((self.question.then,), timeout=_SECONDS)
        if not self.question.then.done():
            return End(EndKind.ANSWER, sentences.say("routine_answered"))
        if self.question.then.cancelled():
            return End(EndKind.FAILURE, sentences.say("stopped"))
        told = self.question.then.result()
        if isinstance(told, Question):
            return self._put(hass, told, told.text)
        return told if told.text else End(told.kind, sentences.say("routine_answered"))

    def _put(self, hass: HomeAssistant, question: Question, asked: str) -> Question:
        questions_of(hass).note_put(self.conversation_id, self.user_id, self.question, asked)
        return question


async def async_reply_in_assist(
    hass: HomeAssistant,
    person: Person,
    conversation_id: str,
    text: str,
    language: str,
    *,
    is_first: bool,
) -> AssistReply | None:
    """Return `text` as a reply to a question that a routine asked; None for a normal request.

    `is_first` is true for the first utterance of the conversation.
    """
    if person.user_id is None or not person.is_certain:
        return None
    found = questions_of(hass).in_assist(conversation_id, person.user_id)
    if found is None:
        return None
    question = found.question
    words = await hass.async_add_executor_job(confirmation_words)
    said = words.meaning(text, language)
    # After a question for the PIN, treat any other utterance as a misheard PIN.
    is_secret = said is Said.NEITHER and (
        (found.was_put and question.takes_pin and question.needs_pin)
        or (question.takes_pin and await _async_is_pin(hass, text, language))
    )
    if said is Said.NEITHER and not is_secret:
        return None
    is_meant = found.was_put or (found.is_only and is_first)
    return AssistReply(
        question=question,
        conversation_id=conversation_id,
        user_id=person.user_id,
        language=language,
        text=await _async_reply(hass, question, said, text) if is_meant else None,
        is_secret=is_secret,
    )


async def _async_is_pin(hass: HomeAssistant, text: str, language: str) -> bool:
    sentences = await async_load_sentences(hass, language)
    return is_like_pin(text, language, sentences.words("confirm_pin_words"))


async def _async_reply(hass: HomeAssistant, question: OpenQuestion, said: Said, text: str) -> str:
    """Return the reply, with a yes or no converted to the language of the question.

    A reply to a question that expects text is unchanged.
    """
    if said is Said.NEITHER or not question.is_for_code:
        return text
    sentences = await async_load_sentences(hass, question.language)
    return sentences.say("routine_yes" if said is Said.YES else "routine_no")
