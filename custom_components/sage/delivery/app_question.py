"""A question on a phone: buttons, each with its own nonce (DESIGN 8).

A pressed button arrives as an event. It counts only if the context of the event has the user
who registered the app, and only with a nonce of this question. The nonces become invalid when
the question is closed.
"""

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from homeassistant.core import Event, HomeAssistant, callback

from ..text.speech import Sentences
from .notify import App, async_send
from .open_questions import OpenQuestion

EVENT: Final = "mobile_app_notification_action"
_PREFIX: Final = "SAGE_"
_NONCE_BYTES: Final = 16
_CLEAR: Final = "clear_notification"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Button:
    """A button of the notification."""

    title: str
    reply: str | None
    """The reply that it gives; None if the person types it."""

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
    """Show the question on the person's apps while the block runs."""
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
    """Return a button in the format of the companion apps."""
    action: dict[str, Any] = {"action": nonce, "title": button.title}
    if button.reply is None:
        action["behavior"] = "textInput"
    if button.is_agreement:
        # Phones that support it require unlocking first.
        action["authenticationRequired"] = True
    return action
