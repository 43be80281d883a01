"""Weights of eight bits."""

import numpy as np
import numpy.typing as npt

_LEVELS = 127


def quantize(
    weights: npt.NDArray[np.float32],
) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float32]]:
    """Return levels, shape as `weights`, and scales, one a row: weights ~ levels * scales.

    The largest weight of a row gets the largest level. Clipping it for a smaller square error
    was tried: the vectors are as close to the original ones either way.
    """
    largest = np.abs(weights).max(axis=1, keepdims=True)
    scales = (np.where(largest > 0, largest, 1) / _LEVELS).astype(np.float32)
    return np.rint(weights / scales).astype(np.int8), scales[:, 0]
