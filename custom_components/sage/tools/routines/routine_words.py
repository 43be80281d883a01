"""Composes sentences about routines from the translations.

A routine is a stored command that runs at a time or when a condition becomes true.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Final

from homeassistant.util import dt as dt_util

from ...home import RiskClass, RiskyAction, say_commands
from ...routines import (
    Commands,
    Condition,
    Daily,
    Moment,
    Repeat,
    Routine,
    RoutineKind,
    Status,
    Watched,
    Words,
)
from ...text import Sentences, Verbatim

_WEEK: Final = 7
_DAY: Final = timedelta(days=1)

_TWO_STOPS: Final = re.compile(r"(?<=[.!?…])(\s?[”“»])\.$")
"""The end of a sentence with a message that has its own full stop."""

_MOST_NAMES: Final = 8
"""Maximum number of device names in one clause; further devices are only counted."""


@dataclass(frozen=True, slots=True)
class RoutineWords:
    """Composes sentences about routines in the language of `sentences`."""

    sentences: Sentences
    now: datetime
    """The local time on which "today" and "tomorrow" depend.

    With a time in the far past, each day is named by its date.
    """

    has_twelve_hours: bool = False
    """Whether times are those of a 12-hour clock: 7:00 PM instead of 19:00."""

    def gist(
        self,
        routine: Routine,
        wait: timedelta | None = None,
        most_names: int | None = _MOST_NAMES,
    ) -> Verbatim:
        """Return a sentence about a routine: its trigger, its action and its end, if it has one.

        `wait`: the duration if the person said one, as in "in 20 minutes"; it becomes part of the
        sentence. `most_names`: maximum number of devices that are named in a command; None: all.
        """
        say = self.sentences.say
        trigger = self._trigger(routine, self._action(routine, most_names))
        if wait is not None:
            trigger = say("routine_wait", duration=self.duration(wait), routine=trigger)
        parts: list[str] = [_capital(_TWO_STOPS.sub(r"\1", trigger))]
        if routine.end is not None:
            key = "routine_end" if routine.kind is RoutineKind.DO else "routine_end_tell"
            parts.append(say(key, when=_unended(routine.end_when)))
        elif routine.undo_after:
            parts.append(say("routine_undo_after"))
        if routine.expires is not None:
            parts.append(self._until(routine.expires))
        return Verbatim(" ".join(parts))

    def name(self, routine: Routine) -> str:
        """Return a name for a routine: its trigger, and its action as the person worded it.

        Example: "Whenever the fridge is opened: turn on the hall light", without a full stop.
        """
        return _unended(_capital(self._trigger(routine, _unended(routine.command))))

    def made(
        self,
        watched: Watched,
        wait: timedelta | None = None,
        devices: Sequence[str] = (),
        *,
        asks_first: bool = False,
    ) -> str:
        """Return the sentences that confirm a new routine to the person.

        - `wait`: the duration if the person said one, as in "in 20 minutes"
        - `devices`: names of the devices that the condition reads
        - `asks_first`: whether the person has to confirm each execution of the routine
        """
        say = self.sentences.say
        routine = watched.routine
        parts = [say("routine_made", routine=self.gist(routine, wait))]
        if asks_first:
            parts.append(say("routine_asks_first"))
        parts += self._also(routine, devices)
        if isinstance(routine.trigger, Condition):
            if watched.memo.before is None:
                parts.append(say("routine_unknown_now"))
            elif watched.memo.before:
                parts.append(say("routine_already"))
        return Verbatim(" ".join(parts))

    def proposed(self, routine: Routine, devices: Sequence[str]) -> Verbatim:
        """Return all of a new routine, for a question; `devices`: the devices that it reads."""
        return Verbatim(
            " ".join([self.gist(routine, most_names=None), *self._also(routine, devices)])
        )

    def listed(self, watched: Watched) -> str:
        """Return the sentence about a routine for a list, with its status if it is not active."""
        routine = watched.routine
        gist = self.gist(routine)
        if watched.status is Status.WATCHING:
            return gist
        if routine.status is Status.PAUSED and routine.paused_until is not None:
            until = self.time(routine.paused_until)
            return Verbatim(f"{gist} {self.sentences.say('routine_paused_until', time=until)}")
        return Verbatim(f"{gist} {self.sentences.say(f'routine_is_{watched.status.value}')}")

    def time(self, at: datetime) -> str:
        """Return a time in words, in the local time zone: "tomorrow at 07:00"."""
        local = dt_util.as_local(at)
        key, day = self._day(local.date())
        return self.sentences.say(
            f"time_{key}", clock=_clock(local.time(), self.has_twelve_hours), **day
        )

    def duration(self, span: timedelta) -> str:
        """Return a duration in words: "1 hour and 30 minutes"."""
        return self.sentences.duration(span)

    def _also(self, routine: Routine, devices: Sequence[str]) -> Iterator[Verbatim]:
        if routine.notify:
            yield self.sentences.say("routine_notifies")
        if devices:
            yield self.sentences.say("routine_goes_by", devices=self.sentences.joined(devices))

    def _until(self, expires: datetime) -> str:
        """Return the end of a routine in words, such as "until Monday".

        An end at midnight is named by the day before it.
        """
        local = dt_util.as_local(expires)
        if local.time() != time.min:
            return self.sentences.say("routine_until", time=self.time(expires))
        key, day = self._day(local.date() - _DAY)
        return self.sentences.say(f"routine_until_{key}", **day)

    def _day(self, day: date) -> tuple[str, Mapping[str, str]]:
        """Return the last part of a translation key for a day, and the placeholders."""
        days = (day - self.now.date()).days
        if days in (0, 1):
            return ("today" if days == 0 else "tomorrow"), {}
        if 1 < days < _WEEK:
            return "weekday", {"weekday": self._weekdays[day.weekday()]}
        say = self.sentences.say
        named = {
            "day": say("first_day_of_month") if day.day == 1 else str(day.day),
            "month": say("month_names").split(",")[day.month - 1],
            "year": str(day.year),
        }
        return ("date" if day.year == self.now.year else "date_year"), named

    def _trigger(self, routine: Routine, command: str) -> str:
        say = self.sentences.say
        match routine.trigger:
            case Moment(at=at):
                return say("routine_moment", time=self.time(at), command=command)
            case Daily() as daily:
                return say(
                    "routine_daily",
                    days=self._days(daily.weekdays),
                    clock=_clock(daily.at, self.has_twelve_hours),
                    command=command,
                )
            case Condition() as condition:
                hold = condition.hold
                lasting = say("routine_hold", duration=self.duration(hold)) if hold else ""
                key = "once" if routine.repeat is Repeat.ONCE else "always"
                return say(
                    f"routine_{key}", when=_unended(routine.when), hold=lasting, command=command
                )

    def _action(self, routine: Routine, most_names: int | None) -> str:
        """Return the action of a routine in words, such as "I'll switch on Hall Light"."""
        match routine.action:
            case Commands(commands=commands):
                actions = [
                    RiskyAction(
                        risk=RiskClass.OUTSIDE,
                        thing=f"{command.target} {command.component}",
                        device_name=command.name,
                        command=command.command,
                        arguments=command.arguments,
                    )
                    for command in commands
                ]
                said = say_commands(self.sentences, actions, most_names)
                return self.sentences.say("routine_do", actions=said)
            case Words(text=text):
                return self.sentences.say("routine_say", words=text)
        return routine.command.strip().rstrip(".! ")

    def _days(self, weekdays: frozenset[int]) -> str:
        if len(weekdays) == _WEEK:
            return self.sentences.say("days_all")
        if weekdays == frozenset(range(5)):
            return self.sentences.say("days_working")
        names = [self._weekdays[day] for day in sorted(weekdays)]
        return self.sentences.say("days_some", days=self.sentences.joined(names))

    @property
    def _weekdays(self) -> list[str]:
        return self.sentences.say("weekday_names").split(",")


def _clock(at: time, has_twelve_hours: bool) -> str:
    if not has_twelve_hours:
        return f"{at:%H:%M}"
    return f"{at.hour % 12 or 12}:{at:%M} {'AM' if at.hour < 12 else 'PM'}"


def _capital(text: str) -> Verbatim:
    return Verbatim(text[:1].upper() + text[1:])


def _unended(text: str) -> str:
    return text.strip().rstrip(".! ")
