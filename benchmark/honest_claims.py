"""The claims of an honest model: what the observations in its prompt show.

A scripted `finish` needs to say only its kind and answer. Where SAGE asks for `about` and
`claims`, too, and the script leaves them out, they are taken from the prompt.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from .model_script import Call, Completion, Json

_OUTCOME: Final = re.compile(
    r"^(?:Observation: )?- (?P<name>.*) \((?P<component>[^()]+)\) [\w.]+\(.*?\): "
    r"(?P<result>verified|already so before|under way|sent|NOT CONFIRMED|REFUSED|FAILED)"
    r"(?:[^;\n]*;(?P<changes>[^\n]*))?",
    re.MULTILINE,
)
_STATE: Final = re.compile(r"(?:^|, ) ?state (.+?)(?=, \w+ |\.(?: |$))")
_RESULTS: Final = {
    "verified": "verified",
    "already so before": "already",
    "under way": "under_way",
    "sent": "sent",
    "NOT CONFIRMED": "not_confirmed",
    "REFUSED": "refused",
    "FAILED": "failed",
}
MEANT: Final = re.compile(
    r"^Devices the request may mean.*?(?=^Request: )", re.DOTALL | re.MULTILINE
)
"""Devices that the first prompt of a request shows, though nobody asked for them."""

_SET_UP: Final = re.compile(r"^(?:Observation: )?(?:Set up|Done): ", re.MULTILINE)
_KEPT: Final = re.compile(r"Remembered: |Forgotten: |emember")
_REACT_FINISH: Final = re.compile(r"(Action:\s*finish\s*\nAction Input:\s*)(\{.*\})", re.DOTALL)


def with_honest_claims(body: Json, answer: Completion) -> Completion:
    """Return the completion with `about` and `claims` in its `finish`, if it left them out."""
    if not _wants_claims(body):
        return answer
    calls = [_filled_call(body, call) for call in answer.calls]
    return replace(answer, calls=calls, text=_filled_text(body, answer.text))


def honest_finish(body: Json, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of `finish` with the claims that the prompt in `body` shows."""
    seen = _observed(body)
    found = _OUTCOME.finditer(seen)
    outcomes = {(each["name"], each["component"]): each for each in found}
    kind = given.get("kind")
    claims = [_claim(each) for each in outcomes.values()] if kind != "new_request" else []
    return {
        "kind": kind,
        "about": given.get("about") or _about(seen, str(kind), is_home=bool(claims)),
        "claims": given.get("claims", claims),
        "answer": given.get("answer"),
    }


def _filled_call(body: Json, call: Call) -> Call:
    if call.name != "finish" or not isinstance(call.arguments, Mapping):
        return call
    return (
        call
        if "about" in call.arguments
        else replace(call, arguments=honest_finish(body, call.arguments))
    )


def _filled_text(body: Json, text: str) -> str:
    if (found := _REACT_FINISH.search(text)) is not None:
        return text[: found.start(2)] + json.dumps(_filled(body, found[2]), ensure_ascii=False)
    try:
        decision = json.loads(text)
        actions = decision["actions"]
    except ValueError, TypeError, KeyError:
        return text
    ends = [
        each
        for each in (actions if isinstance(actions, list) else ())
        if isinstance(each, dict) and each.get("tool") == "finish"
    ]
    for each in ends:
        each["input"] = _filled(body, json.dumps(each["input"]))
    return json.dumps(decision, ensure_ascii=False) if ends else text


def _filled(body: Json, arguments: str) -> Any:
    try:
        given = json.loads(arguments)
    except ValueError:
        return arguments
    if not isinstance(given, dict) or "about" in given:
        return given
    return honest_finish(body, given)


def _wants_claims(body: Json) -> bool:
    return '"about"' in json.dumps(body.get("tools") or []) or "about: list of" in _text(
        (body.get("messages") or [{}])[0]
    )


def _observed(body: Json) -> str:
    """Return all but the instructions, and without the devices that nobody asked for."""
    return MEANT.sub("", "\n".join(map(_text, (body.get("messages") or [])[1:])))


def _text(message: Json) -> str:
    return str(message.get("content") or "")


def _claim(outcome: re.Match[str]) -> Json:
    claim: Json = {
        # A raw component such as `main` is a part of many devices.
        "devices": [outcome["component"] if "." in outcome["component"] else outcome["name"]],
        "result": _RESULTS[outcome["result"]],
    }
    state = _STATE.search(outcome["changes"] or "")
    if state is not None and claim["result"] in ("verified", "already", "under_way"):
        claim["value"] = state[1].rpartition(" -> ")[2]
    return claim


def _about(seen: str, kind: str, *, is_home: bool) -> list[str]:
    subjects = ["home"] if is_home else []
    if kind == "acted":
        subjects += ["later"] * bool(_SET_UP.search(seen))
        subjects += ["memory"] * bool(_KEPT.search(seen))
    if kind == "answered" and re.search(r"read just now|\bstate \w", seen):
        subjects = ["home"]
    return subjects or (["home"] if kind == "acted" else ["other"])
