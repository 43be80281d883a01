"""A Home Assistant of our own, running while it is needed."""

import asyncio
import json
import os
import sys
import tempfile
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmark.loopback import free_port as any_free_port
from benchmark.loopback import listening, promise, release

from .accounts import Account, invent, load
from .client import ask_state
from .furnished_homes import DEMO, HOMES, ROOT, FurnishedHome, home_in
from .tether import stop

USUAL_PORT = 8123
LOG = "console.log"
PATIENCE = 300.0  # seconds; a first start may install packages


class HomeDidNotStartError(Exception):
    """Home Assistant ended or hung, or cannot start here; the message holds why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeServer:
    """Where the home answers, and who may log in."""

    home: FurnishedHome
    url: str
    folder: Path
    accounts: tuple[Account, ...]
    process: asyncio.subprocess.Process

    async def kill(self) -> None:
        """End Home Assistant as a power cut does: nothing more is written."""
        self.process.kill()
        await self.process.wait()

    def account(self, username: str) -> Account:
        return next(account for account in self.accounts if account.username == username)

    def last_words(self) -> str:
        """Return the end of Home Assistant's log."""
        return _end_of(self.folder / LOG)

    @property
    def owner(self) -> Account:
        return self.account("owner")


@asynccontextmanager
async def home_server(
    keep: Path | None,
    password: str | None,
    port: int | None,
    *,
    home: FurnishedHome = HOMES[DEMO],
    python: Path | None = None,
    components: tuple[Path, ...] | None = None,
) -> AsyncGenerator[HomeServer]:
    """Start Home Assistant in a folder that is kept, or in one that is gone afterwards.

    `python` is the interpreter of another environment with a Home Assistant. `components` (those of
    the home unless given) are linked into the folder; a `configuration.yaml` that is there already
    stays as it is. Raises HomeDidNotStartError, also for a folder that was kept of another home.
    """
    with home_folder(keep) as folder:
        if (there := home_in(folder)) not in {None, home.name}:
            raise HomeDidNotStartError(
                f"{folder} holds the home '{there}': say --home {there}, or keep the home "
                f"'{home.name}' in a folder of its own."
            )
        order = {
            "parent": os.getpid(),
            "folder": str(folder),
            "port": port or free_port(),
            "home": home.name,
            "components": [
                str(component)
                for component in (home.components if components is None else components)
            ],
            "accounts": [asdict(account) for account in load(folder) or invent(password)],
        }
        async with _running(home, folder, order, python or Path(sys.executable)) as server:
            yield server


@contextmanager
def home_folder(keep: Path | None) -> Generator[Path]:
    """Return a folder that is kept, or one that is gone afterwards."""
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        yield keep.resolve()
        return
    with tempfile.TemporaryDirectory(prefix="sage-demo-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


@asynccontextmanager
async def _running(
    home: FurnishedHome, folder: Path, order: dict[str, Any], python: Path
) -> AsyncGenerator[HomeServer]:
    log = folder / LOG
    # Home Assistant keeps uploads in one folder of TMPDIR, and empties it for the first upload.
    own = tempfile.TemporaryDirectory(prefix="sage-home-", ignore_cleanup_errors=True)
    with log.open("wb") as output:
        process = await asyncio.create_subprocess_exec(
            python,
            "-m",
            "scripts.demonstration.home_process",
            cwd=ROOT,
            env=os.environ | {"TMPDIR": own.name},
            stdin=asyncio.subprocess.PIPE,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    try:
        assert process.stdin is not None
        process.stdin.write(json.dumps(order).encode() + b"\n")
        process.stdin.close()
        url = f"http://127.0.0.1:{order['port']}"
        accounts = await _ready(process, url, folder, log)
        yield HomeServer(home=home, url=url, folder=folder, accounts=accounts, process=process)
    finally:
        await stop(process)
        own.cleanup()


async def _ready(
    process: asyncio.subprocess.Process, url: str, folder: Path, log: Path
) -> tuple[Account, ...]:
    """Wait until Home Assistant says that it runs; return the accounts with their tokens."""
    try:
        async with asyncio.timeout(PATIENCE):
            while process.returncode is None:
                accounts = load(folder)
                if accounts and await ask_state(url, accounts[0].token) == "RUNNING":
                    return accounts
                await asyncio.sleep(0.2)
    except TimeoutError:
        pass
    raise HomeDidNotStartError(f"Home Assistant did not start. Its last words:\n{_end_of(log)}")


def _end_of(log: Path) -> str:
    return "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-30:])


def free_port() -> int:
    """Return Home Assistant's usual port if nobody listens there, else any free one."""
    if not promise(USUAL_PORT):
        return any_free_port()
    try:
        listening(USUAL_PORT).close()
    except OSError:
        release(USUAL_PORT)
        return any_free_port()
    return USUAL_PORT
