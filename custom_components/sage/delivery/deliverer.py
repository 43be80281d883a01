"""Deliver the messages of routines to people.

A message goes to the person's companion apps, else to the voice satellite at which the person
asked for the routine, else into a notification in Home Assistant. Everybody sees a notification,
so it only says that there is a message if the message may contain untrusted text, such as a mail.
"""

import asyncio
import logging
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from homeassistant.components import persistent_notification
from homeassistant.config_entries import ConfigEntryState
from homeassistant.const import ATTR_SUPPORTED_FEATURES, STATE_UNAVAILABLE
from homeassistant.core import (
    Context,
    Event,
    EventStateChangedData,
    HomeAssistant,
    ServiceResponse,
    callback,
)
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.event import async_track_state_change_event

from ..routines import Condition, Firing, Routine
from ..text import Sentences, async_load_sentences

_LOGGER = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class AnswerDeliverer:
    """Sends the messages of routines to people."""

    _hass: HomeAssistant
    _satellites: Mapping[str, str]  # entity registry id of a voice satellite -> id of its user

    async def async_deliver(self, routine: Routine, firing: Firing) -> None:
        """Deliver the text `firing.answer` to the person to whom the routine belongs."""
        note_id = f"sage_routine_{firing.id}"
        await self.async_send(routine, firing.answer, note_id, is_private=firing.tainted)

    async def async_send(
        self, routine: Routine, text: str, note_id: str, *, is_private: bool = False
    ) -> None:
        """Send a text about a routine to its person.

        - `note_id`: a notification in Home Assistant replaces an earlier one with this id.
        - `is_private`: whether the text may contain untrusted text, such as a mail.

        Does nothing if the person is not a user of Home Assistant any more.
        """
        hass, owner = self._hass, routine.owner
        user = await hass.auth.async_get_user(owner) if owner is not None else None
        if owner is not None and user is None:
            return
        sentences = await async_load_sentences(hass, routine.language)
        title = title_of(routine, sentences)
        words = {"message": text, "title": title}
        if any([await async_notify(hass, app, words) for app in apps_of(hass, owner)]):
            return
        satellite = satellite_for(hass, routine, self._satellites, SPEAKS)
        if satellite is not None and await async_announce(hass, satellite, text):
            return
        if user is not None and (is_private or routine.tainted):
            # Say only that there is a message.
            text, title = sentences.say("routine_has_message", name=user.name or "?"), "SAGE"
        persistent_notification.async_create(hass, text, title=title, notification_id=note_id)

    async def async_interrupted(self, routine: Routine, firing: Firing) -> str:
        """Return a sentence for the person about an interrupted or missed action of a routine."""
        sentences = await async_load_sentences(self._hass, routine.language)
        key = "routine_interrupted" if firing.has_begun else "routine_missed"
        return sentences.say(key, command=routine.command.rstrip(" .!"))


def title_of(routine: Routine, sentences: Sentences) -> str:
    """Return the title of a notification, such as "SAGE: “the washer is done”" or "SAGE"."""
    if not routine.when or not isinstance(routine.trigger, Condition):
        return "SAGE"
    return sentences.say("routine_title", when=routine.when)


# -------------------------------------------------------------------- companion apps

_MOBILE_APP: Final = "mobile_app"
_NOTIFY: Final = "notify"
_NOTIFY_SECONDS: Final = 30.0  # timeout for sending one notification, in seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class App:
    """A companion app that can show notifications."""

    entity_id: str | None
    """Entity id of the app's notify entity, or None; it reports failures, but has no buttons."""

    action: str | None
    """Name of the app's notify action, or None; it has buttons, but reports no failures."""


def apps_of(hass: HomeAssistant, user_id: str | None) -> tuple[App, ...]:
    """Return a person's loaded companion apps that show notifications; none without a user id."""
    # Apps are identified by their config entry, because apps of two people may have one name.
    apps: list[App] = []
    for entry in hass.config_entries.async_entries(_MOBILE_APP):
        is_own = user_id is not None and entry.data.get("user_id") == user_id
        if not is_own or entry.state is not ConfigEntryState.LOADED:
            continue
        # Import here, because the requirements of mobile_app are installed only if it is loaded.
        from homeassistant.components.mobile_app.util import get_notify_service  # noqa: PLC0415

        rows = er.async_entries_for_config_entry(er.async_get(hass), entry.entry_id)
        notify = [row.entity_id for row in rows if row.domain == _NOTIFY]
        entity_id = next((each for each in notify if hass.states.get(each) is not None), None)
        action = None
        # If two devices have the same name, only one of them has a notify action.
        with suppress(KeyError):
            action = get_notify_service(hass, entry.data["webhook_id"])
        if entity_id or action:
            apps.append(App(entity_id=entity_id, action=action))
    return tuple(apps)


async def async_notify(hass: HomeAssistant, app: App, words: Mapping[str, Any]) -> bool:
    """Send a notification to a companion app; return whether it was sent.

    `words` has `message`, and possibly `title`, and `data`, such as the buttons. Only the action of
    the app can send `data`.
    """
    data, action = dict(words), app.action or ""
    if app.entity_id is not None and "data" not in words:
        state = hass.states.get(app.entity_id)
        if state is None or state.state == STATE_UNAVAILABLE:
            return False
        data["entity_id"], action = app.entity_id, "send_message"
    return await _async_call(hass, _NOTIFY, action, data, seconds=_NOTIFY_SECONDS) is not None


# -------------------------------------------------------------------- voice satellites

SATELLITE: Final = "assist_satellite"
SPEAKS: Final = 1
"""Value of `AssistSatelliteEntityFeature.ANNOUNCE`: the satellite can speak a text."""
ASKS: Final = 2
"""Value of `AssistSatelliteEntityFeature.START_CONVERSATION`: the satellite can ask a question."""

_IDLE: Final = "idle"
IDLE_SECONDS: Final = 60.0
"""Maximum seconds to wait for the end of the satellite's current conversation."""
_SPEAK_SECONDS: Final = 90.0
REPLY_SECONDS: Final = 45.0
"""Maximum seconds to ask and get the reply; `assist_satellite.ask_question` has no timeout."""


def satellite_for(
    hass: HomeAssistant, routine: Routine, owners: Mapping[str, str], feature: int
) -> str | None:
    """Return the entity id of the satellite at which a routine was asked for, or None.

    - `owners`: registry id of a satellite -> user id; a satellite of another person is never used
    - `feature`: the feature that the satellite must have (`SPEAKS` or `ASKS`)
    """
    registry = er.async_get(hass)
    entity_ids = [routine.satellite_id] if routine.satellite_id else []
    if routine.device_id:
        # Look the satellite up by its device, because the entity may have been renamed.
        rows = er.async_entries_for_device(registry, routine.device_id)
        entity_ids += [row.entity_id for row in rows if row.domain == SATELLITE]
    for entity_id in entity_ids:
        entity, state = registry.async_get(entity_id), hass.states.get(entity_id)
        if entity is not None and owners.get(entity.id, routine.owner) != routine.owner:
            continue
        if state is None or state.state == STATE_UNAVAILABLE:
            continue
        if state.attributes.get(ATTR_SUPPORTED_FEATURES, 0) & feature:
            return entity_id
    return None


async def async_announce(hass: HomeAssistant, entity_id: str, words: str) -> bool:
    """Speak a text at a satellite, after its current conversation; return whether it spoke."""
    data = {"entity_id": entity_id, "message": words}
    return await _async_is_idle(hass, entity_id) and (
        await _async_call(hass, SATELLITE, "announce", data, seconds=_SPEAK_SECONDS) is not None
    )


async def async_ask(hass: HomeAssistant, entity_id: str, question: str) -> str:
    """Ask a question at a satellite, when idle; return the spoken reply, empty without one."""
    if not await _async_is_idle(hass, entity_id):
        return ""
    data = {"entity_id": entity_id, "question": question}
    answer = await _async_call(
        hass, SATELLITE, "ask_question", data, seconds=REPLY_SECONDS, answers=True
    )
    return str((answer or {}).get("sentence") or "").strip()


async def _async_is_idle(hass: HomeAssistant, entity_id: str) -> bool:
    idle = asyncio.Event()

    @callback
    def look(_: Event[EventStateChangedData] | None = None) -> None:
        state = hass.states.get(entity_id)
        if state is not None and state.state == _IDLE:
            idle.set()

    stop = async_track_state_change_event(hass, [entity_id], look)
    try:
        look()
        async with asyncio.timeout(IDLE_SECONDS):
            return await idle.wait()
    except TimeoutError:
        return False
    finally:
        stop()


async def _async_call(
    hass: HomeAssistant,
    domain: str,
    service: str,
    data: dict[str, Any],
    *,
    seconds: float,
    answers: bool = False,
) -> ServiceResponse:
    """Call an action without a user; return its response ({} without `answers`) or None."""
    try:
        async with asyncio.timeout(seconds):
            response = await hass.services.async_call(
                domain, service, data, blocking=True, context=Context(), return_response=answers
            )
    except Exception:
        _LOGGER.debug("%s.%s failed", domain, service, exc_info=True)
        return None
    return response or {}
