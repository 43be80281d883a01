"""Ask a routine's person a question, and wait for the reply.

A routine is a stored command that runs in the background. SAGE asks in the first possible way:
- on the person's phone, by a notification with buttons
- at a voice satellite, unless the reply must come from a signed-in person
- by a notification in Home Assistant, which has the question only if everybody may answer it

The reply can also come from Assist, from the page of SAGE or from an action of SAGE.
"""

import asyncio
import contextlib
import logging
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from typing import Any, Final

from homeassistant.auth.models import User
from homeassistant.components import persistent_notification
from homeassistant.core import Event, HomeAssistant, callback
from homeassistant.util.ulid import ulid_now

from ..routines.interfaces import DeliveryError
from ..routines.routine_types import Routine
from ..text.speech import Sentences
from .deliverer import (
    ASKS,
    App,
    apps_of,
    async_ask,
    async_send,
    async_tell,
    satellite_for,
    title_of,
)
from .open_questions import OpenQuestion, Reply, questions_of

EVENT: Final = "mobile_app_notification_action"
_PREFIX: Final = "SAGE_"
_NONCE_BYTES: Final = 16
_CLEAR: Final = "clear_notification"


@contextlib.asynccontextmanager
async def app_question(
    hass: HomeAssistant,
    apps: Sequence[App],
    question: OpenQuestion,
    sentences: Sentences,
    *,
    title: str,
) -> AsyncIterator[None]:
    """Return a context manager during which the person's apps show the question with buttons.

    A pressed button or a typed reply answers the question (`OpenQuestion.answer`).
    """
    shown = [app for app in apps if app.action is not None]
    choices: tuple[tuple[str, str | None, dict[str, Any]], ...] = (
        (sentences.say("routine_reply"), None, {"behavior": "textInput"}),
    )
    if question.is_yes_or_no:
        yes, no = sentences.say("routine_yes"), sentences.say("routine_no")
        # Apps that support this key require that the phone is unlocked.
        choices = ((yes, yes, {"authenticationRequired": True}), (no, no, {}))
    replies: dict[str, str | None] = {}
    actions: list[dict[str, Any]] = []
    for name, reply, more in choices:
        nonce = _nonce()
        replies[nonce] = reply
        actions.append({"action": nonce, "title": name, **more})
    data = {"tag": _nonce(), "actions": actions}

    @callback
    def pressed(event: Event[Mapping[str, Any]]) -> None:
        if question.owner is None or event.context.user_id != question.owner:
            return
        nonce = str(event.data.get("action"))
        if nonce not in replies:
            return
        reply = replies[nonce] or str(event.data.get("reply_text") or "").strip()
        if reply:
            replies.clear()
            question.answer(reply, is_signed_in=True)

    stop = hass.bus.async_listen(EVENT, pressed)
    try:
        await _async_send_all(hass, shown, question.text, data, title)
        yield
    finally:
        stop()
        replies.clear()
        clearing = _async_send_all(hass, shown, _CLEAR, {"tag": data["tag"]})
        hass.async_create_task(clearing, "SAGE clears a question")


async def _async_send_all(
    hass: HomeAssistant,
    apps: Sequence[App],
    message: str,
    data: Mapping[str, Any],
    title: str | None = None,
) -> None:
    await asyncio.gather(
        *(async_send(hass, app, message, data, title) for app in apps), return_exceptions=True
    )


def _nonce() -> str:
    return f"{_PREFIX}{secrets.token_urlsafe(_NONCE_BYTES)}"


_LOGGER = logging.getLogger(__name__)


class RoutineQuestions:
    """Asks the person to whom a routine belongs, and waits for the reply."""

    def __init__(self, hass: HomeAssistant, satellites: Mapping[str, str]) -> None:
        """`satellites`: entity registry id of a voice satellite -> id of its user."""
        self._hass = hass
        self._satellites = satellites

    def is_by_voice(self, routine: Routine) -> bool:
        """Return whether a voice satellite is the only direct way to ask the person.

        True if a satellite is available and the person has no companion app that can show buttons.
        """
        return not self._has_buttons(routine) and self._satellite(routine) is not None

    async def async_ask(
        self, routine: Routine, question: OpenQuestion, sentences: Sentences
    ) -> Reply:
        """Ask the person by app, satellite or notification; return the first reply.

        `sentences`: translated texts for the message. There is no timeout; to withdraw the
        question, cancel the task.
        """
        apps = apps_of(self._hass, routine.owner)
        by_app = self._has_buttons(routine)
        by_voice = not by_app and not question.needs_sign_in
        satellite = self._satellite(routine) if by_voice else None
        user = await self._hass.auth.async_get_user(routine.owner) if routine.owner else None
        how = sentences.say(f"routine_answer_{question.wanted}")
        title = title_of(routine, sentences)

        note_id = f"sage_question_{ulid_now()}"
        waits = _waits(user, sentences)

        def show(text: str) -> None:
            """Show all users that a routine waits for an answer."""
            persistent_notification.async_create(
                self._hass, text, title=waits, notification_id=note_id
            )

        async def write() -> None:
            message = f"{question.text} {how}"
            if await async_tell(self._hass, apps, message, title):
                return
            if routine.owner is None:
                show(message)
            else:
                # The question belongs to its person, and everybody sees the notification.
                questions_of(self._hass).note_unseen(question)
                show(f"{sentences.say('routine_asks_on_page')} {how}")

        async with contextlib.AsyncExitStack() as doors:
            doors.enter_context(questions_of(self._hass).open(question))
            doors.callback(persistent_notification.async_dismiss, self._hass, note_id)
            show(how)
            if by_app:
                shown = app_question(self._hass, apps, question, sentences, title=title)
                await doors.enter_async_context(shown)
            elif satellite is not None:
                await doors.enter_async_context(self._spoken(satellite, question, write))
            else:
                await write()
            return await question.reply

    def _has_buttons(self, routine: Routine) -> bool:
        return any(app.action is not None for app in apps_of(self._hass, routine.owner))

    def _satellite(self, routine: Routine) -> str | None:
        return satellite_for(self._hass, routine, self._satellites, ASKS)

    @contextlib.asynccontextmanager
    async def _spoken(
        self, entity_id: str, question: OpenQuestion, otherwise: Callable[[], Awaitable[None]]
    ) -> AsyncIterator[None]:
        """Return a context manager; when it is entered, the satellite asks the question once.

        If nobody replies at the satellite, calls `otherwise`.
        """

        async def ask() -> None:
            try:
                question.answer(await async_ask(self._hass, entity_id, question.text))
            except DeliveryError as err:
                _LOGGER.debug("Nobody replied at the satellite: %s", err)
                await otherwise()

        task = asyncio.create_task(ask(), name="SAGE asks at a satellite")
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


def _waits(user: User | None, sentences: Sentences) -> str:
    """Return the sentence "SAGE is waiting for an answer from ..." with the name of `user`.

    If `user` is None or has no name, the sentence names nobody.
    """
    if user is None or not user.name:
        return sentences.say("routine_asks_all")
    return sentences.say("routine_asks", name=user.name)
