"""A process that keeps a memory open while its files can no longer be written.

    unshare --mount python -m tests.memory.bare tests.storage.turned_read_only FOLDER WAY

`WAY` is `immutable` (chattr +i on the open files) or `file-system`: an ext4 image of its own,
mounted for this process alone, meets an error and turns read-only. Prints a line of JSON for
each step; exits with 77 where the machine does not allow it.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from custom_components.sage.memory.memories import Memory, MemoryStoreError
from custom_components.sage.memory.person_memory import PersonMemory

NOT_ALLOWED: Final = 77
NOW: Final = datetime(2026, 5, 4, 12, tzinfo=UTC)


def run(*command: str | Path) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


class Immutable:
    def __init__(self, folder: Path) -> None:
        self._files: list[Path] = []
        self.path = folder / "memory" / "anna.db"
        try:
            (folder / "tried").touch()
            run("chattr", "+i", folder / "tried")
            run("chattr", "-i", folder / "tried")
        except OSError, subprocess.CalledProcessError:
            sys.exit(NOT_ALLOWED)

    def turn(self) -> None:
        self._files = list(self.path.parent.iterdir())
        run("chattr", "+i", *self._files)

    def turn_back(self) -> None:
        run("chattr", "-i", *self._files)


class FileSystem:
    def __init__(self, folder: Path) -> None:
        self._image, self._mounted = folder / "image", folder / "mounted"
        self._mounted.mkdir()
        self.path = self._mounted / "memory" / "anna.db"
        with self._image.open("wb") as image:
            image.truncate(16 * 2**20)
        try:
            run("mkfs.ext4", "-q", "-F", self._image)
            self._mount()
            self._fault = Path("/sys/fs/ext4", Path(self._device()).name, "trigger_fs_error")
            os.close(os.open(self._fault, os.O_WRONLY))
        except OSError, subprocess.CalledProcessError:
            sys.exit(NOT_ALLOWED)

    def turn(self) -> None:
        os.sync()
        self._fault.write_text("test")

    def turn_back(self) -> None:
        """Mount it again, as after a restart."""
        run("umount", self._mounted)
        subprocess.run(["e2fsck", "-fy", self._image], check=False, capture_output=True)
        self._mount()

    def _mount(self) -> None:
        run("mount", "-o", "loop,errors=remount-ro,data=journal", self._image, self._mounted)

    def _device(self) -> str:
        return run("findmnt", "-no", "SOURCE", self._mounted)


def main(folder: Path, way: str) -> None:
    place = Immutable(folder) if way == "immutable" else FileSystem(folder)
    anna = PersonMemory.open(place.path)
    (first, second) = (
        anna.add(Memory(text=text, at=NOW)) for text in ("I like tea", "I like jazz")
    )

    place.turn()
    for name, call in (
        ("add", lambda: anna.add(Memory(text="I run", at=NOW))),
        ("forget", lambda: anna.forget([first.id])),
        ("hold", anna.hold),
        ("release", anna.release),
        ("open a second time", lambda: PersonMemory.open(place.path)),
    ):
        tell(name, refused(call))
    tell("read", [each.id for each in anna.list()])
    anna.close()
    place.turn_back()

    again = PersonMemory.open(place.path)
    tell("kept", {first.id, second.id} <= {each.id for each in again.list()})
    again.add(Memory(text="I cook", at=NOW))
    tell("written again", [each.text for each in again.list(words="cook")])
    again.close()


def refused(call: Callable[[], object]) -> str:
    try:
        call()
    except MemoryStoreError as error:
        return type(error).__name__
    return "done"


def tell(step: str, result: Any) -> None:
    os.write(1, json.dumps({step: result}).encode() + b"\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
