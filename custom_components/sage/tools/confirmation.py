"""Ask the person for confirmation; code, not a model, compares words and PIN."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any, Final

from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.util.language import Dialect

from ..agent import Ending, Progress, Run, RunEnded, Wanted
from ..home import Confirmation, RiskClass, RiskyAction, confirmation_question
from ..model import ModelError
from ..people import Pin, Said, async_languages, async_meaning
from ..text import Sentences, async_load_sentences, known_language, visible

_UNCLEAR_REPLIES: Final = 2  # unclear replies until SAGE stops asking; the last is a new request
_LONGEST_IN_CHAT: Final = 22_000
_LONGEST: Final = 1_500  # maximum characters of a question outside the chat: apps show no more
_UNCLEAR_PINS: Final = 5  # number of replies without a PIN until SAGE stops asking for the PIN


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedConfirmation:
    """A question of SAGE's code, not of the model, whether to execute actions; and its result.

    The person's reply is not stored, because it may be a PIN.
    """

    question: str
    risks: tuple[str, ...]  # risk classes of the actions, e.g. `unlock`
    result: str


class RunAuthority:
    """The person and the context of one command; asks this person for confirmation."""

    def __init__(
        self,
        hass: HomeAssistant,
        run: Run,
        sentences: Sentences,
        *,
        pin: Pin,
        classify: Callable[..., Awaitable[None]],
    ) -> None:
        """Store the request.

        - `pin`: confirms for a person who is not signed in
        - `classify`: lets the model classify the risk of entities, as `RiskLevels.async_classify`
        """
        self._hass = hass
        self._run = run
        self._sentences = sentences
        self._pin = pin
        self._classify = classify
        self.has_model = True
        """Whether the model may be asked; False while SAGE serves the request without it."""

        utterance = run.utterance
        self.person = utterance.person  # the person who made the request
        self.context = utterance.context
        """The Home Assistant context of the request; every action is called with it."""

        self.language = utterance.language  # the language of the request
        self.room = utterance.room  # name of the area where the request was made; None if unknown
        self.conversation_id = utterance.conversation_id
        self._asked_model: set[str] = set()  # ids of entities that the model was to classify
        self._declined: set[tuple[str, str]] = set()
        self._languages: tuple[str, ...] = (utterance.language,)
        self._key = utterance.speaker

    async def async_speak(self, language: str) -> None:
        """Ask all further questions to the person in `language`.

        If SAGE has no translation for `language`, it asks in English. An invalid language code
        changes nothing.
        """
        is_same = Dialect.parse(language).language == Dialect.parse(self._languages[0]).language
        if is_same or known_language(language) != language:
            return
        self._languages = tuple(dict.fromkeys((language, self.language)))
        self._sentences = await async_load_sentences(self._hass, language)

    async def async_classify(self, entity_ids: AbstractSet[str]) -> None:
        """Let the model classify the risk of these entities, in one call that the run counts.

        In a run, the model is asked only once about an entity. If the model fails or the run has
        reached a limit, the entities stay unclassified.
        """
        unasked = sorted(entity_ids - self._asked_model)
        if not unasked or not self.has_model:
            return
        self._asked_model |= entity_ids
        with contextlib.suppress(ModelError, RunEnded, TimeoutError):
            async with asyncio.timeout(self._run.port.seconds_left()):
                await self._classify(unasked, self._async_write)

    async def _async_write(
        self, prompt: str, text: str, *, max_tokens: int, schema: Mapping[str, Any]
    ) -> str:
        settings = self._run.settings
        self._run.check()
        request = settings.json_request(
            settings.prompts[prompt], text, schema=schema, max_tokens=max_tokens
        )
        return (await self._run.async_sample(request)).text

    async def async_confirm(self, actions: Sequence[RiskyAction]) -> Confirmation:
        """Ask the person to confirm these actions, and return the result.

        Raises HomeAssistantError if the person could not see all of the question; its text says how
        to fix it.

        A person who is not signed in needs the PIN, unless all actions are harmless
        (`RiskClass.OUTSIDE`). Otherwise "yes" is enough, but only from the user, satellite and
        device of the request; another speaker needs the PIN. The results:

        - GIVEN: the person said the PIN, or "yes" if that is enough.
        - DECLINED: the person said no, did not reply, or had already declined one of the actions
          for this command.
        - IMPOSSIBLE: the person needs the PIN, but no PIN is set. Or wrong PINs have locked further
          attempts.

        SAGE asks again after an unclear reply, such as "maybe", or "yes" if the PIN is needed:

        - If the PIN is needed and set, the result is DECLINED after 5 unclear replies.
        - Otherwise, RunEnded is raised after 2 unclear replies.
        """
        asked = {(action.thing or action.device_name, action.command) for action in actions}
        if asked & self._declined:
            return Confirmation.DECLINED
        # A harmless action needs a confirmation only because untrusted text may have caused it. A
        # yes suffices.
        is_harmless = all(action.risk is RiskClass.OUTSIDE for action in actions)
        needs_pin = not (self.person.is_certain or is_harmless)
        if needs_pin and not self._may_try_pin(self._key):
            return Confirmation.IMPOSSIBLE
        question = confirmation_question(self._sentences, actions, pin=needs_pin)
        whole = confirmation_question(self._sentences, actions, pin=needs_pin, longest=None)
        if whole != question:
            # The details in the chat name every device and every reason.
            self._run.port.emit(Progress(whole))
        risks = tuple(dict.fromkeys(action.risk.value for action in actions))
        answer = await self._async_ask(question, needs_pin=needs_pin, risks=risks)
        if answer is Confirmation.DECLINED:
            self._declined |= asked
        return answer

    async def async_agree(self, question: str, short: str = "") -> Confirmation:
        """Ask the person whether SAGE may do something on the person's behalf, such as send a mail.

        `short` is asked instead of a question that is too long; all of that is then in the details
        of the chat. Raises HomeAssistantError if the person could not see all of the question; its
        text says how to fix it.

        A person identified only by the voice satellite must say the PIN; all others say yes. The
        result is IMPOSSIBLE if the PIN is needed but not set, or if wrong PINs have locked further
        attempts. Unclear replies have the same effect as in `async_confirm`.
        """
        if short and len(question) > self._longest:
            self._run.port.emit(Progress(question))
            question = short
        # An action of an unknown speaker only affects data of the household.
        needs_pin = self.person.is_known and not self.person.is_certain
        if needs_pin:
            if not self._may_try_pin(self._key):
                return Confirmation.IMPOSSIBLE
            question = f"{question} {self._sentences.say('say_pin')}"
        return await self._async_ask(question, needs_pin=needs_pin)

    async def _async_ask(
        self, question: str, *, needs_pin: bool, risks: tuple[str, ...] = ()
    ) -> Confirmation:
        """Ask and record the result. Raises HomeAssistantError if not all can be shown."""
        self._check(question)
        result = "unclear"
        try:
            answer = await self._async_reply(question, needs_pin=needs_pin)
            result = answer.value
        finally:
            self._run.record.add(AskedConfirmation(question=question, risks=risks, result=result))
        return answer

    @property
    def _longest(self) -> int:
        utterance = self._run.utterance
        is_chat = utterance.satellite_id is None and utterance.routine is None
        return _LONGEST_IN_CHAT if is_chat else _LONGEST

    def _check(self, question: str) -> None:
        """Raise HomeAssistantError if the question is too long or has invisible characters."""
        if len(question) > self._longest:
            raise HomeAssistantError(
                "Nothing was done: the person has to see all of it first, in a question of at most "
                f"{self._longest} characters, and it would have {len(question)}. Shorten the "
                "texts, or do less at once."
            )
        if visible(question) != question:
            raise HomeAssistantError(
                "Nothing was done: the person has to see all of it first, and a text contains "
                "invisible characters. Leave them out."
            )

    async def _async_reply(self, question: str, *, needs_pin: bool) -> Confirmation:
        wanted = Wanted.PIN if needs_pin else Wanted.YES_OR_NO
        languages = (*self._languages, *await async_languages(self._hass, self.person))
        asked, unclear = question, 0
        while True:
            try:
                reply = await self._run.port.async_ask(
                    asked, secret=self._pin.is_set, wanted=wanted
                )
            except RunEnded:
                return Confirmation.DECLINED
            speaker = self._run.port.speaker or self._key
            said = await async_meaning(self._hass, reply, languages)
            only_pin = needs_pin or speaker != self._key
            if said is Said.NO:
                return Confirmation.DECLINED
            if said is Said.YES and not only_pin:
                return Confirmation.GIVEN
            if (tried := await self._pin.async_in_reply(reply, languages)) is not None:
                judged = await self._async_judge_pin(tried, speaker)
                if judged is not None:
                    return judged
                asked = self._sentences.say("pin_wrong")
                continue
            unclear += 1
            if only_pin and self._pin.is_set:
                if unclear >= _UNCLEAR_PINS:
                    return Confirmation.DECLINED
                asked = self._sentences.say("pin_only")
            elif unclear >= _UNCLEAR_REPLIES:
                raise RunEnded(Ending.UNCLEAR_REPLY)
            else:
                asked = f"{self._sentences.say('confirm_unclear')} {question}"

    def _may_try_pin(self, speaker: str) -> bool:
        return self._pin.is_set and not self._pin.locked(speaker)

    async def _async_judge_pin(self, tried: str, speaker: str) -> Confirmation | None:
        """Check a PIN attempt; return None if it is wrong and the speaker may try again."""
        if self._pin.locked(speaker):
            return Confirmation.IMPOSSIBLE
        if await self._pin.async_try(tried, speaker):
            return Confirmation.GIVEN
        return Confirmation.IMPOSSIBLE if self._pin.locked(speaker) else None
