"""How a run asks its person for confirmation; the code matches the reply (DESIGN 5)."""

import re
import unicodedata
from collections.abc import Sequence

from homeassistant.core import Context, HomeAssistant

from ..agent.port import PersonSilentError
from ..agent.run import Run
from ..agent.tool_call import NewRequestError
from ..home.authority import Confirmation, RiskyAction
from ..home.outcome_text import confirmation_question
from ..people.person import Person
from ..people.pin import PinGuard, digits_in, verify
from ..speech import Sentences


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

        Someone known says yes or the PIN, an unknown speaker needs the PIN. A
        reply that is neither yes nor no is a request of its own and ends the
        run (NewRequestError).
        """
        needs_pin = not self.person.is_known
        if needs_pin and (self._pin_hash is None or self._pin_guard.locked(self._key)):
            return Confirmation.IMPOSSIBLE
        question = confirmation_question(self._sentences, actions, pin=needs_pin)
        while True:
            try:
                reply = await self._run.port.async_ask(question, secret=self._pin_hash is not None)
            except PersonSilentError:
                return Confirmation.DECLINED
            verdict = await self._async_judge(reply, needs_pin=needs_pin)
            if verdict is not None:
                return verdict
            question = self._sentences.say("pin_wrong")

    async def _async_judge(self, reply: str, *, needs_pin: bool) -> Confirmation | None:
        """Return what `reply` means; None for a wrong PIN, which may be tried again."""
        said = normalized(reply)
        if said in self._sentences.words("confirm_no"):
            return Confirmation.DECLINED
        if said in self._sentences.words("confirm_yes") and not needs_pin:
            return Confirmation.GIVEN
        tried = digits_in(reply, self._run.utterance.language)
        if self._pin_hash is not None and tried:
            return await self._async_judge_pin(tried)
        if said in self._sentences.words("confirm_yes"):
            return None
        raise NewRequestError

    async def _async_judge_pin(self, tried: Sequence[str]) -> Confirmation | None:
        if self._pin_guard.locked(self._key):
            return Confirmation.IMPOSSIBLE
        assert self._pin_hash is not None
        for digits in tried:
            if await self._hass.async_add_executor_job(verify, self._pin_hash, digits):
                self._pin_guard.succeeded(self._key)
                return Confirmation.GIVEN
        self._pin_guard.failed(self._key)
        return Confirmation.IMPOSSIBLE if self._pin_guard.locked(self._key) else None

    @property
    def _key(self) -> str:
        return self.person.user_id or "household"


def normalized(text: str) -> str:
    """Return `text` without punctuation, in lower case, with single spaces."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(re.sub(r"[^\w\s'-]", " ", plain).split())
