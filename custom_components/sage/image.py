"""Image entities for the photos that show devices of the home, one for each photo."""

from typing import Final

from aiohttp import web
from homeassistant.auth.models import User
from homeassistant.auth.permissions.const import POLICY_READ
from homeassistant.components.http.const import KEY_HASS_USER
from homeassistant.components.image import ImageEntity
from homeassistant.const import EntityCategory, Platform
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.helpers.http import current_request
from homeassistant.util import slugify

from .photos import Photo, PhotoAlbum, PhotoError
from .run import SageConfigEntry
from .text import Sentences, async_load_sentences

PARALLEL_UPDATES: Final = 0


async def async_setup_entry(
    hass: HomeAssistant,
    entry: SageConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """Add an image entity for each photo, and update the entities when photos change."""
    sentences = await async_load_sentences(hass, hass.config.language)
    images = _PhotoImages(hass, entry, async_add_entities, sentences)
    entry.async_on_unload(entry.runtime_data.photos.listen(images.update))
    images.update()


class _PhotoImages:
    """The image entities of all photos in the album."""

    def __init__(
        self,
        hass: HomeAssistant,
        entry: SageConfigEntry,
        async_add_entities: AddConfigEntryEntitiesCallback,
        sentences: Sentences,
    ) -> None:
        self._hass = hass
        self._entry = entry
        self._album = entry.runtime_data.photos
        self._add = async_add_entities
        self._sentences = sentences
        self._images: dict[str, PhotoImageEntity] = {}
        """Unique id -> entity."""

    @callback
    def update(self) -> None:
        """Add, rename and remove entities to match the album, unless the album is unreadable."""
        if self._album.trouble is not None:
            return
        numbers: dict[str, int] = {}
        photos: dict[str, Photo] = {}
        new: list[PhotoImageEntity] = []
        for photo in self._album:
            number = numbers[photo.subject] = numbers.get(photo.subject, 0) + 1
            photos[photo.image_id] = photo
            name = photo.caption or self._name(photo, number)
            if (image := self._images.get(photo.image_id)) is not None:
                image.rename(name)
            else:
                image = PhotoImageEntity(self._hass, self._album, photo, name)
                self._images[photo.image_id] = image
                new.append(image)
        self._remove_all_but(photos)
        self._add(new)

    def _name(self, photo: Photo, number: int) -> str:
        """Return the entity name of a photo without a caption.

        Home Assistant puts the name of the device first. If the photo belongs to no device, the
        returned name contains the name of the photographed entity.
        """
        counted = "" if number == 1 else "_numbered"
        if _device_of(self._hass, photo) is not None:
            return self._sentences.say(f"photo_name{counted}", number=str(number))
        name = _subject_name(self._hass, photo.subject)
        return self._sentences.say(f"photo_name_of{counted}", number=str(number), name=name)

    def _remove_all_but(self, photos: dict[str, Photo]) -> None:
        registry = er.async_get(self._hass)
        for row in er.async_entries_for_config_entry(registry, self._entry.entry_id):
            if row.domain == Platform.IMAGE and row.unique_id not in photos:
                self._images.pop(row.unique_id, None)
                registry.async_remove(row.entity_id)


class PhotoImageEntity(ImageEntity):
    """Image entity for one photo, which shows a device or an entity."""

    _attr_has_entity_name = True
    _attr_entity_category = EntityCategory.DIAGNOSTIC

    def __init__(self, hass: HomeAssistant, album: PhotoAlbum, photo: Photo, name: str) -> None:
        """Create the image entity on the page of the photographed device."""
        super().__init__(hass)
        self._album = album
        self._photo = photo
        self._is_added = False
        self._attr_unique_id = photo.image_id
        self._attr_image_last_updated = photo.added
        self._attr_name = name
        self.device_entry = _device_of(hass, photo)
        # The entity id leaves out the caption, which is long and may change.
        self.entity_id = f"image.{slugify(_subject_name(hass, photo.subject))}_photo"

    async def async_added_to_hass(self) -> None:
        """Allow `rename` to write the state of the entity."""
        self._is_added = True

    async def async_will_remove_from_hass(self) -> None:
        """Stop `rename` from writing the state of the entity."""
        self._is_added = False

    @callback
    def rename(self, name: str) -> None:
        """Set the name of the entity."""
        if name != self._attr_name:
            self._attr_name = name
            if self._is_added:
                self.async_write_ha_state()

    @property
    def available(self) -> bool:
        """Return whether the photo album is readable."""
        return self._album.trouble is None

    async def async_image(self) -> bytes | None:
        """Return the photo as JPEG; None if it was deleted or cannot be read.

        Raises web.HTTPForbidden if the requesting user has no read permission for this entity.
        """
        request = current_request.get()
        user: User | None = None if request is None else request.get(KEY_HASS_USER)
        # Home Assistant's image view does not check this. Without a user, the request has the
        # access token, which only users with read permission get.
        if user is not None and not user.permissions.check_entity(self.entity_id, POLICY_READ):
            raise web.HTTPForbidden
        try:
            return await self._album.async_image(self._photo)
        except PhotoError:
            return None


def _subject_name(hass: HomeAssistant, subject: str) -> str:
    """Return the display name of a photographed device or entity.

    `subject`: registry id or entity id; returned unchanged if nothing has this id.
    """
    if (device := dr.async_get(hass).async_get(subject)) is not None:
        return device.name_by_user or device.name or subject
    if (row := er.async_get(hass).entities.get_entry(subject)) is not None:
        return er.async_get_full_entity_name(hass, row) or row.entity_id
    state = hass.states.get(subject)
    return subject if state is None else state.name


def _device_of(hass: HomeAssistant, photo: Photo) -> dr.AnyDeviceEntry | None:
    """Return the device of a photo, or None if the photo shows an entity without a device."""
    if (device := dr.async_get(hass).async_get(photo.subject)) is not None:
        return device
    row = er.async_get(hass).entities.get_entry(photo.subject)
    return dr.async_get(hass).async_get(row.device_id) if row and row.device_id else None
