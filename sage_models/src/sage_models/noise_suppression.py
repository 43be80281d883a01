"""Steady noise, such as that of a fan, is taken out of a recording before the voice is compared.

It is a Wiener filter for each frequency. The ratio of speech to noise is estimated from the frame
before and this one ("decision-directed": Ephraim and Malah, 1984, IEEE Transactions on Acoustics,
Speech, and Signal Processing 32, 1109-1121).
"""

from typing import Final

import numpy as np
import numpy.typing as npt

_FRAME: Final = 512
_HOP: Final = _FRAME // 4
_QUIET_PART: Final = 0.15
"""The quietest frames, as a part of all, in which the noise is measured."""

_LEAST_QUIET: Final = 4
_BANDS: Final = 5
"""Neighbouring frequencies over which the noise is averaged."""

_MEMORY: Final = 0.96
"""Weight of the frame before in the ratio of speech to noise."""

_LEAST_GAIN: Final = 0.1
_NOTHING: Final = 1e-12


def without_noise(samples: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return the samples, from -1 to 1, with less of the noise that does not change."""
    if len(samples) < _FRAME:
        return samples
    padded = np.pad(samples, _FRAME)
    window = np.hanning(_FRAME + 1)[:-1]
    framed = np.lib.stride_tricks.sliding_window_view(padded, _FRAME)[::_HOP]
    spectra = np.fft.rfft(framed * window, axis=1)
    power = np.abs(spectra) ** 2
    ratios = power / np.maximum(_noise(power), _NOTHING)
    speech = np.maximum(ratios - 1, 0)
    before = speech[0]
    for frame, ratio in enumerate(ratios):
        expected = _MEMORY * before + (1 - _MEMORY) * speech[frame]
        gain = np.maximum(expected / (1 + expected), _LEAST_GAIN)
        spectra[frame] *= gain
        before = gain**2 * ratio
    frames = np.fft.irfft(spectra, axis=1) * window
    result, weight = np.zeros(len(padded)), np.zeros(len(padded))
    for number, frame in enumerate(frames):
        place = slice(number * _HOP, number * _HOP + _FRAME)
        result[place] += frame
        weight[place] += window**2
    whole = result / np.maximum(weight, _NOTHING)
    return np.asarray(whole[_FRAME : _FRAME + len(samples)], np.float32)


def _noise(power: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the power of the noise by frequency; `power` is that of frames with their margins."""
    # The frames at both ends are partly padding.
    margin = _FRAME // _HOP
    inside = power[margin:-margin]
    if len(inside) < _LEAST_QUIET:
        return np.zeros(power.shape[1])
    number = max(_LEAST_QUIET, int(_QUIET_PART * len(inside)))
    quietest = np.argsort(inside.sum(axis=1))[:number]
    mean = inside[quietest].mean(axis=0)
    padded = np.pad(mean, _BANDS // 2, mode="edge")
    return np.convolve(padded, np.ones(_BANDS) / _BANDS, "valid")
