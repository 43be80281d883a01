"""The SAGE integration: a language-model agent that controls the home from Assist."""

import logging
from collections.abc import Mapping
from typing import Final

from homeassistant.auth import EVENT_USER_REMOVED
from homeassistant.config_entries import (
    SIGNAL_CONFIG_ENTRY_CHANGED,
    ConfigEntry,
    ConfigEntryChange,
    ConfigEntryState,
)
from homeassistant.const import EVENT_HOMEASSISTANT_STOP, Platform
from homeassistant.core import Event, HomeAssistant, callback
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.dispatcher import async_dispatcher_connect
from homeassistant.helpers.start import async_at_started
from homeassistant.helpers.typing import ConfigType

from .config import (
    PHOTO_SERVICES,
    async_agents,
    async_load_photos,
    async_make_embedder,
    async_make_external,
    async_make_photos,
    async_make_speakers,
    async_offer_looking,
    async_watch_assistants,
    async_work_at_night,
    make_memory,
)
from .const import (
    CONF_CALENDARS,
    CONF_FALL_BACK,
    CONF_PIN_ATTEMPTS,
    CONF_PIN_HASH,
    CONF_PRICES,
    CONF_RISK_LEVELS,
    CONF_SATELLITES,
    DOMAIN,
)
from .external import ExternalError
from .home import Home, Looks
from .home.smartthings import SMARTTHINGS, SmartThings
from .memory import MemoryStoreError
from .panel import async_add_page, async_register_websocket, async_remove_page
from .people import Person, Pin
from .routines import RoutineError
from .routines.api import ROUTINE_SERVICES, async_publish_routines
from .routines.host import async_load_routines, async_make_routines
from .run import (
    PrefixWarmer,
    RunRegistry,
    SageConfigEntry,
    SageRuntime,
    async_register_actions,
)
from .services import MEMORY_SERVICES, PROCESS_SERVICES

_LOGGER = logging.getLogger(__name__)

PLATFORMS: Final = [
    Platform.CONVERSATION,
    Platform.IMAGE,
    Platform.STT,
    Platform.SWITCH,
]

CONFIG_SCHEMA: Final = cv.config_entry_only_config_schema(DOMAIN)


async def async_setup(hass: HomeAssistant, config: ConfigType) -> bool:
    """Register SAGE's websocket commands and service actions, also without a config entry."""
    actions = {
        **PROCESS_SERVICES,
        **MEMORY_SERVICES,
        **PHOTO_SERVICES,
        **ROUTINE_SERVICES,
    }
    async_register_websocket(hass, actions)
    async_register_actions(hass, actions)
    return True


async def async_setup_entry(hass: HomeAssistant, entry: SageConfigEntry) -> bool:
    """Set up SAGE from its config entry; succeeds even if the model server is unavailable."""
    # First, so that no change is missed that is made during the set-up.
    _watch_settings(hass, entry)
    embedder = await async_make_embedder(hass, entry)
    photos, looks = await async_make_photos(hass, entry, embedder)
    home = await _async_make_home(hass, entry, looks)
    runs = RunRegistry()
    memory = make_memory(hass, entry, embedder)
    external = await async_make_external(hass, entry, home)
    routines = async_make_routines(hass, entry, home, external)
    entry.runtime_data = SageRuntime(
        home=home,
        photos=photos,
        memory=memory,
        routines=routines,
        external=external,
        runs=runs,
        pin=_make_pin(hass, entry),
        speakers=await async_make_speakers(hass, entry, memory),
        satellites=entry.options.get(CONF_SATELLITES, {}),
        fall_back=entry.options.get(CONF_FALL_BACK, True),
        agents=await async_agents(hass, entry),
    )
    entry.async_on_unload(home.close)
    entry.async_on_unload(memory.async_close)

    async def stop_all(_: Event) -> None:
        # Stop routines first, since they start runs. They report an interruption after a restart.
        await routines.async_close()
        runs.stop()

    entry.async_on_unload(runs.stop)
    entry.async_on_unload(hass.bus.async_listen(EVENT_HOMEASSISTANT_STOP, stop_all))
    _watch_users(hass, entry)
    await async_load_photos(hass, entry)
    await async_load_routines(hass, entry)
    await hass.config_entries.async_forward_entry_setups(entry, PLATFORMS)
    await async_publish_routines(hass, entry)
    await async_add_page(hass)
    for begin in (async_offer_looking, async_watch_assistants, async_work_at_night):
        begin(hass, entry)

    async def warm() -> None:
        try:
            await home.async_warm()
        except Exception:
            # Continue: translations of other integrations may be broken, but routines must start.
            _LOGGER.exception("The texts of the home could not be loaded in advance")
        await entry.runtime_data.routines.async_start()
        await entry.runtime_data.pin.async_load()
        await memory.async_embed_all()

    @callback
    def started(_: HomeAssistant) -> None:
        _warm_prefixes(hass, entry)
        task = entry.async_create_task(hass, warm(), "SAGE begins to watch")

        @callback
        def cancel() -> None:
            task.cancel()

        entry.async_on_unload(cancel)

    entry.async_on_unload(async_at_started(hass, started))
    return True


@callback
def _make_pin(hass: HomeAssistant, entry: SageConfigEntry) -> Pin:
    """Return the PIN; the entry stores its hash and the times of wrong attempts."""

    @callback
    def store(wrong: Mapping[str, list[float]]) -> None:
        attempts = {key: list(times) for key, times in wrong.items()}
        data = {**entry.data, CONF_PIN_ATTEMPTS: attempts}
        hass.config_entries.async_update_entry(entry, data=data)

    pin_hash, wrong = entry.options.get(CONF_PIN_HASH), entry.data.get(CONF_PIN_ATTEMPTS)
    return Pin(hass, pin_hash, wrong, store)


@callback
def _watch_users(hass: HomeAssistant, entry: SageConfigEntry) -> None:
    """When a user is removed, end the commands and delete the data of this user."""
    runtime = entry.runtime_data
    deletions = (
        runtime.routines.async_purge,
        runtime.memory.async_purge,
        runtime.external.async_forget,
    )

    async def removed(event: Event) -> None:
        user_id = event.data["user_id"]
        if await hass.auth.async_get_user(user_id) is not None:
            return  # The event does not come from Home Assistant, since the user still exists.
        # A command that ends later would store its reply again.
        await runtime.runs.async_end_all_of(user_id)
        runtime.home.undo.forget(Person(user_id=user_id, name=""))
        for delete in deletions:
            try:
                await delete(user_id)
            except RoutineError, MemoryStoreError, ExternalError:
                _LOGGER.exception("Some data of a removed user could not be deleted")

    entry.async_on_unload(hass.bus.async_listen(EVENT_USER_REMOVED, removed))


async def _async_make_home(hass: HomeAssistant, entry: SageConfigEntry, looks: Looks) -> Home:
    home = Home(hass, looks)
    await home.levels.async_load()
    home.levels.choose(entry.options.get(CONF_RISK_LEVELS, {}))
    await home.async_setup()
    home.gate.assign(entry.options.get(CONF_CALENDARS, {}))
    _use_smartthings(hass, entry, home)
    return home


@callback
def _use_smartthings(hass: HomeAssistant, entry: SageConfigEntry, home: Home) -> None:
    """Add SmartThings to the home as soon as Home Assistant has an entry of that integration."""
    smartthings = SmartThings(hass, home.gate, home.waits)

    @callback
    def add(_: ConfigEntryChange | None = None, __: ConfigEntry | None = None) -> None:
        if home.extension is None and hass.config_entries.async_entries(SMARTTHINGS):
            home.add(smartthings)

    add()
    entry.async_on_unload(async_dispatcher_connect(hass, SIGNAL_CONFIG_ENTRY_CHANGED, add))


@callback
def _warm_prefixes(hass: HomeAssistant, entry: SageConfigEntry) -> None:
    """Let the model servers cache the constant prompt prefixes while no command is in progress."""
    runtime = entry.runtime_data
    for agent in runtime.agents.values():
        if agent.warmed_model is not None:
            warmer = PrefixWarmer(hass, entry, agent, agent.warmed_model)
            warmer.start()
            entry.async_on_unload(warmer.stop)


async def async_unload_entry(hass: HomeAssistant, entry: SageConfigEntry) -> bool:
    """Unload SAGE and return whether this succeeded; commands in progress end with an answer."""
    is_unloaded = await hass.config_entries.async_unload_platforms(entry, PLATFORMS)
    if is_unloaded:
        # Stop routines first, since they start runs. The memory closes later, because runs store
        # replies when they end.
        await entry.runtime_data.routines.async_close()
        await entry.runtime_data.runs.async_stop()
        hass.async_create_task(_async_remove_page_unless_reloaded(hass, entry))
    return is_unloaded


async def _async_remove_page_unless_reloaded(hass: HomeAssistant, entry: SageConfigEntry) -> None:
    """Remove SAGE's sidebar panel and dashboard card, unless this is a part of a reload."""
    # Home Assistant holds the lock until the entry is unloaded or, in a reload, set up again.
    async with entry.setup_lock:
        if entry.state is not ConfigEntryState.LOADED:
            async_remove_page(hass)


_WITHOUT_RELOAD: Final = frozenset({CONF_CALENDARS, CONF_PRICES, CONF_RISK_LEVELS})
"""Options that apply without a reload, because a reload would abort commands in progress."""


@callback
def _watch_settings(hass: HomeAssistant, entry: SageConfigEntry) -> None:
    """Reload the entry after a change of settings, except for options in `_WITHOUT_RELOAD`."""

    def settings() -> object:
        options = {key: entry.options[key] for key in entry.options.keys() - _WITHOUT_RELOAD}
        parts = {key: (each.title, each.data) for key, each in entry.subentries.items()}
        data = {key: entry.data[key] for key in entry.data.keys() - {CONF_PIN_ATTEMPTS}}
        return entry.title, data, options, parts

    loaded = settings()

    async def changed(hass: HomeAssistant, entry: SageConfigEntry) -> None:
        if settings() != loaded:
            await hass.config_entries.async_reload(entry.entry_id)
            return
        home: Home = entry.runtime_data.home
        home.levels.choose(entry.options.get(CONF_RISK_LEVELS, {}))
        home.gate.assign(entry.options.get(CONF_CALENDARS, {}))

    entry.async_on_unload(entry.add_update_listener(changed))
