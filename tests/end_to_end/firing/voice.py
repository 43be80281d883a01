"""A voice box that speaks up by itself, and listens when it has asked."""

import asyncio
from collections.abc import AsyncGenerator
from typing import override

from homeassistant.components.assist_satellite import (
    AssistSatelliteAnnouncement,
    AssistSatelliteEntityFeature,
)
from homeassistant.components.assist_satellite.entity import AssistSatelliteState
from homeassistant.core import HomeAssistant

from tests.waiting import until

from ..doors.voice import Satellite, VoiceBox, audio_of


class AskingSatellite(Satellite):
    """What it says can be read; what somebody says to it is laid ready."""

    _attr_supported_features = (
        AssistSatelliteEntityFeature.ANNOUNCE | AssistSatelliteEntityFeature.START_CONVERSATION
    )

    def __init__(self) -> None:
        super().__init__()
        self.announced: list[str] = []
        self.asked: list[str] = []
        self.replies: list[str] = []
        self.is_broken = False
        self._listening: asyncio.Task[None] | None = None

    @override
    async def async_announce(self, announcement: AssistSatelliteAnnouncement) -> None:
        if self.is_broken:
            raise RuntimeError("no power")
        self.announced.append(announcement.message)

    @override
    async def async_start_conversation(
        self, start_announcement: AssistSatelliteAnnouncement
    ) -> None:
        self.asked.append(start_announcement.message)
        if self.replies:
            self._listening = asyncio.create_task(self._async_listen(self.replies.pop(0)))

    def be(self, state: str) -> None:
        self._set_state(AssistSatelliteState(state))

    def can_do(self, features: int) -> None:
        """Have no other features."""
        self._attr_supported_features = AssistSatelliteEntityFeature(features)
        self.async_write_ha_state()

    async def async_waited(self, hass: HomeAssistant) -> None:
        await until(lambda: self.asked and self.state == AssistSatelliteState.IDLE)

    async def _async_listen(self, words: str) -> None:
        async def microphone() -> AsyncGenerator[bytes]:
            for frame in audio_of(words):
                yield frame

        await self.async_accept_pipeline_from_satellite(microphone())


class AskingBox(VoiceBox):
    """The box with such a satellite."""

    satellite: AskingSatellite

    def __init__(self, hass: HomeAssistant) -> None:
        super().__init__(hass)
        self.satellite = AskingSatellite()
