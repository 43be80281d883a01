"""The model of the browser tests: it decides the same for the same words."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from benchmark.model_script import Answer, Json, answer_obediently
from tests.decisions import NATIVE, claim


def _commands(device: str, command: str, state: str, answer: str) -> Answer:
    """Decide to send a command and to finish, in one reply."""
    return NATIVE.calls(
        (
            "execute_command",
            {"devices": [device], "command": command, "timing": "now", "final": True},
        ),
        (
            "finish",
            {
                "kind": "acted",
                "about": ["home"],
                "claims": [claim(device, state)],
                "answer": answer,
            },
        ),
    )


def _daily(clock: str) -> tuple[Answer, ...]:
    """Decide to remind the person every day at this time."""
    polling = {"kind": "tell", "action": "Water the plants.", "daily": clock, "final": True}
    return (NATIVE.call("condition_polling", **polling),)


DECISIONS: Final[Mapping[str, tuple[Answer, ...]]] = {
    "turn on the kitchen light": (
        _commands("kitchen_light", "turn_on", "on", "The kitchen light is on."),
    ),
    "turn on the kitchen light and take your time": (
        NATIVE.execute("kitchen_light", command="turn_on", timing="now", final=False),
        replace(
            NATIVE.finish(
                "acted",
                "The kitchen light is on. It stays on. You can switch it off at any time.",
                claim("kitchen_light", "on"),
            ),
            delay=1.0,
            pause=0.05,
        ),
    ),
    "Turn on Bathroom Light": (
        _commands("bathroom_light", "turn_on", "on", "The bathroom light is on."),
    ),
    "is the kitchen light on?": (
        NATIVE.finish(
            "answered", "Yes, the kitchen light is on.", claim("kitchen_light", "on", result="read")
        ),
    ),
    "lock the front door, please": (
        _commands("front_door", "lock", "locked", "The front door is locked."),
    ),
    "unlock the front door": (
        _commands("front_door", "unlock", "unlocked", "The front door is unlocked."),
        NATIVE.finish(
            "could_not", "I left the front door locked.", claim("front_door", result="refused")
        ),
    ),
    "water the plants every day at nine": _daily("09:00"),
    "water the plants every day at ten": _daily("10:00"),
    "my dentist is Doctor Vogelsang": (NATIVE.finish("answered", "Good to know.", about="other"),),
    "I collect porcelain owls": (NATIVE.finish("answered", "How nice.", about="other"),),
}
"""Words of a request -> the decisions of its run, in order; the last one again and again."""


class ScriptedModel:
    """Answers requests with `DECISIONS`; obediently if none fits."""

    def __call__(self, body: Json) -> Answer:
        """Return the answer to a request."""
        messages = body.get("messages", [])
        if not body.get("tools") or (found := self._latest(messages)) is None:
            return answer_obediently(body)
        words, at = found
        decisions = DECISIONS[words]
        decided = sum(message.get("role") == "assistant" for message in messages[at:])
        return decisions[min(decided, len(decisions) - 1)]

    @staticmethod
    def _latest(messages: Sequence[Json]) -> tuple[str, int] | None:
        """Return the latest words of a request, and the index of the message that contains them."""
        for at in reversed(range(len(messages))):
            if messages[at].get("role") == "assistant":
                continue
            told = json.dumps(messages[at].get("content") or "")
            found = [words for words in DECISIONS if words in told]
            if found:
                return max(found, key=lambda words: (told.rindex(words), len(words))), at
        return None
