"""What SAGE watches for a person: telling, ending, pausing, resuming it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

import probatio
from homeassistant.helpers import llm

from ..agent.decision import Finish, FinishKind
from ..agent.tool_call import TracedTool, error_result, text_result
from ..agent.trace import TraceNode
from ..home.authority import Confirmation
from ..routines.model import RoutineError, Status
from ..routines.routines import Watched
from .routine_search import find_routines, find_surely, means_all
from .routine_times import beginning
from .routine_words import RoutineWords
from .sage_tool import WRITES, SageTool

_TOLD: Final = 6
"""Routines that are read out; more are counted."""

_CANDIDATES: Final = 12


class Action(StrEnum):
    """What the person wants of their routines."""

    LIST = "list"
    DELETE = "delete"
    PAUSE = "pause"
    RESUME = "resume"


class RoutinesTool(SageTool, TracedTool):
    """Lists, deletes, pauses and resumes the person's own routines."""

    name = "sage__routines"
    title = "Watching"
    description = (
        "What is watched for or planned for the person: `list` it, `delete` it for good ('stop "
        "reminding me ...'), `pause` it, `resume` it."
    )
    annotations = WRITES
    parameters = probatio.Schema(
        {
            probatio.Required("action"): probatio.In([each.value for each in Action]),
            probatio.Optional(
                "which", description="words that name it, its number in the list, or all"
            ): str,
            probatio.Optional(
                "until", description="pause only: YYYY-MM-DD HH:MM or a weekday"
            ): str,
            probatio.Required(
                "final", description="true: its answer goes to the person, the usual case"
            ): bool,
        }
    )

    async def async_call_traced(
        self, tool_input: llm.ToolInput, llm_context: llm.LLMContext, trace: TraceNode
    ) -> llm.ToolResult | Finish:
        """Do it with the routines of the person of the run, never with others."""
        given = self.arguments(tool_input)
        action, which = Action(given["action"]), (given.get("which") or "").strip()
        own = self._own
        if not own or (action is Action.LIST and not which):
            return self._told(own, given)
        # What is ended must be what was meant: it is not enough that nothing fits better.
        find = find_surely if action in (Action.DELETE, Action.PAUSE) else find_routines
        found = find(own, which)
        if not found:
            return self._nothing_fits(own, which, given)
        if action is Action.LIST:
            return self._told(found, given)
        if len(found) > 1 and not means_all(which):
            return error_result(
                "It is not clear which one is meant. Call it again with its number, or ask the "
                f"person. There is:\n{self._numbered(found)}"
            )
        try:
            until = self._until(given) if action is Action.PAUSE else None
        except ValueError as err:
            return error_result(str(err))
        if action is Action.DELETE and len(found) > 1 and not await self._async_agreed(found):
            return error_result("The person did not confirm it, so nothing was deleted.")
        return await self._async_do(action, found, until, given)

    async def _async_do(
        self,
        action: Action,
        found: Sequence[Watched],
        until: datetime | None,
        given: Mapping[str, Any],
    ) -> llm.ToolResult | Finish:
        evidence = self.situation.evidence
        for each in found:
            try:
                told = await self._async_one(action, each, until)
            except RoutineError as err:
                return error_result(str(err))
            evidence.record_routine(told)
        told = " ".join(evidence.routines)
        if given.get("final") and not (evidence.wrote or evidence.kept):
            return Finish(kind=FinishKind.ACTED, answer=told)
        return text_result(f"Done: {told} When all is done, `finish` with kind `acted`.")

    async def _async_one(self, action: Action, watched: Watched, until: datetime | None) -> str:
        """Change one routine; return the words for it. Raises RoutineError."""
        routines, say = self.situation.routines, self.situation.sentences.say
        routine_id, gist = watched.routine.id, self._words.gist(watched.routine)
        match action:
            case Action.DELETE:
                await routines.async_delete(routine_id)
                return say("routine_deleted", routine=gist)
            case Action.PAUSE:
                await routines.async_pause(routine_id, until)
                if until is None:
                    return say("routine_paused_now", routine=gist)
                return say("routine_paused_until_now", time=self._words.time(until), routine=gist)
        now = await routines.async_resume(routine_id)
        if now.routine.status is Status.WATCHING:
            return say("routine_resumed", routine=gist)
        return self._words.listed(now)

    async def _async_agreed(self, found: Sequence[Watched]) -> bool:
        """Name to the person what would go; tell whether they agree."""
        situation = self.situation
        question = situation.sentences.say(
            "routines_delete_all", count=str(len(found)), routines=self._all(found)
        )
        return await situation.authority.async_agree(question) is Confirmation.GIVEN

    def _told(
        self, watched: Sequence[Watched], given: Mapping[str, Any]
    ) -> llm.ToolResult | Finish:
        """Return what there is: to the person, or numbered to the agent if it has more to do."""
        evidence = self.situation.evidence
        evidence.record_recall()
        if given.get("final") and not (evidence.wrote or evidence.kept or evidence.routines):
            return Finish(kind=FinishKind.ANSWERED, answer=self._listed(watched))
        return text_result(self._numbered(watched) if watched else self._listed(watched))

    def _nothing_fits(
        self, own: Sequence[Watched], which: str, given: Mapping[str, Any]
    ) -> llm.ToolResult | Finish:
        """Return what there is: the nearest to the agent, else all to the person."""
        if near := find_routines(own, which):
            return error_result(
                f'Nothing fits all of "{which}". Ask the person whether one of these is meant; if '
                f"so, call it again with its number:\n{self._numbered(near)}"
            )
        evidence = self.situation.evidence
        if given.get("final") and not (evidence.wrote or evidence.kept or evidence.routines):
            evidence.record_recall()
            is_asked = given["action"] == Action.LIST
            kind = FinishKind.ANSWERED if is_asked else FinishKind.COULD_NOT
            say = self.situation.sentences.say
            return Finish(kind=kind, answer=say("routines_no_such", routines=self._all(own)))
        return error_result(f'Nothing fits "{which}". There is:\n{self._numbered(own)}')

    def _listed(self, watched: Sequence[Watched]) -> str:
        return self._all(watched) if watched else self.situation.sentences.say("routines_none")

    def _all(self, watched: Sequence[Watched]) -> str:
        told = [self._words.listed(each) for each in watched[:_TOLD]]
        if (more := len(watched) - _TOLD) > 0:
            told.append(self.situation.sentences.say("routines_more", count=str(more)))
        return " ".join(told)

    def _numbered(self, watched: Sequence[Watched]) -> str:
        """Return the routines with their numbers in the list of all, for the model."""
        own = [each.routine.id for each in self._own]
        return "\n".join(
            f"{own.index(each.routine.id) + 1}. {self._words.listed(each)}"
            for each in watched[:_CANDIDATES]
        )

    def _until(self, given: Mapping[str, Any]) -> datetime | None:
        """Return until when it is to be paused. Raises ValueError with the mend."""
        if not (until := (given.get("until") or "").strip()):
            return None
        now = self.situation.run.utterance.now
        at = beginning(until, now)
        if at <= now:
            raise ValueError(f"{until} is past: it is {now:%Y-%m-%d %H:%M} now.")
        return at

    @property
    def _own(self) -> tuple[Watched, ...]:
        """The routines of the person of the run that are not over."""
        watched = self.situation.routines.list(self.situation.run.person.user_id)
        return tuple(each for each in watched if each.routine.status is not Status.ENDED)

    @property
    def _words(self) -> RoutineWords:
        return RoutineWords(self.situation.sentences, self.situation.run.utterance.now)
