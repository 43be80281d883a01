"""The model of the benchmark: a fake server in a separate process.

It acts or answers at once if the prompt shows the devices, else it uses the tree of tools. It
decides from the request alone, as a real model does. Reads one line of JSON from its standard
input, the commands; prints its base URL; ends when its standard input does.
"""

import asyncio
import json
import re
import sys
from collections.abc import Sequence

from .fake_model_server import FakeModelServer
from .model_script import Call, Completion, Json

_EARLIER = re.compile(r"^- Person: (.+)$", re.MULTILINE)

type Decision = tuple[str, Json]
"""A tool and its arguments."""


class Understanding:
    """A model that understands a fixed list of commands."""

    def __init__(self, commands: Sequence[Json]) -> None:
        self._known = {(each["earlier"], each["said"]): each for each in commands}
        self._known |= {(None, each["meant"]): each for each in commands}

    def __call__(self, body: Json) -> Completion:
        command = self._command(body)
        if _is_planner(body):
            return Completion(text=json.dumps({"steps": command["steps"]}))
        decided = self._decisions(command, body)
        done = sum(message["role"] == "assistant" for message in body["messages"])
        return _written(body, decided[done])

    def _command(self, body: Json) -> Json:
        """Return what the prompt asks for: in its last line that is such a thing."""
        text = body["messages"][1]["content"]
        before = _EARLIER.findall(text)[-1:]
        for line in reversed(text.splitlines()):
            said = line.partition(": ")[2]
            for earlier in (*before, None):
                if command := self._known.get((earlier, said)):
                    return command
        raise ValueError(f"nothing is asked for in: {text}")

    def _decisions(self, command: Json, body: Json) -> list[list[Decision]]:
        """Return what the agent that asks decides, reply by reply."""
        tools = _tools(body)
        finish = ("finish", _finish(command))
        if "device_interaction" in tools:
            if "execute_command" in tools and _is_shown(command, body):
                return [[*_executed(command), finish]]
            given: Json = {"command": command["meant"]}
            if "final" in tools["device_interaction"]["properties"]:
                given |= {"timing": "now", "final": True}
            return [[("device_interaction", given)], [finish]]
        calls: list[Decision] = [tuple(call) for call in command["calls"]]
        if "device_interaction_planner" in tools:
            devices = command["steps"][0]["devices"]
            calls = [
                ("device_interaction_planner", {"command": command["meant"]}),
                ("api_documentation", {"devices": devices}),
                *calls,
            ]
        return [[each] for each in (*calls, finish)]


def _is_shown(command: Json, body: Json) -> bool:
    """Return whether the prompt shows the device, or devices of the group, that it needs."""
    lines = body["messages"][1]["content"].splitlines()
    return any(line.startswith(begin) for line in lines for begin in command["shown_as"])


def _executed(command: Json) -> list[Decision]:
    """Return the commands as the entry agent gives them."""
    return [
        (tool, {**given, "timing": "now", "final": True})
        for tool, given in command["calls"]
        if tool == "execute_command"
    ]


def _finish(command: Json) -> Json:
    said = {"kind": command["finish"], "answer": command["answer"]}
    if command["claims"] is None:
        return said
    return {**said, "about": ["home"], "claims": command["claims"]}


def _is_planner(body: Json) -> bool:
    return not body.get("tools") and "steps" in _schema(body)["properties"]


def _schema(body: Json) -> Json:
    schema: Json = body["response_format"]["json_schema"]["schema"]
    return schema


def _tools(body: Json) -> dict[str, Json]:
    """Return tool -> schema of its arguments, in either format."""
    if tools := body.get("tools"):
        return {tool["function"]["name"]: tool["function"]["parameters"] for tool in tools}
    offered = _schema(body)["properties"]["actions"]["items"]["anyOf"]
    actions = [action["properties"] for action in offered]
    return {action["tool"]["enum"][0]: action["input"] for action in actions}


def _written(body: Json, decisions: Sequence[Decision]) -> Completion:
    if body.get("tools"):
        return Completion(calls=[Call(name=tool, arguments=given) for tool, given in decisions])
    actions = [{"tool": tool, "input": given} for tool, given in decisions]
    return Completion(text=json.dumps({"thought": "This is next.", "actions": actions}))


async def _async_serve(commands: Sequence[Json]) -> None:
    async with FakeModelServer(Understanding(commands), models=("measured",)) as server:
        print(server.url, flush=True)
        await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(_async_serve(json.loads(sys.stdin.readline())))
