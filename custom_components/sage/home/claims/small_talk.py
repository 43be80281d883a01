"""Asks a small model what is said, if its answer says nothing that SAGE can read.

Asked what the record does not prove, a small model objects to every greeting.
"""

from dataclasses import replace
from typing import Final

from ...agent import About, AgentSettings, Finish, FinishKind, Run
from ...model import ChatMessage, ModelRequest, first_object, object_schema
from ..commands.evidence import Evidence


async def async_is_small_talk(run: Run, finish: Finish, evidence: Evidence) -> bool | None:
    """Return whether an answer about nothing that SAGE can read is small talk or known to all.

    Asks the model, if it is a small one that says the same by its answer's fields, and nothing was
    read or done; otherwise returns None. Raises ModelError.
    """
    if not _may_be_talk(run, finish, evidence):
        return None
    given = f"{_SAID}{run.utterance.text}\nSentence: {finish.answer}"
    return await _async_is(run, "small_talk", given, _TALK)


async def async_asks_about_speaker(run: Run, finish: Finish, evidence: Evidence) -> bool:
    """Return whether what was answered like small talk asks what is known about the person.

    Asks the model like `async_is_small_talk`. Raises ModelError.
    """
    asked = f"{_SAID}{run.utterance.text}"
    is_talk = _may_be_talk(run, finish, evidence)
    return is_talk and await _async_is(run, "asks_about", asked, _SPEAKER)


def _may_be_talk(run: Run, finish: Finish, evidence: Evidence) -> bool:
    is_talk = finish.kind is FinishKind.ANSWERED and finish.about == {About.OTHER}
    is_empty = not finish.claims and evidence.is_empty
    is_checked = run.settings.verify_answers or run.utterance.routine is not None
    return run.settings.shows_turns and is_talk and is_empty and not is_checked


async def _async_is(run: Run, prompt: str, given: str, subject: str) -> bool:
    reply = await run.async_sample(_question(run.settings, prompt, given))
    return subject in (first_object(reply.text) or {}).values()


def talk_questions(settings: AgentSettings) -> tuple[ModelRequest, ...]:
    """Return the model requests of this module, for the prompt cache of the model server."""
    return tuple(_question(settings, prompt, _SAID) for prompt in _SCHEMAS)


def _question(settings: AgentSettings, prompt: str, given: str) -> ModelRequest:
    """Return a model request that shows the examples of the prompt as chat messages."""
    rules, *examples = settings.prompts[prompt].split(f"\n\n{_SAID}")
    request = settings.json_request(rules, given, _SCHEMAS[prompt])
    turns = list[ChatMessage]()
    for example in examples:
        shown, _, decided = example.strip().rpartition("\n")
        turns.append(ChatMessage(role="user", content=f"{_SAID}{shown}"))
        turns.append(ChatMessage(role="assistant", content=decided))
    system, last = request.messages
    return replace(request, messages=(system, *turns, last))


_SAID: Final = "The person said: "
_TALK: Final = "talk"
_SPEAKER: Final = "speaker"
_SUBJECTS: Final = {
    "small_talk": ("speaks_of", ("home", "life", "later", "news", _TALK)),
    "asks_about": ("about", (_SPEAKER, "assistant", "world", "nothing")),
}
_SCHEMAS: Final = {
    prompt: object_schema({field: {"type": "string", "enum": [*subjects]}})
    for prompt, (field, subjects) in _SUBJECTS.items()
}
"""JSON schemas of the replies, by the name of the prompt."""
