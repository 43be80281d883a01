"""Reads the times of routines from tool arguments, and composes sentences about routines."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final

from homeassistant.util import dt as dt_util

from ...home import RiskClass, RiskyAction, say_commands
from ...routines import (
    WEEKDAYS,
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
    next_due,
)
from ...text import Sentences, Verbatim

WAYS: Final = ("function", "in_minutes", "at", "daily")
"""The arguments that define when a routine runs; a call has exactly one of them."""

EVERY_DAY: Final = frozenset(range(7))

_NO_TIME: Final = (
    "If something has to happen first: call `condition_code_writing` now, with what the person "
    "said has to happen; this comes after. Else call it again with exactly one of `in_minutes` "
    "(20), `at` (21:00), `daily` (07:00) and `function`."
)
_ONE_WAY: Final = (
    "Call it again with exactly one of `in_minutes` (20), `at` (21:00), `daily` (07:00) and "
    "`function` (a name from `condition_code_writing`). What is to be found out at that time "
    "stands in `action`."
)
_NOT_EACH_TIME: Final = (
    "`{way}` is for one time, it cannot repeat. For one time leave `repeat` out. Repetition "
    "needs `daily` (07:00, with `weekdays`) or `function`. To repeat after a number of minutes is "
    "not possible: tell the person."
)
_NO_DAYS: Final = {
    "in_minutes": "`weekdays` goes with `daily` or `at`. Leave it out with `in_minutes`.",
    "function": (
        "`weekdays` goes with `daily` or `at`. With a function, have it test the day itself "
        "(`now().weekday()`, 0 is Monday), then leave `weekdays` out."
    ),
}
"""Way that takes no `weekdays` -> how to fix the arguments."""

_FURTHEST: Final = timedelta(days=366 * 5)
_END_OF_DAY: Final = "24:00"


def timing(given: Mapping[str, Any], now: datetime) -> Moment | Daily | None:
    """Return when a routine runs, from the arguments of the tool `condition_polling`.

    `now` is local time. The result is one point in time (`Moment`), a clock time on some weekdays
    (`Daily`), or None for a condition. Raises ValueError; its text says how to fix the arguments.
    """
    if (ways := sum(way in given for way in WAYS)) != 1:
        raise ValueError(_ONE_WAY if ways else _NO_TIME)
    days = frozenset(map(WEEKDAYS.index, given.get("weekdays", ()))) or EVERY_DAY
    way = next(name for name in WAYS if name in given)
    repeat, has_days = given.get("repeat"), days != EVERY_DAY
    if repeat == Repeat.ALWAYS and (way == "in_minutes" or (way == "at" and has_days)):
        raise ValueError(_NOT_EACH_TIME.format(way=way))
    if has_days and way in _NO_DAYS:
        raise ValueError(_NO_DAYS[way])
    match way:
        case "in_minutes":
            minutes = given[way]
            if not 0 < minutes <= _FURTHEST / timedelta(minutes=1):
                raise ValueError("`in_minutes` must be more than 0, and not years ahead.")
            return Moment(at=_ahead(dt_util.as_utc(now) + timedelta(minutes=minutes), now))
        case "at":
            return Moment(at=_ahead(moment(given[way], now, days), now))
        case "daily":
            daily = _daily(given[way].strip(), days)
            if daily is None:
                raise ValueError(f'"{given[way]}" is no time. Write `daily` as HH:MM, like 07:00.')
            return Moment(at=_next(daily, now)) if repeat == Repeat.ONCE else daily
    return None


def expiry(
    until: str | None, trigger: Condition | Moment | Daily, now: datetime
) -> datetime | None:
    """Return the end time of a routine in UTC; None if `until` is None.

    `now` is local time. A date without a time means the end of that day. Raises ValueError if
    `until` is invalid or the routine would end before it is first due; the text says how to fix
    this.
    """
    if until is None:
        return None
    expires = _ahead(moment(until, now, of_day=timedelta(days=1)), now)
    start = dt_util.as_utc(now)
    if isinstance(trigger, Condition):
        first: datetime | None = start + trigger.hold
    else:
        first = next_due(trigger, start, dt_util.get_default_time_zone())
    if first is not None and expires <= first:
        raise ValueError(
            f"It would end ({_written(expires)}) before it is due for the first time "
            f"({_written(first)}). Give a later `until`, or leave it out."
        )
    return expires


def resumption(until: str, now: datetime) -> datetime:
    """Return the end time of a pause in UTC.

    `now` is local time. A date without a time means the start of that day. Raises ValueError for an
    invalid `until`; its text says how to fix it.
    """
    return _ahead(moment(until, now, of_day=timedelta(0)), now)


def moment(
    text: str, now: datetime, days: frozenset[int] = EVERY_DAY, of_day: timedelta | None = None
) -> datetime:
    """Parse the text of a time, such as "21:30", and return the time in UTC.

    - "HH:MM" is the next such time on one of the weekdays `days` (0 is Monday); "24:00" is the end
      of a day.
    - A date-time without an offset is local time, like `now`; the first one if clocks show it
      twice.
    - A date without a time means the time `of_day` after the start of that day.

    Raises ValueError for other forms, a date if `of_day` is None, or a date-time not on one of
    `days`.
    """
    text = text.strip()
    if (daily := _daily(text, days)) is not None:
        return _next(daily, now)
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(
            f'"{text}" is no time. Write HH:MM or YYYY-MM-DDTHH:MM, such as 21:30.'
        ) from None
    # Time zone conversions may fail in the years 1 and 9999.
    if not date.min.year < at.year < date.max.year:
        raise ValueError(f"{text} is too far ahead or past. Leave it out for no end.")
    if _is_day(text):
        if of_day is None:
            raise ValueError(
                f'"{text}" is a day without a time. Write it as {text}T09:00. Ask the person for '
                "the time if they said none."
            )
        at += of_day
    if at.tzinfo is None:
        at = at.replace(tzinfo=dt_util.get_default_time_zone())
    if dt_util.as_local(at).weekday() not in days:
        raise ValueError(
            f'"{text}" is on none of the `weekdays`. Give `at` as HH:MM, or leave `weekdays` out.'
        )
    return at.astimezone(UTC)


def written_time(trigger: Moment | Daily) -> str:
    """Return the local time of a routine as text: "2026-03-02 21:30", or "07:00" if daily."""
    return _written(trigger.at) if isinstance(trigger, Moment) else f"{trigger.at:%H:%M}"


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _daily(text: str, days: frozenset[int]) -> Daily | None:
    """Return the trigger for "HH:MM" or "24:00" on these weekdays; None for any other `text`."""
    if text == _END_OF_DAY:
        return Daily(at=time(0), weekdays=frozenset((day + 1) % len(EVERY_DAY) for day in days))
    clock = dt_util.parse_time(text)
    return None if clock is None else Daily(at=clock.replace(second=0), weekdays=days)


def _next(daily: Daily, now: datetime) -> datetime:
    due = next_due(daily, dt_util.as_utc(now), dt_util.get_default_time_zone())
    assert due is not None
    return due


def _ahead(at: datetime, now: datetime) -> datetime:
    if at <= now:
        raise ValueError(f"{_written(at)} is past: it is {_written(now)} now. Give a time to come.")
    return at


def _written(at: datetime) -> str:
    return f"{dt_util.as_local(at):%Y-%m-%d %H:%M}"


# ------------------------------------------------------------- sentences

_WEEK: Final = 7

_TWO_STOPS: Final = re.compile(r"(?<=[.!?…])(\s?[”“»])\.$")
"""The end of a sentence with a message that has its own full stop."""

_MOST_NAMES: Final = 8  # maximum device names in one clause; the others are counted


@dataclass(frozen=True, slots=True)
class RoutineWords:
    """Composes sentences about routines in the language of `sentences`."""

    sentences: Sentences
    now: datetime  # local time of "today"; one in the far past makes each day a date
    has_twelve_hours: bool = False
    """Whether times are those of a 12-hour clock: 7:00 PM instead of 19:00."""

    def gist(
        self, routine: Routine, wait: timedelta | None = None, most_names: int | None = _MOST_NAMES
    ) -> Verbatim:
        """Return a sentence about a routine: its trigger, its action and its end, if it has one.

        `wait`: the duration if the person said one, as in "in 20 minutes"; it becomes part of the
        sentence. `most_names`: maximum number of devices that are named in a command; None: all.
        """
        say = self.sentences.say
        trigger = self._trigger(routine, self._action(routine, most_names))
        if wait is not None:
            trigger = say("routine_wait", duration=self.sentences.duration(wait), routine=trigger)
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

    def _also(self, routine: Routine, devices: Sequence[str]) -> Iterator[Verbatim]:
        if routine.notify:
            yield self.sentences.say("routine_notifies")
        if devices:
            yield self.sentences.say("routine_goes_by", devices=self.sentences.joined(devices))

    def _until(self, expires: datetime) -> str:
        """Return a routine's end in words: "until Monday" also for the following midnight."""
        local = dt_util.as_local(expires)
        if local.time() != time.min:
            return self.sentences.say("routine_until", time=self.time(expires))
        key, day = self._day(local.date() - timedelta(days=1))
        return self.sentences.say(f"routine_until_{key}", **day)

    def _day(self, day: date) -> tuple[str, Mapping[str, str]]:
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
                lasting = (
                    say("routine_hold", duration=self.sentences.duration(hold)) if hold else ""
                )
                key = "once" if routine.repeat is Repeat.ONCE else "always"
                return say(
                    f"routine_{key}", when=_unended(routine.when), hold=lasting, command=command
                )

    def _action(self, routine: Routine, most_names: int | None) -> str:
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
