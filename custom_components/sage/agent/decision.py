"""A decision: the model's reply in the agent loop, parsed into tool calls or a final answer.

See Algorithm 1, line 9 of the SAGE paper.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from ..model import object_schema
from ..text import plain

FINISH: Final = "finish"
"""Name of the tool that ends the agent loop."""


class FinishKind(StrEnum):
    """The kind of a final answer, e.g. `answered`.

    The model passes it as the argument `kind` to the tool `finish`.
    """

    ACTED = "acted"
    ANSWERED = "answered"
    ASKED = "asked"
    COULD_NOT = "could_not"
    NEW_REQUEST = "new_request"
    """Instead of answering a question, the person made a new request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A tool call in the model's reply.

    Its result is the `Observation` whose `call_id` is the `id` of the call.
    """

    id: str
    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict)


class About(StrEnum):
    """A subject of a final answer, e.g. `memory`.

    The model passes a list of subjects as the argument `about` to the tool `finish`.
    """

    HOME = "home"
    LATER = "later"
    """Routines: commands for later, e.g. "at 8 pm" or "when the door opens"."""
    MEMORY = "memory"
    PERSON = "person"
    """The person's request contained a lasting fact, e.g. "I am vegetarian"."""
    OTHER = "other"


class ClaimResult(StrEnum):
    """The kind of a statement about devices in a final answer.

    - `READ`: a value that the model has read, e.g. "the lamp is on"
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One statement about devices in a final answer, e.g. that `hall_lamp` was switched on.

    The model passes a list of claims to the tool `finish`. SAGE's code checks them.
    """

    devices: tuple[str, ...]
    """Ids of devices or groups, as in the tool `execute_command`."""

    result: ClaimResult
    attribute: str = ""
    """Name of the attribute; empty for the state."""

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
    """A parsed model reply: tool calls, a final answer, or calls followed by a final answer."""

    calls: tuple[Call, ...] = ()
    finish: Finish | None = None


class DecisionError(Exception):
    """Raised when a model reply cannot be parsed; the text tells the model the correct form."""


def finish_from(arguments: Mapping[str, Any], *, call_id: str = "finish") -> Finish:
    """Return the final answer from arguments that fit the schema of the tool `finish`.

    Raises DecisionError if an argument is missing or invalid.
    """
    try:
        kind = FinishKind(str(arguments.get("kind", "")))
    except ValueError:
        raise DecisionError(
            f"`finish` needs `kind`, one of {', '.join(INNER_KINDS)}, and `answer`, the words for "
            "the person."
        ) from None
    written = arguments.get("answer")
    answer = plain(written) if isinstance(written, str) else ""
    is_missing = not answer and kind is not FinishKind.NEW_REQUEST
    if is_missing or not isinstance(written, str):
        raise DecisionError("`finish` needs `answer`: one or two sentences for the person.")
    return Finish(
        kind=kind,
        answer=answer,
        about=about_from(arguments.get("about")),
        claims=claims_from(arguments.get("claims")),
        id=call_id,
    )


def about_from(value: object) -> frozenset[About]:
    """Return the subjects of an answer from the argument `about` of the tool `finish`.

    Raises DecisionError if the argument is invalid.
    """
    named = value if isinstance(value, list) else [value] if value else []
    try:
        return frozenset(
            About(part) for each in named for part in re.split(r"[\s,;]+", str(each).strip())
        )
    except ValueError:
        subjects = ", ".join(About)
        raise DecisionError(f"`about` is a list of the subjects {subjects}.") from None


def claims_from(value: object) -> tuple[Claim, ...]:
    """Return the claims about devices from the argument `claims` of the tool `finish`.

    Raises DecisionError if the argument is invalid.
    """
    if value in (None, "", {}):
        return ()
    if not isinstance(value, list) or not all(isinstance(each, Mapping) for each in value):
        raise DecisionError("`claims` is a list of objects with `devices`, `result` and `value`.")
    return tuple(_claim(each) for each in value)


def _claim(given: Mapping[str, Any]) -> Claim:
    named = given.get("devices")
    devices = tuple(map(str, named or ()))
    if not devices:
        raise DecisionError("Each claim needs `devices`: ids, or a group.")
    try:
        result = ClaimResult(str(given.get("result", "")))
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
"""Kinds of final answers for an agent that answers another agent, not the person."""


def finish_schema(kinds: Sequence[FinishKind]) -> dict[str, Any]:
    """Return the JSON schema of the tool `finish` for an agent that answers another agent.

    Its arguments are `kind` (one of `kinds`) and `answer`.
    """
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


def answer_schema(subjects: Sequence[About]) -> dict[str, Any]:
    """Return the JSON schema of the tool `finish` for the agent that answers the person.

    `subjects`: the allowed values of the argument `about`.
    """
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


ANSWER_SCHEMA: Final = answer_schema(tuple(About))
"""JSON schema of the tool `finish` with all subjects."""


_FINISH = re.compile(r'\s*(?:```\w*\s*)?(?P<object>\{\s*"kind"\s*:)')
_ANSWER = re.compile(r',\s*"answer"\s*:\s*"((?:[^"\\]|\\.)*)', re.DOTALL)
_CUT_ESCAPE = re.compile(r"\\u[0-9a-fA-F]{0,3}$")
_CUT_SURROGATE = re.compile(r"(?:\\u[dD][89abAB][0-9a-fA-F]{2})$")


def finish_so_far(text: str) -> dict[str, Any] | None:
    """Return the arguments of a partly received call of the tool `finish`.

    `{"kind": "answered", "answer": "It is wa` gives `{"kind": "answered", "answer": "It is wa"}`.
    None before the text of `answer` begins, which must be the last argument, and if other text
    stands before the arguments.
    """
    if '"answer"' not in text:
        # Called for thousands of pieces per reply: avoid the slow patterns if they cannot match.
        return None
    begun = _FINISH.match(text)
    found = _ANSWER.search(text, begun.end()) if begun is not None else None
    if begun is None or found is None:
        return None
    raw = found.group(1)
    if text[found.end() : found.end() + 1] != '"':
        raw = _CUT_SURROGATE.sub("", _CUT_ESCAPE.sub("", raw))
    try:
        arguments = json.loads(f"{text[begun.start('object') : found.start()]}}}")
        answer = json.loads(f'"{raw}"', strict=False)
    except json.JSONDecodeError:
        return None
    return {**arguments, "answer": answer}
