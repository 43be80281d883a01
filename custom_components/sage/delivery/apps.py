"""The companion apps of a person: those that were registered by their own user.

Any user may register an app under any name. So SAGE identifies an app by its config entry, never
by its name or by the action that Home Assistant derives from the name.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from homeassistant.config_entries import ConfigEntry, ConfigEntryState
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.util import slugify

from .errors import NoSuchWayError, WayClosedError
from .notify_entity import NOTIFY, NOTIFY_SECONDS, async_notify_entity
from .service_call import async_call

MOBILE_APP: Final = "mobile_app"
APP_ACTION: Final = "mobile_app_"
"""Prefix of the actions of apps; the rest is the name of the device."""


@dataclass(frozen=True, slots=True, kw_only=True)
class App:
    """An app that can be notified."""

    entity_id: str | None
    """Its notify entity: reports failures, but has no buttons."""

    action: str | None
    """Its action of `notify`: has buttons, but reports no failures."""


def apps_of(hass: HomeAssistant, user_id: str | None) -> tuple[App, ...]:
    """Return the apps of a person, without those of other users' devices with the same name."""
    return tuple(
        app
        for entry in _entries_of(hass, user_id)
        if entry.state is ConfigEntryState.LOADED
        if (app := _app(hass, entry)).entity_id or app.action
    )


def app_names(hass: HomeAssistant, user_id: str) -> dict[str, str]:
    """Return the names of the apps of a person that can be notified, by config entry id."""
    return {
        entry.entry_id: entry.title
        for entry in _entries_of(hass, user_id)
        if entry.state is ConfigEntryState.LOADED
        if (app := _app(hass, entry)).entity_id or app.action
    }


def app_entry_id(hass: HomeAssistant, action: str, user_id: str) -> str | None:
    """Return the config entry id of a person's app whose action had this name."""
    named = (
        entry.entry_id
        for entry in _entries_of(hass, user_id)
        if slugify(f"{APP_ACTION}{entry.data.get('device_name')}") == action
    )
    return next(named, None)


def app_of(hass: HomeAssistant, entry_id: str, user_id: str) -> App:
    """Return an app of a person by its config entry id.

    Raises NoSuchWayError if it does not exist or belongs to another person, WayClosedError
    while it is not loaded.
    """
    entry = next((each for each in _entries_of(hass, user_id) if each.entry_id == entry_id), None)
    if entry is None or entry.disabled_by is not None:
        raise NoSuchWayError("the person has no such app")
    if entry.state is not ConfigEntryState.LOADED:
        raise WayClosedError("the app is not loaded")
    app = _app(hass, entry)
    if app.entity_id is None and app.action is None:
        raise WayClosedError("the app cannot be notified now")
    return app


async def async_tell(hass: HomeAssistant, apps: Sequence[App], message: str, title: str) -> None:
    """Send a text to all the apps. Raises WayClosedError unless one of them received it."""
    if not apps:
        raise NoSuchWayError("the person has no app that can be notified")
    told = [await _async_is_told(hass, app, message, title) for app in apps]
    if not any(told):
        raise WayClosedError("no app of the person could be reached")


async def async_send(
    hass: HomeAssistant, app: App, message: str, data: Mapping[str, Any], title: str | None = None
) -> None:
    """Send a notification with buttons, or a command to the app. Raises WayClosedError."""
    assert app.action is not None
    words = {"message": message, "data": dict(data)} | ({"title": title} if title else {})
    await async_call(hass, NOTIFY, app.action, words, seconds=NOTIFY_SECONDS)


async def _async_is_told(hass: HomeAssistant, app: App, message: str, title: str) -> bool:
    try:
        if app.entity_id is not None:
            await async_notify_entity(hass, app.entity_id, message, title)
        else:
            words = {"message": message, "title": title}
            await async_call(hass, NOTIFY, app.action or "", words, seconds=NOTIFY_SECONDS)
    except WayClosedError:
        return False
    return True


def _entries_of(hass: HomeAssistant, user_id: str | None) -> Iterator[ConfigEntry[Any]]:
    if user_id is None:
        return
    for entry in hass.config_entries.async_entries(MOBILE_APP):
        if entry.data.get("user_id") == user_id:
            yield entry


def _app(hass: HomeAssistant, entry: ConfigEntry[Any]) -> App:
    rows = er.async_entries_for_config_entry(er.async_get(hass), entry.entry_id)
    entities = [
        row.entity_id
        for row in rows
        if row.domain == NOTIFY and hass.states.get(row.entity_id) is not None
    ]
    return App(entity_id=next(iter(entities), None), action=_action(hass, entry))


def _action(hass: HomeAssistant, entry: ConfigEntry[Any]) -> str | None:
    """Return the action that reaches only this device; None if there is none.

    Two devices with the same name share one action, which reaches only one of them.
    """
    # Its requirements are installed only if it is loaded.
    from homeassistant.components.mobile_app.util import get_notify_service  # noqa: PLC0415

    try:
        return get_notify_service(hass, entry.data["webhook_id"])
    except KeyError:
        return None
