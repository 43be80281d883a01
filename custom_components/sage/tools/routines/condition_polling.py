"""The condition polling tool (SAGE paper, section on device monitoring)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any, Final

import probatio
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
from homeassistant.util import dt as dt_util
from homeassistant.util.ulid import ulid_now

from ...agent import error_result, text_result
from ...home import Confirmation, HomeError, HomeView, ValidatedCommand
from ...routines import (
    WEEKDAYS,
    Commands,
    Condition,
    Daily,
    Decide,
    Moment,
    Repeat,
    Routine,
    RoutineError,
    RoutineKind,
    Words,
)
from ...routines.conditions import async_stored
from ...text import key, plain
from ..execute_command import CHANGE, EVENT, TELL, JudgedTiming, async_note_later
from ..sage_tool import WRITES, Arguments, SageTool, commands_given
from .routine_words import WAYS, expiry, timing, written_time
from .run_routines import WrittenCondition

_FINAL: Final = "true: the person hears what will happen and this ends; false: more is to be done"

_END_ALONE: Final = (
    "`end_function` goes with `function`, and is another one: what begins it and what ends it. "
    "If it is to begin now, do it now with `device_interaction`, then watch for the end with "
    "`function` alone, repeat once, and as `action` what is to be done then."
)
_NO_COMMANDS: Final = "Kind `do` needs `commands`. Devices it may mean:"
_FOR_THE_PERSON: Final = (
    "Kind `do` needs `commands`, and no device here does that. If the person is to be reminded or "
    "told: call it again with kind `tell`."
)
_ANOTHER_KIND: Final = {
    CHANGE: ("tell", "The home is to change then: call it again with kind `do` and `commands`."),
    TELL: ("do", "The person wants to be told: call it again with kind `tell`."),
}
"""What an event is to lead to (`JudgedTiming.then`) -> kind that contradicts it, error."""
_NOT_STORED: Final = (
    "Nothing was set up. Call it again with ids, commands and arguments as documented. If several "
    "devices fit and the request does not say which, give those, with `doubt` true. Only for what "
    "depends on how the home is then: kind `decide`."
)
_WHICH_WAS_ASKED: Final = "call it again with the devices that the person meant, without `doubt`."
_LONGEST_HOLD: Final = 31 * 24 * 60  # the maximum of `hold_minutes`: a month


KINDS: Final = ("do", "tell", "decide")
"""The kinds of action that the model chooses from.

- `do`: the model chooses commands now; SAGE executes them each time the routine runs.
- `tell`: the model writes a text now; SAGE delivers it each time the routine runs.
- `decide`: the model decides what to do each time the routine runs.
"""

COMMANDS: Final = [
    probatio.Schema(
        {
            probatio.Required("devices"): [str],
            probatio.Required("command"): str,
            probatio.Optional("arguments"): dict,
            probatio.Optional("component"): str,
            probatio.Optional("doubt"): bool,
        }
    )
]
"""Schema of the commands of a routine, with the same fields as the tool `execute_command`.

`doubt`: the person means only one of the devices but did not say which one.
"""


class ConditionPolling(SageTool):
    """Creates a routine: an action that runs at a time or when a condition becomes true."""

    name = "sage__condition_polling"
    title = "Watch"
    description = (
        "Have something done or told later: when the condition of `function` becomes true, or "
        "at a time. Give exactly one of function, in_minutes, at, daily."
    )
    annotations = WRITES
    parameters = probatio.Schema(
        {
            probatio.Required(
                "kind",
                description=(
                    "do: `commands` are executed then; tell: the person hears `action` then, a "
                    "reminder or message; decide: only for what depends on how the home is then, "
                    "has to be found out then, or needs another tool"
                ),
            ): probatio.In(list(KINDS)),
            probatio.Required(
                "action",
                description=(
                    "do and decide: what is to be done then, whole, in the person's words, without "
                    'the time or condition; tell: the words they hear: "Throw out the milk."'
                ),
            ): probatio.All(str, str.strip, probatio.Length(min=1, max=1_000)),
            # The argument is required, because small models omit optional ones; a missing list is
            # empty.
            probatio.Required(
                "commands",
                default=list,
                description=(
                    "with do: devices (ids), command and arguments as documented; doubt true if "
                    "only one of these devices is meant and the request does not say which; else []"
                ),
            ): COMMANDS,
            probatio.Optional(
                "notify", description="true only if they want to hear that it was done"
            ): bool,
            probatio.Optional("function", description="a name from `condition_code_writing`"): str,
            probatio.Optional("in_minutes", description='20 for "in 20 minutes"'): (
                probatio.Coerce(float)
            ),
            probatio.Optional(
                "at", description="once: HH:MM, the next time, or YYYY-MM-DDTHH:MM"
            ): str,
            probatio.Optional("daily", description="each day: HH:MM"): str,
            probatio.Optional("weekdays", description="only with daily or at HH:MM"): [
                probatio.In(WEEKDAYS)
            ],
            probatio.Optional(
                "repeat",
                description=(
                    'once: the next time only ("as soon as", "the next time", one errand such as '
                    'throw out the milk); always: each time ("whenever", "every", a plain "when")'
                ),
            ): probatio.In([each.value for each in Repeat]),
            probatio.Optional(
                "hold_minutes", description="how long it must be true without a break"
            ): probatio.All(probatio.Coerce(float), probatio.Range(min=0, max=_LONGEST_HOLD)),
            probatio.Optional(
                "until", description="the end of it: YYYY-MM-DD, its last day, or YYYY-MM-DDTHH:MM"
            ): str,
            probatio.Optional("undo_after", description="put it back when it is false again"): bool,
            probatio.Optional(
                "end_function",
                description=(
                    "with function, if something else ends it (over 70 until under 60): the "
                    "function of that; it is put back then"
                ),
            ): str,
            probatio.Required("final", description=_FINAL): bool,
        }
    )

    _asked_which = False
    _was_corrected = False

    async def async_use(self, given: Arguments) -> llm.ToolResult:
        """Store the routine and return the sentence that confirms it to the person.

        Returns an error for the model if arguments are invalid or the person does not confirm.
        """
        whole = given
        functions = ("function", "end_function")
        names = {
            name: whole[name].strip().removesuffix("()") for name in functions if name in whole
        }
        given = {
            name: value
            for name, value in {**whole, **names}.items()
            # Small models fill in every argument, so drop empty values.
            if value not in ("", 0, None, [])
        }
        # The message is shown and delivered without Markdown.
        given["action"] = plain(given["action"]) or given["action"]
        ways, written = [way for way in WAYS if way in given], self.situation.routines.written
        if not ways and len(written) == 1:
            given["function"] = next(iter(written))
        elif not ways and not written:
            await async_note_later(self.situation)
        elif len(ways) > 1 and given.get("function") not in written:
            given.pop("function", None)
        try:
            routine = self._routine(given)
        except ValueError as err:
            return error_result(str(err))
        try:
            action, asks_first, doubt = await self._async_action(given)
        except HomeError as err:
            return error_result(f"{err}\n{_NOT_STORED}")
        if doubt:
            return await self._async_which(doubt)
        # Untrusted text may have caused the code of a condition.
        is_own = not self.situation.run.record.is_tainted or (
            not isinstance(routine.trigger, Condition)
            and await self.situation.run.async_asked_for(partial(self.is_same_call, whole))
        )
        routine = replace(routine, action=action, tainted=not is_own)
        if (no := await self._async_refused(routine)) is not None:
            return no
        minutes = given.get("in_minutes")
        wait = None if minutes is None else timedelta(minutes=minutes)
        try:
            await self.situation.routines.async_create(routine, wait=wait, asks_first=asks_first)
        except RoutineError as err:
            return error_result(f"{err} Nothing was set up.")
        return self.situation.routines.changed("Set up", is_final=whole["final"])

    async def _async_action(
        self, given: Mapping[str, Any]
    ) -> tuple[Commands | Words | Decide, bool, Sequence[str]]:
        """Return the action, whether it asks first, and devices in doubt. Raises HomeError."""
        situation, commands = self.situation, given.get("commands")
        # With `paper_flow`, the model decides the commands at each firing.
        if situation.run.settings.paper_flow or given["kind"] == "decide":
            return Decide(), False, ()
        if error := self._contradiction(given["kind"]):
            raise HomeError(error)
        if given["kind"] == "tell":
            return Words(text=given["action"]), False, ()
        if not commands:
            shown, *_ = await situation.home.async_document_matching(given["action"])
            raise HomeError(f"{_NO_COMMANDS}\n{shown}" if shown else _FOR_THE_PERSON)
        return await async_stored_commands(situation.hass, situation.home, commands)

    def _contradiction(self, kind: str) -> str:
        """Return an error if the model had said otherwise, empty if not; an error only once."""
        judged = self.situation.run.record.all(JudgedTiming)
        then = judged[-1].then if judged and judged[-1].wish == EVENT else ""
        wrong, error = _ANOTHER_KIND.get(then, ("", ""))
        if kind != wrong or self._was_corrected:
            return ""
        self._was_corrected = True
        return error

    async def _async_which(self, names: Sequence[str]) -> llm.ToolResult:
        if self._asked_which:
            return error_result(_WHICH_WAS_ASKED)
        self._asked_which = True
        reply = await self.situation.async_ask_which(names)
        return text_result(f"{reply} Else {_WHICH_WAS_ASKED}")

    async def _async_refused(self, routine: Routine) -> llm.ToolResult | None:
        """Ask if untrusted text may have caused it; return None to go on, else an error."""
        situation = self.situation
        if not routine.tainted:
            return None
        question = situation.sentences.say(
            "routine_tainted", routine=situation.routines.proposed(routine)
        )
        if await situation.authority.async_agree(question) is Confirmation.GIVEN:
            return None
        return error_result(
            "The person did not confirm it, so nothing was set up. Finish with `could_not`."
        )

    def _routine(self, given: Mapping[str, Any]) -> Routine:
        """Return the routine of the arguments, without `action`. Raises ValueError with a fix."""
        situation = self.situation
        utterance = situation.run.utterance
        now = utterance.now
        trigger: Condition | Moment | Daily
        if (timed := timing(given, now)) is not None:
            trigger, when = timed, written_time(timed)
        else:
            code = self._written(given["function"])
            hold = timedelta(minutes=given.get("hold_minutes", 0.0))
            trigger = Condition(function=code.function, source=code.source, hold=hold)
            when = code.words
        end: Condition | None = None
        end_when, ends = "", given.get("end_function")
        if ends is not None and ends != given.get("function"):
            code = self._written(ends)
            end, end_when = Condition(function=code.function, source=code.source), code.words
            if not isinstance(trigger, Condition):
                raise ValueError(_END_ALONE)
        is_once = isinstance(trigger, Moment)
        repeat = Repeat.ONCE if is_once else Repeat(given.get("repeat", Repeat.ALWAYS))
        expires = expiry(given.get("until"), trigger, now)
        if self._is_due(given["action"]):
            raise ValueError("The moment for that has come: carry it out now.")
        return Routine(
            id=ulid_now(),
            owner=utterance.person.user_id,
            known_by=utterance.person.known_by,
            agent_id=situation.run.settings.agent_id,
            language=utterance.language,
            request=utterance.text,
            when=when,
            command=given["action"],
            trigger=trigger,
            repeat=repeat,
            created_at=dt_util.as_utc(now),
            kind=RoutineKind.TELL if given["kind"] == "tell" else RoutineKind.DO,
            notify=bool(given.get("notify")),
            undo_after=bool(end or given.get("undo_after")) and isinstance(trigger, Condition),
            end=end,
            end_when=end_when,
            expires=expires,
            room=utterance.room,
            satellite_id=utterance.satellite_id,
            device_id=utterance.device_id,
        )

    def _written(self, name: str) -> WrittenCondition:
        """Return this run's condition code with the function `name`. Raises ValueError."""
        written = self.situation.routines.written
        if name not in written:
            known = ", ".join(written)
            raise ValueError(
                f"No function `{name}` was written in this request. "
                + (f"There is: {known}." if known else "Call `condition_code_writing` first.")
            )
        return written[name]

    def _is_due(self, command: str) -> bool:
        """Return whether `command` is that of the routine being executed, to not postpone it."""
        situation = self.situation
        fired = situation.run.utterance.routine
        if fired is None or situation.evidence.wrote:
            return False
        said = key(situation.run.utterance.text)
        if key(command) == said:
            return True
        watched = situation.routines.firing
        is_moment = watched is not None and isinstance(watched.routine.trigger, Moment)
        # The command may still contain the time: "turn off the light in 20 minutes".
        return is_moment and key(command) in said


async def async_stored_commands(
    hass: HomeAssistant, home: HomeView, commands: Sequence[Mapping[str, Any]]
) -> tuple[Commands, bool, Sequence[str]]:
    """Validate device commands in the schema `COMMANDS`; nothing is executed.

    Returns the commands in the form to store, whether the person must confirm a command each time
    the routine runs, and the names of devices of which the person means only one; these are empty
    if nothing is unclear. Raises HomeError for invalid commands; its text says how to fix them and
    documents the devices.
    """
    validated: list[ValidatedCommand] = []
    asks_first = False
    for given in commands:
        devices = tuple(dict.fromkeys(given["devices"]))
        if not devices:
            raise HomeError("`devices` of a command needs the id of at least one device.")
        try:
            rehearsed = await home.async_rehearse(commands_given(given))
        except HomeError as err:
            shown, *_ = await home.async_document_matching("", recent=devices)
            raise HomeError(f"{err}\n{shown}") from err
        if given.get("doubt") and len(rehearsed) > 1:
            return Commands(commands=()), False, [each.device_name for each, _ in rehearsed]
        validated += [command for command, _ in rehearsed]
        asks_first = asks_first or any(asks for _, asks in rehearsed)
    return await async_stored(hass, home, validated), asks_first, ()
