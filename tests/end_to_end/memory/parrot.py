"""A model that repeats its prompt, so that every leak becomes visible."""

import json
import re
from typing import Any

from benchmark.model_script import Answer, Completion
from custom_components.sage.config.agents import load_prompts
from tests.decisions import NATIVE

from .story import WHO

_PROMPTS = load_prompts()
_DATE = re.compile(r"\d{4}-\d\d-\d\d")


def parrot(body: dict[str, Any]) -> Answer:
    """Look into the memory first, then say all that was seen."""
    instructions, told, *later = [str(each.get("content") or "") for each in body["messages"]]
    if instructions.startswith(WHO):
        answer = {"known": True, "answer": told, "rests_on": [1, 2, 3, 4, 5]}
        return Completion(text=json.dumps(answer))
    if instructions.startswith(_PROMPTS["day_summary"][:40]):
        return Completion(text=told)
    if instructions.startswith(_PROMPTS["profile"][:40]):
        claim = {"claim": told, "dates": _DATE.findall(told)}
        return Completion(text=json.dumps({"claims": [claim]}))
    if not later:
        return NATIVE.call("personalization", question=f"What is known? {told}")
    return NATIVE.finish("answered", " ".join([told, *later]))
