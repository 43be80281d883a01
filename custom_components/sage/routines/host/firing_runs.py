"""Executes the action of a routine as the person who asked for the routine.

A valid stored action is executed without the model. Otherwise, the model decides what to do.
"""

import asyncio
import dataclasses
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Final

from homeassistant.core import Context, HomeAssistant
from homeassistant.util import dt as dt_util
from homeassistant.util.ulid import ulid_now

from ...agent.port import End, EndKind, Question
from ...agent.run import FiredRoutine, NewRequestError, Run, Utterance, new_run
from ...const import ROUTINE_PATIENCE, ROUTINE_QUESTION_TIMEOUT
from ...delivery.open_questions import OpenQuestion, questions_of
from ...delivery.routine_questions import RoutineQuestions
from ...home.commands.changed_since import REFUSED_CHANGED_SINCE
from ...home.commands.evidence import Evidence
from ...home.commands.outcome_text import say_outcomes
from ...home.commands.undo_history import changes_in, outcomes_of, undo_record
from ...home.home import HomeView
from ...home.home_types import DONE, HomeError, Outcome, OutcomeKind
from ...home.safety.authority import async_asked_for
from ...people.identity import async_user
from ...people.person import HOUSEHOLD, KnownBy, Person
from ...people.pin import speaker_key
from ...run.answering import Answering
from ...run.run_trace import async_has_person, async_note_trace, trace_of
from ...run.runtime import SageAgent, SageConfigEntry
from ...text.plain_text import plain
from ...text.speech import Sentences, Verbatim, async_load_sentences
from ...tools.confirmation import RunAuthority
from ...tools.routines.routine_actions import RoutineActions
from ..api.public_routines import firing_context_id
from ..conditions.states import keys_of
from ..interfaces import RunReport, Waits, ignore_wait
from ..routine_types import Commands, Firing, Routine, RoutineKind, Words

_LOGGER = logging.getLogger(__name__)

# The state changes that an execution causes arrive soon, so older executions are not needed.
MOST_CHAINS: Final = 500
"""Maximum number of past executions of routines that `RoutineRuns.chain_of` knows."""

_NOT_DONE = {OutcomeKind.REFUSED, OutcomeKind.FAILED}

type Do = Callable[[HomeView], Awaitable[object]]
"""Executes device commands; raises HomeError only if no command was executed yet."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class FiringContext:
    """The data for one execution of a routine's action (a firing)."""

    routine: Routine
    firing: Firing
    person: Person
    """The person for whom the action is executed."""
    sentences: Sentences
    """Translated sentences in the language of the routine."""

    waits: Waits
    """Called when the action starts to wait for a reply of the person."""


class WithoutModel:
    """Executes a stored action without a model, with permission checks and confirmations."""

    def __init__(
        self,
        hass: HomeAssistant,
        entry: SageConfigEntry,
        run: Run,
        sentences: Sentences,
        work: Do | str,
    ) -> None:
        """Store the inputs; `async_answer` executes the action.

        `work`: a function that executes device commands, or a text to deliver.
        """
        self._hass = hass
        self._entry = entry
        self._run = run
        self._sentences = sentences
        self._work = work
        self._evidence = Evidence()

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The outcomes of the executed commands."""
        return self._evidence.outcomes

    @property
    def did_all(self) -> bool:
        """True if no command failed and none was refused.

        Ignores an undo that was refused because somebody has changed the device since.
        """
        return not any(
            each.kind in _NOT_DONE and each.reason != REFUSED_CHANGED_SINCE
            for each in self.outcomes
        )

    @property
    def is_plain(self) -> bool:
        """Whether the action consists of device commands, and the devices accepted all of them."""
        is_done = all(each.kind in DONE for each in self.outcomes)
        return is_done and not isinstance(self._work, str)

    async def async_answer(self) -> None:
        """Execute the action, and send its answer or failure to `Run.port`."""
        end = self._failed("internal_error")
        try:
            end = await self._async_end()
        except asyncio.CancelledError:
            end = self._failed("stopped")
            raise
        except Exception:
            _LOGGER.exception("The stored action of a routine failed")
        finally:
            if await async_has_person(self._hass, self._run):
                self._note(end)
            self._run.port.emit(end)

    async def _async_end(self) -> End:
        runtime, run = self._entry.runtime_data, self._run
        if isinstance(self._work, str):
            return End(EndKind.ANSWER, plain(self._work))
        await runtime.home.async_prepare_speech(run.utterance.language)
        authority = RunAuthority(
            self._hass,
            run,
            self._sentences,
            pin_hash=runtime.pin_hash,
            pin_guard=runtime.pin_guard,
        )
        try:
            await self._work(
                HomeView(runtime.home, authority.person, self._evidence, authority=authority)
            )
        except NewRequestError:
            return self._failed("routine_other_reply")
        except HomeError:
            _LOGGER.debug("A device of a routine has just gone", exc_info=True)
            return self._failed("routine_gone")
        return End(EndKind.ANSWER, self._say_outcomes(self.outcomes))

    def _note(self, end: End) -> None:
        run = self._run
        run.root.end(end.text, error=end.kind is EndKind.FAILURE)
        trace = trace_of(run, end, outcomes=self.outcomes, say=self._say_outcomes)
        async_note_trace(self._hass, self._entry, run.person, trace)

    def _say_outcomes(self, outcomes: Sequence[Outcome]) -> str:
        return say_outcomes(self._hass, self._sentences, outcomes, self._run.utterance.language)

    def _failed(self, key: str) -> End:
        return End(EndKind.FAILURE, self._sentences.say(key))


class RoutineRuns:
    """Executes the actions of routines; implements `Runner`.

    The model decides what to do only if a routine has no valid stored action.
    """

    def __init__(self, hass: HomeAssistant, entry: SageConfigEntry) -> None:
        """Store the inputs; the entry must be set up before the first action is executed."""
        self._hass = hass
        self._entry = entry
        self._chains: OrderedDict[str, tuple[str, ...]] = OrderedDict()

    def chain_of(self, context_id: str) -> tuple[str, ...]:
        """Return the ids of the routines that led to a Home Assistant context, the earliest first.

        Example: ("a", "b") if "a" triggered "b", and "b" ran its commands with this context. Empty
        for other contexts.
        """
        return self._chains.get(context_id, ())

    async def async_run(
        self, routine: Routine, firing: Firing, waits: Waits = ignore_wait
    ) -> RunReport:
        """Execute the action of a routine; return the result.

        `waits` is called when the action starts to wait for a reply of the person.
        """
        context = await self._async_context(routine, firing, waits)
        if isinstance(context, RunReport):
            return context
        sentences = context.sentences
        agent = agent_of(self._entry.runtime_data.agents, routine)
        if agent is None:
            return _failure(routine, sentences, sentences.say("routine_no_agent"))
        stored = await self._async_stored(routine, context.person)
        run = self._new_run(context, agent, routine.command, needs_model=stored is None)
        work: Answering | WithoutModel
        if stored is None:
            work = Answering(
                self._hass, self._entry, agent, run, sentences, patience=ROUTINE_PATIENCE
            )
        else:
            work = WithoutModel(self._hass, self._entry, run, sentences, stored)
        report = await self._async_carry_out(context, run, work)
        return dataclasses.replace(report, undo=undo_record(self._hass, work.outcomes))

    async def async_undo(
        self, routine: Routine, fired: Firing, waits: Waits = ignore_wait
    ) -> RunReport:
        """Undo the changes of an earlier execution (`fired`) of the action; return the result.

        `waits` is called when the undo starts to wait for a reply of the person.
        """
        context = await self._async_context(routine, fired, waits)
        if isinstance(context, RunReport):
            return context
        sentences = context.sentences
        agent = agent_of(self._entry.runtime_data.agents, routine)
        changed = outcomes_of(self._hass, fired.undo) if fired.undo else ()
        if agent is None or not changed:
            return RunReport(answer="")
        text = sentences.say("routine_putting_back", command=routine.command)
        run = self._new_run(context, agent, text)
        do = partial(HomeView.async_put_back_unless_changed, changed=changed)
        work = WithoutModel(self._hass, self._entry, run, sentences, do)
        return await self._async_carry_out(context, run, work)

    async def _async_context(
        self, routine: Routine, firing: Firing, waits: Waits
    ) -> FiringContext | RunReport:
        """Return the data for executing an action.

        Returns a failure report instead if the person has no active user account.
        """
        sentences = await async_load_sentences(self._hass, routine.language)
        person = await self._async_person(routine)
        if person is None:
            return _failure(routine, sentences, sentences.say("routine_nobody"))
        return FiringContext(
            routine=routine, firing=firing, person=person, sentences=sentences, waits=waits
        )

    async def _async_stored(self, routine: Routine, person: Person) -> Do | str | None:
        """Return the function that executes the stored commands, or the text to deliver.

        None if the model has to decide what to do.
        """
        match routine.action:
            case Words(text=text):
                return text
            case Commands() as commands:
                home = self._entry.runtime_data.home.of(person)
                try:
                    requests = await RoutineActions(self._hass, home).async_requests(commands)
                except HomeError as err:
                    _LOGGER.debug("A stored command is not valid any more: %s", err)
                    return None
                return partial(HomeView.async_execute, requests=requests, asked_for=async_asked_for)
        return None

    async def _async_person(self, routine: Routine) -> Person | None:
        """Return the person of a routine; None if the person has no active user account.

        If SAGE can ask the person only at a voice satellite, anybody there could answer yes. The
        person is then not treated as signed in, and risky actions need the PIN.
        """
        if routine.owner is None:
            return HOUSEHOLD
        has_pin = self._entry.runtime_data.pin_hash is not None
        by_voice = has_pin and self._asking.is_by_voice(routine)
        known_by = KnownBy.SATELLITE if by_voice else KnownBy.SIGN_IN
        person = await async_user(self._hass, routine.owner, known_by)
        return person if person.is_known else None

    @property
    def _asking(self) -> RoutineQuestions:
        return RoutineQuestions(self._hass, self._entry.runtime_data.satellites)

    def _new_run(
        self, context: FiringContext, agent: SageAgent, text: str, *, needs_model: bool = False
    ) -> Run:
        routine, firing = context.routine, context.firing
        origin = Context(id=firing_context_id(firing), user_id=routine.owner)
        self._chains[origin.id] = (*firing.chain, routine.id)
        while len(self._chains) > MOST_CHAINS:
            self._chains.popitem(last=False)
        utterance = Utterance(
            text=text,
            person=context.person,
            context=origin,
            language=routine.language,
            conversation_id=ulid_now(),
            now=dt_util.now(),
            room=routine.room,
            satellite_id=routine.satellite_id,
            device_id=routine.device_id,
            routine=FiredRoutine(
                id=routine.id,
                when=routine.when,
                tells=routine.kind is RoutineKind.TELL,
                needs_model=needs_model,
            ),
        )
        run = new_run(utterance, agent.settings, ROUTINE_QUESTION_TIMEOUT)
        if routine.tainted:
            run.taint()
        return run

    async def _async_carry_out(
        self, context: FiringContext, run: Run, work: Answering | WithoutModel
    ) -> RunReport:
        """Execute an action (`work`), pass its questions to the person, and return the result."""
        sentences = context.sentences
        task = self._entry.runtime_data.runs.start(
            self._hass,
            self._entry,
            run,
            work.async_answer(),
            stopped=sentences.say("stopped"),
            too_many=sentences.say("too_many_requests"),
        )
        asking: asyncio.Task[None] | None = None
        then: asyncio.Future[Question | End] | None = None
        try:
            while True:
                event = await run.port.async_next()
                if not isinstance(event, Question | End):
                    continue
                await _async_end(asking)
                if then is not None and not then.done():
                    then.set_result(event)
                if isinstance(event, End):
                    report = _report(context, event, work, was_asked=then is not None)
                    return dataclasses.replace(report, tainted=run.tainted)
                context.waits()
                then = asyncio.get_running_loop().create_future()
                asking = asyncio.create_task(
                    self._async_ask(context, run, event, then),
                    name=f"SAGE asks for routine {context.routine.id}",
                )
        except asyncio.CancelledError:
            task.cancel()
            raise
        finally:
            if then is not None:
                then.cancel()
            await _async_end(asking)

    async def _async_ask(
        self,
        context: FiringContext,
        run: Run,
        question: Question,
        then: asyncio.Future[Question | End],
    ) -> None:
        """Ask the person a question of the run, and pass the reply to the run.

        `then` gets the next question, or the end of the run. It is shown to the person in the place
        of the reply, such as the same conversation.
        """
        routine, firing = context.routine, context.firing
        asked = run.port.open_question
        opened = OpenQuestion(
            owner=routine.owner,
            routine_id=routine.id,
            firing_id=firing.id,
            text=question.text,
            language=routine.language,
            wanted=question.wanted,
            takes_pin=run.port.secret_expected,
            tainted=run.tainted,
            then=then,
        )
        try:
            given = await self._asking.async_ask(routine, opened, context.sentences)
            questions_of(self._hass).note_reply(firing_context_id(firing), question.text, given)
            reply = await self._async_redacted(routine, run, given.text)
            is_gone = routine.owner is not None and await self._async_person(routine) is None
        except Exception:
            _LOGGER.exception("The person of a routine could not be asked")
            return
        if run.port.open_question is not asked or asked is None:
            return
        if is_gone:
            run.port.withdraw()
        else:
            run.port.reply(reply)

    async def _async_redacted(self, routine: Routine, run: Run, reply: str) -> str:
        """Return the reply without a PIN; unchanged if the run asked for the PIN."""
        if run.port.secret_expected:
            return reply
        redaction = self._entry.runtime_data.pin_redaction
        speaker = speaker_key(run.person, routine.satellite_id, routine.device_id)
        return await redaction.async_redact(reply, routine.language, speaker, expected=False)


def agent_of(agents: Mapping[str, SageAgent], routine: Routine) -> SageAgent | None:
    """Return the agent that created a routine, or another agent if that one was deleted.

    None if there are no agents.
    """
    return agents.get(routine.agent_id) or next(iter(agents.values()), None)


def _report(
    context: FiringContext, end: End, work: Answering | WithoutModel, *, was_asked: bool
) -> RunReport:
    routine = context.routine
    changed = frozenset(key for outcome in changes_in(work.outcomes) for key in keys_of(outcome))
    if end.kind is EndKind.ANSWER:
        # Reminders, failures, answers and results of questions are always delivered.
        is_wanted = routine.notify or was_asked or routine.kind is RoutineKind.TELL
        answer = end.text if is_wanted or not work.is_plain else ""
        return RunReport(answer=answer, is_failure=not work.did_all, changed=changed)
    failure = _failure(routine, context.sentences, end.text)
    return dataclasses.replace(failure, changed=changed)


def _failure(routine: Routine, sentences: Sentences, why: str) -> RunReport:
    said = sentences.say("routine_failed", command=routine.command.rstrip(" .!"), why=Verbatim(why))
    return RunReport(answer=said, is_failure=True)


async def _async_end(task: asyncio.Task[None] | None) -> None:
    if task is not None:
        task.cancel()
        await asyncio.wait([task])
