"""Photos by actions: of devices, by administrators and automations."""

from pathlib import Path
from typing import Any

import pytest
from homeassistant.auth.models import User
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError, ServiceValidationError, Unauthorized

from custom_components.sage.config.photo_setup import FILE
from custom_components.sage.const import DOMAIN
from custom_components.sage.photos.photo_album import PhotoAlbum
from tests.end_to_end.conftest import Sage
from tests.exposing import expose
from tests.photo_house import HELPER, LAMP, LampHouse, album, captions, house, picture, sage

__all__ = ["album", "house", "sage"]


@pytest.fixture
async def folder(hass: HomeAssistant, tmp_path: Path) -> Path:
    """A folder that Home Assistant may read, with a picture."""
    allowed = tmp_path / "allowed"
    await hass.async_add_executor_job(allowed.mkdir)
    hass.config.allowlist_external_dirs = {str(allowed)}
    await hass.async_add_executor_job((allowed / "lamp.png").write_bytes, picture(kind="PNG"))
    return allowed


async def act(
    hass: HomeAssistant, action: str, caller: User | None = None, /, **fields: Any
) -> None:
    """Call an action as somebody, or as an automation."""
    context = Context(user_id=caller.id if caller is not None else None)
    await hass.services.async_call(DOMAIN, action, fields, blocking=True, context=context)
    await hass.async_block_till_done()


async def test_an_automation_adds_photos_for_entities(
    hass: HomeAssistant, album: PhotoAlbum, house: LampHouse, folder: Path
):
    expose(hass, LAMP, HELPER)
    path = str(folder / "lamp.png")

    await act(hass, "add_photo", entity_id=LAMP, file=path)
    await act(hass, "add_photo", entity_id=HELPER, file=path)

    assert [each.subject for each in album] == [house.lamp, house.fountain]


async def test_only_administrators_may(
    hass: HomeAssistant, album: PhotoAlbum, house: LampHouse, folder: Path, admin: User, anna: User
):
    """The first user is the owner, so the administrator comes before."""
    path = str(folder / "lamp.png")
    await act(hass, "add_photo", device_id=house.lamp, file=path)

    with pytest.raises(Unauthorized):
        await act(hass, "add_photo", anna, device_id=house.lamp, file=path)
    with pytest.raises(Unauthorized):
        await act(hass, "set_photo_caption", anna, photo="image.lamp_photo", caption="x")
    with pytest.raises(Unauthorized):
        await act(hass, "delete_photo", anna, photo="image.lamp_photo")
    assert captions(album, house.lamp) == [""]


async def refused(hass: HomeAssistant, action: str, **fields: Any) -> str | None:
    """Return the key of the error of an action that the caller can fix."""
    with pytest.raises(ServiceValidationError) as caught:
        await act(hass, action, **fields)
    assert not str(caught.value).startswith("photo_")
    return caught.value.translation_key


async def test_what_the_caller_can_fix_is_said(
    hass: HomeAssistant, album: PhotoAlbum, house: LampHouse, folder: Path
):
    lamp, path = {"device_id": house.lamp}, str(folder / "lamp.png")
    expose(hass, LAMP)
    hass.states.async_set("image.other", "x")

    assert await refused(hass, "add_photo", file=path) == "photo_one_device"
    assert await refused(hass, "add_photo", **lamp, entity_id=LAMP, file=path) == "photo_one_device"
    assert await refused(hass, "add_photo", device_id="x", file=path) == "photo_no_device"
    assert await refused(hass, "add_photo", device_id=house.spot, file=path) == "photo_no_device"
    assert await refused(hass, "delete_photo", photo="image.other") == "photo_unknown"
    assert await refused(hass, "delete_photo", photo=LAMP) == "photo_unknown"
    assert list(album) == []


async def test_only_files_in_allowed_folders_are_read(
    hass: HomeAssistant, album: PhotoAlbum, house: LampHouse, folder: Path
):
    outside = folder.parent / "secret.jpg"
    link = folder / "link.jpg"

    def build() -> None:
        outside.write_bytes(picture())
        link.symlink_to(outside)

    await hass.async_add_executor_job(build)

    for path in (outside, link, folder / "missing.jpg", folder):
        found = await refused(hass, "add_photo", device_id=house.lamp, file=str(path))
        assert found == "photo_no_file", path
    assert list(album) == []


async def test_a_fault_of_the_file_is_said_and_not_the_callers(
    hass: HomeAssistant, sage: Sage, house: LampHouse, folder: Path
):
    path = Path(hass.config.path(FILE))

    def spoil() -> None:
        path.unlink(missing_ok=True)
        path.mkdir()

    assert await hass.config_entries.async_unload(sage.entry.entry_id)
    await hass.async_add_executor_job(spoil)
    assert await hass.config_entries.async_setup(sage.entry.entry_id)

    with pytest.raises(HomeAssistantError) as caught:
        await act(hass, "add_photo", device_id=house.lamp, file=str(folder / "lamp.png"))
    assert caught.value.translation_key == "photo_not_stored"
    assert not isinstance(caught.value, ServiceValidationError)

    assert await hass.config_entries.async_unload(sage.entry.entry_id)
    assert await refused(hass, "delete_photo", photo="image.x") == "not_loaded"
