"""A voice box that speaks up by itself."""

from typing import override

from homeassistant.components.assist_satellite import (
    AssistSatelliteAnnouncement,
    AssistSatelliteEntityFeature,
)
from homeassistant.components.assist_satellite.entity import AssistSatelliteState
from homeassistant.core import HomeAssistant

from ..doors.voice import Satellite, VoiceBox


class SpeakingSatellite(Satellite):
    """What it says can be read."""

    _attr_supported_features = AssistSatelliteEntityFeature.ANNOUNCE

    def __init__(self) -> None:
        super().__init__()
        self.announced: list[str] = []
        self.is_broken = False

    @override
    async def async_announce(self, announcement: AssistSatelliteAnnouncement) -> None:
        if self.is_broken:
            raise RuntimeError("no power")
        self.announced.append(announcement.message)

    def be(self, state: str) -> None:
        self._set_state(AssistSatelliteState(state))

    def can_do(self, features: int) -> None:
        """Have no other features."""
        self._attr_supported_features = AssistSatelliteEntityFeature(features)
        self.async_write_ha_state()


class SpeakingBox(VoiceBox):
    """The box with such a satellite."""

    satellite: SpeakingSatellite

    def __init__(self, hass: HomeAssistant) -> None:
        super().__init__(hass)
        self.satellite = SpeakingSatellite()
