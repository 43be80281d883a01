"""A home of a lamp, a TV and a dishwasher, small enough to read in a test.

It has what the server needs of a home, and effects just for that.
"""

from dataclasses import dataclass, field
from typing import Any

LOCATION = "88a3a314-f0c8-40b4-bb44-44ba06c9c42f"
LAMP = "10000000-0000-4000-8000-000000000001"
TV = "10000000-0000-4000-8000-000000000002"
DISHWASHER = "10000000-0000-4000-8000-000000000003"


@dataclass(frozen=True, kw_only=True)
class Change:
    device_id: str
    component: str
    capability: str
    attribute: str
    value: Any
    unit: str | None = None
    state_change: bool = True


@dataclass
class SmallDevice:
    id: str
    label: str
    category: str
    status: dict[str, dict[str, dict[str, dict[str, Any]]]]
    online: bool = True

    @property
    def description(self) -> dict[str, Any]:
        return {
            "deviceId": self.id,
            "name": self.label.lower(),
            "label": self.label,
            "locationId": LOCATION,
            "type": "VIRTUAL",
            "components": [
                {
                    "id": component,
                    "label": component,
                    "capabilities": [{"id": id_, "version": 1} for id_ in capabilities],
                    "categories": [{"name": self.category, "categoryType": "manufacturer"}],
                }
                for component, capabilities in self.status.items()
            ],
        }

    def apply(self, component: str, capability: str, command: str, arguments: list[Any]) -> Any:
        if command in {"on", "off"}:
            return self.change(component, capability, "switch", command)
        name = command.removeprefix("set")
        attribute = name[0].lower() + name[1:]
        return self.change(component, capability, attribute, arguments[0])

    def change(self, component: str, capability: str, attribute: str, value: Any) -> list[Any]:
        slot = self.status[component][capability].setdefault(attribute, {})
        slot["value"] = value
        return [
            Change(
                device_id=self.id,
                component=component,
                capability=capability,
                attribute=attribute,
                value=value,
            )
        ]

    def value(self, component: str, capability: str, attribute: str) -> Any:
        return self.status[component][capability][attribute]["value"]


@dataclass
class SmallHome:
    devices: dict[str, SmallDevice] = field(default_factory=dict)
    name: str = "small"
    location: dict[str, Any] = field(
        default_factory=lambda: {
            "locationId": LOCATION,
            "name": "Small home",
            "countryCode": "DEU",
            "latitude": 52.5,
            "longitude": 13.4,
            "regionRadius": 150,
            "temperatureScale": "C",
        }
    )
    rooms: list[dict[str, Any]] = field(
        default_factory=lambda: [
            {"roomId": "r1", "locationId": LOCATION, "name": "Hall", "backgroundImage": None}
        ]
    )
    scenes: list[dict[str, Any]] = field(default_factory=list)

    def device(self, label: str) -> SmallDevice:
        return next(each for each in self.devices.values() if each.label == label)


def small_home() -> Any:
    """Return the home; it is a home only by its shape."""
    devices = [
        SmallDevice(
            LAMP,
            "Lamp",
            "Light",
            {
                "main": {
                    "switch": {"switch": {"value": "off"}},
                    "switchLevel": {"level": {"value": 30, "unit": "%"}},
                }
            },
        ),
        SmallDevice(
            TV,
            "TV",
            "Television",
            {
                "main": {
                    "switch": {"switch": {"value": "on"}},
                    "tvChannel": {"tvChannel": {"value": "5"}, "tvChannelName": {"value": "Five"}},
                }
            },
        ),
        SmallDevice(
            DISHWASHER,
            "Dishwasher",
            "Dishwasher",
            {
                "main": {
                    "switch": {"switch": {"value": "on"}},
                    "remoteControlStatus": {"remoteControlEnabled": {"value": "true"}},
                }
            },
        ),
    ]
    scene = {
        "sceneId": "s1",
        "sceneName": "Evening",
        "sceneIcon": "203",
        "sceneColor": None,
        "locationId": LOCATION,
        "actions": [
            {
                "deviceId": LAMP,
                "commands": [{"component": "main", "capability": "switch", "command": "on"}],
            }
        ],
    }
    return SmallHome(devices={each.id: each for each in devices}, scenes=[scene])


def _argument(name: str, **schema: Any) -> dict[str, Any]:
    optional = schema.pop("optional", False)
    return {"name": name, "optional": optional, "schema": schema}


def _definition(id_: str, **commands: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "id": id_,
        "version": 1,
        "status": "live",
        "name": id_,
        "attributes": {},
        "commands": {
            name: {"name": name, "arguments": arguments} for name, arguments in commands.items()
        },
    }


def small_definitions() -> dict[str, dict[str, Any]]:
    """Return the definitions of what is in it."""
    made = [
        _definition("switch", on=[], off=[]),
        _definition(
            "switchLevel",
            setLevel=[
                _argument("level", type="integer", minimum=0, maximum=100),
                _argument("rate", type="integer", minimum=0, optional=True),
            ],
        ),
        _definition(
            "tvChannel", setTvChannel=[_argument("tvChannel", type="string", maxLength=255)]
        ),
        _definition("remoteControlStatus"),
    ]
    return {each["id"]: each for each in made}
