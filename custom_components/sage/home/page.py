"""The documentation of components as JSON, for the devices of SAGE's page."""

from dataclasses import asdict
from typing import Any, Final

from homeassistant.core import HomeAssistant

from .home_types import Argument, Attribute, CommandDescription, Documentation
from .safety.risk_classification import level_of
from .values import HIDDEN, is_secret, plain, without_secrets

_MOST_VALUES: Final = 100
"""Maximum number of possible values of one field."""

_SHOWN: Final = (
    *("name", "type", "description", "required"),
    *("meaning", "unit", "minimum", "maximum"),
)
"""Names of the fields of attributes and arguments that the page shows."""


def described(hass: HomeAssistant, document: Documentation, *, with_risk: bool) -> dict[str, Any]:
    """Return the documentation of a component without secrets.

    `with_risk` adds the risk level of an entity, with its reason.
    """
    state = hass.states.get(document.component_id)
    shown: dict[str, Any] = {
        "id": document.component_id,
        "name": document.component_id if state is None else state.name,
        "capability": document.capability,
        "summary": document.summary,
        "source": document.source,
        "available": document.available,
        "notes": list(document.notes),
        "attributes": [_attribute(each) for each in document.attributes],
        "commands": [_command(each) for each in document.commands],
    }
    if with_risk and document.is_entity:
        shown["risk"] = asdict(level_of(hass, document.component_id))
    return shown


def _attribute(attribute: Attribute) -> dict[str, Any]:
    value = HIDDEN if is_secret(attribute.name) else without_secrets(plain(attribute.value))
    return {**_with_few_values(attribute), "value": value}


def _command(command: CommandDescription) -> dict[str, Any]:
    arguments = [_with_few_values(each) for each in command.arguments]
    return {"name": command.name, "description": command.description, "arguments": arguments}


def _with_few_values(field: Attribute | Argument) -> dict[str, Any]:
    shown = {name: getattr(field, name) for name in _SHOWN if hasattr(field, name)}
    return {**shown, "values": list(field.values[:_MOST_VALUES])}
