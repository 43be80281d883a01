"""The speaker encoder: a recording of speech becomes a vector of the voice.

It is the network of "Generalized End-to-End Loss for Speaker Verification" (Wan et al., 2018,
arXiv 1710.10467) with the weights of the package Resemblyzer. What the vectors of all people have
in common, and how noise changes them, is taken out (`Background`). Nothing here may run in the
event loop.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
import numpy.typing as npt

from .batching import Embeddings
from .data_uris import InputError
from .noise_suppression import without_noise
from .speech_decoding import SAMPLE_RATE

LEAST_SPEECH: Final = 1.6
"""Seconds; the network was trained with parts of this length."""

TOO_LITTLE_SPEECH: Final = "too_little_speech"

Samples = npt.NDArray[np.float32]

_SHA256: Final = "39373b86598fa3da9fcddee6142382efe09777e8d37dc9c0561f41f0070f134e"
_DIMENSIONS: Final = 256
_LAYERS: Final = 3
_BANDS: Final = 40
_WINDOW: Final = SAMPLE_RATE * 25 // 1000
_HOP: Final = SAMPLE_RATE * 10 // 1000
_PART: Final = int(LEAST_SPEECH * SAMPLE_RATE) // _HOP
"""Frames that the network reads at once."""

_PART_STEP: Final = _PART // 2
"""Frames from one part to the next, at most."""

_LEVEL: Final = -30.0
"""dB to full scale (root mean square) of what the network reads."""

_BLOCK: Final = SAMPLE_RATE * 30 // 1000
"""Samples of which the energy is compared."""

_BELOW_LOUD: Final = 30.0
_ABOVE_NOISE: Final = 6.0
_SILENCE: Final = -60.0
"""dB: speech is less than the first below the loudest blocks, more than the second above the
quietest, and never as low as the third (to full scale)."""

_MARGIN: Final = 3
"""Blocks before and after speech that stay: the quiet ends of words, and pauses between them."""


_BACKGROUND: Final = Path(__file__).with_name("resemblyzer_background.npz")
_DIRECTIONS: Final = 128
_FLOOR: Final = 0.5
"""Share of the mean variance that is added to each: few recordings do not show the small ones."""


@dataclass(frozen=True, slots=True)
class Background:
    """How the vectors of many people spread, without and with noise.

    Where all vectors differ much, a difference says little about the person: there it counts less.
    This is whitening with the strongest `_DIRECTIONS` eigenvectors of the covariance.
    """

    mean: npt.NDArray[np.float32]
    directions: npt.NDArray[np.float32]
    """Eigenvectors, shape (directions, dimensions)."""

    factors: npt.NDArray[np.float32]
    """By how much each direction is reduced, from -1 (entirely) to 0 (not at all)."""

    @classmethod
    def load(cls, file: Path = _BACKGROUND) -> Self:
        """Return what `save` has written."""
        with np.load(file) as stored:
            return cls(*(stored[name].astype(np.float32) for name in cls.__slots__))

    def save(self, file: Path) -> None:
        """Write the file, with numbers of 16 bits."""
        np.savez_compressed(
            file, **{name: getattr(self, name).astype(np.float16) for name in self.__slots__}
        )

    @classmethod
    def of(cls, vectors: npt.NDArray[np.float32]) -> Self:
        """Return the background of vectors of many people, shape (recordings, dimensions)."""
        mean = vectors.mean(axis=0)
        variances, directions = np.linalg.eigh(np.cov((vectors - mean).T))
        floor = _FLOOR * variances.mean()
        strongest = slice(-1, -1 - _DIRECTIONS, -1)
        factors = np.sqrt(floor / (variances[strongest] + floor)) - 1
        return cls(mean, directions.T[strongest].astype(np.float32), factors.astype(np.float32))

    def whitened(self, vectors: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Return the vectors of norm 1 that are to be compared, shape (recordings, dimensions)."""
        centred = vectors - self.mean
        changed = centred + centred @ self.directions.T * self.factors @ self.directions
        norms = np.linalg.norm(changed, axis=1, keepdims=True)
        return np.asarray(changed / np.maximum(norms, 1e-12), np.float32)


class SpeakerModel:
    """The encoder with its weights."""

    dimensions = _DIMENSIONS

    def __init__(self, file: Path, background: Background | None = None) -> None:
        """Load the weights; raises ValueError if they are not those of the package."""
        self._background = background or Background.load()
        content = file.read_bytes()
        if hashlib.sha256(content).hexdigest() != _SHA256:
            raise ValueError(f"{file.name} is damaged, or not that of Resemblyzer 0.1.4")
        self._torch = torch = import_module("torch")
        # Without code: the file is a pickle.
        weights = torch.load(file, map_location="cpu", weights_only=True)["model_state"]
        self._lstm = torch.nn.LSTM(_BANDS, _DIMENSIONS, _LAYERS, batch_first=True)
        self._linear = torch.nn.Linear(_DIMENSIONS, _DIMENSIONS)
        for name, module in (("lstm.", self._lstm), ("linear.", self._linear)):
            module.load_state_dict(
                {
                    key.removeprefix(name): value
                    for key, value in weights.items()
                    if key.startswith(name)
                }
            )
            module.eval()

    def prepare(self, samples: Samples) -> npt.NDArray[np.float32]:
        """Return the features of the speech in parts: (parts, 160 frames, 40 bands).

        Raises InputError if there is too little speech.
        """
        speech = speech_of(without_noise(samples))
        seconds = len(speech) / SAMPLE_RATE
        if seconds < LEAST_SPEECH:
            raise InputError(
                f"has {seconds:.1f} s of speech without its pauses; it needs {LEAST_SPEECH} s",
                code=TOO_LITTLE_SPEECH,
            )
        frames = features(at_level(speech))
        last = len(frames) - _PART
        starts = np.linspace(0, last, -(-last // _PART_STEP) + 1).round().astype(int)
        return np.stack([frames[start : start + _PART] for start in starts])

    def embed_speech(self, recordings: Sequence[npt.NDArray[np.float32]]) -> Embeddings:
        """Return one vector of norm 1 for each prepared recording."""
        vectors = self._background.whitened(self.voices(recordings))
        return Embeddings(vectors=vectors, tokens=[0] * len(recordings))

    def voices(self, recordings: Sequence[npt.NDArray[np.float32]]) -> npt.NDArray[np.float32]:
        """Return the network's vector of each prepared recording: the mean of its parts."""
        torch = self._torch
        with torch.inference_mode():
            _, (hidden, _) = self._lstm(torch.from_numpy(np.concatenate(recordings)))
            parts = torch.nn.functional.normalize(torch.relu(self._linear(hidden[-1])))
            means = [each.mean(dim=0) for each in parts.split([len(each) for each in recordings])]
            vectors: npt.NDArray[np.float32] = torch.nn.functional.normalize(
                torch.stack(means)
            ).numpy()
        return vectors


def speech_of(samples: Samples) -> Samples:
    """Return the samples without silence, found by the energy of blocks of 30 ms."""
    blocks = samples[: len(samples) // _BLOCK * _BLOCK].reshape(-1, _BLOCK)
    if not len(blocks):
        return samples[:0]
    levels = np.maximum(_decibels(np.mean(blocks**2, axis=1)), _SILENCE)
    noise, loud = np.quantile(levels, (0.1, 0.95))
    is_speech = levels > max(loud - _BELOW_LOUD, noise + _ABOVE_NOISE)
    kept = np.convolve(is_speech, np.ones(2 * _MARGIN + 1))[_MARGIN:-_MARGIN] > 0
    return blocks[kept].reshape(-1)


def at_level(samples: Samples) -> Samples:
    """Return the samples at the level with which the network was trained."""
    level = float(_decibels(np.mean(samples**2)))
    return samples * np.float32(10 ** ((_LEVEL - level) / 20))


def features(samples: Samples) -> npt.NDArray[np.float32]:
    """Return the power in 40 mel bands, (frames, bands): windows of 25 ms, every 10 ms."""
    padded = np.pad(samples, _WINDOW // 2)
    windows = np.lib.stride_tricks.sliding_window_view(padded, _WINDOW)[::_HOP]
    hann = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(_WINDOW) / _WINDOW)
    power = np.abs(np.fft.rfft(windows * hann, axis=1)) ** 2
    return np.asarray(power @ _mel_bands().T, np.float32)


def _mel_bands() -> npt.NDArray[np.float64]:
    """Return triangular filters of equal area, (bands, frequencies).

    The mel scale is that of Slaney's Auditory Toolbox: linear to 1000 Hz, then logarithmic with 27
    steps for a factor of 6.4.
    """
    step, corner = 200 / 3, 1000.0
    ratio = np.log(6.4) / 27
    highest = corner / step + np.log(SAMPLE_RATE / 2 / corner) / ratio
    mels = np.linspace(0, highest, _BANDS + 2)
    edges = np.where(
        mels < corner / step, mels * step, corner * np.exp(ratio * (mels - corner / step))
    )
    frequencies = np.fft.rfftfreq(_WINDOW, 1 / SAMPLE_RATE)
    low, centre, high = edges[:-2, None], edges[1:-1, None], edges[2:, None]
    rising, falling = (frequencies - low) / (centre - low), (high - frequencies) / (high - centre)
    return np.asarray(np.maximum(0, np.minimum(rising, falling)) * 2 / (high - low))


def _decibels(power: Any) -> Any:
    return 10 * np.log10(np.maximum(power, 1e-10))
