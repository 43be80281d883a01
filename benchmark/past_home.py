"""A home with a past: 1,000 entities of the large home, and twelve whose past is asked about.

The past is written with SQL into the database of Home Assistant's recorder, before Home Assistant
starts. The clock of the home stands at `NOW`; the clocks changed on 25 October.
"""

import asyncio
import json
import random
import sqlite3
import subprocess
import sys
from collections.abc import AsyncGenerator, Iterable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import entity_registry as er
from homeassistant.runner import create_event_loop

from .custom_components.sage_large_home.layout import things
from .overhead_home import home_assistant, large_home, lay_out, make_importable

ZONE: Final = ZoneInfo("Europe/Berlin")
NOW: Final = datetime(2026, 11, 5, 12, tzinfo=ZONE)
DAYS: Final = 60
_DATABASE: Final = "past.db"
_AREA: Final = "Archive"
_RECORDER: Final = """\
recorder:
  purge_keep_days: 400
  auto_purge: false
  exclude:
    entities:
      - switch.past_fan
"""
_EXTRA_ROWS: Final = 24
"""Rows a day of each entity that is not asked about."""

type Row = tuple[float, str, Mapping[str, Any]]
"""Timestamp, state and attributes."""


def at(text: str) -> float:
    """Return the timestamp of a local time, `2026-11-04 08:00:30`."""
    return datetime.fromisoformat(text).replace(tzinfo=ZONE).timestamp()


START: Final = (NOW - timedelta(days=DAYS)).timestamp()


@dataclass(frozen=True, slots=True, kw_only=True)
class PastThing:
    """An entity with its past."""

    entity_id: str
    name: str
    rows: Sequence[Row]
    attributes: Mapping[str, Any] = field(default_factory=dict)


def _days(first: int = DAYS) -> Iterator[datetime]:
    """Yield the local midnights of the last days, the oldest first."""
    for back in range(first, -1, -1):
        day = NOW.date() - timedelta(days=back)
        yield datetime(day.year, day.month, day.day, tzinfo=ZONE)


def _moment(day: datetime, hour: float) -> float:
    """Return the timestamp of an hour on the clock of a day."""
    whole = timedelta(seconds=round(hour * 3600))
    return (day.replace(tzinfo=None) + whole).replace(tzinfo=ZONE).timestamp()


def _switched(seed: int, values: Sequence[str], hours: Sequence[tuple[float, float]]) -> list[Row]:
    """Return rows of something that is `values[1]` at these hours of each day, else `values[0]`."""
    chance, rows = random.Random(seed), list[Row]([(START, values[0], {})])
    for day in _days():
        for begin, end in hours:
            for hour, value in ((begin, values[1]), (end, values[0])):
                rows.append((_moment(day, hour + chance.random() * 0.6), value, {}))
    return [row for row in rows if START <= row[0] < NOW.timestamp()]


def _numbers(seed: int, every: int, start: float, low: float, high: float) -> list[Row]:
    chance, value, rows = random.Random(seed), (low + high) / 2, list[Row]()
    now = start
    while now < NOW.timestamp():
        value = min(max(value + chance.uniform(-0.4, 0.4), low), high)
        rows.append((now, f"{value:.2f}", {}))
        now += every + chance.randrange(7)
    return rows


def _meter(seed: int, reset: float) -> list[Row]:
    """Return rows of a meter that is replaced by one that begins at zero."""
    chance, value, rows, is_new = random.Random(seed), 8_450.0, list[Row](), False
    now = START
    while now < NOW.timestamp():
        value += chance.uniform(0.0, 0.4)
        if now > reset and not is_new:
            value, is_new = 0.05, True
        rows.append((now, f"{value:.3f}", {}))
        now += 600 + chance.randrange(60)
    return rows


def _climate(seed: int) -> list[Row]:
    chance, rows = random.Random(seed), list[Row]()
    for day in _days():
        for hour in range(24):
            action = "heating" if hour in (5, 6, 7, 17, 18, 19, 20) else "idle"
            state = "heat" if hour >= 5 else "off"
            shown = {"hvac_action": action, "current_temperature": 18 + chance.randrange(5)}
            rows.append((_moment(day, hour + chance.random() * 0.1), state, shown))
    return [row for row in rows if START <= row[0] < NOW.timestamp()]


def _dimmed(rows: Iterable[Row], seed: int) -> list[Row]:
    chance = random.Random(seed)
    return [
        (when, state, {"brightness": chance.randrange(20, 256)} if state == "on" else {})
        for when, state, _ in rows
    ]


def _with_gaps(rows: list[Row], gaps: Iterable[tuple[str, str, str]]) -> list[Row]:
    """Return rows with times in which the entity was unavailable; then it is in a state again."""
    for begin, end, then in gaps:
        rows = [row for row in rows if not at(begin) <= row[0] <= at(end)]
        rows += [(at(begin), "unavailable", {}), (at(end), then, {})]
    return sorted(rows, key=lambda row: row[0])


def past_things() -> Sequence[PastThing]:
    """Return the entities that are asked about, always the same."""
    lamp = _dimmed(_switched(1, ("off", "on"), ((6.2, 7.5), (18.0, 22.6))), 1)
    young = [
        row for row in _switched(2, ("off", "on"), ((17.0, 21.0),)) if row[0] > at("2026-10-31")
    ]
    lock: list[Row] = [(START, "unlocked", {}), (at("2026-10-13 21:14:20"), "locked", {})]
    sensor = {"state_class": "measurement", "unit_of_measurement": "°C"}
    energy = {"unit_of_measurement": "kWh", "device_class": "energy"}
    meter = energy | {"state_class": "total_increasing"}
    warm = sensor | {"device_class": "temperature"}
    recent = at("2026-10-27 10:20:00")
    return (
        PastThing(entity_id="light.past_lamp", name="Archive lamp", rows=lamp),
        PastThing(entity_id="light.past_new", name="New spotlight", rows=young),
        PastThing(
            entity_id="binary_sensor.past_door",
            name="Vault door",
            rows=_switched(3, ("off", "on"), ((7.0, 7.9), (12.5, 13.2), (16.0, 17.0))),
            attributes={"device_class": "door"},
        ),
        PastThing(
            entity_id="climate.past_heating",
            name="Archive heating",
            rows=_climate(4),
            attributes={"hvac_modes": ["off", "heat"], "supported_features": 1},
        ),
        PastThing(
            entity_id="sensor.past_temperature",
            name="Greenhouse",
            rows=_numbers(5, 150, START, 4, 34),
            attributes=warm,
        ),
        PastThing(
            entity_id="sensor.past_cellar",
            name="Wine cellar",
            rows=_numbers(6, 300, recent, 8, 14),
            attributes=warm,
        ),
        PastThing(
            entity_id="sensor.past_electricity",
            name="House electricity",
            rows=_meter(7, at("2026-10-14 09:30:00")),
            attributes=meter,
        ),
        PastThing(
            entity_id="sensor.past_heat",
            name="Heat meter",
            rows=[row for row in _meter(8, 1e12) if row[0] > recent],
            attributes=meter,
        ),
        PastThing(
            entity_id="person.past_anna",
            name="Anna",
            rows=_switched(9, ("home", "not_home"), ((8.0, 15.5), (19.2, 20.4))),
        ),
        PastThing(
            entity_id="person.past_ben",
            name="Ben",
            rows=_switched(10, ("home", "not_home"), ((9.0, 18.7),)),
        ),
        PastThing(
            entity_id="switch.past_dryer",
            name="Dehumidifier",
            rows=_with_gaps(
                _switched(11, ("off", "on"), ((3.0, 9.5), (13.0, 15.5))),
                [
                    ("2026-11-03 05:00:00", "2026-11-03 06:45:00", "on"),
                    ("2026-11-04 01:00:00", "2026-11-04 01:30:00", "off"),
                ],
            ),
        ),
        PastThing(entity_id="lock.past_chest", name="Chest", rows=lock),
        PastThing(entity_id="switch.past_fan", name="Archive fan", rows=[(START, "off", {})]),
    )


# ------------------------------------------------------------ the database

STATISTICS: Final[Mapping[str, bool]] = {"sensor.past_cellar": False, "sensor.past_heat": True}
"""Entity with long-term statistics from before its states -> whether it is a meter."""


def seed(database: Path, rows_a_day: int) -> None:
    """Write the past into the database of a recorder that has been started once."""
    base = sqlite3.connect(database)
    base.execute("PRAGMA synchronous=OFF")
    base.execute("DELETE FROM states")
    ids: dict[str, int] = {
        entity_id: number
        for number, entity_id in base.execute("SELECT metadata_id, entity_id FROM states_meta")
    }
    for thing in past_things():
        if thing.entity_id != "switch.past_fan":
            _add_states(base, ids, thing.entity_id, thing.rows, thing.attributes)
    chance = random.Random(12)
    for other in things() if rows_a_day else ():
        step = 86_400 / rows_a_day
        rows: list[Row] = [
            (START + place * step + chance.random() * step / 2, str(place % 90), {})
            for place in range(DAYS * rows_a_day)
        ]
        _add_states(base, ids, other.entity_id, rows, {})
    for entity_id, is_meter in STATISTICS.items():
        _add_statistics(base, entity_id, is_meter=is_meter)
    base.commit()
    base.close()


def _add_states(
    base: sqlite3.Connection,
    ids: dict[str, int],
    entity_id: str,
    rows: Iterable[Row],
    attributes: Mapping[str, Any],
) -> None:
    if entity_id not in ids:
        cursor = base.execute("INSERT INTO states_meta (entity_id) VALUES (?)", (entity_id,))
        ids[entity_id] = cursor.lastrowid or 0
    known: dict[str, int] = {}
    written: list[tuple[Any, ...]] = []
    for when, state, own in rows:
        text = json.dumps({**attributes, **own})
        if text not in known:
            cursor = base.execute(
                "INSERT INTO state_attributes (hash, shared_attrs) VALUES (0, ?)", (text,)
            )
            known[text] = cursor.lastrowid or 0
        written.append((ids[entity_id], state, when, known[text]))
    base.executemany(
        "INSERT INTO states (metadata_id, state, last_updated_ts, attributes_id) VALUES (?,?,?,?)",
        written,
    )


def _add_statistics(base: sqlite3.Connection, entity_id: str, *, is_meter: bool) -> None:
    """Write statistics of the hours from January until the states begin and some hours more."""
    unit, kind = ("kWh", "energy") if is_meter else ("°C", "temperature")
    columns = [row[1] for row in base.execute("PRAGMA table_info(statistics_meta)")]
    meta: dict[str, Any] = {
        "statistic_id": entity_id,
        "source": "recorder",
        "unit_of_measurement": unit,
        "unit_class": kind,
        "has_mean": not is_meter,
        "has_sum": is_meter,
        "mean_type": 0 if is_meter else 1,
    }
    meta = {name: value for name, value in meta.items() if name in columns}
    marks = ", ".join("?" * len(meta))
    cursor = base.execute(
        f"INSERT INTO statistics_meta ({', '.join(meta)}) VALUES ({marks})",  # noqa: S608
        [*meta.values()],
    )
    chance, total, rows = random.Random(13), 0.0, list[tuple[Any, ...]]()
    hour, end = at("2026-01-01 00:00:00"), at("2026-10-27 11:00:00")
    while hour < end:
        total += chance.uniform(0.5, 3.0)
        mean = chance.uniform(8.0, 14.0)
        own = (None, None, None, total) if is_meter else (mean, mean - 0.7, mean + 0.9, None)
        rows.append((cursor.lastrowid, hour, hour + 3610, *own))
        hour += 3600
    base.executemany(
        "INSERT INTO statistics (metadata_id, start_ts, created_ts, mean, min, max, sum) "
        "VALUES (?, ?, ?, ?, ?, ?, ?)",
        rows,
    )


# ------------------------------------------------------------ the home


@asynccontextmanager
async def past_home(folder: Path, rows_a_day: int = _EXTRA_ROWS) -> AsyncGenerator[HomeAssistant]:
    """Run a Home Assistant with the home; `folder` becomes its configuration.

    Without rows a day, it has only the entities that are asked about.
    """
    lay_out(folder)
    configuration = folder / "configuration.yaml"
    text = configuration.read_text(encoding="utf-8")
    database = folder / _DATABASE
    recorder = f"{_RECORDER}  db_url: sqlite:///{database}\n"
    configuration.write_text(f"{text}{recorder}", encoding="utf-8")
    # In a process of its own: a program starts one Home Assistant only.
    begin = [sys.executable, "-m", __name__, str(folder)]
    await asyncio.to_thread(subprocess.run, begin, check=True, stdout=subprocess.DEVNULL)
    seed(database, rows_a_day)
    async with AsyncExitStack() as stack:
        if rows_a_day:
            home = await stack.enter_async_context(large_home(folder))
            hass = home.hass
        else:
            hass = await stack.enter_async_context(home_assistant(folder))
        _furnish(hass)
        await hass.async_block_till_done()
        yield hass


def _furnish(hass: HomeAssistant) -> None:
    area = ar.async_get(hass).async_get_or_create(_AREA)
    entities = er.async_get(hass)
    for thing in past_things():
        domain, _, name = thing.entity_id.partition(".")
        entry = entities.async_get_or_create(
            domain, "past", name, suggested_object_id=name, original_name=thing.name
        )
        entities.async_update_entity(entry.entity_id, area_id=area.id)
        _, state, own = thing.rows[-1]
        shown = {"friendly_name": thing.name, **thing.attributes, **own}
        hass.states.async_set(thing.entity_id, state, shown)
        async_expose_entity(hass, "conversation", thing.entity_id, True)


def database_of(folder: Path) -> sqlite3.Connection:
    """Return a connection to the database of the home that only reads."""
    return sqlite3.connect(f"file:{folder / _DATABASE}?mode=ro", uri=True)


async def _async_begin(folder: Path) -> None:
    """Start and stop the home once, so that its recorder makes the tables."""
    make_importable()
    async with home_assistant(folder) as hass:
        await hass.async_block_till_done()


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=create_event_loop) as runner:
        runner.run(_async_begin(Path(sys.argv[1])))
