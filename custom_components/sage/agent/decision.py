"""What a model decides: tools to call, or the end (Algorithm 1, line 9)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

FINISH: Final = "finish"
"""Name of the terminate action in all decision formats."""


class FinishKind(StrEnum):
    """What a final answer claims to be (DESIGN 4)."""

    ACTED = "acted"
    ANSWERED = "answered"
    ASKED = "asked"
    COULD_NOT = "could_not"
    NEW_REQUEST = "new_request"
    """The person's reply was not an answer but a request of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A tool to call; `id` ties the observation to it."""

    id: str
    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finish:
    """The terminate action and its output."""

    kind: FinishKind
    answer: str
    id: str = "finish"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One decision: some calls, a finish, or calls followed by a finish."""

    thought: str = ""
    calls: tuple[Call, ...] = ()
    finish: Finish | None = None


class DecisionError(Exception):
    """A reply that is no decision; the text tells the model what to write instead."""


def finish_from(arguments: Mapping[str, Any], *, call_id: str = "finish") -> Finish:
    """Return the finish that `arguments` describe; raises DecisionError."""
    kinds = ", ".join(kind.value for kind in FinishKind if kind is not FinishKind.NEW_REQUEST)
    try:
        kind = FinishKind(str(arguments.get("kind", "")).strip().lower())
    except ValueError:
        raise DecisionError(
            f"`finish` needs `kind`, one of {kinds}, and `answer`, the words for the person."
        ) from None
    answer = arguments.get("answer")
    if not isinstance(answer, str) or (not answer.strip() and kind is not FinishKind.NEW_REQUEST):
        raise DecisionError("`finish` needs `answer`: one or two sentences for the person.")
    return Finish(kind=kind, answer=answer.strip(), id=call_id)


FINISH_SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {
        "kind": {
            "type": "string",
            "enum": [kind.value for kind in FinishKind],
        },
        "answer": {"type": "string"},
    },
    "required": ["kind", "answer"],
    "additionalProperties": False,
}
"""JSON schema of the terminate action; `kind` comes first so that an answer can stream."""
