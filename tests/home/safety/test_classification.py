"""What the model is asked about the controls of a home, and what is made of its reply."""

import json
from typing import Any

import pytest
from homeassistant.core import HomeAssistant

from custom_components.sage.home.home_types import RiskClass
from custom_components.sage.home.safety.risk_levels import RiskVerdict, levels_of

GATE, LAMP = "switch.a", "switch.b"


@pytest.fixture
def levels() -> None:
    """Begin without any classification."""


@pytest.fixture(autouse=True)
def _home(hass: HomeAssistant) -> None:
    hass.states.async_set(GATE, "off", {"friendly_name": "Gate"})
    hass.states.async_set(LAMP, "off", {"friendly_name": "Lamp"})


async def classified(hass: HomeAssistant, reply: object) -> dict[str, RiskVerdict]:
    async def ask(_prompt: str, _text: str, **_: Any) -> str:
        return reply if isinstance(reply, str) else json.dumps(reply)

    levels = levels_of(hass)
    await levels.async_classify([GATE, LAMP], ask)
    verdicts = {each: levels.verdict(each) for each in (GATE, LAMP)}
    return {entity_id: verdict for entity_id, verdict in verdicts.items() if verdict}


async def test_the_model_gets_a_line_for_each_control_and_a_schema(hass):
    asked: list[tuple[str, Any]] = []

    async def ask(_prompt: str, text: str, *, schema: Any, **_: Any) -> str:
        asked.append((text, schema))
        return "{}"

    hass.config.language = "de"
    await levels_of(hass).async_classify([GATE, LAMP], ask)
    ((text, schema),) = asked
    assert text.splitlines() == [
        "Language of the reasons: de",
        '{"id": "switch.a", "kind": "switch", "name": "Gate"}',
        '{"id": "switch.b", "kind": "switch", "name": "Lamp"}',
    ]
    assert schema["required"] == [GATE, LAMP]


async def test_a_reply_becomes_verdicts(hass):
    assert await classified(
        hass,
        {
            GATE: {"reason": "Opens\nthe gate.", "risk": "open"},
            LAMP: {"reason": "Is a lamp.", "risk": "none"},
            "switch.c": {"reason": "Was not asked for.", "risk": "none"},
        },
    ) == {
        GATE: RiskVerdict(risk=RiskClass.OPEN, reason="Opens the gate."),
        LAMP: RiskVerdict(risk=None, reason="Is a lamp."),
    }
    assert levels_of(hass).verdict("switch.c") is None


@pytest.mark.parametrize("risk", ["unclear", "dangerous", "", "free"])
async def test_only_the_word_for_no_risk_frees(hass, risk):
    found = await classified(hass, {GATE: {"reason": "", "risk": risk}})
    assert found == {GATE: RiskVerdict(risk=RiskClass.UNCLEAR)}


@pytest.mark.parametrize(
    "reply", ["", "I do not know.", "[]", {GATE: "none"}, {GATE: {"risk": None}}]
)
async def test_what_cannot_be_read_classifies_nothing(hass, reply):
    assert await classified(hass, reply) == {}


async def test_of_a_reply_that_was_cut_off_the_whole_entries_count(hass):
    whole = '{"switch.a": {"reason": "x", "risk": "open"}, "switch.b": {"reason": "y", "ri'
    assert list(await classified(hass, whole)) == [GATE]
