"""The sentence embedding model all-MiniLM-L6-v2 in numpy, with 8-bit weights (23 MB).

The model is a BERT encoder with six layers. A text's vector is the mean over its word pieces,
scaled to length 1. References: Reimers and Gurevych 2019; Wang et al. 2020.
"""

import asyncio
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from mmap import mmap
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from homeassistant.core import HomeAssistant

from ..helpers import async_to_its_end
from ..model import ModelError, ModelErrorKind
from .embedder import Vectors
from .word_pieces import WordPieces

type Activations = npt.NDArray[np.float32]
"""An array of the shape (texts, word pieces, width), or (texts * word pieces, width)."""

type Tensors = Mapping[str, npt.NDArray[Any]]

DIMENSIONS: Final = 384
MODEL_ID: Final = "builtin/all-MiniLM-L6-v2-int8-1"
"""Id of the model; change it whenever new weights or calculations change the vectors."""

_LAYERS: Final = 6
_HEADS: Final = 12
_HEAD_WIDTH: Final = DIMENSIONS // _HEADS
_EPSILON: Final = np.float32(1e-12)
_MOST_PIECES: Final = 256  # maximum word pieces of a text with begin and end marks; the rest is cut
_BATCH_PIECES: Final = 512  # maximum word pieces of a batch with padding, which limits the memory

# A block fits into the processor's cache: as fast as float32 weights, with 42 MB less memory.
_BLOCK_WEIGHTS: Final = 128 * DIMENSIONS  # weights that are converted to float32 at once (197 kB)
_SLICE_OUTPUTS: Final = 16
"""Number of outputs of a linear layer per matrix product; divides the height of each block."""

_ONE_THREAD: Final = 512 * 512
"""Maximum of rows * columns * inner dimension of a product that OpenBLAS computes in one thread.

The threads of a larger product wait for each other without sleeping. While another program, such as
a local language model, uses the processors, this takes 20 times as long.
"""

_MASKED: Final = np.float32(-1e9)


_TYPES: Final[Mapping[str, np.dtype[Any]]] = {
    "I8": np.dtype(np.int8),
    "U8": np.dtype(np.uint8),
    "F16": np.dtype("<f2"),
    "F32": np.dtype("<f4"),
    "I64": np.dtype("<i8"),
}
_LENGTH_BYTES: Final = 8  # bytes at the beginning of the file: length of the header


def read_tensors(path: Path) -> tuple[dict[str, npt.NDArray[Any]], Mapping[str, str]]:
    """Return tensors (views of one block) by name, and metadata. Raises ModelError."""
    # An anonymous mapping returns to the system when it is freed; memory of `malloc` might not. A
    # mapping of the file would crash the process when an update overwrites the file.
    try:
        memory = mmap(-1, path.stat().st_size)
        with path.open("rb") as file:
            file.readinto(memory)
        content = np.frombuffer(memory, np.uint8)
        content.flags.writeable = False
        start = _LENGTH_BYTES + int.from_bytes(content[:_LENGTH_BYTES].tobytes(), "little")
        header = json.loads(content[_LENGTH_BYTES:start].tobytes())
        metadata: Mapping[str, str] = header.pop("__metadata__", {})
        return {name: _tensor(content[start:], entry) for name, entry in header.items()}, metadata
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as err:
        raise ModelError(
            ModelErrorKind.NO_WEIGHTS,
            f"{path.name} is missing or damaged ({type(err).__name__}: {err}); install SAGE again",
        ) from err


def _tensor(data: npt.NDArray[np.uint8], entry: Mapping[str, Any]) -> npt.NDArray[Any]:
    begin, end = entry["data_offsets"]
    return data[begin:end].view(_TYPES[entry["dtype"]]).reshape(entry["shape"])


class MiniLM:
    """The embedding model all-MiniLM-L6-v2 in memory; its methods are blocking and thread-safe."""

    def __init__(self, tensors: Tensors) -> None:
        self._pieces = WordPieces(tensors["vocabulary"].tobytes().decode().split("\n"))
        self._words = tensors["words"]
        self._word_scales = tensors["words.scales"]
        self._positions = tensors["positions"].astype(np.float32)
        self._norm = _Norm(weight=tensors["norm.weight"], bias=tensors["norm.bias"])
        self._layers = [_Layer(tensors, f"layer.{number}") for number in range(_LAYERS)]

    @classmethod
    def load(cls, path: Path) -> MiniLM:
        """Load the model from `path` in under a second. Raises ModelError if it is unusable."""
        tensors, metadata = read_tensors(path)
        if metadata.get("model_id") != MODEL_ID:
            detail = f"{path.name} is of another version; install SAGE again"
            raise ModelError(ModelErrorKind.NO_WEIGHTS, detail)
        return cls(tensors)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of `texts`, shape (texts, 384), one row for each text."""
        vectors = np.empty((len(texts), DIMENSIONS), np.float32)
        pieces = [self._pieces.encode(text, limit=_MOST_PIECES) for text in texts]
        for batch in _batches([len(ids) for ids in pieces]):
            vectors[batch] = self._encode_batch([pieces[index] for index in batch])
        return vectors

    def _encode_batch(self, pieces: Sequence[Sequence[int]]) -> Vectors:
        """Return vectors, shape (texts, 384), of texts (ids of pieces) of similar lengths."""
        longest = max(map(len, pieces))
        ids = np.zeros((len(pieces), longest), np.intp)
        is_piece = np.zeros((len(pieces), longest), np.bool)
        for row, text in enumerate(pieces):
            ids[row, : len(text)] = text
            is_piece[row, : len(text)] = True
        mask = None if is_piece.all() else np.where(is_piece, np.float32(0), _MASKED)

        hidden = self._words[ids].astype(np.float32)
        hidden *= self._word_scales[ids][:, :, None]
        hidden += self._positions[:longest]
        hidden = self._norm(hidden)
        block = np.empty(_BLOCK_WEIGHTS, np.float32)
        for layer in self._layers:
            hidden = layer(hidden, mask, block)

        hidden *= is_piece[:, :, None]
        # The sum is enough: it has the direction of the mean, and the length becomes 1 below.
        sums: Vectors = hidden.sum(axis=1)
        sums /= np.linalg.norm(sums, axis=1, keepdims=True)
        return sums


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Yield batches of indices of texts with similar `lengths`, in word pieces."""
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and lengths[index] * (len(batch) + 1) > _BATCH_PIECES:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


@dataclass(frozen=True, slots=True, kw_only=True)
class _Norm:
    """Layer normalization (Ba et al. 2016)."""

    weight: Activations
    bias: Activations

    def __call__(self, hidden: Activations) -> Activations:
        centred: Activations = hidden - hidden.mean(axis=-1, keepdims=True)
        variance = np.einsum("...i,...i->...", centred, centred)[..., None] / DIMENSIONS
        centred *= 1 / np.sqrt(variance + _EPSILON)
        centred *= self.weight
        centred += self.bias
        return centred


class _Linear:
    """A linear layer with 8-bit weights, one scale per output, and a bias."""

    def __init__(self, tensors: Tensors, name: str) -> None:
        self._weights = tensors[f"{name}.weight"]  # shape (outputs, inputs)
        self._scales = tensors[f"{name}.scales"]
        self._bias = tensors[f"{name}.bias"]

    def __call__(self, hidden: Activations, block: Activations) -> Activations:
        """Map shape (..., inputs) to (..., outputs); `block` is a buffer that is overwritten."""
        outputs, inputs = self._weights.shape
        rows = hidden.reshape(-1, inputs)
        found = np.empty((len(rows), outputs), np.float32)
        height = _BLOCK_WEIGHTS // inputs
        for begin in range(0, outputs, height):
            weights = self._weights[begin : begin + height]
            wide = block[: weights.size].reshape(weights.shape)
            np.copyto(wide, weights)
            slices = wide.reshape(-1, _SLICE_OUTPUTS, inputs).swapaxes(1, 2)
            part = _product(rows, slices).swapaxes(0, 1)
            found[:, begin : begin + height] = part.reshape(len(rows), -1)
        found *= self._scales
        found += self._bias
        return found.reshape(*hidden.shape[:-1], outputs)


def _product(left: Activations, right: Activations) -> Activations:
    """Return `left @ right` of (..., rows, inner) and (..., inner, columns), in this thread."""
    inner, columns = right.shape[-2:]
    height = max(1, _ONE_THREAD // (inner * columns))
    parts = [
        left[..., begin : begin + height, :] @ right for begin in range(0, left.shape[-2], height)
    ]
    return parts[0] if len(parts) == 1 else np.concatenate(parts, axis=-2)


class _Layer:
    """One encoder layer: attention, then two linear layers with a GELU between them."""

    def __init__(self, tensors: Tensors, name: str) -> None:
        self._attention = _Linear(tensors, f"{name}.attention")
        self._attended = _Linear(tensors, f"{name}.attended")
        self._widen = _Linear(tensors, f"{name}.widen")
        self._narrow = _Linear(tensors, f"{name}.narrow")
        self._norms = [
            _Norm(
                weight=tensors[f"{name}.{part}.norm.weight"],
                bias=tensors[f"{name}.{part}.norm.bias"],
            )
            for part in ("attended", "narrow")
        ]

    def __call__(
        self, hidden: Activations, mask: Activations | None, block: Activations
    ) -> Activations:
        attended = _attend(self._attention(hidden, block), mask)
        hidden = self._norms[0](hidden + self._attended(attended, block))
        wide = _gelu(self._widen(hidden, block))
        return self._norms[1](hidden + self._narrow(wide, block))


def _attend(projected: Activations, mask: Activations | None) -> Activations:
    """Return the multi-head self-attention of each text (Vaswani et al. 2017).

    `projected` contains queries, keys and values, shape (texts, word pieces, 3 * 384). The result
    has the shape (texts, word pieces, 384).
    """
    texts, pieces, _ = projected.shape
    heads = projected.reshape(texts, pieces, 3, _HEADS, _HEAD_WIDTH).transpose(2, 0, 3, 1, 4)
    queries, keys, values = heads
    scores = _product(queries, keys.swapaxes(-1, -2))
    scores *= np.float32(1 / math.sqrt(_HEAD_WIDTH))
    if mask is not None:
        scores += mask[:, None, None, :]
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=-1, keepdims=True)
    taken = _product(scores, values)
    return taken.transpose(0, 2, 1, 3).reshape(texts, pieces, DIMENSIONS)


def _gelu(hidden: Activations) -> Activations:
    """Return the tanh approximation of GELU (Hendrycks and Gimpel 2016)."""
    inner = hidden * hidden
    inner *= np.float32(0.044715)
    inner += 1
    inner *= hidden
    inner *= np.float32(math.sqrt(2 / math.pi))
    np.tanh(inner, out=inner)
    inner += 1
    inner *= hidden
    inner *= np.float32(0.5)
    return inner


MODEL_FILE: Final = Path(__file__).with_name("all-MiniLM-L6-v2-int8.safetensors")

_SLICE: Final = 32  # texts per executor job, so that other jobs can run between two of them


class BuiltinEmbedder:
    """The built-in embedding model, loaded at its first use.

    Each instance loads its own copy of the weights (23 MB), so share one where possible. If a call
    is cancelled, it waits for its thread, which could hold the weights after an unload of SAGE.
    """

    model_id = MODEL_ID

    def __init__(self, hass: HomeAssistant, *, file: Path = MODEL_FILE) -> None:
        self._hass = hass
        self._file = file
        self._model: MiniLM | None = None
        self._loading = asyncio.Lock()

    async def async_embed(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of `texts`, shape (texts, 384). Raises ModelError without the file."""
        model = await self._async_load()
        vectors = np.empty((len(texts), DIMENSIONS), np.float32)
        for begin in range(0, len(texts), _SLICE):
            part = texts[begin : begin + _SLICE]
            working = self._hass.async_add_executor_job(model.encode, part)
            encoded: Vectors = await async_to_its_end(working)
            vectors[begin : begin + len(part)] = encoded
        return vectors

    async def _async_load(self) -> MiniLM:
        async with self._loading:
            if self._model is None:
                loading = self._hass.async_add_executor_job(MiniLM.load, self._file)
                self._model = await async_to_its_end(loading)
            return self._model
