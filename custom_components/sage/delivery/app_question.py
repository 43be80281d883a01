"""A question on somebody's phone: buttons, each with a nonce of its own (DESIGN 8).

What is pressed comes as an event. It counts only from the user who registered the app, as
Home Assistant itself notes it in the context of the event, and only with a nonce that was
handed out for this very question. When the question is over, its nonces are worth nothing.
"""

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from homeassistant.core import Event, HomeAssistant, callback

from ..speech import Sentences
from .notify import App, async_send
from .open_questions import OpenQuestion

EVENT: Final = "mobile_app_notification_action"
_PREFIX: Final = "SAGE_"
_NONCE_BYTES: Final = 16
_CLEAR: Final = "clear_notification"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Button:
    """Something that can be pressed."""

    title: str
    reply: str | None
    """What it stands for; None where the person types it."""

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
    """Show the question on the apps of its person while the block runs."""
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
    """Return a button as the apps know them."""
    action: dict[str, Any] = {"action": nonce, "title": button.title}
    if button.reply is None:
        action["behavior"] = "textInput"
    if button.is_agreement:
        # On phones that can: only from an unlocked one.
        action["authenticationRequired"] = True
    return action
