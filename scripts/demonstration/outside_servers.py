"""The servers outside the demo home, on loopback: mail and calendars of its people."""

import asyncio
import json
import sys
from collections.abc import AsyncGenerator, Mapping
from contextlib import ExitStack, asynccontextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from benchmark.loopback import free_port
from benchmark.mail_servers import Dovecot, MailServerError, SmtpServer
from benchmark.radicale_server import RadicaleServer

from .outside_texts import INBOXES, PEOPLE, events, guide, message

PASSWORDS: Final[Mapping[str, str]] = {each: f"{each}-secret" for each in PEOPLE}
"""Of the accounts for calendars."""

_FOLDER: Final = "outside"
_PORTS: Final = "ports.json"
_GUIDE: Final = Path("www") / "guide.xml"
"""In the configuration folder, where every installation may read it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ports:
    """The ports of the servers: those of a kept home stay, since its accounts name them."""

    imap: int
    smtp: int
    dav: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OutsideServers:
    """The running servers, and the file of the TV guide."""

    dav_url: str
    guide: Path
    imap_port: int = 0
    smtp: SmtpServer | None = None
    """None if there is no mail: Dovecot does not run on every machine."""

    def sent(self) -> tuple[str, ...]:
        """Return all messages that were sent, as lines for people."""
        accepted = self.smtp.accepted if self.smtp else []
        return tuple(
            f"{each.sender} → {', '.join(each.recipients)}: {each.message['Subject']}"
            for each in accepted
        )


@asynccontextmanager
async def outside_servers(home: Path, zone: str) -> AsyncGenerator[OutsideServers]:
    """Run the servers of a home; `home` is its configuration folder, `zone` its time zone.

    What the servers store is in that folder, too. It is filled when the home is new.
    """
    running = ExitStack()
    start = asyncio.create_task(asyncio.to_thread(_start, running, home, ZoneInfo(zone)))
    try:
        yield await asyncio.shield(start)
    finally:
        # A start that was interrupted has to end before it can be undone.
        await asyncio.wait([start])
        await asyncio.to_thread(running.close)


def _start(running: ExitStack, home: Path, zone: ZoneInfo) -> OutsideServers:
    folder, now = home / _FOLDER, datetime.now(zone)
    is_new = not (folder / _PORTS).exists()
    ports = _ports(folder)
    (home / _GUIDE).parent.mkdir(exist_ok=True)
    (home / _GUIDE).write_text(guide(now.astimezone(UTC)), encoding="utf-8")
    dav = RadicaleServer(folder / "dav", PASSWORDS, ports.dav, is_tied=True)
    running.callback(dav.stop)
    dav.start()
    if is_new:
        for person in PEOPLE:
            dav.add_calendar(person, person, events(person, now.date(), zone))
    smtp = _start_mail(running, folder / "imap", ports, now if is_new else None)
    return OutsideServers(
        dav_url=dav.url, guide=home / _GUIDE, imap_port=ports.imap if smtp else 0, smtp=smtp
    )


def _start_mail(
    running: ExitStack, folder: Path, ports: _Ports, fill_at: datetime | None
) -> SmtpServer | None:
    """Start both mail servers, and fill the inboxes as they are at a time; None if that fails."""
    try:
        imap = running.enter_context(Dovecot(folder, PEOPLE, ports.imap, is_tied=True))
    except MailServerError as error:
        print(f"There is no mail in this demo: {error}", file=sys.stderr)
        return None
    if fill_at is not None:
        for person, letters in INBOXES.items():
            for each in letters:
                flags = "S" if each.is_read else ""
                imap.put(person, message(person, each, fill_at), flags=flags)
    return running.enter_context(SmtpServer(PEOPLE, port=ports.smtp))


def _ports(folder: Path) -> _Ports:
    """Return the ports of a home; free ones for a new home."""
    for name in ("imap", "dav"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    path = folder / _PORTS
    if path.exists():
        return _Ports(**json.loads(path.read_text(encoding="utf-8")))
    ports = _Ports(imap=free_port(), smtp=free_port(), dav=free_port())
    path.write_text(json.dumps(asdict(ports)), encoding="utf-8")
    return ports
