"""The raw view of the devices of loaded SmartThings entries, as one provider."""

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr

from custom_components.sage.home.commands.pipeline import FAILED_ERROR
from custom_components.sage.home.home import Home
from custom_components.sage.home.home_types import (
    CommandRequest,
    HomeError,
    NoCommandError,
    Outcome,
    OutcomeKind,
    Source,
)
from custom_components.sage.home.smartthings.command_outcomes import REFUSED_REMOTE_CONTROL
from custom_components.sage.people.person import HOUSEHOLD, Person
from tests.end_to_end.attacker import person
from tests.exposing import expose, hide_all
from tests.home.entity_home import Asking, EntityHome
from tests.home.listings import plain_device, raw_part, with_raw
from tests.home.smartthings.raw_home import RawHome
from tests.smartthings_home import SmartThings

TV, FRIDGE, DISHWASHER = "Samsung 8 Series", "Refrigerator", "Dishwasher"
SETPOINT = "thermostatCoolingSetpoint"
CLOUD_ID = "3b3eb3b3-0000-4000-8000-000000000000"


async def async_named(raw: RawHome, name: str, *capabilities: str) -> list[tuple[str, str]]:
    """Return component and capability of what these names stand for."""
    device = await raw.async_listed(name)
    found = raw.parts.named(HOUSEHOLD, device, capabilities)
    return [(part.id, capability) for _, part, capability in found]


def request(command: str, component: str | None = None, **arguments: object) -> CommandRequest:
    return CommandRequest(
        device_id="any", command=command, component_id=component, arguments=arguments
    )


# ------------------------------------------------------------------ without SmartThings


async def test_without_smartthings_nothing_is_added(hass: HomeAssistant) -> None:
    home = Home(hass)
    await home.async_setup()
    parts = home.smartthings
    builder = EntityHome(hass)
    builder.entity("light.one", device=builder.device("Lamp"))
    lamp = (await home.of(HOUSEHOLD).async_listing()).device("lamp")
    assert lamp.raw_components == ()
    assert parts.named(HOUSEHOLD, lamp, ["light", "main"]) == ()
    assert parts.overview(lamp) == ()
    assert parts.attribute_names(HOUSEHOLD, lamp) == ()
    assert await parts.async_read(HOUSEHOLD, lamp, ["switch"], ["level"]) == ()
    assert await parts.async_document(HOUSEHOLD, ()) == ()
    assert await home.pipeline.async_execute(Asking(), ()) == ()
    assert not parts.names_raw_part(HOUSEHOLD, lamp, request("main.switch.on", "main"))
    with pytest.raises(NoCommandError, match="Lamp in SmartThings has the command on"):
        await parts.async_prepare(HOUSEHOLD, lamp, request("on"))
    await home.async_close()


async def test_a_device_that_the_cloud_does_not_have_gets_nothing(
    hass: HomeAssistant, raw: RawHome, smartthings: SmartThings
) -> None:
    registry = dr.async_get(hass)
    strange = registry.async_get_or_create(
        config_entry_id=smartthings.entry.entry_id, identifiers={("smartthings", CLOUD_ID)}
    )
    assert raw.parts.components(strange, frozenset({"light.any"})) == ()
    gone = with_raw(plain_device("gone", "Gone", "light.any"), raw_part("main", device=CLOUD_ID))
    assert raw.parts.named(HOUSEHOLD, gone, ["switch"]) == ()
    with pytest.raises(NoCommandError):
        await raw.parts.async_prepare(HOUSEHOLD, gone, request("on"))


# ------------------------------------------------------------------ listing


async def test_parts_have_their_labels_and_the_whole_has_none(raw: RawHome) -> None:
    parts = (await raw.async_listed(FRIDGE)).raw_components
    assert [(each.id, each.name, each.kind) for each in parts] == [
        ("main", "", "refrigerator"),
        ("cooler", "cooler", None),
        ("freezer", "freezer", None),
        ("cvroom", "cvroom", None),
    ]
    assert {each.source for each in parts} == {Source.SMARTTHINGS}
    assert len({each.raw_device_id for each in parts}) == 1
    assert (await raw.async_listed("Light strip (Bedroom)")).raw_components == ()


async def test_the_version_changes_with_devices_and_entities_only(
    raw: RawHome, smartthings: SmartThings
) -> None:
    before = raw.parts.version
    await smartthings.async_change(TV, "main", "tvChannel", "tvChannel", "11")
    assert raw.parts.version == before
    smartthings.cloud.remove(TV)
    await smartthings.async_settle()
    assert raw.parts.version != before


async def test_what_is_visible_decides_what_is_added(
    raw: RawHome, smartthings: SmartThings
) -> None:
    device = smartthings.device(TV)
    (player,) = smartthings.entities(TV, "media_player")
    assert raw.parts.components(device, frozenset()) == ()
    assert raw.parts.components(device, frozenset({"light.any"})) == ()
    (main,) = raw.parts.components(device, frozenset({player}))
    assert "tvChannel" in main.capabilities


# ------------------------------------------------------------------ names


@pytest.mark.parametrize("name", ["tvChannel", "tv_channel", "TV channel", "main.tvChannel"])
async def test_a_capability_is_known_by_any_spelling(raw: RawHome, name: str) -> None:
    assert await async_named(raw, TV, name) == [("main", "tvChannel")]


async def test_a_short_name_means_the_capability_of_a_namespace(raw: RawHome) -> None:
    assert await async_named(raw, TV, "picturemode") == [("main", "custom.picturemode")]
    assert await async_named(raw, TV, "custom.picturemode") == [("main", "custom.picturemode")]


async def test_a_name_without_a_part_means_all_parts_and_with_it_one(raw: RawHome) -> None:
    everywhere = await async_named(raw, FRIDGE, SETPOINT)
    assert {part for part, _ in everywhere} >= {"cooler", "freezer"}
    assert await async_named(raw, FRIDGE, f"cooler.{SETPOINT}") == [("cooler", SETPOINT)]


async def test_what_an_entity_has_means_the_entity(raw: RawHome) -> None:
    assert await async_named(raw, DISHWASHER, "switch", "sensor") == []
    assert await async_named(raw, DISHWASHER, "teleportation") == []
    assert await async_named(raw, DISHWASHER) == []


async def test_an_overview_has_one_document_a_part(raw: RawHome) -> None:
    documents = raw.parts.overview(await raw.async_listed(FRIDGE))
    assert [each.component_id for each in documents] == ["main", "cooler", "freezer", "cvroom"]
    assert all(each.capability == "" and each.source is Source.SMARTTHINGS for each in documents)
    assert "refrigeration" in documents[0].notes[0]


# ------------------------------------------------------------------ reading


async def test_values_are_read_by_capability_or_attribute(
    raw: RawHome, smartthings: SmartThings
) -> None:
    device = await raw.async_listed(FRIDGE)
    (reading,) = await raw.parts.async_read(HOUSEHOLD, device, [f"freezer.{SETPOINT}"], ["volume"])
    assert (reading.component_id, reading.capability) == ("freezer", SETPOINT)
    doors = await raw.parts.async_read(HOUSEHOLD, device, None, ["contact"])
    assert {each.component_id for each in doors} >= {"cooler", "freezer"}
    assert {each.capability for each in doors} == {"contactSensor"}
    both = await raw.parts.async_read(HOUSEHOLD, device, ["contactSensor"], ["contact"])
    assert len(both) == len(doors)
    assert await raw.parts.async_read(HOUSEHOLD, device, None, None) == ()
    assert smartthings.cloud.requests == []


async def test_values_that_may_be_outdated_are_fetched_once_for_all_parts(
    raw: RawHome, smartthings: SmartThings
) -> None:
    device = await raw.async_listed(FRIDGE)
    smartthings.cloud.stream.publish_lifecycle(smartthings.cloud.device_id(FRIDGE), "UPDATE")
    await smartthings.async_settle()
    await raw.parts.async_read(HOUSEHOLD, device, ["contactSensor"], ["temperature"])
    assert [each.device_id for each in smartthings.cloud.requests] == [
        smartthings.cloud.device_id(FRIDGE)
    ]


async def test_names_of_attributes_are_those_that_may_be_read(
    raw: RawHome, smartthings: SmartThings
) -> None:
    names = raw.parts.attribute_names(HOUSEHOLD, await raw.async_listed(TV))
    assert {"tvChannel", "pictureMode"} <= set(names)
    assert len(names) == len(set(names))
    expose(raw.hass, *smartthings.entities(TV, "media_player"))
    names = raw.parts.attribute_names(HOUSEHOLD, await raw.async_listed(TV))
    assert "pictureMode" in names
    assert "tvChannel" not in names


# ------------------------------------------------------------------ who may


async def test_what_was_hidden_since_it_was_listed_is_not_there(
    raw: RawHome, smartthings: SmartThings
) -> None:
    device = await raw.async_listed(TV)
    hide_all(raw.hass)
    assert raw.parts.named(HOUSEHOLD, device, ["tvChannel"]) == ()
    assert raw.parts.attribute_names(HOUSEHOLD, device) == ()
    assert await raw.parts.async_read(HOUSEHOLD, device, ["tvChannel"], ["volume"]) == ()
    assert not raw.parts.names_raw_part(
        HOUSEHOLD, device, request("tvChannel.setTvChannel", "main")
    )
    with pytest.raises(NoCommandError) as error:
        await raw.parts.async_prepare(HOUSEHOLD, device, request("setTvChannel", tvChannel="7"))
    assert "Nearest" not in str(error.value)
    assert smartthings.cloud.requests == []


async def test_what_was_hidden_since_it_was_prepared_is_refused(
    raw: RawHome, smartthings: SmartThings
) -> None:
    device = await raw.async_listed(TV)
    command = await raw.parts.async_prepare(
        HOUSEHOLD, device, request("setTvChannel", tvChannel="7")
    )
    hide_all(raw.hass)
    (outcome,) = await raw.home.pipeline.async_execute(Asking(), [command])
    assert outcome.kind is OutcomeKind.REFUSED
    assert smartthings.cloud.commands == []


async def test_people_have_the_parts_that_they_may_see(
    raw: RawHome, smartthings: SmartThings
) -> None:
    number = next(
        each
        for each in smartthings.entities(FRIDGE, "number")
        if each.endswith("freezer_temperature")
    )
    policy = {"entities": {"entity_ids": {number: True}}}
    kim = Person(user_id=person(raw.hass, "Kim", policy), name="Kim")
    device = await raw.async_listed(FRIDGE, kim)
    assert [each.id for each in device.raw_components] == ["freezer"]
    whole = await raw.async_listed(FRIDGE)
    found = raw.parts.named(kim, whole, [SETPOINT, "contactSensor", "refrigeration"])
    assert [(part.id, capability) for _, part, capability in found] == [("freezer", SETPOINT)]


# ------------------------------------------------------------------ commands


@pytest.mark.parametrize(
    ("command", "component", "names_raw_part"),
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
async def test_a_raw_part_or_capability_names_raw_part_when_it_is_named(
    raw: RawHome, command: str, component: str | None, names_raw_part: bool
) -> None:
    device = await raw.async_listed(TV)
    asked = request(command, component)
    assert raw.parts.names_raw_part(HOUSEHOLD, device, asked) is names_raw_part


async def test_a_command_aims_at_the_part_that_is_named(raw: RawHome) -> None:
    device = await raw.async_listed(FRIDGE)
    for asked in (
        request("setCoolingSetpoint", "freezer", setpoint=-20),
        request(f"freezer.{SETPOINT}.setCoolingSetpoint", setpoint=-20),
    ):
        command = await raw.parts.async_prepare(HOUSEHOLD, device, asked)
        assert (command.component_id, command.positional) == ("freezer", (-20,))


async def test_a_part_has_to_be_named_where_several_have_the_command(raw: RawHome) -> None:
    device = await raw.async_listed(FRIDGE)
    with pytest.raises(HomeError, match=r"Several components.*cooler.*freezer"):
        await raw.parts.async_prepare(
            HOUSEHOLD, device, request("setCoolingSetpoint", setpoint=-20)
        )


async def test_a_part_that_there_is_not_is_not_taken_for_another(raw: RawHome) -> None:
    device = await raw.async_listed(FRIDGE)
    for name in ("garage", "icemaker-09", "custom"):
        with pytest.raises(HomeError):
            await raw.parts.async_prepare(
                HOUSEHOLD,
                device,
                request(f"{name}.{SETPOINT}.setCoolingSetpoint", setpoint=-20),
            )


async def test_the_nearest_commands_are_named_with_their_part(raw: RawHome) -> None:
    device = await raw.async_listed(TV)
    with pytest.raises(NoCommandError, match=r"Nearest: .*tvChannel.setTvChannel"):
        await raw.parts.async_prepare(HOUSEHOLD, device, request("setChannel"))
    with pytest.raises(NoCommandError, match="It has: "):
        await raw.parts.async_prepare(HOUSEHOLD, device, request("xyzzy"))


async def test_what_was_done_can_be_put_back(raw: RawHome, smartthings: SmartThings) -> None:
    device = await raw.async_listed(FRIDGE)
    before = smartthings.cloud.device(FRIDGE).status["freezer"][SETPOINT]["coolingSetpoint"][
        "value"
    ]
    command = await raw.parts.async_prepare(
        HOUSEHOLD, device, request("setCoolingSetpoint", "freezer", setpoint=-21)
    )
    outcomes = await raw.home.pipeline.async_execute(Asking(), [command])
    assert [each.kind for each in outcomes] == [OutcomeKind.VERIFIED]
    assert outcomes[0].device_name == "Refrigerator freezer"
    back = await raw.async_put_back(*outcomes)
    assert [each.kind for each in back] == [OutcomeKind.VERIFIED]
    assert [each.arguments for each in smartthings.cloud.commands] == [[-21], [before]]


async def test_a_device_that_is_off_is_documented_with_that(
    raw: RawHome, smartthings: SmartThings
) -> None:
    (player,) = smartthings.entities(TV, "media_player")
    for switch, is_told in (("off", True), ("on", False)):
        await smartthings.async_change(TV, "main", "switch", "switch", switch)
        device = await raw.async_listed(TV)
        subjects = raw.parts.named(HOUSEHOLD, device, ["tvChannel"])
        (document,) = await raw.parts.async_document(HOUSEHOLD, subjects)
        assert (f"the device is off ({player})" in document.notes) is is_told


async def test_why_an_entity_failed_is_told_where_only_the_cloud_knows(
    raw: RawHome, smartthings: SmartThings
) -> None:
    listing = await raw.home.of(HOUSEHOLD).async_listing()
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
    assert raw.parts.with_cloud_causes(listing, failed) == tuple(failed)
    smartthings.cloud.set_remote_control(DISHWASHER, enabled=False)
    await smartthings.async_settle()
    told, other = raw.parts.with_cloud_causes(listing, failed)
    assert (told.device_name, told.reason) == (DISHWASHER, REFUSED_REMOTE_CONTROL)
    assert "Smart Control" in told.detail
    assert other == failed[1]
