"""Questions of routines that wait for their person, and who may answer them."""

import asyncio
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from homeassistant.core import HomeAssistant, callback
from homeassistant.util.hass_dict import HassKey
from homeassistant.util.ulid import ulid_now

from ..agent.port import End, Question, Wanted

_REPLIES: Final = 200
"""Replies of which it is known who gave them; a run asks for that when it ends."""

_QUESTIONS: Final[HassKey[OpenQuestions]] = HassKey("sage_questions_of_routines")


class NoSuchQuestionError(Exception):
    """No question waits for an answer of this person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What somebody replied."""

    text: str
    is_signed_in: bool
    """Home Assistant itself knows who it was; at a satellite anybody may speak."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenQuestion:
    """A question that somebody is asked; the first answer counts."""

    owner: str | None
    """User id of the one who may answer; None for the household."""

    routine_id: str
    firing_id: int
    text: str
    language: str = "en"
    """Of the routine, in which a yes is one."""

    wanted: Wanted = Wanted.TEXT
    takes_pin: bool = False
    """The reply may be the PIN."""

    tainted: bool = False
    """Its words may be those of others (DESIGN 10)."""

    id: str = field(default_factory=ulid_now)

    then: asyncio.Future[Question | End] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future(), repr=False
    )
    """What the run asks next, or how it ends; cancelled when it is broken off."""

    reply: asyncio.Future[Reply] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future(), repr=False
    )

    @callback
    def answer(self, text: str, *, is_signed_in: bool = False) -> None:
        """Give the answer; later ones are nobody's any more."""
        if not self.reply.done():
            self.reply.set_result(Reply(text=text, is_signed_in=is_signed_in))

    @property
    def is_yes_or_no(self) -> bool:
        """Whether the reply is to be a yes or a no."""
        return self.wanted is Wanted.YES_OR_NO

    @property
    def needs_sign_in(self) -> bool:
        """Whether only somebody who is signed in can give the reply, no voice."""
        return self.is_yes_or_no and self.owner is not None

    @property
    def needs_pin(self) -> bool:
        """Whether nothing but the PIN, or a no, is a reply."""
        return self.wanted is Wanted.PIN

    @property
    def is_for_code(self) -> bool:
        """Whether code judges the reply, by words; a model reads the other ones."""
        return self.wanted is not Wanted.TEXT

    def is_named(self, name: str) -> bool:
        """Tell whether `name` is the id of its routine or of the firing."""
        return name in (self.routine_id, str(self.firing_id))


@dataclass(frozen=True, slots=True, kw_only=True)
class Addressed:
    """The question that somebody may mean."""

    question: OpenQuestion
    was_put: bool = False
    """It was put to them just now, where they speak."""

    is_only: bool = False
    """No other is open."""


class OpenQuestions:
    """All that wait now, and whether those that were answered last were by their person."""

    def __init__(self) -> None:
        """Start with none."""
        self._open: list[OpenQuestion] = []
        self._signed_in: OrderedDict[tuple[str, str], bool] = OrderedDict()
        self._put: OrderedDict[tuple[str, str], tuple[str, int, str]] = OrderedDict()

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
        """Return what waits for an answer that somebody who is signed in may give.

        The oldest first; what is their own comes before what is the household's.
        """
        found = (each for each in self._open if each.owner in (user_id, None))
        waiting = [each for each in found if not each.reply.done()]
        # What is asked again is as old as its firing.
        return tuple(sorted(waiting, key=lambda each: (each.owner is None, each.firing_id)))

    def in_words(self, user_id: str | None) -> OpenQuestion | None:
        """Return the oldest question of somebody that a model asks, and may have answered.

        Never one that code judges the reply to, nor one with words of others.
        """
        own = self.of(user_id) if user_id is not None else ()
        return next((each for each in own if not (each.is_for_code or each.tainted)), None)

    def note_put(
        self, conversation_id: str, user_id: str, question: OpenQuestion, text: str
    ) -> None:
        """Note that the next thing somebody says in a conversation is about this.

        `text` is what the firing of the question asks by now.
        """
        key = (conversation_id, user_id)
        self._put[key] = (question.routine_id, question.firing_id, text)
        self._put.move_to_end(key)
        while len(self._put) > _REPLIES:
            self._put.popitem(last=False)

    def in_assist(self, conversation_id: str, user_id: str) -> Addressed | None:
        """Return the question that a yes in a conversation is for; None where there is none.

        That which was put in this conversation just now, else the oldest.
        """
        put = self._put.pop((conversation_id, user_id), None)
        waiting = self.of(user_id)
        for each in waiting:
            if (each.routine_id, each.firing_id, each.text) == put:
                return Addressed(question=each, was_put=True)
        if not waiting:
            return None
        # A yes to what is over by now is no yes to another question.
        return Addressed(question=waiting[0], is_only=len(waiting) == 1 and put is None)

    def note_reply(self, context_id: str, text: str, reply: Reply) -> None:
        """Note who replied to the question `text` of the run with this context."""
        key = (context_id, text)
        # Asked twice, it has to be the person both times.
        self._signed_in[key] = self._signed_in.get(key, True) and reply.is_signed_in
        while len(self._signed_in) > _REPLIES:
            self._signed_in.popitem(last=False)

    def is_from_person(self, context_id: str, text: str) -> bool:
        """Tell whether the reply to a question of this run is known to be its person's."""
        return self._signed_in.get((context_id, text), False)


@callback
def questions_of(hass: HomeAssistant) -> OpenQuestions:
    """Return the open questions of this Home Assistant."""
    return hass.data.setdefault(_QUESTIONS, OpenQuestions())


async def async_question(hass: HomeAssistant, user_id: str | None, name: str) -> OpenQuestion:
    """Return the question of a routine that waits for somebody who is signed in.

    `name` is the id of the routine or of its firing. Raises NoSuchQuestionError where none
    waits for this person, as also for whoever is nobody of flesh and blood.
    """
    user = await hass.auth.async_get_user(user_id) if user_id is not None else None
    if user is None or not user.is_active or user.system_generated:
        raise NoSuchQuestionError
    found = [each for each in questions_of(hass).of(user.id) if each.is_named(name.strip())]
    if not found:
        raise NoSuchQuestionError
    return found[0]


async def async_answer(hass: HomeAssistant, user_id: str | None, name: str, text: str) -> None:
    """Answer the question of a routine, as somebody who is signed in; see `async_question`."""
    question = await async_question(hass, user_id, name)
    if not text.strip():
        raise NoSuchQuestionError
    question.answer(text.strip(), is_signed_in=True)
