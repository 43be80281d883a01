"""Steps of the options flow for device photos, and for the photo server.

The photo server is an embedding server that matches photos with words.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import probatio
from homeassistant.config_entries import ConfigEntryState, ConfigFlowResult, OptionsFlow
from homeassistant.const import CONF_API_KEY, CONF_DEVICE, CONF_MODEL
from homeassistant.data_entry_flow import AbortFlow
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.selector import (
    BooleanSelector,
    EntitySelector,
    EntitySelectorConfig,
    FileSelector,
    FileSelectorConfig,
    SelectOptionDict,
    SelectSelector,
    SelectSelectorConfig,
    SelectSelectorMode,
    TextSelector,
    TextSelectorConfig,
)

from ..const import CONF_BASE_URL, CONF_PHOTO_SERVER, DEFAULT_PHOTO_MODEL, DOMAIN
from ..embeddings.server_failure import ServerFailureError
from ..home.home_types import Device
from ..model.ai_task_model import AITaskModel
from ..model.language_model import ModelError
from ..photos.photo import MOST_PHOTOS, Photo, PhotoError, RefusedPictureError
from ..photos.photo_album import PhotoAlbum
from ..run.runtime import SageAgent, SageConfigEntry
from .ai_task_entities import error_of
from .embedders import async_find_photo_server, is_same_server
from .flow_forms import embedding_error, embedding_server_form, escaped
from .photo_caption import MODEL_FAILURES, async_write_caption
from .photo_sources import (
    async_exposed_devices,
    async_snapshot,
    async_uploaded,
    exposed_cameras,
    photo_server_host,
)

CONF_PICTURE: Final = "picture"
CONF_CAMERA: Final = "camera"
CONF_CAPTION: Final = "caption"
CONF_WRITE_CAPTION: Final = "write_caption"
CONF_DELETE: Final = "delete"
CONF_PHOTO: Final = "photo"
CONF_REMOVE: Final = "remove"

_NONE: Final = "–"
_CAPTION: Final = TextSelector(TextSelectorConfig(multiline=True))
_PICTURE: Final = FileSelector(FileSelectorConfig(accept="image/jpeg,image/png,image/webp"))


class PhotoSteps(OptionsFlow):
    """Steps of the options flow for device photos, and for matching them with words."""

    def __init__(self) -> None:
        super().__init__()
        self._registry_id = ""
        self._photo: Photo | None = None

    async def async_step_photos(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Show the menu for photos."""
        return self.async_show_menu(step_id="photos", menu_options=["photo_device", "photo_server"])

    # ---------------------------------------------------------------- a device

    async def async_step_photo_device(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for a device, and continue with its photos."""
        album = self._album
        if user_input is not None:
            self._registry_id = user_input[CONF_DEVICE]
            return await self.async_step_photos_of()
        choices = [
            SelectOptionDict(value=each.registry_ids[0], label=_label(album, each))
            for each in await async_exposed_devices(self._entry)
        ]
        if not choices:
            return self.async_abort(reason="no_devices")
        selector = SelectSelector(
            SelectSelectorConfig(
                options=sorted(choices, key=lambda each: each["label"].casefold()),
                mode=SelectSelectorMode.DROPDOWN,
            )
        )
        return self.async_show_form(
            step_id="photo_device",
            data_schema=probatio.Schema({probatio.Required(CONF_DEVICE): selector}),
        )

    async def async_step_photos_of(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Show the device's photos, with a menu for adding, changing and deleting photos."""
        device = await self._async_device()
        photos = self._album.of(device.registry_ids)
        lines = [f"{place}. {escaped(label)}" for place, label in _labels(photos)]
        possible = {
            "add_photo": len(photos) < MOST_PHOTOS,
            "choose_photo": bool(photos),
            "photo_device": True,
            "photos_done": True,
        }
        return self.async_show_menu(
            step_id="photos_of",
            menu_options=[step for step, is_possible in possible.items() if is_possible],
            description_placeholders={
                "name": escaped(device.name),
                "photos": "\n".join(lines) or _NONE,
            },
        )

    async def async_step_photos_done(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Close the dialog without changing the options."""
        return self.async_create_entry(data=dict(self.config_entry.options))

    async def async_step_add_photo(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for a picture and store it; on request, let the language model write a caption."""
        device = await self._async_device()
        errors: dict[str, str] = {}
        error = ""
        if user_input is not None:
            try:
                self._photo = await self._async_add(device, user_input)
            except RefusedPictureError as err:
                errors["base"] = err.refusal.value
            except PhotoError as err:
                errors["base"], error = "photo_not_stored", str(err)
            else:
                if self._photo is None:
                    errors["base"] = "photo_one_source"
                elif user_input.get(CONF_WRITE_CAPTION):
                    return await self._async_step_written_caption(device, self._photo)
                else:
                    return await self.async_step_photos_of()
        return self.async_show_form(
            step_id="add_photo",
            data_schema=self._add_form(user_input or {}),
            errors=errors,
            description_placeholders={
                "name": device.name,
                "server": escaped(photo_server_host(self.config_entry) or _NONE),
                "model": self._model_name,
                "error": error,
            },
        )

    async def _async_add(self, device: Device, user_input: Mapping[str, Any]) -> Photo | None:
        """Store the picture from the upload or the camera; raises PhotoError.

        Returns None if the user gave both sources or none.
        """
        upload, camera = user_input.get(CONF_PICTURE), user_input.get(CONF_CAMERA)
        if bool(upload) == bool(camera):
            return None
        if upload:
            picture = await async_uploaded(self.hass, upload)
        else:
            picture = await async_snapshot(self.hass, str(camera))
        caption = user_input.get(CONF_CAPTION, "")
        return await self._album.async_add(device.registry_ids[0], picture, caption)

    def _add_form(self, shown: Mapping[str, Any]) -> probatio.Schema:
        fields: dict[Any, Any] = {probatio.Optional(CONF_PICTURE): _PICTURE}
        if cameras := exposed_cameras(self.hass):
            fields[probatio.Optional(CONF_CAMERA)] = EntitySelector(
                EntitySelectorConfig(include_entities=cameras)
            )
        return probatio.Schema(fields | self._caption_fields(shown.get(CONF_CAPTION, "")))

    def _caption_fields(self, caption: str) -> dict[Any, Any]:
        suggested = {"suggested_value": caption}
        fields: dict[Any, Any] = {probatio.Optional(CONF_CAPTION, description=suggested): _CAPTION}
        if self._agent is not None:
            fields[probatio.Optional(CONF_WRITE_CAPTION, default=False)] = BooleanSelector()
        return fields

    # ---------------------------------------------------------------- one photo

    async def async_step_choose_photo(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask which photo to change; continue without asking if there are fewer than two."""
        device = await self._async_device()
        photos = self._album.of(device.registry_ids)
        by_id = {each.image_id: each for each in photos}
        chosen = user_input[CONF_PHOTO] if user_input is not None else next(iter(by_id), "")
        if user_input is not None or len(photos) < 2:
            self._photo = by_id.get(chosen)
            return await self.async_step_photo()
        labels = _labels(photos)
        choices = [
            SelectOptionDict(value=image_id, label=f"{place}. {label}")
            for image_id, (place, label) in zip(by_id, labels, strict=True)
        ]
        selector = SelectSelector(SelectSelectorConfig(options=choices))
        return self.async_show_form(
            step_id="choose_photo",
            data_schema=probatio.Schema({probatio.Required(CONF_PHOTO): selector}),
            description_placeholders={"name": device.name},
        )

    async def async_step_photo(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Show a photo, with a form for changing its caption or deleting the photo."""
        device, photo = await self._async_device(), self._photo
        if photo is None:
            return await self.async_step_photos_of()
        if user_input is None:
            return self._photo_form(device, photo, photo.caption)
        if user_input.get(CONF_WRITE_CAPTION) and not user_input.get(CONF_DELETE):
            return await self._async_step_written_caption(device, photo)
        caption = user_input.get(CONF_CAPTION, "")
        try:
            if user_input.get(CONF_DELETE):
                await self._album.async_remove([photo])
            else:
                await self._album.async_set_caption(photo, caption)
        except PhotoError as err:
            return self._photo_form(device, photo, caption, "photo_not_stored", str(err))
        return await self.async_step_photos_of()

    async def _async_step_written_caption(self, device: Device, photo: Photo) -> ConfigFlowResult:
        """Let the language model write a caption, and show it to the user for editing."""
        agent, album, error = self._agent, self._album, "no_caption"
        try:
            jpeg = await album.async_image(photo)
            if agent is not None and jpeg is not None:
                caption = await async_write_caption(agent.settings, device, jpeg)
                if caption:
                    return self._photo_form(device, photo, caption)
        except PhotoError as err:
            return self._photo_form(device, photo, photo.caption, "photo_not_stored", str(err))
        except ModelError as err:
            if agent is not None and err.kind in MODEL_FAILURES:
                is_ai_task = isinstance(agent.settings.model, AITaskModel)
                error = error_of(err, is_ai_task=is_ai_task)
        return self._photo_form(device, photo, photo.caption, error)

    def _photo_form(
        self, device: Device, photo: Photo, caption: str, error: str = "", detail: str = ""
    ) -> ConfigFlowResult:
        fields = self._caption_fields(caption)
        fields[probatio.Optional(CONF_DELETE, default=False)] = BooleanSelector()
        return self.async_show_form(
            step_id="photo",
            data_schema=probatio.Schema(fields),
            errors={"base": error} if error else {},
            description_placeholders={
                "name": device.name,
                "picture": self._shown(photo),
                "model": self._model_name,
                "error": detail,
            },
        )

    def _shown(self, photo: Photo) -> str:
        """Return Markdown that shows the photo; empty if its image entity is disabled."""
        registry = er.async_get(self.hass)
        entity_id = registry.async_get_entity_id("image", DOMAIN, photo.image_id)
        state = self.hass.states.get(entity_id) if entity_id is not None else None
        address = state.attributes.get("entity_picture") if state is not None else None
        return f"![]({address})" if address else ""

    # ---------------------------------------------------------------- the server

    async def async_step_photo_server(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for the server that matches photos with words; test and store it, or remove it."""
        options = dict(self.config_entry.options)
        known: Mapping[str, Any] = options.get(CONF_PHOTO_SERVER, {})
        errors: dict[str, str] = {}
        if user_input is not None:
            if known and user_input.get(CONF_REMOVE):
                del options[CONF_PHOTO_SERVER]
                return self.async_create_entry(data=options)
            try:
                server = await self._async_try_photo_server(known, user_input)
            except ServerFailureError as err:
                errors["base"] = embedding_error(err)
            else:
                return self.async_create_entry(data={**options, CONF_PHOTO_SERVER: server})
        form = embedding_server_form(
            {CONF_MODEL: DEFAULT_PHOTO_MODEL, **known, **(user_input or {})}
        )
        if known:
            form = form.extend({probatio.Optional(CONF_REMOVE, default=False): BooleanSelector()})
        return self.async_show_form(step_id="photo_server", data_schema=form, errors=errors)

    async def _async_try_photo_server(
        self, known: Mapping[str, Any], user_input: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return the settings of a working photo server; raises ServerFailureError."""
        address, key = user_input[CONF_BASE_URL], user_input.get(CONF_API_KEY)
        if known and not key and is_same_server(address, known[CONF_BASE_URL]):
            # An empty field keeps the stored API key, but only for the same server.
            key = known.get(CONF_API_KEY)
        model = user_input[CONF_MODEL].strip()
        return await async_find_photo_server(self.hass, address, key, model)

    # ---------------------------------------------------------------- stored photos

    @property
    def _entry(self) -> SageConfigEntry:
        """The loaded config entry; aborts the flow if the entry is not loaded."""
        entry: SageConfigEntry = self.config_entry
        if entry.state is not ConfigEntryState.LOADED:
            raise AbortFlow("not_loaded")
        return entry

    @property
    def _album(self) -> PhotoAlbum:
        """The stored photos; aborts the flow if the photo file is unreadable."""
        album = self._entry.runtime_data.photos
        if album.trouble is not None:
            raise AbortFlow("photos_unreadable", {"error": album.trouble})
        return album

    @property
    def _agent(self) -> SageAgent | None:
        """The first agent, whose model writes captions; None if there is no agent."""
        return self._entry.runtime_data.first_agent

    @property
    def _model_name(self) -> str:
        return escaped(self._agent.settings.model.name) if self._agent is not None else ""

    async def _async_device(self) -> Device:
        """Return the chosen device; aborts the flow if it was removed or is no longer exposed."""
        for device in await async_exposed_devices(self._entry):
            if self._registry_id in device.registry_ids:
                return device
        raise AbortFlow("device_gone")


def _labels(photos: Sequence[Photo]) -> list[tuple[int, str]]:
    """Return number (from 1) and caption of each photo; a dash if there is no caption."""
    return [(place, each.caption or _NONE) for place, each in enumerate(photos, 1)]


def _label(album: PhotoAlbum, device: Device) -> str:
    """Return the device's name, with area and number of photos if available."""
    count = len(album.of(device.registry_ids))
    place = f" · {device.area}" if device.area else ""
    return f"{device.name}{place}" + (f" ({count})" if count else "")
