"""Open questions of routines, and the people who may answer them."""

import asyncio
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from homeassistant.core import HomeAssistant, callback
from homeassistant.util.hass_dict import HassKey
from homeassistant.util.ulid import ulid_now

from ..agent.run import End, Question, Wanted

_REPLIES: Final = 200
"""Maximum number of replies whose author is remembered; a run looks them up at its end."""

_QUESTIONS: Final[HassKey[OpenQuestions]] = HassKey("sage_questions_of_routines")


class NoSuchQuestionError(Exception):
    """There is no open question for this person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A reply to a question."""

    text: str
    is_signed_in: bool
    """Whether the author is signed in to Home Assistant; at a satellite anybody may speak."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenQuestion:
    """An open question of a routine; the first answer counts."""

    owner: str | None
    """User id of the person who may answer; None for the household."""

    routine_id: str
    firing_id: int
    text: str
    language: str = "en"
    """Language of the routine, in which a yes is recognised."""

    wanted: Wanted = Wanted.TEXT
    takes_pin: bool = False
    """Whether the reply may be the PIN."""

    tainted: bool = False
    """Whether the question may contain untrusted text."""

    id: str = field(default_factory=ulid_now)

    then: asyncio.Future[Question | End] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future(), repr=False
    )
    """The next question or the end of the run; cancelled if the run is interrupted."""

    reply: asyncio.Future[Reply] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future(), repr=False
    )

    @callback
    def answer(self, text: str, *, is_signed_in: bool = False) -> None:
        """Set the answer; later answers are ignored."""
        if not self.reply.done():
            self.reply.set_result(Reply(text=text, is_signed_in=is_signed_in))

    @property
    def is_yes_or_no(self) -> bool:
        """Whether the question expects a yes or a no."""
        return self.wanted is Wanted.YES_OR_NO

    @property
    def needs_sign_in(self) -> bool:
        """Whether only a signed-in person can reply, not a voice."""
        return self.is_yes_or_no and self.owner is not None

    @property
    def needs_pin(self) -> bool:
        """Whether only the PIN or a no is a reply."""
        return self.wanted is Wanted.PIN

    @property
    def is_for_code(self) -> bool:
        """Whether code looks for yes, no or the PIN in the reply; otherwise a model reads it."""
        return self.wanted is not Wanted.TEXT

    def is_named(self, name: str) -> bool:
        """Return whether `name` is the id of the routine or of the firing that asks."""
        return name in (self.routine_id, str(self.firing_id))


@dataclass(frozen=True, slots=True, kw_only=True)
class Addressed:
    """The question that a reply may answer."""

    question: OpenQuestion
    was_put: bool = False
    """Whether the question was just read out to the person in this conversation."""

    is_only: bool = False
    """Whether no other question is open."""


class OpenQuestions:
    """All open questions, and the authors of the latest replies."""

    def __init__(self) -> None:
        self._open: list[OpenQuestion] = []
        self._signed_in: OrderedDict[tuple[str, str], bool] = OrderedDict()
        self._put: OrderedDict[tuple[str, str], tuple[str, int, str]] = OrderedDict()

    @contextmanager
    def open(self, question: OpenQuestion) -> Iterator[OpenQuestion]:
        """Keep the question open while the block runs."""
        self._open.append(question)
        try:
            yield question
        finally:
            self._open.remove(question)

    @property
    def all(self) -> tuple[OpenQuestion, ...]:
        """All open questions, oldest first."""
        return tuple(self._open)

    def of(self, user_id: str) -> tuple[OpenQuestion, ...]:
        """Return the open questions that a signed-in user may answer.

        Oldest first; the user's own before those of the household.
        """
        found = (each for each in self._open if each.owner in (user_id, None))
        waiting = [each for each in found if not each.reply.done()]
        # A repeated question is as old as its firing.
        return tuple(sorted(waiting, key=lambda each: (each.owner is None, each.firing_id)))

    def in_words(self, user_id: str | None) -> OpenQuestion | None:
        """Return the oldest question to this user that can be answered in a normal request.

        Leaves out questions for a yes, a no or the PIN, and questions with untrusted text.
        """
        own = self.of(user_id) if user_id is not None else ()
        return next((each for each in own if not (each.is_for_code or each.tainted)), None)

    def note_put(
        self, conversation_id: str, user_id: str, question: OpenQuestion, text: str
    ) -> None:
        """Remember that the next utterance in a conversation may answer this question.

        `text` is the current question of the firing.
        """
        key = (conversation_id, user_id)
        self._put[key] = (question.routine_id, question.firing_id, text)
        self._put.move_to_end(key)
        while len(self._put) > _REPLIES:
            self._put.popitem(last=False)

    def in_assist(self, conversation_id: str, user_id: str) -> Addressed | None:
        """Return the question that a yes in a conversation answers; None if there is none.

        It is the one just read out in this conversation, else the oldest.
        """
        put = self._put.pop((conversation_id, user_id), None)
        waiting = self.of(user_id)
        for each in waiting:
            if (each.routine_id, each.firing_id, each.text) == put:
                return Addressed(question=each, was_put=True)
        if not waiting:
            return None
        # A yes to a closed question must not answer a different one.
        return Addressed(question=waiting[0], is_only=len(waiting) == 1 and put is None)

    def note_reply(self, context_id: str, text: str, reply: Reply) -> None:
        """Remember who replied to the question `text` of the run with this context."""
        key = (context_id, text)
        # If it was asked twice, both replies must come from the person.
        self._signed_in[key] = self._signed_in.get(key, True) and reply.is_signed_in
        while len(self._signed_in) > _REPLIES:
            self._signed_in.popitem(last=False)

    def is_from_person(self, context_id: str, text: str) -> bool:
        """Return whether the reply to a question of this run certainly came from its person."""
        return self._signed_in.get((context_id, text), False)


@callback
def questions_of(hass: HomeAssistant) -> OpenQuestions:
    """Return the open questions of this Home Assistant."""
    return hass.data.setdefault(_QUESTIONS, OpenQuestions())


async def async_question(hass: HomeAssistant, user_id: str | None, name: str) -> OpenQuestion:
    """Return the open question of a routine for a signed-in user.

    `name` is the id of the routine or of its firing. Raises NoSuchQuestionError if there is none
    for this user, and for unknown, inactive or system users.
    """
    user = await hass.auth.async_get_user(user_id) if user_id is not None else None
    if user is None or not user.is_active or user.system_generated:
        raise NoSuchQuestionError
    found = [each for each in questions_of(hass).of(user.id) if each.is_named(name.strip())]
    if not found:
        raise NoSuchQuestionError
    return found[0]


async def async_answer(hass: HomeAssistant, user_id: str | None, name: str, text: str) -> None:
    """Answer the question of a routine as a signed-in user; see `async_question`.

    Also raises NoSuchQuestionError for an empty text.
    """
    question = await async_question(hass, user_id, name)
    if not text.strip():
        raise NoSuchQuestionError
    question.answer(text.strip(), is_signed_in=True)
