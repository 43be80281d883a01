"""How a run asks its person for confirmation; the code matches the reply (DESIGN 5)."""

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from homeassistant.core import Context, HomeAssistant

from ..agent.port import PersonSilentError, Wanted
from ..agent.run import Run
from ..agent.tool_call import NewRequestError
from ..home.authority import Confirmation, RiskyAction
from ..home.outcome_text import confirmation_question
from ..people.person import Person
from ..people.pin import PinGuard, verify
from ..people.spoken_digits import digits_in, number_alone
from ..speech import Sentences

_TYPOGRAPHY: Final = str.maketrans({"\u2019": "'", "\u2018": "'", "\u02bc": "'", "\u2010": "-"})
"""Signs that phones write where a keyboard has the plain ones."""


class NotConfirmedError(NewRequestError):
    """Asked to confirm, the person said something else, which is a request of its own."""


class RunAuthority:
    """The authority of one run: its person, its context, its confirmations."""

    def __init__(
        self,
        hass: HomeAssistant,
        run: Run,
        sentences: Sentences,
        *,
        pin_hash: str | None,
        pin_guard: PinGuard,
    ) -> None:
        """Keep who may be asked, and by what a reply is judged."""
        self._hass = hass
        self._run = run
        self._sentences = sentences
        self._pin_hash = pin_hash
        self._pin_guard = pin_guard
        self._declined: set[tuple[str, str]] = set()

    @property
    def person(self) -> Person:
        """The person the run belongs to."""
        return self._run.person

    @property
    def context(self) -> Context:
        """The context of the caller; goes with every action."""
        return self._run.utterance.context

    async def async_confirm(self, actions: Sequence[RiskyAction]) -> Confirmation:
        """Ask about exactly these actions.

        Someone signed in says yes or the PIN, any other speaker needs the PIN. A
        reply that is neither yes nor no is a request of its own and ends the
        run (NotConfirmedError). What was declined is not asked again in the run.
        """
        asked = {(action.device_name, action.command) for action in actions}
        if asked & self._declined:
            return Confirmation.DECLINED
        needs_pin = not self.person.is_certain
        if needs_pin and (self._pin_hash is None or self._pin_guard.locked(self._key)):
            return Confirmation.IMPOSSIBLE
        question = confirmation_question(self._sentences, actions, pin=needs_pin)
        answer = await self._async_ask(question, needs_pin=needs_pin)
        if answer is Confirmation.DECLINED:
            self._declined |= asked
        return answer

    async def async_agree(self, question: str) -> Confirmation:
        """Ask about something that is the person's own, such as what they said.

        Somebody who is known by the satellite or the voice alone needs the PIN; for what
        is the household's, anybody's yes will do.
        """
        needs_pin = self.person.is_known and not self.person.is_certain
        if needs_pin:
            if self._pin_hash is None or self._pin_guard.locked(self._key):
                return Confirmation.IMPOSSIBLE
            question = f"{question} {self._sentences.say('say_pin')}"
        return await self._async_ask(question, needs_pin=needs_pin)

    async def _async_ask(self, question: str, *, needs_pin: bool) -> Confirmation:
        wanted = Wanted.PIN if needs_pin else Wanted.YES_OR_NO
        while True:
            try:
                reply = await self._run.port.async_ask(
                    question, secret=self._pin_hash is not None, wanted=wanted
                )
            except PersonSilentError:
                return Confirmation.DECLINED
            verdict = await self._async_judge(reply, needs_pin=needs_pin)
            if isinstance(verdict, Confirmation):
                return verdict
            question = self._sentences.say(verdict)

    async def _async_judge(self, reply: str, *, needs_pin: bool) -> Confirmation | str:
        """Return what `reply` means, or the key of the sentence that asks once more."""
        said, language = normalized(reply), self._run.utterance.language
        if said in self._words("confirm_no"):
            return Confirmation.DECLINED
        agrees = said in self._words("confirm_yes")
        if agrees and not needs_pin:
            return Confirmation.GIVEN
        if self._pin_hash is not None:
            # With other words beside it, such as "but not the garage", it is no yes.
            beside = self._sentences.words("confirm_pin_words")
            if (tried := number_alone(reply, language, beside)) is not None:
                return await self._async_judge_pin(tried)
            if needs_pin and (agrees or digits_in(reply, language)):
                return "pin_only"
        raise NotConfirmedError

    async def _async_judge_pin(self, tried: str) -> Confirmation | str:
        if self._pin_guard.locked(self._key):
            return Confirmation.IMPOSSIBLE
        assert self._pin_hash is not None
        if await self._hass.async_add_executor_job(verify, self._pin_hash, tried):
            self._pin_guard.succeeded(self._key)
            return Confirmation.GIVEN
        self._pin_guard.failed(self._key)
        return Confirmation.IMPOSSIBLE if self._pin_guard.locked(self._key) else "pin_wrong"

    def _words(self, key: str) -> frozenset[str]:
        return frozenset(map(normalized, self._sentences.words(key)))

    @property
    def _key(self) -> str:
        return self.person.user_id or "household"


def normalized(text: str) -> str:
    """Return `text` without punctuation, in lower case, with single spaces."""
    plain = unicodedata.normalize("NFKC", text).casefold().translate(_TYPOGRAPHY)
    return " ".join(re.sub(r"[^\w\s'-]", " ", plain).split())
