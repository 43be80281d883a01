"""Whose voice it is: from the audio of a sentence to the turn in which SAGE answers it.

Home Assistant runs a voice pipeline in one task: speech-to-text, then the conversation agent. A
context variable carries the voice from one to the other, so it reaches no other turn, also if two
satellites hear the same words at once.
"""

import asyncio
import base64
import io
import logging
import wave
from collections import deque
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final

import numpy as np
import numpy.typing as npt
from homeassistant.components.conversation import ConversationInput
from homeassistant.core import HomeAssistant, callback
from homeassistant.util import dt as dt_util
from homeassistant.util.ulid import ulid_now

from ..embeddings import Vectors, cosines
from ..memory import LongTermMemory, MemoryStoreError
from ..model import TOO_LITTLE_SPEECH, ModelError, ServerEmbedder
from ..people import Voice

_LOGGER = logging.getLogger(__name__)

ENCODER: Final = "resemblyzer-ge2e-whitened-128"
"""Default name of the speaker encoder; vectors of different encoders are not comparable."""

GRACE_SECONDS: Final = 0.2
"""Maximum time that a transcript waits for the voice; a later result is dropped."""

_SAMPLE_RATE: Final = 16_000
_RATE: Final = 2 * _SAMPLE_RATE  # bytes per second: 16 bits, mono
NOISES: Final = (20.0, 10.0)
"""Ratios of speech to noise, in dB, at which a person's recording is stored, too."""

_LEAST: Final = int(1.6 * _RATE)
MOST_AUDIO: Final = 30 * _RATE
"""Maximum number of bytes of one sentence that the encoder gets."""

_RECENT: Final = timedelta(minutes=10)
_REPORT_SECONDS: Final = 10.0  # maximum time from a report of another integration to its turn


@dataclass(slots=True, kw_only=True, eq=False)
class Heard:
    """A spoken sentence, between its audio and its turn."""

    voice: Voice
    vectors: Vectors | None = None
    """Speaker vectors of norm 1, one row each; None if the voice was not compared.

    The first is that of the sentence, further ones those of the same sentence in noise.
    """

    text: str | None = None
    """The transcript; None after the turn has taken the voice."""

    satellite_id: str | None = None
    id: str = field(default_factory=ulid_now)
    at: datetime = field(default_factory=dt_util.utcnow)


_HEARD: Final[ContextVar[Heard | None]] = ContextVar("sage_heard", default=None)
"""The sentence of this pipeline whose turn has not begun."""


@dataclass(slots=True, eq=False)
class Speakers:
    """Compares voices with the stored vectors of all people; stores no audio."""

    _hass: HomeAssistant
    _memory: LongTermMemory
    encoder: ServerEmbedder | None  # None if SAGE compares no voices
    _model: str  # the name of the encoder
    threshold: float
    _recent: deque[Heard] = field(default_factory=lambda: deque(maxlen=20))
    _reports: dict[str, tuple[str, str | None, float]] = field(default_factory=dict)
    """Device id -> user id, transcript and time of the last report since its last turn."""

    # From speech-to-text to the turn

    async def async_hear(self, audio: bytes) -> Heard:
        """Return the voice of a sentence, PCM with 16 kHz, 16 bits, mono."""
        if self.encoder is None or len(audio) < _LEAST:
            return self._unknown("too_short")
        try:
            wav = await self._hass.async_add_executor_job(wav_of, audio[:MOST_AUDIO])
            vector = await self.encoder.async_embed_speech(wav)
            scores = await self._async_scores(vector)
        except (ModelError, MemoryStoreError) as err:
            _LOGGER.debug("A voice was not compared: %s", err)
            return self._unknown("too_short" if TOO_LITTLE_SPEECH in str(err) else "away")
        return Heard(voice=Voice(scores=scores, threshold=self.threshold), vectors=vector[None])

    async def async_recorded(self, wav: str) -> Heard:
        """Return the voice in a person's recording, a WAV file as base64, also as in noise.

        A voice in noise is compared with that in noise. Raises ModelError.
        """
        assert self.encoder is not None
        vectors = [await self.encoder.async_embed_speech(wav)]
        # Too little speech may be left in the noise.
        with suppress(ModelError, wave.Error, EOFError, ValueError):
            for decibels in NOISES:
                noisy = await self._hass.async_add_executor_job(in_noise, wav, decibels)
                vectors.append(await self.encoder.async_embed_speech(noisy))
        return Heard(voice=Voice(), vectors=np.stack(vectors))

    def _unknown(self, missing: str) -> Heard:
        return Heard(voice=Voice(threshold=self.threshold, missing=missing))

    async def async_hand_over(self, hearing: asyncio.Task[Heard], text: str | None) -> None:
        """Give the voice to the turn of this task whose transcript is `text`.

        Waits at most `GRACE_SECONDS` for `async_hear`; after that, the voice is unknown.
        """
        done, _ = await asyncio.wait({hearing}, timeout=GRACE_SECONDS)
        is_over = bool(done) and not hearing.cancelled()
        heard = hearing.result() if is_over else self._unknown("late")
        heard.text = text
        _HEARD.set(heard)

    async def _async_scores(self, vector: Vectors) -> dict[str, float]:
        """Return the similarity of a voice to that of each person who has stored theirs."""
        scores: dict[str, float] = {}
        for user_id in filter(None, await self._memory.async_users()):
            score = await self._async_score(user_id, vector)
            if score is not None:
                scores[user_id] = score
        return scores

    async def _async_score(self, user_id: str, vector: Vectors) -> float | None:
        """Return the similarity to the vectors of this user, 0 to 1; None without vectors."""
        memory = self._memory.of(user_id)
        own = await memory.async_run(lambda file: file.voices.of_model(self._model))
        return None if own is None else similarity(own, vector)

    @callback
    def take(self, spoken: ConversationInput) -> Voice | None:
        """Return the voice of this turn, once; None if SAGE did not hear it."""
        heard = _HEARD.get()
        _HEARD.set(None)
        user_id, text, at = self._reports.pop(spoken.device_id or "", (None, None, 0.0))
        if self._hass.loop.time() - at > _REPORT_SECONDS or text not in (None, spoken.text):
            user_id = None
        # A task that another one started has the same sentence, but only one turn gets it.
        if heard is None or heard.text != spoken.text:
            return Voice(reported=user_id) if user_id else None
        heard.text, heard.satellite_id = None, spoken.satellite_id
        if heard.vectors is not None and spoken.context.user_id is None:
            self._recent.append(heard)
        return replace(heard.voice, reported=user_id)

    @callback
    def report(self, device_id: str, user_id: str, text: str | None) -> None:
        """Note the speaker of a device's next turn, which has the transcript `text`, if known."""
        self._reports[device_id] = (user_id, text, self._hass.loop.time())

    # Enrolment

    def claimable(self, user_id: str) -> list[Heard]:
        """Return the last sentences at satellites that SAGE recognized as nobody else's."""
        since, speakers = dt_util.utcnow() - _RECENT, (None, user_id)
        return [
            each for each in self._recent if each.at >= since and each.voice.user_id in speakers
        ]

    async def async_enroll(self, user_id: str, heard: Heard) -> float | None:
        """Store a sentence's vectors for a user; return its similarity to earlier ones, if any."""
        assert heard.vectors is not None
        if heard in self._recent:
            self._recent.remove(heard)
        score, vectors = await self._async_score(user_id, heard.vectors[0]), heard.vectors
        await self._memory.of(user_id).async_run(
            lambda file: file.voices.add(heard.at, self._model, vectors)
        )
        return score

    async def async_warm(self) -> None:
        """Let the models server load the encoder, by a sound that is no silence."""
        if self.encoder is not None:
            try:
                await self.encoder.async_embed_speech(BUZZ)
            except ModelError as err:
                _LOGGER.debug("The speaker encoder is not available: %s", err)


def similarity(own: Vectors, vector: Vectors) -> float:
    """Return how similar a voice is to a person's vectors of norm 1, one row each: 0 to 1.

    It is the mean of the cosines to the nearest vector and to the mean of all, which is less often
    near a stranger by chance.
    """
    alike, mean = cosines(own, vector), own.mean(axis=0)
    return max(0.0, float(alike.max() + alike.mean() / np.linalg.norm(mean)) / 2)


def wav_of(audio: bytes) -> str:
    """Return PCM (16 kHz, 16 bits, mono) as a WAV file in base64."""
    output = io.BytesIO()
    with wave.open(output, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(_SAMPLE_RATE)
        file.writeframes(audio)
    return base64.b64encode(output.getvalue()).decode()


def in_noise(wav: str, decibels: float) -> str:
    """Return a recording, a WAV file as base64, with pink noise so far below it."""
    with wave.open(io.BytesIO(base64.b64decode(wav))) as file:
        content = file.readframes(file.getnframes())
    samples = np.frombuffer(content, "<i2").astype(np.float32)
    noise = pink_noise(len(samples), np.random.default_rng(len(samples)))
    loudest = np.iinfo("<i2").max
    mixed = samples + noise * np.sqrt(np.mean(samples**2) / 10 ** (decibels / 10))
    mixed *= min(1.0, loudest / np.abs(mixed).max())
    return wav_of(mixed.astype("<i2").tobytes())


def pink_noise(length: int, chance: np.random.Generator) -> npt.NDArray[np.float64]:
    """Return 16 kHz noise of power 1, which falls by 3 dB an octave above 20 Hz."""
    spectrum = np.fft.rfft(chance.standard_normal(length))
    spectrum /= np.sqrt(np.maximum(np.fft.rfftfreq(length, 1 / _SAMPLE_RATE), 20))
    noise = np.fft.irfft(spectrum, length)
    return np.asarray(noise / np.sqrt(np.mean(noise**2)))


BUZZ: Final = wav_of((b"\x00\x20" * 80 + b"\x00\xe0" * 80) * 200)
"""Two seconds of a tone of 100 Hz: the encoder returns a vector for it."""
