"""The home at the simulated SmartThings cloud, inside of Home Assistant's process.

The cloud is served by the loop of Home Assistant itself, which reaches it through its own
`smartthings` integration as it would reach the real one. Whatever uses Home Assistant's shared
connections has to be set up after they were pointed at the cloud, in a kept home the stored entry,
too; so the cloud starts before anything else does.
"""

import asyncio
import contextlib
import uuid
from collections import Counter
from dataclasses import asdict
from typing import Any, Final

from homeassistant import bootstrap
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.components.websocket_api import async_register_command
from homeassistant.components.websocket_api.connection import ActiveConnection
from homeassistant.components.websocket_api.decorators import (
    async_response,
    require_admin,
    websocket_command,
)
from homeassistant.config_entries import ConfigEntryState
from homeassistant.const import EVENT_HOMEASSISTANT_CLOSE, EntityCategory
from homeassistant.core import Event, HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.typing import ConfigType
from homeassistant.util.hass_dict import HassKey

from benchmark.simulator.cloud import SimulatedCloud
from benchmark.simulator.connection import DOMAIN, async_add_smartthings, async_point_at
from benchmark.simulator.home import SimulatedHome, load_home
from benchmark.simulator.request_log import RecordedRequest, RequestKind

from .cloud_record import CLOUD_HOME, COMMAND, HAPPEN, Received

CLOUD: Final[HassKey[SimulatedCloud]] = HassKey("sage_demo_cloud")
TOKEN: Final = "simulated-smartthings"
"""Always the same, so that the entry of a kept home is let in again."""

TOKEN_LIFETIME: Final = 10 * 365 * 86_400.0
"""Seconds; a token that was renewed would not be known to the next cloud."""

PATIENCE: Final = 10.0
"""Timeout in seconds for fast requests on loopback."""

METERS: Final = frozenset({"energy_difference", "energy_saved", "power_energy"})
"""Of five figures a device about its consumption those that nobody asks for."""


def launch_beside_cloud() -> None:
    """Let the Home Assistant that starts in this process live in the home at the cloud."""
    set_up = bootstrap.async_from_config_dict

    async def async_set_up(config: ConfigType, hass: HomeAssistant) -> HomeAssistant | None:
        await async_start_cloud(hass)
        running = await set_up(config, hass)
        if running is not None and not hass.config.recovery_mode:
            await async_move_in(hass)
        return running

    bootstrap.async_from_config_dict = async_set_up


async def async_start_cloud(hass: HomeAssistant) -> SimulatedCloud:
    """Serve the cloud until Home Assistant closes, and point Home Assistant at it."""
    cloud = await hass.async_add_executor_job(_cloud)
    await cloud.start()

    async def async_stop(_: Event) -> None:
        await cloud.stop()

    hass.bus.async_listen_once(EVENT_HOMEASSISTANT_CLOSE, async_stop)
    await async_point_at(hass, cloud)
    hass.data[CLOUD] = cloud
    return cloud


async def async_move_in(hass: HomeAssistant) -> None:
    """Connect the `smartthings` integration, on the first time, and offer the record.

    What may be seen by Assist is set on the first time only; then it belongs to the user. Raises
    RuntimeError when the integration does not come up.
    """
    cloud = hass.data[CLOUD]
    async_register_command(hass, _async_send_record)
    async_register_command(hass, _async_let_happen)
    if not (entries := hass.config_entries.async_entries(DOMAIN)):
        entries = [await async_add_smartthings(hass, cloud, token_lifetime=TOKEN_LIFETIME)]
        expose(hass)
    for entry in entries:
        if entry.state is not ConfigEntryState.LOADED:
            raise RuntimeError(f"SmartThings did not come up: {entry.state} {entry.reason}")
    async with asyncio.timeout(PATIENCE):
        await cloud.stream.wait_connected()


def expose(hass: HomeAssistant) -> None:
    """Expose everything that can be controlled, and the informative sensors, to Assist."""
    for row in list(er.async_get(hass).entities.values()):
        if row.platform == DOMAIN:
            async_expose_entity(hass, "conversation", row.entity_id, _is_of_use(row))


def _is_of_use(row: er.RegistryEntry) -> bool:
    if row.disabled or row.hidden or row.translation_key in METERS:
        return False
    return row.entity_category is not EntityCategory.DIAGNOSTIC or row.domain == "sensor"


def _cloud() -> SimulatedCloud:
    """Return the cloud of the paper's home; the light by the bed is off, so that it can go on."""
    home = load_home(CLOUD_HOME)
    home.device("light_bed").change("main", "switch", "switch", "off")
    return SimulatedCloud(home, access_token=TOKEN)


@require_admin
@websocket_command({"type": COMMAND})
@async_response
async def _async_send_record(
    hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any]
) -> None:
    """Send what the cloud received, and its values, once Home Assistant knows of them."""
    cloud = hass.data[CLOUD]
    await _async_settle(hass, cloud)
    connection.send_result(msg["id"], record(cloud))


@require_admin
@websocket_command(
    {
        "type": HAPPEN,
        "device": str,
        "component": str,
        "capability": str,
        "attribute": str,
        "value": object,
    }
)
@async_response
async def _async_let_happen(
    hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any]
) -> None:
    """Let a device report something, and answer when Home Assistant knows of it."""
    cloud = hass.data[CLOUD]
    cloud.change(msg["device"], msg["component"], msg["capability"], msg["attribute"], msg["value"])
    await _async_settle(hass, cloud)
    connection.send_result(msg["id"])


async def _async_settle(hass: HomeAssistant, cloud: SimulatedCloud) -> None:
    """Wait until all that the cloud has sent so far was handled in Home Assistant."""
    for entry in hass.config_entries.async_loaded_entries(DOMAIN):
        # A word about a device that nobody knows comes after everything before it.
        marker, arrived = str(uuid.uuid4()), asyncio.Event()
        forget = entry.runtime_data.client.add_device_availability_event_listener(
            marker, lambda _, arrived=arrived: arrived.set()
        )
        cloud.stream.publish_health(marker, online=True)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                await arrived.wait()
        forget()


def record(cloud: SimulatedCloud) -> dict[str, Any]:
    """Return what `cloud_record.from_json` takes."""
    names = _names(cloud.home)
    received = [one for request in cloud.requests for one in _received(request, cloud.home, names)]
    return {
        "received": [asdict(one) for one in received],
        "attributes": {
            names[device.id]: {
                component: {
                    capability: {name: entry["value"] for name, entry in attributes.items()}
                    for capability, attributes in capabilities.items()
                }
                for component, capabilities in device.status.items()
            }
            for device in cloud.home.devices.values()
        },
    }


def _received(
    request: RecordedRequest, home: SimulatedHome, names: dict[str, str]
) -> list[Received]:
    if request.kind is RequestKind.SCENE:
        scenes = {str(scene["sceneId"]): str(scene["sceneName"]) for scene in home.scenes}
        scene_id = request.path.split("/")[-2]
        name = scenes.get(scene_id, scene_id)
        return [
            Received(target=f"Scene {name}", command="execute", arguments=[], status=request.status)
        ]
    if request.kind is not RequestKind.COMMANDS or not isinstance(request.json, dict):
        return []
    device_id = request.device_id or ""
    return [
        Received(
            target=f"{names.get(device_id, device_id)} {command.get('component', 'main')}",
            command=f"{command.get('capability')}.{command.get('command')}",
            arguments=command.get("arguments") or [],
            status=request.status,
        )
        for command in request.json.get("commands") or []
    ]


def _names(home: SimulatedHome) -> dict[str, str]:
    """Return the labels of the devices by id, with the room where others have the same."""
    rooms = {room["roomId"]: room["name"] for room in home.rooms}
    labels = Counter(device.label for device in home.devices.values())
    return {
        device.id: device.label
        if labels[device.label] == 1
        else f"{device.label} ({rooms.get(device.description.get('roomId'), device.key)})"
        for device in home.devices.values()
    }
