"""Recognising who speaks by the voice: what a provider offers (DESIGN 10).

There is none yet; one registers itself with `async_register`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

from homeassistant.components.conversation import ConversationInput
from homeassistant.core import HomeAssistant, callback
from homeassistant.util.hass_dict import HassKey

SURE: Final = 0.8
"""Below this confidence a speaker counts as unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recognition:
    """Whose voice it probably was."""

    user_id: str
    """Id of the Home Assistant user."""

    confidence: float
    """From 0 to 1."""


class SpeakerRecognition(Protocol):
    """Somebody who tells voices apart."""

    async def async_recognize(self, spoken: ConversationInput) -> Recognition | None:
        """Return whose voice spoke this; None when it is nobody's that is known."""


_PROVIDER: Final[HassKey[SpeakerRecognition]] = HassKey("sage_speaker_recognition")


@callback
def async_register(hass: HomeAssistant, provider: SpeakerRecognition) -> Callable[[], None]:
    """Let the provider tell who speaks; returns what ends that."""
    hass.data[_PROVIDER] = provider

    @callback
    def unregister() -> None:
        if hass.data.get(_PROVIDER) is provider:
            del hass.data[_PROVIDER]

    return unregister


async def async_speaker(hass: HomeAssistant, spoken: ConversationInput) -> str | None:
    """Return the user id of the speaker, None when nobody is sure enough."""
    provider = hass.data.get(_PROVIDER)
    recognition = await provider.async_recognize(spoken) if provider is not None else None
    if recognition is None or not recognition.confidence >= SURE:
        return None
    return recognition.user_id
