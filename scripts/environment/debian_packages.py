"""Unpack Debian packages with all their dependencies into a separate folder.

The system does not change: apt gets its own lists, its own cache and an empty
list of installed packages, so it downloads all dependencies down to the C
library. The binaries then use the libraries of this folder. Works without root.
Standard library only, because it runs before any environment exists (Python
3.11 or later).
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SUITE = "forky"
KEYRINGS = (
    Path("/usr/share/keyrings/debian-archive-keyring.gpg"),
    Path("/usr/share/keyrings/debian-archive-keyring.pgp"),
)
# Needed to install or configure a system, not to run a program from a folder.
LEFT_OUT = frozenset(
    {"ca-certificates", "debconf", "libc-dev-bin", "libc6-dev", "linux-libc-dev", "tzdata"}
)
ELF_MAGIC = b"\x7fELF"


class UnpackError(Exception):
    """The packages could not be unpacked; the message says how to fix it."""


def unpack(packages: list[str], programs: list[str], patchelf: Path, prefix: Path) -> None:
    """Unpack `packages` into `prefix`, whole or not at all.

    `programs` are paths below the prefix, such as `usr/bin/python3.14`; each
    is made to run with the prefix's own libraries. Raises UnpackError.
    """
    for tool in ("apt-get", "dpkg-deb"):
        if shutil.which(tool) is None:
            raise UnpackError(f"{tool} was not found: this way needs a Debian system.")
    prefix.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f"{prefix.name}.", dir=prefix.parent) as scratch:
        archives = download(packages, Path(scratch) / "apt")
        tree = Path(scratch) / "tree"
        tree.mkdir()
        for archive in archives:
            run(["dpkg-deb", "-x", str(archive), str(tree)])
        point_at_own_libraries(tree, programs, patchelf, prefix)
        shutil.rmtree(prefix, ignore_errors=True)
        tree.rename(prefix)


def download(packages: list[str], folder: Path) -> list[Path]:
    """Download the packages and all they depend on; returns the .deb files."""
    (folder / "sources").mkdir(parents=True)
    (folder / "lists" / "partial").mkdir(parents=True)
    (folder / "cache" / "archives" / "partial").mkdir(parents=True)
    (folder / "status").touch()
    (folder / "sources" / "debian.sources").write_text(source_entry(), encoding="utf-8")
    options = [
        f"Dir::Etc::sourceparts={folder / 'sources'}",
        "Dir::Etc::sourcelist=/dev/null",
        f"Dir::State={folder}",
        f"Dir::State::Lists={folder / 'lists'}",
        f"Dir::State::status={folder / 'status'}",
        f"Dir::Cache={folder / 'cache'}",
        f"Dir::Log={folder}",
        "APT::Install-Recommends=false",
        "APT::Sandbox::User=",
        "Acquire::Languages=none",
        "Acquire::Retries=3",
    ]
    apt = ["apt-get", "-qq", *(word for option in options for word in ("-o", option))]
    run([*apt, "update"])
    run([*apt, "install", "--yes", "--download-only", *packages])
    return [
        archive
        for archive in sorted((folder / "cache" / "archives").glob("*.deb"))
        if archive.name.split("_", 1)[0] not in LEFT_OUT
    ]


def source_entry() -> str:
    """Return a deb822 source for SUITE at the mirror this machine already uses."""
    keyring = next((path for path in KEYRINGS if path.exists()), None)
    lines = ["Types: deb", f"URIs: {mirror()}", f"Suites: {SUITE}", "Components: main"]
    if keyring:
        lines.append(f"Signed-By: {keyring}")
    return "\n".join(lines) + "\n"


def mirror() -> str:
    """Return the URI of the Debian mirror in apt's configuration.

    apt itself is asked, so both its file formats are understood. Raises
    UnpackError when no Debian suite is configured.
    """
    found = run(
        [
            "apt-get",
            "indextargets",
            "--no-release-info",
            "--format",
            "$(REPO_URI) $(RELEASE) $(COMPONENT)",
            "Created-By: Packages",
        ]
    )
    own_suites = {release_codename(), SUITE, "stable", "testing", "unstable", "sid"}
    for line in found.splitlines():
        uri, suite, component = line.split()
        if suite in own_suites and component == "main":
            return uri
    raise UnpackError("apt's configuration names no Debian mirror: this way needs a Debian system.")


def release_codename() -> str:
    """Return this Debian's code name (`bookworm`), or an empty string elsewhere."""
    release = Path("/etc/os-release")
    text = release.read_text(encoding="utf-8") if release.exists() else ""
    fields = dict(line.split("=", 1) for line in text.splitlines() if "=" in line)
    if fields.get("ID", "").strip('"') != "debian":
        return ""
    return fields.get("VERSION_CODENAME", "").strip('"')


def point_at_own_libraries(tree: Path, programs: list[str], patchelf: Path, prefix: Path) -> None:
    """Make programs and libraries of `tree` find each other once it is at `prefix`.

    Library folders are written relative to each file; the loader of a program
    has to be absolute, so the tree works at `prefix` only.
    """
    libraries = library_folders(tree)
    for path in [tree / program for program in programs]:
        loader = run([str(patchelf), "--print-interpreter", str(path)]).strip()
        own_loader = next(tree.rglob(Path(loader).name), None)
        if own_loader is None:
            raise UnpackError(f"The packages hold no {loader} for {path.name}.")
        final = prefix / own_loader.relative_to(tree)
        run([str(patchelf), "--set-interpreter", str(final), str(path)])
        set_library_path(path, libraries, patchelf)
    for folder in libraries:
        for path in folder.rglob("*.so*"):
            if is_library(path):
                set_library_path(path, libraries, patchelf)


def library_folders(tree: Path) -> list[Path]:
    """Return `usr/lib/<machine>-linux-gnu`, then the other folders of libraries in `usr/lib`.

    Those are one level below it, or belong to one program: `usr/lib/dovecot`.
    """
    folders = sorted((tree / "usr" / "lib").glob("*-linux-gnu"))
    below = {path.parent for folder in folders for path in folder.glob("*/*.so*")}
    own = {path.parent for path in (tree / "usr" / "lib").glob("*/*.so*")} - set(folders)
    return folders + sorted(below | own)


def is_library(path: Path) -> bool:
    """Return whether this is a shared library other than the loader and the C library.

    Those come as one piece with fixed layout and depend on nothing else.
    """
    if path.is_symlink() or not path.is_file() or path.name.startswith(("ld-linux", "libc.so")):
        return False
    with path.open("rb") as opened:
        return opened.read(4) == ELF_MAGIC


def set_library_path(path: Path, folders: list[Path], patchelf: Path) -> None:
    """Let one ELF file look for its libraries in `folders` before anywhere else."""
    relative = [f"$ORIGIN/{os.path.relpath(folder, path.parent)}" for folder in folders]
    run([str(patchelf), "--force-rpath", "--set-rpath", ":".join(relative), str(path)])


def run(command: list[str]) -> str:
    """Run a command and return what it printed; raises UnpackError with its last words."""
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        words = (done.stderr or done.stdout).strip().splitlines()[-5:]
        raise UnpackError("\n".join([f"{command[0]} failed:", *words]))
    return done.stdout


def main() -> int:
    """Unpack what the command line asks for; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--into", type=Path, required=True, help="the folder to make")
    parser.add_argument("--patchelf", type=Path, required=True, help="the patchelf to use")
    parser.add_argument("--program", action="append", default=[], help="a path in the folder")
    parser.add_argument("packages", nargs="+")
    given = parser.parse_args()
    try:
        unpack(given.packages, given.program, given.patchelf.absolute(), given.into.absolute())
    except UnpackError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
