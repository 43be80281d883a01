"""Changes of the home during a command."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

NOT_THE_HOME = (
    "conversation.",
    "sun.",
    "zone.",
    "person.",
    "event.backup",
    "sensor.backup",
)
DERIVED = {"rgb_color", "xy_color"}  # other spellings of hs_color
SECRET = {"access_token", "entity_picture"}  # of a picture; new every few minutes
NOT_A_STATE = {"last_triggered", "friendly_name"} | SECRET | DERIVED

type States = dict[str, dict[str, Any]]
"""Entity id to its state and attributes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One value that changed; `attribute` is "state" for the state itself."""

    entity_id: str
    attribute: str
    before: Any
    after: Any


def snapshot(states: Iterable[dict[str, Any]]) -> States:
    """Return the home from the answer to `get_states`."""
    return {
        state["entity_id"]: {"state": state["state"]}
        | {name: value for name, value in state["attributes"].items() if name not in NOT_A_STATE}
        for state in states
        if not state["entity_id"].startswith(NOT_THE_HOME)
    }


def changes(before: States, after: States) -> tuple[Change, ...]:
    """Return every difference, by entity and attribute."""
    found = []
    for entity_id in sorted(before.keys() | after.keys()):
        old, new = before.get(entity_id, {}), after.get(entity_id, {})
        names = sorted(old.keys() | new.keys(), key=lambda name: (name != "state", name))
        found += [
            Change(entity_id=entity_id, attribute=name, before=old.get(name), after=new.get(name))
            for name in names
            if old.get(name) != new.get(name)
        ]
    return tuple(found)


def render(found: Iterable[Change]) -> list[str]:
    """Return a line for each entity that changed."""
    lines: dict[str, list[str]] = {}
    for change in found:
        label = "" if change.attribute == "state" else f"{change.attribute} "
        text = f"{label}{_shown(change.before)} → {_shown(change.after)}"
        lines.setdefault(change.entity_id, []).append(text)
    return [f"{entity_id}: {', '.join(parts)}" for entity_id, parts in lines.items()]


def _shown(value: Any) -> str:
    return "none" if value is None else str(value)
