"""Questions of routines that wait for their person, and who may answer them."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from homeassistant.core import HomeAssistant, callback
from homeassistant.util.hass_dict import HassKey

from .errors import NoSuchQuestionError

_QUESTIONS: Final[HassKey[OpenQuestions]] = HassKey("sage_questions_of_routines")


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenQuestion:
    """A question that somebody is asked; the first answer counts."""

    owner: str | None
    """User id of the one who may answer; None for the household."""

    routine_id: str
    firing_id: int
    text: str
    reply: asyncio.Future[str] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future(), repr=False
    )

    @callback
    def answer(self, text: str) -> None:
        """Give the answer; later ones are nobody's any more."""
        if not self.reply.done():
            self.reply.set_result(text)

    def is_named(self, name: str) -> bool:
        """Tell whether `name` is the id of its routine or of the firing."""
        return name in (self.routine_id, str(self.firing_id))


class OpenQuestions:
    """All that wait now."""

    def __init__(self) -> None:
        """Start with none."""
        self._open: list[OpenQuestion] = []

    @contextmanager
    def open(self, question: OpenQuestion) -> Iterator[OpenQuestion]:
        """Let the question be answered while the block runs."""
        self._open.append(question)
        try:
            yield question
        finally:
            self._open.remove(question)

    @property
    def all(self) -> tuple[OpenQuestion, ...]:
        """All of them, the oldest first."""
        return tuple(self._open)

    def of(self, user_id: str) -> tuple[OpenQuestion, ...]:
        """Return what somebody who is signed in may answer: theirs, and the household's."""
        return tuple(each for each in self._open if each.owner in (user_id, None))


@callback
def questions_of(hass: HomeAssistant) -> OpenQuestions:
    """Return the open questions of this Home Assistant."""
    return hass.data.setdefault(_QUESTIONS, OpenQuestions())


async def async_answer(hass: HomeAssistant, user_id: str | None, name: str, text: str) -> None:
    """Answer the question of a routine, as somebody who is signed in.

    `name` is the id of the routine or of its firing. Raises NoSuchQuestionError where none
    waits for this person, as also for what nobody of flesh and blood says.
    """
    user = await hass.auth.async_get_user(user_id) if user_id is not None else None
    if user is None or not user.is_active or user.system_generated:
        raise NoSuchQuestionError
    found = [each for each in questions_of(hass).of(user.id) if each.is_named(name.strip())]
    waiting = [each for each in found if not each.reply.done()]
    if not waiting or not text.strip():
        raise NoSuchQuestionError
    # What is their own comes before what anybody of the household may answer.
    waiting.sort(key=lambda each: each.owner is None)
    waiting[0].answer(text.strip())
