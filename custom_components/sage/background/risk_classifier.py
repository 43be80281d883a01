"""Lets a language model classify how risky it is to control an entity, e.g. a garage door."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from ..home.home_types import RiskClass
from ..home.labels import quiet
from ..home.safety.risk_classification import ClassifierError
from ..home.safety.risk_levels import CLASSIFIABLE, ClassifiedEntity, RiskVerdict
from ..memory.writer import TextWriter, WriterError
from ..model.language_model import object_schema
from ..model.partial_json import first_object

PROMPT: Final = "risk_level"

_NO_RISK: Final = "none"
_UNCLEAR: Final = "unclear"
_RISKS: Final[Mapping[str, RiskClass | None]] = {
    _NO_RISK: None,
    **{each.value: each for each in CLASSIFIABLE if each is not RiskClass.UNRESOLVED},
    _UNCLEAR: RiskClass.UNRESOLVED,
}
_VERDICT: Final = object_schema(
    {"reason": {"type": "string"}, "risk": {"type": "string", "enum": list(_RISKS)}}
)
_LONGEST_REASON: Final = 80
_TOKENS_EACH: Final = 96
_TOKENS_TO_THINK: Final = 1024


class RiskClassifier:
    """Lets a language model classify how risky it is to control an entity, e.g. a garage door."""

    def __init__(self, writer: TextWriter, language: str) -> None:
        """Create a classifier that uses `writer` and gives its reasons in `language`."""
        self._writer = writer
        self._language = language

    async def async_classify(
        self, subjects: Sequence[ClassifiedEntity]
    ) -> Mapping[str, RiskVerdict]:
        """Return the model's verdicts: `ClassifiedEntity.key` -> risk class and reason.

        Entities without a valid verdict are left out. Raises ClassifierError if the model fails.
        """
        lines = [json.dumps(each.facts, ensure_ascii=False) for each in subjects]
        try:
            written = await self._writer.async_write(
                self._writer.instructions(PROMPT),
                "\n".join((f"Language of the reasons: {self._language}", *lines)),
                max_tokens=_TOKENS_TO_THINK + _TOKENS_EACH * len(subjects),
                schema=object_schema({each.entity_id: _VERDICT for each in subjects}),
            )
        except WriterError as err:
            raise ClassifierError(str(err)) from err
        parsed = _parsed(written.text)
        verdicts = {each.key: _verdict(parsed.get(each.entity_id)) for each in subjects}
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
        risk=_RISKS.get(risk.strip().casefold(), RiskClass.UNRESOLVED),
        reason=quiet(reason)[:_LONGEST_REASON] if isinstance(reason, str) else "",
    )
