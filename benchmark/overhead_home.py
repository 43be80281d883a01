"""A Home Assistant in this process with 1,000 exposed entities, and SAGE in it."""

import asyncio
import gc
import json
import logging
import sys
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from homeassistant.auth.models import Group
from homeassistant.bootstrap import async_setup_hass
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.config_entries import ConfigEntry, ConfigEntryState, ConfigSubentryData
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import floor_registry as fr
from homeassistant.runner import RuntimeConfig

import custom_components
from custom_components.sage.const import CONF_PLAIN_REQUESTS, CONF_WARM_PREFIX, WARM_NEVER

from .custom_components.sage_large_home.layout import areas, things
from .overhead_script import FORMATS, HOUSEHOLD, LIMITED, LIMITED_FLOORS, PAPER_FLOW, Command

DOMAIN: Final = "sage"
_HOME: Final = "sage_large_home"
_COMPONENTS: Final = Path(__file__).parent / "custom_components"
_ROOT: Final = Path(__file__).parents[1]
_CONFIGURATION: Final = """\
homeassistant:
  name: Large home
  country: DE
  language: en
  time_zone: Europe/Berlin
  unit_system: metric
conversation:
logger:
  default: error
  logs:
    custom_components.sage: warning
"""
_HTTP: Final = {
    "cors_allowed_origins": [],
    "login_attempts_threshold": -1,
    "ip_ban_enabled": False,
    "ssl_profile": "modern",
    "use_x_frame_options": True,
    "created_at": None,
    "error": None,
    "error_message": None,
}

AGENTS: Final[Mapping[str, Mapping[str, Any]]] = {
    **{name: {"decision_format": name} for name in FORMATS},
    PAPER_FLOW: {"decision_format": FORMATS[0], "paper_flow": True},
}
"""One agent for each way to decide that is measured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LargeHome:
    """The running home; `users` are the people by what the script calls them."""

    hass: HomeAssistant
    users: dict[str, str | None]


@asynccontextmanager
async def home_assistant(folder: Path) -> AsyncGenerator[HomeAssistant]:
    """Run a Home Assistant with the configuration in `folder`."""
    # What Home Assistant misses on a machine without cameras is not of interest.
    logging.disable(logging.ERROR)
    hass = await async_setup_hass(RuntimeConfig(config_dir=str(folder), skip_pip=True))
    assert hass is not None
    # Home Assistant logs what ends the program; here it is to be seen.
    sys.excepthook = sys.__excepthook__
    try:
        await hass.async_start()
        logging.disable(logging.NOTSET)
        yield hass
    finally:
        await hass.async_stop(force=True)


@asynccontextmanager
async def large_home(folder: Path) -> AsyncGenerator[LargeHome]:
    """Run a Home Assistant with the large home; `folder` becomes its configuration."""
    async with home_assistant(folder) as hass:
        await async_furnish(hass, [area for area, _ in areas()])
        _expose_nothing_else(hass)
        people = await _async_people(hass)
        # As in a home that has run for a while: what was made at the start is not collected
        # in the middle of the first command.
        gc.collect()
        yield LargeHome(hass=hass, users=people)


async def async_add_sage(
    hass: HomeAssistant,
    base_url: str,
    agents: Mapping[str, Mapping[str, Any]] = AGENTS,
    *,
    subentries: Sequence[ConfigSubentryData] = (),
    options: Mapping[str, Any] = MappingProxyType({}),
    **connection: Any,
) -> ConfigEntry[Any]:
    """Set SAGE up with these agents: name -> settings; `connection` as the entry stores it.

    `subentries`: further ones, such as mail accounts.

    Prefixes are never sent in advance, so that every request belongs to a command. The model
    decides about plain requests, too, unless the options say otherwise.
    """
    formats = list(dict.fromkeys(each["decision_format"] for each in agents.values()))
    entry = config_entry(
        DOMAIN,
        {"base_url": base_url, "model": "measured", "formats": formats, **connection},
        [
            ConfigSubentryData(subentry_type="agent", title=name, unique_id=None, data=dict(data))
            for name, data in agents.items()
        ]
        + list(subentries),
        {CONF_WARM_PREFIX: WARM_NEVER, CONF_PLAIN_REQUESTS: False, **options},
    )
    await hass.config_entries.async_add(entry)
    await hass.async_block_till_done()
    if entry.state is not ConfigEntryState.LOADED:
        raise RuntimeError(f"SAGE could not be set up: {entry.reason}")
    return entry


@asynccontextmanager
async def model_server(commands: Sequence[Command]) -> AsyncGenerator[str]:
    """Run the model in a process of its own; yields its base URL."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "benchmark.overhead_model",
        cwd=_ROOT,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    told = json.dumps([command.as_dict() for command in commands])
    process.stdin.write(f"{told}\n".encode())
    try:
        yield (await process.stdout.readline()).decode().strip()
    finally:
        process.stdin.close()
        await process.wait()


def make_importable() -> None:
    """Let Home Assistant's loader find the integrations of the benchmark."""
    if str(_COMPONENTS) not in custom_components.__path__:
        custom_components.__path__ = [*custom_components.__path__, str(_COMPONENTS)]


def lay_out(folder: Path) -> None:
    """Write a configuration into `folder`; Home Assistant must not have been started yet."""
    make_importable()
    (folder / "configuration.yaml").write_text(_CONFIGURATION, encoding="utf-8")
    (folder / ".storage").mkdir()
    # In YAML another port than the default would be a trial of five minutes. With 0, the system
    # gives one: another process could take a port that is chosen before Home Assistant starts.
    http = {**_HTTP, "server_host": ["127.0.0.1"], "server_port": 0}
    stored = {
        "version": 2,
        "minor_version": 2,
        "key": "http",
        "data": {"stable": http, "pending": None, "yaml_migration_done": True},
    }
    (folder / ".storage" / "http").write_text(json.dumps(stored), encoding="utf-8")


async def async_furnish(hass: HomeAssistant, rooms: Sequence[str]) -> None:
    """Add these areas of the large home, with all that is in them exposed."""
    await hass.config_entries.async_add(config_entry(_HOME, {"areas": list(rooms)}))
    await hass.async_block_till_done()
    ids = _make_areas(hass, rooms)
    by_entity = {thing.entity_id: thing for thing in things() if thing.area in ids}
    entities, devices = er.async_get(hass), dr.async_get(hass)
    for entity_id, thing in by_entity.items():
        device_id = entities.entities[entity_id].device_id
        assert device_id is not None
        devices.async_update_device(device_id, area_id=ids[thing.area])
        async_expose_entity(hass, "conversation", entity_id, True)
    await hass.async_block_till_done()


def _expose_nothing_else(hass: HomeAssistant) -> None:
    exposed = {thing.entity_id for thing in things()}
    for state in hass.states.async_all():
        if state.entity_id not in exposed:
            async_expose_entity(hass, "conversation", state.entity_id, False)


def _make_areas(hass: HomeAssistant, rooms: Sequence[str]) -> dict[str, str]:
    floors, registry = fr.async_get(hass), ar.async_get(hass)
    ids: dict[str, str] = {}
    for area, floor in areas():
        if area not in rooms:
            continue
        there = floors.async_get_floor_by_name(floor) or floors.async_create(floor)
        ids[area] = registry.async_create(area, floor_id=there.floor_id).id
    return ids


async def _async_people(hass: HomeAssistant) -> dict[str, str | None]:
    """Return the household, and a user who may use two of the floors."""
    allowed = {
        area.id: {"read": True, "control": True}
        for area in ar.async_get(hass).async_list_areas()
        if area.name.startswith(LIMITED_FLOORS)
    }
    # The first user is the owner, who may use everything.
    await hass.auth.async_create_user("Owner")
    user = await hass.auth.async_create_user("Kim")
    # Home Assistant knows such groups from its storage only.
    user.groups = [Group(name="Two floors", policy={"entities": {"area_ids": allowed}})]
    return {HOUSEHOLD: None, LIMITED: user.id}


def config_entry(
    domain: str,
    data: dict[str, Any],
    subentries: Sequence[ConfigSubentryData] = (),
    options: Mapping[str, Any] = MappingProxyType({}),
    *,
    version: tuple[int, int] = (1, 1),
) -> ConfigEntry[Any]:
    """Return a config entry that is not added yet."""
    return ConfigEntry(
        data=data,
        discovery_keys=MappingProxyType({}),
        domain=domain,
        minor_version=version[1],
        options=options,
        source="user",
        subentries_data=subentries,
        title=domain,
        unique_id=None,
        version=version[0],
    )
