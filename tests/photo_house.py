"""A home with lamps and photos of them, and fixtures of it: `house`, `sage`, `album`."""

import io
from dataclasses import dataclass

import pytest
from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from PIL import Image
from pytest_homeassistant_custom_component.common import MockConfigEntry

from benchmark.fake_model_server import FakeModelServer
from custom_components.sage.photos.photo_album import PhotoAlbum
from tests.end_to_end.conftest import Sage, async_make_sage
from tests.exposing import expose

LAMP = "light.lamp"
SPOT = "light.spot"
HELPER = "switch.fountain"


@dataclass(frozen=True, slots=True, kw_only=True)
class LampHouse:
    """The ids of the devices."""

    lamp: str  # registry id of the device `Lamp` in the study
    spot: str  # registry id of the device `Spot`, which is in no area
    fountain: str  # registry id of an entity without a device


def build_lamp_house(hass: HomeAssistant) -> LampHouse:
    """Build two lamps with devices and a fountain without one, all exposed to Assist."""
    entry = MockConfigEntry(domain="test", title="Lamps")
    entry.add_to_hass(hass)
    study = ar.async_get(hass).async_create("Study")
    registry = er.async_get(hass)
    ids: dict[str, str] = {}
    for name in ("lamp", "spot"):
        device = dr.async_get(hass).async_get_or_create(
            config_entry_id=entry.entry_id, identifiers={("test", name)}, name=name.capitalize()
        )
        ids[name] = device.id
        registry.async_get_or_create(
            "light",
            "test",
            name,
            suggested_object_id=name,
            config_entry=entry,
            device_id=device.id,
            has_entity_name=True,
        )
    dr.async_get(hass).async_update_device(ids["lamp"], area_id=study.id)
    fountain = registry.async_get_or_create(
        "switch", "test", "fountain", suggested_object_id="fountain", original_name="Fountain"
    )
    for entity_id in (LAMP, SPOT, HELPER):
        hass.states.async_set(entity_id, "off")
    expose(hass, LAMP, SPOT, HELPER)
    return LampHouse(**ids, fountain=fountain.id)


@pytest.fixture
def house(hass: HomeAssistant) -> LampHouse:
    """Two lamps and a fountain."""
    return build_lamp_house(hass)


@pytest.fixture
async def sage(hass: HomeAssistant, house: LampHouse, model_server: FakeModelServer) -> Sage:
    return await async_make_sage(hass, model_server)


@pytest.fixture
def album(sage: Sage) -> PhotoAlbum:
    found: PhotoAlbum = sage.entry.runtime_data.photos
    return found


def picture(colour: str = "teal", size: tuple[int, int] = (64, 48), kind: str = "JPEG") -> bytes:
    output = io.BytesIO()
    Image.new("RGB", size, colour).save(output, kind)
    return output.getvalue()


def captions(album: PhotoAlbum, subject: str) -> list[str]:
    """Return the captions of the photos of a device, the oldest first."""
    return [each.caption for each in album.of((subject,))]


async def async_token(hass: HomeAssistant, user: User) -> str:
    """Return an access token with which the user is signed in."""
    refresh = await hass.auth.async_create_refresh_token(user, client_id="https://example.com")
    return hass.auth.async_create_access_token(refresh)
