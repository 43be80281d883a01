"""The one home of SmartThings devices for tests: SAGE on Home Assistant's integration and a cloud.

    async with async_raw_home(hass, load_home("paper")) as raw:
        outcome = await raw.async_do("Samsung 8 Series", "setTvChannel", {"tvChannel": "7"})

All entities are exposed, all values are known, and requests are counted from zero.
"""

from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import asynccontextmanager

from homeassistant.core import HomeAssistant

from benchmark.simulator.cloud import SimulatedCloud
from benchmark.simulator.home import SimulatedHome, load_home
from custom_components.sage.home.commands.pipeline import ValidatedCommand
from custom_components.sage.home.extension import MAIN
from custom_components.sage.home.home import Home
from custom_components.sage.home.home_types import Command, Component, Device, Outcome
from custom_components.sage.home.smartthings.provider import SmartThings as Provider
from custom_components.sage.people.person import HOUSEHOLD, Person
from tests.exposing import expose_all
from tests.smartthings_home import SmartThings, async_connected

from ..entity_home import Asking

PATIENT_SECONDS = 20.0  # timeout for events that certainly happen, on a busy machine
WAIT_SECONDS = 0.1  # timeout for reports, which fetching the values replaces


class RawHome:
    """SAGE's raw access to a home: commands go to raw components even if entities cover them."""

    def __init__(self, hass: HomeAssistant, smartthings: SmartThings) -> None:
        self.hass = hass
        self.smartthings = smartthings
        self.home = Home(hass)
        self.parts = Provider(hass, self.home.gate, self.home.waits)
        self.parts.mirror.client.timeout = PATIENT_SECONDS
        self.home.waits.report_seconds = WAIT_SECONDS

    async def async_start(self) -> None:
        """Start following the cloud; return when all values are known."""
        await self.home.async_setup()
        self.home.add(self.parts)
        await self.home.gate.async_load_rights(HOUSEHOLD)
        await self.async_know_all()

    async def async_know_all(self) -> None:
        """Fetch all values, and reset the count of requests."""
        mirror = self.parts.mirror
        await mirror.async_make_fresh(each.id for each in mirror.devices())
        assert all(mirror.is_fresh(each.id) for each in mirror.devices())
        self.cloud.forget_requests()

    # The cloud.

    @property
    def cloud(self) -> SimulatedCloud:
        return self.smartthings.cloud

    @property
    def posts(self) -> int:
        return self.cloud.count("POST", "/v1/devices/*/commands")

    # Devices.

    def device(self, label: str) -> Device:
        """Return a device with all its raw components, including those that entities cover."""
        raw = self.parts.mirror.device(self.cloud.device_id(label))
        assert raw is not None
        return Device(
            id=label.lower().replace(" ", "_"),
            name=self.cloud.device(label).label,
            components=raw.components,
        )

    def part(self, label: str, component: str = MAIN) -> tuple[Device, Component]:
        device = self.device(label)
        return device, next(each for each in device.components if each.id == component)

    async def async_listed(self, name: str, who: Person = HOUSEHOLD) -> Device:
        return (await self.home.of(who).async_listing()).device(name)

    # Commands.

    async def async_prepare(
        self,
        label: str,
        command: str,
        arguments: Mapping[str, object] | None = None,
        *,
        component: str = MAIN,
        capability: str | None = None,
    ) -> ValidatedCommand:
        device, part = self.part(label, component)
        request = Command(
            device_id=device.id,
            name=command,
            component_id=component,
            capability=capability,
            arguments=arguments or {},
        )
        return await self.parts.finder.async_find(device, [part], request)

    async def async_do(
        self,
        label: str,
        command: str,
        arguments: Mapping[str, object] | None = None,
        *,
        component: str = MAIN,
        authority: Asking | None = None,
    ) -> Outcome:
        """Execute one command as the household, which confirms everything."""
        prepared = await self.async_prepare(label, command, arguments, component=component)
        (outcome,) = await self.home.pipeline.async_execute(authority or Asking(), [prepared])
        return outcome

    async def async_put_back(
        self, *outcomes: Outcome, authority: Asking | None = None
    ) -> tuple[Outcome, ...]:
        return tuple(await self.home.undo.async_put_back(authority or Asking(), outcomes))


@asynccontextmanager
async def async_raw_home(hass: HomeAssistant, home: SimulatedHome) -> AsyncGenerator[RawHome]:
    """Yield SAGE's raw access to a simulated home; remove it at the end."""
    async with (
        SimulatedCloud(home) as cloud,
        async_connected(hass, cloud) as smartthings,
        async_raw_view(hass, smartthings) as raw,
    ):
        yield raw


@asynccontextmanager
async def async_raw_view(hass: HomeAssistant, smartthings: SmartThings) -> AsyncGenerator[RawHome]:
    """Yield SAGE's raw access to a connected home."""
    expose_all(hass)
    raw = RawHome(hass, smartthings)
    await raw.async_start()
    yield raw
    raw.home.close()


def part_of_home(name: str, devices: Iterable[str]) -> SimulatedHome:
    home = load_home(name)
    home.devices = {home.device(each).id: home.device(each) for each in devices}
    return home
