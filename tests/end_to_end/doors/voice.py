"""A voice box as real entities: ears, a mouth and a satellite. Its audio is the words."""

from collections.abc import AsyncGenerator, AsyncIterable
from pathlib import Path
from typing import Any, override

import pytest
from homeassistant.components.assist_pipeline import PipelineEvent
from homeassistant.components.assist_satellite import (
    AssistSatelliteConfiguration,
    AssistSatelliteEntity,
)
from homeassistant.components.stt import (
    AudioBitRates,
    AudioChannels,
    AudioCodecs,
    AudioFormats,
    AudioSampleRates,
    SpeechMetadata,
    SpeechResult,
    SpeechResultState,
    SpeechToTextEntity,
)
from homeassistant.components.stt.models import SpeechAudioProcessing
from homeassistant.components.tts import TextToSpeechEntity, async_get_stream
from homeassistant.components.tts.entity import TTSAudioRequest, TTSAudioResponse
from homeassistant.config_entries import ConfigEntry, ConfigFlow
from homeassistant.const import Platform
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers.device_registry import DeviceInfo
from pytest_homeassistant_custom_component.common import (
    MockConfigEntry,
    MockModule,
    mock_config_flow,
    mock_integration,
    mock_platform,
    setup_test_component_platform,
)

from .pipeline import make_pipeline, set_up_assist

DOMAIN = "test"
PLATFORMS = [Platform.STT, Platform.TTS, Platform.ASSIST_SATELLITE]
FRAME = 320  # bytes of 10 ms of audio: 16 kHz, 16 bits, one channel


def audio_of(words: str) -> list[bytes]:
    """Return the sound of words, in frames as a microphone sends them."""
    data = words.encode()
    data += bytes(-len(data) % FRAME)
    return [data[start : start + FRAME] for start in range(0, len(data), FRAME)]


class Ears(SpeechToTextEntity):
    """Understands what is said."""

    _attr_name = "Ears"
    _attr_unique_id = "ears"
    supported_languages = ["en"]  # noqa: RUF012
    supported_formats = [AudioFormats.WAV]  # noqa: RUF012
    supported_codecs = [AudioCodecs.PCM]  # noqa: RUF012
    supported_bit_rates = [AudioBitRates.BITRATE_16]  # noqa: RUF012
    supported_sample_rates = [AudioSampleRates.SAMPLERATE_16000]  # noqa: RUF012
    supported_channels = [AudioChannels.CHANNEL_MONO]  # noqa: RUF012
    audio_processing = SpeechAudioProcessing(
        requires_external_vad=False,
        prefers_auto_gain_enabled=False,
        prefers_noise_reduction_enabled=False,
    )

    @override
    async def async_process_audio_stream(
        self, metadata: SpeechMetadata, stream: AsyncIterable[bytes]
    ) -> SpeechResult:
        heard = b"".join([chunk async for chunk in stream]).rstrip(b"\0")
        return SpeechResult(heard.decode(), SpeechResultState.SUCCESS)


class Mouth(TextToSpeechEntity):
    """Speaks, piece by piece."""

    _attr_name = "Mouth"
    _attr_unique_id = "mouth"
    _attr_default_language = "en"
    _attr_supported_languages = ["en"]  # noqa: RUF012

    def __init__(self) -> None:
        self.pieces: list[str] = []

    @override
    async def async_stream_tts_audio(self, request: TTSAudioRequest) -> TTSAudioResponse:
        self.pieces = []

        async def speak() -> AsyncGenerator[bytes]:
            async for piece in request.message_gen:
                self.pieces.append(piece)
                yield piece.encode()

        return TTSAudioResponse("mp3", speak())


class Satellite(AssistSatelliteEntity):
    """A box on a shelf: nobody is logged in on it."""

    _attr_name = "Satellite"
    _attr_unique_id = "satellite"
    _attr_device_info = DeviceInfo(identifiers={(DOMAIN, "box")}, name="Voice box")

    def __init__(self) -> None:
        self.events: list[PipelineEvent] = []

    @override
    def async_get_configuration(self) -> AssistSatelliteConfiguration:
        return AssistSatelliteConfiguration([], [], 0)

    @override
    async def async_set_configuration(self, config: AssistSatelliteConfiguration) -> None:
        raise NotImplementedError

    @override
    def on_pipeline_event(self, event: PipelineEvent) -> None:
        self.events.append(event)

    async def hear(self, words: str) -> dict[str, dict[str, Any]]:
        """Listen to one sentence; return the data of the events by kind, the last of each."""
        self.events.clear()

        async def microphone() -> AsyncGenerator[bytes]:
            for frame in audio_of(words):
                yield frame

        await self.async_accept_pipeline_from_satellite(microphone())
        self.tts_response_finished()
        return {str(event.type): dict(event.data or {}) for event in self.events}


class VoiceBox:
    """All three, set up."""

    def __init__(self, hass: HomeAssistant) -> None:
        self.hass = hass
        self.ears, self.mouth, self.satellite = Ears(), Mouth(), Satellite()

    async def async_setup(self, area_id: str) -> None:
        """Set up the integration with its device in an area."""

        async def setup(hass: HomeAssistant, entry: ConfigEntry) -> bool:
            await hass.config_entries.async_forward_entry_setups(entry, PLATFORMS)
            return True

        async def unload(hass: HomeAssistant, entry: ConfigEntry) -> bool:
            return await hass.config_entries.async_unload_platforms(entry, PLATFORMS)

        hass = self.hass
        module = MockModule(DOMAIN, async_setup_entry=setup, async_unload_entry=unload)
        mock_integration(hass, module)
        mock_platform(hass, f"{DOMAIN}.config_flow")
        for platform, entity in zip(
            PLATFORMS, (self.ears, self.mouth, self.satellite), strict=True
        ):
            setup_test_component_platform(hass, platform, [entity], from_config_entry=True)
        entry = MockConfigEntry(domain=DOMAIN)
        entry.add_to_hass(hass)
        with mock_config_flow(DOMAIN, ConfigFlow):
            assert await hass.config_entries.async_setup(entry.entry_id)
        await hass.async_block_till_done()
        (device,) = dr.async_entries_for_config_entry(dr.async_get(hass), entry.entry_id)
        dr.async_get(hass).async_update_device(device.id, area_id=area_id)

    async def listen(self, tts_output: dict[str, Any]) -> str:
        """Fetch the sound as a loudspeaker does; return its words."""
        stream = async_get_stream(self.hass, tts_output["token"])
        assert stream is not None
        return b"".join([chunk async for chunk in stream.async_stream_result()]).decode()


async def async_place[Box: VoiceBox](box: Box, hass_ws_client: Any, folder: Path) -> Box:
    """Put a voice box into the kitchen, with SAGE as the preferred pipeline."""
    await set_up_assist(box.hass, folder)
    kitchen = ar.async_get(box.hass).async_get_area_by_name("Kitchen")
    assert kitchen is not None
    await box.async_setup(kitchen.id)
    socket = await hass_ws_client(box.hass)
    await make_pipeline(socket, stt=box.ears.entity_id, tts=box.mouth.entity_id)
    return box


@pytest.fixture
async def voice(hass: HomeAssistant, sage: object, hass_ws_client: Any, tmp_path: Path) -> VoiceBox:
    """A voice box in the kitchen."""
    return await async_place(VoiceBox(hass), hass_ws_client, tmp_path)
