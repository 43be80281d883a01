"""Decisions in the form that a model writes, in each of the decision formats."""

import json
from collections.abc import Iterable
from itertools import cycle
from typing import Any

from benchmark.model_script import Call, Completion

FORMATS = ("native", "constrained", "react")


def in_turn[T](values: Iterable[T]) -> list[tuple[str, T]]:
    """Return each value with one decision format in rotation: all are covered, not all pairs."""
    return list(zip(cycle(FORMATS), values, strict=False))


class Decides:
    """Writes decisions in one decision format."""

    def __init__(self, name: str) -> None:
        self.format = name

    def call(self, tool: str, **arguments: Any) -> Completion:
        return self.calls((tool, arguments))

    def calls(self, *calls: tuple[str, dict[str, Any]]) -> Completion:
        """Decide to call tools in one reply, in this order."""
        if self.format == "native":
            return Completion(calls=[Call(name=name, arguments=given) for name, given in calls])
        if self.format == "constrained":
            actions = [{"tool": tool, "input": given} for tool, given in calls]
            return Completion(text=json.dumps({"thought": "Next.", "actions": actions}))
        lines = [f"Action: {tool}\nAction Input: {json.dumps(given)}" for tool, given in calls]
        return Completion(text="\n".join(("Thought: Next.", *lines)))

    def finish(
        self, kind: str, answer: str, *claims: dict[str, Any], about: str | None = None
    ) -> Completion:
        """Decide to finish, by default with the claims of an honest model about the home."""
        if not claims and about is None:
            return self.call("finish", kind=kind, answer=answer)
        return self.call(
            "finish", kind=kind, about=[about or "home"], claims=list(claims), answer=answer
        )

    def execute(self, *devices: str, command: str, **more: Any) -> Completion:
        return self.call("execute_command", devices=[*devices], command=command, **more)

    def planned(
        self,
        command: str,
        *steps: dict[str, Any],
        missing: tuple[str, ...] = (),
        final: bool = True,
    ) -> tuple[Completion, Completion]:
        """Decide to have devices used now, and plan these steps for it."""
        asked = self.call("device_interaction", timing="now", command=command, final=final)
        return asked, plan(*steps, missing=missing)


NATIVE = Decides("native")


def claim(device: str, value: str = "", result: str = "verified", **more: str) -> dict[str, Any]:
    """Return a claim of an answer: the result and value of a device."""
    return {"devices": [device], "result": result, "value": value, **more}


def plan(*steps: dict[str, Any], missing: tuple[str, ...] = ()) -> Completion:
    """Return a plan in the form that the planner's model writes."""
    return Completion(text=json.dumps({"steps": list(steps), "missing": list(missing)}))


def step(
    action: str, *devices: str, capabilities: tuple[str, ...] = (), task: str = "Do it."
) -> dict[str, Any]:
    return {
        "action": action,
        "devices": list(devices),
        "capabilities": list(capabilities),
        "task": task,
        "doubt": "",
    }
