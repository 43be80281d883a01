"""A model for a whole demo: it is set up by Home Assistant's forms before anybody speaks to it."""

import json
from collections.abc import Iterable, Sequence

from benchmark.model_script import (
    Answer,
    Fault,
    FaultKind,
    Json,
    Script,
    answer_obediently,
    verification,
    verifies,
)


def decides(decisions: Sequence[Answer], words: Iterable[str]) -> Script:
    """Return a model that decides this if its prompt has these words, else as scripted."""
    waiting, about = list(decisions), tuple(words)

    def answer(body: Json) -> Answer:
        told = json.dumps(body["messages"])
        if not any(each in told for each in about):
            return answer_obediently(body)
        if verifies(body):
            return verification()
        return waiting.pop(0) if waiting else Fault(kind=FaultKind.REFUSED)

    return answer
