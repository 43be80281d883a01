"""The tool that lists, deletes, pauses and resumes a person's routines."""

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

import probatio
from homeassistant.helpers import llm

from ...agent import FinishKind, error_result, final_answer, text_result
from ...home import Confirmation
from ...routines import Watched
from ...text import Verbatim, visible
from ..sage_tool import WRITES, Arguments, SageTool
from .routine_words import resumption
from .run_routines import RoutineOperation

_TOLD: Final = 6  # maximum routines that the answer describes; the others are counted

type Numbered = Mapping[int, Watched]
"""Routines by number. Each routine has a switch entity with the same number."""


class RoutinesTool(SageTool):
    """Lists, deletes, pauses and resumes the routines of a person."""

    name = "sage__routines"
    title = "Watching"
    description = (
        "What is watched for or planned for the person: `list` it, `delete` it for good ('stop "
        "reminding me ...', 'forget about that reminder'), `pause` it, `resume` it; these three "
        "need `numbers`."
    )
    annotations = WRITES
    parameters = probatio.Schema(
        {
            probatio.Required("action"): probatio.In([each.value for each in RoutineOperation]),
            probatio.Optional(
                "numbers",
                description=(
                    "the numbers of those that are meant, as listed under what is set up for "
                    "later; none fits: do not call this, finish with `could_not`"
                ),
            ): [int],
            probatio.Optional(
                "until", description="pause only: YYYY-MM-DD, its beginning, or YYYY-MM-DDTHH:MM"
            ): str,
            probatio.Required(
                "final", description="true: its answer goes to the person, the usual case"
            ): bool,
        }
    )

    def may_act(self, given: Arguments) -> bool:
        """Return whether a call changes routines, and does not only list them."""
        return bool(given) and given.get("action") != RoutineOperation.LIST

    async def async_use(self, given: Arguments) -> llm.ToolResult:
        """Execute an operation (`RoutineOperation`) on routines of the person.

        Returns one of these:

        - `Finish`, the final answer to the person, if the argument `final` is true and the answer
          needs to mention nothing else.
        - An error for the model: the arguments are invalid, or the person does not confirm.
        - A text for the model in all other cases.

        Raises RoutineError if the operation fails.
        """
        routines = self.situation.routines
        if routines.trouble is not None:
            return self._unreadable(routines.trouble, given)
        action = RoutineOperation(given["action"])
        own, numbers = routines.own(), given.get("numbers") or ()
        if not own or (action is RoutineOperation.LIST and not numbers):
            return self._list(own, given)
        if not numbers or any(number not in own for number in numbers):
            return error_result(
                "Nothing was changed. Call it again with the `numbers` of those that are meant; "
                "ask the person if that is not clear, finish with `could_not` if none is. There "
                "is:\n"
                f"{self._listing(own)}"
            )
        named = {number: own[number] for number in numbers}
        if action is RoutineOperation.LIST:
            return self._list(named, given)
        until, end = None, (given.get("until") or "").strip()
        try:
            if end and action is RoutineOperation.PAUSE:
                until = resumption(end, self.situation.run.utterance.now)
        except ValueError as err:
            return error_result(str(err))
        if not await self._async_agreed(action, named, given):
            return error_result("The person did not confirm it, so nothing was changed.")
        for each in named.values():
            await routines.async_change(action, each.routine, until)
        return routines.changed("Done", is_final=given["final"])

    async def _async_agreed(
        self, action: RoutineOperation, named: Numbered, given: Mapping[str, Any]
    ) -> bool:
        """Return whether the operation may be executed; ask the person if necessary.

        SAGE asks before it deletes several routines, and before any change that untrusted text,
        such as mail, may have caused.
        """
        situation, say = self.situation, self.situation.sentences.say
        if not await situation.run.async_asked_for(partial(self.is_same_call, given)):
            key, before = f"routines_{action}_ask", f"{say('outside_read')} "
        elif action is RoutineOperation.DELETE and len(named) > 1:
            key, before = "routines_delete_all", ""
        else:
            return True
        question, short = (
            visible(f"{before}{say(key, count=str(len(named)), routines=routines)}")
            for routines in (self._spoken(named, len(named)), self._spoken(named))
        )
        return await situation.authority.async_agree(question, short) is Confirmation.GIVEN

    def _unreadable(self, trouble: str, given: Mapping[str, Any]) -> llm.ToolResult:
        """Return the message that the routines cannot be read, as final answer or for the model."""
        if self._is_end(given):
            answer = self.situation.sentences.say("routines_unreadable")
            return final_answer(FinishKind.COULD_NOT, answer)
        return error_result(
            f"What is set up for later cannot be read now: {trouble} Nothing was changed, and it "
            "is not known what there is. Say so."
        )

    def _is_end(self, given: Mapping[str, Any]) -> bool:
        evidence = self.situation.evidence
        has_more = evidence.wrote or evidence.memory_changed or evidence.routines
        return given["final"] and not has_more

    def _list(self, watched: Numbered, given: Mapping[str, Any]) -> llm.ToolResult:
        unread = ""
        if (count := self.situation.routines.unreadable) > 0:
            unread = self.situation.sentences.say("routines_some_unreadable", count=str(count))
        if self._is_end(given):
            answer = f"{self._spoken(watched)} {unread}".strip()
            return final_answer(FinishKind.ANSWERED, answer)
        return text_result(f"{self._listing(watched)}\n{unread}".strip())

    def _spoken(self, watched: Numbered, most: int = _TOLD) -> Verbatim:
        """Return sentences for the person about these routines; about `most` of them in words."""
        say, words = self.situation.sentences.say, self.situation.routines.words
        if not watched:
            some = self.situation.routines.unreadable
            return say("routines_none_readable" if some else "routines_none")
        lines = [words.listed(each) for each in list(watched.values())[:most]]
        if (more := len(watched) - most) > 0:
            lines.append(say("routines_more", count=str(more)))
        return Verbatim(" ".join(lines))

    def _listing(self, watched: Numbered) -> str:
        """Return the routines, numbered; those with untrusted text taint the run that reads it."""
        if not watched:
            return self._spoken(watched)
        if any(each.routine.tainted for each in watched.values()):
            self.situation.run.taint()
        words = self.situation.routines.words
        return "\n".join(f"{number}. {words.listed(each)}" for number, each in watched.items())
