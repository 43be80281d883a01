"""The question to the language model how risky it is to control entities, e.g. a garage door."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ...model.language_model import object_schema
from ...model.partial_json import first_object
from ..home_types import RiskClass
from ..labels import quiet
from .risk_levels import CLASSIFIABLE, ClassifiedEntity, RiskVerdict

PROMPT: Final = "risk_level"
"""Name of the prompt with the instructions."""

BATCH: Final = 40
"""Maximum number of entities in one request of the background task."""

_NO_RISK: Final = "none"
_RISKS: Final[Mapping[str, RiskClass | None]] = {
    _NO_RISK: None,
    **{each.value: each for each in CLASSIFIABLE},
}
_VERDICT: Final = object_schema(
    {"reason": {"type": "string"}, "risk": {"type": "string", "enum": list(_RISKS)}}
)
_LONGEST_REASON: Final = 80
_TOKENS_EACH: Final = 96
_TOKENS_TO_THINK: Final = 1024


@dataclass(frozen=True, slots=True)
class RiskQuestion:
    """The question how risky it is to control some entities, and the reader of its reply."""

    subjects: Sequence[ClassifiedEntity]
    language: str
    """Language of the reasons."""

    @property
    def text(self) -> str:
        """The user message: one line of JSON for each entity."""
        lines = [json.dumps(each.facts, ensure_ascii=False) for each in self.subjects]
        return "\n".join((f"Language of the reasons: {self.language}", *lines))

    @property
    def schema(self) -> Mapping[str, Any]:
        """The JSON schema of the reply: entity id -> reason and risk."""
        return object_schema({each.entity_id: _VERDICT for each in self.subjects})

    @property
    def max_tokens(self) -> int:
        """Maximum length of the reply; a reply that is cut off leaves out the last entities."""
        return _TOKENS_TO_THINK + _TOKENS_EACH * min(len(self.subjects), BATCH)

    def verdicts(self, reply: str) -> Mapping[str, RiskVerdict]:
        """Return the model's verdicts: `ClassifiedEntity.key` -> risk class and reason.

        Entities without a valid verdict are left out.
        """
        parsed = _parsed(reply)
        verdicts = {each.key: _verdict(parsed.get(each.entity_id)) for each in self.subjects}
        return {key: verdict for key, verdict in verdicts.items() if verdict is not None}


def _parsed(text: str) -> Mapping[str, Any]:
    """Return the JSON object in a reply; if the reply is cut off, only the complete entries."""
    for whole in (text, text.rpartition("},")[0] + "}}"):
        parsed = first_object(whole) or {}
        # In a cut-off reply, `first_object` returns an entry instead of the whole object.
        if any(isinstance(value, Mapping) for value in parsed.values()):
            return parsed
    return {}


def _verdict(parsed: object) -> RiskVerdict | None:
    """Return the model's verdict on one entity, or None if it is invalid."""
    if not isinstance(parsed, Mapping) or not isinstance(risk := parsed.get("risk"), str):
        return None
    reason = parsed.get("reason")
    return RiskVerdict(
        # An unknown risk class counts as risky.
        risk=_RISKS.get(risk.strip().casefold(), RiskClass.UNCLEAR),
        reason=quiet(reason)[:_LONGEST_REASON] if isinstance(reason, str) else "",
    )
