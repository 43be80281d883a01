"""Websocket commands of the panel's Devices view, for the devices that the user may read.

Only administrators can change photos, and see and set risk levels.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final
from urllib.parse import urlsplit

import probatio
from homeassistant.components.file_upload import process_uploaded_file
from homeassistant.config_entries import ConfigEntry
from homeassistant.const import Platform
from homeassistant.core import HomeAssistant, ServiceResponse
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers import entity_registry as er

from ..agent import AgentSettings
from ..config import entity_key, photo_of
from ..const import CONF_BASE_URL, CONF_PHOTO_SERVER, CONF_RISK_LEVELS, DOMAIN
from ..home import Device, HomeError, Level, quiet
from ..model import ModelError, ModelErrorKind, first_object, object_schema
from ..people import HOUSEHOLD
from ..photos import LONGEST_CAPTION, MOST_PHOTOS, RefusedPictureError, clean_caption, read_picture
from ..run import ActionRequest, SageAction, failure, refusal
from ..text import async_load_sentences, known_language

_PAGE: Final = 250
_MOST_PARTS: Final = 100
"""Maximum number of components in the details of one device."""

_CAPTION_PROMPT: Final = "photo_caption"
_CAPTION_TOKENS: Final = 1024
"""Maximum length of the reply in tokens, including a model's reasoning."""

_CAPTION_SECONDS: Final = 90.0
"""Timeout in seconds, because a user waits in a dialog."""

_NO_CAPTION: Final = frozenset(
    {
        ModelErrorKind.BROKEN_REPLY,
        ModelErrorKind.NOT_A_CHAT_MODEL,
        ModelErrorKind.REFUSED,
        ModelErrorKind.SERVER_ERROR,
    }
)
"""Failures of a model that accepts no images; the others have their own text, e.g. a timeout."""

_CAPTION_SCHEMA: Final = object_schema({"caption": {"type": "string"}})


async def _async_list(request: ActionRequest) -> dict[str, Any]:
    """Return one page of the devices that the caller may read.

    Administrators also get the number of exposed entities and of all entities.
    """
    listing = await request.entry.runtime_data.home.of(request.person).async_listing()
    start, count = request.data["start"], request.data["count"]
    page = listing.devices[start : start + count]
    answer: dict[str, Any] = {
        "devices": [_short(request, each) for each in page],
        "total": len(listing.devices),
    }
    if request.is_admin:
        gate = request.entry.runtime_data.home.gate
        answer["exposed"] = len(gate.visible(HOUSEHOLD))
        answer["entities"] = len(request.hass.states.async_entity_ids())
    return answer


def _short(request: ActionRequest, device: Device) -> dict[str, Any]:
    """Return a device for the list.

    `entities` are those with a state, with actions first; `controls` is the number of those with
    actions, and `level` their strictest risk level, None without; only administrators get it.
    """
    parts, hass = (*device.components, *device.more_components), request.hass
    actions = hass.services.async_services_internal()
    entities = [each.id for each in parts if hass.states.get(each.id) is not None]
    controlled = [each for each in entities if each.partition(".")[0] in actions]
    level_of = request.entry.runtime_data.home.level_of
    levels = {level_of(each).level for each in controlled} if request.is_admin else set()
    return {
        "id": device.id,
        "name": device.name,
        "area": device.area,
        "floor": device.floor,
        "kinds": sorted({kind for each in parts for kind in each.capabilities[:1]}),
        "parts": len(parts),
        "photos": len(request.entry.runtime_data.photos.of(device.registry_ids)),
        "entities": sorted(entities, key=lambda each: each not in controlled),
        "controls": len(controlled),
        "level": next((each for each in reversed(Level) if each in levels), None),
    }


async def _async_get(request: ActionRequest) -> ServiceResponse:
    """Return the documentation of one device's components, and its photos."""
    home = request.entry.runtime_data.home
    view = home.of(request.person)
    try:
        device = (await view.async_listing()).find(request.data["device"]).device
        documents = await view.async_document((device.id,))
    except HomeError as err:
        raise refusal("unknown_device") from err
    language = request.data["language"]
    is_admin = request.is_admin
    shown = [home.described(document, with_risk=is_admin) for document in documents[:_MOST_PARTS]]
    agent = request.entry.runtime_data.first_agent if is_admin else None
    return {
        **_short(request, device),
        "aliases": list(device.aliases),
        "model": device.model,
        "components": shown,
        "more": max(0, len(documents) - _MOST_PARTS),
        "pictures": _pictures(request, device),
        "most_photos": MOST_PHOTOS,
        "caption_model": None if agent is None else agent.settings.model.name,
        "photo_destination": await _async_photo_destination(request.hass, request.entry, language),
    }


def _pictures(request: ActionRequest, device: Device) -> list[dict[str, Any]]:
    """Return the image entity, caption and date of each photo of a device, oldest first."""
    registry = er.async_get(request.hass)
    return [
        {
            "entity_id": registry.async_get_entity_id(Platform.IMAGE, DOMAIN, each.image_id),
            "caption": each.caption,
            "added": each.added.isoformat(),
        }
        for each in request.entry.runtime_data.photos.of(device.registry_ids)
    ]


async def _async_photo_destination(hass: HomeAssistant, entry: ConfigEntry, language: str) -> str:
    """Return a sentence that says whether photos stay on this system or go to the photo server."""
    sentences = await async_load_sentences(hass, language)
    if (server := entry.options.get(CONF_PHOTO_SERVER)) is None:
        return sentences.say("photo_stays")
    host = urlsplit(server[CONF_BASE_URL]).hostname or ""
    return sentences.say("photo_goes_to_server", server=host)


async def _async_write_caption(request: ActionRequest) -> ServiceResponse:
    """Let the model of the first agent write a caption for a photo; return it, do not store it."""
    runtime, photo = request.entry.runtime_data, photo_of(request)
    agent = runtime.first_agent
    if agent is None:
        raise refusal("no_agent")
    for device in (await runtime.home.of(request.person).async_listing()).devices:
        if photo in runtime.photos.of(device.registry_ids):
            break
    else:
        raise refusal("photo_no_device")
    try:
        jpeg = await runtime.photos.async_image(photo)
        caption = "" if jpeg is None else await _async_caption(agent.settings, device, jpeg)
    except ModelError as err:
        if err.kind in _NO_CAPTION:
            raise refusal("photo_no_caption") from err
        sentences = await async_load_sentences(request.hass, request.data["language"])
        error = sentences.say(f"model_error_{err.kind.value}")
        raise failure("photo_model_failed", error=error) from err
    if not caption:
        raise refusal("photo_no_caption")
    return {"caption": caption}


async def _async_caption(settings: AgentSettings, device: Device, jpeg: bytes) -> str:
    """Let the agent's model write an English caption for a photo of a device.

    Returns "" if the reply has no caption. Raises ModelError, e.g. if the model accepts no images.
    """
    place = f", room: {quiet(device.area)}" if device.area else ""
    request = settings.json_request(
        settings.prompts[_CAPTION_PROMPT],
        f"Device: {quiet(device.name)}{place}",
        schema=_CAPTION_SCHEMA,
        images=(jpeg,),
        max_tokens=_CAPTION_TOKENS,
    )
    try:
        async with asyncio.timeout(_CAPTION_SECONDS):
            reply = await settings.model.async_complete(request)
    except TimeoutError as err:
        raise ModelError(ModelErrorKind.TIMEOUT) from err
    caption = (first_object(reply.text) or {}).get("caption")
    return clean_caption(caption) if isinstance(caption, str) else ""


async def _async_add_photo(request: ActionRequest) -> None:
    """Store an uploaded picture as a photo of a device."""
    home = request.entry.runtime_data.home.of(request.person)
    try:
        device = (await home.async_listing()).find(request.data["device"]).device
    except HomeError as err:
        raise refusal("photo_no_device") from err
    picture = await _async_uploaded(request.hass, request.data["upload"])
    photos = request.entry.runtime_data.photos
    await photos.async_add(device.registry_ids[0], picture, request.data["caption"])


async def _async_uploaded(hass: HomeAssistant, file_id: str) -> bytes:
    """Return the content of an uploaded file, and delete the file.

    Reads only the first 20 MB and one more byte. Raises RefusedPictureError if the file does not
    exist.
    """

    def take() -> bytes:
        try:
            with process_uploaded_file(hass, file_id) as path:
                return read_picture(path)
        except ValueError:
            # The file was read before, or Home Assistant has restarted since the upload.
            raise RefusedPictureError("photo_no_file") from None

    return await hass.async_add_executor_job(take)


async def _async_set_risk(request: ActionRequest) -> ServiceResponse:
    """Store the household's risk level for an entity: whether commands need confirmation.

    Without `level`, delete the stored level, so that SAGE determines the level itself.
    """
    hass, entity_id, level = request.hass, request.data["entity_id"], request.data.get("level")
    if hass.states.get(entity_id) is None and er.async_get(hass).async_get(entity_id) is None:
        raise refusal("unknown_device")
    key = entity_key(hass, entity_id)
    levels = dict(request.entry.options.get(CONF_RISK_LEVELS, {}))
    # The options flow may have stored the entity id before the entity had a registry entry.
    levels.pop(entity_id, None)
    levels.pop(key, None)
    if level is not None:
        levels[key] = level
    options = {**request.entry.options, CONF_RISK_LEVELS: levels}
    hass.config_entries.async_update_entry(request.entry, options=options)
    request.entry.runtime_data.home.levels.choose(levels)
    return {"risk": asdict(request.entry.runtime_data.home.level_of(entity_id))}


_NAME: Final = probatio.All(cv.string, probatio.Length(min=1, max=255))
_LANGUAGE: Final = {probatio.Optional("language", default="en"): probatio.All(str, known_language)}
_LEVELS: Final = probatio.Any(None, probatio.In([each.value for each in Level]))

DEVICE_COMMANDS: Final[Mapping[str, SageAction]] = {
    "devices/list": SageAction(
        handle=_async_list,
        fields={
            probatio.Optional("start", default=0): cv.positive_int,
            probatio.Optional("count", default=_PAGE): probatio.All(
                cv.positive_int, probatio.Range(min=1, max=_PAGE)
            ),
        },
    ),
    "devices/get": SageAction(
        handle=_async_get, fields={probatio.Required("device"): _NAME, **_LANGUAGE}
    ),
    "devices/add_photo": SageAction(
        handle=_async_add_photo,
        fields={
            probatio.Required("device"): _NAME,
            probatio.Required("upload"): _NAME,
            probatio.Optional("caption", default=""): probatio.All(
                cv.string, probatio.Length(max=LONGEST_CAPTION)
            ),
        },
        needs_admin=True,
    ),
    "devices/write_caption": SageAction(
        handle=_async_write_caption,
        fields={probatio.Required("photo"): cv.entity_id, **_LANGUAGE},
        needs_admin=True,
    ),
    "devices/set_risk": SageAction(
        handle=_async_set_risk,
        fields={probatio.Required("entity_id"): cv.entity_id, probatio.Optional("level"): _LEVELS},
        needs_admin=True,
    ),
}
"""The websocket commands of the Devices view, by name."""
