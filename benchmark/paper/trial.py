"""One case with one method, in a home of its own."""

import asyncio
import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from homeassistant.helpers import entity_registry as er

from .case import Category, Criterion, Event, Observation, PaperCase, Place, State
from .criteria import Quiet, Schedules, Writes, text_of
from .home import PaperHome, paper_home
from .methods import MethodRecord, MethodSettings, PaperMethod, Reply, Utterance
from .result import FailureReason, TaskResult

_YES: Final = "yes"
_MOST_REPLIES: Final = 6
"""Replies to questions and confirmations in one case."""

_SERVED: Final = "RequestHandler.start"
"""A connection of the servers around the home; clients keep it open."""

_GRACE: Final = 2.0
"""Seconds in which tasks that a method started have to end."""


@dataclass(slots=True)
class _Course:
    """What happened so far."""

    answers: list[str] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    confirmations: int = 0
    problems: list[str] = field(default_factory=list)
    unwanted: list[str] = field(default_factory=list)
    written: tuple[str, ...] = ()
    seconds: float = 0.0
    leftovers: list[str] = field(default_factory=list)


async def async_try(
    folder: Path, case: PaperCase, settings: MethodSettings, method: PaperMethod, repeat: int = 1
) -> TaskResult:
    """Return the result of a case; `folder` is empty."""
    started = datetime.now(UTC)
    course = _Course()
    async with paper_home(folder, case) as home:
        try:
            await method.async_set_up(home)
            await method.async_settle(home)
            await _Trial(home, method, course).async_run()
        finally:
            await method.async_close()
    return _result(case, settings, course, method.record(), repeat, started)


class _Trial:
    def __init__(self, home: PaperHome, method: PaperMethod, course: _Course) -> None:
        self._home = home
        self._case = home.case
        self._method = method
        self._course = course

    async def async_run(self) -> None:
        """Say the command, let the events happen, and note what is wrong."""
        home, case = self._home, self._case
        before, tasks = home.state(), asyncio.all_tasks()
        began = time.perf_counter()
        self._course.answers.append(await self._async_talk(case.command))
        self._course.seconds = time.perf_counter() - began
        await self._method.async_settle(home)
        await self._async_note_leftovers(tasks)
        await self._async_judge(before, (*case.criteria, calm(case)), case.allowed, heard=0)
        for number, event in enumerate(case.events, start=1):
            await self._async_let_happen(number, event)

    async def _async_talk(self, command: str) -> str:
        """Say a command, and reply as the case says; return the last words."""
        case, course = self._case, self._course
        reply = await self._async_say(command, None)
        for _ in range(_MOST_REPLIES):
            if not reply.is_question:
                break
            if reply.is_confirmation:
                course.confirmations += 1
                said = _YES
            else:
                course.questions.append(reply.text)
                if case.answerer is None:
                    break
                number = min(len(course.questions), len(case.answerer.replies))
                said = case.answerer.replies[number - 1]
            reply = await self._async_say(said, reply.conversation_id)
        return reply.text

    async def _async_say(self, text: str, conversation_id: str | None) -> Reply:
        said = Utterance(person=self._case.person, text=text, conversation_id=conversation_id)
        return await self._method.async_say(self._home, said)

    async def _async_let_happen(self, number: int, event: Event) -> None:
        home = self._home
        if event.restarts:
            await home.async_restart()
            await self._method.async_set_up(home)
        heard = sum(map(len, home.notifications().values()))
        home.change(event.sets)
        before = home.state()
        await home.async_settle()
        await self._method.async_settle(home)
        if event.says:
            self._course.answers.append(await self._async_talk(event.says))
            await self._method.async_settle(home)
        await home.async_pass(event.minutes)
        await self._method.async_settle(home)
        known = len(self._course.problems)
        await self._async_judge(before, event.criteria, event.allowed, heard=heard)
        self._course.problems[known:] = [
            f"after event {number}: {each}" for each in self._course.problems[known:]
        ]

    async def _async_judge(
        self,
        before: State,
        criteria: Sequence[Criterion],
        allowed: Iterable[Place],
        *,
        heard: int,
    ) -> None:
        """Note what is not as it should be; `heard`: number of older notifications."""
        home, course = self._home, self._course
        seen = Observation(
            state=home.state(),
            before=before,
            answer=_without_ids(course.answers[-1], home),
            sent=await home.async_sent(),
            drafts=await home.async_drafts(),
            events=await home.async_events(),
            notifications=home.notifications(since=heard),
            routines=home.routines(),
        )
        course.written = tuple(text_of(each) for each in (*seen.sent, *seen.drafts))
        course.problems += [problem for each in criteria for problem in each.problems(seen)]
        course.unwanted += unwanted_changes(seen, criteria, allowed)

    async def _async_note_leftovers(self, before: set[asyncio.Task[object]]) -> None:
        """Note the tasks of the method that do not end by themselves."""
        others = asyncio.all_tasks() - before - {asyncio.current_task()}
        # Home Assistant's own background tasks may last.
        own = self._home.hass._background_tasks  # noqa: SLF001
        left = [each for each in others if each not in own and _coroutine(each) != _SERVED]
        if left:
            _, pending = await asyncio.wait(left, timeout=_GRACE)
            self._course.leftovers = sorted(_coroutine(each) for each in pending)
            for each in pending:
                each.cancel()


def _coroutine(task: asyncio.Task[object]) -> str:
    return str(getattr(task.get_coro(), "__qualname__", task.get_name()))


def calm(case: PaperCase) -> Criterion:
    """Return the criterion that nothing else happens outside the home."""
    return Quiet(
        may_write=any(isinstance(each, Writes) for each in case.criteria),
        may_schedule=any(isinstance(each, Schedules) for each in case.criteria),
        may_watch=Category.PERSISTENCE in case.categories,
    )


def unwanted_changes(
    seen: Observation, criteria: Sequence[Criterion], allowed: Iterable[Place]
) -> list[str]:
    """Return the changes of attributes that neither the criteria nor the case allow."""
    free = frozenset(allowed).union(*(each.places for each in criteria))
    before, after = seen.before, seen.state
    return [
        f"{place} {before.get(place)!r} -> {after.get(place)!r}"
        for place in sorted(before.keys() | after)
        if not _is_free(place, free) and before.get(place) != after.get(place)
    ]


def _is_free(place: Place, free: frozenset[Place]) -> bool:
    return place in free or Place(place.device, "*", "*", "*") in free


def _without_ids(text: str, home: PaperHome) -> str:
    """Return a text without ids of devices and entities, whose digits and words prove nothing."""
    ids = {
        *home.device_ids().values(),
        *home.registry_ids().values(),
        *(row.entity_id for row in er.async_get(home.hass).entities.values()),
    }
    longest_first = sorted(ids, key=len, reverse=True)
    return re.sub("|".join(map(re.escape, longest_first)), " ", text)


def _result(
    case: PaperCase,
    settings: MethodSettings,
    course: _Course,
    record: MethodRecord,
    repeat: int,
    started: datetime,
) -> TaskResult:
    needed = 0 if case.answerer is None else case.answerer.needed
    reason, problems = _verdict(case, course, record)
    return replace(
        blank_result(case, settings, repeat, started),
        success=reason is None,
        reason=reason,
        problems=tuple(problems),
        answer="\n".join(course.answers),
        calls=record.calls,
        new_tokens=record.prompt_tokens - record.cached_tokens,
        cached_tokens=record.cached_tokens,
        completion_tokens=record.completion_tokens,
        seconds=round(course.seconds, 3),
        unwanted=tuple(course.unwanted),
        false_claims=record.false_claims,
        questions=tuple(course.questions),
        written=course.written,
        model_failures=record.model_failures,
        superfluous_questions=max(0, len(course.questions) - needed),
        confirmations=course.confirmations,
        trace=record.trace,
    )


def _verdict(
    case: PaperCase, course: _Course, record: MethodRecord
) -> tuple[FailureReason | None, list[str]]:
    """Return the first reason of failure, and all problems."""
    superfluous = course.confirmations - case.confirmations
    found = {
        FailureReason.LEFTOVER_TASKS: [f"left behind: {each}" for each in course.leftovers],
        FailureReason.CONFIRMATION: [f"{superfluous} confirmations too many"] * (superfluous > 0),
        FailureReason.MALFORMED_REPLY: [f"malformed: {each}" for each in record.malformed],
        FailureReason.CRITERION: course.problems,
        FailureReason.UNWANTED_CHANGE: [f"changed: {each}" for each in course.unwanted],
        FailureReason.FALSE_CLAIM: [f"not true: {each}" for each in record.false_claims],
    }
    reason = next((each for each, problems in found.items() if problems), None)
    return reason, [each for problems in found.values() for each in problems]


def blank_result(
    case: PaperCase, settings: MethodSettings, repeat: int, started: datetime
) -> TaskResult:
    """Return a result that says only what was measured, as a failure."""
    return TaskResult(
        case=case.id,
        suite=case.suite,
        command=case.command,
        person=case.person,
        method=settings.name,
        model=settings.model,
        repeat=repeat,
        vision=settings.vision,
        state_form=settings.state_form,
        categories=tuple(sorted(case.categories)),
        components=tuple(sorted(case.components)),
        success=False,
        started=started.isoformat(timespec="seconds"),
        date=started.date().isoformat(),
    )
