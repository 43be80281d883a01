"""What the model is asked about the controls of a home, and what is made of its reply."""

import json
from typing import Any

import pytest

from custom_components.sage.home.home_types import RiskClass
from custom_components.sage.home.safety.risk_classification import ClassifierError
from custom_components.sage.home.safety.risk_levels import ClassifiedEntity, RiskVerdict
from custom_components.sage.memory.profile_builder import WriterError
from custom_components.sage.run.model_writer import async_classify_risks


def subject(key: str, name: str) -> ClassifiedEntity:
    entity_id = f"switch.{key}"
    facts = {"id": entity_id, "kind": "switch", "name": name}
    return ClassifiedEntity(key=key, entity_id=entity_id, facts=facts, chosen=())


GATE, LAMP = subject("a", "Gate"), subject("b", "Lamp")


class Writer:
    """A model that replies with this text."""

    def __init__(self, text: str | None) -> None:
        self.text = text
        self.asked: list[tuple[str, Any]] = []

    async def async_write(
        self, prompt: str, given: str, *, max_tokens: int, schema: Any = None
    ) -> str:
        self.asked.append((given, schema))
        if self.text is None:
            raise WriterError("away")
        return self.text


async def classified(reply: object) -> dict[str, RiskVerdict]:
    text = reply if isinstance(reply, str) else json.dumps(reply)
    return dict(await async_classify_risks(Writer(text).async_write, "en", [GATE, LAMP]))


async def test_the_model_gets_a_line_for_each_control_and_a_schema():
    writer = Writer("{}")
    await async_classify_risks(writer.async_write, "de", [GATE, LAMP])
    ((given, schema),) = writer.asked
    assert given.splitlines() == [
        "Language of the reasons: de",
        '{"id": "switch.a", "kind": "switch", "name": "Gate"}',
        '{"id": "switch.b", "kind": "switch", "name": "Lamp"}',
    ]
    assert schema["required"] == ["switch.a", "switch.b"]


async def test_a_reply_becomes_verdicts():
    assert await classified(
        {
            "switch.a": {"reason": "Opens\nthe gate.", "risk": "open"},
            "switch.b": {"reason": "Is a lamp.", "risk": "none"},
            "switch.c": {"reason": "Was not asked for.", "risk": "none"},
        }
    ) == {
        "a": RiskVerdict(risk=RiskClass.OPEN, reason="Opens the gate."),
        "b": RiskVerdict(risk=None, reason="Is a lamp."),
    }


@pytest.mark.parametrize("risk", ["unclear", "dangerous", "", "free"])
async def test_only_the_word_for_no_risk_frees(risk):
    found = await classified({"switch.a": {"reason": "", "risk": risk}})
    assert found == {"a": RiskVerdict(risk=RiskClass.UNCLEAR)}


@pytest.mark.parametrize(
    "reply", ["", "I do not know.", "[]", {"switch.a": "none"}, {"switch.a": {"risk": None}}]
)
async def test_what_cannot_be_read_classifies_nothing(reply):
    assert await classified(reply) == {}


async def test_of_a_reply_that_was_cut_off_the_whole_entries_count():
    whole = '{"switch.a": {"reason": "x", "risk": "open"}, "switch.b": {"reason": "y", "ri'
    assert list(await classified(whole)) == ["a"]


async def test_a_model_that_is_away_classifies_nothing():
    with pytest.raises(ClassifierError):
        await async_classify_risks(Writer(None).async_write, "en", [GATE])
