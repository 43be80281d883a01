"""What a fake model says: completions, faults and whole behaviours."""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from custom_components.sage.agent import FinishKind
from custom_components.sage.config.verdict import FOR_LATER, REQUESTS

type Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A tool call of a completion."""

    name: str
    arguments: Mapping[str, Any] | str = field(default_factory=dict)
    """The arguments, or an invalid text in their place."""

    def text(self) -> str:
        """Return the arguments as the model writes them."""
        if isinstance(self.arguments, str):
            return self.arguments
        return json.dumps(self.arguments, ensure_ascii=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """What the model says."""

    text: str = ""
    calls: Sequence[Call] = ()
    reasoning: str = ""
    """Goes into `reasoning_content`, in addition to the text."""

    finish_reason: str | None = None
    """None: `tool_calls` or `stop`, as fits."""

    prompt_tokens: int | None = None
    """None: counted from the request."""

    cached_tokens: int | None = None
    """None: as much as an earlier request began alike."""

    completion_tokens: int | None = None
    piece: int = 8
    """Characters in one piece of a stream."""

    pause: float = 0.0
    """Seconds before each piece of a stream of the OpenAI API."""

    delay: float = 0.0
    """Seconds before the answer begins."""


class FaultKind(StrEnum):
    """How a server can fail."""

    CUT = "cut"
    """The connection ends in the middle of the reply."""
    ENDED_EARLY = "ended_early"
    """A stream that ends politely before the reply does."""
    DROPPED = "dropped"
    """The connection ends before any reply."""
    RATE_LIMITED = "rate_limited"
    NO_QUOTA = "no_quota"
    SERVER_ERROR = "server_error"
    HANG = "hang"
    """No reply at all until the server stops."""
    HANG_MIDWAY = "hang_midway"
    """A stream that stops in the middle and keeps the connection."""
    INVALID_JSON = "invalid_json"
    HTML = "html"
    EMPTY = "empty"
    """A valid reply with neither text nor calls."""
    ERROR_IN_STREAM = "error_in_stream"
    KEY_REFUSED = "key_refused"
    NO_SUCH_MODEL = "no_such_model"
    CONTEXT_TOO_LONG = "context_too_long"
    NOT_A_CHAT_MODEL = "not_a_chat_model"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A failure instead of a completion."""

    kind: FaultKind
    retry_after: str | None = None
    """The header of a rate limit: seconds or a date."""

    said: str = "Turning the light"
    """What is said before a cut."""

    delay: float = 0.0
    """Seconds until the failure."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Raw:
    """A response as it is on the wire."""

    body: bytes
    status: int = 200
    content_type: str = "application/json"
    location: str = ""
    """Target of a redirect."""


type Answer = Completion | Fault | Raw
type Script = Callable[[Json], Answer] | Iterable[Answer]


def answer_obediently(body: Json) -> Completion:
    """Answer as a capable model does that follows each wish to the letter.

    A JSON object in the last message of the user is taken as the arguments or the reply
    that is asked for; without one, the smallest value that fits the schema is returned. The
    requests of the set-up (`config/verdict.py`) get the decisions that fit them.
    """
    if (decided := _decided(body)) is not None:
        return decided
    wish = _last_wish(body)
    if tools := body.get("tools"):
        if wanted := _wanted_calls(body):
            return Completion(calls=wanted)
        function = tools[0]["function"]
        arguments = wish if wish is not None else smallest_value(function["parameters"])
        return Completion(calls=[Call(name=function["name"], arguments=arguments)])
    if schema := _wanted_schema(body):
        reply = wish if wish is not None else smallest_value(schema)
        return Completion(text=json.dumps(reply))
    return Completion(text=_in_react(body) or "OK")


def _decided(body: Json, *, only_text: bool = False) -> Completion | None:
    """Return the right decision about a request of the set-up; None for any other prompt."""
    said = str(body["messages"][-1].get("content"))
    request = next((each for each in REQUESTS.values() if each.text in said), None)
    calls: list[Call] = []
    if request is not None:
        kind = request.kind or FinishKind.ACTED
        calls += [Call(name="switch_lamp", arguments=each) for each in request.calls]
        calls.append(Call(name="finish", arguments={"kind": kind, "answer": "Done."}))
    elif any(text in said for text in FOR_LATER):
        later = {"when": "then", "action": "do it"}
        calls.append(Call(name="condition_polling", arguments=later))
    else:
        return None
    if body.get("tools") and not only_text:
        return Completion(calls=calls)
    if body.get("response_format") and not only_text:
        actions = [{"tool": call.name, "input": call.arguments} for call in calls]
        return Completion(text=json.dumps({"thought": "", "actions": actions}))
    lines = (f"Action: {call.name}\nAction Input: {call.text()}" for call in calls)
    return Completion(text="\n".join(("Thought: I know.", *lines)))


_PROMPTS: Final = Path(__file__).parents[1] / "custom_components/sage/agent/prompts"
_VERIFICATION: Final = (_PROMPTS / "verify_answer.md").read_text(encoding="utf-8").strip()


def verifies(body: Json) -> bool:
    """Return whether a request asks the model to compare an answer with the record."""
    return str(body["messages"][0].get("content")).strip() == _VERIFICATION


def verification(*unproven: str) -> Completion:
    """Return the reply to such a request, with these statements that the record does not prove."""
    return Completion(text=json.dumps({"unproven": unproven}, ensure_ascii=False))


def is_verification(answer: Answer) -> bool:
    """Return whether a scripted answer is the reply to such a request."""
    return isinstance(answer, Completion) and answer.text.startswith('{"unproven"')


def answer_in_text_only(body: Json) -> Completion:
    """Answer as a model does that knows neither tools nor schemas, and minds stop words."""
    decided = _decided(body, only_text=True)
    text = (decided.text if decided else _in_react(body)) or "I would say: OK."
    return Completion(text=f"{text}\nObservation: none\nI am done.")


def smallest_value(schema: Json) -> Any:
    """Return the smallest value that fits a JSON schema (types, enum, required, items)."""
    for given in ([schema["const"]] if "const" in schema else [], schema.get("enum", [])):
        if given:
            return given[0]
    if choices := schema.get("anyOf") or schema.get("oneOf"):
        return smallest_value(choices[0])
    properties = schema.get("properties", {})
    values: dict[str, Callable[[], Any]] = {
        "object": lambda: {
            key: smallest_value(properties[key]) for key in schema.get("required", [])
        },
        "array": lambda: [smallest_value(schema.get("items", {}))] * schema.get("minItems", 0),
        "integer": lambda: schema.get("minimum", 0),
        "number": lambda: schema.get("minimum", 0),
        "boolean": lambda: False,
        "null": lambda: None,
    }
    return values.get(str(schema.get("type")), str)()


def _wanted_schema(body: Json) -> Json | None:
    wanted = body.get("response_format") or {}
    schema = wanted.get("json_schema", {}).get("schema")
    return schema if isinstance(schema, dict) else None


def _in_react(body: Json) -> str:
    """Return the calls that are asked for as lines of text; empty if the prompt wants no lines."""
    if "Action Input:" not in str(body.get("messages")):
        return ""
    lines = (f"Action: {each.name}\nAction Input: {each.text()}" for each in _wanted_calls(body))
    return "\n".join(lines)


def _wanted_calls(body: Json) -> list[Call]:
    """Return the calls that the last message asks for: one line each, with name and arguments."""
    wishes = re.findall(r"the tool `(\w+)`[^{\n]*(\{.*\})", _last_message(body))
    return [Call(name=name, arguments=json.loads(arguments)) for name, arguments in wishes]


def _last_message(body: Json) -> str:
    asked = [m for m in body.get("messages", []) if m.get("role") == "user"]
    return str(asked[-1].get("content") or "") if asked else ""


def _last_wish(body: Json) -> Json | None:
    found = re.search(r"\{.*\}", _last_message(body), re.DOTALL)
    try:
        wish = json.loads(found.group()) if found else None
    except ValueError:
        return None
    return wish if isinstance(wish, dict) else None
