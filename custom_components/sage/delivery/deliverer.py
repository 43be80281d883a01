"""Deliver the answers of routines to people: as notifications, or spoken at voice satellites.

A routine is a stored command that runs in the background. A satellite is an entity of the domain
`assist_satellite`.
"""

import asyncio
from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any, Final

from homeassistant.components import persistent_notification
from homeassistant.const import ATTR_SUPPORTED_FEATURES, STATE_UNAVAILABLE
from homeassistant.core import Event, EventStateChangedData, HomeAssistant, State, callback
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.event import async_track_state_change_event
from homeassistant.util import dt as dt_util

from ..home.rooms import room_of
from ..routines.interfaces import DeliveryError
from ..routines.routine_types import Condition, Firing, FiringStep, Routine
from ..text.speech import Sentences, async_load_sentences
from .delivery_method import (
    DeliveryMethod,
    DeliveryMethodKind,
    DeliveryUnavailableError,
    NoDeliveryMethodError,
    apps_of,
    async_call,
    async_notify,
    async_tell,
    delivery_method_of,
)

_STUBBORN: Final = timedelta(hours=1)
"""Time for which only the delivery method chosen in the options is tried.

After it, other methods are tried, too, unless they are less private.
"""

_RETENTION: Final = timedelta(days=7)
"""Time for which the delivery of a private answer is retried; then SAGE drops the answer."""


class AnswerDeliverer:
    """Sends the answers of routines (stored commands) to people.

    Implements the protocol `routines.interfaces.Deliverer`.
    """

    def __init__(
        self, hass: HomeAssistant, methods: Mapping[str, Any], satellites: Mapping[str, str]
    ) -> None:
        """Store the options.

        `methods`: user id -> result of `DeliveryMethod.as_dict`. `satellites`: entity registry id
        of a voice satellite -> id of the user to whom it belongs.
        """
        self._hass = hass
        self._methods = methods
        self._satellites = satellites
        self._hinted: set[int] = set()

    async def async_deliver(self, routine: Routine, firing: Firing) -> None:
        """Deliver the text `firing.answer` to the person to whom the routine belongs.

        Uses the delivery method in the options. If it is not set up, or still fails one hour after
        the firing (the execution of the routine), uses other methods:
        - Private answers (`DeliveryMethod.is_private`): only the person's companion apps. SAGE
          drops the answer 7 days after the firing.
        - Other answers: companion apps, else a satellite, else a persistent notification. All users
          see it, so it only says that there is a message if that may contain untrusted text, such
          as a mail. The person reads the message on the page of SAGE.

        Raises DeliveryError if the caller should try again later.
        """
        if not await self._async_is_there(routine):
            raise DeliveryError("its person is currently not a user")
        method = delivery_method_of(self._methods, routine.owner)
        title = title_of(routine, await async_load_sentences(self._hass, routine.language))
        if method.kind is not DeliveryMethodKind.AUTOMATIC:
            try:
                await self._async_by(method, routine, firing, title)
            except DeliveryUnavailableError as err:
                if dt_util.utcnow() - firing.at < _STUBBORN:
                    raise DeliveryError(str(err)) from err
            except NoDeliveryMethodError:
                pass
            else:
                self._withdraw_hint(firing)
                return
        if method.is_private:
            await self._async_privately(routine, firing, title)
        else:
            await self._async_anyhow(routine, firing, title)

    async def _async_is_there(self, routine: Routine) -> bool:
        owner = routine.owner
        return owner is None or await self._hass.auth.async_get_user(owner) is not None

    async def async_interrupted(self, routine: Routine, firing: Firing) -> str:
        """Return a sentence for the person about an interrupted or missed action of a routine."""
        sentences = await async_load_sentences(self._hass, routine.language)
        is_begun = firing.step is not FiringStep.JOURNALED
        key = "routine_interrupted" if is_begun else "routine_missed"
        return sentences.say(key, command=routine.command.rstrip(" .!"))

    async def _async_by(
        self, method: DeliveryMethod, routine: Routine, firing: Firing, title: str
    ) -> None:
        """Deliver the answer by the delivery method `method`.

        Raises NoDeliveryMethodError and DeliveryUnavailableError.
        """
        match method.kind:
            case DeliveryMethodKind.NOTIFY:
                assert routine.owner is not None
                target = method.target or ""
                await async_notify(self._hass, target, routine.owner, firing.answer, title)
            case DeliveryMethodKind.SATELLITE:
                await self._async_speak(method, routine, firing)
            case _:
                await self._async_notify_here(routine, firing, title)

    async def _async_privately(self, routine: Routine, firing: Firing, title: str) -> None:
        """Send the answer to all companion apps of the person.

        If no app receives the answer, raises DeliveryError for a retry. Seven days after the
        firing, drops the answer instead.
        """
        apps = apps_of(self._hass, routine.owner)
        try:
            await async_tell(self._hass, apps, firing.answer, title)
        except (NoDeliveryMethodError, DeliveryUnavailableError) as err:
            await self._async_show_hint(routine, firing)
            if dt_util.utcnow() - firing.at < _RETENTION:
                raise DeliveryError(str(err)) from err
        else:
            self._withdraw_hint(firing)

    async def _async_show_hint(self, routine: Routine, firing: Firing) -> None:
        """Notify all users that there is an answer for the person, without its text.

        This happens only once for each firing (execution of the routine's action).
        """
        if firing.id in self._hinted:
            return
        self._hinted.add(firing.id)
        text = await self._async_hint("routine_has_answer", routine)
        persistent_notification.async_create(
            self._hass, text, title="SAGE", notification_id=_hint_id(firing)
        )

    def _withdraw_hint(self, firing: Firing) -> None:
        self._hinted.discard(firing.id)
        persistent_notification.async_dismiss(self._hass, _hint_id(firing))

    async def _async_anyhow(self, routine: Routine, firing: Firing, title: str) -> None:
        hass, satellites = self._hass, self._satellites
        try:
            await async_tell(hass, apps_of(hass, routine.owner), firing.answer, title)
        except NoDeliveryMethodError, DeliveryUnavailableError:
            pass
        else:
            return
        if (entity_id := satellite_for(hass, routine, satellites, SPEAKS)) is not None:
            try:
                await async_announce(hass, entity_id, firing.answer)
            except DeliveryUnavailableError:
                pass
            else:
                return
        await self._async_notify_here(routine, firing, title)

    async def _async_speak(self, method: DeliveryMethod, routine: Routine, firing: Firing) -> None:
        hass = self._hass
        if method.target is not None:
            if is_of_another(method.target, routine, self._satellites):
                raise NoDeliveryMethodError("the satellite is somebody else's")
            entity_id = satellite_named(hass, method.target, SPEAKS)
        else:
            entity_id = satellite_for(hass, routine, self._satellites, SPEAKS, in_room=True)
        if entity_id is None:
            raise DeliveryUnavailableError("the satellite is not available")
        await async_announce(hass, entity_id, firing.answer)

    async def _async_notify_here(self, routine: Routine, firing: Firing, title: str) -> None:
        is_private = routine.owner is not None and (firing.tainted or routine.tainted)
        text = await self._async_hint("routine_has_message", routine) if is_private else None
        persistent_notification.async_create(
            self._hass,
            text or firing.answer,
            title="SAGE" if is_private else title,
            notification_id=f"sage_routine_{firing.id}",
        )

    async def _async_hint(self, key: str, routine: Routine) -> str:
        """Return a sentence which says only that there is a message for the person."""
        user = await self._hass.auth.async_get_user(routine.owner) if routine.owner else None
        sentences = await async_load_sentences(self._hass, routine.language)
        return sentences.say(key, name=(user and user.name) or "?")


async def async_write(
    hass: HomeAssistant, methods: Mapping[str, Any], routine: Routine, words: str, title: str
) -> bool:
    """Send a text to the routine's person only; return whether it was sent.

    Tries the person's notify target in the options, then the person's companion apps.
    """
    method = delivery_method_of(methods, routine.owner)
    if method.kind is DeliveryMethodKind.NOTIFY and routine.owner is not None:
        try:
            await async_notify(hass, method.target or "", routine.owner, words, title)
        except NoDeliveryMethodError, DeliveryUnavailableError:
            pass
        else:
            return True
    try:
        await async_tell(hass, apps_of(hass, routine.owner), words, title)
    except NoDeliveryMethodError, DeliveryUnavailableError:
        return False
    return True


def _hint_id(firing: Firing) -> str:
    return f"sage_answer_{firing.id}"


def title_of(routine: Routine, sentences: Sentences) -> str:
    """Return the title of a notification, such as "SAGE: “the washing machine is done”".

    For a routine without a condition, the title is "SAGE".
    """
    if not routine.when or not isinstance(routine.trigger, Condition):
        return "SAGE"
    return sentences.say("routine_title", when=routine.when)


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
"""Maximum seconds for asking a question and getting the reply.

The action `assist_satellite.ask_question` has no timeout.
"""


def satellite_for(
    hass: HomeAssistant,
    routine: Routine,
    owners: Mapping[str, str],
    feature: int,
    *,
    in_room: bool = False,
) -> str | None:
    """Return the entity id of a satellite that can reach a routine's person, or None.

    - `feature`: the feature that the satellite must have (`SPEAKS` or `ASKS`)
    - `owners`: registry id of a satellite -> user id
    - `in_room`: whether a satellite in the room of the request is accepted

    Prefers the satellite of the request, then one of the person, then one in the room. Never
    returns a satellite of another person.
    """
    registry = er.async_get(hass)
    for each in _candidates(hass, routine, owners, in_room=in_room):
        row = registry.async_get(each)
        if row is not None and is_of_another(row.id, routine, owners):
            continue
        if _can(hass.states.get(each), feature):
            return each
    return None


def is_of_another(registry_id: str, routine: Routine, owners: Mapping[str, str]) -> bool:
    """Return whether a satellite belongs to a person who is not the owner of the routine.

    `owners`: registry id of a satellite -> user id. False for a satellite without an owner.
    """
    return owners.get(registry_id, routine.owner) != routine.owner


def satellite_named(hass: HomeAssistant, registry_id: str, feature: int) -> str | None:
    """Return the entity id of the satellite with this registry id.

    None if the satellite does not exist, is unavailable or lacks `feature` (`SPEAKS` or `ASKS`).
    """
    row = er.async_get(hass).entities.get_entry(registry_id)
    return (
        row.entity_id if row is not None and _can(hass.states.get(row.entity_id), feature) else None
    )


async def async_announce(hass: HomeAssistant, entity_id: str, words: str) -> None:
    """Speak a text at a satellite, after its current conversation.

    Raises DeliveryUnavailableError if the conversation does not end or the satellite cannot speak.
    """
    await _async_wait_until_idle(hass, entity_id)
    data = {"entity_id": entity_id, "message": words}
    await async_call(hass, SATELLITE, "announce", data, seconds=_SPEAK_SECONDS)


async def async_ask(hass: HomeAssistant, entity_id: str, question: str) -> str:
    """Ask a question at a satellite, after its current conversation; return the spoken reply.

    Raises DeliveryUnavailableError, also if nobody replies.
    """
    await _async_wait_until_idle(hass, entity_id)
    data = {"entity_id": entity_id, "question": question}
    answer = await async_call(
        hass, SATELLITE, "ask_question", data, seconds=REPLY_SECONDS, answers=True
    )
    sentence = str((answer or {}).get("sentence") or "").strip()
    if not sentence:
        raise DeliveryUnavailableError(f"{entity_id} heard nothing")
    return sentence


def _candidates(
    hass: HomeAssistant, routine: Routine, owners: Mapping[str, str], *, in_room: bool
) -> Iterator[str]:
    registry = er.async_get(hass)
    if routine.satellite_id:
        yield routine.satellite_id
    if routine.device_id:
        # Look the satellite up by its device, because the entity may have been renamed.
        for row in er.async_entries_for_device(registry, routine.device_id):
            if row.domain == SATELLITE:
                yield row.entity_id
    for registry_id, owner in owners.items():
        if owner == routine.owner and (own := registry.entities.get_entry(registry_id)):
            yield own.entity_id
    if in_room and routine.room:
        for state in hass.states.async_all(SATELLITE):
            if room_of(hass, state.entity_id) == routine.room:
                yield state.entity_id


def _can(state: State | None, feature: int) -> bool:
    if state is None or state.state == STATE_UNAVAILABLE:
        return False
    return bool(state.attributes.get(ATTR_SUPPORTED_FEATURES, 0) & feature)


async def _async_wait_until_idle(hass: HomeAssistant, entity_id: str) -> None:
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
            await idle.wait()
    except TimeoutError:
        raise DeliveryUnavailableError(f"a conversation at {entity_id} did not end") from None
    finally:
        stop()
