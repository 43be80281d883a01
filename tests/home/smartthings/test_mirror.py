"""The mirror asks once, listens from then on, and says when it may be outdated."""

import asyncio
from typing import Any

import pytest
from freezegun.api import FrozenDateTimeFactory
from homeassistant.components.smartthings import process_status
from homeassistant.core import HomeAssistant
from pysmartthings.models import DeviceStatus

from benchmark.simulator.request_log import RequestKind
from custom_components.sage.home.smartthings.mirror import Mirror
from custom_components.sage.home.smartthings.raw import CloudError, CloudErrorKind, RawValue
from tests.smartthings_home import SmartThings

CONTACT = ("cooler", "contactSensor")


@pytest.fixture
async def live(smartthings: SmartThings, mirror: Mirror) -> SmartThings:
    """The real integration, with all devices of the paper's home fetched once."""
    smartthings.cloud.forget_requests()
    mirror.async_setup()
    await _async_fetched(smartthings, mirror)
    return smartthings


async def _async_fetched(home: SmartThings, mirror: Mirror) -> None:
    await mirror.async_make_fresh(home.cloud.home.devices)
    assert all(mirror.is_fresh(each) for each in home.cloud.home.devices)


def _contact(mirror: Mirror, home: SmartThings) -> object:
    known = mirror.attributes(home.cloud.device_id("fridge"), *CONTACT).get("contact")
    return known.value if known else None


async def _async_until(condition: Any) -> None:
    async with asyncio.timeout(120):
        while not condition():  # noqa: ASYNC110 - there is nothing to wait on
            await asyncio.sleep(0)


async def test_a_home_without_smartthings(mirror: Mirror) -> None:
    mirror.async_setup()
    assert mirror.devices() == ()
    assert mirror.device("x") is None
    assert mirror.attributes("x", "main", "switch") == {}
    assert not mirror.is_online("x")
    assert not mirror.is_fresh("x")
    await mirror.async_make_fresh(["x"])
    with pytest.raises(CloudError) as caught:
        await mirror.async_refresh("x")
    assert caught.value.kind is CloudErrorKind.REFUSED


async def test_each_device_is_asked_exactly_once(live: SmartThings, mirror: Mirror) -> None:
    assert [each.method for each in live.cloud.requests] == ["GET"] * len(live.cloud.home.devices)
    asked = [each.device_id for each in live.cloud.requests]
    assert sorted(map(str, asked)) == sorted(live.cloud.home.devices)
    assert {each.id for each in mirror.devices()} == set(live.cloud.home.devices)


async def test_all_values_are_those_of_the_cloud(live: SmartThings, mirror: Mirror) -> None:
    compared = 0
    for device in live.cloud.home.devices.values():
        for component, capabilities in device.status.items():
            for capability, attributes in capabilities.items():
                assert mirror.attributes(device.id, component, capability) == {
                    name: RawValue(value=told["value"], unit=told.get("unit") or "")
                    for name, told in attributes.items()
                }
                compared += len(attributes)
    assert compared > 200


async def test_what_is_in_use_is_what_home_assistant_finds_in_use(
    smartthings: SmartThings, mirror: Mirror
) -> None:
    mirror.async_setup()

    def shown() -> dict[str, dict[str, frozenset[str]]]:
        return {
            each.id: {part.id: frozenset(part.capabilities) for part in each.components}
            for each in mirror.devices()
        }

    at_once, revision = shown(), mirror.revision
    await mirror.async_make_fresh([each.id for each in mirror.devices()])
    assert shown() == at_once
    assert mirror.revision == revision
    for device_id, parts in shown().items():
        status = smartthings.cloud.home.devices[device_id].status
        theirs = process_status(DeviceStatus.from_dict({"components": status}).components)
        assert parts == {
            component: frozenset(map(str, capabilities))
            for component, capabilities in theirs.items()
        }


async def test_an_event_changes_the_value_and_keeps_its_unit(
    live: SmartThings, mirror: Mirror
) -> None:
    fridge = live.cloud.device_id("fridge")
    place = (fridge, "freezer", "temperatureMeasurement")
    unit = mirror.attributes(*place)["temperature"].unit
    assert unit
    await live.async_change("fridge", "freezer", "temperatureMeasurement", "temperature", -21)
    assert mirror.attributes(*place)["temperature"] == RawValue(value=-21, unit=unit)
    assert mirror.is_fresh(fridge)


async def test_a_device_that_became_another_is_asked_again_when_somebody_wants_to_know(
    live: SmartThings, mirror: Mirror
) -> None:
    fridge = live.cloud.device_id("fridge")
    live.cloud.forget_requests()
    live.cloud.stream.publish_lifecycle(fridge, "UPDATE")
    await live.async_settle()
    assert not mirror.is_fresh(fridge)
    assert live.cloud.requests == []
    await _async_fetched(live, mirror)
    assert live.cloud.count_kind(RequestKind.STATUS) == 1


@pytest.mark.parametrize("ending", ["say_goodbye", "disconnect"])
async def test_events_may_be_lost_while_the_stream_is_made_anew(
    live: SmartThings, mirror: Mirror, ending: str
) -> None:
    fridge = live.cloud.device_id("fridge")
    before = live.entry.data["subscription_id"]
    getattr(live.cloud.stream, ending)()
    await _async_until(lambda: live.entry.data["subscription_id"] is None)
    live.cloud.change("fridge", *CONTACT, "contact", "open")
    assert not mirror.is_fresh(fridge)
    await live.async_resubscribed(before)
    live.cloud.forget_requests()
    assert not mirror.is_fresh(fridge)
    assert live.cloud.requests == []

    await mirror.async_make_fresh([fridge])
    assert _contact(mirror, live) == "open"
    assert mirror.is_fresh(fridge)
    assert live.cloud.count_kind(RequestKind.STATUS) == 1
    assert not mirror.is_fresh(live.cloud.device_id("dishwasher"))


async def test_reports_during_a_fetch_are_newer_than_what_it_brings(
    live: SmartThings, mirror: Mirror, monkeypatch: pytest.MonkeyPatch
) -> None:
    fridge = live.cloud.device_id("fridge")
    answered, may_go_on = asyncio.Event(), asyncio.Event()
    ask = mirror.client.async_status

    async def slowly(entry_id: str, device_id: str) -> Any:
        answer = await ask(entry_id, device_id)
        answered.set()
        await may_go_on.wait()
        return answer

    monkeypatch.setattr(mirror.client, "async_status", slowly)
    refreshing = asyncio.create_task(mirror.async_refresh(fridge))
    await answered.wait()
    await live.async_change("fridge", *CONTACT, "contact", "open")
    may_go_on.set()
    await refreshing
    assert _contact(mirror, live) == "open"
    assert mirror.is_fresh(fridge)


async def test_a_stream_that_changes_during_a_fetch_leaves_doubt(
    hass: HomeAssistant, live: SmartThings, mirror: Mirror, monkeypatch: pytest.MonkeyPatch
) -> None:
    fridge = live.cloud.device_id("fridge")
    ask = mirror.client.async_status
    before = live.entry.data

    async def meanwhile(entry_id: str, device_id: str) -> Any:
        answer = await ask(entry_id, device_id)
        data = {**live.entry.data, "subscription_id": "another"}
        hass.config_entries.async_update_entry(live.entry, data=data)
        return answer

    monkeypatch.setattr(mirror.client, "async_status", meanwhile)
    await mirror.async_refresh(fridge)
    assert not mirror.is_fresh(fridge)
    hass.config_entries.async_update_entry(live.entry, data=dict(before))


async def test_a_first_fetch_that_fails_is_repeated_when_somebody_asks_and_not_before(
    freezer: FrozenDateTimeFactory, smartthings: SmartThings, mirror: Mirror
) -> None:
    fridge = smartthings.cloud.device_id("fridge")
    smartthings.cloud.forget_requests()
    fault = smartthings.cloud.faults.fail(RequestKind.STATUS, device="fridge", times=1)
    mirror.async_setup()
    await mirror.async_make_fresh(smartthings.cloud.home.devices)
    assert fault.seen == 1
    assert not mirror.is_fresh(fridge)
    assert _contact(mirror, smartthings) == "closed"

    asked = len(smartthings.cloud.requests)
    assert asked == len(smartthings.cloud.home.devices)
    await mirror.async_make_fresh([fridge])
    assert len(smartthings.cloud.requests) == asked, "asked again within the pause"
    await smartthings.async_idle(freezer, 2)
    assert len(smartthings.cloud.requests) == asked, "asked by itself"

    await mirror.async_make_fresh([fridge])
    assert mirror.is_fresh(fridge)
    assert _contact(mirror, smartthings) == "closed"
    assert len(smartthings.cloud.requests) == asked + 1


async def test_closing_forgets_everything(live: SmartThings, mirror: Mirror) -> None:
    mirror.close()
    assert mirror.devices() == ()
    await live.async_change("fridge", *CONTACT, "contact", "open")
    assert _contact(mirror, live) is None
