"""A home of a lamp, a TV and a dishwasher, small enough to read in a test."""

from typing import Any

from benchmark.simulator.home import SimulatedDevice, SimulatedHome

LOCATION = "88a3a314-f0c8-40b4-bb44-44ba06c9c42f"
LAMP = "10000000-0000-4000-8000-000000000001"
TV = "10000000-0000-4000-8000-000000000002"
DISHWASHER = "10000000-0000-4000-8000-000000000003"


def small_home() -> SimulatedHome:
    devices = [
        _device(
            LAMP,
            "Lamp",
            "Light",
            {
                "switch": {"switch": {"value": "off"}},
                "switchLevel": {"level": {"value": 30, "unit": "%"}},
            },
        ),
        _device(
            TV,
            "TV",
            "Television",
            {
                "switch": {"switch": {"value": "on"}},
                "tvChannel": {"tvChannel": {"value": "5"}, "tvChannelName": {"value": "Five"}},
            },
        ),
        _device(
            DISHWASHER,
            "Dishwasher",
            "Dishwasher",
            {
                "switch": {"switch": {"value": "on"}},
                "remoteControlStatus": {"remoteControlEnabled": {"value": "true"}},
            },
        ),
    ]
    return SimulatedHome(
        name="small",
        location=_LOCATION,
        rooms=[_ROOM],
        scenes=[_SCENE],
        devices={device.id: device for device in devices},
    )


def _device(id_: str, label: str, category: str, main: dict[str, Any]) -> SimulatedDevice:
    component = {
        "id": "main",
        "label": "main",
        "capabilities": [{"id": capability, "version": 1} for capability in main],
        "categories": [{"name": category, "categoryType": "manufacturer"}],
    }
    description = {
        "deviceId": id_,
        "name": label.lower(),
        "label": label,
        "locationId": LOCATION,
        "roomId": _ROOM["roomId"],
        "type": "VIRTUAL",
        "components": [component],
    }
    return SimulatedDevice(
        id=id_,
        key=label.lower(),
        label=label,
        description=description,
        status={"main": main},
        channels={},
    )


_LOCATION = {
    "locationId": LOCATION,
    "name": "Small home",
    "countryCode": "DEU",
    "latitude": 52.5,
    "longitude": 13.4,
    "regionRadius": 150,
    "temperatureScale": "C",
}
_ROOM = {
    "roomId": "20000000-0000-4000-8000-000000000001",
    "locationId": LOCATION,
    "name": "Hall",
    "backgroundImage": None,
}
_SWITCH_ON = {"component": "main", "capability": "switch", "command": "on", "arguments": []}
_SCENE = {
    "sceneId": "30000000-0000-4000-8000-000000000001",
    "sceneName": "Evening",
    "sceneIcon": "203",
    "sceneColor": None,
    "locationId": LOCATION,
    "actions": [{"deviceId": LAMP, "commands": [_SWITCH_ON]}],
}
