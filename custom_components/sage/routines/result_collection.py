"""Executes function calls, such as `get_state("lamp")`, for the code of many conditions.

A slow result delays only the conditions that need it.
"""

import asyncio
import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Final

from homeassistant.core import HomeAssistant

from .interfaces import ConditionOwner, FunctionProvider, WatchedResult, WatchedResults
from .sandbox.sandbox_types import FunctionCall, FunctionResult

_LOGGER = logging.getLogger(__name__)

PATIENCE: Final = 0.3
"""Maximum seconds to wait for the results of function calls.

If a call is slower, its condition is evaluated when the result arrives.
"""

_AT_ONCE: Final = 25
"""Maximum number of calls to execute without yielding to the event loop."""

_WITHOUT_A_BREAK: Final = 0.004
"""Maximum seconds of work without yielding to the event loop."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Want:
    """The function calls, such as `get_state("lamp")`, whose results one condition needs."""

    id: str
    owner: ConditionOwner
    questions: Collection[FunctionCall]
    alone: bool = False
    """Whether to execute these calls separately from those of other conditions.

    Needed if a call has a device name, such as "lamp", that is not yet assigned to a device in this
    condition. In another condition, the same name may be assigned to another device.
    """


@dataclass(slots=True, kw_only=True)
class _WantGroup:
    """Calls for the conditions of one person; identical calls are executed only once.

    A device name means the same device in all these conditions.
    """

    owner: ConditionOwner
    bindings: dict[str, str] = field(default_factory=dict)
    questions: dict[str, dict[FunctionCall, None]] = field(default_factory=dict)
    """Function name -> its calls; the dict of calls is an ordered set."""

    wants: list[_Waiting] = field(default_factory=list)

    def takes(self, want: Want) -> bool:
        """Return whether each device name in both `want` and the group means the same device."""
        known = self.bindings
        return all(known.get(name, ref) == ref for name, ref in want.owner.bindings.items())

    def add(self, want: Want) -> None:
        for question in want.questions:
            self.questions.setdefault(question.function, {})[question] = None
        self.bindings.update(want.owner.bindings)
        self.wants.append(_Waiting(want))


class _Waiting:
    """The calls of one condition: the results so far, and the calls without a result."""

    __slots__ = ("answers", "open", "want")

    def __init__(self, want: Want) -> None:
        self.want = want
        self.answers: dict[FunctionCall, WatchedResult] = {}
        self.open = set(want.questions)

    def take(self, answers: WatchedResults) -> bool:
        """Add the results of calls that had none; return True if all calls have results now."""
        for question in self.open & answers.keys():
            self.answers[question] = answers[question]
            self.open.remove(question)
        return not self.open


class ResultCollector:
    """Gets the results of function calls for the code of many conditions.

    A slow function delays only the conditions that call it.
    """

    def __init__(
        self,
        hass: HomeAssistant,
        answers: FunctionProvider,
        late: Callable[[str, WatchedResults], None],
    ) -> None:
        """`late` receives the id and the results of a `Want` whose calls were too slow.

        `answers` executes the calls.
        """
        self._hass = hass
        self._answers = answers
        self._late = late
        self._tasks: set[asyncio.Task[None]] = set()

    async def async_ask(
        self, wants: Sequence[Want], *, patience: float | None = PATIENCE
    ) -> dict[str, WatchedResults]:
        """Execute the calls of all `wants`; return `Want.id` -> results of its calls.

        Leaves out each `Want` that takes longer than `patience` seconds (None: no limit). The
        callback `late` of the constructor receives its results.
        """
        found: dict[str, WatchedResults] = {}
        waiting = True

        def arrived(want: Want, answers: WatchedResults) -> None:
            if waiting:
                found[want.id] = answers
            else:
                self._late(want.id, answers)

        since = monotonic()
        under_way: set[asyncio.Task[None]] = set()
        for group in _groups(wants):
            for questions in group.questions.values():
                task = self._begin(group, tuple(questions), arrived)
                if not task.done():
                    under_way.add(task)
                if monotonic() - since > _WITHOUT_A_BREAK:
                    await asyncio.sleep(0)
                    since = monotonic()
        if under_way:
            await asyncio.wait(under_way, timeout=patience)
        waiting = False
        return found

    def answered_at_once(
        self, owner: ConditionOwner, questions: Collection[FunctionCall]
    ) -> WatchedResults:
        """Return the results if all calls finish at once without an error, else an empty dict."""
        if not questions:
            return {}
        asking = asyncio.Task(self._answers.async_answer(owner, questions), eager_start=True)
        if not asking.done():
            asking.cancel()
            return {}
        if (error := asking.exception()) is not None:
            _LOGGER.debug("A changed value could not be read at once", exc_info=error)
            return {}
        return asking.result()

    @property
    def is_busy(self) -> bool:
        """Whether a call of a condition function is in progress."""
        return bool(self._tasks)

    async def async_stop(self) -> None:
        """Cancel all calls that have no result yet."""
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _begin(
        self,
        group: _WantGroup,
        questions: Sequence[FunctionCall],
        arrived: Callable[[Want, WatchedResults], None],
    ) -> asyncio.Task[None]:
        task = self._hass.async_create_background_task(
            self._async_ask_function(group, questions, arrived), "sage routines: answers"
        )
        if not task.done():
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return task

    async def _async_ask_function(
        self,
        group: _WantGroup,
        questions: Sequence[FunctionCall],
        arrived: Callable[[Want, WatchedResults], None],
    ) -> None:
        owner = ConditionOwner(person=group.owner.person, bindings=group.bindings)
        answers = await self._async_answers(owner, questions)
        for waiting in group.wants:
            if waiting.open and waiting.take(answers):
                arrived(waiting.want, waiting.answers)

    async def _async_answers(
        self, owner: ConditionOwner, questions: Sequence[FunctionCall]
    ) -> WatchedResults:
        answers: dict[FunctionCall, WatchedResult] = {}
        since = monotonic()
        for some in _portions(questions):
            try:
                answers |= await self._answers.async_answer(owner, some)
            except Exception:
                # An error of SAGE or of an integration must not stop all checks.
                _LOGGER.warning("The condition functions of a routine failed", exc_info=True)
            if monotonic() - since > _WITHOUT_A_BREAK:
                await asyncio.sleep(0)
                since = monotonic()
        unknown = WatchedResult(answer=FunctionResult(is_unknown=True))
        return {question: answers.get(question, unknown) for question in questions}


def _portions(questions: Sequence[FunctionCall]) -> Iterator[Sequence[FunctionCall]]:
    for start in range(0, len(questions), _AT_ONCE):
        yield questions[start : start + _AT_ONCE]


def _groups(wants: Iterable[Want]) -> list[_WantGroup]:
    groups: list[_WantGroup] = []
    shared: dict[tuple[str | None, str], list[_WantGroup]] = {}
    for want in wants:
        person = want.owner.person
        if want.alone:
            group = _WantGroup(owner=want.owner)
            groups.append(group)
        else:
            same = shared.setdefault((person.user_id, person.known_by), [])
            found = next((each for each in same if each.takes(want)), None)
            if found is None:
                found = _WantGroup(owner=want.owner)
                same.append(found)
                groups.append(found)
            group = found
        group.add(want)
    return groups
