"""The decision of a model: tools to call, or the end (Algorithm 1, line 9)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from ..model.language_model import object_schema
from ..text.inert import inert

FINISH: Final = "finish"
"""Name of the terminate action in all decision formats."""


class FinishKind(StrEnum):
    """The kind of a final answer, as the model declares it."""

    ACTED = "acted"
    ANSWERED = "answered"
    ASKED = "asked"
    COULD_NOT = "could_not"
    NEW_REQUEST = "new_request"
    """The person's reply was not an answer but a new request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A tool call that the model decided on; `Observation.call_id` of its result equals `id`."""

    id: str
    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict)


class About(StrEnum):
    """A subject of a final answer, as the model declares it."""

    HOME = "home"
    LATER = "later"
    """Routines: conditions that are watched, and actions that are planned."""
    MEMORY = "memory"
    PERSON = "person"
    """The request contained a lasting fact about the person; the answer may be about anything."""
    OTHER = "other"


class ClaimResult(StrEnum):
    """The source of a claim: the outcome of a command of this run, or `read` for a read value."""

    VERIFIED = "verified"
    ALREADY = "already"
    UNDER_WAY = "under_way"
    SENT = "sent"
    NOT_CONFIRMED = "not_confirmed"
    REFUSED = "refused"
    FAILED = "failed"
    READ = "read"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One statement of an answer about devices; SAGE compares it with the record of the run."""

    devices: tuple[str, ...]
    """Ids of devices or groups, as in the argument `devices` of the tool `execute_command`."""

    result: ClaimResult
    attribute: str = ""
    """Name of the attribute; empty for the state."""

    value: str = ""
    """The claimed state or attribute value as text; empty if the claim has none.

    A list, such as a colour, is written "[255, 0, 0]".
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class Finish:
    """The terminate action `finish`, with the final answer."""

    kind: FinishKind
    answer: str
    about: frozenset[About] = frozenset()
    """The subjects of the answer; empty if the model left them out."""

    claims: tuple[Claim, ...] = ()
    tells_run: bool = False
    """Whether the answer comes from a tool and reports the whole run, not only the tool's call."""

    id: str = "finish"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One decision: calls, a finish, or calls followed by a finish."""

    calls: tuple[Call, ...] = ()
    finish: Finish | None = None
    left_out: str = ""
    """Id of the first call beyond MOST_CALLS; this call and all later ones are not executed."""


class DecisionError(Exception):
    """A reply that cannot be parsed; the text says what the model should write instead."""


def finish_from(arguments: Mapping[str, Any], *, call_id: str = "finish") -> Finish:
    """Return the `Finish` with these arguments; raises DecisionError if they are invalid."""
    try:
        kind = FinishKind(str(arguments.get("kind", "")).strip().lower())
    except ValueError:
        raise DecisionError(
            f"`finish` needs `kind`, one of {', '.join(INNER_KINDS)}, and `answer`, the words for "
            "the person."
        ) from None
    answer = arguments.get("answer")
    if not isinstance(answer, str) or (not answer.strip() and kind is not FinishKind.NEW_REQUEST):
        raise DecisionError("`finish` needs `answer`: one or two sentences for the person.")
    return Finish(
        kind=kind,
        answer=inert(answer.strip()),
        about=about_from(arguments.get("about")),
        claims=claims_from(arguments.get("claims")),
        id=call_id,
    )


def about_from(value: object) -> frozenset[About]:
    """Return the subjects in an argument `about`; raises DecisionError for an unknown one."""
    named = value if isinstance(value, list) else [value] if value else []
    try:
        return frozenset(About(str(each).strip().lower()) for each in named)
    except ValueError:
        subjects = ", ".join(About)
        raise DecisionError(f"`about` is a list of the subjects {subjects}.") from None


def claims_from(value: object) -> tuple[Claim, ...]:
    """Return the claims in an argument `claims`; raises DecisionError if one is invalid."""
    if value in (None, "", {}):
        return ()
    if not isinstance(value, list) or not all(isinstance(each, Mapping) for each in value):
        raise DecisionError("`claims` is a list of objects with `devices`, `result` and `value`.")
    return tuple(_claim(each) for each in value)


def _claim(given: Mapping[str, Any]) -> Claim:
    named = given.get("devices")
    devices = tuple(map(str, named)) if isinstance(named, list) else (str(named),) if named else ()
    if not devices:
        raise DecisionError("Each claim needs `devices`: ids, or a group.")
    try:
        result = ClaimResult(str(given.get("result", "")).strip().lower())
    except ValueError:
        raise DecisionError(
            f"Each claim needs `result`, one of {', '.join(ClaimResult)}."
        ) from None
    attribute = str(given.get("attribute") or "").strip()
    return Claim(
        devices=devices,
        result=result,
        attribute="" if attribute == "state" else attribute,
        value=_text(given.get("value")),
    )


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_text, value))}]"
    return "" if value is None else str(value).strip()


INNER_KINDS: Final = tuple(kind for kind in FinishKind if kind is not FinishKind.NEW_REQUEST)
"""Kinds for an agent-tool whose result another agent reads; no person replies to it."""


def finish_schema(kinds: Sequence[FinishKind]) -> dict[str, Any]:
    """Return the JSON schema of the terminate action of an agent-tool with these kinds."""
    return object_schema({"kind": _kind_schema(kinds), "answer": {"type": "string"}})


def _kind_schema(kinds: Iterable[FinishKind]) -> dict[str, Any]:
    return {"type": "string", "enum": [kind.value for kind in kinds]}


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
"""JSON schema of `Finish.claims`. The lists are bounded, since a small model may repeat itself."""

ABOUT_SCHEMA: Final[Mapping[str, Any]] = {
    "type": "array",
    "items": {"type": "string", "enum": [each.value for each in About]},
    "maxItems": len(About),
}

ANSWER_SCHEMA: Final = object_schema(
    {
        "kind": _kind_schema(FinishKind),
        "about": ABOUT_SCHEMA,
        "claims": CLAIMS_SCHEMA,
        "answer": {"type": "string"},
    }
)
"""JSON schema of an answer for the person.

`claims` comes before `answer`: the code checks the claims before it streams the answer.
"""
