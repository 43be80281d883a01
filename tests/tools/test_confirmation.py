"""How a reply to a request for confirmation is judged."""

from typing import cast

import pytest
from homeassistant.core import Context, HomeAssistant
from homeassistant.util import dt as dt_util

from custom_components.sage.agent.port import Question, RunEnded, Utterance
from custom_components.sage.agent.run import AgentSettings, Run, new_run
from custom_components.sage.home.home_types import RiskClass
from custom_components.sage.home.safety.authority import Confirmation, RiskyAction
from custom_components.sage.home.safety.risk_levels import levels_of
from custom_components.sage.model.language_model import LanguageModel
from custom_components.sage.people.person import HOUSEHOLD, Person
from custom_components.sage.people.pin import Pin, hash_pin
from custom_components.sage.text.speech import async_load_sentences
from custom_components.sage.tools.confirmation import RunAuthority
from tests.agent.test_formats import make

ANNA = Person(user_id="anna", name="Anna")
UNLOCK = RiskyAction(risk=RiskClass.UNLOCK, device_name="Front Door", command="unlock")
GIVEN, DECLINED, IMPOSSIBLE = Confirmation.GIVEN, Confirmation.DECLINED, Confirmation.IMPOSSIBLE


@pytest.fixture(scope="module")
def pin_hash() -> str:
    """A household with the PIN 4711."""
    return hash_pin("4711")


class Conversation:
    """A run with somebody who replies what the test says."""

    def __init__(
        self, hass: HomeAssistant, person: Person, language: str = "en", pin_hash: str | None = None
    ) -> None:
        self.hass = hass
        self.context = Context(user_id=person.user_id)
        self.run: Run = new_run(
            Utterance(
                text="open up",
                person=person,
                context=self.context,
                language=language,
                conversation_id="here",
                now=dt_util.now(),
            ),
            AgentSettings(
                name="SAGE",
                model=cast("LanguageModel", None),
                decision_format=make("native"),
                schema_works=True,
                prompts={},
            ),
        )
        self.pin = Pin(hass, pin_hash, clock=lambda: 0.0)
        self.questions: list[str] = []
        self.authority: RunAuthority | None = None
        self.speaker: str | None = None  # who replies, if not the one who was asked

    async def asks(self, *replies: str, about: tuple[RiskyAction, ...] = (UNLOCK,)) -> Confirmation:
        """Ask about the actions, reply in turn; return what came of it."""
        if self.authority is None:
            sentences = await async_load_sentences(self.hass, self.run.utterance.language)
            self.authority = RunAuthority(
                self.hass,
                self.run,
                sentences,
                pin=self.pin,
                classify=levels_of(self.hass).async_classify,
            )
        asking = self.hass.async_create_task(self.authority.async_confirm(about))
        for reply in replies:
            event = await self.run.port.async_next()
            assert isinstance(event, Question)
            self.questions.append(event.text)
            self.run.port.reply(reply, self.speaker)
        return await asking


UNCLEAR = ("yes but", "what?", "", "4711", "yes no", "turn on the light", "true")
QUESTIONS = (
    "Bitte?",
    "Yes?",
    "OK?",
    "Sure?",
    "No?",
    "Да？",
    "نعم؟",
    "ναι;",
    "ναι;",
    "այո՞",
    "¿Sí?",
)


@pytest.mark.parametrize("reply", [*UNCLEAR, *QUESTIONS])
async def test_anything_else_is_asked_about_once_and_then_a_request(hass, reply) -> None:
    conversation = Conversation(hass, ANNA)
    with pytest.raises(RunEnded):
        await conversation.asks(reply, reply)
    assert conversation.questions == [
        "Shall I really unlock Front Door?",
        "Please say yes or no. Shall I really unlock Front Door?",
    ]
    assert await Conversation(hass, ANNA).asks(reply, "yes") is GIVEN
    assert await Conversation(hass, ANNA).asks(reply, "no") is DECLINED


async def test_somebody_unknown_needs_the_pin(hass, pin_hash) -> None:
    conversation = Conversation(hass, HOUSEHOLD, pin_hash=pin_hash)
    replies = ("yes", "4712", "4711 but not the garage", "the PIN is 4711")
    assert await conversation.asks(*replies) is GIVEN
    assert conversation.questions[1:] == [
        "Please say just the PIN, or say no.",
        "That was not the right PIN. Please say the PIN again, or say no.",
        "Please say just the PIN, or say no.",
    ]


async def test_one_reply_is_one_guess(hass, pin_hash) -> None:
    conversation = Conversation(hass, HOUSEHOLD, pin_hash=pin_hash)
    assert await conversation.asks("0000 4711", "1234 5678 4711", "no") is (DECLINED)


async def test_lock_that_comes_while_a_question_is_open_holds(hass, pin_hash) -> None:
    """Somebody else there guesses wrong five times meanwhile."""
    conversation = Conversation(hass, HOUSEHOLD, pin_hash=pin_hash)
    sentences = await async_load_sentences(hass, "en")
    authority = RunAuthority(
        hass,
        conversation.run,
        sentences,
        pin=conversation.pin,
        classify=levels_of(hass).async_classify,
    )
    asking = hass.async_create_task(authority.async_confirm([UNLOCK]))
    await conversation.run.port.async_next()
    for _ in range(5):
        conversation.pin.failed("household")
    conversation.run.port.reply("4711")
    assert await asking is IMPOSSIBLE


async def test_somebody_known_who_is_locked_can_still_say_yes(hass, pin_hash) -> None:
    conversation = Conversation(hass, ANNA, pin_hash=pin_hash)
    for _ in range(5):
        conversation.pin.failed("anna")
    assert await conversation.asks("yes") is GIVEN
    assert await conversation.asks("4711") is IMPOSSIBLE


async def test_a_word_counts_as_it_is_meant_in_the_language_of_the_request(hass) -> None:
    """`tak` is a yes in Polish and a no in Malay."""
    conversation = Conversation(hass, ANNA, "en")
    assert await conversation.asks("tak") is DECLINED
    conversation = Conversation(hass, ANNA, "en")
    assert await conversation.asks("yes") is GIVEN
    assert conversation.authority is not None
    await conversation.authority.async_speak("pl")
    assert await conversation.asks("tak") is GIVEN
    assert await Conversation(hass, ANNA, "ms").asks("tak") is DECLINED
