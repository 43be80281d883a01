"""Real mail servers on loopback: Dovecot for IMAP, aiosmtpd for SMTP."""

import mailbox
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any, Final, Self

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from benchmark.loopback import free_port

ROOT: Final = Path(__file__).parent.parent
HOST: Final = "127.0.0.1"
PASSWORD: Final = 'app "pass\\word" of {name}'
"""With signs that have to be escaped."""

_SECONDS: Final = 30.0

_CONFIG: Final = r"""
dovecot_config_version = 2.4.0
dovecot_storage_version = 2.4.0
base_dir = {folder}/run
state_dir = {folder}/state
libexec_dir = {dovecot}/usr/lib/dovecot
mail_plugin_dir = {dovecot}/usr/lib/dovecot/modules
log_path = {folder}/log
protocols = imap
listen = 127.0.0.1
ssl = no
auth_allow_cleartext = yes
auth_mechanisms = plain
auth_failure_delay = 0
default_internal_user = {user}
default_internal_group = {group}
default_login_user = {user}
mail_uid = {user}
mail_gid = {group}
first_valid_uid = 1
mail_driver = maildir
mail_home = {folder}/home/%{{user}}
mail_path = ~/Maildir
mail_fsync = never
mail_max_userip_connections = 100
passdb passwd-file {{
  passwd_file_path = {folder}/users
}}
userdb static {{
}}
namespace inbox {{
  inbox = yes
  separator = /
  mailbox "Entwürfe" {{
    auto = create
    special_use = \Drafts
  }}
  mailbox Gesendet {{
    auto = create
    special_use = \Sent
  }}
}}
service anvil {{
  chroot =
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
"""


class Dovecot:
    """Dovecot in a folder of its own, without root."""

    def __init__(self, folder: Path, names: Iterable[str]) -> None:
        """Prepare accounts of these names; their password is PASSWORD."""
        self.folder = folder
        self.port = free_port()
        self._names = tuple(names)
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        found = subprocess.run(
            [sys.executable, str(ROOT / "scripts" / "environment" / "dovecot.py")],
            check=True,
            capture_output=True,
            text=True,
        )
        dovecot = Path(found.stdout.strip())
        for name in ("run/login", "state", "home"):
            (self.folder / name).mkdir(parents=True)
        run = self.folder / "run"
        (run / "bin").symlink_to(dovecot / "usr" / "bin")
        for each in (run, run / "login"):
            (each / "modules").symlink_to(dovecot / "usr" / "lib" / "dovecot" / "modules")
        users = (f"{name}:{{PLAIN}}{PASSWORD.format(name=name)}" for name in self._names)
        (self.folder / "users").write_text("\n".join((*users, "")), encoding="utf-8")
        config = self.folder / "dovecot.conf"
        config.write_text(
            _CONFIG.format(
                folder=self.folder, dovecot=dovecot, port=self.port, user="nobody", group="nogroup"
            ),
            encoding="utf-8",
        )
        # Dovecot needs a user and a group with names; to itself, it runs as nobody.
        command = ["unshare", "--user", "--map-user=65534", "--map-group=65534"]
        command += [str(dovecot / "usr" / "sbin" / "dovecot"), "-F", "-c", str(config)]
        self._process = subprocess.Popen(command, cwd=run)
        _wait_for(self.port, self._process)
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process is not None
        self._process.terminate()
        self._process.wait(_SECONDS)

    def put(
        self, name: str, *messages: bytes | EmailMessage, folder: str = "", flags: str = ""
    ) -> None:
        """Put messages into a folder of a person, by default the inbox."""
        home = self.folder / "home" / name / "Maildir"
        kept = mailbox.Maildir(home / folder if folder else home, create=True)
        for each in messages:
            data = each if isinstance(each, bytes) else each.as_bytes()
            stored = mailbox.MaildirMessage()
            if flags:
                stored.set_subdir("cur")
                stored.set_flags(flags)
            key = kept.add(stored)
            # Bytes as they are: the class would repair broken messages.
            (Path(kept._path) / kept._lookup(key)).write_bytes(data)  # type: ignore[attr-defined]

    def read(self, name: str, folder: str = "") -> list[EmailMessage]:
        """Return the messages in a folder of a person."""
        home = self.folder / "home" / name / "Maildir"
        path = home / f".{folder}" if folder else home
        found = [each for part in ("new", "cur") for each in sorted((path / part).glob("*"))]
        return [_parsed(each.read_bytes()) for each in found]

    def clear(self) -> None:
        """Delete all mail."""
        for name in self._names:
            shutil.rmtree(self.folder / "home" / name, ignore_errors=True)


@dataclass(slots=True)
class Submitted:
    """A message that the SMTP server has accepted."""

    sender: str
    recipients: tuple[str, ...]
    message: EmailMessage


@dataclass(slots=True)
class _Handler:
    accepted: list[Submitted] = field(default_factory=list)
    refused: set[str] = field(default_factory=set)
    """Recipients that are not accepted."""

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if address in self.refused:
            return "550 no such user"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        content = envelope.content or b""
        data = content if isinstance(content, bytes) else content.encode()
        self.accepted.append(
            Submitted(envelope.mail_from or "", tuple(envelope.rcpt_tos), _parsed(data))
        )
        return "250 accepted"


class SmtpServer:
    """aiosmtpd with sign-in; in a thread of its own."""

    def __init__(self, names: Iterable[str], tls: Any = None) -> None:
        """Accept these names with PASSWORD."""
        self._known = {name: PASSWORD.format(name=name) for name in names}
        self._handler = _Handler()
        self._controller = Controller(
            self._handler,
            hostname=HOST,
            port=free_port(),
            authenticator=self._authenticate,
            auth_required=True,
            auth_require_tls=False,
            ssl_context=tls,
        )

    @property
    def port(self) -> int:
        """The port on loopback."""
        return int(self._controller.port)

    @property
    def accepted(self) -> list[Submitted]:
        """The messages that were accepted."""
        return self._handler.accepted

    @property
    def refused(self) -> set[str]:
        """Recipients that are refused."""
        return self._handler.refused

    def __enter__(self) -> Self:
        self._controller.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._controller.stop()

    def _authenticate(
        self, server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: Any
    ) -> AuthResult:
        assert isinstance(data, LoginPassword)
        name, password = data.login.decode(), data.password.decode()
        return AuthResult(success=self._known.get(name) == password, handled=False)


def letter(sender: str, subject: str, text: str, **headers: str) -> EmailMessage:
    """Return a message as it arrives."""
    message = EmailMessage()
    message["From"] = sender
    message["To"] = headers.pop("to", "anna@example.com")
    message["Subject"] = subject
    message["Date"] = headers.pop("date", "Fri, 20 Nov 2026 10:05:00 +0000")
    message["Message-ID"] = headers.pop(
        "message_id", f"<{abs(hash((sender, subject, text)))}@x.example>"
    )
    for name, value in headers.items():
        message[name.replace("_", "-")] = value
    message.set_content(text)
    return message


def _parsed(data: bytes) -> EmailMessage:
    parsed = message_from_bytes(data, policy=policy.default)
    assert isinstance(parsed, EmailMessage)
    return parsed


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + _SECONDS
    while time.monotonic() < end and process.poll() is None:
        try:
            with socket.create_connection((HOST, port), timeout=1) as made:
                if made.recv(64).startswith(b"* OK"):
                    return
        except OSError:
            time.sleep(0.05)
    raise AssertionError("Dovecot did not start")
