"""Set up memory: its files, its embedding models and its nightly work."""

import logging
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from homeassistant.const import CONF_MODEL
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir
from homeassistant.helpers.event import async_track_time_change

from ..agent import AgentSettings
from ..const import CONF_EMBEDDINGS, CONF_REQUEST_DAYS, CONF_RETENTION_DAYS
from ..embeddings import BuiltinEmbedder, Embedder
from ..helpers import show_issue
from ..memory import (
    Built,
    LongTermMemory,
    MemorySettings,
    MemoryStoreError,
    PersonMemory,
    WriterError,
    async_build_profile,
)
from ..model import ModelError
from ..people import Person, async_user
from ..run import SageConfigEntry
from ..storage import FileFault
from .embedders import async_server_embedder

_LOGGER = logging.getLogger(__name__)

ISSUE: Final = "embeddings_away"
FAULT_ISSUE: Final = "memory_fault"
_ISSUE_BUILTIN: Final = "embeddings_damaged"
_NIGHT: Final = 3
_REQUEST_DAYS: Final = 90  # default number of days to keep requests such as "turn on the light"


async def async_make_embedder(hass: HomeAssistant, entry: SageConfigEntry) -> Embedder:
    """Return the embedding model of the household for all texts; sends no request."""
    if (settings := entry.options.get(CONF_EMBEDDINGS)) is not None:
        return await async_server_embedder(hass, settings)
    # The user may have removed the embedding server from the options.
    show_issue(hass, ISSUE, None)
    return BuiltinEmbedder(hass)


def make_memory(hass: HomeAssistant, entry: SageConfigEntry, embedder: Embedder) -> LongTermMemory:
    """Return the memory of all people; `embedder` is the household's embedding model."""
    settings = entry.options.get(CONF_EMBEDDINGS)

    @callback
    def report(error: ModelError | None) -> None:
        key = _ISSUE_BUILTIN if settings is None else ISSUE
        values = {} if settings is None else {"model": settings[CONF_MODEL]}
        shown = None if error is None else key
        show_issue(hass, ISSUE, shown, ir.IssueSeverity.WARNING, values)

    @callback
    def faulty(fault: FileFault | None) -> None:
        key = None if fault is None else f"memory_{fault}"
        show_issue(hass, FAULT_ISSUE, key)

    return LongTermMemory(
        hass, embedder, report=report, report_fault=faulty, household=household_settings(entry)
    )


def household_settings(entry: SageConfigEntry) -> MemorySettings:
    """Return how many days the household keeps memories and requests: each person's defaults."""
    options = entry.options
    return MemorySettings(
        retention_days=int(options.get(CONF_RETENTION_DAYS, 0)),
        request_days=int(options.get(CONF_REQUEST_DAYS, _REQUEST_DAYS)),
    )


class ModelWriter:
    """Writes texts with an agent's model."""

    def __init__(self, settings: AgentSettings) -> None:
        self._settings = settings
        self.model: Final = settings.model.name  # the name of the model

    async def async_write(
        self, prompt: str, text: str, *, max_tokens: int, schema: Mapping[str, Any] | None = None
    ) -> str:
        """Return the model's reply to `agent/prompts/<prompt>.md` and `text` (user message).

        `schema`: JSON schema of the reply; None for plain text. Raises WriterError if the model
        fails or its reply is empty.
        """
        request = self._settings.json_request(
            self._settings.prompts[prompt], text, schema=schema, max_tokens=max_tokens
        )
        try:
            reply = await self._settings.model.async_complete(request)
        except ModelError as err:
            _LOGGER.debug("Nothing was written: %s", err.kind)
            raise WriterError(f"the model gave no answer ({err.kind.value})") from err
        if not reply.text.strip():
            # A model may use all tokens for its reasoning.
            raise WriterError("the model answered with no words")
        return reply.text


async def async_update_profile(entry: SageConfigEntry, person: Person) -> Built | None:
    """Update a person's profile; return None without an agent. Raises MemoryStoreError."""
    if (agent := entry.runtime_data.first_agent) is None:
        return None
    writer = ModelWriter(agent.settings)
    memory = entry.runtime_data.memory.of(person.user_id)
    return await async_build_profile(memory, writer.async_write, writer.model)


@callback
def async_work_at_night(hass: HomeAssistant, entry: SageConfigEntry) -> None:
    """Schedule the nightly work until the entry is unloaded.

    - Delete expired memories.
    - Update the profiles of people.
    """

    async def async_night() -> None:
        await entry.runtime_data.memory.async_expire()
        await async_update_profiles(hass, entry)

    @callback
    def begin(_: datetime) -> None:
        # Unloading the entry cancels its background tasks.
        entry.async_create_background_task(hass, async_night(), "SAGE at night")

    entry.async_on_unload(async_track_time_change(hass, begin, hour=_NIGHT, minute=7, second=0))


async def async_update_profiles(hass: HomeAssistant, entry: SageConfigEntry) -> None:
    """Update the profile of each person with an active user account and memory switched on."""
    memory = entry.runtime_data.memory
    for user_id in await memory.async_users():
        person = await async_user(hass, user_id)
        if person.user_id != user_id:
            # Deactivated users get no profile.
            continue
        try:
            if (await memory.async_do(person, PersonMemory.settings)).enabled:
                await async_update_profile(entry, person)
        except MemoryStoreError as err:
            _LOGGER.warning("A profile could not be built: %s", err)
