"""Televisions and speakers."""

from typing import Any

from homeassistant.components.media_player import MediaPlayerEntity, MediaPlayerState, MediaType

from .thing import DemoThing, platform_of


class DemoPlayer(DemoThing, MediaPlayerEntity):
    """A television or a speaker."""

    @property
    def media_title(self) -> str | None:
        channel = self.media_channel
        return f"Channel {channel}" if channel and self.source == "Live TV" else None

    async def async_turn_on(self) -> None:
        self.become(state=MediaPlayerState.ON)

    async def async_turn_off(self) -> None:
        self.become(state=MediaPlayerState.OFF)

    async def async_set_volume_level(self, volume: float) -> None:
        self.become(volume_level=volume)

    async def async_mute_volume(self, mute: bool) -> None:
        self.become(is_volume_muted=mute)

    async def async_select_source(self, source: str) -> None:
        self.become(source=source)

    async def async_media_play(self) -> None:
        self.become(state=MediaPlayerState.PLAYING)

    async def async_media_pause(self) -> None:
        self.become(state=MediaPlayerState.PAUSED)

    async def async_media_next_track(self) -> None:
        self.become(media_track=(self.media_track or 1) + 1)

    async def async_media_previous_track(self) -> None:
        self.become(media_track=max(1, (self.media_track or 1) - 1))

    async def async_play_media(
        self, media_type: MediaType | str, media_id: str, **kwargs: Any
    ) -> None:
        values = {"media_content_type": media_type, "media_content_id": media_id}
        if media_type == MediaType.CHANNEL:
            values |= {"media_channel": media_id, "source": "Live TV"}
        self.become(state=MediaPlayerState.PLAYING, **values)


async_setup_entry = platform_of("media_player", DemoPlayer)
