"""Read pictures from cameras, uploads and files, and list devices that can have photos."""

from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from homeassistant.components.file_upload import process_uploaded_file
from homeassistant.components.homeassistant.exposed_entities import async_should_expose
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError

from ..const import CONF_BASE_URL, CONF_PHOTO_SERVER
from ..home.home_types import Device
from ..home.safety.gate import ASSISTANT
from ..people.person import HOUSEHOLD
from ..photos.photo import LARGEST_FILE, Refusal, RefusedPictureError
from ..run.runtime import SageConfigEntry
from ..text.speech import async_load_sentences

_CAMERA: Final = "camera"


async def async_exposed_devices(entry: SageConfigEntry) -> tuple[Device, ...]:
    """Return the devices that are exposed to Assist; only these can have photos.

    The key of a device's photos is the first id in `Device.registry_ids`.
    """
    return (await entry.runtime_data.home.of(HOUSEHOLD).async_listing()).devices


def photo_server_host(entry: ConfigEntry) -> str | None:
    """Return the host of the photo server, e.g. `box.local`; None without a photo server."""
    server = entry.options.get(CONF_PHOTO_SERVER)
    return None if server is None else urlsplit(server[CONF_BASE_URL]).hostname or ""


async def async_photo_destination(hass: HomeAssistant, entry: ConfigEntry, language: str) -> str:
    """Return a sentence that says whether photos stay on this system or go to the photo server."""
    sentences = await async_load_sentences(hass, language)
    if (host := photo_server_host(entry)) is None:
        return sentences.say("photo_stays")
    return sentences.say("photo_goes_to_server", server=host)


def exposed_cameras(hass: HomeAssistant) -> list[str]:
    """Return the entity ids of all cameras that are exposed to Assist, sorted."""
    return [
        entity_id
        for entity_id in sorted(hass.states.async_entity_ids(_CAMERA))
        if async_should_expose(hass, ASSISTANT, entity_id)
    ]


async def async_snapshot(hass: HomeAssistant, camera: str) -> bytes:
    """Return the current picture of the camera entity `camera`.

    Raises RefusedPictureError if the camera is not exposed to Assist or returns no picture.
    """
    if camera not in exposed_cameras(hass):
        raise RefusedPictureError(Refusal.NO_SNAPSHOT)
    # Import here, because the required packages exist only in a home with cameras.
    from homeassistant.components.camera import async_get_image  # noqa: PLC0415

    try:
        return (await async_get_image(hass, camera)).content
    except HomeAssistantError as err:
        raise RefusedPictureError(Refusal.NO_SNAPSHOT) from err


async def async_uploaded(hass: HomeAssistant, file_id: str) -> bytes:
    """Return the content of an uploaded file, and delete the file.

    Reads only the first 20 MB and one more byte. Raises RefusedPictureError if the file does not
    exist.
    """

    def take() -> bytes:
        try:
            with process_uploaded_file(hass, file_id) as path:
                return _beginning(path)
        except ValueError:
            # The file was read before, or Home Assistant has restarted since the upload.
            raise RefusedPictureError(Refusal.NO_FILE) from None

    return await hass.async_add_executor_job(take)


async def async_allowed_file(hass: HomeAssistant, path: str) -> bytes:
    """Return the content of a file in a folder that Home Assistant's configuration allows.

    Reads only the first 20 MB and one more byte. Raises RefusedPictureError if the file is not
    allowed or cannot be read.
    """

    def read() -> bytes:
        try:
            if hass.config.is_allowed_path(path):
                return _beginning(Path(path))
        except OSError, ValueError:
            pass
        raise RefusedPictureError(Refusal.NO_FILE)

    return await hass.async_add_executor_job(read)


def _beginning(path: Path) -> bytes:
    """Return the content of a file, cut off one byte after the maximum size of a photo.

    The extra byte shows that the file is too large.
    """
    with path.open("rb") as file:
        return file.read(LARGEST_FILE + 1)
