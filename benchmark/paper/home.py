"""The running home of a case: a fresh Home Assistant, its people and the servers around it."""

import asyncio
import contextlib
import logging
import sys
import uuid
from collections.abc import AsyncGenerator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final
from unittest.mock import patch

from homeassistant import block_async_io, bootstrap
from homeassistant.auth.const import GROUP_ID_ADMIN
from homeassistant.bootstrap import async_setup_hass
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.config_entries import ConfigEntry, ConfigEntryState, ConfigSubentryData
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.typing import ConfigType
from homeassistant.runner import RuntimeConfig
from homeassistant.util import dt as dt_util

from custom_components.sage.config.embedders import async_find_embeddings
from custom_components.sage.const import CONF_PHOTO_SERVER, DEFAULT_PHOTO_MODEL
from custom_components.sage.external.address_book import Contact
from custom_components.sage.home.safety.risk import needs_verdict
from custom_components.sage.home.safety.risk_levels import RiskVerdict, levels_of, subject_of
from custom_components.sage.memory.memories import Memory
from custom_components.sage.memory.person_memory import PersonMemory
from custom_components.sage.people.person import KnownBy, Person
from scripts.demonstration.cloud_home import expose

from ..mail_servers import HOST, PASSWORD
from ..overhead_home import async_add_sage, config_entry, lay_out
from ..photos.homes import PAPER
from ..simulated_time import SimulatedTime
from ..simulator.connection import async_add_smartthings, async_point_at
from ..simulator.home import SimulatedHome
from .case import PaperCase, Place, SentMail, State, StoredEvent
from .people import BY_KEY, PEOPLE, memories
from .servers import PASSWORDS, Servers, servers
from .world import CONTACTS, NOW

CAPTIONS: Final = "captions"
NONE: Final = "none"
CLIP: Final = "ViT-B-32"
"""The vision paths."""

_PATIENCE: Final = 30.0
"""Seconds for what takes a moment on loopback."""

_STEP: Final = 20.0
"""Seconds of simulated time that pass at once; less than the keepalive of the cloud."""

_READABLE: Final = "www"
"""Folder of the configuration whose files an action may read."""

_ROUTINE: Final = ("sage", "switch")
"""Platform and domain of the entity of a routine."""

_DRAFTS: Final = "Entw&APw-rfe"
_CONFIGURATION: Final = """\
homeassistant:
  name: Home
  country: CA
  language: en
  time_zone: America/Toronto
  latitude: 45.51
  longitude: -73.57
  unit_system: metric
conversation:
mobile_app:
logger:
  default: error
"""
_TOKEN_SECONDS: Final = 10 * 365 * 86_400.0

_UNSEEN: Final = frozenset({"powerConsumptionReport", "execute", "refresh"})
"""Capabilities whose values say nothing about an action."""


class PaperHome:
    """The home; `hass` is another object after a restart."""

    def __init__(
        self, hass: HomeAssistant, around: Servers, clock: SimulatedTime, case: PaperCase
    ) -> None:
        """Use the running parts."""
        self.hass = hass
        self.around = around
        self.clock = clock
        self.case = case
        self.user_ids: dict[str, str] = {}
        """Key of a person -> user id."""

    @property
    def smartthings(self) -> ConfigEntry[Any]:
        """Return the entry of Home Assistant's own integration."""
        (entry,) = self.hass.config_entries.async_entries("smartthings")
        return entry

    @property
    def client(self) -> Any:
        """Return the client of that integration, to read devices and send commands."""
        return self.smartthings.runtime_data.client

    @property
    def sage(self) -> ConfigEntry[Any]:
        """Return the entry of SAGE. Raises ValueError without SAGE."""
        (entry,) = self.hass.config_entries.async_entries("sage")
        return entry

    def person(self, key: str) -> Person:
        """Return a person as SAGE knows them."""
        return Person(user_id=self.user_ids[key], name=BY_KEY[key].name, known_by=KnownBy.SIGN_IN)

    # The state of the world.

    def state(self) -> State:
        """Return all values of all devices, as the cloud has them."""
        return state_of(self.around.cloud.home)

    def device_ids(self) -> Mapping[str, str]:
        """Return the SmartThings id of each device by its key."""
        return {each.key: each.id for each in self.around.cloud.home.devices.values()}

    def registry_ids(self) -> Mapping[str, str]:
        """Return the id in Home Assistant's device registry of each device by its key."""
        ids = self.device_ids()
        keys = {id_: key for key, id_ in ids.items()}
        return {
            keys[identifier]: device.id
            for device in dr.async_entries_for_config_entry(
                dr.async_get(self.hass), self.smartthings.entry_id
            )
            for domain, identifier in (each[:2] for each in device.identifiers)
            if domain == "smartthings" and identifier in keys
        }

    async def async_sent(self) -> Sequence[SentMail]:
        """Return the messages that the server accepted."""
        return [
            SentMail(
                person=each.sender.partition("@")[0],
                recipients=tuple(each.recipients),
                message=each.message,
            )
            for each in self.around.smtp.accepted
        ]

    async def async_drafts(self) -> Sequence[SentMail]:
        """Return the drafts of all people."""

        def read() -> list[SentMail]:
            return [
                SentMail(
                    person=person.key,
                    recipients=tuple(
                        each.strip() for each in str(message["To"] or "").split(",") if each.strip()
                    ),
                    message=message,
                )
                for person in PEOPLE
                for message in self.around.imap.read(person.key, _DRAFTS)
            ]

        return await asyncio.to_thread(read)

    async def async_events(self) -> Sequence[StoredEvent]:
        """Return the events of all calendars in the weeks around now."""
        found: list[StoredEvent] = []
        for person in PEOPLE:
            answer = await self.hass.services.async_call(
                "calendar",
                "get_events",
                {
                    "entity_id": f"calendar.{person.key}",
                    "start_date_time": (NOW - timedelta(days=7)).isoformat(),
                    "end_date_time": (NOW + timedelta(days=28)).isoformat(),
                },
                blocking=True,
                return_response=True,
            )
            rows: Any = (answer or {})[f"calendar.{person.key}"]
            found += [
                StoredEvent(
                    person=person.key,
                    title=row["summary"],
                    start=dt_util.as_local(datetime.fromisoformat(row["start"])),
                    description=row.get("description", ""),
                )
                for row in rows["events"]
            ]
        return found

    def notifications(self, since: int = 0) -> Mapping[str, Sequence[str]]:
        """Return the texts on the phone of each person, without the first `since` of all."""
        return {
            person.key: [
                str(each["message"])
                for each in self.around.web.pushed[since:]
                if each["push_token"] == person.key
            ]
            for person in PEOPLE
        }

    def routines(self) -> Sequence[str]:
        """Return the switches of the routines of SAGE."""
        rows = er.async_get(self.hass).entities.values()
        return [each.entity_id for each in rows if (each.platform, each.domain) == _ROUTINE]

    # Changes and time.

    def change(self, values: Mapping[Place, Any]) -> None:
        """Let devices report values."""
        for place, value in values.items():
            self.around.cloud.change(*place, value)

    async def async_settle(self) -> None:
        """Return when Home Assistant has handled everything that the cloud has sent so far."""
        async with asyncio.timeout(_PATIENCE):
            await self.around.cloud.stream.wait_connected()
            # An event about an unknown device arrives after all earlier ones.
            marker, arrived = str(uuid.uuid4()), asyncio.Event()
            remove = self.client.add_device_availability_event_listener(
                marker, lambda _: arrived.set()
            )
            self.around.cloud.stream.publish_health(marker, online=True)
            await arrived.wait()
            remove()
        await self.hass.async_block_till_done(wait_background_tasks=False)

    async def async_pass(self, minutes: float) -> None:
        """Let time pass at once, with everything that is due."""
        end = self.clock.time() + minutes * 60
        while (left := end - self.clock.time()) > 0.5:
            await self.clock.async_run_until(
                self.clock.time() + min(left, _STEP), self.async_settle
            )

    async def async_restart(self) -> None:
        """Stop Home Assistant and start it again with the same configuration folder."""
        folder = Path(self.hass.config.config_dir)
        await self.hass.async_stop(force=True)
        # The detection of blocking calls is enabled once per process.
        with patch.object(block_async_io, "enable"):
            self.hass = await async_start(folder, self.around)
        await self.async_settle()

    # SAGE.

    async def async_add_sage(
        self,
        base_url: str,
        agent: Mapping[str, Any],
        vision: str,
        photo_server: str = "",
        photo_model: str = DEFAULT_PHOTO_MODEL,
        **connection: Any,
    ) -> ConfigEntry[Any]:
        """Set SAGE up with all sources outside the home, memories and photos."""
        options: dict[str, Any] = {"calendars": self._calendar_owners()}
        if photo_server:
            options[CONF_PHOTO_SERVER] = await async_find_embeddings(
                self.hass, photo_server, None, photo_model, of_images=True
            )
        self._classify()
        entry = await async_add_sage(
            self.hass,
            base_url,
            {"sage": agent},
            subentries=self._subentries(),
            options=options,
            **connection,
        )
        for person in PEOPLE:
            await entry.runtime_data.memory.async_do(
                self.person(person.key), _remember_all, memories(person, NOW)
            )
            await entry.runtime_data.external.books.async_put(
                self.user_ids[person.key],
                [
                    Contact(uid=address, name=name, emails=(address,))
                    for name, address in CONTACTS[person.key].items()
                ],
            )
        if vision != NONE:
            await self._async_add_photos()
        await self.hass.async_block_till_done()
        return entry

    def _classify(self) -> None:
        """Classify devices and scenes as harmless, as a model does on the first day of SAGE.

        Before SAGE is set up, because it would ask the model at once. The home has neither a lock
        nor anything that opens or heats.
        """
        levels = levels_of(self.hass)
        for entity_id in self.hass.states.async_entity_ids():
            # A scene of the cloud does not show what it does, so a model would classify its name.
            if needs_verdict(self.hass, entity_id) or entity_id.startswith("scene."):
                levels.note(subject_of(self.hass, entity_id), RiskVerdict(risk=None))

    def _subentries(self) -> list[ConfigSubentryData]:
        return [
            *(self._account(person.key) for person in PEOPLE),
            _subentry(
                "tv_guide",
                "TV guide",
                {"source": f"{self.around.web.url}/guide.xml"},
            ),
            _subentry(
                "weather",
                "Weather",
                {"base_url": self.around.weather.url, "geocoding_url": self.around.weather.url},
            ),
        ]

    def _account(self, key: str) -> ConfigSubentryData:
        user_id, address = self.user_ids[key], BY_KEY[key].address
        imap, smtp = self.around.imap.port, self.around.smtp.port
        mail = {
            "user": user_id,
            "provider": "other",
            "address": address,
            "username": key,
            "password": PASSWORD.format(name=key),
            "imap": {"host": HOST, "port": imap, "security": "none"},
            "smtp": {"host": HOST, "port": smtp, "security": "none"},
            "keeps_sent": False,
        }
        return _subentry("mail", address, mail, unique_id=f"{user_id} {address}")

    def _calendar_owners(self) -> dict[str, str]:
        registry = er.async_get(self.hass)
        rows = {key: registry.async_get(f"calendar.{key}") for key in self.user_ids}
        return {row.id: self.user_ids[key] for key, row in rows.items() if row is not None}

    async def _async_add_photos(self) -> None:
        captions = {each.id: each.caption for room in PAPER.rooms for each in room.devices}
        folder = Path(self.hass.config.path(_READABLE))
        devices = self.registry_ids()
        photos = await asyncio.to_thread(PAPER.photos)
        for key, photo in photos.items():
            path = folder / f"{key}.jpg"
            await asyncio.to_thread(path.write_bytes, photo)
            await self.hass.services.async_call(
                "sage",
                "add_photo",
                {"device_id": devices[key], "file": str(path), "caption": captions[key]},
                blocking=True,
            )


def state_of(home: SimulatedHome) -> State:
    """Return all values of all devices of a home."""
    return {
        Place(device.key, component, capability, attribute): _frozen(entry.get("value"))
        for device in home.devices.values()
        for component, capabilities in device.status.items()
        for capability, attributes in capabilities.items()
        if capability not in _UNSEEN
        for attribute, entry in attributes.items()
    }


def _subentry(
    kind: str, title: str, data: Mapping[str, Any], *, unique_id: str | None = None
) -> ConfigSubentryData:
    return ConfigSubentryData(
        subentry_type=kind, title=title, unique_id=unique_id, data=MappingProxyType(dict(data))
    )


def _remember_all(memory: PersonMemory, all_new: Sequence[Memory]) -> None:
    for new in all_new:
        memory.add(new)


def _frozen(value: Any) -> Any:
    """Return a value that stays when the device changes."""
    if isinstance(value, list):
        return tuple(map(_frozen, value))
    if isinstance(value, dict):
        return tuple(sorted((key, _frozen(each)) for key, each in value.items()))
    return value


async def async_start(folder: Path, around: Servers) -> HomeAssistant:
    """Start Home Assistant at the simulated cloud."""
    logging.disable(logging.WARNING)
    set_up = bootstrap.async_from_config_dict

    async def async_set_up(config: ConfigType, hass: HomeAssistant) -> HomeAssistant | None:
        # Before anything uses the shared connections, a stored entry included.
        await async_point_at(hass, around.cloud)
        return await set_up(config, hass)

    bootstrap.async_from_config_dict = async_set_up
    try:
        hass = await async_setup_hass(RuntimeConfig(config_dir=str(folder), skip_pip=True))
        if hass is None:
            raise RuntimeError("Home Assistant did not start")
        if hass.config.recovery_mode:
            await hass.async_stop(force=True)
            raise RuntimeError("Home Assistant started in recovery mode")
        # Home Assistant logs errors that end the program; here they go to the standard error.
        sys.excepthook = sys.__excepthook__
        await hass.async_start()
    finally:
        bootstrap.async_from_config_dict = set_up
        logging.disable(logging.NOTSET)
    return hass


@contextlib.asynccontextmanager
async def paper_home(folder: Path, case: PaperCase) -> AsyncGenerator[PaperHome]:
    """Run the home of a case; `folder` is empty. SAGE is not in it yet."""
    configuration = folder / "configuration"
    configuration.mkdir()
    lay_out(configuration)
    (configuration / "configuration.yaml").write_text(_CONFIGURATION, encoding="utf-8")
    (configuration / _READABLE).mkdir()
    clock = SimulatedTime(NOW)
    with clock.installed(asyncio.get_running_loop()):
        async with servers(folder / "servers", case, clock.utcnow) as around:
            hass = await async_start(configuration, around)
            home = PaperHome(hass, around, clock, case)
            try:
                await _async_move_in(home)
                yield home
            finally:
                await home.hass.async_stop(force=True)


async def _async_move_in(home: PaperHome) -> None:
    """Add the people with their phones and calendars, and connect the devices."""
    hass = home.hass
    entry = await async_add_smartthings(hass, home.around.cloud, token_lifetime=_TOKEN_SECONDS)
    if entry.state is not ConfigEntryState.LOADED:
        raise RuntimeError(f"SmartThings could not be set up: {entry.reason}")
    for person in PEOPLE:
        user = await hass.auth.async_create_user(person.name, group_ids=[GROUP_ID_ADMIN])
        home.user_ids[person.key] = user.id
        for added in (_phone(home, person.key), _calendar(home, person.key)):
            await hass.config_entries.async_add(added)
            if added.state is not ConfigEntryState.LOADED:
                raise RuntimeError(f"{added.domain} could not be set up: {added.reason}")
    expose(hass)
    for key in home.user_ids:
        async_expose_entity(hass, "conversation", f"calendar.{key}", True)
        async_expose_entity(hass, "conversation", f"todo.{key}", False)
    await home.async_settle()


def _phone(home: PaperHome, key: str) -> ConfigEntry[Any]:
    registration = {
        "app_data": {"push_token": key, "push_url": f"{home.around.web.url}/push"},
        "app_id": "io.homeassistant.benchmark",
        "app_name": "Benchmark",
        "app_version": "1",
        "device_id": key,
        "device_name": f"{key} phone",
        "manufacturer": "Benchmark",
        "model": "Phone",
        "os_name": "Benchmark",
        "os_version": "1",
        "supports_encryption": False,
        "user_id": home.user_ids[key],
        "webhook_id": uuid.uuid5(uuid.NAMESPACE_URL, key).hex,
    }
    return config_entry("mobile_app", registration)


def _calendar(home: PaperHome, key: str) -> ConfigEntry[Any]:
    return config_entry(
        "caldav",
        {
            "url": home.around.dav.url,
            "username": key,
            "password": PASSWORDS[key],
            "verify_ssl": True,
        },
    )
