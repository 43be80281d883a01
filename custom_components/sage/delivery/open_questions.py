"""The open questions of routines (stored commands), and the replies to these questions."""

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
"""Maximum number of stored replies; the oldest ones are dropped."""

_QUESTIONS: Final[HassKey[OpenQuestions]] = HassKey("sage_questions_of_routines")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A reply to a question of a routine."""

    text: str
    is_signed_in: bool
    """Whether the author is signed in; False for a voice satellite, where anybody may speak."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenQuestion:
    """An open question that a routine asks; only the first reply counts."""

    owner: str | None
    """User id of the only person who may answer; None if any user of the home may answer."""

    routine_id: str
    firing_id: int
    text: str
    language: str = "en"
    """Language of the routine, in which SAGE recognizes "yes" and "no"."""

    wanted: Wanted = Wanted.TEXT
    takes_pin: bool = False
    """Whether the PIN is a possible reply."""

    tainted: bool = False
    """Whether the question may contain untrusted text, such as text of a mail."""

    id: str = field(default_factory=ulid_now)

    then: asyncio.Future[Question | End] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future(), repr=False
    )
    """The next question, or the end of the routine's action; set some time after the reply.

    It is cancelled if the action is interrupted.
    """

    reply: asyncio.Future[Reply] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future(), repr=False
    )

    @callback
    def answer(self, text: str, *, is_signed_in: bool = False) -> None:
        """Store the reply of a person; do nothing if there is already one."""
        if not self.reply.done():
            self.reply.set_result(Reply(text=text, is_signed_in=is_signed_in))

    @property
    def is_yes_or_no(self) -> bool:
        """Whether the question expects yes or no."""
        return self.wanted is Wanted.YES_OR_NO

    @property
    def needs_sign_in(self) -> bool:
        """Whether the reply must come from a signed-in person, not from a voice satellite."""
        return self.is_yes_or_no and self.owner is not None

    @property
    def needs_pin(self) -> bool:
        """Whether the person can reply only with the PIN or with "no"."""
        return self.wanted is Wanted.PIN

    @property
    def is_for_code(self) -> bool:
        """Whether the question expects yes, no or the PIN.

        SAGE recognizes such a reply without a language model.
        """
        return self.wanted is not Wanted.TEXT

    def is_named(self, name: str) -> bool:
        """Return whether `name` is the id of the routine or of its execution (`firing_id`)."""
        return name in (self.routine_id, str(self.firing_id))


@dataclass(frozen=True, slots=True, kw_only=True)
class Addressed:
    """An open question that a user's utterance in Assist may answer."""

    question: OpenQuestion
    was_put: bool = False
    """Whether SAGE asked this question in the conversation right before the utterance."""

    is_only: bool = False
    """Whether a plain "yes" can only mean this question. False in these cases:

    - The user may answer several open questions.
    - SAGE asked another question right before the utterance, and that question is closed by now.
    - Only the page of SAGE shows the question (`OpenQuestions.note_unseen`).
    - `was_put` is True; the utterance then answers this question anyway.
    """


class OpenQuestions:
    """All open questions of routines, with records of the latest questions and replies."""

    def __init__(self) -> None:
        self._open: list[OpenQuestion] = []
        self._unseen: set[str] = set()
        self._signed_in: OrderedDict[tuple[str, str], bool] = OrderedDict()
        self._put: OrderedDict[tuple[str, str], tuple[str, int, str]] = OrderedDict()

    @contextmanager
    def open(self, question: OpenQuestion) -> Iterator[OpenQuestion]:
        """Return a context manager during which the question is open."""
        self._open.append(question)
        try:
            yield question
        finally:
            self._open.remove(question)
            self._unseen.discard(question.id)

    def note_unseen(self, question: OpenQuestion) -> None:
        """Record that only the page of SAGE shows a question, so its person may not know it."""
        self._unseen.add(question.id)

    @property
    def all(self) -> tuple[OpenQuestion, ...]:
        """All open questions, in the order of asking."""
        return tuple(self._open)

    def of(self, user_id: str) -> tuple[OpenQuestion, ...]:
        """Return the unanswered questions that a signed-in user may answer.

        Questions only for this user come first, then those for every user. Within both groups, the
        oldest execution of a routine comes first.
        """
        found = (each for each in self._open if each.owner in (user_id, None))
        waiting = [each for each in found if not each.reply.done()]
        # Sort by execution, so that an action that asks again keeps its place.
        return tuple(sorted(waiting, key=lambda each: (each.owner is None, each.firing_id)))

    def in_words(self, user_id: str | None) -> OpenQuestion | None:
        """Return the first open question that the user may answer in free text, or None.

        Skips questions for yes, no or the PIN, and questions with untrusted text.
        """
        own = self.of(user_id) if user_id is not None else ()
        return next((each for each in own if not (each.is_for_code or each.tainted)), None)

    def note_put(
        self, conversation_id: str, user_id: str, question: OpenQuestion, text: str
    ) -> None:
        """Record that SAGE has just asked this user the question in the conversation.

        `text`: the wording of the question.
        """
        key = (conversation_id, user_id)
        # Questions that one execution of a routine asks in turn differ only in their wording.
        self._put[key] = (question.routine_id, question.firing_id, text)
        self._put.move_to_end(key)
        while len(self._put) > _REPLIES:
            self._put.popitem(last=False)

    def in_assist(self, conversation_id: str, user_id: str) -> Addressed | None:
        """Return the open question that the user's utterance in Assist may answer, or None.

        Prefers the question that `note_put` has recorded for this conversation. Call this only once
        for each utterance: it deletes that record.
        """
        put = self._put.pop((conversation_id, user_id), None)
        waiting = self.of(user_id)
        for each in waiting:
            if (each.routine_id, each.firing_id, each.text) == put:
                return Addressed(question=each, was_put=True)
        if not waiting:
            return None
        # If the question just asked is closed by now, the yes must not answer another one.
        is_only = len(waiting) == 1 and put is None and waiting[0].id not in self._unseen
        return Addressed(question=waiting[0], is_only=is_only)

    def note_reply(self, context_id: str, text: str, reply: Reply) -> None:
        """Record whether a routine's question was answered by a signed-in person.

        - `context_id`: id of the Home Assistant context in which the routine executes its commands
        - `text`: text of the question (not of the reply)
        - `reply`: the reply; its `is_signed_in` is False if it came from a voice satellite
        """
        key = (context_id, text)
        # If a run asks the same question twice, both replies must be by a signed-in person.
        self._signed_in[key] = self._signed_in.get(key, True) and reply.is_signed_in
        while len(self._signed_in) > _REPLIES:
            self._signed_in.popitem(last=False)

    def is_from_person(self, context_id: str, text: str) -> bool:
        """Return whether a routine's question was answered by a signed-in person.

        - `context_id`: id of the Home Assistant context in which the routine executes its commands
        - `text`: text of the question

        False if `note_reply` has recorded no reply to this question.
        """
        return self._signed_in.get((context_id, text), False)


@callback
def questions_of(hass: HomeAssistant) -> OpenQuestions:
    """Return the object with the open questions; there is one per Home Assistant instance."""
    return hass.data.setdefault(_QUESTIONS, OpenQuestions())


async def async_question(
    hass: HomeAssistant, user_id: str | None, name: str
) -> OpenQuestion | None:
    """Return a routine's open question that this user may answer, or None.

    `name`: id of the routine or of its firing. Unknown, inactive and system users may answer none.
    """
    user = await hass.auth.async_get_user(user_id) if user_id is not None else None
    if user is None or not user.is_active or user.system_generated:
        return None
    own = questions_of(hass).of(user.id)
    return next((each for each in own if each.is_named(name.strip())), None)


async def async_answer(hass: HomeAssistant, user_id: str | None, name: str, text: str) -> bool:
    """Answer the open question of a routine as a signed-in user; return whether there was one.

    `name`: id of the routine or of its firing. An empty text answers nothing.
    """
    question = await async_question(hass, user_id, name)
    if question is None or not text.strip():
        return False
    question.answer(text.strip(), is_signed_in=True)
    return True
