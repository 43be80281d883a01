"""Photos as people see them: images on the page of their device."""

import shutil
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
from homeassistant.auth.models import User
from homeassistant.auth.permissions import PolicyPermissions
from homeassistant.auth.permissions.models import PermissionLookup
from homeassistant.components.homeassistant.exposed_entities import async_should_expose
from homeassistant.const import EntityCategory
from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import issue_registry as ir
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockUser
from pytest_homeassistant_custom_component.typing import ClientSessionGenerator

from custom_components.sage.config.photo_setup import FILE
from custom_components.sage.const import DOMAIN
from custom_components.sage.people.person import HOUSEHOLD
from custom_components.sage.photos.photo_album import Photo
from tests.end_to_end.conftest import Sage
from tests.photo_house import HELPER, LAMP, LampHouse, async_token, house, picture, sage

__all__ = ["house", "sage"]


async def added(
    hass: HomeAssistant, sage: Sage, subject: str, caption: str = "", colour: str = "teal"
) -> Photo:
    photo: Photo = await sage.entry.runtime_data.photos.async_add(subject, picture(colour), caption)
    await hass.async_block_till_done()
    return photo


def names(hass: HomeAssistant) -> dict[str, str]:
    return {each.entity_id: each.name for each in hass.states.async_all("image")}


def image_of(hass: HomeAssistant, device: str) -> State:
    state = hass.states.get(f"image.{device}_photo")
    assert state is not None
    return state


def rows(hass: HomeAssistant) -> list[er.RegistryEntry]:
    registry = er.async_get(hass)
    return [each for each in registry.entities.values() if each.domain == "image"]


async def test_photos_appear_on_the_page_of_their_device(sage: Sage, house: LampHouse):
    first = await added(sage.hass, sage, house.lamp, "a brass lamp on the dresser")
    second = await added(sage.hass, sage, house.lamp, colour="red")

    assert names(sage.hass) == {
        "image.lamp_photo": "Lamp a brass lamp on the dresser",
        "image.lamp_photo_2": "Lamp Photo 2",
    }
    assert [(each.device_id, each.unique_id) for each in rows(sage.hass)] == [
        (house.lamp, first.image_id),
        (house.lamp, second.image_id),
    ]
    assert {each.entity_category for each in rows(sage.hass)} == {EntityCategory.DIAGNOSTIC}
    device = dr.async_get(sage.hass).async_get(house.lamp)
    assert device is not None
    assert device.config_entry_id != sage.entry.entry_id
    assert not async_should_expose(sage.hass, "conversation", "image.lamp_photo")


async def test_a_photo_of_an_entity_without_a_device_is_named_after_it(
    hass: HomeAssistant, sage: Sage, house: LampHouse
):
    await added(hass, sage, house.fountain)
    await added(hass, sage, house.fountain, colour="red")

    assert names(hass) == {
        "image.fountain_photo": "Photo of Fountain",
        "image.fountain_photo_2": "Photo 2 of Fountain",
    }
    assert [each.device_id for each in rows(hass)] == [None, None]


async def test_photos_stay_through_a_restart_and_a_rename(sage: Sage, house: LampHouse):
    await added(sage.hass, sage, house.lamp, "on the dresser")
    dr.async_get(sage.hass).async_update_device(house.lamp, name_by_user="Old lamp")
    er.async_get(sage.hass).async_update_entity(LAMP, new_entity_id="light.old_lamp")
    sage.hass.states.async_set("light.old_lamp", "off")
    er.async_get(sage.hass).async_update_entity(HELPER, new_entity_id="switch.pond")
    await added(sage.hass, sage, house.fountain)

    assert await sage.hass.config_entries.async_unload(sage.entry.entry_id)
    assert {each.state for each in sage.hass.states.async_all("image")} == {"unavailable"}
    assert await sage.hass.config_entries.async_setup(sage.entry.entry_id)
    await sage.hass.async_block_till_done()

    assert names(sage.hass) == {
        "image.lamp_photo": "Old lamp on the dresser",
        "image.fountain_photo": "Photo of Fountain",
    }
    album = sage.entry.runtime_data.photos
    assert [each.caption for each in album.of([house.lamp])] == ["on the dresser"]
    listing = await sage.entry.runtime_data.home.inventory.async_listing(HOUSEHOLD)
    assert {each.name: each.caption for each in listing.devices}["Old lamp"] == "on the dresser"


async def test_photos_go_with_their_device(hass: HomeAssistant, sage: Sage, house: LampHouse):
    for subject in (house.lamp, house.spot, house.fountain):
        await added(hass, sage, subject)

    dr.async_get(hass).async_remove_device(house.lamp)
    er.async_get(hass).async_remove(HELPER)
    await hass.async_block_till_done()

    assert [each.subject for each in sage.entry.runtime_data.photos] == [house.spot]
    assert list(names(hass)) == ["image.spot_photo"]
    assert len(rows(hass)) == 1


async def test_images_of_photos_that_a_restored_file_does_not_have_are_removed(
    hass: HomeAssistant, sage: Sage, house: LampHouse, tmp_path: Path
):
    path = Path(hass.config.path(FILE))
    await added(hass, sage, house.spot)
    await reloaded(hass, sage, lambda: shutil.copy(path, tmp_path / "backup.db"))
    await added(hass, sage, house.lamp)

    await reloaded(hass, sage, lambda: shutil.copy(tmp_path / "backup.db", path))

    assert list(names(hass)) == ["image.spot_photo"]
    assert len(rows(hass)) == 1


async def test_an_unreadable_file_keeps_the_images_for_later(sage: Sage, house: LampHouse):
    path = Path(sage.hass.config.path(FILE))
    aside = path.with_suffix(".aside")
    await added(sage.hass, sage, house.spot)

    def hide() -> None:
        path.rename(aside)
        path.mkdir()

    await reloaded(sage.hass, sage, hide)

    assert ir.async_get(sage.hass).async_get_issue(DOMAIN, "photos_unreadable")
    assert {each.state for each in sage.hass.states.async_all("image")} == {"unavailable"}
    assert len(rows(sage.hass)) == 1

    def show() -> None:
        path.rmdir()
        aside.rename(path)

    await reloaded(sage.hass, sage, show)
    assert image_of(sage.hass, "spot").state != "unavailable"
    assert ir.async_get(sage.hass).async_get_issue(DOMAIN, "photos_unreadable") is None


async def reloaded(hass: HomeAssistant, sage: Sage, work: Callable[[], Any]) -> None:
    """Do something with the files while SAGE is not running."""
    assert await hass.config_entries.async_unload(sage.entry.entry_id)
    await hass.async_add_executor_job(work)
    assert await hass.config_entries.async_setup(sage.entry.entry_id)
    await hass.async_block_till_done()


# ------------------------------------------------------------------ who sees them


ADDRESS = "/api/image_proxy/image.lamp_photo"


@pytest.fixture
async def photo(hass: HomeAssistant, sage: Sage, house: LampHouse) -> Photo:
    return await added(hass, sage, house.lamp, "on the dresser")


def limited(hass: HomeAssistant, policy: dict[str, Any]) -> User:
    user: User = MockUser(id="limited", name="Ben").add_to_hass(hass)
    lookup = PermissionLookup(er.async_get(hass), dr.async_get(hass))
    user.permissions = PolicyPermissions({"entities": policy}, lookup)
    return user


async def test_a_signed_in_user_gets_the_stored_picture(
    sage: Sage, photo: Photo, hass_client: ClientSessionGenerator
):
    client = await hass_client()

    response = await client.get(ADDRESS)

    assert response.status == HTTPStatus.OK
    assert response.content_type == "image/jpeg"
    assert await response.read() == await sage.entry.runtime_data.photos.async_image(photo)


async def test_nobody_else_gets_it(photo: Photo, hass_client_no_auth: ClientSessionGenerator):
    client = await hass_client_no_auth()

    assert (await client.get(ADDRESS)).status == HTTPStatus.FORBIDDEN
    assert (await client.get(f"{ADDRESS}?token=guessed")).status == HTTPStatus.FORBIDDEN
    wrong = await client.get(ADDRESS, headers={"Authorization": "Bearer wrong"})
    assert wrong.status == HTTPStatus.UNAUTHORIZED


async def test_the_token_of_the_state_stands_for_somebody_who_may_read_it(
    hass: HomeAssistant, photo: Photo, hass_client_no_auth: ClientSessionGenerator
):
    """Dashboards load pictures by such addresses; Home Assistant renews the tokens."""
    client = await hass_client_no_auth()

    response = await client.get(image_of(hass, "lamp").attributes["entity_picture"])

    assert response.status == HTTPStatus.OK


@pytest.mark.parametrize(
    ("policy", "status"),
    [
        ({"entity_ids": {"light.spot": True}}, HTTPStatus.FORBIDDEN),
        ({"device_ids": {"lamp": {"read": True}}}, HTTPStatus.OK),
    ],
)
async def test_users_get_photos_of_devices_that_they_may_read(
    hass: HomeAssistant,
    photo: Photo,
    house: LampHouse,
    hass_client: ClientSessionGenerator,
    policy: dict[str, Any],
    status: HTTPStatus,
):
    if "device_ids" in policy:
        policy = {"device_ids": {house.lamp: policy["device_ids"]["lamp"]}}
    assert await async_setup_component(hass, "api", {})
    client = await hass_client(await async_token(hass, limited(hass, policy)))

    assert (await client.get(ADDRESS)).status == status
    seen = await (await client.get("/api/states")).json()
    assert ("image.lamp_photo" in {each["entity_id"] for each in seen}) is (status == HTTPStatus.OK)
