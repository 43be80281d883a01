"""The model of the soak: it understands the sentences of `soak_talk`, and fails on demand."""

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final

from .model_script import (
    Answer,
    Call,
    Completion,
    Fault,
    FaultKind,
    Json,
    answer_obediently,
)

type Tools = frozenset[str]
type Decide = Callable[["Asked"], Answer]

FAULTS: Final[Sequence[Answer]] = (
    Fault(kind=FaultKind.SERVER_ERROR),
    Fault(kind=FaultKind.DROPPED),
    Fault(kind=FaultKind.CUT),
    Fault(kind=FaultKind.ENDED_EARLY),
    Fault(kind=FaultKind.INVALID_JSON),
    Fault(kind=FaultKind.HTML),
    Fault(kind=FaultKind.EMPTY),
    Fault(kind=FaultKind.ERROR_IN_STREAM),
    Fault(kind=FaultKind.RATE_LIMITED, retry_after="0"),
    Fault(kind=FaultKind.RATE_LIMITED, retry_after="120"),
    Fault(kind=FaultKind.CONTEXT_TOO_LONG),
    Fault(kind=FaultKind.REFUSED),
    Completion(text='{"thought": "I would'),
    Completion(calls=[Call(name="finish", arguments='{"kind": "answ')]),
    Completion(calls=[Call(name="no_such_tool", arguments={})]),
)
"""What a server may answer instead of a decision; `hang` is apart, as it takes its time."""

HANG: Final = Fault(kind=FaultKind.HANG)
LASTS: Final = 100
"""Tries after which a server that fails for good would recover."""

_LINE: Final = re.compile(r"^(?:Request|Task|Question): (.+)$", re.MULTILINE)
_EARLIER: Final = re.compile(r"^- Person: (.+)$", re.MULTILINE)
_OWN: Final = re.compile(r"^(\d+)\. (.+)$", re.MULTILINE)


class Asked:
    """One request for a completion."""

    def __init__(self, body: Json) -> None:
        messages = [each for each in body.get("messages", []) if each.get("content")]
        self.tools = frozenset(each["function"]["name"] for each in body.get("tools") or [])
        self.given = "\n".join(
            str(each["content"]) for each in messages if each["role"] in ("user", "tool")
        )
        self.turn: int = sum(each["role"] == "assistant" for each in body.get("messages", []))
        found = _LINE.findall(self.given)
        self.text: str = found[-1] if found else ""
        self.last = str(messages[-1]["content"]) if messages else ""
        format_ = body.get("response_format") or {}
        self.schema: Json | None = format_.get("json_schema", {}).get("schema")

    def said_before(self) -> list[str]:
        """Return what the person said earlier in the conversation, the newest last."""
        return _EARLIER.findall(self.given)


class SoakModel:
    """Decides; `troubles` are the faults that it has still to make, by request."""

    def __init__(self) -> None:
        self._troubles: dict[str, list[Answer]] = {}
        self.unknown: Counter[str] = Counter()
        """Requests that it did not understand."""

    def trouble(self, text: str, answers: Sequence[Answer]) -> None:
        """Answer a request like this first; then as it should."""
        self._troubles[text] = list(answers)

    def __call__(self, body: Json) -> Answer:
        asked = Asked(body)
        if troubles := self._troubles.get(asked.text):
            trouble = troubles.pop(0)
            if not troubles:
                del self._troubles[asked.text]
            return trouble
        for pattern, decide in _RULES:
            if found := pattern.fullmatch(asked.text):
                return decide(asked, found)
        if asked.text:
            self.unknown[asked.text] += 1
        return answer_obediently(body)

    def calm(self, text: str) -> None:
        """Make no further faults for a request."""
        self._troubles.pop(text, None)


def id_of(name: str) -> str:
    """Return the id that SAGE gives a device."""
    return name.replace(" ", "_")


def _call(tool: str, **arguments: Any) -> Completion:
    return Completion(calls=[Call(name=tool, arguments=arguments)])


def _finish(kind: str, answer: str) -> Completion:
    return _call("finish", kind=kind, answer=answer)


def _plan(action: str, device: str) -> Completion:
    step = {
        "action": action,
        "devices": [device],
        "capabilities": [],
        "task": "Do it.",
        "doubt": "",
    }
    return Completion(text=json.dumps({"steps": [step]}))


def _devices(asked: Asked, action: str, device: str, *decisions: Completion) -> Completion:
    """Return the decision of whichever agent asks: SAGE, the planner, or that of the devices."""
    if "device_interaction" in asked.tools:
        return _call("device_interaction", command=asked.text, timing="now", final=True)
    if not asked.tools:
        return _plan(action, device)
    return decisions[min(asked.turn, len(decisions) - 1)]


def _set(asked: Asked, found: re.Match[str]) -> Completion:
    name, level = found[1], int(found[2])
    given = {"devices": [id_of(name)], "command": "turn_on"}
    return _devices(
        asked,
        "command",
        id_of(name),
        _call("execute_command", **given, arguments={"brightness_pct": level}),
        _finish("acted", f"The {name} is at {level} percent."),
    )


def _turn_off(asked: Asked, found: re.Match[str]) -> Completion:
    name = found[1]
    return _devices(
        asked,
        "command",
        id_of(name),
        _call("execute_command", devices=[id_of(name)], command="turn_off"),
        _finish("acted", f"The {name} is off."),
    )


def _turn_it_off(asked: Asked, _: re.Match[str]) -> Completion:
    """Understand "it" from the previous turn; the inner agents get its name."""
    named = [each for said in asked.said_before() if (each := _SET.fullmatch(said))]
    if not named:
        return _finish("could_not", "I do not know what is meant.")
    command = f"turn off the {named[-1][1]}"
    return _call("device_interaction", command=command, timing="now", final=True)


def _put_back(asked: Asked, _: re.Match[str]) -> Completion:
    return (_call("undo"), _finish("acted", "It is as it was."))[min(asked.turn, 1)]


def _how_warm(asked: Asked, _: re.Match[str]) -> Completion:
    values = asked.given.partition("Current values")[2]
    warm = re.search(r"sensor\.fridge_temperature: .*?(\d+(?:\.\d+)?)", values)
    answer = f"It is {warm[1] if warm else values} degrees in the fridge."
    return _devices(asked, "read", "fridge", _finish("answered", answer))


def _is_on(asked: Asked, found: re.Match[str]) -> Completion:
    values = asked.given.partition("Current values")[2]
    state = re.search(r"\bstate\W+(on|off)\b", values)
    answer = f"The {found[1]} is {state[1] if state else 'somehow'}."
    return _devices(asked, "read", id_of(found[1]), _finish("answered", answer))


def _remember(asked: Asked, found: re.Match[str]) -> Completion:
    text = f"My {found[1]} is {found[2]}."
    return (
        _call("memory", action="remember", text=text),
        _finish("acted", f"I will remember your {found[1]}."),
    )[min(asked.turn, 1)]


def _forget(asked: Asked, found: re.Match[str]) -> Completion:
    return (
        _call("memory", action="forget", text=found[1]),
        _finish("acted", f"I forgot your {found[1]}."),
    )[min(asked.turn, 1)]


def _recall(asked: Asked, found: re.Match[str]) -> Completion:
    if asked.schema is not None and "rests_on" in asked.schema["properties"]:
        for number, text in _OWN.findall(asked.given):
            if told := re.search(rf"[Mm]y {re.escape(found[1])} is ([\w ]+)", text):
                answer = f"Your {found[1]} is {told[1]}."
                return _json(known=True, answer=answer, rests_on=[int(number)])
        return _json(known=False, answer="", rests_on=[])
    if not asked.turn:
        return _call("personalization", question=asked.text)
    if not asked.last.startswith("Your "):
        return _finish("could_not", "I do not know that.")
    return _finish("answered", asked.last.splitlines()[0])


def _json(**values: Any) -> Completion:
    return Completion(text=json.dumps(values))


def _tell_when(asked: Asked, found: re.Match[str]) -> Completion:
    device, limit = id_of(found[1]), found[2]
    function = f"is_{device}_over_{limit}"
    if "code_execution" in asked.tools:
        code = f'def {function}():\n    return float(get_state("{_SENSORS[found[1]]}")) > {limit}\n'
        return _call("code_execution", function=function, code=code)
    if not asked.tools:
        return _plan("read", device)
    condition = f"the {found[1]} is over {limit}"
    return (
        _call("condition_code_writing", condition=condition),
        _call(
            "condition_polling",
            kind="tell",
            action=f"Now {condition}.",
            function=function,
            final=True,
        ),
    )[min(asked.turn, 1)]


def _every_day(asked: Asked, found: re.Match[str]) -> Completion:
    action = f"Time to {found[2]}."
    return _call("condition_polling", kind="tell", action=action, daily=found[1], final=True)


def _stop_watching(asked: Asked, found: re.Match[str]) -> Completion:
    own = [number for number, text in _OWN.findall(asked.given) if f"over {found[1]}" in text]
    if not own:
        return _finish("could_not", "There is no such thing.")
    return _call("routines", action="delete", numbers=[int(own[-1])], final=True)


def _risky(asked: Asked, found: re.Match[str]) -> Completion:
    verb, name = found[1], found[2]
    refused = "REFUSED" in asked.last
    return _devices(
        asked,
        "command",
        id_of(name),
        _call("execute_command", devices=[id_of(name)], command=_COMMANDS[verb]),
        _finish("could_not" if refused else "acted", f"The {name}: {verb}."),
    )


def _dim_something(asked: Asked, _: re.Match[str]) -> Completion:
    if not asked.turn:
        return _call("human_interaction", question="Which light?")
    replied = re.search(r'The person replied: "the ([\w ]+)"', asked.given)
    name = replied[1] if replied else "nothing"
    command = f"set the {name} to 12 percent"
    return _call("device_interaction", command=command, timing="now", final=True)


def _story(asked: Asked, found: re.Match[str]) -> Completion:
    return _finish("answered", f"Once upon a time there was a lamp with the number {found[1]}.")


def _slow_story(asked: Asked, found: re.Match[str]) -> Completion:
    answer = {"kind": "answered", "answer": f"It took its time, number {found[1]}."}
    return Completion(calls=[Call(name="finish", arguments=answer)], delay=2.0)


_SENSORS: Final = {
    "fridge": "fridge_temperature",
    "garden climate": "garden_climate",
    "bedroom climate": "bedroom_climate",
}
_COMMANDS: Final = {
    "open": "open_cover",
    "close": "close_cover",
    "unlock": "unlock",
    "lock": "lock",
}
_SET: Final = re.compile(r"set the ([\w ]+) to (\d+) percent")
_RULES: Final[Sequence[tuple[re.Pattern[str], Callable[[Asked, re.Match[str]], Answer]]]] = (
    (_SET, _set),
    (re.compile(r"turn off the ([\w ]+)"), _turn_off),
    (re.compile(r"now turn it off"), _turn_it_off),
    (re.compile(r"put it back"), _put_back),
    (re.compile(r"how warm is the fridge\?"), _how_warm),
    (re.compile(r"is the ([\w ]+) on\?"), _is_on),
    (re.compile(r"remember that my ([\w ]+) is ([\w ]+)"), _remember),
    (re.compile(r"forget my ([\w ]+)"), _forget),
    (re.compile(r"what is my ([\w ]+)\?"), _recall),
    (re.compile(r"(?:tell me when )?the ([\w ]+) is over (\d+)"), _tell_when),
    (re.compile(r"tell me every day at (\d\d:\d\d) to ([\w ]+)"), _every_day),
    (re.compile(r"stop watching for over (\d+)"), _stop_watching),
    (re.compile(r"(open|close|unlock|lock) the ([\w ]+)"), _risky),
    (re.compile(r"dim the light"), _dim_something),
    (re.compile(r"tell me story number (\d+)"), _story),
    (re.compile(r"tell me long story number (\d+)"), _slow_story),
)
