"""Executes a routine's action as its person, with the model if necessary; repairs its code."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from homeassistant.core import Context, HomeAssistant
from homeassistant.util import dt as dt_util
from homeassistant.util.ulid import ulid_now

from ...agent import (
    About,
    End,
    EndKind,
    Finish,
    FinishKind,
    FiredRoutine,
    Question,
    Run,
    Utterance,
    new_run,
)
from ...const import ROUTINE_PATIENCE, ROUTINE_QUESTION_TIMEOUT
from ...delivery import OpenQuestion, RoutineQuestions
from ...home import HomeError, HomeView, Outcome, outcomes_of, say_outcomes, undo_record
from ...people import HOUSEHOLD, KnownBy, Person, async_user
from ...run import Answering, SageAgent, SageConfigEntry
from ...text import Sentences, Verbatim, async_load_sentences, plain
from ...tools import Situation, async_rewritten
from ..api import firing_context_id
from ..conditions import async_commands
from ..routine_types import Commands, Condition, Firing, Routine, RoutineError, RoutineKind, Words
from ..sandbox.contract import CheckError

_LOGGER = logging.getLogger(__name__)


class RoutineRuns:
    """Executes the actions of routines; the model decides only without a valid stored action."""

    def __init__(self, hass: HomeAssistant, entry: SageConfigEntry) -> None:
        self._hass = hass
        self._entry = entry

    async def async_rewrite(self, routine: Routine, condition: Condition, error: CheckError) -> str:
        """Return the failing condition's code, rewritten by the model. Raises RoutineError."""
        runtime = self._entry.runtime_data
        if (agent := agent_of(runtime.agents, routine)) is None:
            raise RoutineError("SAGE has no agent. Add one, then resume the routine.")
        prompt = runtime.routines.task_info(agent.settings.prompts["routine_repair"])
        home = runtime.home.of(routine.person)
        return await async_rewritten(agent.settings, home, prompt, routine, condition, str(error))

    async def async_undo(self, routine: Routine, fired: Firing) -> Firing:
        """Undo the changes of an earlier execution (`fired`) of the action; return the result."""
        changed = outcomes_of(self._hass, fired.undo) if fired.undo else ()
        if not changed:
            return replace(fired, answer="", tainted=False, is_failure=False, undo=None)
        return await self.async_run(routine, fired, changed)

    async def async_run(
        self, routine: Routine, firing: Firing, undone: Sequence[Outcome] | None = None
    ) -> Firing:
        """Execute the action of a routine, or undo the changes `undone`; return the result."""
        sentences = await async_load_sentences(self._hass, routine.language)
        person = await self._async_person(routine)
        agent = agent_of(self._entry.runtime_data.agents, routine)
        if person is None or agent is None:
            why = sentences.say("routine_nobody" if person is None else "routine_no_agent")
            answer = _failed(routine, sentences, why)
            return replace(firing, answer=answer, tainted=False, is_failure=True, undo=None)
        if undone is None:
            text, work = routine.command, await self._async_stored(routine, person)
        else:
            text = sentences.say("routine_putting_back", command=routine.command)
            do = partial(HomeView.async_put_back_unless_changed, changed=undone)
            work = partial(_async_act, routine, do)
        run = self._new_run(routine, firing, person, agent, text)
        answering = Answering(
            self._hass, self._entry, agent, run, sentences, patience=ROUTINE_PATIENCE, work=work
        )
        end, was_asked = await self._async_end(routine, firing, run, answering, sentences)
        is_answer = end.kind is EndKind.ANSWER
        # Reminders, failures, answers and results of questions are always delivered.
        is_wanted = routine.notify or was_asked or routine.kind is RoutineKind.TELL
        answer = end.text if is_wanted or not answering.is_plain else ""
        return replace(
            firing,
            answer=answer if is_answer else _failed(routine, sentences, end.text),
            tainted=run.record.is_tainted,
            is_failure=not (is_answer and answering.did_all),
            undo=undo_record(self._hass, answering.outcomes) if undone is None else None,
        )

    async def _async_stored(
        self, routine: Routine, person: Person
    ) -> Callable[[Situation], Awaitable[Finish]] | None:
        """Return the work that executes the stored action; None if the model has to decide it."""
        match routine.action:
            case Words(text=text):
                return partial(_async_say, text)
            case Commands() as commands:
                home = self._entry.runtime_data.home.of(person)
                try:
                    requests = await async_commands(self._hass, home, commands)
                except HomeError as err:
                    _LOGGER.debug("A stored command is not valid any more: %s", err)
                    return None
                do = partial(HomeView.async_execute, requests=requests)
                return partial(_async_act, routine, do)
        return None

    async def _async_person(self, routine: Routine) -> Person | None:
        """Return the person of a routine; None if the person has no active user account.

        If SAGE can ask the person only at a voice satellite, anybody there could answer yes. The
        person is then not treated as signed in, and risky actions need the PIN.
        """
        if routine.owner is None:
            return HOUSEHOLD
        has_pin = self._entry.runtime_data.pin.is_set
        by_voice = has_pin and self._asking.is_by_voice(routine)
        known_by = KnownBy.SATELLITE if by_voice else KnownBy.SIGN_IN
        person = await async_user(self._hass, routine.owner, known_by)
        return person if person.is_known else None

    @property
    def _asking(self) -> RoutineQuestions:
        return RoutineQuestions(self._hass, self._entry.runtime_data.satellites)

    def _new_run(
        self, routine: Routine, firing: Firing, person: Person, agent: SageAgent, text: str
    ) -> Run:
        origin = Context(id=firing_context_id(firing), user_id=routine.owner)
        utterance = Utterance(
            text=text,
            person=person,
            context=origin,
            language=routine.language,
            conversation_id=ulid_now(),
            now=dt_util.now(),
            room=routine.room,
            satellite_id=routine.satellite_id,
            device_id=routine.device_id,
            routine=FiredRoutine(
                id=routine.id, when=routine.when, tells=routine.kind is RoutineKind.TELL
            ),
        )
        run = new_run(utterance, agent.settings, ROUTINE_QUESTION_TIMEOUT)
        if routine.tainted:
            run.taint()
        return run

    async def _async_end(
        self, routine: Routine, firing: Firing, run: Run, answering: Answering, sentences: Sentences
    ) -> tuple[End, bool]:
        """Execute a run with its questions; return its end and whether the person was asked."""
        task = self._entry.runtime_data.runs.start(
            self._hass, self._entry, run, answering.async_answer(), stopped=sentences.say("stopped")
        )
        asking: asyncio.Task[None] | None = None
        try:
            while not isinstance(event := await run.port.async_next(), End):
                if isinstance(event, Question):
                    await _async_cancel(asking)
                    asking = asyncio.create_task(
                        self._async_ask(routine, firing, run, event, sentences),
                        name=f"SAGE asks for routine {routine.id}",
                    )
        except asyncio.CancelledError:
            task.cancel()
            raise
        finally:
            await _async_cancel(asking)
        return event, asking is not None

    async def _async_ask(
        self, routine: Routine, firing: Firing, run: Run, question: Question, sentences: Sentences
    ) -> None:
        asked = run.port.open_question
        opened = OpenQuestion(
            owner=routine.owner,
            routine_id=routine.id,
            firing_id=firing.id,
            text=question.text,
            language=routine.language,
            wanted=question.wanted,
            takes_pin=question.is_secret,
        )
        try:
            reply = await self._asking.async_ask(routine, opened, sentences)
            now_asked = run.port.open_question
            if now_asked is None or not now_asked.is_secret:
                speaker = run.person.speaker_key(routine.satellite_id, routine.device_id)
                reply = await self._entry.runtime_data.pin.async_redact(
                    reply, routine.language, speaker, expected=False
                )
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


def agent_of(agents: Mapping[str, SageAgent], routine: Routine) -> SageAgent | None:
    """Return the agent that created a routine, or another one if deleted, or None."""
    return agents.get(routine.agent_id) or next(iter(agents.values()), None)


async def _async_say(text: str, _: Situation) -> Finish:
    return Finish(kind=FinishKind.ANSWERED, answer=plain(text))


async def _async_act(
    routine: Routine, do: Callable[[HomeView], Awaitable[Sequence[Outcome]]], situation: Situation
) -> Finish:
    sentences = situation.sentences
    try:
        outcomes = await do(situation.home)
    except HomeError:
        _LOGGER.debug("A device of a routine has just gone", exc_info=True)
        answer = _failed(routine, sentences, sentences.say("routine_gone"))
        return Finish(kind=FinishKind.COULD_NOT, answer=answer)
    answer = say_outcomes(situation.hass, sentences, outcomes, routine.language)
    return Finish(kind=FinishKind.ACTED, answer=answer, about=frozenset({About.HOME}))


def _failed(routine: Routine, sentences: Sentences, why: str) -> str:
    command = routine.command.rstrip(" .!")
    return sentences.say("routine_failed", command=command, why=Verbatim(why))


async def _async_cancel(task: asyncio.Task[None] | None) -> None:
    if task is not None:
        task.cancel()
        await asyncio.wait([task])
