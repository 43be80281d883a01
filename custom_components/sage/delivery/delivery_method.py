"""Delivery methods for the answers of routines, and functions that send notifications.

A notification goes to companion apps, a notify entity, or an action of the domain `notify`.
"""

import asyncio
import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from homeassistant.config_entries import ConfigEntry, ConfigEntryState
from homeassistant.const import STATE_UNAVAILABLE
from homeassistant.core import Context, HomeAssistant, ServiceResponse
from homeassistant.helpers import entity_registry as er
from homeassistant.util import slugify

_LOGGER = logging.getLogger(__name__)


class NoDeliveryMethodError(Exception):
    """The person's delivery method is not set up; for example, there is no companion app.

    A retry fails until somebody sets up the method.
    """


class DeliveryUnavailableError(Exception):
    """The delivery method exists but does not work at the moment; a retry may succeed."""


class DeliveryMethodKind(StrEnum):
    """The kind of a delivery method."""

    AUTOMATIC = "automatic"
    """The person's companion app, else a satellite, else a persistent notification."""
    NOTIFY = "notify"
    """A companion app of the person, a notify entity, or an action of the domain `notify`."""
    SATELLITE = "satellite"
    """A voice satellite: `DeliveryMethod.target`, or if that is None, one that SAGE chooses."""
    NOTIFICATION = "notification"
    """A persistent notification in Home Assistant, which all users see."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryMethod:
    """The way in which answers of routines reach one person."""

    kind: DeliveryMethodKind = DeliveryMethodKind.AUTOMATIC
    target: str | None = None
    """The satellite or notification target; None if SAGE chooses it or none is needed.

    - kind SATELLITE: registry id of the satellite
    - kind NOTIFY: a key in `targets()`, or another form that `as_offered` converts to a key
    """

    @property
    def is_private(self) -> bool:
        """Whether only the person may read the delivered answers."""
        return self.kind is DeliveryMethodKind.NOTIFY

    def as_dict(self) -> dict[str, Any]:
        """Return the method as a JSON dict for the options."""
        return {"kind": self.kind.value} | ({"target": self.target} if self.target else {})


def delivery_method_of(methods: Mapping[str, Any], user_id: str | None) -> DeliveryMethod:
    """Return the delivery method of a user; AUTOMATIC if the options contain none.

    `methods` is the dict in the options: user id -> result of `DeliveryMethod.as_dict`.
    """
    stored = methods.get(user_id) if user_id is not None else None
    if stored is None:
        return DeliveryMethod()
    return DeliveryMethod(kind=DeliveryMethodKind(stored["kind"]), target=stored.get("target"))


async def async_call(
    hass: HomeAssistant,
    domain: str,
    service: str,
    data: dict[str, Any],
    *,
    seconds: float,
    answers: bool = False,
) -> ServiceResponse:
    """Call a Home Assistant action; return its response if `answers`, else None.

    The action runs without a user. Raises DeliveryUnavailableError if it fails or takes longer than
    `seconds`.
    """
    try:
        async with asyncio.timeout(seconds):
            # No user and no permission check: the household chose this action in the options.
            return await hass.services.async_call(
                domain, service, data, blocking=True, context=Context(), return_response=answers
            )
    except Exception as err:
        _LOGGER.debug("%s.%s failed", domain, service, exc_info=True)
        raise DeliveryUnavailableError(f"{domain}.{service}: {type(err).__name__}") from err


_MOBILE_APP: Final = "mobile_app"
_APP_ACTION: Final = "mobile_app_"
"""Prefix of the notify actions of companion apps, before the name of the device."""

_NOTIFY: Final = "notify"
_NOTIFY_SECONDS: Final = 30.0
"""Timeout for sending one notification, in seconds."""

_NO_TARGETS: Final = frozenset({"send_message", "persistent_notification", _NOTIFY})
"""Actions of the domain `notify` without a fixed recipient."""


@dataclass(frozen=True, slots=True, kw_only=True)
class App:
    """A companion app that can show notifications."""

    entity_id: str | None
    """Entity id of the app's notify entity, or None if the app has none.

    The entity reports failures but does not support buttons.
    """

    action: str | None
    """Name of the app's notify action, such as `mobile_app_phone`, or None if it has none.

    The action supports buttons but does not report failures.
    """


def apps_of(hass: HomeAssistant, user_id: str | None) -> tuple[App, ...]:
    """Return the companion apps of a person that are loaded and can show notifications.

    Empty if `user_id` is None.
    """
    return tuple(
        app
        for entry in _entries_of(hass, user_id)
        if entry.state is ConfigEntryState.LOADED
        if (app := _app(hass, entry)).entity_id or app.action
    )


# Apps are identified by their config entry, because two apps may have the same name.
def _app_names(hass: HomeAssistant, user_id: str) -> dict[str, str]:
    """Return config entry id -> name, for the person's apps that can show notifications now."""
    return {
        entry.entry_id: entry.title
        for entry in _entries_of(hass, user_id)
        if entry.state is ConfigEntryState.LOADED
        if (app := _app(hass, entry)).entity_id or app.action
    }


def _app_entry_id(hass: HomeAssistant, action: str, user_id: str) -> str | None:
    """Return the config entry id of the person's app with this action `mobile_app_...`, or None."""
    named = (
        entry.entry_id
        for entry in _entries_of(hass, user_id)
        if slugify(f"{_APP_ACTION}{entry.data.get('device_name')}") == action
    )
    return next(named, None)


def _app_of(hass: HomeAssistant, entry_id: str, user_id: str) -> App:
    """Return a companion app of the person by its config entry id.

    Raises NoDeliveryMethodError if the person has no such app. Raises DeliveryUnavailableError if
    the app cannot be notified at the moment.
    """
    entry = next((each for each in _entries_of(hass, user_id) if each.entry_id == entry_id), None)
    if entry is None or entry.disabled_by is not None:
        raise NoDeliveryMethodError("the person has no such app")
    if entry.state is not ConfigEntryState.LOADED:
        raise DeliveryUnavailableError("the app is not loaded")
    app = _app(hass, entry)
    if app.entity_id is None and app.action is None:
        raise DeliveryUnavailableError("the app cannot be notified now")
    return app


async def async_tell(hass: HomeAssistant, apps: Sequence[App], message: str, title: str) -> None:
    """Send a text to all these apps.

    Raises NoDeliveryMethodError if `apps` is empty, DeliveryUnavailableError if no app received it.
    """
    if not apps:
        raise NoDeliveryMethodError("the person has no app that can be notified")
    reached = [await _async_reaches(hass, app, message, title) for app in apps]
    if not any(reached):
        raise DeliveryUnavailableError("no app of the person could be reached")


async def async_send(
    hass: HomeAssistant, app: App, message: str, data: Mapping[str, Any], title: str | None = None
) -> None:
    """Send a notification to a companion app, or a command such as `clear_notification`.

    `data`: for example the buttons of the notification. `app.action` must not be None. Raises
    DeliveryUnavailableError.
    """
    assert app.action is not None
    words = {"message": message, "data": dict(data)} | ({"title": title} if title else {})
    await async_call(hass, _NOTIFY, app.action, words, seconds=_NOTIFY_SECONDS)


async def _async_reaches(hass: HomeAssistant, app: App, message: str, title: str) -> bool:
    try:
        if app.entity_id is not None:
            await _async_notify_entity(hass, app.entity_id, message, title)
        else:
            words = {"message": message, "title": title}
            await async_call(hass, _NOTIFY, app.action or "", words, seconds=_NOTIFY_SECONDS)
    except DeliveryUnavailableError:
        return False
    return True


def _entries_of(hass: HomeAssistant, user_id: str | None) -> Iterator[ConfigEntry[Any]]:
    if user_id is None:
        return
    for entry in hass.config_entries.async_entries(_MOBILE_APP):
        if entry.data.get("user_id") == user_id:
            yield entry


def _app(hass: HomeAssistant, entry: ConfigEntry[Any]) -> App:
    rows = er.async_entries_for_config_entry(er.async_get(hass), entry.entry_id)
    entities = [
        row.entity_id
        for row in rows
        if row.domain == _NOTIFY and hass.states.get(row.entity_id) is not None
    ]
    return App(entity_id=next(iter(entities), None), action=_action(hass, entry))


def _action(hass: HomeAssistant, entry: ConfigEntry[Any]) -> str | None:
    """Return the name of the app's notify action, such as `mobile_app_phone`; None without one.

    If two devices have the same name, only one of them has a notify action; the result for the
    other one is None.
    """
    # Import here, because the requirements of mobile_app are installed only if it is loaded.
    from homeassistant.components.mobile_app.util import get_notify_service  # noqa: PLC0415

    try:
        return get_notify_service(hass, entry.data["webhook_id"])
    except KeyError:
        return None


async def _async_notify_entity(
    hass: HomeAssistant, entity_id: str, message: str, title: str
) -> None:
    """Send the text to a notify entity. Raises DeliveryUnavailableError."""
    state = hass.states.get(entity_id)
    if state is None or state.state == STATE_UNAVAILABLE:
        raise DeliveryUnavailableError(f"{entity_id} is not available")
    data = {"entity_id": entity_id, "message": message, "title": title}
    await async_call(hass, _NOTIFY, "send_message", data, seconds=_NOTIFY_SECONDS)


def targets(hass: HomeAssistant, user_id: str) -> dict[str, str]:
    """Return the possible notification targets of a person as a dict: key -> name.

    Targets and their keys:
    - companion app of the person: its config entry id
    - other notify entity: its registry id, or else its entity id
    - action of the domain `notify`: its name, such as `notify.anna`
    """
    registry = er.async_get(hass)
    entities: dict[str, str] = {}
    for state in hass.states.async_all(_NOTIFY):
        row = registry.async_get(state.entity_id)
        if row is None or row.platform != _MOBILE_APP:
            entities[row.id if row is not None else state.entity_id] = state.name
    actions = {
        f"{_NOTIFY}.{name}": f"{_NOTIFY}.{name}"
        for name in hass.services.async_services_for_domain(_NOTIFY)
        if _is_target(name)
    }
    return actions | entities | _app_names(hass, user_id)


def as_offered(hass: HomeAssistant, target: str, user_id: str) -> str:
    """Convert a target that is stored in the options to its key in `targets()`.

    The notify entity or notify action of a companion app becomes the app's config entry id; an
    action only if the app belongs to the user. Other targets stay unchanged.
    """
    row = er.async_get(hass).entities.get_entry(target)
    if row is not None and row.platform == _MOBILE_APP:
        return row.config_entry_id or target
    name = target.removeprefix(f"{_NOTIFY}.")
    if name.startswith(_APP_ACTION):
        return _app_entry_id(hass, name, user_id) or target
    return target


async def async_notify(
    hass: HomeAssistant, target: str, user_id: str, message: str, title: str
) -> None:
    """Send a text to a notification target of a person, such as a companion app.

    `target`: a key in `targets()`, stored in the options. Raises NoDeliveryMethodError and
    DeliveryUnavailableError.
    """
    target = as_offered(hass, target, user_id)
    entry = hass.config_entries.async_get_entry(target)
    if entry is not None and entry.domain == _MOBILE_APP:
        await async_tell(hass, [_app_of(hass, target, user_id)], message, title)
        return
    if (entity_id := _entity_id(hass, target)) is not None:
        await _async_notify_entity(hass, entity_id, message, title)
        return
    name = target.removeprefix(f"{_NOTIFY}.")
    if not _is_target(name) or not hass.services.has_service(_NOTIFY, name):
        raise NoDeliveryMethodError("there is no such target")
    words = {"message": message, "title": title}
    await async_call(hass, _NOTIFY, name, words, seconds=_NOTIFY_SECONDS)


def _is_target(action: str) -> bool:
    return action not in _NO_TARGETS and not action.startswith(_APP_ACTION)


def _entity_id(hass: HomeAssistant, target: str) -> str | None:
    """Return the entity id of a target that is a notify entity; None for an action.

    Raises NoDeliveryMethodError if the entity is disabled.
    """
    registry = er.async_get(hass)
    row = registry.entities.get_entry(target)
    if row is not None:
        if row.disabled_by is not None:
            raise NoDeliveryMethodError(f"{row.entity_id} is disabled")
        # Do not check the state, because it is missing while the integration reloads.
        return row.entity_id
    named = registry.async_get(target)
    if named is not None and named.platform == _MOBILE_APP:
        # The target is an action, and the entity of an app has the same name.
        return None
    return target if hass.states.get(target) is not None else None
