"""Names in arguments become ids where they are found, and stay where they are not."""

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar

from custom_components.sage.home.components import with_entity_ids
from custom_components.sage.home.home_types import Argument, CommandDescription
from custom_components.sage.people.person import HOUSEHOLD

from ..entity_home import EntityHome
from ..entity_kinds import Light, Player, Plug

COMMAND = CommandDescription(
    name="go",
    arguments=(
        Argument(name="player", type="string", is_reference=True),
        Argument(name="cleaning_area_id", type="list", is_reference=True),
        Argument(name="media", type="object", is_reference=True),
        Argument(name="note", type="string"),
    ),
)


@pytest.fixture
async def named(hass: HomeAssistant):
    house = EntityHome(hass)
    await house.async_furnish(
        Player("Desk Radio", device="Desk"), Light("Desk Lamp", device="Desk"), Plug("Heater")
    )
    kitchen = ar.async_get(hass).async_create("Kitchen Corner")
    listing = await house.inventory.async_listing(HOUSEHOLD)

    def resolve(**arguments):
        return with_entity_ids(hass, listing, COMMAND, "media_player", arguments)

    yield resolve
    house.close()
    assert kitchen.id == "kitchen_corner"


async def test_names_become_ids(named):
    assert named(player="Heater") == {"player": "switch.heater"}
    assert named(player="Desk") == {"player": "media_player.desk_radio"}
    assert named(player="light.desk_lamp") == {"player": "light.desk_lamp"}
    assert named(player=["Heater", "Desk"]) == {
        "player": ["switch.heater", "media_player.desk_radio"]
    }
    assert named(cleaning_area_id=["Kitchen Corner", "x"]) == {
        "cleaning_area_id": ["kitchen_corner", "x"]
    }


async def test_everything_else_stays(named):
    media = {"media_content_id": "Heater"}
    assert named(player="nobody", media=media, note="Heater") == {
        "player": "nobody",
        "media": media,
        "note": "Heater",
    }
