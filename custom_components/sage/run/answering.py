"""Executes a run to its answer, also if the model fails or a limit is reached."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any, Final

from homeassistant.components.person.const import DOMAIN as PERSON_DOMAIN
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
from homeassistant.util import dt as dt_util

from ..agent import (
    About,
    End,
    Ending,
    EndKind,
    Exchange,
    Finish,
    FinishKind,
    Progress,
    Run,
    RunEnded,
    SecondReplied,
    Streamed,
)
from ..helpers import Breaks
from ..home import (
    Documentation,
    Evidence,
    HomeView,
    Outcome,
    OutcomeKind,
    Reading,
    RunEvent,
    RunEventKind,
    describe_for_model,
    say_outcomes,
    say_readings,
)
from ..memory import Memory, MemoryStoreError, Origin, PersonMemory
from ..model import ModelError
from ..people import REDACTED
from ..text import Sentences
from ..tools import (
    RunAuthority,
    RunMemory,
    RunRoutines,
    Situation,
    async_foreign_tools,
    async_run_sage,
)
from .claim_check import AnswerCheck
from .fall_back import async_fall_back, async_note_model
from .plain_requests import async_answer_plainly
from .run_registry import async_log, trace_of
from .runtime import SageAgent, SageConfigEntry

_LOGGER = logging.getLogger(__name__)

_MOST_DEVICES: Final = 12  # maximum devices that are stored with a turn of the conversation
_USER_OF_PERSON: Final = "user_id"  # attribute of a person entity: its Home Assistant user
_MOST_VALUES: Final = 12  # maximum sentences about one read; one more counts the omitted values
_NOT_DONE: Final = {OutcomeKind.REFUSED, OutcomeKind.FAILED}


class Answering:
    """Executes one run: the processing of one command, from the utterance to the answer."""

    def __init__(
        self,
        hass: HomeAssistant,
        entry: SageConfigEntry,
        agent: SageAgent,
        run: Run,
        sentences: Sentences,
        *,
        patience: Sequence[float] = (),
        work: Callable[[Situation], Awaitable[Finish]] | None = None,
    ) -> None:
        """Prepare the execution of `run` by `agent`; `async_answer` starts it.

        - `patience`: seconds to wait before each retry while the model is unavailable. There is no
          retry after the run has sent a command.
        - `work`: executes the command instead of the model
        """
        self._hass = hass
        self._entry = entry
        self._agent = agent
        self._run = run
        self._sentences = sentences
        language = run.utterance.language
        self._say_outcomes = partial(say_outcomes, hass, sentences, language=language)
        self._patience = patience
        self._work = work
        self._shown: set[str] = set()
        self._seen: dict[str, None] = {}
        """Sentences shown in the chat so far, except those about commands, in order."""

        self._evidence = Evidence()
        run.record.listeners += (self._evidence.take, self._show)
        self._finish: Finish | None = None
        self._check: AnswerCheck | None = None
        self._has_stray_reply = False  # the last reply was a new request: do not store it

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """Outcomes of all device commands of the run, oldest first, including refused ones."""
        return tuple(self._evidence.outcomes)

    @property
    def did_all(self) -> bool:
        """Whether the request was fulfilled completely; valid only if the run ended with an answer.

        False in these cases:

        - The answer says that the request was not fulfilled.
        - SAGE replaced the model's answer, which claimed more than was done or read.
        - The last attempt of a device command was refused or failed.
        """
        if self._finish is not None and self._finish.kind is FinishKind.COULD_NOT:
            return False
        if self._check is not None and self._check.has_corrected:
            return False
        # An undo leaves out a device that somebody has changed since.
        return not any(
            each.kind in _NOT_DONE and not each.is_left for each in self._evidence.final_outcomes
        )

    @property
    def is_plain(self) -> bool:
        """Whether the run and its answer are only about commands that devices accepted."""
        evidence, finish = self._evidence, self._finish
        is_all = finish is not None and finish.kind is FinishKind.ACTED and self.did_all
        final = evidence.final_outcomes
        is_only_home = is_all and not evidence.changed_others and self._is_about_the_moment
        return is_only_home and bool(final) and all(each.is_done for each in final)

    @property
    def _is_about_the_moment(self) -> bool:
        """Whether the answer is only about the home, and the run stored and deleted no memory."""
        is_about_home = self._finish is not None and self._finish.about == {About.HOME}
        return is_about_home and not self._evidence.memory_changed

    async def async_answer(self) -> None:
        """Execute the run, and send the final answer (`End`) to the conversation."""
        end = End(EndKind.FAILURE, self._sentences.say("internal_error"))
        try:
            end = await self._async_end()
        except asyncio.CancelledError:
            stopped = self._run.stopped
            end = self._failure(self._sentences.say("stopped") if stopped is None else stopped)
            raise
        except Exception:
            _LOGGER.exception("A run of SAGE failed")
            end = self._failure(self._sentences.say("internal_error"))
        finally:
            # Nothing is stored about a command of a user who was removed.
            user_id = self._run.person.user_id
            has_person = (
                user_id is None or await self._hass.auth.async_get_user(user_id) is not None
            )
            if has_person:
                await self._async_note(end)
            if end.kind is EndKind.ANSWER and await self._async_take_hint():
                end = End(end.kind, f"{end.text} {self._sentences.say('memory_hint')}")
            is_said = self._run.utterance.routine is None
            if end.kind is EndKind.ANSWER and is_said and self._run.record.all(SecondReplied):
                second, speaker = self._agent.second_model, self._run.utterance.speaker
                runs = self._entry.runtime_data.runs
                if second and runs.is_news(self._run.settings.agent_id, speaker):
                    told = self._sentences.say("second_model", model=second.name)
                    end = End(end.kind, f"{end.text} {told}")
            self._run.port.emit(end)
            if has_person:
                self._remember()
            # Break the reference cycles: all these objects refer to the run.
            self._run.record.listeners.clear()
            self._run.answer_check = None
            self._run.own_decisions.clear()

    async def _async_end(self) -> End:
        try:
            situation = await self.async_situation()
        except Exception:
            _LOGGER.exception("A run of SAGE could not start")
            return self._failure(self._sentences.say("internal_error"))
        try:
            try:
                self._finish = await self._async_finish(situation)
            except ModelError as err:
                return await self._async_model_away(situation, err)
        except RunEnded as err:
            if err.why is Ending.STUCK:
                return self._stuck()
            if err.why not in (Ending.NEW_REQUEST, Ending.UNCLEAR_REPLY):
                return self._failure(self._sentences.say(err.why))
            self._has_stray_reply = err.why is Ending.NEW_REQUEST
            if self._run.utterance.routine is not None:
                # A routine has no caller that would start a new run.
                return self._failure(self._sentences.say("routine_other_reply"))
            return End(EndKind.NEW_REQUEST, "")
        return End(EndKind.ANSWER, self._finish.answer)

    async def _async_finish(self, situation: Situation) -> Finish:
        """Return the answer of `work`, a plain request or the model. Raises the last ModelError."""
        if self._work is not None:
            return await self._work(situation)
        if self._agent.answers_plainly and (finish := await async_answer_plainly(situation)):
            return finish
        waits = iter(self._patience)
        while True:
            try:
                apis = self._agent.tool_apis
                foreign = await async_foreign_tools(situation, apis) if apis else ()
                return await async_run_sage(situation, foreign)
            except ModelError as err:
                wait = next(waits, None)
                if wait is None or not err.kind.may_pass or self._evidence.wrote:
                    raise
                _LOGGER.debug("The model is away, next try in %s s: %s", wait, err)
            self._run.record.add(Streamed(""))
            with self._run.port.paused():
                await asyncio.sleep(wait)

    async def async_situation(self) -> Situation:
        """Return a new `Situation`, the objects that all tools share during one command."""
        runtime, run, utterance = self._entry.runtime_data, self._run, self._run.utterance
        authority = RunAuthority(
            self._hass,
            run,
            self._sentences,
            pin=runtime.pin,
            classify=runtime.home.levels.async_classify,
        )
        home = HomeView(
            runtime.home, authority.person, run.record.add, authority=authority, said=utterance.text
        )
        listing = await home.async_listing()
        await runtime.home.vocabulary.async_prepare(utterance.language)
        routines = RunRoutines(runtime.routines, run, self._evidence, self._sentences)
        situation = Situation(
            hass=self._hass,
            run=run,
            home=home,
            memory=RunMemory(runtime.memory, run),
            routines=routines,
            external=runtime.external,
            evidence=self._evidence,
            authority=authority,
            sentences=self._sentences,
            llm_context=llm.LLMContext(
                platform=self._entry.domain,
                context=utterance.context,
                language=utterance.language,
                assistant="conversation",
                device_id=utterance.device_id,
            ),
        )
        run.answer_check = self._check = AnswerCheck(situation, listing)
        return situation

    async def _async_model_away(self, situation: Situation, err: ModelError) -> End:
        """Return the end after a model error; SAGE may execute a simple command (`fall_back`)."""
        why = self._sentences.say(f"model_error_{err.kind.value}")
        if (outcomes := await async_fall_back(self._entry, situation, err)) is None:
            return self._failure(why)
        answer = self._say_outcomes(outcomes)
        return End(EndKind.ANSWER, self._sentences.say("fall_back", why=why, answer=answer))

    def _stuck(self) -> End:
        """Return the end of a run whose model did not get any further, with what is known."""
        if self._check is None:
            return self._failure(self._sentences.say("nothing_changed"))
        kind = EndKind.FAILURE if self._check.may_change else EndKind.ANSWER
        return End(kind, self._check.so_far())

    def _failure(self, why: str) -> End:
        done = self._say_outcomes(self._evidence.final_outcomes)
        texts = (each.text for each in self._evidence.external_actions)
        said = (done, *texts, *self._evidence.routines, why)
        return End(EndKind.FAILURE, " ".join(filter(None, said)))

    async def _async_note(self, end: End) -> None:
        """Store the trace, the turn as context for later turns, and the outcomes for an undo."""
        await asyncio.sleep(0)
        run, breaks = self._run, Breaks()
        lines: list[str] = []
        outcomes: list[dict[str, Any]] = []
        for outcome in self._evidence.final_outcomes:
            if not (outcome.is_read and outcome.has_looked):
                lines.append(describe_for_model([outcome]))
            outcomes.append(outcome.as_dict() | {"sentence": self._say_outcomes([outcome])})
            await breaks.async_take()
        done = "\n".join([*lines, *(each.text for each in self._evidence.external_actions)])
        # An untrusted text is no context for later words of a person.
        is_said = run.utterance.routine is None and not run.utterance.is_untrusted
        if is_said:
            undo, place = self._entry.runtime_data.home.undo, run.utterance.conversation_id
            undo.record(run.person, place, self._evidence.outcomes, run.id, run.utterance.room)
        run.record.end(end.text, is_error=end.kind is EndKind.FAILURE)
        runs = self._entry.runtime_data.runs
        async_note_model(self._hass, self._entry, run)
        if self._evidence.has_forgotten:
            # Each earlier trace and turn may contain the forgotten text.
            runs.forget(run.person.user_id)
        trace = trace_of(run, end, self._evidence, outcomes, self._seen)
        is_lost = end.kind is EndKind.NEW_REQUEST and not done
        exchange = None
        if is_said and not (is_lost or self._evidence.has_forgotten):
            # The devices in commands or in claims of the final answer, by id or group name.
            commanded = (each.device_id for each in self._evidence.final_outcomes)
            claims = self._finish.claims if self._finish is not None else ()
            claimed = (name for claim in claims for name in claim.devices)
            exchange = Exchange(
                said=run.utterance.text,
                answered=end.text,
                at=run.utterance.now,
                done=done,
                devices=tuple(dict.fromkeys((*commanded, *claimed)))[:_MOST_DEVICES],
                has_changed=self._evidence.has_changed,
                tainted=run.record.is_tainted,
            )
        runs.note(run.person, trace, exchange)
        # A separate task, so that the command is stored even if the run is cancelled.
        work = async_log(self._entry.runtime_data.memory, run.person, trace)
        self._hass.async_create_task(work, "SAGE logs a command")

    async def _async_take_hint(self) -> bool:
        """Return whether the answer should say that SAGE stores memories.

        True at most once for each person: for the first command of a signed-in user with a person
        entity and a memory that is switched on.
        """
        person = self._run.person
        is_here = person.is_certain and any(
            state.attributes.get(_USER_OF_PERSON) == person.user_id
            for state in self._hass.states.async_all(PERSON_DOMAIN)
        )
        if not is_here or self._evidence.has_forgotten or self._run.utterance.routine is not None:
            return False
        try:
            memory = self._entry.runtime_data.memory
            return await memory.async_do(person, PersonMemory.take_hint)
        except MemoryStoreError:
            return False

    def _remember(self) -> None:
        """Store the person's utterance and the replies to questions, in background tasks.

        Stores nothing if memories were deleted, since the words may mention their topic, and
        nothing for a routine: another person may have replied at a voice satellite.
        """
        utterance, replies, evidence = self._run.utterance, self._run.replies, self._evidence
        if evidence.has_forgotten or utterance.routine is not None:
            return
        texts: list[Memory] = []
        # The utterance is stored unless a fact was; that may also come from a reply.
        if replies or not evidence.has_kept:
            texts.append(
                Memory(
                    text=utterance.text,
                    at=dt_util.as_utc(utterance.now),
                    place=utterance.room,
                    origin=Origin.REQUEST if self._is_about_the_moment else Origin.SAID,
                    tainted=utterance.is_untrusted,
                )
            )
        texts += [
            Memory(
                text=replied.reply,
                at=dt_util.utcnow(),
                place=utterance.room,
                question=replied.question,
                tainted=self._run.record.is_tainted,
            )
            for replied in (replies[:-1] if self._has_stray_reply else replies)
        ]
        for new in texts:
            # More than the placeholder of a removed PIN.
            if REDACTED not in new.text or any(map(str.isalnum, new.text.replace(REDACTED, ""))):
                # Not a task of the run, so that the text is stored even if the run is cancelled.
                work = self._entry.runtime_data.memory.async_keep(self._run.person, new)
                self._hass.async_create_task(work, "SAGE remembers")

    # ------------------------------------------------------------ details in the chat

    def _show(self, entries: Sequence[object]) -> None:
        """Show new entries of the record in the chat, each sentence only once."""
        outcomes: list[Outcome] = []
        readings: list[Reading] = []
        steps: list[str] = []
        for entry in entries:
            match entry:
                case Outcome():
                    outcomes.append(entry)
                case Reading() if not isinstance(entry, Documentation):
                    readings.append(entry)
                case RunEvent(
                    kind=RunEventKind.ROUTINE_CHANGED
                    | RunEventKind.DONE
                    | RunEventKind.NOT_DONE
                    | RunEventKind.UNKNOWN
                ):
                    steps.append(entry.text)
                case RunEvent():
                    key = entry.key or f"details_{entry.kind}"
                    steps.append(self._sentences.say(key, tool=entry.text))
        seen = [*(self._said_values(readings) if readings else ()), *filter(None, steps)]
        self._seen |= dict.fromkeys(seen)
        done = self._say_outcomes(outcomes) if outcomes else ""
        for sentence in (done, *seen):
            text = " ".join(sentence.split())
            if text and text not in self._shown:
                self._shown.add(text)
                self._run.port.emit(Progress(text))

    def _said_values(self, readings: Sequence[Reading]) -> list[str]:
        language = self._run.utterance.language
        values = say_readings(self._hass, self._sentences, readings, language)
        if (more := len(values) - _MOST_VALUES) <= 0:
            return values
        return [*values[:_MOST_VALUES], self._sentences.say("details_more", count=str(more))]
