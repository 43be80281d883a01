"""Deliver the answers of routines to their people.

A routine is a stored command that runs at a time or when a condition becomes true. Each execution
of a routine is a firing.
"""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final

from homeassistant.components import persistent_notification
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from ..routines.interfaces import DeliveryError
from ..routines.routine_types import Condition, Firing, FiringStep, Routine
from ..text.speech import Sentences, async_load_sentences
from .delivery_method import (
    DeliveryMethod,
    DeliveryMethodKind,
    DeliveryUnavailableError,
    NoDeliveryMethodError,
    apps_of,
    async_notify,
    async_tell,
    delivery_method_of,
)
from .satellites import SPEAKS, async_announce, is_of_another, satellite_for, satellite_named

_STUBBORN: Final = timedelta(hours=1)
"""Time during which only the chosen method is tried; later also others, if they are as private."""

_KEPT: Final = timedelta(days=7)
"""Time during which delivery of a private answer is retried."""


class AnswerDeliverer:
    """Delivers the answers of routines by the methods in the options of SAGE.

    It implements `routines.interfaces.Deliverer`.
    """

    def __init__(
        self, hass: HomeAssistant, methods: Mapping[str, Any], satellites: Mapping[str, str]
    ) -> None:
        """Store the options.

        `methods` maps user ids to delivery methods as dicts. `satellites` maps registry ids of
        satellites to user ids.
        """
        self._hass = hass
        self._methods = methods
        self._satellites = satellites
        self._hinted: set[int] = set()

    async def async_deliver(self, routine: Routine, firing: Firing) -> None:
        """Deliver the text `firing.answer` to the person of the routine.

        Raises DeliveryError if delivery failed and should be retried, or if the person has no user
        account. A retry replaces a persistent notification; with other methods, the person may get
        the text twice. If the person chose a private method, others see only that there is an
        answer.
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
        """Return the text for the person about an action that was interrupted or is too late."""
        sentences = await async_load_sentences(self._hass, routine.language)
        is_begun = firing.step is not FiringStep.JOURNALED
        key = "routine_interrupted" if is_begun else "routine_missed"
        return sentences.say(key, command=routine.command.rstrip(" .!"))

    async def _async_by(
        self, method: DeliveryMethod, routine: Routine, firing: Firing, title: str
    ) -> None:
        """Deliver the answer by this method.

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
                self._notify_here(firing, title)

    async def _async_privately(self, routine: Routine, firing: Firing, title: str) -> None:
        """Send the answer to all companion apps of the person.

        If no app receives it, raises DeliveryError for a retry; after seven days, drops the answer.
        """
        apps = apps_of(self._hass, routine.owner)
        try:
            await async_tell(self._hass, apps, firing.answer, title)
        except (NoDeliveryMethodError, DeliveryUnavailableError) as err:
            await self._async_hint(routine, firing)
            if dt_util.utcnow() - firing.at < _KEPT:
                raise DeliveryError(str(err)) from err
        else:
            self._withdraw_hint(firing)

    async def _async_hint(self, routine: Routine, firing: Firing) -> None:
        """Notify all users that there is an answer for the person, without its text.

        This happens only once for each firing (execution of the routine's action).
        """
        if firing.id in self._hinted:
            return
        self._hinted.add(firing.id)
        user = await self._hass.auth.async_get_user(routine.owner) if routine.owner else None
        sentences = await async_load_sentences(self._hass, routine.language)
        text = sentences.say("routine_has_answer", name=(user and user.name) or "?")
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
        self._notify_here(firing, title)

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

    def _notify_here(self, firing: Firing, title: str) -> None:
        persistent_notification.async_create(
            self._hass,
            firing.answer,
            title=title,
            notification_id=f"sage_routine_{firing.id}",
        )


async def async_write(
    hass: HomeAssistant, methods: Mapping[str, Any], routine: Routine, words: str, title: str
) -> bool:
    """Send a text so that only the routine's person can read it; return whether it was sent.

    Uses the person's notify target if one is chosen in the options, else the companion apps.
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
    """Return the title of a notification about a routine.

    It contains the condition of the routine in words. For a routine without a condition, it is
    `SAGE`.
    """
    if not routine.when or not isinstance(routine.trigger, Condition):
        return "SAGE"
    return sentences.say("routine_title", when=routine.when)
