"""The raw view of the devices of loaded SmartThings entries, as one provider."""

from collections.abc import AsyncGenerator, Mapping, Sequence

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr

from custom_components.sage.home.commands.pipeline import Pipeline
from custom_components.sage.home.commands.step import FAILED_ERROR
from custom_components.sage.home.commands.undo_history import PutBack
from custom_components.sage.home.commands.waits import CommandWaits
from custom_components.sage.home.home_types import (
    CommandRequest,
    Device,
    HomeError,
    NoCommandError,
    Outcome,
    OutcomeKind,
    Source,
)
from custom_components.sage.home.inventory import Inventory
from custom_components.sage.home.safety.gate import Gate
from custom_components.sage.home.smartthings.commands import RawCommand
from custom_components.sage.home.smartthings.failures import REFUSED_REMOTE_CONTROL
from custom_components.sage.home.smartthings.provider import SmartThings as Provider
from custom_components.sage.home.smartthings.raw import Definition, TextOrigin
from custom_components.sage.people.person import HOUSEHOLD, Person
from tests.end_to_end.attacker import person
from tests.home.homes import Builder, plain_device
from tests.home.house import Asking
from tests.home.raw_parts import raw_part, with_raw
from tests.smartthings_home import SmartThings, expose, expose_all, hide_all

TV, FRIDGE, DISHWASHER = "Samsung 8 Series", "Refrigerator", "Dishwasher"
SETPOINT = "thermostatCoolingSetpoint"
CLOUD_ID = "3b3eb3b3-0000-4000-8000-000000000000"


class Raw:
    """The provider with the gate that it asks, and the devices as a person has them listed."""

    def __init__(self, hass: HomeAssistant) -> None:
        self.hass = hass
        self.gate = Gate(hass)
        self.provider = Provider(hass, self.gate, CommandWaits())
        backend = self.provider.backend
        self.pipeline = Pipeline(self.gate.async_prepare, {RawCommand: backend})
        self.put_back = PutBack(self.pipeline, {Source.SMARTTHINGS: backend})
        self.inventory = Inventory(hass, self.gate, self.provider)

    async def async_start(self) -> None:
        await self.gate.async_setup()
        await self.provider.async_setup()
        mirror = self.provider._mirror
        await mirror.async_make_fresh(device.id for device in mirror.devices())

    async def async_close(self) -> None:
        self.inventory.close()
        self.gate.close()
        await self.provider.async_close()

    async def async_device(self, name: str, who: Person = HOUSEHOLD) -> Device:
        """Return a device of the listing of a person."""
        await self.gate.async_prepare(who)
        return (await self.inventory.async_listing(who)).device(name)

    async def async_named(self, name: str, *capabilities: str) -> list[tuple[str, str]]:
        """Return component and capability of what these names stand for."""
        device = await self.async_device(name)
        found = self.provider.named(HOUSEHOLD, device, capabilities)
        return [(part.id, capability) for _, part, capability in found]


@pytest.fixture
async def raw(hass: HomeAssistant, smartthings: SmartThings) -> AsyncGenerator[Raw]:
    """The raw view of the paper's home, all of it exposed; requests are counted from zero."""
    expose_all(hass)
    made = Raw(hass)
    await made.async_start()
    smartthings.cloud.forget_requests()
    yield made
    await made.async_close()


def request(command: str, component: str | None = None, **arguments: object) -> CommandRequest:
    return CommandRequest(
        device_id="any", command=command, component_id=component, arguments=arguments
    )


# ------------------------------------------------------------------ without SmartThings


async def test_without_smartthings_nothing_is_added(hass: HomeAssistant) -> None:
    raw = Raw(hass)
    await raw.async_start()
    builder = Builder(hass)
    builder.entity("light.one", device=builder.device("Lamp"))
    lamp = await raw.async_device("Lamp")
    assert lamp.raw_components == ()
    assert raw.provider.named(HOUSEHOLD, lamp, ["light", "main"]) == ()
    assert raw.provider.overview(lamp) == ()
    assert raw.provider.attribute_names(HOUSEHOLD, lamp) == ()
    assert await raw.provider.async_read(HOUSEHOLD, lamp, ["switch"], ["level"]) == ()
    assert await raw.provider.async_document(HOUSEHOLD, ()) == ()
    assert await raw.pipeline.async_execute(Asking(), ()) == ()
    assert not raw.provider.is_meant(HOUSEHOLD, lamp, request("main.switch.on", "main"))
    with pytest.raises(NoCommandError, match="Lamp in SmartThings has the command on"):
        await raw.provider.async_prepare(HOUSEHOLD, lamp, request("on"))
    await raw.async_close()


async def test_a_device_that_the_cloud_does_not_have_gets_nothing(
    hass: HomeAssistant, raw: Raw, smartthings: SmartThings
) -> None:
    registry = dr.async_get(hass)
    strange = registry.async_get_or_create(
        config_entry_id=smartthings.entry.entry_id, identifiers={("smartthings", CLOUD_ID)}
    )
    assert raw.provider.components(strange, frozenset({"light.any"})) == ()
    gone = with_raw(plain_device("gone", "Gone", "light.any"), raw_part("main", device=CLOUD_ID))
    assert raw.provider.named(HOUSEHOLD, gone, ["switch"]) == ()
    with pytest.raises(NoCommandError):
        await raw.provider.async_prepare(HOUSEHOLD, gone, request("on"))


# ------------------------------------------------------------------ listing


async def test_parts_have_their_labels_and_the_whole_has_none(raw: Raw) -> None:
    parts = (await raw.async_device(FRIDGE)).raw_components
    assert [(each.id, each.name, each.kind) for each in parts] == [
        ("main", "", "refrigerator"),
        ("cooler", "cooler", None),
        ("freezer", "freezer", None),
        ("cvroom", "cvroom", None),
    ]
    assert {each.source for each in parts} == {Source.SMARTTHINGS}
    assert len({each.raw_device_id for each in parts}) == 1
    assert (await raw.async_device("Light strip (Bedroom)")).raw_components == ()


async def test_the_version_changes_with_devices_and_entities_only(
    raw: Raw, smartthings: SmartThings
) -> None:
    before = raw.provider.version
    await smartthings.async_change(TV, "main", "tvChannel", "tvChannel", "11")
    assert raw.provider.version == before
    smartthings.cloud.remove(TV)
    await smartthings.async_settle()
    assert raw.provider.version != before


async def test_what_is_visible_decides_what_is_added(raw: Raw, smartthings: SmartThings) -> None:
    device = smartthings.device(TV)
    (player,) = smartthings.entities(TV, "media_player")
    assert raw.provider.components(device, frozenset()) == ()
    assert raw.provider.components(device, frozenset({"light.any"})) == ()
    (main,) = raw.provider.components(device, frozenset({player}))
    assert "tvChannel" in main.capabilities


# ------------------------------------------------------------------ names


@pytest.mark.parametrize(
    "name", ["tvChannel", "tv_channel", "TV channel", "main.tvChannel", "main tvChannel"]
)
async def test_a_capability_is_known_by_any_spelling(raw: Raw, name: str) -> None:
    assert await raw.async_named(TV, name) == [("main", "tvChannel")]


async def test_a_short_name_means_the_capability_of_a_namespace(raw: Raw) -> None:
    assert await raw.async_named(TV, "picturemode") == [("main", "custom.picturemode")]
    assert await raw.async_named(TV, "custom.picturemode") == [("main", "custom.picturemode")]


async def test_a_name_without_a_part_means_all_parts_and_with_it_one(raw: Raw) -> None:
    everywhere = await raw.async_named(FRIDGE, SETPOINT)
    assert {part for part, _ in everywhere} >= {"cooler", "freezer"}
    assert await raw.async_named(FRIDGE, f"cooler.{SETPOINT}") == [("cooler", SETPOINT)]


async def test_what_an_entity_has_means_the_entity(raw: Raw) -> None:
    assert await raw.async_named(DISHWASHER, "switch", "sensor") == []
    assert await raw.async_named(DISHWASHER, "teleportation") == []
    assert await raw.async_named(DISHWASHER) == []


async def test_an_overview_has_one_document_a_part(raw: Raw) -> None:
    documents = raw.provider.overview(await raw.async_device(FRIDGE))
    assert [each.component_id for each in documents] == ["main", "cooler", "freezer", "cvroom"]
    assert all(each.capability == "" and each.source is Source.SMARTTHINGS for each in documents)
    assert "refrigeration" in documents[0].notes[0]


# ------------------------------------------------------------------ reading


async def test_values_are_read_by_capability_or_attribute(
    raw: Raw, smartthings: SmartThings
) -> None:
    device = await raw.async_device(FRIDGE)
    (reading,) = await raw.provider.async_read(
        HOUSEHOLD, device, [f"freezer.{SETPOINT}"], ["volume"]
    )
    assert (reading.component_id, reading.capability) == ("freezer", SETPOINT)
    doors = await raw.provider.async_read(HOUSEHOLD, device, None, ["contact"])
    assert {each.component_id for each in doors} >= {"cooler", "freezer"}
    assert {each.capability for each in doors} == {"contactSensor"}
    both = await raw.provider.async_read(HOUSEHOLD, device, ["contactSensor"], ["contact"])
    assert len(both) == len(doors)
    assert await raw.provider.async_read(HOUSEHOLD, device, None, None) == ()
    assert smartthings.cloud.requests == []


async def test_values_that_may_be_outdated_are_fetched_once_for_all_parts(
    raw: Raw, smartthings: SmartThings
) -> None:
    device = await raw.async_device(FRIDGE)
    raw.provider._mirror.stream_changed(smartthings.entry.entry_id)
    await raw.provider.async_read(HOUSEHOLD, device, ["contactSensor"], ["temperature"])
    assert [each.device_id for each in smartthings.cloud.requests] == [
        smartthings.cloud.device_id(FRIDGE)
    ]


async def test_names_of_attributes_are_those_that_may_be_read(
    raw: Raw, smartthings: SmartThings
) -> None:
    names = raw.provider.attribute_names(HOUSEHOLD, await raw.async_device(TV))
    assert {"tvChannel", "pictureMode"} <= set(names)
    assert len(names) == len(set(names))
    expose(raw.hass, *smartthings.entities(TV, "media_player"))
    names = raw.provider.attribute_names(HOUSEHOLD, await raw.async_device(TV))
    assert "pictureMode" in names
    assert "tvChannel" not in names


# ------------------------------------------------------------------ who may


async def test_what_was_hidden_since_it_was_listed_is_not_there(
    raw: Raw, smartthings: SmartThings
) -> None:
    device = await raw.async_device(TV)
    hide_all(raw.hass)
    assert raw.provider.named(HOUSEHOLD, device, ["tvChannel"]) == ()
    assert raw.provider.attribute_names(HOUSEHOLD, device) == ()
    assert await raw.provider.async_read(HOUSEHOLD, device, ["tvChannel"], ["volume"]) == ()
    assert not raw.provider.is_meant(HOUSEHOLD, device, request("tvChannel.setTvChannel", "main"))
    with pytest.raises(NoCommandError) as error:
        await raw.provider.async_prepare(HOUSEHOLD, device, request("setTvChannel", tvChannel="7"))
    assert "Nearest" not in str(error.value)
    assert smartthings.cloud.requests == []


async def test_what_was_hidden_since_it_was_prepared_is_refused(
    raw: Raw, smartthings: SmartThings
) -> None:
    device = await raw.async_device(TV)
    command = await raw.provider.async_prepare(
        HOUSEHOLD, device, request("setTvChannel", tvChannel="7")
    )
    hide_all(raw.hass)
    (outcome,) = await raw.pipeline.async_execute(Asking(), [command])
    assert outcome.kind is OutcomeKind.REFUSED
    assert smartthings.cloud.commands == []


async def test_people_have_the_parts_that_they_may_see(raw: Raw, smartthings: SmartThings) -> None:
    number = next(
        each
        for each in smartthings.entities(FRIDGE, "number")
        if each.endswith("freezer_temperature")
    )
    policy = {"entities": {"entity_ids": {number: True}}}
    kim = Person(user_id=person(raw.hass, "Kim", policy), name="Kim")
    device = await raw.async_device(FRIDGE, kim)
    assert [each.id for each in device.raw_components] == ["freezer"]
    whole = await raw.async_device(FRIDGE)
    found = raw.provider.named(kim, whole, [SETPOINT, "contactSensor", "refrigeration"])
    assert [(part.id, capability) for _, part, capability in found] == [("freezer", SETPOINT)]


# ------------------------------------------------------------------ commands


@pytest.mark.parametrize(
    ("command", "component", "is_meant"),
    [
        ("setTvChannel", None, False),
        ("volume_set", None, False),
        ("setTvChannel", "main", True),
        ("setTvChannel", "Main", True),
        ("setTvChannel", "media_player.tv", False),
        ("tvChannel.setTvChannel", None, True),
        ("main.tvChannel.setTvChannel", None, True),
        ("media_player.turn_on", None, False),
        ("teleportation.go", None, False),
    ],
)
async def test_a_raw_part_or_capability_is_meant_when_it_is_named(
    raw: Raw, command: str, component: str | None, is_meant: bool
) -> None:
    device = await raw.async_device(TV)
    asked = request(command, component)
    assert raw.provider.is_meant(HOUSEHOLD, device, asked) is is_meant


async def test_a_command_aims_at_the_part_that_is_named(raw: Raw) -> None:
    device = await raw.async_device(FRIDGE)
    for asked in (
        request("setCoolingSetpoint", "freezer", setpoint=-20),
        request(f"freezer.{SETPOINT}.setCoolingSetpoint", setpoint=-20),
    ):
        command = await raw.provider.async_prepare(HOUSEHOLD, device, asked)
        assert (command.component_id, command.positional) == ("freezer", (-20,))


async def test_a_part_has_to_be_named_where_several_have_the_command(raw: Raw) -> None:
    device = await raw.async_device(FRIDGE)
    with pytest.raises(HomeError, match=r"Several components.*cooler.*freezer"):
        await raw.provider.async_prepare(
            HOUSEHOLD, device, request("setCoolingSetpoint", setpoint=-20)
        )


async def test_a_part_that_there_is_not_is_not_taken_for_another(raw: Raw) -> None:
    device = await raw.async_device(FRIDGE)
    for name in ("garage", "icemaker-09", "custom"):
        with pytest.raises(HomeError):
            await raw.provider.async_prepare(
                HOUSEHOLD,
                device,
                request(f"{name}.{SETPOINT}.setCoolingSetpoint", setpoint=-20),
            )


async def test_the_nearest_commands_are_named_with_their_part(raw: Raw) -> None:
    device = await raw.async_device(TV)
    with pytest.raises(NoCommandError, match=r"main: Nearest: .*tvChannel.setTvChannel"):
        await raw.provider.async_prepare(HOUSEHOLD, device, request("setChannel"))
    with pytest.raises(NoCommandError, match="Look up its documentation"):
        await raw.provider.async_prepare(HOUSEHOLD, device, request("xyzzy"))


async def test_what_was_done_can_be_put_back(raw: Raw, smartthings: SmartThings) -> None:
    device = await raw.async_device(FRIDGE)
    before = smartthings.cloud.device(FRIDGE).status["freezer"][SETPOINT]["coolingSetpoint"][
        "value"
    ]
    command = await raw.provider.async_prepare(
        HOUSEHOLD, device, request("setCoolingSetpoint", "freezer", setpoint=-21)
    )
    outcomes = await raw.pipeline.async_execute(Asking(), [command])
    assert [each.kind for each in outcomes] == [OutcomeKind.VERIFIED]
    assert outcomes[0].device_name == "Refrigerator freezer"
    back = await raw.put_back.async_put_back(Asking(), outcomes)
    assert [each.kind for each in back] == [OutcomeKind.VERIFIED]
    assert [each.arguments for each in smartthings.cloud.commands] == [[-21], [before]]


async def test_a_device_that_is_off_is_documented_with_that(
    raw: Raw, smartthings: SmartThings
) -> None:
    (player,) = smartthings.entities(TV, "media_player")
    for switch, is_told in (("off", True), ("on", False)):
        await smartthings.async_change(TV, "main", "switch", "switch", switch)
        device = await raw.async_device(TV)
        subjects = raw.provider.named(HOUSEHOLD, device, ["tvChannel"])
        (document,) = await raw.provider.async_document(HOUSEHOLD, subjects)
        assert (f"the device is off ({player})" in document.notes) is is_told


async def test_why_an_entity_failed_is_told_where_only_the_cloud_knows(
    raw: Raw, smartthings: SmartThings
) -> None:
    listing = await raw.inventory.async_listing(HOUSEHOLD)
    start = next(
        each for each in smartthings.entities(DISHWASHER, "button") if each.endswith("_start")
    )
    (power,) = smartthings.entities("Outlet", "switch")
    failed = [
        Outcome(
            kind=OutcomeKind.FAILED,
            device_id=listing.find(each).device.id,
            device_name="Something",
            component_id=each,
            capability=each.partition(".")[0],
            command="press",
            reason=FAILED_ERROR,
        )
        for each in (start, power)
    ]
    assert raw.provider.explained(listing, failed) == tuple(failed)
    smartthings.cloud.set_remote_control(DISHWASHER, enabled=False)
    await smartthings.async_settle()
    told, other = raw.provider.explained(listing, failed)
    assert (told.device_name, told.reason) == (DISHWASHER, REFUSED_REMOTE_CONTROL)
    assert "Smart Control" in told.detail
    assert other == failed[1]


# ------------------------------------------------------------------ quiet times


class Writer:
    """Writes the same of all."""

    async def async_summarize(self, definitions: Sequence[Definition]) -> Mapping[str, str]:
        return {each.id: f"Is about {each.id}" for each in definitions}


async def test_summaries_are_written_of_what_was_used(raw: Raw, smartthings: SmartThings) -> None:
    smartthings.cloud.texts.clear()
    smartthings.cloud.definitions = {
        capability: {name: told for name, told in definition.items() if name != "description"}
        for capability, definition in smartthings.cloud.definitions.items()
    }
    device = await raw.async_device(TV)
    subjects = raw.provider.named(HOUSEHOLD, device, ["tvChannel"])
    await raw.provider.async_document(HOUSEHOLD, subjects)
    await raw.provider.async_write_summaries(Writer())
    known = raw.provider._definitions.known("tvChannel")
    assert (known.summary, known.origin) == ("Is about tvChannel", TextOrigin.GENERATED)
    assert raw.provider._definitions.known("custom.picturemode").origin is not TextOrigin.GENERATED
