"""Real mail servers on loopback: Dovecot for IMAP, aiosmtpd for SMTP."""

import imaplib
import logging
import secrets
import shutil
import ssl
import subprocess
import sys
import time
import warnings
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from functools import cache
from ipaddress import ip_address
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Self

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from custom_components.sage.external.mail_account import Security

from .loopback import ATTEMPTS, free_port, listening, tied

# The server is on loopback, where a sign-in needs no TLS; aiosmtpd warns at every connection.
warnings.filterwarnings("ignore", "Requiring AUTH while not requiring TLS", UserWarning)
logging.getLogger("mail.log").setLevel(logging.ERROR)

ROOT: Final = Path(__file__).parent.parent
HOST: Final = "127.0.0.1"
PASSWORD: Final = 'app "pass\\word" of {name}'  # noqa: S105
"""With characters that need escaping."""

_STRANGER: Final = "identity"
"""Name of an account with a random password: only one server knows it."""

_SECONDS: Final = 30.0
_SHORT: Final = "/tmp"  # noqa: S108 - a folder of our own is made in it

_CONFIG: Final = r"""
dovecot_config_version = 2.4.0
dovecot_storage_version = 2.4.0
base_dir = {run}
state_dir = {folder}/state
libexec_dir = {dovecot}/usr/lib/dovecot
mail_plugin_dir = {dovecot}/usr/lib/dovecot/modules
log_path = {folder}/log
protocols = imap
listen = 127.0.0.1
ssl = yes
ssl_server_cert_file = {folder}/certificate.pem
ssl_server_key_file = {folder}/certificate.pem
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
  # Failed attempts to sign in do not delay the next ones.
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = {tls_port}
    ssl = yes
  }}
}}
"""


class MailServerError(Exception):
    """Dovecot cannot run on this machine; the message says why."""


class Dovecot:
    """Dovecot in a folder of its own, without root. What people have in a used folder stays."""

    def __init__(
        self, folder: Path, names: Iterable[str], port: int = 0, *, is_tied: bool = False
    ) -> None:
        """Prepare accounts of these names; their password is PASSWORD. Port 0 takes a free one.

        `is_tied`: whether it ends with the thread that starts it.
        """
        self._is_tied = is_tied
        self.folder = folder
        self._is_fixed = bool(port)
        self.port = port or free_port()
        self.tls_port = free_port()
        self._names = tuple(names)
        self._secret = secrets.token_hex(16)
        self._process: subprocess.Popen[bytes] | None = None
        self._sockets: TemporaryDirectory[str] | None = None
        self._count = 0

    def __enter__(self) -> Self:
        """Start it. Raises MailServerError."""
        found = subprocess.run(
            [sys.executable, str(ROOT / "scripts" / "environment" / "dovecot.py")],
            check=False,
            capture_output=True,
            text=True,
        )
        if found.returncode:
            raise MailServerError(f"Dovecot could not be unpacked. {found.stderr.strip()}")
        dovecot = Path(found.stdout.strip())
        for name in ("state", "home"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        # The path of a socket has to be short.
        self._sockets = TemporaryDirectory(prefix="dovecot-", dir=_SHORT)
        run = Path(self._sockets.name)
        (run / "login").mkdir()
        (run / "bin").symlink_to(dovecot / "usr" / "bin")
        for each in (run, run / "login"):
            (each / "modules").symlink_to(dovecot / "usr" / "lib" / "dovecot" / "modules")
        users = (
            f"{_STRANGER}:{{PLAIN}}{self._secret}",
            *(f"{name}:{{PLAIN}}{PASSWORD.format(name=name)}" for name in self._names),
        )
        (self.folder / "users").write_text("\n".join((*users, "")), encoding="utf-8")
        (self.folder / "certificate.pem").write_bytes(b"".join(certificate()))
        errors = self.folder / "errors"
        for attempt in range(1, ATTEMPTS + 1):
            try:
                self._process = self._begin(dovecot, run, errors)
                self._wait()
            except (MailServerError, OSError) as err:
                said = errors.read_text(encoding="utf-8").strip()
                if "in use" in said and attempt < ATTEMPTS and not self._is_fixed:
                    self.port, self.tls_port = free_port(), free_port()
                    continue
                self._sockets.cleanup()
                why = said.rpartition("\n")[2] or err
                raise MailServerError(f"Dovecot did not start. {why}") from err
            break
        return self

    def _begin(self, dovecot: Path, run: Path, errors: Path) -> subprocess.Popen[bytes]:
        config = self.folder / "dovecot.conf"
        config.write_text(
            _CONFIG.format(
                folder=self.folder,
                run=run,
                dovecot=dovecot,
                port=self.port,
                tls_port=self.tls_port,
                user="nobody",
                group="nogroup",
            ),
            encoding="utf-8",
        )
        # Dovecot needs a user and a group with names; to itself, it runs as nobody.
        command = ["unshare", "--user", "--map-user=65534", "--map-group=65534"]
        program = [str(dovecot / "usr" / "sbin" / "dovecot"), "-F", "-c", str(config)]
        # A process that gets a namespace is not tied any more: only the program itself can be.
        command += tied(program) if self._is_tied else program
        with errors.open("wb") as file:
            return subprocess.Popen(command, cwd=run, stderr=file)

    def _wait(self) -> None:
        """Wait until this server accepts the account that only it knows."""
        assert self._process is not None
        end = time.monotonic() + _SECONDS
        while time.monotonic() < end and self._process.poll() is None:
            try:
                with imaplib.IMAP4(HOST, self.port, timeout=_SECONDS) as client:
                    client.login(_STRANGER, self._secret)
                    return
            except OSError, imaplib.IMAP4.error:
                time.sleep(0.05)
        self._process.terminate()
        self._process.wait(_SECONDS)
        raise MailServerError("It does not answer.")

    def __exit__(self, *_: object) -> None:
        assert self._process is not None
        self._process.terminate()
        self._process.wait(_SECONDS)
        assert self._sockets is not None
        self._sockets.cleanup()

    def put(
        self, name: str, *messages: bytes | EmailMessage, folder: str = "", flags: str = ""
    ) -> None:
        """Put messages into a folder of a person, by default the inbox."""
        place = self.folder / "home" / name / "Maildir"
        place = place / f".{folder}" if folder else place
        for part in ("tmp", "new", "cur"):
            (place / part).mkdir(parents=True, exist_ok=True)
        for each in messages:
            self._count += 1
            data = each if isinstance(each, bytes) else each.as_bytes()
            file = f"{1_700_000_000 + self._count}.M1P1.test"
            part = f"cur/{file}:2,{flags}" if flags else f"new/{file}"
            (place / part).write_bytes(data)

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


class _Controller(Controller):
    """The controller of aiosmtpd, on a socket that listens already."""

    def _create_server(self) -> Any:
        listener = listening(self.port)
        self.port = listener.getsockname()[1]
        return self.loop.create_server(self._factory_invoker, sock=listener, ssl=self.ssl_context)


class SmtpServer:
    """aiosmtpd with sign-in; in a thread of its own."""

    def __init__(
        self, names: Iterable[str], security: Security = Security.NONE, port: int = 0
    ) -> None:
        """Accept these names with PASSWORD; port 0 takes a free one."""
        self._known = {name: PASSWORD.format(name=name) for name in names}
        self._handler = _Handler()
        self._controller = _Controller(
            self._handler,
            hostname=HOST,
            port=port,
            ready_timeout=_SECONDS,
            authenticator=self._authenticate,
            auth_required=True,
            auth_require_tls=security is Security.STARTTLS,
            ssl_context=server_context() if security is Security.TLS else None,
            tls_context=server_context() if security is Security.STARTTLS else None,
            require_starttls=security is Security.STARTTLS,
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


@cache
def certificate() -> tuple[bytes, bytes]:
    """Return a certificate for the loopback address that signs itself, and its key, as PEM."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, HOST)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=365))
        .not_valid_after(now + timedelta(days=365))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address(HOST))]), False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    return made.public_bytes(serialization.Encoding.PEM), private


def server_context() -> ssl.SSLContext:
    """Return the TLS settings of a server with the certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "certificate.pem"
        path.write_bytes(b"".join(certificate()))
        context.load_cert_chain(path)
    return context


def trusting_context() -> ssl.SSLContext:
    """Return the TLS settings of a client that trusts the certificate, and no other."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(cadata=certificate()[0].decode())
    return context


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
