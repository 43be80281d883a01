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
from dataclasses import dataclass
from typing import Any, Final, Self

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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Button:
    """A button of the notification with the question."""

    title: str
    reply: str | None
    """The reply that the button gives; None if the person enters text."""

    is_agreement: bool = False


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
    buttons = {_nonce(): each for each in _buttons(sentences, question)}
    data = {"tag": _nonce(), "actions": [_action(*each) for each in buttons.items()]}

    @callback
    def pressed(event: Event[Mapping[str, Any]]) -> None:
        if question.owner is None or event.context.user_id != question.owner:
            return
        button = buttons.get(str(event.data.get("action")))
        if button is None:
            return
        reply = button.reply or str(event.data.get("reply_text") or "").strip()
        if reply:
            buttons.clear()
            question.answer(reply, is_signed_in=True)

    stop = hass.bus.async_listen(EVENT, pressed)
    try:
        await _async_send_all(hass, shown, question.text, data, title)
        yield
    finally:
        stop()
        buttons.clear()
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


def _buttons(sentences: Sentences, question: OpenQuestion) -> tuple[_Button, ...]:
    if not question.is_yes_or_no:
        return (_Button(title=sentences.say("routine_reply"), reply=None),)
    yes, no = sentences.say("routine_yes"), sentences.say("routine_no")
    return (
        _Button(title=yes, reply=yes, is_agreement=True),
        _Button(title=no, reply=no),
    )


def _action(nonce: str, button: _Button) -> dict[str, Any]:
    """Return a button in the format of companion apps; `nonce` is its random id."""
    action: dict[str, Any] = {"action": nonce, "title": button.title}
    if button.reply is None:
        action["behavior"] = "textInput"
    if button.is_agreement:
        # Apps that support this key require that the phone is unlocked.
        action["authenticationRequired"] = True
    return action


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

        async def write() -> None:
            message = f"{question.text} {how}"
            if await async_tell(self._hass, apps, message, title):
                return
            if routine.owner is None:
                note.show(message)
            else:
                # The question belongs to its person, and everybody sees the notification.
                questions_of(self._hass).note_unseen(question)
                note.show(f"{sentences.say('routine_asks_on_page')} {how}")

        async with contextlib.AsyncExitStack() as doors:
            doors.enter_context(questions_of(self._hass).open(question))
            note = doors.enter_context(_Note(self._hass, _waits(user, sentences)))
            note.show(how)
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


class _Note:
    """The persistent notification which says that a routine waits for an answer.

    All users see it. It contains the question only if the household is asked, and no voice
    satellite reached anybody. The page of SAGE and the action `sage.list_routines` always show the
    question to the person.
    """

    def __init__(self, hass: HomeAssistant, title: str) -> None:
        self._hass = hass
        self._title = title
        self._id = f"sage_question_{ulid_now()}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        persistent_notification.async_dismiss(self._hass, self._id)

    def show(self, text: str) -> None:
        """Set the text of the notification; creates the notification if necessary."""
        persistent_notification.async_create(
            self._hass, text, title=self._title, notification_id=self._id
        )
