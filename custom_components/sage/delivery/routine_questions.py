"""The open questions of routines: how they reach their person, and the replies to them.

SAGE asks in the first possible way:
- on the person's phone, by a notification with buttons
- at a voice satellite, unless the reply must come from a signed-in person

The person can also answer on the page of SAGE. Home Assistant shows a notification about each open
question; it has the question itself only if everybody may answer it.
"""

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from homeassistant.components import persistent_notification
from homeassistant.core import Event, HomeAssistant, callback
from homeassistant.util.hass_dict import HassKey
from homeassistant.util.ulid import ulid_now

from ..agent import Wanted
from ..routines import Routine
from ..text import Sentences
from .deliverer import ASKS, App, apps_of, async_ask, async_notify, satellite_for, title_of

EVENT: Final = "mobile_app_notification_action"
_PREFIX: Final = "SAGE_"
_NONCE_BYTES: Final = 16
_CLEAR: Final = "clear_notification"


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenQuestion:
    """An open question that a routine asks; only the first reply counts."""

    owner: str | None
    """User id of the only person who may answer; None if any user of the home may answer."""

    routine_id: str
    firing_id: int
    text: str
    language: str = "en"  # language of the routine, in which SAGE recognizes "yes" and "no"
    wanted: Wanted = Wanted.TEXT
    takes_pin: bool = False  # whether the PIN is a possible reply
    id: str = field(default_factory=ulid_now)

    reply: asyncio.Future[str] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future(), repr=False
    )

    @callback
    def answer(self, text: str) -> None:
        """Store the reply of a person; do nothing if there is already one."""
        if not self.reply.done():
            self.reply.set_result(text)

    @property
    def needs_sign_in(self) -> bool:
        """Whether the reply must come from a signed-in person, not from a voice satellite."""
        return self.wanted is Wanted.YES_OR_NO and self.owner is not None


_QUESTIONS: Final[HassKey[list[OpenQuestion]]] = HassKey("sage_questions_of_routines")


@callback
def questions_of(hass: HomeAssistant) -> list[OpenQuestion]:
    """Return the open questions of all routines, in the order of asking."""
    return hass.data.setdefault(_QUESTIONS, [])


@callback
def questions_for(hass: HomeAssistant, user_id: str) -> list[OpenQuestion]:
    """Return the unanswered questions that a signed-in user may answer.

    Questions only for this user come first, then those for every user. Within both groups, the
    oldest execution of a routine comes first.
    """
    waiting = [
        each
        for each in questions_of(hass)
        if each.owner in (user_id, None) and not each.reply.done()
    ]
    # Sort by execution, so that an action that asks again keeps its place.
    return sorted(waiting, key=lambda each: (each.owner is None, each.firing_id))


async def async_answer(hass: HomeAssistant, user_id: str | None, name: str, text: str) -> bool:
    """Answer the open question of a routine as a signed-in user; return whether there was one.

    `name`: id of the routine or of its firing. An empty text answers nothing, and unknown, inactive
    and system users may answer no question.
    """
    user = await hass.auth.async_get_user(user_id) if user_id is not None else None
    if user is None or not user.is_active or user.system_generated or not text.strip():
        return False
    for question in questions_for(hass, user.id):
        if name.strip() in (question.routine_id, str(question.firing_id)):
            question.answer(text.strip())
            return True
    return False


@dataclass(frozen=True, slots=True)
class RoutineQuestions:
    """Asks the person to whom a routine belongs, and waits for the reply."""

    _hass: HomeAssistant
    _satellites: Mapping[str, str]  # entity registry id of a voice satellite -> id of its user

    def is_by_voice(self, routine: Routine) -> bool:
        """Return whether only a voice satellite can ask, as no app can show buttons."""
        return not self._apps(routine) and self._satellite(routine) is not None

    async def async_ask(
        self, routine: Routine, question: OpenQuestion, sentences: Sentences
    ) -> str:
        """Ask the person by app or satellite, and show a notification; return the first reply.

        `sentences`: translated texts for the message. There is no timeout; to withdraw the
        question, cancel the task.
        """
        apps = self._apps(routine)
        async with contextlib.AsyncExitStack() as doors:
            questions = questions_of(self._hass)
            questions.append(question)
            doors.callback(questions.remove, question)
            doors.callback(persistent_notification.async_dismiss, self._hass, question.id)
            await self._async_show(question, sentences)
            if apps:
                title = title_of(routine, sentences)
                shown = app_question(self._hass, apps, question, sentences, title=title)
                await doors.enter_async_context(shown)
            elif not question.needs_sign_in and (satellite := self._satellite(routine)):
                asking = asyncio.create_task(self._async_speak(satellite, question))
                doors.callback(asking.cancel)
            return await question.reply

    def _apps(self, routine: Routine) -> list[App]:
        return [app for app in apps_of(self._hass, routine.owner) if app.action is not None]

    def _satellite(self, routine: Routine) -> str | None:
        return satellite_for(self._hass, routine, self._satellites, ASKS)

    async def _async_show(self, question: OpenQuestion, sentences: Sentences) -> None:
        """Show all users that a routine waits for an answer, without a question of one person."""
        user = await self._hass.auth.async_get_user(question.owner) if question.owner else None
        text: str = sentences.say("routine_asks_on_page")
        title = sentences.say("routine_asks_all")
        if user is not None and user.name:
            title = sentences.say("routine_asks", name=user.name)
        if question.owner is None:
            text = f"{question.text} {text}"
        persistent_notification.async_create(
            self._hass, text, title=title, notification_id=question.id
        )

    async def _async_speak(self, entity_id: str, question: OpenQuestion) -> None:
        if reply := await async_ask(self._hass, entity_id, question.text):
            question.answer(reply)


@contextlib.asynccontextmanager
async def app_question(
    hass: HomeAssistant,
    apps: Sequence[App],
    question: OpenQuestion,
    sentences: Sentences,
    *,
    title: str,
) -> AsyncIterator[None]:
    """Return a context manager in which the person's apps show the question with buttons."""
    choices: tuple[tuple[str, str | None, dict[str, Any]], ...] = (
        (sentences.say("routine_reply"), None, {"behavior": "textInput"}),
    )
    if question.wanted is Wanted.YES_OR_NO:
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
            question.answer(reply)

    stop = hass.bus.async_listen(EVENT, pressed)
    try:
        words = {"message": question.text, "title": title, "data": data}
        await _async_send_all(hass, apps, words)
        yield
    finally:
        stop()
        replies.clear()
        words = {"message": _CLEAR, "data": {"tag": data["tag"]}}
        clearing = _async_send_all(hass, apps, words)
        hass.async_create_task(clearing, "SAGE clears a question")


async def _async_send_all(
    hass: HomeAssistant, apps: Sequence[App], words: Mapping[str, Any]
) -> None:
    await asyncio.gather(*(async_notify(hass, app, words) for app in apps))


def _nonce() -> str:
    return f"{_PREFIX}{secrets.token_urlsafe(_NONCE_BYTES)}"
