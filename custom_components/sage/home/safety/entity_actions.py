"""Find the actions that the household configured for the services of an entity.

Template entities have a sequence of actions for each service, universal media players one action.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from homeassistant.helpers.entity import Entity
from homeassistant.helpers.script import Script

type Actions = Mapping[str, Any]
"""Name of a service or action -> its sequence. A name is empty if the service is not known."""


def actions_of(entity: Entity) -> Actions:
    """Return the sequences that an entity runs, by the service that runs them."""
    if is_made_of(entity, "automation") or is_made_of(entity, "script"):
        return {}
    found: dict[str, Any] = {}
    for value in vars(entity).values():
        if isinstance(value, Script):
            found.setdefault("", []).extend(value.sequence)
        elif isinstance(value, dict):
            scripts = {name: item for name, item in value.items() if isinstance(item, Script)}
            found |= {str(name): script.sequence for name, script in scripts.items()}
    if is_made_of(entity, "universal"):
        found |= {name: [action] for name, action in getattr(entity, "_cmds", {}).items()}
    return found


def names_of_actions(
    actions: Actions, service: str | None, arguments: Mapping[str, Any]
) -> Iterable[str]:
    """Return the names of those actions that a service may run; all if `service` is None."""
    if service is None:
        return tuple(actions)
    if service == "turn_on" and arguments:
        # Template lights and fans have a separate action for brightness or speed.
        return tuple(name for name in actions if name != "turn_off")
    own = service.removeprefix("alarm_")
    if own in actions:
        return tuple(name for name in actions if name in {"", own})
    return tuple(actions)


def is_made_of(entity: Entity, integration: str) -> bool:
    """Return whether an integration provides the entity."""
    return entity.platform is not None and entity.platform.platform_name == integration
