"""Print the folder of Dovecot, an IMAP server for tests and benchmark; unpack it if missing.

It runs from its folder without root: see `benchmark/mail_servers.py`. Standard library only.
"""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROGRAMS = (
    "usr/sbin/dovecot",
    "usr/bin/doveconf",
    *(f"usr/lib/dovecot/{name}" for name in ("anvil", "auth", "config", "imap", "imap-login")),
    *(f"usr/lib/dovecot/{name}" for name in ("log", "stats")),
)
MOVED = {b"/usr/bin/doveconf": b"bin/doveconf", b"/usr/lib/dovecot/modules": b"modules"}
"""Paths that the programs contain -> the same below the folder in which they are started."""


def cache() -> Path:
    """Return the folder of all checkouts for downloads."""
    above = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(os.environ.get("SAGE_CACHE_DIR") or Path(above) / "sage")


def move_paths(folder: Path) -> None:
    """Replace absolute paths in the programs, so that they find their files in `folder`."""
    for path in (folder / "usr" / "lib" / "dovecot").rglob("*"):
        if path.is_file() and not path.is_symlink():
            content = changed = path.read_bytes()
            for old, new in MOVED.items():
                changed = changed.replace(old + b"\0", new.ljust(len(old), b"\0") + b"\0")
            if changed != content:
                path.write_bytes(changed)


def main() -> int:
    """Unpack Dovecot once, then print its folder; returns the exit code."""
    folder = cache() / "dovecot"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with (folder.parent / "dovecot.lock").open("w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / ".complete").exists():
            print("setup: unpacking Dovecot", file=sys.stderr)
            tools = subprocess.run(
                [str(HERE / "tools")], check=True, capture_output=True, text=True
            ).stdout.strip()
            command = [
                *(sys.executable, str(HERE / "debian_packages.py"), "dovecot-imapd"),
                *("--into", str(folder), "--patchelf", f"{tools}/patchelf"),
                *(word for program in PROGRAMS for word in ("--program", program)),
            ]
            if subprocess.run(command, check=False).returncode:
                return 1
            move_paths(folder)
            (folder / ".complete").touch()
    print(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
