"""What entities were in a period: measures of recorded states and of long-term statistics.

The results are facts with names such as `duration_on@2026-03-09`: the measure, the state that it is
about, and after `PAST` the period.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import chain, pairwise
from typing import Any, Final, NamedTuple

from homeassistant.core import HomeAssistant, State
from homeassistant.util import dt as dt_util

from .commands.expectation import as_number
from .components import main_component
from .home_types import DevicePart, Documentation, Fact, HomeError, Reading
from .listing import Found
from .past_question import OF_NUMBERS, Measure, PastQuestion, Period, periods_of
from .prompt_text import is_free_text, options_of
from .recorded import Point, Recorded, changes
from .values import PAST, STATE, is_secret, plain

_MOST_POINTS: Final = 200_000
_MOST_ENTITIES: Final = 24
_MOST_STATES: Final = 8
_MOST_CHANGES: Final = 20
_HOUR: Final = 3600.0
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
    if series.statistic and (first := series.first(end)) > start.timestamp() + 1:
        before = dt_util.utc_from_timestamp(first)
        series.take(await recorded.async_job(_statistics, entity_id, start, before))
    if start >= end or not (series.hours or any(each.is_known for each in points)):
        raise HomeError(
            f"Of {entity_id} nothing is recorded in this period. The recorder has states since "
            f"{plain(recorded.oldest)}. Finish with `could_not`, and say so."
        )
    # A long period has many values.
    (whole,) = periods_of(start, end, question)
    parts = periods_of(start, end, question, question.per)
    return await hass.async_add_executor_job(series.facts, whole, parts)


def _statistics(
    hass: HomeAssistant, entity_id: str, start: datetime, end: datetime
) -> Sequence[Mapping[str, Any]]:
    """Return the statistics of the hours that begin in a period, in the unit of the state."""
    from homeassistant.components.recorder import statistics  # noqa: PLC0415 - only with a recorder

    rows = statistics.statistics_during_period(
        hass, start, end, {entity_id}, "hour", None, {"min", "max", "mean", "change"}
    )
    return [dict(each) for each in rows.get(entity_id, ())]


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

    def first(self, end: datetime) -> float:
        return self._recorded[0].at if self._recorded else end.timestamp()

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
        if since > start + (_HOUR if self.hours else 1):
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
            is_free_text=self._is_free(value),
        )

    def _is_free(self, value: object) -> bool:
        options = options_of(self._now.domain, self._now.attributes)
        return is_free_text(self._now.domain, self._question.attribute, value, options)

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
            if not self._is_free(each)
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
            if not self._is_free(value):
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
        # One after the other: a list of them would be long.
        spans = chain(_spans(self._points, start, end), map(_hour, hours))
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


def _hour(hour: Mapping[str, Any]) -> _Span:
    return _Span(hour["start"], hour["end"], hour.get("mean"), hour.get("min"), hour.get("max"))


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
