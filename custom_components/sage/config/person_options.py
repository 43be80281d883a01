"""Steps of the options flow for a person's voice satellites, calendars and contacts."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import probatio
from homeassistant.components.file_upload import process_uploaded_file
from homeassistant.config_entries import ConfigEntry, ConfigFlowResult, OptionsFlow
from homeassistant.core import HomeAssistant, split_entity_id
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.selector import (
    EntitySelector,
    EntitySelectorConfig,
    FileSelector,
    FileSelectorConfig,
)

from ..const import CONF_CALENDARS, CONF_FILE, CONF_SATELLITES, CONF_USER
from ..external import External
from ..external.contact import Contact, NoContactsError, read_cards
from ..external.external_error import ExternalError
from .flow_forms import async_name_of, async_people, entity_key

type _Step = Callable[[], Awaitable[ConfigFlowResult]]

SATELLITE: Final = "assist_satellite"
_CALENDAR: Final = "calendar"
_LARGEST: Final = 20 * 1024 * 1024
"""Maximum size of a vCard file in bytes; cards can contain photos."""

_VCARDS: Final = FileSelector(FileSelectorConfig(accept=".vcf,text/vcard"))


class PersonSteps(OptionsFlow):
    """Option steps that assign satellites, calendars and contacts to a person."""

    def __init__(self) -> None:
        super().__init__()
        self._user_id = ""
        """User id of the chosen person."""

        self._imported = (0, 0)
        """Number of imported contacts, and of unreadable vCards."""

    async def _async_choose_person(
        self, step_id: str, user_input: Mapping[str, Any] | None, following: _Step
    ) -> ConfigFlowResult:
        """Ask for a person, then run the step `following`."""
        if user_input is not None:
            self._user_id = user_input[CONF_USER]
            return await following()
        form = probatio.Schema({probatio.Required(CONF_USER): await async_people(self.hass)})
        return self.async_show_form(step_id=step_id, data_schema=form)

    async def _async_choose_entities(
        self, step_id: str, option: str, domain: str, user_input: Mapping[str, Any] | None
    ) -> ConfigFlowResult:
        """Ask which entities belong to the chosen person, and store the answer.

        `option`: key of the option, a dictionary that maps each entity to a user id. An entity
        belongs to at most one person.
        """
        registry = er.async_get(self.hass)
        owners: dict[str, str] = dict(self.config_entry.options.get(option, {}))
        if user_input is not None:
            chosen = [
                entity_key(self.hass, each)
                for each in user_input.get(option, ())
                if split_entity_id(each)[0] == domain
                and (self.hass.states.get(each) or registry.async_get(each))
            ]
            owners = {each: owner for each, owner in owners.items() if owner != self._user_id}
            owners |= dict.fromkeys(chosen, self._user_id)
            return self.async_create_entry(data={**self.config_entry.options, option: owners})
        now = [
            entity_id
            for key, owner in owners.items()
            if owner == self._user_id
            and (entity_id := er.async_resolve_entity_id(registry, key)) is not None
        ]
        selector = EntitySelector(EntitySelectorConfig(multiple=True, filter={"domain": domain}))
        return self.async_show_form(
            step_id=step_id,
            data_schema=probatio.Schema({probatio.Optional(option, default=now): selector}),
            description_placeholders={"name": await async_name_of(self.hass, self._user_id)},
        )

    async def async_step_satellites(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for the person whose voice satellites the next step shows."""
        return await self._async_choose_person(
            "satellites", user_input, self.async_step_satellites_of
        )

    async def async_step_satellites_of(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask which voice satellites belong to the chosen person, and store the answer."""
        return await self._async_choose_entities(
            "satellites_of", CONF_SATELLITES, SATELLITE, user_input
        )

    async def async_step_calendars(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for the person whose calendars the next step shows."""
        return await self._async_choose_person(
            "calendars", user_input, self.async_step_calendars_of
        )

    async def async_step_calendars_of(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask which calendars belong to the chosen person, and store the answer."""
        return await self._async_choose_entities(
            "calendars_of", CONF_CALENDARS, _CALENDAR, user_input
        )

    async def async_step_contacts(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for a person and a vCard file, and import the file into the person's contacts."""
        errors: dict[str, str] = {}
        if user_input is not None:
            try:
                self._imported = await _async_import_upload(
                    self.hass, self.config_entry, user_input[CONF_USER], user_input[CONF_FILE]
                )
            except NoContactsError, ExternalError:
                errors[CONF_FILE] = "no_contacts"
            else:
                return await self.async_step_contacts_imported()
        people = await async_people(self.hass)
        return self.async_show_form(
            step_id="contacts",
            data_schema=probatio.Schema(
                {probatio.Required(CONF_USER): people, probatio.Required(CONF_FILE): _VCARDS}
            ),
            errors=errors,
        )

    async def async_step_contacts_imported(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Show how many contacts were imported."""
        if user_input is not None:
            return self.async_create_entry(data=dict(self.config_entry.options))
        return self.async_show_form(
            step_id="contacts_imported",
            data_schema=probatio.Schema({}),
            description_placeholders={
                "count": str(self._imported[0]),
                "unreadable": str(self._imported[1]),
            },
        )


async def _async_import_upload(
    hass: HomeAssistant, entry: ConfigEntry, user_id: str, upload: str
) -> tuple[int, int]:
    """Import an uploaded vCard file; return the number of contacts and of unreadable vCards.

    `upload`: id of the uploaded file. Raises NoContactsError, ExternalError, or ValueError if no
    uploaded file has this id.
    """

    def read() -> tuple[list[Contact], int]:
        with process_uploaded_file(hass, upload) as path:
            if path.stat().st_size > _LARGEST:
                raise NoContactsError
            return read_cards(path.read_bytes())

    external: External = entry.runtime_data.external
    assert external.books is not None
    found, unreadable = await hass.async_add_executor_job(read)
    if not found:
        raise NoContactsError
    await external.books.async_put(user_id, found)
    return len(found), unreadable
