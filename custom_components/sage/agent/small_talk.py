"""Asks a small model what a request or an answer speaks of, apart from all else.

Asked what the record does not prove, a small model objects to every greeting.
"""

from dataclasses import replace
from typing import Final

from ..model import ChatMessage, ModelRequest, first_object, object_schema
from .decision import About, Finish, FinishKind
from .run import AgentSettings, Run


async def async_is_small_talk(run: Run, finish: Finish, *, has_ground: bool) -> bool:
    """Return whether an answer about nothing that SAGE can read is small talk or known to all.

    Asks the model, if it is a small one that says the same by its answer's fields, and without
    `has_ground`: nothing was read or done. Raises ModelError.
    """
    is_talk = finish.kind is FinishKind.ANSWERED and finish.about == {About.OTHER}
    is_empty = not (finish.claims or has_ground)
    is_checked = run.settings.verify_answers or run.utterance.routine is not None
    if not (run.settings.shows_turns and is_talk and is_empty) or is_checked:
        return False
    return await _async_is(run, "small_talk", f"\nSentence: {finish.answer}", "talk")


async def async_asks_about_person(run: Run) -> bool:
    """Return whether the request asks what is known about the person, as a small model sees it.

    Raises ModelError.
    """
    return run.settings.shows_turns and await _async_is(run, "asks_about", "", "speaker")


async def _async_is(run: Run, prompt: str, more: str, subject: str) -> bool:
    given = f"{_SAID}{run.utterance.text}{more}"
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
_SUBJECTS: Final = {
    "small_talk": ("speaks_of", ("home", "life", "later", "news", "talk")),
    "asks_about": ("about", ("speaker", "assistant", "world", "nothing")),
}
_SCHEMAS: Final = {
    prompt: object_schema({field: {"type": "string", "enum": [*subjects]}})
    for prompt, (field, subjects) in _SUBJECTS.items()
}
"""JSON schemas of the replies, by the name of the prompt."""
