"""What all entities of the demo home have in common."""

from collections.abc import Awaitable, Callable
from typing import Any

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import CALLBACK_TYPE, HassJob, HomeAssistant, callback
from homeassistant.helpers.device_registry import DeviceInfo
from homeassistant.helpers.entity import Entity
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.helpers.event import async_call_later
from homeassistant.util import slugify

from .const import DOMAIN
from .furniture import APPLIANCES
from .model import Appliance, Thing

type Setup = Callable[[HomeAssistant, ConfigEntry, AddConfigEntryEntitiesCallback], Awaitable[None]]


class DemoThing(Entity):
    """An entity whose state lives in memory and begins as the furniture says."""

    _attr_has_entity_name = True
    _attr_should_poll = False

    def __init__(self, appliance: Appliance, thing: Thing) -> None:
        self.thing = thing
        self.entity_id = thing.entity_id
        self._attr_unique_id = thing.entity_id.partition(".")[2]
        self._attr_name = thing.name
        self._attr_device_info = DeviceInfo(
            identifiers={(DOMAIN, slugify(f"{appliance.area} {appliance.name}"))},
            name=appliance.name,
            manufacturer=appliance.manufacturer,
            model=appliance.model,
        )
        self._cancel: CALLBACK_TYPE | None = None
        self._take({**thing.traits, **thing.start})

    def become(self, **values: Any) -> None:
        """Take these properties and show them."""
        self._take(values)
        self.async_write_ha_state()

    def later(self, seconds: float, then: Callable[[], None]) -> None:
        """Do something after a while, unless something else is begun before."""
        self.cancel()

        @callback
        def due(_now: Any) -> None:
            self._cancel = None
            then()

        # Nothing must be waited for when Home Assistant stops in the meantime.
        self._cancel = async_call_later(self.hass, seconds, HassJob(due, cancel_on_shutdown=True))

    def cancel(self) -> None:
        """Forget what was to happen later."""
        if self._cancel is not None:
            self._cancel()
            self._cancel = None

    async def async_will_remove_from_hass(self) -> None:
        self.cancel()

    def _take(self, values: dict[str, Any]) -> None:
        for name, value in values.items():
            setattr(self, f"_attr_{name}", value)


def platform_of(domain: str, kind: type[DemoThing]) -> Setup:
    """Return the `async_setup_entry` of a platform: it adds all entities of the domain."""

    async def async_setup_entry(
        _hass: HomeAssistant, _entry: ConfigEntry, add: AddConfigEntryEntitiesCallback
    ) -> None:
        add(
            kind(appliance, thing)
            for appliance in APPLIANCES
            for thing in appliance.things
            if thing.domain == domain
        )

    return async_setup_entry
