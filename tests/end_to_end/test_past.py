"""What devices were in a period, from Home Assistant's recorder."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from freezegun.api import FrozenDateTimeFactory
from homeassistant.auth.models import Group
from homeassistant.components.recorder.core import Recorder
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.components.recorder.common import (
    async_wait_recording_done,
)

from benchmark.fake_model_server import FakeModelServer
from tests.decisions import NATIVE, claim
from tests.home.entity_home import EntityHome

from .conftest import Sage, async_make_sage, impatient

START = datetime(2026, 3, 28, 11, tzinfo=UTC)
"""Noon in Berlin. The clocks change in the night after it: the next day has 23 hours."""

DAY = {"start": "2026-03-29T00:00", "end": "2026-03-30T00:00"}
LAMP, METER, DOOR, SAFE = "light.lamp", "sensor.meter", "binary_sensor.door", "lock.safe"
KWH = {"unit_of_measurement": "kWh", "state_class": "total_increasing"}


@pytest.fixture
async def mock_recorder_before_hass(async_test_recorder) -> None:
    """The recorder has to be there before Home Assistant."""


@pytest.fixture
def recorder_config() -> dict[str, Any]:
    return {"exclude": {"entities": ["switch.fan"]}}


@pytest.fixture
async def sage(
    recorder_mock: Recorder,
    hass: HomeAssistant,
    freezer: FrozenDateTimeFactory,
    model_server: FakeModelServer,
) -> Sage:
    """Return SAGE in a home with two days of history; it is two o'clock in the night."""
    await hass.config.async_set_time_zone("Europe/Berlin")
    freezer.move_to(START)
    # For the names of states.
    assert await async_setup_component(hass, "binary_sensor", {})
    build = EntityHome(hass)
    room = build.area("Attic")
    own: list[tuple[str, str, dict[str, Any]]] = [
        (LAMP, "off", {}),
        (METER, "100", KWH),
        (DOOR, "off", {"device_class": "door"}),
        ("switch.fan", "off", {}),
    ]
    for entity_id, state, more in own:
        device = build.device(entity_id.partition(".")[2].title(), room)
        build.entity(entity_id, state, device=device, **more)
    vault = build.device("Vault", room)
    build.entity(SAFE, "locked", device=vault, exposed=False, user_code="4711")

    def become(entity_id: str, state: str, **more: Any) -> None:
        hass.states.async_set(entity_id, state, more)

    for hours, changes in (
        (10, ((LAMP, "on", {}), (METER, "104", KWH), (SAFE, "unlocked", {"user_code": "4711"}))),
        # The meter was replaced by one that begins at zero.
        (21, ((LAMP, "off", {}), (METER, "3", KWH), (DOOR, "on", {"device_class": "door"}))),
        (1, ((LAMP, "unavailable", {}), (DOOR, "off", {"device_class": "door"}))),
        (0.5, ((LAMP, "off", {}), (METER, "5", KWH), (SAFE, "locked", {"user_code": "4711"}))),
        (4.5, ()),
    ):
        await async_wait_recording_done(hass)
        freezer.tick(timedelta(hours=hours))
        for entity_id, state, more in changes:
            become(entity_id, state, **more)
    await async_wait_recording_done(hass)
    return await async_make_sage(hass, model_server)


def reads(*calls: dict[str, Any]) -> tuple[Any, ...]:
    return (*NATIVE.planned("look"), NATIVE.calls(*(("read_attributes", each) for each in calls)))


async def observe(sage: Sage, user_id: str | None = None, **call: Any) -> str:
    sage.model_says(*reads(call), NATIVE.finish("could_not", "Never mind."))
    await sage.say("look", conversation_id=None, user_id=user_id)
    return str(sage.server.completions[-1].messages[-1]["content"])


CASES = [
    (LAMP, "duration", {"state": "on", **DAY}, "duration_on@2026-03-29 19:00:00"),
    (LAMP, "duration", {"state": "on", **DAY}, "unavailable@2026-03-29 0:30:00"),
    (LAMP, "duration", DAY, "duration_off@2026-03-29 3:30:00"),
    (LAMP, "duration", {"state": "on", "per": "day"}, "duration_on@2026-03-29 19:00:00"),
    (LAMP, "count", {"state": "on"}, "count_on@..now 1"),
    # An interruption is no change.
    (LAMP, "count", {"state": "off", **DAY}, "count_off@2026-03-29 1"),
    (LAMP, "last", {"state": "on"}, 'last_on@..now "2026-03-28 22:00:00"'),
    (LAMP, "last", {"state": "on"}, 'until_on@..now "2026-03-29 20:00:00"'),
    (LAMP, "last", {"state": "on", **DAY}, 'last_on_or_before@2026-03-29 "2026-03-29 00:00:00"'),
    (LAMP, "changes", {"state": "on"}, 'from: "2026-03-28 22:00:00", until: "2026-03-29 20:00:00"'),
    (LAMP, "changes", {}, 'at: "2026-03-29 20:00:00", value: off'),
    (DOOR, "first", {"state": "Open"}, 'first_on@..now "2026-03-29 20:00:00"'),
    (DOOR, "first", {"state": "open", "start": "2026-03-30T00:00"}, "count_on@2026-03-30..now 0"),
    (METER, "sum", {}, "sum@..now 9 kWh"),
    (METER, "difference", DAY, "difference@2026-03-29 5 kWh"),
    (METER, "max", DAY, "max@2026-03-29 104 kWh"),
    (METER, "mean", DAY, "mean@2026-03-29"),
    (METER, "max", {"start": "2026-03-01", "end": "2026-03-01"}, "nothing is recorded"),
    (LAMP, "duration", {"state": "on", "start": "2026-03-20T00:00"}, 'since@2026-03-20..now "2026'),
    ("all light in Attic", "count", {"state": "on"}, "count_on@..now 1"),
    # What is wrong, and how to fix it.
    (LAMP, "duration", {"state": "purple"}, "was never purple in this period. It has: off"),
    (LAMP, "sum", {}, "is no meter"),
    (LAMP, "mean", {}, "has no numbers"),
    (LAMP, "count", {"start": "2026-03-28", "end": "2026-03-29"}, "`end` needs a time"),
    (LAMP, "count", {"start": "yesterday"}, "`start` is no ISO time"),
    (LAMP, "count", {"start": "2026-13-45T00:00"}, "`start` is no ISO time"),
    (LAMP, "count", {"start": "2027-01-01T00:00"}, "`start` has to be before"),
    (LAMP, "count", {"start": "2026-01-01T00:00", "per": "hour"}, "At most 62 parts"),
    ("switch.fan", "duration", {"state": "on"}, "leaves out switch.fan"),
]


async def test_measures(sage: Sage) -> None:
    for device, measure, more, said in CASES:
        assert said in await observe(sage, devices=[device], measure=measure, **more), (
            device,
            more,
        )


@pytest.mark.parametrize("recorder_config", [{"exclude": {"domains": ["light"]}}])
async def test_entities_that_are_left_out_are_named(sage: Sage) -> None:
    seen = await observe(sage, devices=["lamp", "door"], measure="count", state="on")
    assert "count_on@..now 1" in seen
    assert "leaves out light.lamp" in seen


HIDDEN: list[dict[str, Any]] = [
    *({"devices": [name]} for name in (SAFE, "LOCK.SAFE", " lock.safe ", "safe", "Safe", "SAFE")),
    *({"devices": [name]} for name in ("vault", "Vault", "VAULT", "vault safe", "Vault Safe")),
    *({"devices": [name]} for name in ("all lock", "all locks in Attic", "all lock in attic")),
    *({"devices": [name]} for name in ("*", "all", "everything", "Attic", "lock", "lock.*", "%")),
    {"devices": [f"lamp,{SAFE}"]},
    {"devices": ["lamp", SAFE]},
    {"devices": [f"{SAFE}' OR '1'='1"]},
    {"devices": ["lamp'; SELECT * FROM states; --"]},
    {"devices": ["sensor:lock.safe"]},
    {"devices": ["lamp"], "attributes": [SAFE]},
    {"devices": ["lamp"], "attributes": ["user_code"]},
    {"devices": ["lamp"], "attributes": ["state FROM states WHERE 1=1"]},
    {"devices": ["lamp"], "state": f"on' UNION SELECT state FROM states_meta -- {SAFE}"},
    {"devices": ["lamp"], "state": "unlocked"},
]


async def test_no_argument_reaches_what_is_hidden(sage: Sage) -> None:
    assert len(HIDDEN) >= 30
    for attempt in HIDDEN:
        seen = await observe(sage, **{"measure": "changes", **attempt})
        for own in (*attempt["devices"], *attempt.get("attributes", ()), attempt.get("state", "")):
            # Errors repeat what the model said itself.
            seen = seen.replace(own.strip(), "")
        assert "unlocked" not in seen, attempt
        assert "4711" not in seen, attempt
        assert "lock.safe" not in seen, attempt


async def test_a_limited_person_reads_no_other_past(hass: HomeAssistant, sage: Sage) -> None:
    await hass.auth.async_create_user("Owner")
    child = await hass.auth.async_create_user("Kim")
    policy = {"entities": {"entity_ids": {DOOR: {"read": True}}}}
    child.groups = [Group(name="The door only", policy=policy)]
    for device in (LAMP, "lamp", "all light", "Attic"):
        seen = await observe(sage, child.id, devices=[device], measure="count", state="on")
        assert "count_on" not in seen
    assert "count_on" in await observe(sage, child.id, devices=[DOOR], measure="count", state="on")


def past(value: str, attribute: str) -> dict[str, Any]:
    return claim("lamp", value, "read", attribute=attribute)


BEFORE = {"start": "2026-03-28T00:00", "end": "2026-03-29T00:00"}
BOTH = [
    {"devices": ["lamp"], "measure": "duration", "state": "on", **each} for each in (DAY, BEFORE)
]


@pytest.mark.parametrize(
    "claims",
    [
        [past("19:00:00", "duration_on@2026-03-29"), past("2 h", "duration_on@2026-03-28")],
        [past("19 Stunden", "duration_on@2026-03-29")],
        [past("19.0 hours", "duration_on@2026-03-29")],
    ],
)
async def test_a_true_answer_is_spoken(sage: Sage, claims) -> None:
    sage.model_says(*reads(*BOTH), NATIVE.finish("answered", "It was on for 19 hours.", *claims))
    assert await sage.hear("how long was the lamp on?") == "It was on for 19 hours."


@pytest.mark.parametrize(
    "lie",
    [
        past("21 h", "duration_on@2026-03-29"),
        past("19 h", "duration_on@2026-03-28"),
        # Of which day?
        past("19 h", "duration_on"),
        past("19 h", "state"),
    ],
)
async def test_a_false_answer_is_not_spoken(sage: Sage, lie) -> None:
    sage.model_says(*reads(*BOTH), *[NATIVE.finish("answered", "All day.", lie)] * 2)
    heard = await impatient(sage).hear("how long was the lamp on?")
    assert "All day" not in heard
    assert heard.startswith("Lamp: on for ")
    assert "on for 19 h 0 min, 2026-03-29, unavailable for 30 min 0 s" in heard
    assert "on for 2 h 0 min, 2026-03-28" in heard
