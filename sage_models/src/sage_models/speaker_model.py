"""The speaker encoder: a recording of speech becomes a vector of the voice.

It is the network of "Generalized End-to-End Loss for Speaker Verification" (Wan et al., 2018,
arXiv 1710.10467) with the weights of the package Resemblyzer. Nothing here may run in the event
loop.
"""

import hashlib
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from .batching import Embeddings
from .data_uris import InputError
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


class SpeakerModel:
    """The encoder with its weights."""

    dimensions = _DIMENSIONS

    def __init__(self, file: Path) -> None:
        """Load the weights; raises ValueError if they are not those of the package."""
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
        speech = speech_of(samples)
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
        """Return one vector for each prepared recording: the mean of its parts."""
        torch = self._torch
        with torch.inference_mode():
            _, (hidden, _) = self._lstm(torch.from_numpy(np.concatenate(recordings)))
            parts = torch.nn.functional.normalize(torch.relu(self._linear(hidden[-1])))
            means = [each.mean(dim=0) for each in parts.split([len(each) for each in recordings])]
            vectors: Any = torch.nn.functional.normalize(torch.stack(means))
        return Embeddings(vectors=vectors.numpy(), tokens=[0] * len(recordings))


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
