"""Parse received messages into frozen data classes."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import EmailMessage
from email.utils import getaddresses, parsedate_to_datetime
from typing import Final

from .html_text import visible_text

LONGEST_TEXT: Final = 12_000
"""Maximum length of the text of a message in characters; longer texts are cut."""

_LONGEST_HEADER: Final = 300
_MOST_ATTACHMENTS: Final = 20
_MESSAGE_ID: Final = re.compile(r"<[^<>\s]{1,250}>")
_INVISIBLE: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\u2800")
"""Invisible characters that Unicode does not classify as format characters."""

_VARIATIONS: Final = re.compile("[\ufe00-\ufe0e\U000e0100-\U000e01ef]")
"""Variation selectors, which can encode hidden bytes; the emoji selector U+FE0F is allowed."""

_FALLBACKS: Final = ("utf-8", "cp1252", "latin-1")


@dataclass(frozen=True, slots=True, kw_only=True)
class MailAddress:
    """A name and an address from a header; both are untrusted."""

    name: str
    address: str

    def __str__(self) -> str:
        return f"{self.name} <{self.address}>" if self.name else self.address


@dataclass(frozen=True, slots=True, kw_only=True)
class MailHead:
    """The header of a message."""

    sender: MailAddress
    to: tuple[MailAddress, ...]
    cc: tuple[MailAddress, ...]
    reply_to: tuple[MailAddress, ...]
    subject: str
    at: datetime | None
    """The date in the header, aware; None if it is missing or invalid."""

    message_id: str
    references: tuple[str, ...]
    """Message ids of earlier messages of the thread, the oldest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """The name and type of an attachment; SAGE never opens its content."""

    name: str
    kind: str
    """The MIME type."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MailBody:
    """The text and the attachments of a message."""

    text: str
    attachments: tuple[Attachment, ...]
    is_cut: bool
    """Whether the text was cut."""

    has_hidden: bool
    """Whether hidden text was removed from an HTML message."""


def cleaned(text: str) -> str:
    """Return the text without invisible characters, which could hide instructions for models."""
    return "".join(
        each
        for each in _VARIATIONS.sub("", text)
        if each in "\n\t\u200d\ufe0f"
        or (each not in _INVISIBLE and not unicodedata.category(each).startswith("C"))
    )


def one_line(text: str) -> str:
    """Return the text on one line, cut to 300 characters and without invisible characters."""
    flat = " ".join(cleaned(text.replace("\n", " ").replace("\r", " ")).split())
    return flat if len(flat) <= _LONGEST_HEADER else f"{flat[:_LONGEST_HEADER]} ..."


def head_of(data: bytes) -> MailHead:
    """Parse the header from the bytes of a message or of a header alone."""
    # Read raw items, because the parsers of the library fail on some broken headers.
    items = list(message_from_bytes(data, policy=policy.compat32).raw_items())

    def header(name: str) -> str:
        return next((str(value) for key, value in items if key.lower() == name.lower()), "")

    def addresses(name: str) -> tuple[MailAddress, ...]:
        raw = [str(value) for key, value in items if key.lower() == name.lower()]
        found = getaddresses(raw, strict=False)
        return tuple(
            MailAddress(name=one_line(_decoded(shown)), address=one_line(address))
            for shown, address in found[:50]
            if "@" in address
        )

    unknown = MailAddress(name="", address="unknown")
    earlier = _MESSAGE_ID.findall(f"{header('References')} {header('In-Reply-To')}")
    own = _MESSAGE_ID.search(header("Message-ID"))
    return MailHead(
        sender=next(iter(addresses("From")), unknown),
        to=addresses("To"),
        cc=addresses("Cc"),
        reply_to=addresses("Reply-To"),
        subject=one_line(_decoded(header("Subject"))),
        at=_date(header("Date")),
        message_id=own[0] if own else "",
        references=tuple(dict.fromkeys(earlier)),
    )


def body_of(data: bytes, *, is_cut: bool = False) -> MailBody:
    """Parse the text and the attachments of a message.

    `is_cut`: whether `data` is only the beginning of the message.
    """
    parsed = message_from_bytes(data, policy=policy.default)
    assert isinstance(parsed, EmailMessage)
    text, has_hidden = _text(parsed)
    text = cleaned(text.replace("\r\n", "\n").replace("\r", "\n")).strip()
    return MailBody(
        text=text[:LONGEST_TEXT],
        attachments=tuple(_attachments(parsed)),
        is_cut=is_cut or len(text) > LONGEST_TEXT,
        has_hidden=has_hidden,
    )


def _text(parsed: EmailMessage) -> tuple[str, bool]:
    """Return the text of a message, and whether hidden text was removed."""
    plain = html = ""
    for part in _leaves(parsed):
        kind = part.get_content_type()
        if _file_name(part) or part.get_content_disposition() == "attachment":
            continue
        if kind == "text/html":
            html = f"{html}\n{_content(part)}"
        elif kind.startswith("text/") or kind == "message/delivery-status":
            plain = f"{plain}\n{_content(part)}"
    if plain.strip():
        return plain, False
    shown = visible_text(html)
    return shown.text, shown.has_hidden


def _leaves(parsed: EmailMessage) -> Iterator[EmailMessage]:
    """Yield the parts without sub-parts; a forwarded message counts as one part."""
    if not parsed.is_multipart() or parsed.get_content_maintype() == "message":
        yield parsed
        return
    for part in parsed.iter_parts():
        if isinstance(part, EmailMessage):
            yield from _leaves(part)


def _content(part: EmailMessage) -> str:
    """Decode the text of a part; undecodable bytes are replaced."""
    try:
        payload = part.get_payload(decode=True)
    except MessageError, ValueError, LookupError:
        payload = None
    if not isinstance(payload, bytes):
        return str(part.get_payload()) if not part.is_multipart() else ""
    try:
        named = part.get_content_charset()
    except MessageError, ValueError, LookupError, AttributeError:
        named = None
    for charset in (named, *_FALLBACKS):
        try:
            return payload.decode(charset or "utf-8")
        except LookupError, UnicodeError:
            continue
    return payload.decode("ascii", "replace")


def _attachments(parsed: EmailMessage) -> Iterator[Attachment]:
    count = 0
    for part in _leaves(parsed):
        kind = part.get_content_type()
        name = _file_name(part)
        is_file = name or part.get_content_disposition() == "attachment"
        if (is_file or not kind.startswith(("text/", "multipart/"))) and count < _MOST_ATTACHMENTS:
            count += 1
            yield Attachment(name=one_line(name) or "without a name", kind=one_line(kind))


def _file_name(part: EmailMessage) -> str:
    try:
        return _decoded(part.get_filename() or "")
    except MessageError, ValueError, LookupError, TypeError, IndexError:
        return "unreadable name"


def _decoded(raw: object) -> str:
    """Decode a header; undecodable parts stay encoded."""
    try:
        text = str(make_header(decode_header(str(raw))))
    except MessageError, ValueError, LookupError:
        text = str(raw)
    # Bytes outside ASCII are surrogates; most of them are UTF-8.
    raw_bytes = text.encode("utf-8", "surrogateescape")
    try:
        return raw_bytes.decode()
    except UnicodeDecodeError:
        return raw_bytes.decode("cp1252", "replace")


def _date(text: str) -> datetime | None:
    try:
        at = parsedate_to_datetime(text)
        return at if at.tzinfo is not None else at.replace(tzinfo=UTC)
    except TypeError, ValueError, IndexError, OverflowError:
        return None
