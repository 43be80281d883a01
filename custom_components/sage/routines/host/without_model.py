"""Executes the stored action of a routine, or its undo, without a model (DESIGN 5 and 8)."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from homeassistant.core import HomeAssistant

from ...agent.run import End, EndKind, Run
from ...agent.tool_call import NewRequestError
from ...home.commands.changed_since import REFUSED_CHANGED_SINCE
from ...home.commands.evidence import Evidence
from ...home.commands.outcome_text import say_outcomes
from ...home.home_types import HomeError, Outcome, OutcomeKind
from ...home.run_home import RunHome
from ...run.run_trace import async_has_person, run_trace
from ...run.runtime import SageConfigEntry
from ...text.speech import Sentences
from ...tools.claims import DONE
from ...tools.confirmation import RunAuthority

_LOGGER = logging.getLogger(__name__)

_NOT_DONE = {OutcomeKind.REFUSED, OutcomeKind.FAILED}

type Do = Callable[[RunHome], Awaitable[object]]
"""The action in the home; raises HomeError only before anything is done."""


class WithoutModel:
    """A run without a model, with permission checks and confirmations."""

    def __init__(
        self,
        hass: HomeAssistant,
        entry: SageConfigEntry,
        run: Run,
        sentences: Sentences,
        work: Do | str,
    ) -> None:
        """Prepare the run; nothing is done yet. A text is only delivered."""
        self._hass = hass
        self._entry = entry
        self._run = run
        self._sentences = sentences
        self._work = work
        self._evidence = Evidence()

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The outcomes of the commands."""
        return self._evidence.outcomes

    @property
    def did_all(self) -> bool:
        """Whether everything was done, or was left because somebody changed it since."""
        return not any(
            each.kind in _NOT_DONE and each.reason != REFUSED_CHANGED_SINCE
            for each in self.outcomes
        )

    @property
    def is_plain(self) -> bool:
        """Whether the action had only commands, and all of them are done."""
        is_done = all(each.kind in DONE for each in self.outcomes)
        return is_done and not isinstance(self._work, str)

    async def async_answer(self) -> None:
        """Execute the action and send the end to the port."""
        end = self._failed("internal_error")
        try:
            end = await self._async_end()
        except asyncio.CancelledError:
            end = self._failed("stopped")
            raise
        except Exception:
            _LOGGER.exception("What a routine has stored could not be carried out")
        finally:
            if await async_has_person(self._hass, self._run):
                self._note(end)
            self._run.port.emit(end)

    async def _async_end(self) -> End:
        runtime, run = self._entry.runtime_data, self._run
        if isinstance(self._work, str):
            return End(EndKind.ANSWER, self._work)
        await runtime.home.async_prepare_speech(run.utterance.language)
        authority = RunAuthority(
            self._hass,
            run,
            self._sentences,
            pin_hash=runtime.pin_hash,
            pin_guard=runtime.pin_guard,
        )
        try:
            await self._work(RunHome(runtime.home, authority, self._evidence))
        except NewRequestError:
            return self._failed("routine_other_reply")
        except HomeError:
            _LOGGER.debug("A device of a routine has just gone", exc_info=True)
            return self._failed("routine_gone")
        language = run.utterance.language
        said = say_outcomes(self._hass, self._sentences, self.outcomes, language)
        return End(EndKind.ANSWER, said)

    def _note(self, end: End) -> None:
        run = self._run
        run.root.end(end.text, error=end.kind is EndKind.FAILURE)
        trace = run_trace(run, end, outcomes=self.outcomes)
        self._entry.runtime_data.runs.note_trace(run.person, trace)

    def _failed(self, key: str) -> End:
        return End(EndKind.FAILURE, self._sentences.say(key))
