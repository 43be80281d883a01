"""Read a model's reply: one lenient reader for all decision formats.

What servers and models send is read as kindly as possible, but never so that a reading would guess
what the person meant: an unknown tool, half a call or two different readings are errors.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from ..model import ModelReply, ToolSpec, fitted, read_json
from ..text import plain
from .decision import (
    FINISH,
    INNER_KINDS,
    About,
    Call,
    Claim,
    ClaimResult,
    Decision,
    DecisionError,
    Finish,
    FinishKind,
)
from .formats import DecisionFormat
from .written_calls import ARGUMENT_NAMES, WrittenCall, WrittenCalls, calls_in, tool_named

_CUT_OFF: Final = (
    "Your reply was too long or repeated itself, and was cut off. "
    "Write a short thought, and say everything only once."
)
_IN_WORDS: Final = "Write the calls alone, with no words before or after them."
_AFTER_ARGUMENTS: Final = " \t\r\n}])`;,"  # superfluous characters after the JSON of a call

type _Schemas = Mapping[str, Mapping[str, Any]]


def read_reply(
    reply: ModelReply,
    decision_format: DecisionFormat,
    tools: Sequence[ToolSpec],
    *,
    is_tainted: bool = False,
) -> Decision:
    """Return the decision in a reply; it has a `problem` if it cannot be read for certain.

    `is_tainted`: whether the model has read untrusted text, from which it may quote calls. Then
    calls in the text of the reply count only without words around them. In the format `react`, a
    thought may stand before them. Words without a call become an unstructured answer.
    """
    schemas = {tool.name: tool.parameters for tool in tools}
    try:
        if reply.tool_calls:
            read = _native(reply, schemas)
        else:
            read = _written(reply, decision_format, schemas, is_tainted=is_tainted)
    except DecisionError as err:
        return Decision(reply=reply, problem=_CUT_OFF if reply.truncated else str(err))
    except RecursionError:
        return Decision(reply=reply, problem=decision_format.how_to_fix)
    # Calls after `finish` are ignored, because the answer may already be streamed.
    end = next((call for call in read.calls if call.tool == FINISH), None)
    calls = read.calls if end is None else read.calls[: read.calls.index(end)]
    if len(calls) > ModelReply.MOST_CALLS:
        problem = (
            f"Nothing was done: a reply may call {ModelReply.MOST_CALLS} tools. Call a group of "
            "devices once, or fewer tools."
        )
        return Decision(reply=reply, repairs=read.repairs, problem=problem)
    try:
        finish = read.finish if end is None else finish_from(end.arguments, call_id=end.id)
    except DecisionError as err:
        return Decision(reply=reply, repairs=read.repairs, problem=str(err))
    return replace(read, calls=calls, finish=finish)


def _native(reply: ModelReply, schemas: _Schemas) -> Decision:
    repairs: list[str] = []
    calls: list[Call] = []
    if reply.truncated and not all(_is_json(each.arguments or "{}") for each in reply.tool_calls):
        raise DecisionError(_CUT_OFF)
    for native in reply.tool_calls:
        written = WrittenCall(native.name, native.arguments)
        if native.name not in schemas and tool_named(native.name, schemas) is None:
            # The whole call may stand in the arguments.
            inner = calls_in(_arguments_of(written), schemas)
            if inner is not None and len(inner) == 1:
                written = inner[0]
        calls.append(_call(native.id, written, schemas, repairs))
    if repairs:
        shown = (
            replace(native, name=call.tool, arguments=json.dumps(dict(call.arguments)))
            for native, call in zip(reply.tool_calls, calls, strict=True)
        )
        reply = replace(reply, tool_calls=tuple(shown))
    return Decision(reply=reply, calls=tuple(calls), repairs=tuple(repairs))


def _written(
    reply: ModelReply, decision_format: DecisionFormat, schemas: _Schemas, *, is_tainted: bool
) -> Decision:
    fix = decision_format.how_to_fix
    try:
        written = WrittenCalls(reply.text, schemas, may_close=not reply.truncated)
    except DecisionError as err:
        raise DecisionError(f"{err} {fix}") from None
    is_react = decision_format.name == "react" and written.are_labelled
    is_thought = is_react and written.is_thought
    if written.calls and written.has_words and is_tainted and not is_thought:
        raise DecisionError(f"{_IN_WORDS} {fix}")
    if not written.calls:
        words = plain(written.words)
        if reply.truncated or not words:
            raise DecisionError(fix)
        answer = Finish(
            kind=FinishKind.ANSWERED,
            answer=words,
            about=frozenset({About.OTHER}),
            is_unstructured=True,
        )
        return Decision(reply=reply, finish=answer)
    is_usual = is_react or (decision_format.name == "constrained" and _is_json(reply.text))
    repairs = [] if is_usual else ["read the call from the text of the reply"]
    calls = [
        _call(f"action{number}", each, schemas, repairs)
        for number, each in enumerate(written.calls)
    ]
    return Decision(reply=reply, calls=tuple(calls), repairs=tuple(repairs))


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _call(call_id: str, written: WrittenCall, schemas: _Schemas, repairs: list[str]) -> Call:
    """Return a call with the name and arguments that the schemas describe; note the repairs."""
    tool = written.tool
    if tool not in schemas and (named := tool_named(tool, schemas)) is not None:
        tool = named
        repairs.append(f"name `{written.tool}` read as `{tool}`")
    arguments = _arguments_of(written)
    if isinstance(written.arguments, str) and not _is_json(written.arguments or "{}"):
        repairs.append(f"arguments of `{tool}` read from invalid JSON")
    if (schema := schemas.get(tool)) is None:
        return Call(id=call_id, tool=tool, arguments=arguments)
    is_whole = set(schema.get("required", ())) <= arguments.keys()
    whole = arguments if is_whole else _inner(tool, arguments, schemas)
    fitting: dict[str, Any] = fitted(
        schema, _unwrapped(schema, whole) if len(whole) == 1 else whole
    )
    changed = [
        name
        for name in {**arguments, **fitting}
        if name not in arguments or arguments[name] != fitting.get(name, ...)
    ]
    if changed:
        repairs.append(f"arguments of `{tool}` adjusted: {', '.join(changed)}")
    return Call(id=call_id, tool=tool, arguments=fitting)


def _unwrapped(schema: Mapping[str, Any], arguments: dict[str, Any]) -> dict[str, Any]:
    """Return what is in the only argument, if that is a superfluous name, as in `{"input": {}}`."""
    ((name, inner),) = arguments.items()
    if isinstance(inner, str):
        inner = fitted({"type": "object"}, inner)
    if name not in ARGUMENT_NAMES or not isinstance(inner, dict):
        return arguments
    properties = set(schema.get("properties", ()))
    others = set(schema.get("required", ())) - {name}
    is_wrapper = name not in properties or (bool(others) and others <= inner.keys())
    return inner if is_wrapper and inner.keys() <= properties else arguments


def _inner(tool: str, arguments: dict[str, Any], schemas: _Schemas) -> dict[str, Any]:
    """Return the arguments of a whole call of `tool` that stands in its arguments, else these."""
    try:
        inner = calls_in(arguments, schemas) or ()
    except DecisionError:
        # Arguments such as `function` and `action` are no names of tools.
        return arguments
    if len(inner) == 1 and tool_named(inner[0].tool, schemas) == tool:
        return _arguments_of(inner[0])
    return arguments


def _arguments_of(call: WrittenCall) -> dict[str, Any]:
    value = call.arguments
    try:
        while isinstance(value, str):
            value = _value_of(value)
    except ValueError as err:
        raise DecisionError(
            f"The arguments of `{call.tool}` are not valid JSON ({err}). Call it again with a JSON "
            "object."
        ) from None
    if isinstance(value, list) and len(value) == 1:
        (value,) = value
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise DecisionError(f"The arguments (`input`) of `{call.tool}` must be a JSON object.")
    return value


def _value_of(text: str) -> object:
    """Return the value of a JSON text, which may be written twice; raises ValueError."""
    text = text.strip()
    if text.startswith("```"):
        text = text.partition("\n")[2].strip()
    if not text:
        return {}
    value, end = read_json(text)
    while "{" in (rest := text[end:].lstrip(_AFTER_ARGUMENTS)):
        again, end = read_json(text, len(text) - len(rest))
        if value not in ({}, again):
            raise ValueError("it contains two different objects")
        value = again
    return value


# ------------------------------------------------------------ the arguments of `finish`


def finish_from(arguments: Mapping[str, Any], *, call_id: str = "finish") -> Finish:
    """Return the final answer from valid arguments of `finish`; raises DecisionError."""
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
    about = arguments.get("about")
    named = about if isinstance(about, list) else [about] if about else []
    # The record decides about unknown subjects (`run.code_answer.labelled`).
    written_subjects = {part for each in named for part in re.split(r"[\s,;]+", str(each).strip())}
    subjects = frozenset(subject for subject in About if subject.value in written_subjects)
    claims = claims_from(arguments.get("claims"))
    return Finish(kind=kind, answer=answer, about=subjects, claims=claims, id=call_id)


def claims_from(value: object) -> tuple[Claim, ...]:
    """Return the claims in the argument `claims` of the tool `finish`; raises DecisionError."""
    if value in (None, "", {}):
        return ()
    if not isinstance(value, list) or not all(isinstance(each, Mapping) for each in value):
        raise DecisionError("`claims` is a list of objects with `devices`, `result` and `value`.")
    claims: list[Claim] = []
    for claim in value:
        devices = tuple(map(str, claim.get("devices") or ()))
        if not devices:
            raise DecisionError("Each claim needs `devices`: ids, or a group.")
        try:
            result = ClaimResult(str(claim.get("result", "")))
        except ValueError:
            raise DecisionError(
                f"Each claim needs `result`, one of {', '.join(ClaimResult)}."
            ) from None
        attribute = str(claim.get("attribute") or "").strip()
        if attribute == "state":
            attribute = ""
        said = claim.get("value")
        said = said.strip() if isinstance(said, str) else _text(said)
        claims.append(Claim(devices=devices, result=result, attribute=attribute, value=said))
    return tuple(claims)


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_text, value))}]"
    return "" if value is None else str(value).strip()
