"""Routines, memos and firings drawn at random: every field, all that it may hold."""

import dataclasses
import random
from collections.abc import Callable
from datetime import UTC, datetime, time, timedelta, timezone
from enum import StrEnum
from typing import Any, Final

from custom_components.sage.people.person import KnownBy
from custom_components.sage.routines.routine_types import (
    Commands,
    Condition,
    Daily,
    Decide,
    EdgeKind,
    Firing,
    FiringStep,
    Memo,
    Moment,
    Repeat,
    Routine,
    RoutineAction,
    RoutineKind,
    Status,
    StoredCommand,
    Trigger,
    Words,
)
from custom_components.sage.routines.sandbox.contract import CheckError, Fault, Value

NOON: Final = datetime(2026, 5, 3, 12, tzinfo=UTC)

_TEXTS: Final = (
    "",
    "When the fridge is opened",
    "Küche 🥛 '; DROP TABLE routines; --",
    '"quotes" \\ and\nlines\x00\x1f',
    "𝄞",
    "{}",
    "null",
)
_KEYS: Final = ("", "a", "$datetime", "$mapping", "$", "ü")
_NUMBERS: Final = (0, -1, 2**70, 0.1, -0.0, 1e300, float("inf"), True, False)


class Drawing:
    """Draws data with a seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def text(self) -> str:
        return self._random.choice(_TEXTS)

    def maybe[T](self, draw: Callable[[], T]) -> T | None:
        return draw() if self._random.random() < 0.7 else None

    def error(self) -> CheckError:
        return CheckError(
            fault=self.one(Fault),
            message=self.text(),
            line=self.maybe(self.number),
            hint=self.text(),
            detail=self.text(),
        )

    def flag(self) -> bool:
        return self._random.random() < 0.5

    def number(self) -> int:
        return self._random.randrange(10**6)

    def one[E: StrEnum](self, kind: type[E]) -> E:
        return self._random.choice(list(kind))

    def instant(self) -> datetime:
        offset = timezone(timedelta(minutes=self._random.randrange(-700, 700)))
        return (NOON + timedelta(microseconds=self._random.randrange(10**15))).astimezone(offset)

    def duration(self) -> timedelta:
        return timedelta(microseconds=self._random.randrange(10**12))

    def value(self, depth: int = 3) -> Value:
        kind = self._random.randrange(7 if depth else 5)
        match kind:
            case 0:
                return None
            case 1:
                return self._random.choice(_NUMBERS)
            case 2 | 3:
                return self.text()
            case 4:
                return self.instant()
            case 5:
                return [self.value(depth - 1) for _ in range(self._random.randrange(4))]
        return self.values(depth)

    def values(self, depth: int = 3) -> dict[str, Value]:
        keys = self._random.sample(_KEYS, self._random.randrange(len(_KEYS)))
        return {key: self.value(depth - 1) for key in keys}

    def condition(self) -> Condition:
        return Condition(
            function=self.text(),
            source=self.text(),
            interval=self._random.choice((2.0, 10.5, 3600.0)),
            hold=self.duration(),
        )

    def trigger(self) -> Trigger:
        match self._random.randrange(3):
            case 0:
                return self.condition()
            case 1:
                return Moment(at=self.instant())
        weekdays = frozenset(self._random.sample(range(7), self._random.randrange(8)))
        return Daily(at=time(self._random.randrange(24), 5, 1, 30), weekdays=weekdays)

    def action(self) -> RoutineAction:
        match self._random.randrange(3):
            case 0:
                return Words(text=self.text())
            case 1:
                return Decide()
        commands = (self.stored_command() for _ in range(self._random.randrange(3)))
        return Commands(commands=tuple(commands))

    def stored_command(self) -> StoredCommand:
        return StoredCommand(
            target=self.text(),
            name=self.text(),
            command=self.text(),
            arguments=self.values(),
            component=self.text(),
            capability=self.text(),
        )

    def routine(self, **fixed: Any) -> Routine:
        drawn = Routine(
            id=self.text(),
            owner=self.maybe(self.text),
            known_by=self.one(KnownBy),
            agent_id=self.text(),
            language=self.text(),
            request=self.text(),
            when=self.text(),
            command=self.text(),
            trigger=self.trigger(),
            repeat=self.one(Repeat),
            created_at=self.instant(),
            kind=self.one(RoutineKind),
            undo_after=self.flag(),
            end=self.maybe(self.condition),
            end_when=self.text(),
            expires=self.maybe(self.instant),
            room=self.maybe(self.text),
            satellite_id=self.maybe(self.text),
            device_id=self.maybe(self.text),
            tainted=self.flag(),
            bindings={key: self.text() for key in _KEYS if self.flag()},
            status=self.one(Status),
            paused_until=self.maybe(self.instant),
            is_repaired=self.flag(),
            trouble=self.maybe(self.error),
            number=self.number(),
            action=self.maybe(self.action),
            notify=self.flag(),
        )
        return dataclasses.replace(drawn, **fixed)

    def memo(self) -> Memo:
        return Memo(
            before=self.maybe(self.flag),
            true_since=self.maybe(self.instant),
            state=self.values(),
            next_due=self.maybe(self.instant),
            last_fired=self.maybe(self.instant),
            fired=self.number(),
            is_acting=self.flag(),
            failures=self.number(),
            unknown_since=self.maybe(self.instant),
        )

    def firing(self, **fixed: Any) -> Firing:
        drawn = Firing(
            id=self.number(),
            routine_id=self.text(),
            edge=self.one(EdgeKind),
            at=self.instant(),
            step=self.one(FiringStep),
            answer=self.text(),
            is_failure=self.flag(),
            undo=self.maybe(self.values),
        )
        return dataclasses.replace(drawn, **fixed)
