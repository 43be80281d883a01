"""Entries of the real integration are loaded, unloaded, reloaded, or have unknown internals."""

import asyncio
import gc
import weakref
from dataclasses import dataclass, field
from typing import Any

import pytest
from homeassistant.config_entries import ConfigEntryDisabler, ConfigEntryState
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import issue_registry as ir
from homeassistant.helpers import translation

from benchmark.simulator.cloud import SimulatedCloud
from benchmark.simulator.request_log import RequestKind
from custom_components.sage.const import DOMAIN
from custom_components.sage.home.smartthings.entry_shape import LoadedEntry
from custom_components.sage.home.smartthings.loaded_entries import ISSUE, LoadedEntries
from custom_components.sage.home.smartthings.raw import RawEvent
from tests.smartthings_home import SmartThings, async_connected


@dataclass(eq=False)
class Diary:
    """Writes down what happens."""

    lines: list[str] = field(default_factory=list)
    events: list[RawEvent] = field(default_factory=list)
    loaded: list[LoadedEntry] = field(default_factory=list)

    def attached(self, entry: LoadedEntry) -> None:
        self.lines.append("attached")
        self.loaded.append(entry)

    def detached(self, entry_id: str) -> None:
        self.lines.append("detached")
        self.loaded.clear()

    def stream_changed(self, entry_id: str) -> None:
        self.lines.append("stream")

    def reported(self, entry_id: str, event: RawEvent) -> None:
        self.events.append(event)

    def availability_changed(self, entry_id: str, device_id: str, online: bool) -> None:
        self.lines.append(f"{'online' if online else 'offline'} {device_id}")

    def device_changed(self, entry_id: str, device_id: str) -> None:
        self.lines.append(f"changed {device_id}")

    def device_deleted(self, entry_id: str, device_id: str) -> None:
        self.lines.append(f"deleted {device_id}")


@pytest.fixture
def diary(entries: LoadedEntries) -> Diary:
    diary = Diary()
    entries.listen(diary)
    return diary


def _issue(hass: HomeAssistant) -> ir.IssueEntry | None:
    return ir.async_get(hass).async_get_issue(DOMAIN, ISSUE)


async def test_a_home_without_smartthings(hass: HomeAssistant, entries: LoadedEntries) -> None:
    entries.async_setup()
    assert entries.client("nobody") is None
    assert not entries.is_streaming("nobody")
    assert _issue(hass) is None


async def test_an_entry_that_is_loaded_already(
    smartthings: SmartThings, entries: LoadedEntries, diary: Diary
) -> None:
    entries.async_setup()
    entries.async_setup()
    assert entries.client(smartthings.entry.entry_id) is smartthings.client
    assert entries.is_streaming(smartthings.entry.entry_id)
    assert diary.lines == ["attached"]
    [loaded] = diary.loaded
    devices = {each.device.label: each for each in loaded.devices}
    assert {each.device.id for each in loaded.devices} == set(smartthings.cloud.home.devices)
    fridge = devices["Refrigerator"]
    assert fridge.device.component("freezer") is not None
    assert fridge.device.component("cellar") is None
    assert fridge.online
    main = fridge.device.component("main")
    assert main is not None
    assert main.category == "Refrigerator"
    assert "refrigeration" in main.capabilities
    assert all(type(each) is str for each in main.capabilities)


async def test_an_entry_that_is_loaded_later_and_one_who_listens_later(
    hass: HomeAssistant,
    cloud: SimulatedCloud,
    entries: LoadedEntries,
    diary: Diary,
) -> None:
    entries.async_setup()
    async with async_connected(hass, cloud):
        assert diary.lines == ["attached"]
        late = Diary()
        stop = entries.listen(late)
        assert late.lines == ["attached"]
        stop()
        stop()
    assert diary.lines == ["attached", "detached"]
    assert late.lines == ["attached"]


async def test_a_reload_and_an_unload(
    hass: HomeAssistant, smartthings: SmartThings, entries: LoadedEntries, diary: Diary
) -> None:
    entries.async_setup()
    entry_id = smartthings.entry.entry_id
    before = entries.client(entry_id)
    await hass.config_entries.async_reload(entry_id)
    assert diary.lines == ["attached", "detached", "attached"]
    assert entries.client(entry_id) is smartthings.client is not before
    await hass.config_entries.async_unload(entry_id)
    assert diary.lines[3:] == ["detached"]
    assert entries.client(entry_id) is None
    assert not entries.is_streaming(entry_id)


async def test_nothing_of_an_entry_is_kept_after_it_was_removed(
    hass: HomeAssistant, smartthings: SmartThings, entries: LoadedEntries, diary: Diary
) -> None:
    entries.async_setup()
    client = weakref.ref(smartthings.client)
    assert client() is not None
    await hass.config_entries.async_remove(smartthings.entry.entry_id)
    await hass.async_block_till_done()
    gc.collect()
    known = gc.get_referrers(left) if (left := client()) is not None else []
    held = [each for each in known if "custom_components.sage" in repr(type(each))]
    assert held == []
    assert entries.client(smartthings.entry.entry_id) is None


async def test_an_entry_that_is_not_loaded(
    hass: HomeAssistant, smartthings: SmartThings, entries: LoadedEntries, diary: Diary
) -> None:
    entry_id = smartthings.entry.entry_id
    await hass.config_entries.async_unload(entry_id)
    smartthings.cloud.faults.hang(RequestKind.SUBSCRIPTION, times=1)
    entries.async_setup()
    assert diary.lines == []
    assert _issue(hass) is None

    smartthings.cloud.faults.clear()
    smartthings.cloud.faults.refuse_token(RequestKind.DEVICES, times=1)
    await hass.config_entries.async_setup(entry_id)
    assert smartthings.entry.state is ConfigEntryState.SETUP_ERROR
    assert diary.lines == []
    assert _issue(hass) is None

    await hass.config_entries.async_reload(entry_id)
    assert diary.lines == ["attached"]


async def test_home_assistant_reloads_the_entry_when_there_are_too_many_streams(
    hass: HomeAssistant, smartthings: SmartThings, entries: LoadedEntries, diary: Diary
) -> None:
    entries.async_setup()
    loaded = asyncio.Event()

    class Reloaded(Diary):
        def attached(self, entry: LoadedEntry) -> None:
            loaded.set()

    smartthings.cloud.faults.refuse_state(RequestKind.SUBSCRIPTION, times=1)
    smartthings.cloud.stream.say_goodbye()
    await _until(lambda: "detached" in diary.lines)
    entries.listen(Reloaded())
    async with asyncio.timeout(120):
        await loaded.wait()
    assert diary.lines == ["attached", "stream", "detached", "attached"]
    assert entries.client(smartthings.entry.entry_id) is smartthings.client


async def _until(condition: Any) -> None:
    async with asyncio.timeout(120):
        while not condition():  # noqa: ASYNC110 - there is nothing to wait on
            await asyncio.sleep(0)


async def test_events_are_told_in_plain_words(
    smartthings: SmartThings, entries: LoadedEntries, diary: Diary
) -> None:
    entries.async_setup()
    await smartthings.async_change("fridge", "cooler", "contactSensor", "contact", "open")
    fridge = smartthings.cloud.device_id("fridge")
    told = [each for each in diary.events if each.capability == "contactSensor"]
    assert (
        RawEvent(
            device_id=fridge,
            component_id="cooler",
            capability="contactSensor",
            attribute="contact",
            value="open",
        )
        in told
    )
    assert all(
        type(text) is str
        for each in told
        for text in (each.device_id, each.component_id, each.capability, each.attribute)
    )


async def test_a_device_that_goes_offline_changes_and_disappears(
    smartthings: SmartThings, entries: LoadedEntries, diary: Diary
) -> None:
    entries.async_setup()
    fridge = smartthings.cloud.device_id("fridge")
    smartthings.cloud.set_online("fridge", False)
    smartthings.cloud.set_online("fridge", True)
    smartthings.cloud.stream.publish_lifecycle(fridge, "UPDATE")
    smartthings.cloud.stream.publish_lifecycle(fridge, "CREATE")
    smartthings.cloud.remove("fridge")
    await smartthings.async_settle()
    assert diary.lines == [
        "attached",
        f"offline {fridge}",
        f"online {fridge}",
        f"changed {fridge}",
        f"deleted {fridge}",
    ]


async def test_a_new_event_stream(
    smartthings: SmartThings, entries: LoadedEntries, diary: Diary
) -> None:
    entries.async_setup()
    before = smartthings.entry.data["subscription_id"]
    smartthings.cloud.stream.say_goodbye()
    await _until(lambda: smartthings.entry.data["subscription_id"] not in {None, before})
    assert diary.lines == ["attached", "stream", "stream"]
    assert entries.is_streaming(smartthings.entry.entry_id)


async def test_a_renewed_token_changes_nothing(
    hass: HomeAssistant, smartthings: SmartThings, entries: LoadedEntries, diary: Diary
) -> None:
    entries.async_setup()
    entry = smartthings.entry
    hass.config_entries.async_update_entry(
        entry, data={**entry.data, "token": {**entry.data["token"], "scope": "other"}}
    )
    assert diary.lines == ["attached"]


@pytest.mark.parametrize(
    "missing",
    [
        "get_raw_device_status",
        "add_unspecified_device_event_listener",
        "add_device_availability_event_listener",
        "add_device_lifecycle_event_listener",
    ],
)
async def test_a_client_without_a_function_is_one_issue_until_it_has_it_again(
    hass: HomeAssistant,
    smartthings: SmartThings,
    entries: LoadedEntries,
    diary: Diary,
    missing: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    heard_before = _listeners(smartthings.client)
    with monkeypatch.context() as changed:
        changed.delattr(type(smartthings.client), missing)
        entries.async_setup()
        assert entries.client(smartthings.entry.entry_id) is None
        assert diary.lines == []
        assert _listeners(smartthings.client) == heard_before
        [issue] = [each for each in ir.async_get(hass).issues.values() if each.domain == DOMAIN]
        assert issue.translation_key == "smartthings_changed"
        hass.config_entries.async_update_entry(smartthings.entry, title="Another title")
        assert len(ir.async_get(hass).issues) == 1
    hass.config_entries.async_update_entry(smartthings.entry, title="A third title")
    assert _issue(hass) is not None

    await hass.config_entries.async_reload(smartthings.entry.entry_id)
    assert _issue(hass) is None
    assert diary.lines == ["attached"]


def _listeners(client: Any) -> int:
    return sum(
        len(each)
        for name, value in vars(client).items()
        if name.endswith("event_listeners")
        for each in ([value] if isinstance(value, list) else value.values())
    )


async def test_all_listeners_are_taken_back(
    smartthings: SmartThings, entries: LoadedEntries
) -> None:
    before = _listeners(smartthings.client)
    entries.async_setup()
    assert _listeners(smartthings.client) > before
    entries.close()
    assert _listeners(smartthings.client) == before


@pytest.mark.parametrize("field_name", ["client", "devices"])
async def test_an_entry_without_a_client_or_with_other_devices(
    hass: HomeAssistant, smartthings: SmartThings, entries: LoadedEntries, field_name: str
) -> None:
    kept = getattr(smartthings.entry.runtime_data, field_name)
    setattr(smartthings.entry.runtime_data, field_name, ["something else"])
    entries.async_setup()
    assert entries.client(smartthings.entry.entry_id) is None
    assert _issue(hass) is not None
    setattr(smartthings.entry.runtime_data, field_name, kept)
    entries.close()
    assert _issue(hass) is None


async def test_the_issue_goes_with_the_entry(
    hass: HomeAssistant,
    smartthings: SmartThings,
    entries: LoadedEntries,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr(type(smartthings.client), "get_raw_device_status")
    entries.async_setup()
    assert _issue(hass) is not None
    entry_id = smartthings.entry.entry_id
    await hass.config_entries.async_set_disabled_by(entry_id, ConfigEntryDisabler.USER)
    assert _issue(hass) is None
    await hass.config_entries.async_set_disabled_by(entry_id, None)
    assert _issue(hass) is not None
    await hass.config_entries.async_remove(entry_id)
    assert _issue(hass) is None


async def test_events_that_are_built_differently_cost_the_raw_devices_only(
    hass: HomeAssistant, smartthings: SmartThings, entries: LoadedEntries, diary: Diary
) -> None:
    entries.async_setup()
    [heard, *_] = [
        each
        for each in smartthings.client._SmartThings__unspecified_device_event_listeners
        if "entry_shape" in each.__module__
    ]
    heard(object())
    heard(object())
    await hass.async_block_till_done()
    assert diary.lines == ["attached", "detached"]
    assert _issue(hass) is not None
    unique_id = f"{smartthings.cloud.device_id('fridge')}_cooler_contactSensor_contact_contact"
    contact = er.async_get(hass).async_get_entity_id("binary_sensor", "smartthings", unique_id)
    assert contact is not None
    await smartthings.async_change("fridge", "cooler", "contactSensor", "contact", "open")
    assert hass.states.get(contact).state == "on"  # type: ignore[union-attr]


async def test_an_error_of_one_who_listens_reaches_nobody_else(
    hass: HomeAssistant,
    smartthings: SmartThings,
    entries: LoadedEntries,
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Clumsy(Diary):
        def reported(self, entry_id: str, event: RawEvent) -> None:
            raise RuntimeError("clumsy")

        def availability_changed(self, entry_id: str, device_id: str, online: bool) -> None:
            raise RuntimeError("clumsy")

    diary = Diary()
    entries.listen(Clumsy())
    entries.listen(diary)
    entries.async_setup()
    stream = smartthings.entry.data["subscription_id"]
    smartthings.cloud.set_online("dishwasher", False)
    await smartthings.async_change("fridge", "cooler", "contactSensor", "contact", "open")
    assert diary.events
    assert smartthings.entry.data["subscription_id"] == stream
    assert "A listener of SmartThings entries failed" in caplog.text


@pytest.mark.parametrize("language", ["en", "de", "fr"])
async def test_the_issue_is_told_in_the_languages_of_people(
    hass: HomeAssistant, language: str
) -> None:
    texts = await translation.async_get_translations(hass, language, "issues", [DOMAIN])
    for part in ("title", "description"):
        assert texts[f"component.sage.issues.{ISSUE}.{part}"]
