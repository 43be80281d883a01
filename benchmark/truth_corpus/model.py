"""Cases: what is said in a home in some state, what the model decides, what may be spoken."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

LANGUAGES: Final = ("en", "de", "fr", "es", "it", "nl", "pl", "ru", "ja", "ar")

REQUEST: Final = "{request}"
"""Stands for the words of the person in the arguments of a tool."""

WORDS: Final = "{words}"
"""Stands for the answer in the arguments of a tool."""

VALUE: Final = "{value}"
"""Stands for a value of a claim in the words of the person's language."""

ROUTINE: Final = "routine"
"""Key of the sentence that the tool returned for a routine."""

HOUSEHOLD: Final = "household"
OWNER: Final = "owner"
"""Somebody who is signed in and may do everything."""

CHILD: Final = "child"
"""A person who may see everything and use nothing."""

type Json = Mapping[str, Any]
type Words = Mapping[str, Sequence[str]]
"""Language -> the request of the person, the answer of the model, perhaps a claimed value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One reply of the model: tool calls, or the JSON object `data` where no tool is offered."""

    calls: tuple[tuple[str, Json], ...] = ()
    data: Json | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """The home in the beginning; all else is as the demo home is furnished."""

    stubborn: Mapping[str, str] = field(default_factory=dict)
    """Entity -> command that it takes without doing anything."""

    away: tuple[str, ...] = ()
    """Entities that are unavailable."""

    values: Mapping[str, Json] = field(default_factory=dict)
    """Entity -> properties of Home Assistant's entity class."""

    person: str = HOUSEHOLD


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What a person says, and all replies of the model until its answer."""

    request: str
    replies: tuple[Reply, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A sentence that SAGE speaks itself, by its key in the translations."""

    key: str
    values: Mapping[str, str | tuple[str, ...] | Sentence] = field(default_factory=dict)
    """What it is filled with; a tuple is an enumeration."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One attempt."""

    scenario: str
    language: str
    request: str
    words: str
    """The words of the model."""

    value: str = ""
    """What `VALUE` stands for."""

    replies: tuple[Reply, ...]
    """Until the answer; of a lie, the last one is repeated as long as the model is asked."""

    given: Given = Given()
    earlier: Turn | None = None
    """A turn before it in the same conversation."""

    person_replies: str = ""
    """What the person says to a question that comes before the answer."""

    changed: Mapping[str, Json] = field(default_factory=dict)
    """Entity -> properties that it gets before the person replies."""

    is_true: bool = False
    """Whether a model that verifies the words finds nothing unproven in them."""

    fires: bool = False
    """Nobody says the request: it is the command of a routine that fires."""

    truth: tuple[Sentence, ...] = ()
    """What is to be spoken instead of a lie, or of an honest answer about a failed command.

    `ROUTINE` stands for what was set up.
    """

    device: str = ""
    """Id of the device that nothing was done to and no tool read; may be empty."""

    truth_if_shown: tuple[Sentence, ...] = ()
    """The truth if the first prompt shows this device: then its values were read for that."""


type Scenario = tuple[str, str, Mapping[str, Any], tuple[Reply, ...]]
"""Name, words, fields of the case, and the formats in which a lie is tried."""


def load(name: str) -> Mapping[str, Words]:
    """Return scenario -> words of a file of this folder."""
    path = Path(__file__).parent / f"{name}.json"
    known = json.loads(path.read_text(encoding="utf-8"))
    words: Mapping[str, Words] = known
    return words


def call(tool: str, **arguments: Any) -> Reply:
    """Return the reply that calls one tool."""
    return Reply(calls=((tool, arguments),))


def finish(kind: str, *about: str, claims: tuple[Json, ...] = ()) -> Reply:
    """Return the reply that ends with the words of the case."""
    return call("finish", kind=kind, about=list(about), claims=list(claims), answer=WORDS)


def claim(devices: str, result: str, value: str = "", attribute: str = "") -> Json:
    """Return a claim about devices, named with commas between."""
    given: dict[str, Any] = {"devices": devices.split(", "), "result": result}
    if attribute:
        given["attribute"] = attribute
    return given | {"value": value} if value else given


def to_devices(action: str, *devices: str) -> tuple[Reply, ...]:
    """Return the decision to hand the request to the devices, and the plan for it.

    `action`: `command` or `read`.
    """
    step = {
        "action": action,
        "devices": list(devices),
        "capabilities": [],
        "task": REQUEST,
        "doubt": "",
    }
    return (
        call("device_interaction", command=REQUEST, timing="now", final=True),
        Reply(data={"steps": [step]}),
    )


def execute(devices: str, command: str, **arguments: Any) -> Reply:
    """Return one command to devices, named with commas between."""
    named = devices.split(", ")
    return call("execute_command", devices=named, command=command, arguments=arguments)


def commands(devices: str, command: str, **arguments: Any) -> tuple[Reply, ...]:
    """Return all decisions until one command is executed."""
    plan = to_devices("command", *devices.split(", "))
    return (*plan, execute(devices, command, **arguments))


def reads(devices: str) -> tuple[Reply, ...]:
    """Return all decisions until devices are read."""
    named = devices.split(", ")
    return (*to_devices("read", *named), call("read_attributes", devices=named))


def plans_for(time: str, *, final: bool = False) -> Reply:
    """Return the decision to notify the person at a time."""
    return call("condition_polling", kind="tell", action=REQUEST, at=time, final=final)


def lists_routines() -> Reply:
    """Return the decision to read what is planned."""
    return call("routines", action="list", final=False)


def is_open(entity: str) -> tuple[Reply, ...]:
    """Return the decisions to write the condition that something is open."""
    code = f'def is_open():\n    return get_state("{entity}") == "open"\n'
    step = {"action": "read", "devices": [entity], "capabilities": [], "task": "", "doubt": ""}
    return (
        call("condition_code_writing", condition=REQUEST),
        Reply(data={"steps": [step]}),
        call("code_execution", function="is_open", code=code),
    )
