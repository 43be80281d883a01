"""The raw view of the devices of loaded SmartThings entries, as one provider."""

import pytest

from custom_components.sage.home.home_types import Command, HomeError
from custom_components.sage.home.smartthings.raw import SMARTTHINGS
from custom_components.sage.people.person import HOUSEHOLD
from tests.home.smartthings.raw_home import RawHome
from tests.smartthings_home import SmartThings

TV, FRIDGE, DISHWASHER = "Samsung 8 Series", "Refrigerator", "Dishwasher"
SETPOINT = "thermostatCoolingSetpoint"


async def async_named(raw: RawHome, name: str, *capabilities: str) -> list[tuple[str, str]]:
    """Return component and capability of what these names stand for."""
    device = await raw.async_listed(name)
    found = raw.parts.named(HOUSEHOLD, device, capabilities)
    return [(part.id, capability) for _, part, capability in found]


def request(command: str, component: str | None = None, **arguments: object) -> Command:
    return Command(device_id="any", name=command, component_id=component, arguments=arguments)


# ------------------------------------------------------------------ listing


async def test_parts_have_their_labels_and_the_whole_has_none(raw: RawHome) -> None:
    parts = (await raw.async_listed(FRIDGE)).more_components
    assert [(each.id, each.name, each.kind) for each in parts] == [
        ("main", "", "refrigerator"),
        ("cooler", "cooler", None),
        ("freezer", "freezer", None),
        ("cvroom", "cvroom", None),
    ]
    assert {each.source for each in parts} == {SMARTTHINGS}
    assert len({each.source_id for each in parts}) == 1
    assert (await raw.async_listed("Light strip (Bedroom)")).more_components == ()


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


# ------------------------------------------------------------------ commands


@pytest.mark.parametrize(
    ("command", "component", "names_part"),
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
async def test_a_raw_part_or_capability_names_part_when_it_is_named(
    raw: RawHome, command: str, component: str | None, names_part: bool
) -> None:
    device = await raw.async_listed(TV)
    asked = request(command, component)
    assert raw.parts.names_part(HOUSEHOLD, device, asked) is names_part


async def test_a_part_that_there_is_not_is_not_taken_for_another(raw: RawHome) -> None:
    device = await raw.async_listed(FRIDGE)
    for name in ("garage", "icemaker-09", "custom"):
        with pytest.raises(HomeError):
            await raw.parts.async_prepare(
                HOUSEHOLD, device, request(f"{name}.{SETPOINT}.setCoolingSetpoint", setpoint=-20)
            )
