"""Questions about the past of entities: measures of recorded states and of long-term statistics.

The results are facts with names such as `duration_on@2026-03-09`: the measure, the state that it is
about, and after `PAST` the period. Periods are in local time: a day in which the clocks change has
23 or 25 hours.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import chain, pairwise
from typing import Any, Final, NamedTuple

from homeassistant.core import HomeAssistant, State
from homeassistant.util import dt as dt_util

from .commands.expectation import as_number
from .components import main_component
from .home_types import DevicePart, Documentation, Fact, HomeError, Reading
from .listing import Found
from .prompt_text import is_free_text_of
from .recorded import Point, Recorded, changes
from .values import PAST, STATE, is_secret, plain


class Measure(StrEnum):
    """What is computed of the values in a period: first those of states, then those of numbers."""

    DURATION = "duration"
    COUNT = "count"  # how often it changed into the state
    FIRST = "first"
    LAST = "last"  # when it last changed into the state, and until when it stayed there
    CHANGES = "changes"
    MIN = "min"
    MAX = "max"
    MEAN = "mean"
    SUM = "sum"  # what a meter counted; after a reset, it counts from zero
    DIFFERENCE = "difference"  # the last value less the first one; of a meter the same as `SUM`


OF_NUMBERS: Final = frozenset([*Measure][-5:])  # the measures of numbers, not of states
PER: Final = ("hour", "day", "week", "month")  # parts of a period that may have a result each
_MOST_PARTS: Final = 62
_DAY: Final = len("2026-03-09")


@dataclass(frozen=True, slots=True, kw_only=True)
class PastQuestion:
    """A question about what entities were in a period."""

    measure: Measure
    start: datetime | None  # UTC; None for the oldest state that is recorded
    end: datetime | None  # UTC; None for now
    state: str = ""  # the value whose duration, number or times are asked; empty for all
    attribute: str = STATE
    per: str = ""  # one of `PER`, for a result of each; empty for one of the whole period

    @classmethod
    def of(cls, measure: str, start: str, end: str, **more: str) -> PastQuestion:
        """Return a question with times as ISO texts in local time; raises HomeError."""
        begin, last, now = _moment("start", start), _moment("end", end), dt_util.utcnow()
        if last is not None and len(end.strip()) <= _DAY:
            # Only the same day twice cannot be misunderstood.
            if begin != last:
                raise HomeError("`end` needs a time: the midnight after the last day, with T00:00.")
            last = _next(last, "day")
        last = None if last is None or last >= now else last
        if begin is not None and begin >= (last or now):
            raise HomeError(f"`start` has to be before `end` and before now, {plain(now)}.")
        return cls(measure=Measure(measure), start=begin, end=last, **more)


def _moment(name: str, text: str) -> datetime | None:
    try:
        return dt_util.as_utc(datetime.fromisoformat(text.strip())) if text.strip() else None
    except ValueError, OverflowError:
        error = f"`{name}` is no ISO time in local time, such as 2026-03-09T18:30."
        raise HomeError(error) from None


class Period(NamedTuple):
    """A period, as timestamps; the end is not part of it."""

    start: float
    end: float
    name: str  # in local time: `2026-03-09`, `2026-03-02..2026-03-08`, `2026-03-09T18:00..now`


def periods_of(
    start: datetime, end: datetime, question: PastQuestion, per: str = ""
) -> Sequence[Period]:
    """Return the whole period, or its parts by `per`. Raises HomeError if they are too many."""
    parts: list[Period] = []
    since = start
    while since < end:
        until = min(_next(since, per), end) if per else end
        first = "" if question.start is None and since == start else _short(since)
        if until == end and question.end is None:
            name = f"{first}..now"
        elif "T" in _short(since) + _short(until):
            name = f"{first}..{_short(until, whole=False)}"
        else:
            # The last day is part of the period.
            last = _short(until - timedelta(hours=12))[:10]
            name = first if first == last else f"{first}..{last}"
        parts.append(Period(since.timestamp(), until.timestamp(), name))
        if len(parts) > _MOST_PARTS:
            raise HomeError(f"At most {_MOST_PARTS} parts: shorten the period, or leave out `per`.")
        since = until
    return parts


def _short(moment: datetime, *, whole: bool = True) -> str:
    text = dt_util.as_local(moment).strftime("%Y-%m-%dT%H:%M")
    return text.removesuffix("T00:00") if whole else text


def _next(moment: datetime, per: str) -> datetime:
    """Return the start (UTC) of the hour, day, week or month after a time, in the home's zone."""
    local = dt_util.as_local(moment)
    if per == "hour":
        return moment + _HOUR - (local - local.replace(minute=0, second=0, microsecond=0))
    days = {"day": 1, "week": 7 - local.weekday(), "month": 32 - local.day}[per]
    day = local.date() + timedelta(days=days)
    return dt_util.as_utc(dt_util.start_of_local_day(day.replace(day=1) if per == "month" else day))


# ------------------------------------------------------------ the results

_MOST_POINTS: Final = 200_000
_MOST_ENTITIES: Final = 24
_MOST_STATES: Final = 8
_MOST_CHANGES: Final = 20
_HOUR: Final = timedelta(hours=1)
_RESET: Final = 0.9  # a meter below this part of its last value was reset, as in Home Assistant


def past_parts(found: Iterable[Found], question: PastQuestion) -> Sequence[str]:
    """Return the entities that a question about the past means. Raises HomeError."""
    parts: dict[str, None] = {}
    for each in found:
        own = each.component
        if own is None and question.attribute == STATE and question.measure not in OF_NUMBERS:
            own = main_component(each.device)
        parts |= dict.fromkeys(part.id for part in ((own,) if own else each.device.components))
    if not 0 < len(parts) <= _MOST_ENTITIES:
        raise HomeError(f"The past is known of 1 to {_MOST_ENTITIES} entities at once.")
    return [*parts]


async def async_past(
    hass: HomeAssistant, documents: Iterable[Documentation], question: PastQuestion
) -> tuple[tuple[Reading, ...], tuple[str, ...]]:
    """Return the results for entities, and sentences about devices without any result.

    The caller must check the person's permission. Raises HomeError if there are no results.
    """
    results: dict[str, list[Reading]] = {}
    errors: dict[str, list[str]] = {}
    if (recorded := Recorded(hass)).is_there:
        # The recorder writes with a delay.
        await recorded.async_commit()
    for document in documents:
        try:
            facts = await _async_facts(hass, recorded, document, question)
        except HomeError as err:
            errors.setdefault(document.device_id, []).append(str(err))
        else:
            own = Reading(**document.fields_of(DevicePart), attributes=facts)
            results.setdefault(document.device_id, []).append(own)
    notes = [each for device, own in errors.items() if device not in results for each in own]
    if not results:
        raise HomeError(" ".join(dict.fromkeys(notes)))
    return tuple(each for own in results.values() for each in own), tuple(notes)


async def _async_facts(
    hass: HomeAssistant, recorded: Recorded, document: Documentation, question: PastQuestion
) -> tuple[Fact, ...]:
    """Return an entity's results; also what is not known. Raises HomeError if nothing is."""
    entity_id, attribute = document.component_id, question.attribute
    recorded.check(entity_id)
    now = hass.states.get(entity_id)
    if now is None or is_secret(attribute):
        raise HomeError(f"{entity_id} has no {attribute} that is recorded.")
    end = question.end or dt_util.utcnow()
    start = question.start or recorded.oldest
    points = await recorded.async_points(now, attribute, start, end, _MOST_POINTS)
    series = _Series(now, question, document.fact(attribute), points)
    first = points[0].at if points else end.timestamp()
    if series.statistic and first > start.timestamp() + 1:
        before = dt_util.utc_from_timestamp(first)
        series.take(await recorded.async_statistics(entity_id, start, before))
    if start >= end or not (series.hours or any(each.is_known for each in points)):
        raise HomeError(
            f"Of {entity_id} nothing is recorded in this period. The recorder has states since "
            f"{plain(recorded.oldest)}. Finish with `could_not`, and say so."
        )
    # A long period has many values.
    (whole,) = periods_of(start, end, question)
    parts = periods_of(start, end, question, question.per)
    return await hass.async_add_executor_job(series.facts, whole, parts)


class _Span(NamedTuple):
    """A part of a period with one value; of an hour of statistics, it is the mean."""

    start: float
    end: float
    value: Any
    low: Any
    high: Any


class _Stay(NamedTuple):
    """A time in which the entity had one value, whether it was available or not."""

    start: float
    end: float
    value: Any
    is_entry: bool  # whether it began in the period

    def row(self, state: str | None, period: Period) -> Mapping[str, object]:
        """Return the entry for a list: a change, or from when until when it was in a state."""
        if state is None:
            return {"at": _local(self.start), "value": plain(self.value)}
        is_open = self.end >= period.end and period.name.endswith("..now")
        until = "now" if is_open else _local(min(self.end, period.end))
        return {"from": _local(self.start), "until": until}


class _Series:
    """The values of an entity in a period, and what is computed of them."""

    def __init__(
        self, now: State, question: PastQuestion, attribute: Fact | None, points: Sequence[Point]
    ) -> None:
        self._now = now
        self._question = question
        self._attribute = attribute
        self._recorded = points
        self.hours: Sequence[Mapping[str, Any]] = ()
        kind = now.attributes.get("state_class") if question.attribute == STATE else None
        self._is_meter = kind in ("total", "total_increasing")
        self._resets = kind == "total_increasing" or "last_reset" in now.attributes
        self.statistic = ""
        """The name of the statistic that the measure needs; empty if it needs none."""

        if question.measure not in OF_NUMBERS:
            return
        if question.measure is Measure.SUM and not self._is_meter:
            raise HomeError(f"{now.entity_id} is no meter: use mean or difference.")
        if question.measure is Measure.MEAN and kind == "measurement_angle":
            raise HomeError(f"{now.entity_id} is an angle, which has no mean.")
        self._counts = self._is_meter and question.measure in (Measure.SUM, Measure.DIFFERENCE)
        if self._counts or (kind and question.measure is not Measure.DIFFERENCE):
            self.statistic = "change" if self._counts else question.measure

    def take(self, hours: Sequence[Mapping[str, Any]]) -> None:
        self.hours = [each for each in hours if each.get(self.statistic) is not None]
        if self.hours:
            since = self.hours[-1]["end"]
            place = bisect_right(self._recorded, since, key=_time)
            before = [Point(since, *each[1:]) for each in self._recorded[:place][-1:]]
            self._recorded = [*before, *self._recorded[place:]]

    def facts(self, whole: Period, parts: Sequence[Period]) -> tuple[Fact, ...]:
        """Return the facts about the parts of a period, and what is not known of the whole."""
        start, end, _ = whole
        self._points = self._recorded
        if of_numbers := self._question.measure in OF_NUMBERS:
            self._points = [*map(_numeric, self._recorded)]
        self._known = [each for each in self._points if each.is_known]
        if not self._known and not self.hours:
            raise HomeError(f"{self._now.entity_id} has no numbers: use another measure.")
        self._changes = [] if of_numbers else changes(self._points, start)
        state = self._state()
        since = self.hours[0]["start"] if self.hours else self._known[0].at
        facts = [
            self._fact(name, period, value)
            for period in parts
            if period.end > since
            for name, value in (
                self._numbers(period) if of_numbers else self._states(period, state)
            )
        ]
        if since > start + (_HOUR.total_seconds() if self.hours else 1):
            facts.append(self._fact("since", whole, _local(since)))
        pairs = pairwise((*self._recorded, Point(end, None)))
        away = sum(after.at - max(each.at, start) for each, after in pairs if not each.is_known)
        if away >= 1:
            facts.append(self._fact("unavailable", whole, _length(away)))
        return tuple(facts)

    def _fact(self, name: str, period: Period, value: object) -> Fact:
        has_unit = name in OF_NUMBERS and self._attribute is not None
        return Fact(
            name=f"{name}{PAST}{period.name}",
            value=plain(value),
            unit=self._attribute.unit if has_unit and self._attribute else None,
            is_free_text=is_free_text_of(self._now, self._question.attribute, value),
        )

    def _state(self) -> str | None:
        """Return the meant value; None for all. Raises HomeError for one that it never had."""
        text, attribute = self._question.state.strip().casefold(), self._attribute
        if not text or self._question.measure in OF_NUMBERS:
            return None
        meanings: dict[str, str] = dict(getattr(attribute, "meanings", {}))
        if attribute is not None and attribute.meaning:
            meanings[str(attribute.value)] = attribute.meaning
        had = (str(each.value) for each in self._changes)
        named: Sequence[str] = getattr(attribute, "values", ())
        values = dict.fromkeys([*had, *named, *meanings])
        for value in values:
            if text in (value.casefold(), meanings.get(value, value).casefold()):
                return value
        shown = [
            f"{each} ({meanings[each]})" if each in meanings else each
            for each in values
            if not is_free_text_of(self._now, self._question.attribute, each)
        ][:_MOST_STATES]
        raise HomeError(
            f"{self._now.entity_id} was never {self._question.state.strip()} in this period. "
            f"It has: {', '.join(shown)}."
        )

    def _states(self, period: Period, state: str | None) -> Iterator[tuple[str, object]]:
        measure = self._question.measure
        if measure is Measure.DURATION:
            yield from self._durations(period, state)
            return
        stays = [*self._stays(period, state)]
        entries = [each for each in stays if each.is_entry]
        name, count = _name(measure, state), _name(Measure.COUNT, state)
        held = stays if state else entries
        stay = held[:1] if measure is Measure.FIRST else (entries or held)[-1:]
        if measure is Measure.CHANGES:
            yield name, [each.row(state, period) for each in stays[-_MOST_CHANGES:]]
        elif measure is Measure.COUNT:
            yield name, len(entries)
        elif not stay:
            yield from ((name, None), (count, 0))
        else:
            (it,) = stay
            yield (name if it.is_entry else f"{name}_or_before"), _local(it.start)
            if state is None:
                yield "value", it.value
            elif it.end < period.end:
                yield _name("until", state), _local(it.end)
        if len(stays) > _MOST_CHANGES and measure is Measure.CHANGES:
            yield count, len(entries)

    def _durations(self, period: Period, state: str | None) -> Iterator[tuple[str, object]]:
        lengths = {} if state is None else {state: 0.0}
        for each in _spans(self._recorded, period.start, period.end):
            if state in (None, value := str(each.value)):
                lengths[value] = lengths.get(value, 0.0) + each.end - each.start
        for value in sorted(lengths, key=lambda each: -lengths[each])[:_MOST_STATES]:
            if not is_free_text_of(self._now, self._question.attribute, value):
                yield _name(Measure.DURATION, value), _length(lengths[value])

    def _stays(self, period: Period, state: str | None) -> Iterator[_Stay]:
        first = max(bisect_right(self._changes, period.start, key=_time) - 1, 0)
        last = bisect_left(self._changes, period.end, key=_time)
        after = self._changes[last].at if last < len(self._changes) else period.end
        own = self._changes[first:last]
        for place, (each, following) in enumerate(pairwise((*own, Point(after, None)))):
            if state in (None, str(each.value)):
                began = each.at >= period.start and first + place > 0
                start = max(each.at, period.start)
                yield _Stay(start, following.at, each.value, began)

    def _numbers(self, period: Period) -> Iterator[tuple[str, object]]:
        measure, (start, end, _) = self._question.measure, period
        hours = [each for each in self.hours if start <= each["start"] < end]
        means = (
            _Span(each["start"], each["end"], each.get("mean"), each.get("min"), each.get("max"))
            for each in hours
        )
        # One after the other: a list of them would be long.
        spans = chain(_spans(self._points, start, end), means)
        if self._counts:
            value = sum(each["change"] for each in hours) + self._counted(start, end)
            yield measure, value if next(spans, None) else None
        elif measure is Measure.MEAN:
            length = total = 0.0
            for each in spans:
                length += each.end - each.start
                total += each.value * (each.end - each.start)
            yield measure, total / length if length else None
        elif measure is Measure.DIFFERENCE:
            values = [each.value for each in spans]
            yield measure, values[-1] - values[0] if values else None
        else:
            is_min = measure is Measure.MIN
            best = min(spans, key=lambda each: each.low if is_min else -each.high, default=None)
            yield measure, best and (best.low if is_min else best.high)
            yield f"at_{measure}", best and _local(best.start)

    def _counted(self, start: float, end: float) -> float:
        """Return what a meter counted between two times; after a reset, it counted from zero."""
        first, last = (bisect_left(self._known, each, key=_time) for each in (start, end))
        counted = 0.0
        for before, after in pairwise(self._known[max(first - 1, 0) : last]):
            was, value = float(before.value), float(after.value)  # type: ignore[arg-type]
            counted += value if self._resets and value < was * _RESET else value - was
        return counted


def _spans(points: Sequence[Point], start: float, end: float) -> Iterator[_Span]:
    """Yield the parts of a period in which the value is known."""
    first = bisect_right(points, start, key=_time) - 1
    own = points[max(first, 0) : bisect_left(points, end, key=_time)]
    for point, after in pairwise((*own, Point(end, None))):
        if (begin := max(point.at, start)) < after.at and point.is_known:
            yield _Span(begin, after.at, point.value, point.value, point.value)


def _numeric(point: Point) -> Point:
    if type(point.value) in (int, float):
        return point
    number = as_number(point.value)
    return Point(point.at, number, number is not None)


def _time(point: Point) -> float:
    return point.at


def _name(measure: str, state: str | None) -> str:
    return measure if state is None else f"{measure}_{re.sub(r'\W+', '_', state)[:24]}"


def _local(at: float) -> str:
    return str(plain(dt_util.utc_from_timestamp(at)))


def _length(seconds: float) -> str:
    whole = round(seconds)
    return f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"
