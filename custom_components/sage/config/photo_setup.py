"""Device photos: their file, the search by description, and the actions that change them."""

import logging
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

import probatio
from homeassistant.core import Event, HomeAssistant, SupportsResponse
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er

from ..const import CONF_PHOTO_SERVER, DOMAIN
from ..embeddings import Embedder
from ..home import Looks
from ..model import RetryPolicy
from ..people import HOUSEHOLD
from ..photos import DeviceLooks, Photo, PhotoAlbum, PhotoError, RefusedPictureError, read_picture
from ..run import ActionRequest, SageAction, SageConfigEntry, refusal
from ..storage import async_read_store
from .agents import entity_key
from .embedders import async_server_embedder

_LOGGER = logging.getLogger(__name__)

FILE: Final = ".storage/sage/photos.db"
_POLICY: Final = RetryPolicy(attempts=2, request_seconds=25.0, total_seconds=30.0)
"""Timeouts for comparing photos: a person waits, and the captions can be compared instead.

The models server replies within 20 s, also while it loads its model.
"""

_UNREADABLE_ISSUE: Final = "photos_unreadable"


async def async_make_photos(
    hass: HomeAssistant, entry: SageConfigEntry, embedder: Embedder
) -> tuple[PhotoAlbum, Looks]:
    """Return the album of device photos, and what finds devices by a description of their looks.

    Reads nothing yet and sends no request. Without a photo server, descriptions are compared with
    the captions of photos.
    """
    album = PhotoAlbum(hass, Path(hass.config.path(FILE)))
    settings = entry.options.get(CONF_PHOTO_SERVER)
    images = None
    if settings is not None:
        images = await async_server_embedder(hass, settings, policy=_POLICY)
    compare = DeviceLooks(album, embedder, images).async_compare
    looks = Looks(caption=album.caption, async_compare=compare)

    def changed() -> None:
        looks.version, looks.has_photos = album.version, album.has_photos

    entry.async_on_unload(album.listen(changed))
    return album, looks


async def async_load_photos(hass: HomeAssistant, entry: SageConfigEntry) -> None:
    """Load all photos, retrying in the background; delete photos whose device is removed."""
    album = entry.runtime_data.photos
    entry.async_on_unload(album.async_close)
    await async_read_store(
        hass, entry, issue=_UNREADABLE_ISSUE, read=album.async_load, errors=PhotoError
    )

    async def forget(event: Event[Any]) -> None:
        if event.data["action"] != "remove":
            return
        registry_id = event.data.get("device_id") or _id_of_removed(hass, event.data["entity_id"])
        try:
            await album.async_remove(album.of((registry_id,) if registry_id else ()))
        except PhotoError:
            _LOGGER.exception("The photos of a removed device could not be deleted")

    for event_type in (dr.EVENT_DEVICE_REGISTRY_UPDATED, er.EVENT_ENTITY_REGISTRY_UPDATED):
        entry.async_on_unload(hass.bus.async_listen(event_type, forget))


def _id_of_removed(hass: HomeAssistant, entity_id: str) -> str | None:
    removed = er.async_get(hass).deleted_entities.values()
    return next((each.id for each in removed if each.entity_id == entity_id), None)


async def _async_add(request: ActionRequest) -> None:
    data = request.data
    if ("device_id" in data) == ("entity_id" in data):
        raise refusal("photo_one_device")
    subject = await _async_subject(request)
    picture = await _async_allowed_file(request.hass, data["file"])
    await request.entry.runtime_data.photos.async_add(subject, picture, data.get("caption", ""))


async def _async_subject(request: ActionRequest) -> str:
    """Return the id of an exposed device or entity for photos. Raises ServiceValidationError."""
    registry_id = request.data.get("device_id")
    if registry_id is None:
        registry_id = entity_key(request.hass, request.data["entity_id"])
    listing = await request.entry.runtime_data.home.of(HOUSEHOLD).async_listing()
    for device in listing.devices:
        if registry_id in device.registry_ids:
            return device.registry_ids[0]
    raise refusal("photo_no_device")


async def _async_allowed_file(hass: HomeAssistant, path: str) -> bytes:
    """Return the content of a file in a folder that Home Assistant's configuration allows.

    Reads only the first 20 MB and one more byte. Raises RefusedPictureError if the file is not
    allowed or cannot be read.
    """

    def read() -> bytes:
        try:
            if hass.config.is_allowed_path(path):
                return read_picture(Path(path))
        except OSError, ValueError:
            pass
        raise RefusedPictureError("photo_no_file")

    return await hass.async_add_executor_job(read)


async def _async_set_caption(request: ActionRequest) -> None:
    album = request.entry.runtime_data.photos
    await album.async_set_caption(photo_of(request), request.data["caption"])


async def _async_delete(request: ActionRequest) -> None:
    await request.entry.runtime_data.photos.async_remove([photo_of(request)])


def photo_of(request: ActionRequest) -> Photo:
    """Return the photo of the call's image entity `photo`. Raises ServiceValidationError."""
    row = er.async_get(request.hass).async_get(request.data["photo"])
    for photo in request.entry.runtime_data.photos:
        if row is not None and row.platform == DOMAIN and row.unique_id == photo.image_id:
            return photo
    raise refusal("photo_unknown")


_PHOTO: Final = {probatio.Required("photo"): cv.entity_id}

_photo_action = partial(SageAction, response=SupportsResponse.NONE, needs_admin=True)

PHOTO_SERVICES: Final[Mapping[str, SageAction]] = {
    "add_photo": _photo_action(
        handle=_async_add,
        fields={
            probatio.Optional("device_id"): cv.string,
            probatio.Optional("entity_id"): cv.entity_id,
            probatio.Required("file"): cv.path,
            probatio.Optional("caption"): cv.string,
        },
    ),
    "set_photo_caption": _photo_action(
        handle=_async_set_caption, fields={**_PHOTO, probatio.Required("caption"): cv.string}
    ),
    "delete_photo": _photo_action(handle=_async_delete, fields=_PHOTO),
}
