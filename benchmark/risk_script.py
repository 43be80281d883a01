"""A fake model that classifies the controls of a home (`risk_classifier`)."""

import json
from collections.abc import Callable

from custom_components.sage.config.settings import load_prompts
from custom_components.sage.home.safety.risk_question import PROMPT

from .model_script import Completion, Json

_INSTRUCTIONS = load_prompts()[PROMPT]


def controls_in(body: Json) -> list[Json] | None:
    """Return the controls that a request asks to classify; None for another request."""
    messages = body.get("messages") or [{}]
    if messages[0].get("content") != _INSTRUCTIONS:
        return None
    lines = str(messages[-1].get("content")).splitlines()
    return [json.loads(line) for line in lines if line.startswith("{")]


def classify(body: Json, judge: Callable[[Json], str]) -> Completion | None:
    """Return the reply to a request for classification; `judge` returns the risk of a control."""
    if (controls := controls_in(body)) is None:
        return None
    told = {each["id"]: _verdict(judge(each)) for each in controls}
    return Completion(text=json.dumps(told))


def _verdict(risk: str) -> Json:
    found = "no risk" if risk == "none" else "a risk"
    return {"reason": f"Its name suggests {found}.", "risk": risk}


def find_harmless(body: Json) -> Completion | None:
    """Find every control harmless; names that sound risky ask all the same."""
    return classify(body, lambda _: "none")
