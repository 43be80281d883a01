"""Files that the next start of the demo can use again, each under the hash of its content."""

import hashlib
import secrets
from contextlib import suppress
from pathlib import Path

MOST_BYTES = 2_000_000_000


class KeptFiles:
    """A folder of files by key; a damaged file is removed, and counts as missing.

    The name of a file is its key and the hash of its content. `identity` describes everything that
    all contents depend on: another identity means other keys.
    """

    def __init__(self, folder: Path, identity: str, *, most_bytes: int = MOST_BYTES) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self._identity = identity
        self._most_bytes = most_bytes

    def key(self, text: str) -> str:
        """Return the key of what depends on `text`."""
        return hashlib.sha256(f"{self._identity}\0{text}".encode()).hexdigest()

    def unfinished(self, key: str) -> Path:
        """Return a path that nobody else writes to, for a content that `keep` takes over."""
        return self.folder / f"{key[:16]}-{secrets.token_hex(4)}.unfinished"

    def keep(self, key: str, unfinished: Path) -> None:
        """Keep a written file in place of an earlier one of this key.

        The files that were not used for the longest time make room.
        """
        path = unfinished.replace(self.folder / f"{key}-{_hash_of(unfinished)}")
        for earlier in self.folder.glob(f"{key}-*"):
            if earlier != path:
                earlier.unlink(missing_ok=True)
        files = sorted(self.folder.iterdir(), key=lambda file: file.stat().st_mtime, reverse=True)
        total = 0
        for file in files:
            total += file.stat().st_size
            if total > self._most_bytes and file != path:
                file.unlink(missing_ok=True)

    def find(self, key: str) -> Path | None:
        """Return the file of a key, None if there is none or its content is not what was kept."""
        for path in self.folder.glob(f"{key}-*"):
            with suppress(FileNotFoundError):
                if path.name == f"{key}-{_hash_of(path)}":
                    path.touch()
                    return path
            path.unlink(missing_ok=True)
        return None


def _hash_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
