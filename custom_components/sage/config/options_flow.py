"""The options flow: PIN, satellites, memory, photo server, calendars, contacts."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, Final

import probatio
from homeassistant.components.ai_task import AITaskEntityFeature
from homeassistant.components.file_upload import process_uploaded_file
from homeassistant.config_entries import ConfigFlowResult, OptionsFlow
from homeassistant.const import CONF_API_KEY, CONF_MODEL
from homeassistant.core import HomeAssistant, split_entity_id
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.selector import (
    BooleanSelector,
    EntitySelector,
    EntitySelectorConfig,
    FileSelector,
    FileSelectorConfig,
    NumberSelector,
    NumberSelectorConfig,
    NumberSelectorMode,
    SelectSelector,
    SelectSelectorConfig,
    TextSelector,
)

from ..const import (
    CONF_BASE_URL,
    CONF_CALENDARS,
    CONF_CLEAR_PIN,
    CONF_EMBEDDINGS,
    CONF_FALL_BACK,
    CONF_FILE,
    CONF_NEW_PIN,
    CONF_PHOTO_SERVER,
    CONF_PIN,
    CONF_PIN_HASH,
    CONF_PLAIN_REQUESTS,
    CONF_REQUEST_DAYS,
    CONF_RETENTION_DAYS,
    CONF_SATELLITES,
    CONF_SPEAKER_THRESHOLD,
    CONF_SPEAKERS,
    CONF_USER,
    CONF_VISION,
    DEFAULT_PHOTO_MODEL,
    EMBEDDINGS_BUILTIN,
    EMBEDDINGS_SERVER,
)
from ..external import ExternalError, books_of
from ..model import ModelError, ModelErrorKind
from ..people import THRESHOLD, hash_pin, is_pin
from ..run import ENCODER
from .agents import ai_task_name, entity_key, household_connection, offered_ai_tasks
from .connection import is_local_model
from .embedders import async_find_embeddings, is_same_server
from .flow_parts import (
    SECRET,
    URL_FIELD,
    async_name_of,
    async_people,
    choice,
    number,
    required,
    suggested,
)
from .memory_setup import household_settings

type _Step = Callable[..., Awaitable[ConfigFlowResult]]

SATELLITE: Final = "assist_satellite"
_CALENDAR: Final = "calendar"
_LARGEST: Final = 20 * 1024 * 1024  # maximum size of a vCard file in bytes, with photos
_VCARDS: Final = FileSelector(FileSelectorConfig(accept=".vcf,text/vcard"))

_NO_EMBEDDINGS: Final = frozenset(
    {
        ModelErrorKind.NOT_AN_EMBEDDING_MODEL,
        ModelErrorKind.PROMPT_TOO_LONG,
    }
)
"""Failures that share the error text `no_embeddings`; the others have their own text."""

_REMOVE: Final = "remove"
_LONGEST_RETENTION: Final = 3650  # maximum retention period in days
_SIMILARITY: Final = NumberSelector(
    NumberSelectorConfig(min=0.3, max=0.9, step=0.01, mode=NumberSelectorMode.SLIDER)
)


def _choose_person(step_id: str, following: str) -> _Step:
    async def async_step(
        self: SageOptionsFlow, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        if user_input is not None:
            self.user_id = user_input[CONF_USER]
            next_step: Callable[[], Awaitable[ConfigFlowResult]]
            next_step = getattr(self, f"async_step_{following}")
            return await next_step()
        form = probatio.Schema({probatio.Required(CONF_USER): await async_people(self.hass)})
        return self.async_show_form(step_id=step_id, data_schema=form)

    return async_step


def owned_by(hass: HomeAssistant, owners: Mapping[str, str], user_id: str) -> list[str]:
    """Return the ids of the entities that an option assigns to a user."""
    registry = er.async_get(hass)
    owned = (key for key, owner in owners.items() if owner == user_id)
    return [each for key in owned if (each := er.async_resolve_entity_id(registry, key))]


def with_owned(
    hass: HomeAssistant, owners: Mapping[str, str], user_id: str, entity_ids: Iterable[str]
) -> dict[str, str]:
    """Return `owners` in which exactly these entities belong to a user."""
    others = {key: owner for key, owner in owners.items() if owner != user_id}
    return others | {entity_key(hass, each): user_id for each in entity_ids}


def _choose_entities(step_id: str, option: str, domain: str) -> _Step:
    """Return a step that asks which entities belong to the chosen person, and stores the answer.

    `option`: key of the option, a dictionary that maps each entity to a user id. An entity belongs
    to at most one person.
    """

    async def async_step(
        self: SageOptionsFlow, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        registry = er.async_get(self.hass)
        owners: Mapping[str, str] = self.config_entry.options.get(option, {})
        if user_input is not None:
            chosen = [
                each
                for each in user_input.get(option, ())
                if split_entity_id(each)[0] == domain
                and (self.hass.states.get(each) or registry.async_get(each))
            ]
            owners = with_owned(self.hass, owners, self.user_id, chosen)
            return self.async_create_entry(data={**self.config_entry.options, option: owners})
        now = owned_by(self.hass, owners, self.user_id)
        selector = EntitySelector(EntitySelectorConfig(multiple=True, filter={"domain": domain}))
        return self.async_show_form(
            step_id=step_id,
            data_schema=probatio.Schema({probatio.Optional(option, default=now): selector}),
            description_placeholders={"name": await async_name_of(self.hass, self.user_id)},
        )

    return async_step


class SageOptionsFlow(OptionsFlow):
    """The options flow: a menu of forms."""

    def __init__(self) -> None:
        super().__init__()
        self._retention: dict[str, Any] = {}
        self.user_id = ""  # user id of the chosen person

    async def async_step_init(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Show the menu."""
        return self.async_show_menu(
            step_id="init",
            menu_options=[
                "household",
                "satellites",
                "memory",
                "photo_server",
                "speakers",
                "calendars",
                "contacts",
            ],
        )

    # ------------------------------------------------------------- household

    async def async_step_household(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for the settings of the household, and store them.

        - the PIN, stored as a salted hash
        - whether plain requests are executed without the model
        - whether Home Assistant's built-in agent answers while the model is unavailable
        - the AI Task entity that looks at pictures, if there are any that accept pictures
        """
        errors: dict[str, str] = {}
        options = dict(self.config_entry.options)
        if user_input is not None:
            pin = user_input.get(self._pin_field, "").strip()
            if not pin or is_pin(pin):
                options[CONF_FALL_BACK] = user_input[CONF_FALL_BACK]
                options.pop(CONF_VISION, None)
                if vision := user_input.get(CONF_VISION):
                    options[CONF_VISION] = vision
                # Without a choice, it depends on where the model of each agent is.
                options.pop(CONF_PLAIN_REQUESTS, None)
                if (plainly := user_input[CONF_PLAIN_REQUESTS]) != self._is_local:
                    options[CONF_PLAIN_REQUESTS] = plainly
                if pin:
                    options[CONF_PIN_HASH] = await self.hass.async_add_executor_job(hash_pin, pin)
                elif user_input.get(CONF_CLEAR_PIN):
                    options.pop(CONF_PIN_HASH, None)
                return self.async_create_entry(data=options)
            errors[self._pin_field] = "not_a_pin"
        fields: dict[Any, Any] = {probatio.Optional(self._pin_field): SECRET}
        if options.get(CONF_PIN_HASH):
            fields[probatio.Optional(CONF_CLEAR_PIN, default=False)] = BooleanSelector()
        falls_back = (user_input or options).get(CONF_FALL_BACK, True)
        plainly = (user_input or options).get(CONF_PLAIN_REQUESTS, self._is_local)
        fields[probatio.Required(CONF_PLAIN_REQUESTS, default=plainly)] = BooleanSelector()
        fields[probatio.Required(CONF_FALL_BACK, default=falls_back)] = BooleanSelector()
        chosen = (user_input or options).get(CONF_VISION)
        if entities := self._seeing(chosen):
            fields[suggested(CONF_VISION, chosen)] = choice(entities)
        return self.async_show_form(
            step_id="household", data_schema=probatio.Schema(fields), errors=errors
        )

    def _seeing(self, chosen: str | None) -> Mapping[str, str]:
        features = AITaskEntityFeature.GENERATE_DATA | AITaskEntityFeature.SUPPORT_ATTACHMENTS
        entities = {chosen: ai_task_name(self.hass, chosen)} if chosen else {}
        return entities | offered_ai_tasks(self.hass, features)

    @property
    def _is_local(self) -> bool:
        return is_local_model(self.hass, household_connection(self.config_entry))

    @property
    def _pin_field(self) -> str:
        """Name of the PIN's field: its text shows whether the household has a PIN."""
        return CONF_NEW_PIN if self.config_entry.options.get(CONF_PIN_HASH) else CONF_PIN

    # ------------------------------------------------------------- memory

    async def async_step_memory(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask for the retention and the embedding model of memories, maybe for its server."""
        if user_input is not None:
            self._retention = {
                key: int(user_input[key]) for key in (CONF_RETENTION_DAYS, CONF_REQUEST_DAYS)
            }
            if user_input[CONF_EMBEDDINGS] == EMBEDDINGS_SERVER:
                return await self.async_step_embedding_server()
            options = {**self.config_entry.options, **self._retention}
            options.pop(CONF_EMBEDDINGS, None)
            return self.async_create_entry(data=options)
        return self.async_show_form(step_id="memory", data_schema=self._memory_form())

    def _memory_form(self) -> probatio.Schema:
        options = self.config_entry.options
        days = number(0, _LONGEST_RETENTION)
        embeddings = SelectSelector(
            SelectSelectorConfig(
                options=[EMBEDDINGS_BUILTIN, EMBEDDINGS_SERVER], translation_key=CONF_EMBEDDINGS
            )
        )
        chosen = EMBEDDINGS_SERVER if CONF_EMBEDDINGS in options else EMBEDDINGS_BUILTIN
        household = household_settings(self.config_entry)
        return probatio.Schema(
            {
                probatio.Required(CONF_RETENTION_DAYS, default=household.retention_days): days,
                probatio.Required(CONF_REQUEST_DAYS, default=household.request_days): days,
                probatio.Required(CONF_EMBEDDINGS, default=chosen): embeddings,
            }
        )

    async def async_step_embedding_server(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for the settings of the embedding server; test the server and store the settings."""
        data = self.config_entry.data
        # By default, the server of the language model.
        suggested = {key: data[key] for key in (CONF_BASE_URL, CONF_API_KEY) if key in data}
        return await self._async_server_step(
            "embedding_server", CONF_EMBEDDINGS, suggested, user_input, self._retention
        )

    async def async_step_photo_server(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for the server that matches photos with words; test and store it, or remove it."""
        suggested = {CONF_MODEL: DEFAULT_PHOTO_MODEL}
        return await self._async_server_step(
            "photo_server", CONF_PHOTO_SERVER, suggested, user_input, {}
        )

    async def async_step_speakers(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for the server that compares voices, and how similar they must be; store it."""
        options, chosen = self.config_entry.options, user_input or {}
        threshold = options.get(CONF_SPEAKER_THRESHOLD, THRESHOLD)
        fields = {probatio.Required(CONF_SPEAKER_THRESHOLD, default=threshold): _SIMILARITY}
        # The same app compares photos.
        suggested = {**options.get(CONF_PHOTO_SERVER, {}), CONF_MODEL: ENCODER}
        further = {CONF_SPEAKER_THRESHOLD: chosen.get(CONF_SPEAKER_THRESHOLD)}
        return await self._async_server_step(
            "speakers", CONF_SPEAKERS, suggested, user_input, further, fields
        )

    async def _async_server_step(
        self,
        step_id: str,
        option: str,
        suggested: Mapping[str, Any],
        user_input: Mapping[str, Any] | None,
        further: Mapping[str, Any],
        more_fields: Mapping[Any, Any] = {},
    ) -> ConfigFlowResult:
        """Ask for an embedding server, test it and store it as `option`, with `further` options.

        The server is removed instead if the user chooses so.
        """
        options = self.config_entry.options
        if user_input is not None and user_input.get(_REMOVE):
            rest = {key: value for key, value in options.items() if key != option}
            return self.async_create_entry(data=rest)
        known: Mapping[str, Any] = {**suggested, **options.get(option, {})}
        errors: dict[str, str] = {}
        if user_input is not None:
            address, key = user_input[CONF_BASE_URL], user_input.get(CONF_API_KEY)
            if not key and is_same_server(address, known.get(CONF_BASE_URL, "")):
                # An empty field keeps the stored API key, but only for the same server.
                key = known.get(CONF_API_KEY)
            try:
                server = await async_find_embeddings(
                    self.hass,
                    address,
                    key,
                    user_input[CONF_MODEL].strip(),
                    of_images=option == CONF_PHOTO_SERVER,
                    of_speech=option == CONF_SPEAKERS,
                )
            except ModelError as err:
                errors["base"] = "no_embeddings" if err.kind in _NO_EMBEDDINGS else err.kind.value
            else:
                return self.async_create_entry(data={**options, **further, option: server})
        shown = {**known, **(user_input or {})}
        # The form never shows the API key.
        fields: dict[Any, Any] = {
            required(CONF_BASE_URL, shown): URL_FIELD,
            probatio.Optional(CONF_API_KEY): SECRET,
            required(CONF_MODEL, shown): TextSelector(),
            **more_fields,
        }
        if option != CONF_EMBEDDINGS and option in options:
            fields[probatio.Optional(_REMOVE, default=False)] = BooleanSelector()
        port = 11434 if option == CONF_EMBEDDINGS else 7997
        return self.async_show_form(
            step_id=step_id,
            data_schema=probatio.Schema(fields),
            errors=errors,
            description_placeholders={"example": f"http://192.168.1.10:{port}/v1"},
        )

    # ------------------------------------------------------------- things of a person

    async_step_satellites = _choose_person("satellites", "satellites_of")
    async_step_satellites_of = _choose_entities("satellites_of", CONF_SATELLITES, SATELLITE)
    async_step_calendars = _choose_person("calendars", "calendars_of")
    async_step_calendars_of = _choose_entities("calendars_of", CONF_CALENDARS, _CALENDAR)

    async def async_step_contacts(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for a person and a vCard file, and import the file into the person's contacts."""
        errors: dict[str, str] = {}
        if user_input is not None:
            try:
                await _async_import_upload(self.hass, user_input[CONF_USER], user_input[CONF_FILE])
            except ExternalError:
                errors[CONF_FILE] = "no_contacts"
            else:
                return self.async_create_entry(data=dict(self.config_entry.options))
        people = await async_people(self.hass)
        return self.async_show_form(
            step_id="contacts",
            data_schema=probatio.Schema(
                {probatio.Required(CONF_USER): people, probatio.Required(CONF_FILE): _VCARDS}
            ),
            errors=errors,
        )


async def _async_import_upload(hass: HomeAssistant, user_id: str, upload: str) -> None:
    """Import an uploaded vCard file by its id. Raises ExternalError, ValueError without a file."""

    def read() -> bytes:
        with process_uploaded_file(hass, upload) as path:
            return path.read_bytes() if path.stat().st_size <= _LARGEST else b""

    file = await hass.async_add_executor_job(read)
    # SAGE may be reloading now, or may have failed to load.
    books = books_of(hass)
    await books.async_load()
    await books.async_import(user_id, file)
