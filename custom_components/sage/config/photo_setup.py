"""Set up device photos: open the file, create the search, delete photos of removed devices."""

import logging
from pathlib import Path
from typing import Final

from homeassistant.core import Event, HomeAssistant
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er

from ..const import CONF_PHOTO_SERVER
from ..embeddings.embedder import Embedder
from ..helpers.server_requests import RetryPolicy
from ..photos.device_looks import DeviceLooks
from ..photos.photo import PhotoError
from ..photos.photo_album import PhotoAlbum
from ..run.runtime import SageConfigEntry
from ..storage.store_state import async_read_store, damage_report, is_backup_under_way
from .embedders import async_server_embedder

_LOGGER = logging.getLogger(__name__)

FILE: Final = ".storage/sage/photos.db"
_POLICY: Final = RetryPolicy(attempts=2, request_seconds=25.0, total_seconds=30.0)
"""Timeouts for comparing photos: a person waits, and the captions can be compared instead.

The models server replies within 20 s, also while it loads its model.
"""

_UNREADABLE_ISSUE: Final = "photos_unreadable"


def make_album(hass: HomeAssistant) -> PhotoAlbum:
    """Return the album with all device photos; reads nothing yet."""
    return PhotoAlbum(
        hass,
        Path(hass.config.path(FILE)),
        held=is_backup_under_way(hass),
        on_replaced=damage_report(hass, "photos"),
    )


async def async_make_looks(
    hass: HomeAssistant, entry: SageConfigEntry, album: PhotoAlbum, embedder: Embedder
) -> DeviceLooks:
    """Return the object that finds devices by a description of their looks; sends no request.

    Without a photo server, it compares descriptions with the captions of photos.
    """
    settings = entry.options.get(CONF_PHOTO_SERVER)
    images = None
    if settings is not None:
        images = await async_server_embedder(hass, settings, policy=_POLICY)
    return DeviceLooks(album, embedder, images)


async def async_load_photos(hass: HomeAssistant, entry: SageConfigEntry) -> None:
    """Load all photos, and from now on delete the photos of removed devices.

    If the file is unreadable, raises nothing and retries in the background.
    """
    album = entry.runtime_data.photos
    entry.async_on_unload(album.async_close)
    await async_read_store(
        hass, entry, issue=_UNREADABLE_ISSUE, read=album.async_load, errors=PhotoError
    )

    async def forget(registry_id: str | None) -> None:
        photos = album.of((registry_id,)) if registry_id else ()
        try:
            await album.async_remove(photos)
        except PhotoError:
            _LOGGER.exception("The photos of a removed device could not be deleted")

    async def device_changed(event: Event[dr.EventDeviceRegistryUpdatedData]) -> None:
        if event.data["action"] == "remove":
            await forget(event.data["device_id"])

    async def entity_changed(event: Event[er.EventEntityRegistryUpdatedData]) -> None:
        if event.data["action"] == "remove":
            await forget(_id_of_removed(hass, event.data["entity_id"]))

    listen, bus = entry.async_on_unload, hass.bus
    listen(bus.async_listen(dr.EVENT_DEVICE_REGISTRY_UPDATED, device_changed))
    listen(bus.async_listen(er.EVENT_ENTITY_REGISTRY_UPDATED, entity_changed))


def subject_name(hass: HomeAssistant, subject: str) -> str:
    """Return the display name of a photographed device or entity.

    `subject`: registry id or entity id; returned unchanged if nothing has this id.
    """
    if (device := dr.async_get(hass).async_get(subject)) is not None:
        return device.name_by_user or device.name or subject
    if (row := er.async_get(hass).entities.get_entry(subject)) is not None:
        return er.async_get_full_entity_name(hass, row) or row.entity_id
    state = hass.states.get(subject)
    return subject if state is None else state.name


def _id_of_removed(hass: HomeAssistant, entity_id: str) -> str | None:
    """Return the registry id of a removed entity; None if unknown."""
    removed = er.async_get(hass).deleted_entities.values()
    return next((each.id for each in removed if each.entity_id == entity_id), None)
