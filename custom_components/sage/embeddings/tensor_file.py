"""Read the file of the built-in model, in the safetensors format.

The file consists of these parts:
- eight bytes with the length of the header
- the header: JSON with type, shape and offset of each tensor, and free text under `__metadata__`
- the tensors
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from mmap import mmap
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from .embedder import EmbeddingError

_TYPES: Final[Mapping[str, np.dtype[Any]]] = {
    "I8": np.dtype(np.int8),
    "U8": np.dtype(np.uint8),
    "F16": np.dtype("<f2"),
    "F32": np.dtype("<f4"),
    "I64": np.dtype("<i8"),
}
_LENGTH_BYTES: Final = 8
_METADATA: Final = "__metadata__"


@dataclass(frozen=True, slots=True, kw_only=True)
class TensorFile:
    """The content of a safetensors file."""

    metadata: Mapping[str, str]
    """Free text, such as the source and the licence of the tensors."""

    tensors: Mapping[str, npt.NDArray[Any]]
    """Tensors by name; they are read-only views of one block of memory."""


def read_tensors(path: Path) -> TensorFile:
    """Return the content of the safetensors file at `path`.

    Raises EmbeddingError if the file is missing or damaged.
    """
    try:
        return _parse(_content(path))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as err:
        raise EmbeddingError(
            f"{path.name} is missing or damaged ({type(err).__name__}: {err}); install SAGE again"
        ) from err


def _content(path: Path) -> npt.NDArray[np.uint8]:
    """Return the bytes of a file as a read-only array.

    The memory is an anonymous mapping, which is returned to the operating system when the array is
    deleted. Memory from `malloc` might stay with the process.
    """
    # Do not memory-map the file: an update that overwrites a mapped file would crash the process.
    with path.open("rb") as file:
        memory = mmap(-1, path.stat().st_size)
        if file.readinto(memory) != len(memory):
            raise OSError("it changed while it was read")
    content = np.frombuffer(memory, np.uint8)
    content.flags.writeable = False
    return content


def _parse(content: npt.NDArray[np.uint8]) -> TensorFile:
    start = _LENGTH_BYTES + int.from_bytes(content[:_LENGTH_BYTES].tobytes(), "little")
    header = json.loads(content[_LENGTH_BYTES:start].tobytes())
    metadata = header.pop(_METADATA, {})
    data = content[start:]
    return TensorFile(
        metadata=metadata,
        tensors={name: _tensor(data, entry) for name, entry in header.items()},
    )


def _tensor(data: npt.NDArray[np.uint8], entry: Mapping[str, Any]) -> npt.NDArray[Any]:
    kind, shape = _TYPES[entry["dtype"]], tuple(entry["shape"])
    begin, end = entry["data_offsets"]
    if not 0 <= begin <= end <= data.size or end - begin != kind.itemsize * math.prod(shape):
        raise ValueError("a tensor lies outside of the file")
    return data[begin:end].view(kind).reshape(shape)
