"""The personalization tool (SAGE paper, section on personalization).

The model answers a question from the profile and the matching memories of the person who gave the
command. It cannot choose another person.
"""

import logging
from collections.abc import Sequence
from typing import Any, Final

import probatio
from homeassistant.helpers import llm

from ..agent import (
    About,
    FinalResult,
    Finish,
    FinishKind,
    async_asks_about_person,
    error_result,
    final_answer,
    text_result,
)
from ..memory import (
    Memory,
    MemoryStoreError,
    Origin,
    PersonMemory,
    Recollection,
    contains,
    is_question,
)
from ..model import first_object, object_schema
from ..storage import FileFault
from ..text import Sentences, fenced
from .memory import memory_fault
from .sage_tool import READ_ONLY, Arguments, SageTool, Situation

_LOGGER = logging.getLogger(__name__)

_MOST_TOKENS: Final = 300

_SCHEMA: Final = object_schema(
    {
        "known": {"type": "boolean"},
        "answer": {"type": "string"},
        "rests_on": {"type": "array", "items": {"type": "integer"}, "maxItems": 8},
    }
)

_MOST_TOLD: Final = 12
_MOST_SAID: Final = 5
_MOST_CONCLUDED: Final = 8
"""_MOST_TOLD, _MOST_SAID and _MOST_CONCLUDED limit the list of everything known about a person.

They are maximum numbers of facts, utterances and profile sentences; SAGE only counts the others.
"""

_LONGEST: Final = 200  # maximum length of a memory that is read out, in characters
_ASK_IF_NEEDED: Final = "Ask the person only if the request cannot be done without it."
NOTHING_KNOWN: Final = f"Nothing is known about that. {_ASK_IF_NEEDED}"


class Personalization(SageTool):
    """Answers questions about the person from earlier utterances and the stored profile."""

    name = "sage__personalization"
    title = "Recall"
    description = (
        "Find out what is known about the person: tastes, habits, teams, people and places they "
        "spoke of. Use it when a request depends on that, before you guess or ask."
    )
    annotations = READ_ONLY
    parameters = probatio.Schema(
        {
            probatio.Required(
                "question", description="one clear question, such as: which team do they support?"
            ): str,
            probatio.Optional(
                "everything",
                description=(
                    "true only if the person asks for all that is known about them; the answer "
                    "then goes straight to the person"
                ),
            ): bool,
            probatio.Optional(
                "earlier", description="true: earlier answers that are `not shown`, nothing else"
            ): bool,
        },
        extra=probatio.REMOVE_EXTRA,
    )

    async def async_use(self, given: Arguments) -> llm.ToolResult:
        """Return the answer and the memories that support it, or say that nothing is known.

        With the argument `everything`, all memories are listed without a model call; with a small
        model also those about a question that is the person's. With
        `earlier`, returns the earlier answers that prompts leave out (`Utterance.not_shown`).
        """
        not_shown = self.situation.run.utterance.not_shown
        if given.get("earlier") and not_shown:
            turns = (f"{turn.said}\n{turn.done}\n{turn.answered}" for turn in not_shown)
            self.situation.run.taint()
            return text_result(fenced("\n\n".join(turns)))
        # Without a model call, no model can omit or invent a memory.
        if given.get("everything"):
            return await self.async_tell() or text_result(NOTHING_KNOWN)
        question, said = given["question"], self.situation.run.utterance.text
        is_asked = is_question(said) or contains(said, question)
        # A small model may write an example of its prompt instead of the person's question.
        if self.situation.run.settings.misjudges_timing and is_asked:
            return await self.async_tell(said) or await self._async_look(said)
        return await self._async_look(question)

    async def async_tell(self, topic: str = "") -> llm.ToolResult | None:
        """Return a final answer with the memories about a topic, or with everything.

        If there is no memory about the topic, it is everything; but None if the topic may be
        devices. If the run has changed something, return a tool result instead: the model's answer
        must also mention the change.
        """
        situation = self.situation
        try:
            about = await situation.memory.async_find(topic) if topic else ()
            memories = [each for each in about if each.origin is not Origin.REQUEST]
            known = Recollection(memories=tuple(memories[:_MOST_SAID]))
            if not any(_told_and_said(known)):
                if topic and situation.evidence.seen:
                    return None
                known = await situation.memory.async_look(PersonMemory.known)
        except MemoryStoreError as err:
            _LOGGER.warning("The memory could not be read: %s", err)
            return memory_fault(situation, err.fault or FileFault.UNUSABLE)
        told, said = _told_and_said(known)
        if any(each.tainted for each in (*told[:_MOST_TOLD], *said[:_MOST_SAID])):
            situation.run.taint()
        answer, evidence = _spoken(situation.sentences, known), situation.evidence
        if evidence.wrote or evidence.memory_changed or evidence.routines:
            return text_result(f"Tell the person this, and what was done: {answer}")
        return final_answer(FinishKind.ANSWERED, answer, About.MEMORY)

    async def _async_look(self, question: str) -> llm.ToolResult:
        situation = self.situation
        try:
            found = await situation.memory.async_recollect(question)
        except MemoryStoreError as err:
            _LOGGER.warning("The memory could not be read: %s", err)
            return error_result(f"The memory cannot be read right now. {_ASK_IF_NEEDED}")
        if found.is_tainted:
            situation.run.taint()
        if found.is_empty:
            return text_result(NOTHING_KNOWN)
        reply = await self._async_reply(found, question)
        if reply is None:
            return text_result(recollection_text(found))
        answer, numbers = reply
        if not answer:
            return text_result(NOTHING_KNOWN)
        rests_on = [found.memories[number - 1] for number in numbers]
        if not rests_on:
            return text_result(f"{answer} (From the profile.)")
        return text_result(
            "\n".join([answer, "It rests on:", *(memory.line for memory in rests_on)])
        )

    async def _async_reply(
        self, found: Recollection, question: str
    ) -> tuple[str, tuple[int, ...]] | None:
        situation = self.situation
        request = situation.run.settings.json_request(
            situation.prompt("personalization"),
            model_input(found, question),
            schema=_SCHEMA,
            max_tokens=_MOST_TOKENS,
        )
        reply = await situation.run.async_sample(request)
        return parse_reply(reply.text, found)


async def async_known_about_person(situation: Situation) -> Finish | None:
    """Return what is known about the person as the answer, if they ask for that.

    For a small model: in the midst of all else it takes such a question for small talk.
    """
    if not await async_asks_about_person(situation.run):
        return None
    told = await Personalization(situation).async_tell(situation.run.utterance.text)
    return told.finish if isinstance(told, FinalResult) else None


def _told_and_said(known: Recollection) -> tuple[list[Memory], list[Memory]]:
    """Return the facts that the person asked SAGE to remember, and what else they stated."""
    told = [memory for memory in known.memories if memory.origin is not Origin.SAID]
    said = [memory for memory in known.memories if memory.origin is Origin.SAID]
    return told, [memory for memory in said if not is_question(memory.text)]


def _spoken(sentences: Sentences, known: Recollection) -> str:
    """Return what is known in sentences, latest first; the last one counts what is left out."""
    claims = known.sentences
    told, said = _told_and_said(known)
    parts = (
        ("told", [_quoted(each) for each in told], _MOST_TOLD),
        ("said", [_quoted(each) for each in said], _MOST_SAID),
        ("concluded", claims, _MOST_CONCLUDED),
    )
    spoken = [
        sentences.say(f"known_{name}", texts="; ".join(texts[:most]))
        for name, texts, most in parts
        if texts
    ]
    if more := sum(max(0, len(texts) - most) for _, texts, most in parts):
        spoken.append(sentences.say("known_more", more=str(more)))
    return " ".join(spoken) or sentences.say("known_nothing")


def _quoted(memory: Memory) -> str:
    words = " ".join(f"{memory.question or ''} {memory.text}".split())
    return f'"{words if len(words) <= _LONGEST else f"{words[:_LONGEST]} ..."}"'


def model_input(found: Recollection, question: str) -> str:
    """Return the model input: the profile, the memories numbered from 1, and the question."""
    lines = ["Profile:", found.profile or "none yet", "", "What the person said:"]
    lines += [f"{number}. {each.line}" for number, each in enumerate(found.memories, 1)]
    return "\n".join([*lines, "", f"Question: {question}"])


def parse_reply(text: str, found: Recollection) -> tuple[str, tuple[int, ...]] | None:
    """Return the model's answer, and the numbers of the recalled memories that support it.

    An empty answer means that nothing is known. The first memory is 1. None for an invalid reply:
    an answer without a supporting memory is invalid if there is no profile.
    """
    data = first_object(text)
    if data is None or not isinstance(data.get("known"), bool):
        return None
    if not data["known"]:
        return "", ()
    answer, numbers = data.get("answer"), data.get("rests_on")
    if not isinstance(answer, str):
        return None
    known = range(1, len(found.memories) + 1)
    rests_on = tuple(n for n in _distinct(numbers) if type(n) is int and n in known)
    if not rests_on and not found.profile:
        return None
    return " ".join(answer.split()), rests_on


def _distinct(numbers: Any) -> list[Any]:
    given: Sequence[Any] = numbers if isinstance(numbers, list) else ()
    return [each for place, each in enumerate(given) if each not in given[:place]]


def recollection_text(found: Recollection) -> str:
    """Return the profile and all recalled memories as text, for the calling agent."""
    lines = [found.profile] if found.profile else []
    return "\n".join(["This is known:", *lines, *(memory.line for memory in found.memories)])
