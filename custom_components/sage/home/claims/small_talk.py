"""Asks a small model whether its own answer is small talk, before it is compared with the record.

Asked what the record does not prove, a small model objects to every greeting.
"""

from dataclasses import replace
from typing import Final

from ...agent import About, Finish, FinishKind, Run
from ...model import ChatMessage, first_object, object_schema
from ..commands.evidence import Evidence


async def async_is_small_talk(run: Run, finish: Finish, evidence: Evidence) -> bool:
    """Return whether an answer about nothing that SAGE can read is small talk or known to all.

    Asks the model, with examples as chat messages, if it is a small one that says the same by its
    answer's fields, and nothing was read or done. Raises ModelError.
    """
    is_talk = finish.kind is FinishKind.ANSWERED and finish.about == {About.OTHER}
    is_empty = not finish.claims and evidence.is_empty
    is_checked = run.settings.verify_answers or run.utterance.routine is not None
    if not (run.settings.shows_turns and is_talk and is_empty) or is_checked:
        return False
    rules, *examples = run.settings.prompts["small_talk"].split(f"\n\n{_SAID}")
    given = f"{_SAID}{run.utterance.text}\nSentence: {finish.answer}"
    request = run.settings.json_request(rules, given, _SCHEMA)
    turns = list[ChatMessage]()
    for example in examples:
        shown, _, decided = example.strip().rpartition("\n")
        turns.append(ChatMessage(role="user", content=f"{_SAID}{shown}"))
        turns.append(ChatMessage(role="assistant", content=decided))
    system, last = request.messages
    reply = await run.async_sample(replace(request, messages=(system, *turns, last)))
    return (first_object(reply.text) or {}).get("speaks_of") == _TALK


_SAID: Final = "The person said: "
_TALK: Final = "talk"
_SUBJECTS: Final = ("home", "life", "later", "news", _TALK)
_SCHEMA: Final = object_schema({"speaks_of": {"type": "string", "enum": [*_SUBJECTS]}})
