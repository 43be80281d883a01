"""A decision of the model, as tool calls or a final answer (Algorithm 1, line 9, SAGE paper)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from typing import Any, Final, NamedTuple

from ..model import ModelReply, object_schema

FINISH: Final = "finish"  # name of the tool that ends the agent loop


class FinishKind(StrEnum):
    """The kind of a final answer, e.g. `answered`: the argument `kind` of the tool `finish`."""

    ACTED = "acted"
    ANSWERED = "answered"
    ASKED = "asked"
    COULD_NOT = "could_not"
    NEW_REQUEST = "new_request"  # instead of answering a question, the person made a new request


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A tool call in the model's reply; its `Observation.call_id` is the `id` of the call."""

    id: str
    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict)


class About(StrEnum):
    """A subject of a final answer, e.g. `memory`: in the argument `about` of the tool `finish`."""

    HOME = "home"
    LATER = "later"  # routines: commands for later, e.g. "at 8 pm" or "when the door opens"
    MEMORY = "memory"
    PERSON = "person"  # the person's request contained a lasting fact, e.g. "I am vegetarian"
    OTHER = "other"


class ClaimResult(StrEnum):
    """The kind of a statement about devices in a final answer.

    - `READ`: a value that the model has read, e.g. "the lamp is on"
    - `MISSING`: the home has no such device or room, e.g. "there is no sauna"
    - all others: the outcome of a command, e.g. `VERIFIED` if the device reported the change
    """

    VERIFIED = "verified"
    ALREADY = "already"
    UNDER_WAY = "under_way"
    SENT = "sent"
    NOT_CONFIRMED = "not_confirmed"
    REFUSED = "refused"
    FAILED = "failed"
    READ = "read"
    MISSING = "missing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A statement about devices in a final answer, e.g. that `hall_lamp` was switched on."""

    devices: tuple[str, ...]
    """Ids of devices or groups as for `execute_command`; the person's words for what is missing."""

    result: ClaimResult
    attribute: str = ""  # name of the attribute; empty for the state
    value: str = ""
    """The claimed state or attribute value as text, e.g. "on" or "[255, 0, 0]"; may be empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finish:
    """The final answer of an agent: the parsed arguments of the tool `finish`."""

    kind: FinishKind
    answer: str
    about: frozenset[About] = frozenset()
    """The subjects of the answer; empty if the model declared none."""

    claims: tuple[Claim, ...] = ()
    tells_run: bool = False
    """Whether the answer reports everything that was done for the command so far."""

    is_unstructured: bool = False
    """Whether the model wrote only the text, without the tool `finish`."""

    id: str = "finish"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A reply of the model, read: tool calls, a final answer, or calls followed by an answer."""

    reply: ModelReply
    """The reply, with its native calls as they were read, for the history.

    Servers refuse names and arguments in a wrong form, also in the history.
    """

    calls: tuple[Call, ...] = ()
    """The calls before `finish`, in the form that the tools' schemas describe."""

    finish: Finish | None = None
    repairs: tuple[str, ...] = ()
    """What was read differently from what the model wrote, for the trace."""

    problem: str = ""
    """Tells the model the correct form, if the reply is no valid decision; else empty."""


class Observation(NamedTuple):
    """The result of one tool call, as text for the model."""

    call_id: str  # id of the call; empty for what is wrong with the whole reply
    text: str


@dataclass(frozen=True, slots=True)
class Observed:
    """A decision and what the model gets to read about it; the paper calls it an entry of H_i."""

    decision: Decision
    observations: tuple[Observation, ...]


class DecisionError(Exception):
    """Raised when a model reply cannot be parsed; the text tells the model the correct form."""


INNER_KINDS: Final = tuple(kind for kind in FinishKind if kind is not FinishKind.NEW_REQUEST)
"""Kinds of final answers for an agent that answers another agent, not the person."""


@cache
def finish_schema(kinds: tuple[FinishKind, ...]) -> dict[str, Any]:
    """Return the JSON schema of `finish`, with `kind` and `answer`, for an answer to an agent."""
    kind = {"type": "string", "enum": [each.value for each in kinds]}
    return object_schema({"kind": kind, "answer": {"type": "string"}})


# The lists are limited, because small models may repeat items.
CLAIMS_SCHEMA: Final[Mapping[str, Any]] = {
    "type": "array",
    "items": object_schema(
        {
            "devices": {"type": "array", "items": {"type": "string"}, "maxItems": 40},
            "result": {"type": "string", "enum": [each.value for each in ClaimResult]},
            "attribute": {"type": "string"},
            "value": {"type": "string"},
        },
        optional=("attribute",),
    ),
    "maxItems": 12,
}
"""JSON schema of the argument `claims` of the tool `finish`."""


@cache
def answer_schema(subjects: tuple[About, ...] = tuple(About)) -> dict[str, Any]:
    """Return the JSON schema of `finish` for the person's agent; `subjects`: values of `about`."""
    # `claims` come before `answer`, so that they can be checked before the answer is streamed.
    about = {"type": "string", "enum": [each.value for each in subjects]}
    return object_schema(
        {
            "kind": {"type": "string", "enum": [each.value for each in FinishKind]},
            "about": {"type": "array", "items": about, "maxItems": len(subjects)},
            "claims": CLAIMS_SCHEMA,
            "answer": {"type": "string"},
        }
    )
