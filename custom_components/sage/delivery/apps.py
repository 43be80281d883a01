"""The companion apps of a person: those that were registered by their own user."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from homeassistant.config_entries import ConfigEntry, ConfigEntryState
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er

from .errors import NoSuchWayError, WayClosedError
from .notify_targets import NOTIFY, async_notify
from .service_call import async_call

_MOBILE_APP: Final = "mobile_app"
_SECONDS: Final = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class App:
    """An app that can be notified."""

    entity_id: str | None
    """Its notify entity: tells when nothing comes through, but has no buttons."""

    action: str | None
    """Its action of `notify`: has buttons; when nothing comes through, nobody hears of it."""


def apps_of(hass: HomeAssistant, user_id: str | None) -> tuple[App, ...]:
    """Return the apps of a person; a device of the same name in other hands is none of them."""
    if user_id is None:
        return ()
    return tuple(
        app
        for entry in hass.config_entries.async_entries(_MOBILE_APP)
        if entry.state is ConfigEntryState.LOADED and entry.data.get("user_id") == user_id
        if (app := _app(hass, entry)).entity_id or app.action
    )


async def async_tell(hass: HomeAssistant, apps: Sequence[App], message: str, title: str) -> None:
    """Send words to all the apps. Raises WayClosedError unless one of them got them."""
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
    await async_call(hass, NOTIFY, app.action, words, seconds=_SECONDS)


async def _async_is_told(hass: HomeAssistant, app: App, message: str, title: str) -> bool:
    try:
        await async_notify(hass, app.entity_id or f"{NOTIFY}.{app.action}", message, title)
    except NoSuchWayError, WayClosedError:
        return False
    return True


def _app(hass: HomeAssistant, entry: ConfigEntry[Any]) -> App:
    rows = er.async_entries_for_config_entry(er.async_get(hass), entry.entry_id)
    entities = [
        row.entity_id
        for row in rows
        if row.domain == NOTIFY and hass.states.get(row.entity_id) is not None
    ]
    return App(entity_id=next(iter(entities), None), action=_action(hass, entry))


def _action(hass: HomeAssistant, entry: ConfigEntry[Any]) -> str | None:
    """Return the action that reaches just this device.

    Two devices of the same name share one action, and only one of them gets what is sent.
    """
    # Its requirements are only there where it is loaded.
    from homeassistant.components.mobile_app.util import get_notify_service  # noqa: PLC0415

    try:
        return get_notify_service(hass, entry.data["webhook_id"])
    except KeyError:
        return None
