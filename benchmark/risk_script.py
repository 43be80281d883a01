"""A fake model that classifies the controls of a home (`RiskLevels.async_classify`)."""

import json
from collections.abc import Callable
from typing import Final

from custom_components.sage.config.agents import load_prompts
from custom_components.sage.home.safety.risk_levels import PROMPT

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


_RISKY: Final = {
    "lamp": "none",
    "stop": "none",
    "iron": "heat",
    "oven": "heat",
    "heater": "heat",
    "camera": "security_off",
    "restart": "maintenance",
}
"""Words in the names of the homes of tests and benchmarks -> risk that the fake model finds."""


def found_risk(control: Json) -> str:
    """Return the risk that the fake model finds in the names of a control."""
    names = f"{control.get('name')} {control.get('device')}".casefold()
    return next((risk for word, risk in _RISKY.items() if word in names), "none")


def classify_by_name(body: Json) -> Completion | None:
    """Return the reply of a model that classifies the controls of the homes correctly."""
    return classify(body, found_risk)
