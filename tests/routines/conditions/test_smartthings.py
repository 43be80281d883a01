"""What condition code reads of SmartThings: what entities do not serve, too."""

import re
from ast import literal_eval

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from benchmark.simulator.request_log import RequestKind
from custom_components.sage.home.smartthings.raw import AttributePlace
from custom_components.sage.tools.routines.condition_code_writing import reading_calls
from tests.exposing import expose_all, hide_all
from tests.routines.conditions.calling import Asking, noting
from tests.smartthings_home import SmartThings

MACHINE = ("dishwasherOperatingState", "machineState")


@pytest.fixture
async def all_exposed(hass: HomeAssistant, smartthings: SmartThings) -> SmartThings:
    expose_all(hass)
    await smartthings.async_settle()
    return smartthings


def key(all_exposed: SmartThings, device: str, capability: str, attribute: str) -> str:
    return AttributePlace(all_exposed.cloud.device_id(device), "main", capability, attribute).key


@pytest.mark.parametrize(
    "name",
    [
        "machineState",
        "machine_state",
        "dishwasherOperatingState.machineState",
        "main.dishwasherOperatingState.machineState",
    ],
)
async def test_a_dishwasher_is_done(all_exposed: SmartThings, asking: Asking, name):
    assert await asking.value("get_attribute", "dishwasher", name) == "stop"

    await all_exposed.async_change("Dishwasher", "main", *MACHINE, "run")
    answered = await asking("get_attribute", "dishwasher", name)

    assert answered.value == "run"
    assert answered.keys == {key(all_exposed, "Dishwasher", *MACHINE)}
    # A broken stream reports nothing.
    assert answered.fresh_until is not None


async def test_a_moment_of_the_cloud_is_a_datetime(all_exposed: SmartThings, asking: Asking):
    await all_exposed.async_change(
        "Dishwasher", "main", "dishwasherOperatingState", "completionTime", "2026-03-10T10:00:00Z"
    )

    at = await asking.value("get_attribute", "dishwasher", "completionTime")

    assert at == dt_util.parse_datetime("2026-03-10T10:00:00+00:00")
    assert at.tzinfo == dt_util.get_default_time_zone()


async def test_a_value_that_is_not_there_now_is_none(all_exposed: SmartThings, asking: Asking):
    await all_exposed.async_change("Samsung 8 Series", "main", "tvChannel", "tvChannel", None)

    assert await asking.value("get_attribute", "samsung_8_series", "tvChannel") is None


async def test_parts_of_a_refrigerator_are_told_apart(all_exposed: SmartThings, asking: Asking):
    await all_exposed.async_change("Refrigerator", "freezer", "contactSensor", "contact", "open")
    await all_exposed.async_change("Refrigerator", "cooler", "contactSensor", "contact", "closed")

    async def contact(part: str) -> object:
        return await asking.value("get_attribute", "refrigerator", "contact", part)

    assert (await contact("freezer"), await contact("cooler")) == ("open", "closed")
    assert "no component" in await asking.error("get_attribute", "refrigerator", "contact", "attic")
    door = "binary_sensor.kitchen_refrigerator_freezer_door"
    assert await asking.value("get_state", door) == "on"
    several = await asking.error("get_state", "refrigerator")
    assert "several components" in several
    assert door in several
    assert f'get_state("{door}")' in await asking.error("get_attribute", "refrigerator", door)


async def test_a_wrong_name_is_told_with_the_nearest(all_exposed: SmartThings, asking: Asking):
    error = await asking.error("get_attribute", "dishwasher", "machinestatus")

    assert "The nearest: machineState" in error


async def test_what_is_no_longer_exposed_is_withheld(
    hass, all_exposed: SmartThings, asking: Asking
):
    await asking.value("get_attribute", "dishwasher", "machineState")

    hide_all(hass)

    answered = await asking("get_attribute", "dishwasher", "machineState")
    assert answered.is_withheld
    assert answered.value is None


async def test_a_change_is_told_and_only_a_change(all_exposed: SmartThings, asking: Asking):
    answered = await asking("get_attribute", "dishwasher", "machineState")
    told: list[str] = []
    stop = asking.functions.watch(answered.keys, noting(told))

    await all_exposed.async_change("Dishwasher", "main", *MACHINE, "run")
    await all_exposed.async_change("Dishwasher", "main", *MACHINE, "run")
    await all_exposed.async_change("Dishwasher", "main", "switch", "switch", "on")
    assert told == [key(all_exposed, "Dishwasher", *MACHINE)]

    stop()
    await all_exposed.async_change("Dishwasher", "main", *MACHINE, "stop")
    assert len(told) == 1


async def test_no_history_of_the_cloud(all_exposed: SmartThings, asking: Asking):
    error = await asking.error("get_history", "dishwasher", 60, "machineState")

    assert "no history" in error


async def test_while_the_cloud_does_not_answer_nothing_is_called_wrong(
    all_exposed: SmartThings, asking: Asking
):
    await asking.value("get_attribute", "dishwasher", "machineState")
    mine = all_exposed.cloud.device_id("Dishwasher")
    all_exposed.cloud.faults.fail(RequestKind.STATUS)
    all_exposed.cloud.stream.publish_lifecycle(mine, "UPDATE")
    await all_exposed.async_settle()

    known = await asking("get_attribute", "dishwasher", "machineState")
    wrong = await asking("get_attribute", "dishwasher", "nonsense")

    assert known.is_unknown
    assert wrong.is_unknown
    assert not wrong.error
    all_exposed.cloud.faults.clear()


async def test_several_values_of_a_name_are_told_apart(all_exposed: SmartThings, asking: Asking):
    error = await asking.error("get_attribute", "refrigerator", "coolingSetpoint")

    assert "Several values of refrigerator" in error
    offered = error.rstrip(".").rpartition("as attribute: ")[2].replace("'", "").split(", ")
    assert len(offered) > 1
    for name in offered:
        assert isinstance(await asking.value("get_attribute", "refrigerator", name), int | float)


async def test_every_call_that_the_prompt_shows_can_be_made(
    all_exposed: SmartThings, home, asking: Asking
):
    mine = home.of(asking.person)
    listing = await mine.async_listing()
    dishwasher, fridge = listing.find("dishwasher").device, listing.find("refrigerator").device
    raw = [
        each
        for device in (dishwasher, fridge)
        for each in await home.extension.async_attributes(asking.person, device)
    ]
    documents = await mine.async_document(
        ["dishwasher", "refrigerator"],
        sorted({f"{each.component}.{each.capability}" for each in raw}),
    )
    shown = " ".join(reading_calls([each], listing) for each in documents)
    calls = re.findall(r"get_attribute\((.*?)\)", shown)

    assert any("dishwasherJobState" in each for each in calls)
    for call in calls:
        answered = await asking("get_attribute", *literal_eval(f"[{call}]"))
        assert not answered.error


async def test_an_attribute_of_two_capabilities_is_listed_with_its_capability(
    all_exposed: SmartThings, asking: Asking
):
    error = await asking.error("get_attribute", "dishwasher", "nonsense")

    listed = error.rstrip(".").rpartition("In SmartThings: ")[2].split(", ")
    jobs = [name for name in listed if name.endswith("dishwasherJobState")]
    assert len(jobs) == 2
    for name in jobs:
        assert isinstance(await asking.value("get_attribute", "dishwasher", name), str)
