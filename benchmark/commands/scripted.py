"""A scripted model: it holds the ideal decisions of each case, and decides as its prompt allows.

It acts or answers directly if the prompt shows every device, command and value that this needs,
and goes the tree of tools otherwise.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Final

from custom_components.sage.config.agents import load_prompts

from ..model_script import Call, Completion, Json, answer_obediently
from .case import Do, Members, Of, Turn, entities
from .shown import Names, ShownEntities, can_do, entities_shown, values_of

type Decision = tuple[str, Json]
"""A tool and its arguments."""

_PLANNER: Final = load_prompts()["planner"]
"""The beginning of the planner's prompt."""

_DOMAINS_OF_SENT: Final = ("cover.", "lock.", "vacuum.", "valve.")
"""Their commands take time: the claim in the same reply is `sent`."""

_SHOWN_WHOLE: Final = re.compile(r"^Nothing (?:here|else) |^All of ", re.MULTILINE)
"""The line of a prompt that shows what the home lacks."""

_MEANING: Final = re.compile(r"^.* \((.+)\)$")
_NUMBER: Final = re.compile(r"^(-?\d+(?:\.\d+)?) \S+$")


class ScriptedModel:
    """Decides for one sentence at a time."""

    def __init__(self) -> None:
        """Know nothing yet."""
        self._turn = Turn(said="")
        self._members: Members = lambda _: ()
        self._names: Names = {}

    def begin(self, turn: Turn, members: Members, names: Names) -> None:
        """Understand this sentence from now on, and the names that prompts have for entities."""
        self._turn, self._members, self._names = turn, members, names

    def __call__(self, body: Json) -> Completion:
        """Return the decision of the agent that asks."""
        tools = _tools(body)
        asked = sum(message["role"] == "assistant" for message in body["messages"])
        told = (str(each.get("content") or "") for each in body["messages"][1:])
        seen = "\n\n".join(each.removeprefix("Observation: ") for each in told)
        if str(body["messages"][0].get("content")).startswith(_PLANNER):
            return Completion(text=json.dumps({"steps": self._steps()}))
        if "device_interaction" in tools:
            return _written(body, self._entry(tools, asked, seen))
        if "execute_command" in tools:
            return _written(body, self._device(tools, asked, seen))
        return answer_obediently(body)

    def _entry(self, tools: Mapping[str, Json], asked: int, seen: str) -> list[Decision]:
        turn = self._turn
        if asked:
            return [self._report(seen)]
        if turn.tool:
            return [(turn.tool, {})]
        if turn.missing and _SHOWN_WHOLE.search(seen):
            missing = _claim((turn.missing,), "missing")
            return [("finish", _finish("could_not", [missing], "There is none."))]
        if "execute_command" in tools and (direct := self._direct(tools, seen)):
            return direct
        given = {"command": turn.said, "timing": "now", "final": True}
        return [("device_interaction", _known(tools["device_interaction"], given))]

    def _device(self, tools: Mapping[str, Json], asked: int, seen: str) -> list[Decision]:
        turn = self._turn
        devices = [name for step in self._steps() for name in step["devices"]]
        before: list[Decision] = []
        if "device_interaction_planner" in tools:
            before.append(("device_interaction_planner", {"command": turn.said}))
            if devices:
                before.append(("api_documentation", {"devices": devices}))
        if asked < len(before):
            return [before[asked]]
        asked -= len(before)
        if asked == 0 and (direct := self._direct(tools, seen)):
            return direct
        if asked == 0 and turn.do:
            return self._commands(tools)
        if asked == 0 and devices:
            return [("read_attributes", {"devices": devices})]
        return [self._report(seen)]

    def _steps(self) -> list[Json]:
        turn = self._turn
        wanted = [("command", do.devices) for do in turn.do]
        wanted += [("read", (read.of,)) for read in turn.read]
        return [
            {
                "action": action,
                "devices": self._ids(of),
                "capabilities": [],
                "task": turn.said,
                "doubt": "",
            }
            for action, of in wanted
        ]

    def _direct(self, tools: Mapping[str, Json], seen: str) -> list[Decision]:
        """Return all that is to be done and said; empty if the prompt does not show enough."""
        turn, shown = self._turn, entities_shown(seen, self._names)
        if not (turn.do or turn.read):
            return []
        if not all(can_do(do, shown, self._members) for do in turn.do):
            return []
        answer = self._answer(shown)
        if answer is None:
            return []
        return [*self._commands(tools), ("finish", answer)]

    def _commands(self, tools: Mapping[str, Json]) -> list[Decision]:
        return [
            ("execute_command", _known(tools["execute_command"], self._command(do)))
            for do in self._turn.do
        ]

    def _command(self, do: Do) -> Json:
        return {
            "devices": self._ids(do.devices),
            "command": do.command,
            "arguments": dict(do.arguments),
            "timing": "now",
            "final": do is self._turn.do[-1],
        }

    def _answer(self, shown: ShownEntities) -> Json | None:
        """Return the arguments of `finish`; None if a value is not shown."""
        turn = self._turn
        claims: list[Json] = []
        told: dict[str, str] = {}
        for read in turn.read:
            values = values_of(read, shown, self._members)
            if values is None:
                return None
            told |= values
            claims += [
                _claim((each,), "read", value, read.attribute) for each, value in values.items()
            ]
        if turn.do:
            return _finish("acted", self._done_claims(), "Done.")
        if turn.asks:
            return _finish("asked", [], "Which one do you mean?")
        return _finish("answered", claims, _said(told, turn.lists))

    def _done_claims(self) -> list[Json]:
        turn = self._turn
        states = {
            entity_id: goal.state
            for goal in turn.goals
            for entity_id in entities((goal.of,), self._members)
        }
        claims: list[Json] = []
        for do in turn.do:
            members = entities(do.devices, self._members)
            state = states.get(members[0])
            is_sent = state is None or members[0].startswith(_DOMAINS_OF_SENT)
            claims.append(_claim(self._ids(do.devices), "sent" if is_sent else "verified"))
            if not is_sent:
                claims[-1]["value"] = state
        return claims

    def _report(self, seen: str) -> Decision:
        """Return the finish after results: the claims are filled in from the prompt."""
        turn, shown = self._turn, entities_shown(seen, self._names)
        if turn.do or turn.tool:
            return "finish", {"kind": "acted", "answer": "Done."}
        if (answer := self._answer(shown)) is not None and turn.read:
            return "finish", answer
        observed = re.findall(r"(?:answered|asked|could_not): (.+)", seen)
        if observed:
            return "finish", _finish("answered", [], observed[-1]) | {"about": ["other"]}
        return "finish", _finish("could_not", [], "That is not possible.")

    def _ids(self, of: Sequence[Of]) -> list[str]:
        """Return ids and groups, as SAGE takes them."""
        names: list[str] = []
        for one in of:
            group = None if isinstance(one, str) else one.name
            names += [group] if group else entities((one,), self._members)
        return names


def _claim(devices: Sequence[str], result: str, value: str = "", attribute: str = "") -> Json:
    named = {} if attribute in ("", "state") else {"attribute": attribute}
    return {
        "devices": list(devices),
        "result": result,
        "value": _plain(value),
        **named,
    }


def _plain(value: str) -> str:
    """Return a value without unit, meaning and quotes; of a list the first entry."""
    if value.startswith("["):
        return value.strip("[]").partition(", ")[0]
    bare = value.partition(" (")[0].strip('"')
    return number[1] if (number := _NUMBER.match(bare)) else bare


def _finish(kind: str, claims: Sequence[Json], answer: str) -> Json:
    return {"kind": kind, "about": ["home"], "claims": list(claims), "answer": answer}


def _said(values: Mapping[str, str], lists: str) -> str:
    """Return the values as words; with `lists` the names of the entities that have this one."""
    if lists:
        names = [_name(each) for each, value in values.items() if value.split(" ")[0] == lists]
        return ", ".join(names) or "None."
    meant = {
        each: found[1] if (found := _MEANING.match(value)) else value
        for each, value in values.items()
    }
    return ", ".join(f"the {_name(each)} is {value}" for each, value in meant.items())


def _name(entity_id: str) -> str:
    return entity_id.partition(".")[2].replace("_", " ")


def _schema(body: Json) -> Json:
    wanted = body.get("response_format") or {}
    return dict(wanted.get("json_schema", {}).get("schema") or {})


def _tools(body: Json) -> dict[str, Json]:
    """Return tool -> schema of its arguments, in either format."""
    if tools := body.get("tools"):
        return {tool["function"]["name"]: tool["function"]["parameters"] for tool in tools}
    properties = _schema(body).get("properties", {})
    choice = properties.get("action") or properties.get("actions", {}).get("items") or {}
    actions = [action["properties"] for action in choice.get("anyOf", [])]
    return {action["tool"]["enum"][0]: action["input"] for action in actions}


def _known(schema: Json, given: Json) -> Json:
    """Return the arguments that a tool has."""
    return {name: value for name, value in given.items() if name in schema["properties"]}


def _written(body: Json, decisions: Sequence[Decision]) -> Completion:
    """Return decisions as a model writes them."""
    if body.get("tools"):
        return Completion(calls=[Call(name=tool, arguments=given) for tool, given in decisions])
    actions = [{"tool": tool, "input": given} for tool, given in decisions]
    if "actions" in _schema(body)["properties"]:
        return Completion(text=json.dumps({"thought": "This is next.", "actions": actions}))
    return Completion(text=json.dumps({"thought": "This is next.", "action": actions[0]}))
