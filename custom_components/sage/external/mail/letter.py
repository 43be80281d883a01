"""Outgoing messages, to be sent or saved as drafts."""

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.errors import MessageError
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, make_msgid
from typing import Final

from .mail_error import MailRefusedError
from .message import cleaned, one_line

MOST_RECIPIENTS: Final = 20
LONGEST_LETTER: Final = 20_000
"""Maximum length of the text in characters."""

_LONGEST_ADDRESS: Final = 254
"""Maximum length of an address in characters (RFC 5321)."""

_ADDRESS: Final = re.compile(r"[^\s@<>,;:\"()\[\]\\]+@[A-Za-z0-9.-]+\.[A-Za-z0-9-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """An outgoing message; sent unchanged after the person has confirmed it."""

    sender: str
    to: tuple[str, ...]
    cc: tuple[str, ...] = ()
    subject: str
    text: str
    references: tuple[str, ...] = ()
    """Message ids of the thread; the last one is the message being answered."""

    message_id: str = field(default="", compare=False)
    at: datetime = field(default_factory=lambda: datetime.now(UTC), compare=False)

    @property
    def recipients(self) -> tuple[str, ...]:
        """All addresses in `to` and `cc`, without duplicates."""
        return tuple(dict.fromkeys((*self.to, *self.cc)))

    @property
    def digest(self) -> str:
        """A case-insensitive hash of sender, recipients, subject and text."""
        parts = (self.sender, *sorted(self.to), "", *sorted(self.cc), "", self.subject, self.text)
        return hashlib.sha256("\x00".join(parts).casefold().encode()).hexdigest()

    def as_bytes(self) -> bytes:
        """Return the message in Internet Message Format."""
        message = EmailMessage(policy=SMTP)
        message["From"] = _header(self.sender)
        message["To"] = [_header(each) for each in self.to]
        if self.cc:
            message["Cc"] = [_header(each) for each in self.cc]
        message["Subject"] = self.subject
        message["Date"] = format_datetime(self.at)
        message["Message-ID"] = self.message_id
        if self.references:
            message["In-Reply-To"] = self.references[-1]
            message["References"] = " ".join(self.references)
        message.set_content(self.text, cte="quoted-printable")
        return message.as_bytes()


def write_letter(
    *,
    sender: str,
    to: Iterable[str],
    cc: Iterable[str] = (),
    subject: str,
    text: str,
    references: tuple[str, ...] = (),
    needs_recipient: bool = True,
) -> Letter:
    """Return a validated message with a new message id; invisible characters are removed.

    Raises MailRefusedError if a field is invalid; the error text says how to fix the field.
    """
    letter = Letter(
        sender=sender,
        to=tuple(dict.fromkeys(map(_checked, to))),
        cc=tuple(dict.fromkeys(map(_checked, cc))),
        subject=one_line(subject),
        text=cleaned(text.replace("\r\n", "\n").replace("\r", "\n")).strip() + "\n",
        references=references,
        message_id=make_msgid(domain=sender.rpartition("@")[2]),
    )
    if needs_recipient and not letter.to:
        raise MailRefusedError("`to` needs at least one address.")
    if len(letter.recipients) > MOST_RECIPIENTS:
        raise MailRefusedError(f"At most {MOST_RECIPIENTS} recipients are possible.")
    if len(letter.text) > LONGEST_LETTER:
        raise MailRefusedError(f"The text must not be longer than {LONGEST_LETTER} characters.")
    return letter


def _checked(address: str) -> str:
    """Validate an address and return it in ASCII. Raises MailRefusedError."""
    local, _, domain = address.strip()[: _LONGEST_ADDRESS + 1].rpartition("@")
    try:
        ascii_domain = domain.encode("idna").decode()
        checked = str(Address(addr_spec=f"{local}@{ascii_domain}"))
    except MessageError, ValueError, IndexError, RecursionError:
        checked = ""
    if not checked.isascii() or len(checked) > _LONGEST_ADDRESS or not _ADDRESS.fullmatch(checked):
        raise MailRefusedError(
            f"“{one_line(address)}” is no mail address. Give each as name@example.com, without "
            "a name."
        )
    return checked


def _header(address: str) -> Address:
    return Address(addr_spec=address)
