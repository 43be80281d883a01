"""The repair flow for the memories and routines of an absent person.

Only administrators can open it.
"""

from typing import Final

import probatio
from homeassistant.components.repairs import RepairsFlow, RepairsFlowResult
from homeassistant.data_entry_flow import AbortFlow

from .absent_owners import AbsentOwner, AbsentOwners
from .const import DOMAIN
from .flow_forms import async_people
from .memory.errors import MemoryStoreError
from .people.identity import async_user
from .routines.model import RoutineError
from .runtime import SageConfigEntry

_PERSON: Final = "person"


class AbsentOwnerFlow(RepairsFlow):
    """Gives the data to another person or deletes it; otherwise it stays set aside."""

    def __init__(self, user_id: str) -> None:
        """Keep the user id of the absent person."""
        self._user_id = user_id

    async def async_step_init(self, user_input: dict[str, str] | None = None) -> RepairsFlowResult:
        """Let the administrator choose."""
        if (owner := self._owner) is None:
            return self.async_create_entry(data={})
        return self.async_show_menu(
            step_id="init",
            menu_options=["give", "delete"],
            description_placeholders=_placeholders(owner),
        )

    async def async_step_give(self, user_input: dict[str, str] | None = None) -> RepairsFlowResult:
        """Ask for the other person, and give them everything."""
        if (owner := self._owner) is None:
            return self.async_create_entry(data={})
        if user_input is None:
            return self.async_show_form(
                step_id="give",
                data_schema=probatio.Schema(
                    {probatio.Required(_PERSON): await async_people(self.hass)}
                ),
                description_placeholders=_placeholders(owner),
            )
        person = await async_user(self.hass, user_input[_PERSON])
        if not person.is_known:
            return self._unchanged("There is no such person.")
        try:
            await self._owners.async_give(self._user_id, person)
        except (MemoryStoreError, RoutineError, OSError) as err:
            return self._unchanged(str(err))
        return self.async_create_entry(data={})

    async def async_step_delete(
        self, user_input: dict[str, str] | None = None
    ) -> RepairsFlowResult:
        """Have the administrator confirm, and delete everything."""
        if (owner := self._owner) is None:
            return self.async_create_entry(data={})
        if user_input is None:
            return self.async_show_form(
                step_id="delete",
                data_schema=probatio.Schema({}),
                description_placeholders=_placeholders(owner),
            )
        try:
            await self._owners.async_purge(self._user_id)
        except (MemoryStoreError, RoutineError, OSError) as err:
            return self._unchanged(str(err))
        return self.async_create_entry(data={})

    def _unchanged(self, error: str) -> RepairsFlowResult:
        return self.async_abort(reason="unchanged", description_placeholders={"error": error})

    @property
    def _owners(self) -> AbsentOwners:
        entries: list[SageConfigEntry] = self.hass.config_entries.async_loaded_entries(DOMAIN)
        if not entries:
            raise AbortFlow("not_loaded")
        return entries[0].runtime_data.absent_owners

    @property
    def _owner(self) -> AbsentOwner | None:
        return self._owners.get(self._user_id)


def _placeholders(owner: AbsentOwner) -> dict[str, str]:
    day = "" if owner.purged_on is None else owner.purged_on.isoformat()
    return {"name": owner.name, "routines": str(owner.routines), "date": day}
