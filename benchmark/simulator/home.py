"""Simulated homes: what the cloud has of a home, and what commands and the world do to it.

The files in `homes/` are short; what the cloud always has is filled in here:

    {
      "as_of": "2026-11-21T16:20:00.000Z",        when everything was last reported
      "location": {"name": "Home", "countryCode": "CA", "latitude": 45.5, "longitude": -73.6,
                   "temperatureScale": "C"},
      "channels": {"7": "TSN 2"},                 what televisions receive
      "rooms": ["Living room"],
      "scenes": [{"name": "Film", "icon": "15", "actions": [
          {"device": "lamp", "commands": [{"component": "main", "capability": "switch",
                                           "command": "off", "arguments": []}]}]}],
      "devices": {
        "lamp": {                                 a key, unique in the home
          "label": "Lamp", "name": "c2c-rgbw-color-bulb", "room": "Living room",
          "type": "VIPER",                        OCF, VIPER, ZIGBEE, ZWAVE, MATTER, HUB, ...
          "manufacturer": "Lumina", "presentation": "lumina-strip",
          "details": {"modelName": "Strip"},      the block that is named after the type
          "online": true,                         true unless given
          "parent": "hub",                        key of another device, if any
          "components": {
            "main": {"label": "main", "category": "Light", "capabilities": {   `chosen`: by a person
              "switch": {"switch": "on"},
              "temperatureMeasurement": {"temperature [F]": 70}
            }}
          }
        },
        "second": {"like": "lamp", "room": "Bedroom"}   everything else as there
      }
    }

Attributes of a capability that are not named are `null`; units follow from the definition (the
location's scale for temperatures) unless they stand behind the name in brackets. `details` of an
OCF device need no more than `ocfDeviceType`, `modelNumber` and `firmwareVersion`; its capability
`ocf` is filled in from them. Devices that a hub connects need no `details` at all. Ids are made
from the names, so they are always the same.
"""

import copy
import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from .definitions import definitions
from .device import Change, SimulatedDevice, default_unit, units_of
from .radios import connection

__all__ = ["Change", "SimulatedDevice", "SimulatedHome", "load_home"]

FOLDER = Path(__file__).parent / "homes"
HUB = "HUB"
"""A device of this type reports nothing, not even an empty component."""

type Json = dict[str, Any]


@dataclass(slots=True, kw_only=True, eq=False)
class SimulatedHome:
    """A location with its rooms, scenes and devices."""

    name: str
    location: Json
    """What `GET /v1/locations/{id}` answers."""
    rooms: list[Json]
    scenes: list[Json]
    """Items of `GET /v1/scenes`, with `actions`: rows of `deviceId` and `commands`."""
    devices: dict[str, SimulatedDevice]
    """By id, in the order of the list of devices."""

    def device(self, name: str) -> SimulatedDevice:
        """Return the device with this key, id, or label that no other has. Raises KeyError."""
        if name in self.devices:
            return self.devices[name]
        for attribute in ("key", "label"):
            found = [each for each in self.devices.values() if getattr(each, attribute) == name]
            if len(found) == 1:
                return found[0]
            if found:
                keys = ", ".join(each.key for each in found)
                raise KeyError(f"{len(found)} devices are called {name!r}; their keys are {keys}")
        raise KeyError(f"no device is called {name!r}")


def load_home(name: str) -> SimulatedHome:
    """Return a home as its file has it; each call returns one of its own."""
    file = copy.deepcopy(_file(name))
    location_id = _id(name, "location")
    location = {"locationId": location_id, "regionRadius": 150, **file["location"]}
    rooms = [
        {"roomId": _id(name, "room", room), "locationId": location_id, "name": room}
        | {"backgroundImage": None}
        for room in file["rooms"]
    ]
    builder = _Builder(
        home=name,
        location=location,
        rooms={room["name"]: room["roomId"] for room in rooms},
        channels=file.get("channels", {}),
        as_of=file["as_of"],
    )
    devices = [builder.device(key, _resolved(key, file["devices"])) for key in file["devices"]]
    return SimulatedHome(
        name=name,
        location=location,
        rooms=rooms,
        scenes=[_scene(name, location_id, scene) for scene in file.get("scenes", [])],
        devices={device.id: device for device in devices},
    )


@cache
def _file(name: str) -> Json:
    content: Json = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return content


def _id(*names: str) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_URL, "/".join(("simulated-home", *names))))


def _resolved(key: str, devices: Mapping[str, Json]) -> Json:
    """Return a device with what it takes from the one that it is `like`."""
    own = devices[key]
    if "like" not in own:
        return own
    return _merged(_resolved(own["like"], devices), own)


def _merged(base: Json, over: Json) -> Json:
    merged = copy.deepcopy(base)
    for key, value in over.items():
        if isinstance(value, dict) and isinstance(merged.get(key), dict) and key != "value":
            merged[key] = _merged(merged[key], value)
        else:
            merged[key] = copy.deepcopy(value)
    return merged


def _scene(home: str, location_id: str, scene: Json) -> Json:
    return {
        "sceneId": _id(home, "scene", scene["name"]),
        "sceneName": scene["name"],
        "sceneIcon": scene.get("icon", "204"),
        "sceneColor": scene.get("color"),
        "locationId": location_id,
        "createdBy": _id(home, "owner"),
        "createdDate": 1_690_000_000_000,
        "lastUpdatedDate": 1_690_000_000_000,
        "lastExecutedDate": None,
        "editable": True,
        "apiVersion": "20200501",
        "actions": [
            {"deviceId": _id(home, "device", action["device"]), "commands": action["commands"]}
            for action in scene.get("actions", [])
        ],
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class _Builder:
    """Fills in what the cloud always has of a device."""

    home: str
    location: Json
    rooms: Mapping[str, str]
    channels: Mapping[str, str]
    as_of: str

    def device(self, key: str, notes: Json) -> SimulatedDevice:
        device_id = _id(self.home, "device", key)
        details = self._details(device_id, notes)
        return SimulatedDevice(
            id=device_id,
            key=key,
            label=notes["label"],
            description=self._description(key, device_id, notes, details),
            status={}
            if notes["type"] == HUB
            else {
                component: {
                    capability: self._attributes(
                        capability,
                        _ocf_attributes(device_id, details) if capability == "ocf" else values,
                    )
                    for capability, values in parts["capabilities"].items()
                }
                for component, parts in notes["components"].items()
            },
            channels=self.channels,
            online=notes.get("online", True),
        )

    def _description(self, key: str, device_id: str, notes: Json, details: Json) -> Json:
        room = {"roomId": self.rooms[notes["room"]]} if "room" in notes else {}
        parent_id = self._parent_id(notes)
        parent = {} if parent_id is None else {"parentDeviceId": parent_id}
        return {
            "deviceId": device_id,
            "name": notes["name"],
            "label": notes["label"],
            "manufacturerName": notes["manufacturer"],
            "presentationId": notes["presentation"],
            "deviceManufacturerCode": notes["manufacturer"],
            "locationId": self.location["locationId"],
            "ownerId": _id(self.home, "owner"),
            **room,
            "components": [_component(name, parts) for name, parts in notes["components"].items()],
            "createTime": "2024-03-02T10:11:12.131Z",
            **parent,
            "profile": {"id": _id(self.home, "profile", notes["presentation"])},
            _block_name(notes["type"]): details,
            "type": notes["type"],
            "restrictionTier": 0,
            "allowed": [],
            "executionContext": "CLOUD",
        }

    def _details(self, device_id: str, notes: Json) -> Json:
        details: Json = notes.get("details", {})
        if notes["type"] == "OCF":
            return (
                _OCF
                | {
                    "name": notes["name"],
                    "manufacturerName": notes["manufacturer"],
                    "vendorId": notes["presentation"],
                }
                | details
            )
        if notes["type"] == "VIPER":
            return {
                "uniqueIdentifier": device_id.replace("-", ""),
                "manufacturerName": notes["manufacturer"],
                "modelName": notes["name"],
                "endpointAppId": "viper_" + _id("viper", notes["manufacturer"]),
            } | details
        return connection(notes["type"], device_id, self._parent_id(notes)) | details

    def _parent_id(self, notes: Json) -> str | None:
        return _id(self.home, "device", notes["parent"]) if "parent" in notes else None

    def _attributes(self, capability: str, values: Json) -> dict[str, Json]:
        """Return all attributes of a capability, those without a value included."""
        known = definitions()[capability]["attributes"]
        attributes: dict[str, Json] = {name: {"value": None} for name in known}
        for heading, value in values.items():
            name, _, given = heading.partition(" [")
            unit = given.removesuffix("]") or self._unit(capability, name)
            attributes[name] = {"value": value}
            if value is not None:
                if unit is not None:
                    attributes[name]["unit"] = unit
                attributes[name]["timestamp"] = self.as_of
        return attributes

    def _unit(self, capability: str, attribute: str) -> str | None:
        units = units_of(capability, attribute)
        scale = self.location["temperatureScale"]
        return scale if scale in units else default_unit(capability, attribute)


_OCF: Json = {
    "ocfDeviceType": "x.com.st.d.unknown",
    "name": "",
    "specVersion": "core.1.1.0",
    "verticalDomainSpecVersion": "res.1.1.0,sh.1.1.0",
    "manufacturerName": "",
    "modelNumber": "",
    "platformVersion": "8.0",
    "platformOS": "Tizen",
    "hwVersion": "",
    "firmwareVersion": "1.0.0",
    "vendorId": "",
    "lastSignupTime": "2024-03-02T10:11:10.000000Z",
    "transferCandidate": False,
    "additionalAuthCodeRequired": False,
}


def _ocf_attributes(device_id: str, details: Json) -> Json:
    return {
        "di": device_id,
        "pi": device_id,
        "n": details.get("name"),
        "mnmn": details.get("manufacturerName"),
        "mnmo": details.get("modelNumber"),
        "mnfv": details.get("firmwareVersion"),
        "mnhw": details.get("hwVersion"),
        "mnpv": details.get("platformVersion"),
        "mnos": details.get("platformOS"),
        "vid": details.get("vendorId"),
        "icv": details.get("specVersion"),
        "dmv": details.get("verticalDomainSpecVersion"),
    }


def _block_name(kind: str) -> str:
    """Return `edgeChild` for `EDGE_CHILD`."""
    first, *others = kind.lower().split("_")
    return first + "".join(word.title() for word in others)


def _component(name: str, parts: Json) -> Json:
    return {
        "id": name,
        "label": parts.get("label", name),
        "capabilities": [{"id": each, "version": 1} for each in parts["capabilities"]],
        "categories": [
            {"name": parts.get("category", "Other"), "categoryType": "manufacturer"},
            *([{"name": parts["chosen"], "categoryType": "user"}] if "chosen" in parts else []),
        ],
        "optional": False,
    }
