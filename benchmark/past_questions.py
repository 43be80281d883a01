"""Eighty questions about the past in English, German and French.

Each has the calls that an ideal model makes, and the values of a right answer.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from .past_values import Past, Values

LANGUAGES: Final = ("en", "de", "fr")

type Compute = Callable[[Values], float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """A value that a right answer says."""

    entity: str
    fact: str
    """The name of the fact that has it."""

    kind: str
    """`duration` (seconds), `count`, `number` or `time` (timestamp)."""

    compute: Compute


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question in several languages."""

    said: Sequence[str]
    """In the languages of `LANGUAGES`."""

    calls: Sequence[Mapping[str, Any]]
    expected: Sequence[Expected] = ()
    """Empty: nothing is recorded, and the answer says so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question in one language."""

    said: str
    language: str
    asked: Asked


LAMP, NEW, DOOR = "light.past_lamp", "light.past_new", "binary_sensor.past_door"
HEATING, GREEN = "climate.past_heating", "sensor.past_temperature"
CELLAR, POWER, HEAT = "sensor.past_cellar", "sensor.past_electricity", "sensor.past_heat"
ANNA, BEN, DRYER = "person.past_anna", "person.past_ben", "switch.past_dryer"
CHEST, FAN = "lock.past_chest", "switch.past_fan"

_YESTERDAY: Final = ("2026-11-04", "2026-11-05")
_BEFORE: Final = ("2026-11-03", "2026-11-04")
_TODAY: Final = ("2026-11-05", "")
_LAST_WEEK: Final = ("2026-10-26", "2026-11-02")
_CHANGE: Final = ("2026-10-25", "2026-10-26")
"""The day of 25 hours."""

_OCTOBER: Final = ("2026-10-01", "2026-11-01")
_SIXTY_DAYS: Final = ("2026-09-06 12:00", "")
_NIGHT: Final = ("2026-11-04 18:00", "2026-11-05 06:00")
_ALL: Final = ("", "")

type Times = tuple[str, str]


def _name(measure: str, times: Times, last: str = "") -> str:
    """Return the name of a fact; `last`: the last day of several."""
    start, end = (each.replace(" ", "T") for each in times)
    if not end:
        return f"{measure}@{start}..now"
    if "T" in start + end:
        return f"{measure}@{start}..{end}"
    return f"{measure}@{start}..{last}" if last else f"{measure}@{start}"


def _call(entity: str, measure: str, times: Times, **more: Any) -> dict[str, Any]:
    start, end = (
        each.replace(" ", "T") if " " in each or not each else f"{each}T00:00" for each in times
    )
    given = {"start": start, "end": end, **more}
    return {
        "devices": [entity],
        "measure": measure,
        **{name: value for name, value in given.items() if value},
    }


def _past(entity: str, times: Times, **more: str) -> Past:
    start, end = times
    return Past(entity=entity, start=start or "2026-01-01", end=end, **more)


def _duration(entity: str, state: str, times: Times, last: str = "", **more: str) -> Expected:
    return Expected(
        entity=entity,
        fact=_name(f"duration_{state}", times, last),
        kind="duration",
        compute=lambda values: values.duration(_past(entity, times, state=state, **more)),
    )


def _count(entity: str, state: str, times: Times, last: str = "") -> Expected:
    return Expected(
        entity=entity,
        fact=_name(f"count_{state}", times, last),
        kind="count",
        compute=lambda values: values.count(_past(entity, times, state=state)),
    )


def _time(
    entity: str, measure: str, state: str, times: Times, how: str, last: str = ""
) -> Expected:
    return Expected(
        entity=entity,
        fact=_name(f"{measure}_{state}", times),
        kind="time",
        compute=lambda values: getattr(values, how)(_past(entity, times, state=state)),
    )


def _number(
    entity: str, measure: str, times: Times, how: str, last: str = "", **more: str
) -> Expected:
    return Expected(
        entity=entity,
        fact=_name(measure, times, last),
        kind="number",
        compute=lambda values: getattr(values, how)(_past(entity, times)),
    )


def _statistic(entity: str, measure: str, times: Times, column: str, last: str) -> Expected:
    return Expected(
        entity=entity,
        fact=_name(measure, times, last),
        kind="number",
        compute=lambda values: values.statistic(_past(entity, times), column),
    )


_WEEK_DAYS: Final = [
    *((f"2026-10-{day}", f"2026-10-{day + 1}") for day in range(26, 31)),
    ("2026-10-31", "2026-11-01"),
    ("2026-11-01", "2026-11-02"),
]
_MARCH: Final = ("2026-03-01", "2026-04-01")


def _october_mean(values: Values) -> float:
    """Return the mean of hours of statistics, and of the recorded states after them."""
    hours = _past(CELLAR, ("2026-10-01", "2026-10-27 11:00"))
    states = _past(CELLAR, ("2026-10-27 11:00", "2026-11-01"))
    counts = values.statistic(hours, "COUNT(*)")
    length = 3600 * (4 * 24 + 13)
    total = values.statistic(hours, "SUM(mean)") * 3600 + values.mean(states) * length
    return total / (counts * 3600 + length)


def _heat_october(values: Values) -> float:
    hours = _past(HEAT, ("2026-10-01", "2026-10-27 11:00"))
    before = _past(HEAT, ("2026-09-30 23:00", "2026-10-01"))
    states = _past(HEAT, ("2026-10-27 11:00", "2026-11-01"))
    from_hours = values.statistic(hours, "MAX(sum)") - values.statistic(before, "MAX(sum)")
    return from_hours + values.counted(states)


def _heat_march(values: Values) -> float:
    before = _past(HEAT, ("2026-02-28 23:00", "2026-03-01"))
    return values.statistic(_past(HEAT, _MARCH), "MAX(sum)") - values.statistic(before, "MAX(sum)")


def _own(entity: str, fact: str, kind: str, compute: Compute) -> Expected:
    return Expected(entity=entity, fact=fact, kind=kind, compute=compute)


ASKED: Final = (
    Asked(
        said=(
            "How long was the archive lamp on yesterday?",
            "Wie lange war die Archive lamp gestern an?",
            "Combien de temps la lampe Archive lamp a-t-elle été allumée hier ?",
        ),
        calls=[_call(LAMP, "duration", _YESTERDAY, state="on")],
        expected=[_duration(LAMP, "on", _YESTERDAY)],
    ),
    Asked(
        said=(
            "How many hours did the archive lamp burn last week?",
            "Wie viele Stunden hat die Archive lamp letzte Woche gebrannt?",
            "Combien d'heures la lampe Archive lamp est-elle restée allumée la semaine dernière ?",
        ),
        calls=[_call(LAMP, "duration", _LAST_WEEK, state="on")],
        expected=[_duration(LAMP, "on", _LAST_WEEK, "2026-11-01")],
    ),
    Asked(
        said=(
            "Was the archive lamp on longer yesterday than the day before?",
            "War die Archive lamp gestern länger an als vorgestern?",
            "La lampe Archive lamp a-t-elle été allumée plus longtemps hier qu'avant-hier ?",
        ),
        calls=[
            _call(LAMP, "duration", _YESTERDAY, state="on"),
            _call(LAMP, "duration", _BEFORE, state="on"),
        ],
        expected=[_duration(LAMP, "on", _YESTERDAY), _duration(LAMP, "on", _BEFORE)],
    ),
    Asked(
        said=(
            "How long was the chest locked on 25 October?",
            "Wie lange war Chest am 25. Oktober verriegelt?",
            "Combien de temps Chest a-t-il été verrouillé le 25 octobre ?",
        ),
        calls=[_call(CHEST, "duration", _CHANGE, state="locked")],
        expected=[_duration(CHEST, "locked", _CHANGE)],
    ),
    Asked(
        said=(
            "How often was the vault door opened yesterday?",
            "Wie oft wurde die Vault door gestern geöffnet?",
            "Combien de fois la porte Vault door a-t-elle été ouverte hier ?",
        ),
        calls=[_call(DOOR, "count", _YESTERDAY, state="Open")],
        expected=[_count(DOOR, "on", _YESTERDAY)],
    ),
    Asked(
        said=(
            "How many times did the vault door open in October?",
            "Wie oft ging die Vault door im Oktober auf?",
            "Combien de fois la porte Vault door s'est-elle ouverte en octobre ?",
        ),
        calls=[_call(DOOR, "count", _OCTOBER, state="on")],
        expected=[_count(DOOR, "on", _OCTOBER, "2026-10-31")],
    ),
    Asked(
        said=(
            "When was the vault door first opened today?",
            "Wann wurde die Vault door heute zum ersten Mal geöffnet?",
            "Quand la porte Vault door a-t-elle été ouverte la première fois aujourd'hui ?",
        ),
        calls=[_call(DOOR, "first", _TODAY, state="on")],
        expected=[_time(DOOR, "first", "on", _TODAY, "first")],
    ),
    Asked(
        said=(
            "When was the vault door last open, and until when?",
            "Wann war die Vault door zuletzt offen, und bis wann?",
            "Quand la porte Vault door a-t-elle été ouverte la dernière fois, et jusqu'à quand ?",
        ),
        calls=[_call(DOOR, "last", _ALL, state="on")],
        expected=[
            _time(DOOR, "last", "on", _ALL, "last"),
            _time(DOOR, "until", "on", _ALL, "left"),
        ],
    ),
    Asked(
        said=(
            "Since when is the archive lamp off?",
            "Seit wann ist die Archive lamp aus?",
            "Depuis quand la lampe Archive lamp est-elle éteinte ?",
        ),
        calls=[_call(LAMP, "last", _ALL, state="off")],
        expected=[_time(LAMP, "last", "off", _ALL, "last")],
    ),
    Asked(
        said=(
            "Since when is the chest locked?",
            "Seit wann ist Chest verriegelt?",
            "Depuis quand Chest est-il verrouillé ?",
        ),
        calls=[_call(CHEST, "last", _ALL, state="locked")],
        expected=[_time(CHEST, "last", "locked", _ALL, "last")],
    ),
    Asked(
        said=(
            "How cold did the greenhouse get last night?",
            "Wie kalt wurde es letzte Nacht im Greenhouse?",
            "Jusqu'à quelle température Greenhouse est-il descendu cette nuit ?",
        ),
        calls=[_call(GREEN, "min", _NIGHT)],
        expected=[_number(GREEN, "min", _NIGHT, "least")],
    ),
    Asked(
        said=(
            "What was the highest temperature in the greenhouse in the last sixty days?",
            "Was war in den letzten sechzig Tagen die höchste Temperatur im Greenhouse?",
            "Quel a été le maximum de température dans Greenhouse ces soixante derniers jours ?",
        ),
        calls=[_call(GREEN, "max", _SIXTY_DAYS)],
        expected=[_number(GREEN, "max", _SIXTY_DAYS, "most")],
    ),
    Asked(
        said=(
            "How warm was the greenhouse on average on 25 October?",
            "Wie warm war es am 25. Oktober im Mittel im Greenhouse?",
            "Quelle température moyenne Greenhouse a-t-il eue le 25 octobre ?",
        ),
        calls=[_call(GREEN, "mean", _CHANGE)],
        expected=[_number(GREEN, "mean", _CHANGE, "mean")],
    ),
    Asked(
        said=(
            "How much warmer or colder did the greenhouse get yesterday from start to end?",
            "Um wie viel wurde das Greenhouse gestern vom Anfang bis zum Ende wärmer oder kälter?",
            "De combien la température de Greenhouse a-t-elle changé hier du début à la fin ?",
        ),
        calls=[_call(GREEN, "difference", _YESTERDAY)],
        expected=[_number(GREEN, "difference", _YESTERDAY, "difference")],
    ),
    Asked(
        said=(
            "How much house electricity did we use yesterday?",
            "Wie viel House electricity haben wir gestern verbraucht?",
            "Combien de House electricity avons-nous consommé hier ?",
        ),
        calls=[_call(POWER, "sum", _YESTERDAY)],
        expected=[_number(POWER, "sum", _YESTERDAY, "counted")],
    ),
    Asked(
        said=(
            "How much house electricity did we use in October?",
            "Wie viel House electricity haben wir im Oktober verbraucht?",
            "Combien de House electricity avons-nous consommé en octobre ?",
        ),
        # The meter was replaced on the 14th.
        calls=[_call(POWER, "difference", _OCTOBER)],
        expected=[_number(POWER, "difference", _OCTOBER, "counted", "2026-10-31")],
    ),
    Asked(
        said=(
            "How much house electricity was it on each day of last week?",
            "Wie viel House electricity war es an jedem Tag der letzten Woche?",
            "Combien de House electricity chaque jour de la semaine dernière ?",
        ),
        calls=[_call(POWER, "sum", _LAST_WEEK, per="day")],
        expected=[_number(POWER, "sum", day, "counted") for day in _WEEK_DAYS],
    ),
    Asked(
        said=(
            "How much did the heat meter count in March?",
            "Wie viel hat der Heat meter im März gezählt?",
            "Combien le compteur Heat meter a-t-il compté en mars ?",
        ),
        calls=[_call(HEAT, "sum", _MARCH)],
        expected=[_own(HEAT, "sum@2026-03-01..2026-03-31", "number", _heat_march)],
    ),
    Asked(
        said=(
            "How much did the heat meter count in October?",
            "Wie viel hat der Heat meter im Oktober gezählt?",
            "Combien le compteur Heat meter a-t-il compté en octobre ?",
        ),
        calls=[_call(HEAT, "sum", _OCTOBER)],
        expected=[_own(HEAT, "sum@2026-10-01..2026-10-31", "number", _heat_october)],
    ),
    Asked(
        said=(
            "What was the lowest temperature in the wine cellar in March?",
            "Was war im März die tiefste Temperatur im Wine cellar?",
            "Quelle a été la température la plus basse dans Wine cellar en mars ?",
        ),
        calls=[_call(CELLAR, "min", _MARCH)],
        expected=[_statistic(CELLAR, "min", _MARCH, "MIN(min)", "2026-03-31")],
    ),
    Asked(
        said=(
            "What was the mean temperature in the wine cellar in October?",
            "Wie warm war es im Oktober im Mittel im Wine cellar?",
            "Quelle a été la température moyenne dans Wine cellar en octobre ?",
        ),
        calls=[_call(CELLAR, "mean", _OCTOBER)],
        expected=[_own(CELLAR, "mean@2026-10-01..2026-10-31", "number", _october_mean)],
    ),
    Asked(
        said=(
            "How long was Anna at home yesterday?",
            "Wie lange war Anna gestern zu Hause?",
            "Combien de temps Anna a-t-elle été à la maison hier ?",
        ),
        calls=[_call(ANNA, "duration", _YESTERDAY, state="home")],
        expected=[_duration(ANNA, "home", _YESTERDAY)],
    ),
    Asked(
        said=(
            "How long were Anna and Ben away on 25 October?",
            "Wie lange waren Anna und Ben am 25. Oktober weg?",
            "Combien de temps Anna et Ben ont-ils été absents le 25 octobre ?",
        ),
        calls=[{**_call(ANNA, "duration", _CHANGE, state="not_home"), "devices": [ANNA, BEN]}],
        expected=[_duration(each, "not_home", _CHANGE) for each in (ANNA, BEN)],
    ),
    Asked(
        said=(
            "How long did the dehumidifier run the day before yesterday?",
            "Wie lange lief der Dehumidifier vorgestern?",
            "Combien de temps Dehumidifier a-t-il marché avant-hier ?",
        ),
        calls=[_call(DRYER, "duration", _BEFORE, state="on")],
        expected=[
            _duration(DRYER, "on", _BEFORE),
            _own(
                DRYER,
                "unavailable@2026-11-03",
                "duration",
                lambda values: values.duration(_past(DRYER, _BEFORE, state="unavailable")),
            ),
        ],
    ),
    Asked(
        said=(
            "How often was the new spotlight switched on since 1 October?",
            "Wie oft wurde der New spotlight seit dem 1. Oktober eingeschaltet?",
            "Combien de fois New spotlight a-t-il été allumé depuis le 1er octobre ?",
        ),
        calls=[_call(NEW, "count", ("2026-10-01", ""), state="on")],
        expected=[
            # The first state is no change.
            _count(NEW, "on", ("2026-10-01", "")),
            _own(
                NEW,
                "since@2026-10-01..now",
                "time",
                lambda values: values._one(  # noqa: SLF001
                    _past(NEW, ("2026-10-01", "")), "SELECT MIN(t) FROM own"
                ),
            ),
        ],
    ),
    Asked(
        said=(
            "How long was the archive heating heating yesterday?",
            "Wie lange hat das Archive heating gestern geheizt?",
        ),
        calls=[
            _call(HEATING, "duration", _YESTERDAY, state="heating", attributes=["hvac_action"]),
        ],
        expected=[_duration(HEATING, "heating", _YESTERDAY, attribute="hvac_action")],
    ),
    Asked(
        said=(
            "How long did the archive fan run yesterday?",
            "Wie lange lief der Archive fan gestern?",
            "Combien de temps Archive fan a-t-il tourné hier ?",
        ),
        calls=[_call(FAN, "duration", _YESTERDAY, state="on")],
    ),
)


def questions(every: int = 1) -> Iterator[Question]:
    """Yield all questions, or each `every`-th one."""
    own = [
        Question(said=said, language=language, asked=asked)
        for asked in ASKED
        for said, language in zip(asked.said, LANGUAGES, strict=False)
    ]
    yield from own[::every]
