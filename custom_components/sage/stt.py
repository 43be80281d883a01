"""Speech-to-text of another engine, while SAGE compares the voice with those of its people."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterable, Mapping
from typing import Any, override

from homeassistant.components.stt import (
    SpeechMetadata,
    SpeechResult,
    SpeechResultState,
    SpeechToTextEntity,
    async_get_speech_to_text_entity,
)
from homeassistant.const import Platform
from homeassistant.core import Event, HomeAssistant, callback
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .const import CONF_SPEAKERS, DOMAIN
from .run import MOST_AUDIO, Heard, SageConfigEntry

PARALLEL_UPDATES = 0


async def async_setup_entry(
    hass: HomeAssistant,
    entry: SageConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """Add an entity for each other engine, also for later ones, if SAGE compares voices."""
    registry, offered = er.async_get(hass), set[str]()

    @callback
    def update(_: Event[Any] | None = None) -> None:
        rows = [row for row in registry.entities.values() if row.domain == Platform.STT]
        others = (row for row in rows if row.platform != DOMAIN and CONF_SPEAKERS in entry.options)
        engines = {row.id: row for row in others}
        for row in rows:
            if row.platform == DOMAIN and row.unique_id not in engines:
                registry.async_remove(row.entity_id)
        new = [SageSpeechToText(entry, engines[each]) for each in engines.keys() - offered]
        offered.update(engines)
        async_add_entities(new)

    @callback
    def is_engine(data: Mapping[str, Any]) -> bool:
        return str(data["entity_id"]).startswith("stt.")

    update()
    entry.async_on_unload(
        hass.bus.async_listen(er.EVENT_ENTITY_REGISTRY_UPDATED, update, is_engine)
    )


def _of_engine(name: str) -> property:
    """Return a property that lists the engine's; empty while the engine is not there."""
    return property(lambda entity: getattr(entity._engine, name, []))  # noqa: SLF001


class SageSpeechToText(SpeechToTextEntity):
    """Passes the audio to an engine, unchanged, and a copy to the speaker encoder."""

    _attr_has_entity_name = True
    _attr_translation_key = "speakers"

    def __init__(self, entry: SageConfigEntry, engine: er.RegistryEntry) -> None:
        self._entry = entry
        self._attr_unique_id = engine.id
        name = engine.name or engine.original_name or engine.entity_id
        self._attr_translation_placeholders = {"engine": name}

    @property
    def _engine(self) -> SpeechToTextEntity | None:
        row = er.async_get(self.hass).async_get(str(self.unique_id))
        return async_get_speech_to_text_entity(self.hass, row.entity_id) if row else None

    supported_languages: Any = _of_engine("supported_languages")
    supported_formats: Any = _of_engine("supported_formats")
    supported_codecs: Any = _of_engine("supported_codecs")
    supported_bit_rates: Any = _of_engine("supported_bit_rates")
    supported_sample_rates: Any = _of_engine("supported_sample_rates")
    supported_channels: Any = _of_engine("supported_channels")

    @property
    @override
    def audio_processing(self) -> Any:
        return getattr(self._engine, "audio_processing", super().audio_processing)

    @override
    async def async_process_audio_stream(
        self, metadata: SpeechMetadata, stream: AsyncIterable[bytes]
    ) -> SpeechResult:
        """Return the transcript of the engine; the turn of this task gets the voice."""
        speakers, engine, audio = self._entry.runtime_data.speakers, self._engine, bytearray()
        if engine is None:
            return SpeechResult(None, SpeechResultState.ERROR)
        hearing: asyncio.Task[Heard] | None = None

        def hear() -> asyncio.Task[Heard]:
            work = speakers.async_hear(bytes(audio))
            return self._entry.async_create_background_task(self.hass, work, "SAGE hears a voice")

        async def copied() -> AsyncGenerator[bytes]:
            nonlocal hearing
            async for chunk in stream:
                if len(audio) < MOST_AUDIO:
                    audio.extend(chunk)
                yield chunk
            hearing = hear()

        try:
            result = await engine.internal_async_process_audio_stream(metadata, copied())
            # Some engines return before the end of the audio.
            hearing = hearing or hear()
            await speakers.async_hand_over(hearing, result.text)
        finally:
            if hearing is not None:
                hearing.cancel()
        return result
