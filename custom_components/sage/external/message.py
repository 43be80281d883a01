"""Parse received messages."""

import codecs
import logging
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email import message_from_bytes
from email.header import decode_header, make_header
from email.message import Message
from email.parser import BytesHeaderParser
from email.utils import getaddresses, parsedate_to_datetime
from itertools import islice
from typing import Final

from ..text import visible
from .html_text import visible_text

_LOGGER: Final = logging.getLogger(__name__)

LONGEST_TEXT: Final = 12_000
"""Maximum length of the text of a message in characters; longer texts are cut."""

LONGEST_HEAD: Final = 64 * 1024
"""Maximum size of the header of a message or of a part in bytes; the rest is not read."""

_LONGEST_FIELD: Final = 4_000
"""Maximum length of one field of a header in characters; longer ones are cut before parsing."""

_MOST_FIELDS: Final = 500
_LONGEST_HEADER: Final = 300
_MOST_ADDRESSES: Final = 50
_MOST_REFERENCES: Final = 50
_MOST_ATTACHMENTS: Final = 20
_MOST_PARTS: Final = 100
_MESSAGE_ID: Final = re.compile("<[!-;=?-~]{1,250}>")
_MIME_FIELDS: Final = ("content-type", "content-disposition", "content-transfer-encoding")
UNREADABLE: Final = "This text cannot be read."
_FALLBACKS: Final = ("utf-8", "cp1252", "latin-1")
_NO_CHARSETS: Final = frozenset({"idna", "punycode", "unicode-escape", "raw-unicode-escape"})
"""Codecs of Python that are no character sets; the first two need quadratic time."""


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
    at: datetime | None  # the date in the header, aware; None if it is missing or invalid
    message_id: str
    references: tuple[str, ...]  # message ids of earlier messages of the thread, the oldest first


@dataclass(frozen=True, slots=True, kw_only=True)
class MailBody:
    """The text and the attachments of a message."""

    text: str
    attachments: tuple[str, ...]  # the names of the attachments; SAGE never opens their content
    is_cut: bool  # whether the text was cut

    @property
    def note(self) -> str:
        """What the model should know about the text, in SAGE's words."""
        notes = []
        if self.attachments:
            notes.append("Attachments are only named; SAGE does not open them.")
        if self.is_cut:
            notes.append("The message is longer; only its beginning is here.")
        return " ".join(notes)


def one_line(text: str) -> str:
    """Return the text on one line, cut to 300 characters and without invisible characters."""
    flat = " ".join(visible(text.replace("\r", " ")).split())
    return flat if len(flat) <= _LONGEST_HEADER else f"{flat[:_LONGEST_HEADER]} ..."


def head_of(data: bytes) -> MailHead:
    """Parse the header of a message or of a header alone; a broken field affects no other."""
    fields = _fields(data)

    def addresses(name: str) -> tuple[MailAddress, ...]:
        def read() -> tuple[MailAddress, ...]:
            pairs = getaddresses([_field(fields, name)], strict=False)[:_MOST_ADDRESSES]
            return tuple(
                MailAddress(name=one_line(_decoded(shown)), address=one_line(address))
                for shown, address in pairs
                if "@" in address
            )

        return _safely(read, ())

    unknown = MailAddress(name="", address="unknown")
    earlier = _MESSAGE_ID.findall(f"{_field(fields, 'References')} {_field(fields, 'In-Reply-To')}")
    own = _MESSAGE_ID.search(_field(fields, "Message-ID"))
    return MailHead(
        sender=next(iter(addresses("From")), unknown),
        to=addresses("To"),
        cc=addresses("Cc"),
        reply_to=addresses("Reply-To"),
        subject=one_line(_decoded(_field(fields, "Subject"))),
        at=_safely(lambda: _date(_field(fields, "Date")), None),
        message_id=own[0] if own else "",
        references=tuple(dict.fromkeys(earlier))[-_MOST_REFERENCES:],
    )


def body_of(data: bytes, *, is_cut: bool = False) -> MailBody:
    """Parse text and attachments; `is_cut`: whether `data` is only the beginning."""
    unreadable = Message()
    unreadable.set_payload(UNREADABLE)
    parts = _safely(lambda: list(islice(_leaves(data), _MOST_PARTS + 1)), [unreadable])
    is_cut = is_cut or len(parts) > _MOST_PARTS
    text = _safely(lambda: _text(parts), UNREADABLE)
    text = visible(text.replace("\r\n", "\n").replace("\r", "\n")).strip()
    attached = (
        one_line(_file_name(part)) or "without a name"
        for part in parts
        if _is_file(part) or not part.get_content_type().startswith("text/")
    )
    return MailBody(
        text=text[:LONGEST_TEXT],
        attachments=tuple(islice(attached, _MOST_ATTACHMENTS)),
        is_cut=is_cut or len(text) > LONGEST_TEXT,
    )


def _safely[T](read: Callable[[], T], otherwise: T) -> T:
    """Return the result of `read`, or `otherwise`: the library raises errors of many kinds."""
    try:
        return read()
    except Exception:
        _LOGGER.debug("A part of a message cannot be read", exc_info=True)
        return otherwise


def _fields(head: bytes) -> list[tuple[str, str]]:
    """Return the fields of a header by name in lower case; bytes outside ASCII are surrogates."""
    fields = BytesHeaderParser().parsebytes(head[:LONGEST_HEAD]).raw_items()
    return [(name.lower(), str(value)) for name, value in islice(fields, _MOST_FIELDS)]


def _field(fields: list[tuple[str, str]], name: str) -> str:
    values = (value for key, value in fields if key == name.lower())
    return ", ".join(islice(values, _MOST_ADDRESSES))[:_LONGEST_FIELD]


def _text(parts: list[Message]) -> str:
    """Return the text of a message, of its HTML parts only if it has no other."""
    plain: list[str] = []
    html: list[str] = []
    for part in parts:
        kind = part.get_content_type()
        if _is_file(part):
            continue
        if kind == "text/html":
            html.append(_content(part))
        elif kind.startswith("text/"):
            plain.append(_content(part))
    if (text := "\n".join(plain)).strip():
        return text
    return visible_text("\n".join(html))


def _leaves(data: bytes) -> Iterator[Message]:
    """Yield the parts without sub-parts, also of forwarded messages."""
    for part in message_from_bytes(data).walk():
        for name, value in part.raw_items():
            if name.lower() in _MIME_FIELDS:
                part.replace_header(name, _unicode(str(value)[:_LONGEST_FIELD]))
        if not part.is_multipart():
            yield part


def _content(part: Message) -> str:
    payload = _safely(lambda: part.get_payload(decode=True), None)
    if not isinstance(payload, bytes):
        return str(part.get_payload())
    named = _safely(part.get_content_charset, None)
    for charset in (named, *_FALLBACKS):
        if charset is not None and _is_charset(charset):
            try:
                return payload.decode(charset)
            except LookupError, ValueError:
                continue
    return payload.decode("latin-1")


def _is_charset(name: str) -> bool:
    return (
        len(name) < 40 and _safely(lambda: codecs.lookup(name).name, "punycode") not in _NO_CHARSETS
    )


def _is_file(part: Message) -> bool:
    return bool(_file_name(part)) or part.get_content_disposition() == "attachment"


def _file_name(part: Message) -> str:
    return _safely(lambda: _decoded(part.get_filename() or ""), "unreadable name")


def _decoded(raw: str) -> str:
    return _unicode(_safely(lambda: str(make_header(decode_header(raw))), raw))


def _unicode(text: str) -> str:
    """Replace surrogates, which are bytes outside ASCII; most of them are UTF-8."""
    try:
        raw_bytes = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raw_bytes = text.encode("utf-8", "replace")
    try:
        return raw_bytes.decode()
    except UnicodeDecodeError:
        return raw_bytes.decode("cp1252", "replace")


def _date(text: str) -> datetime | None:
    """Return a date in a header; None if its year is so far away that calculations overflow."""
    at = parsedate_to_datetime(text)
    at = at if at.tzinfo is not None else at.replace(tzinfo=UTC)
    return at if 1900 < at.year < 9000 else None
