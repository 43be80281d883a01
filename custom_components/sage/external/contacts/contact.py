"""Contacts, and the parser of vCards (RFC 2426, RFC 6350)."""

import logging
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final, Self

import vobject

_LOGGER = logging.getLogger(__name__)

_LONGEST: Final = 200
_LONGEST_NOTE: Final = 1_000
_MOST_VALUES: Final = 10
"""Maximum number of values read from one field of a vCard."""

_CARD: Final = re.compile(
    r"^BEGIN:VCARD\b.*?^END:VCARD\b", re.DOTALL | re.IGNORECASE | re.MULTILINE
)
_ADDRESS: Final = re.compile(r"[^\s@<>,;:\"]+@[^\s@<>,;:\"]+")
_APPLE_LABEL: Final = re.compile(r"^_\$!<(.*)>!\$_$")
_PREFERRED: Final = "pref"


@dataclass(frozen=True, slots=True, kw_only=True)
class Related:
    """A relative or friend who is named on the card of a contact."""

    relation: str
    """The relation that the card states: a value of RFC 6350 such as `parent`, or a free text."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Contact:
    """A person or organization that the owner of the address book knows."""

    uid: str
    name: str
    nicknames: tuple[str, ...] = ()
    relation: str = ""
    """The relation to the owner of the address book, such as "mother"; empty if unknown."""

    emails: tuple[str, ...] = ()
    """Mail addresses, the preferred one first."""

    phones: tuple[str, ...] = ()
    address: str = ""
    birthday: str = ""
    organization: str = ""
    note: str = ""
    related: tuple[Related, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return the contact as a JSON object without empty fields."""
        return {name: value for name, value in asdict(self).items() if value}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the contact from the result of `as_dict`."""
        lists = {name: tuple(data.get(name, ())) for name in ("nicknames", "emails", "phones")}
        related = tuple(Related(**each) for each in data.get("related", ()))
        return cls(**{**data, **lists, "related": related})


def is_email_address(text: str) -> bool:
    """Return whether `text` is exactly one mail address."""
    return _ADDRESS.fullmatch(text) is not None and len(text) <= _LONGEST


def read_cards(text: str) -> tuple[list[Contact], int]:
    """Return the contacts in a vCard file, and the number of unreadable cards.

    This function blocks; call it in the executor.
    """
    found: list[Contact] = []
    unreadable = 0
    for match in _CARD.finditer(text.replace("\r\n", "\n").replace("\r", "\n")):
        if (contact := _contact(match.group())) is None:
            unreadable += 1
        else:
            found.append(contact)
    return found, unreadable


def text_of(content: bytes) -> str:
    """Decode a vCard file: UTF-16 with a byte order mark, else UTF-8, else Latin-1."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", errors="replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def _contact(card: str) -> Contact | None:
    """Return the contact on a vCard; None if it has no name or mail address, or is invalid."""
    try:
        read = vobject.readOne(card)
        emails = tuple(each for each in _texts(read, "email") if is_email_address(each))
        name = next(_texts(read, "fn"), "") or _full_name(read) or next(iter(emails), "")
        if not name:
            return None
        return Contact(
            uid=next(_texts(read, "uid"), "") or name,
            name=name,
            nicknames=tuple(_texts(read, "nickname")),
            emails=emails,
            phones=tuple(each.removeprefix("tel:") for each in _texts(read, "tel")),
            address=next(map(_address, _lines(read, "adr")), ""),
            birthday=next(_texts(read, "bday"), ""),
            organization=next(_texts(read, "org"), ""),
            note=_flat(" ".join(str(each.value) for each in _lines(read, "note")), _LONGEST_NOTE),
            related=tuple(_related(read)),
        )
    except Exception as err:
        # A card is untrusted, and the parser raises many kinds of errors.
        _LOGGER.debug("A vCard cannot be read", exc_info=err)
        return None


def _lines(card: Any, name: str) -> list[Any]:
    """Return the lines of a vCard field, those marked as preferred first."""
    lines = card.contents.get(name, [])[:_MOST_VALUES]
    return sorted(lines, key=lambda line: not _is_preferred(line))


def _is_preferred(line: Any) -> bool:
    return _PREFERRED in _types(line) or "PREF" in line.params


def _types(line: Any) -> list[str]:
    return [
        each.strip().casefold() for item in line.params.get("TYPE", []) for each in item.split(",")
    ]


def _texts(card: Any, name: str) -> Iterator[str]:
    for line in _lines(card, name):
        value = line.value
        text = _flat(", ".join(map(str, value)) if isinstance(value, list) else str(value))
        if text:
            yield text


def _full_name(card: Any) -> str:
    return next((_flat(str(line.value)) for line in _lines(card, "n")), "")


def _address(line: Any) -> str:
    return _flat(str(line.value).replace("\n", ", "))


def _related(card: Any) -> Iterator[Related]:
    """Yield the relations on a card: `RELATED` of RFC 6350, and `X-ABRELATEDNAMES` of Apple."""
    for line in _lines(card, "related"):
        kinds = [each for each in _types(line) if each != _PREFERRED]
        if name := _flat(str(line.value)):
            yield Related(relation=next(iter(kinds), ""), name=name)
    labels = {each.group: str(each.value) for each in _lines(card, "x-ablabel")}
    for line in _lines(card, "x-abrelatednames"):
        label = labels.get(line.group, "")
        standard = _APPLE_LABEL.match(label)
        if name := _flat(str(line.value)):
            yield Related(relation=_flat(standard[1] if standard else label), name=name)


def _flat(text: str, longest: int = _LONGEST) -> str:
    """Return the text on one line, cut to `longest` characters."""
    return " ".join(text.split())[:longest]
