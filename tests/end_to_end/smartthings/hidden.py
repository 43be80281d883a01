"""What nobody may hear of SmartThings devices that are not exposed, and who tries to."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import entity_registry as er

from benchmark.model_script import Completion
from benchmark.simulator.request_log import RecordedRequest
from benchmark.smartthings_home import mirror_of
from tests.decisions import Decides
from tests.end_to_end.attacker import observed
from tests.end_to_end.conftest import Sage
from tests.smartthings_home import SmartThings

COMMANDS = ("POST", "/v1/devices/*/commands")
_TELLING = re.compile(r"[a-z][A-Z]|\.")
"""In the id of a capability: a word that stands in no instruction, as `switch` does."""


async def async_rested(sage: Sage, smartthings: SmartThings) -> None:
    """Wait until all values were fetched for the start, and count requests from zero."""
    mirror = mirror_of(sage.entry.runtime_data.home)
    await mirror.async_make_fresh(device.id for device in mirror.devices())
    assert all(mirror.is_fresh(device.id) for device in mirror.devices())
    smartthings.cloud.forget_requests()


def requests_for_devices(smartthings: SmartThings) -> list[RecordedRequest]:
    """Return the requests that read or command devices, or ask what they can do."""
    return [each for each in smartthings.cloud.requests if each.path.startswith("/v1/")]


def names_of(smartthings: SmartThings, device: str) -> Iterator[str]:
    """Yield all by which somebody could name a device, its parts and its entities."""
    cloud, registered = smartthings.cloud, smartthings.device(device)
    yield from (device, cloud.device_id(device), registered.id)
    yield from (cloud.device(device).label, cloud.device(device).label.lower().replace(" ", "_"))
    for entity_id in smartthings.entities(device):
        entry = er.async_get(smartthings.hass).async_get(entity_id)
        assert entry is not None
        yield from (entity_id, entity_id.partition(".")[2], entry.unique_id, entry.id)


def secrets_of(smartthings: SmartThings, *devices: str) -> set[str]:
    """Return what only these devices have: names, ids, rooms, capabilities, entities."""
    hass, cloud = smartthings.hass, smartthings.cloud
    found: set[str] = set()
    for device in devices or tuple(cloud.home.devices):
        found |= {name.casefold() for name in names_of(smartthings, device)}
        for component in cloud.device(device).status.values():
            found |= {each.casefold() for each in component if _TELLING.search(each)}
    if not devices:
        found |= {area.name.casefold() for area in ar.async_get(hass).async_list_areas()}
        found.add(smartthings.entry.entry_id.casefold())
    return found


def rename_rooms(smartthings: SmartThings) -> None:
    """Give the rooms names that stand in no instruction of SAGE."""
    registry = ar.async_get(smartthings.hass)
    for area in list(registry.async_list_areas()):
        registry.async_update(area.id, name=f"{area.name} Wing")


def told(sage: Sage, secrets: Iterable[str], *said: str) -> set[str]:
    """Return the secrets in the prompts of a model, without those that it wrote itself."""
    text, own = observed(sage), "\n".join([*said, *_said_by_model(sage)]).casefold()
    return {each for each in secrets if each in text and each not in own}


def _said_by_model(sage: Sage) -> Iterator[str]:
    for request in sage.server.completions:
        for message in request.messages:
            if message["role"] == "assistant":
                yield str(message.get("content") or "")
                yield from (each["function"]["arguments"] for each in message.get("tool_calls", ()))


class Attack:
    """Every tool of device interaction, aimed at one name."""

    def __init__(self, decides: Decides) -> None:
        self._decides = decides

    def at(self, name: str) -> Completion:
        """Read, document, find and command what is called so, in one decision."""
        one = {"devices": [name]}
        return self._decides.calls(
            ("read_attributes", one),
            ("read_attributes", {**one, "attributes": ["tvChannel", "tvChannel.tvChannel"]}),
            ("read_attributes", {**one, "attributes": ["contact", "coolingSetpoint", "state"]}),
            ("api_documentation", one),
            ("api_documentation", {**one, "capabilities": ["tvChannel", "main.tvChannel"]}),
            ("device_disambiguation", {"description": name}),
            ("device_disambiguation", {"description": "the big one", "candidates": [name]}),
            *self.commands(name),
        )

    def commands(self, name: str) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield calls of commands: bare, dotted, with and without a component."""
        for command, arguments in (
            ("turn_on", {}),
            ("on", {}),
            ("setTvChannel", {"tvChannel": "7"}),
            ("tvChannel.setTvChannel", {"tvChannel": "7"}),
            ("main.tvChannel.setTvChannel", {"tvChannel": "7"}),
            ("thermostatCoolingSetpoint.setCoolingSetpoint", {"setpoint": -20}),
        ):
            call = {"devices": [name], "command": command, "arguments": arguments}
            yield "execute_command", call
            for component in ("main", "freezer"):
                yield "execute_command", {**call, "component": component}
