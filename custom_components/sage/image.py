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
    hass: HomeAssistant, entry: SageConfigEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Add an image entity for each photo, and update the entities when photos change."""
    sentences = await async_load_sentences(hass, hass.config.language)
    album = entry.runtime_data.photos
    images: dict[str, PhotoImageEntity] = {}

    @callback
    def update() -> None:
        """Add, rename and remove entities to match the album, unless the album is unreadable."""
        if album.trouble is not None:
            return
        numbers: dict[str, int] = {}
        shown: set[str] = set()
        new: list[PhotoImageEntity] = []
        for photo in album:
            number = numbers[photo.subject] = numbers.get(photo.subject, 0) + 1
            shown.add(photo.image_id)
            name = photo.caption or _number_name(hass, sentences, photo, number)
            if (image := images.get(photo.image_id)) is not None:
                image.rename(name)
            else:
                images[photo.image_id] = image = PhotoImageEntity(hass, album, photo, name)
                new.append(image)
        registry = er.async_get(hass)
        for row in er.async_entries_for_config_entry(registry, entry.entry_id):
            if row.domain == Platform.IMAGE and row.unique_id not in shown:
                images.pop(row.unique_id, None)
                registry.async_remove(row.entity_id)
        async_add_entities(new)

    entry.async_on_unload(album.listen(update))
    update()


def _number_name(hass: HomeAssistant, sentences: Sentences, photo: Photo, number: int) -> str:
    """Return the entity name of a photo without a caption.

    Home Assistant puts the name of the device first. If the photo belongs to no device, the
    returned name contains the name of the photographed entity.
    """
    counted = "" if number == 1 else "_numbered"
    if _device_of(hass, photo) is not None:
        return sentences.say(f"photo_name{counted}", number=str(number))
    name = _subject_name(hass, photo.subject)
    return sentences.say(f"photo_name_of{counted}", number=str(number), name=name)


class PhotoImageEntity(ImageEntity):
    """Image entity for one photo, which shows a device or an entity."""

    _attr_has_entity_name = True
    _attr_entity_category = EntityCategory.DIAGNOSTIC

    def __init__(self, hass: HomeAssistant, album: PhotoAlbum, photo: Photo, name: str) -> None:
        super().__init__(hass)
        self._album = album
        self._photo = photo
        self._attr_unique_id = photo.image_id
        self._attr_image_last_updated = photo.added
        self._attr_name = name
        self.device_entry = _device_of(hass, photo)
        # The entity id leaves out the caption, which is long and may change.
        self.entity_id = f"image.{slugify(_subject_name(hass, photo.subject))}_photo"

    @callback
    def rename(self, name: str) -> None:
        """Set the name of the entity."""
        if name != self._attr_name:
            self._attr_name = name
            # `hass` is None until the entity is added.
            if getattr(self, "hass", None) is not None:
                self.async_write_ha_state()

    @property
    def available(self) -> bool:
        """Return whether the photo album is readable."""
        return self._album.trouble is None

    async def async_image(self) -> bytes | None:
        """Return the photo as JPEG, or None. Raises web.HTTPForbidden without read permission."""
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
    """Return the name of a photographed device or entity by its id; `subject` if unknown."""
    if (device := dr.async_get(hass).async_get(subject)) is not None:
        return device.name_by_user or device.name or subject
    if (row := er.async_get(hass).entities.get_entry(subject)) is not None:
        return er.async_get_full_entity_name(hass, row) or row.entity_id
    state = hass.states.get(subject)
    return subject if state is None else state.name


def _device_of(hass: HomeAssistant, photo: Photo) -> dr.AnyDeviceEntry | None:
    if (device := dr.async_get(hass).async_get(photo.subject)) is not None:
        return device
    row = er.async_get(hass).entities.get_entry(photo.subject)
    return dr.async_get(hass).async_get(row.device_id) if row and row.device_id else None
