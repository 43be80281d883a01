"""The contacts of people: SAGE's address books, and the parser of vCards (RFC 2426, RFC 6350)."""

import io
import quopri
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from itertools import chain
from operator import itemgetter
from typing import Any, Final, Self

from homeassistant.core import HomeAssistant, callback
from homeassistant.util.hass_dict import HassKey
from homeassistant.util.ulid import ulid_now

from ..storage import SmallStore, StoreError
from ..text import fold, nearest, with_most_words
from .bounded import ExternalError

STORAGE_KEY: Final = "sage.contacts"
_STORAGE_VERSION: Final = 1

MOST_CONTACTS: Final = 5_000  # maximum number of contacts of one person
_LIKENESS: Final = 0.75  # minimum `difflib` ratio, 0 to 1, at which a misspelt name matches
_LONGEST: Final = 200
_LONGEST_NOTE: Final = 1_000
_LONGEST_SHOWN: Final = 300  # maximum length of a note in a line for the model
_MOST_VALUES: Final = 10  # maximum number of values read from one field of a vCard

# Each sign is read once: the patterns do not go back.
_LINE: Final = re.compile(r'((?:[^":]|"[^"]*+"?)*+):(.*)', re.DOTALL)
_PARAMETER: Final = re.compile(r'(?:[^";]|"[^"]*+"?)++')
_ESCAPED: Final = re.compile(r"\\(.)", re.DOTALL)
_NEXT_PART: Final = re.compile(r"(?<!\\);")
_ADDRESS: Final = re.compile(r"[^\s@<>,;:\"]+@[^\s@<>,;:\"]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Contact:
    """A person or organization that the owner of the address book knows."""

    name: str
    uid: str = field(default_factory=lambda: f"sage-{ulid_now()}")
    nicknames: tuple[str, ...] = ()
    relation: str = ""
    """The relation to the owner of the address book, such as "mother"; empty if unknown."""

    emails: tuple[str, ...] = ()  # mail addresses, the preferred one first
    phones: tuple[str, ...] = ()
    address: str = ""
    birthday: str = ""
    organization: str = ""
    note: str = ""

    @property
    def line(self) -> str:
        """All fields on one line for the model; untrusted."""
        fields = {
            "nicknames": ", ".join(self.nicknames),
            "relation to the person": self.relation,
            "mail": ", ".join(self.emails),
            "phone": ", ".join(self.phones),
            "address": self.address,
            "birthday": self.birthday,
            "organization": self.organization,
            "note": self.note[:_LONGEST_SHOWN],
        }
        return " | ".join(
            (self.name, *(f"{name}: {text}" for name, text in fields.items() if text))
        )

    def as_dict(self) -> dict[str, Any]:
        """Return the contact as a JSON object without empty fields."""
        return {name: value for name, value in asdict(self).items() if value}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the contact from the result of `as_dict`."""
        lists = {name: tuple(data.get(name, ())) for name in ("nicknames", "emails", "phones")}
        return cls(**{**data, **lists})


def is_email_address(text: str) -> bool:
    """Return whether `text` is exactly one mail address."""
    return len(text) <= _LONGEST and _ADDRESS.fullmatch(text) is not None


_BOOKS: Final[HassKey[AddressBooks]] = HassKey(STORAGE_KEY)


@callback
def books_of(hass: HomeAssistant) -> AddressBooks:
    """Return the address books of the household, which outlive a reload of SAGE."""
    return hass.data.setdefault(_BOOKS, AddressBooks(hass))


class AddressBooks:
    """The contacts of all people; the argument `owner` is always a user id."""

    def __init__(self, hass: HomeAssistant) -> None:
        """Start empty; `async_load` reads the stored contacts."""
        self._hass = hass
        self._store = SmallStore(
            hass,
            _STORAGE_VERSION,
            STORAGE_KEY,
            private=True,
            atomic_writes=True,
            serialize_in_event_loop=False,
        )
        self.books: Mapping[str, Mapping[str, Contact]] = {}
        """Owner -> uid -> contact; without people who have no contacts."""

    async def async_load(self) -> None:
        """Add the stored contacts, without unreadable ones. Never raises."""
        books: dict[str, dict[str, Contact]] = {}
        for owner, stored in (await self._store.async_load()).items():
            for data in stored if isinstance(stored, list) else ():
                with suppress(AttributeError, KeyError, TypeError, ValueError):
                    contact = Contact.from_dict(data)
                    if isinstance(contact.uid, str) and isinstance(contact.name, str):
                        books.setdefault(owner, {})[contact.uid] = contact
        self.books = {**books, **self.books}

    async def async_contacts(self, owner: str) -> tuple[Contact, ...]:
        """Return the contacts of a person, sorted by name."""
        contacts = tuple(self.books.get(owner, {}).values())
        return await self._hass.async_add_executor_job(_sorted, contacts)

    async def async_named(self, owner: str, name: str) -> list[Contact]:
        """Return the contacts of a person that have exactly this name."""
        contacts = await self.async_contacts(owner)
        return [contact for contact in contacts if fold(contact.name) == fold(name)]

    async def async_changed(
        self,
        owner: str,
        name: str,
        *,
        email: str = "",
        phone: str = "",
        relation: str = "",
        birthday: str = "",
    ) -> Contact:
        """Return the contact of this name, or a new one, with these values, cut; stores nothing.

        An empty value changes nothing. A new mail address or phone number becomes the first one.
        Raises ExternalError for an invalid mail address.
        """
        if email and not is_email_address(email):
            raise ExternalError("`email` must be one mail address, such as tom@example.org.")
        phone = phone[:_LONGEST]
        contact = next(iter(await self.async_named(owner, name)), Contact(name=name))
        emails = (email, *(each for each in contact.emails if each != email))
        phones = (phone, *(each for each in contact.phones if each != phone))
        return replace(
            contact,
            emails=tuple(filter(None, emails)),
            phones=tuple(filter(None, phones)),
            relation=relation[:_LONGEST] or contact.relation,
            birthday=birthday[:_LONGEST] or contact.birthday,
        )

    async def async_find(self, owner: str, name: str, relation: str) -> list[Contact]:
        """Return the contacts of a person that match.

        `relation`: such as "mother". If `name` or `relation` is empty, it matches all contacts. If
        no contact has this name, similar names match. If no contact has this relation, every
        contact with a recorded relation matches: the recorded word may be in another language,
        e.g. "Mama", which the model understands.
        """
        contacts = list(await self.async_contacts(owner))
        if relation:
            same = [each for each in contacts if fold(each.relation) == fold(relation)]
            contacts = same or [each for each in contacts if each.relation]
        return _with_name(contacts, name) if name else contacts

    async def async_put(self, owner: str, contacts: Sequence[Contact]) -> None:
        """Store contacts, replacing equal uids. Raises ExternalError, also if they are too many."""
        book = {**self.books.get(owner, {}), **{contact.uid: contact for contact in contacts}}
        if len(book) > MOST_CONTACTS:
            raise ExternalError(
                f"An address book holds at most {MOST_CONTACTS} contacts. Delete some first."
            )
        await self._async_save(owner, book)

    async def async_import(self, owner: str, file: bytes) -> None:
        """Store the contacts of a vCard file. Raises ExternalError, also if it has none."""
        if not (contacts := await self._hass.async_add_executor_job(read_cards, file)):
            raise ExternalError("The file has no readable contacts.")
        await self.async_put(owner, contacts)

    async def async_remove(self, owner: str, uids: Sequence[str]) -> None:
        """Delete the person's contacts with these uids. Raises ExternalError."""
        book = self.books.get(owner, {})
        await self._async_save(owner, {uid: book[uid] for uid in book if uid not in uids})

    async def async_forget(self, owner: str) -> None:
        """Delete all contacts of a person. Raises ExternalError."""
        if owner in self.books:
            await self._async_save(owner, {})

    async def _async_save(self, owner: str, book: Mapping[str, Contact]) -> None:
        books = {name: each for name, each in {**self.books, owner: book}.items() if each}
        try:
            await self._store.async_save_now(
                {
                    name: [contact.as_dict() for contact in each.values()]
                    for name, each in books.items()
                }
            )
        except StoreError as err:
            raise ExternalError(str(err)) from err
        self.books = books


def _sorted(contacts: Sequence[Contact]) -> tuple[Contact, ...]:
    return tuple(sorted(contacts, key=lambda contact: (contact.name.casefold(), contact.uid)))


def _with_name(contacts: Sequence[Contact], name: str) -> list[Contact]:
    """Return the contacts with the most words of `name`, or up to three with similar names."""
    if matching := with_most_words(name, contacts, lambda contact: " ".join(_names(contact))):
        return matching
    by_name = {
        text: contact
        for contact in contacts
        for whole in _names(contact)
        for text in (whole, *whole.split())
    }
    similar = nearest(name, by_name, 3, _LIKENESS)
    return list(dict.fromkeys(by_name[text] for text in similar))


def _names(contact: Contact) -> tuple[str, ...]:
    return (contact.name, *contact.nicknames, contact.organization)


def read_cards(content: bytes) -> list[Contact]:
    """Return the contacts in a vCard file; unreadable cards are left out.

    The encoding is UTF-8 or Latin-1. This function blocks; call it in the executor.
    """
    contacts: list[Contact] = []
    card: _Card | None = None
    for line in _unfolded(content):
        border = line[:12].strip().upper()
        if border == b"BEGIN:VCARD":
            card = _Card()
        elif border == b"END:VCARD":
            if card is not None and (contact := card.contact()) is not None:
                contacts.append(contact)
            card = None
        elif card is not None:
            card.add(_decoded(line))
    return contacts


def _unfolded(content: bytes) -> Iterator[bytes]:
    """Yield the lines of a file without their folds (RFC 6350, section 3.2)."""
    pieces: list[bytes] = []
    for ended in io.BytesIO(content.removeprefix(b"\xef\xbb\xbf")):
        piece = ended.rstrip(b"\r\n")
        is_quoted = pieces and pieces[-1].endswith(b"=") and _QUOTED in pieces[0].upper()
        if is_quoted or (pieces and piece.startswith((b" ", b"\t"))):
            pieces.append(b"\n" + piece if is_quoted else piece[1:])
            continue
        if pieces:
            yield b"".join(pieces)
        pieces = [piece]
    yield b"".join(pieces)


_QUOTED: Final = b"QUOTED-PRINTABLE"


def _decoded(raw: bytes) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.decode("latin-1")


class _Card:
    """The properties of a vCard, such as `item1.EMAIL;TYPE=home:anna@example.org`."""

    def __init__(self) -> None:
        self._values: dict[str, list[tuple[bool, str]]] = {}
        """Name of a property -> False for a preferred value, and the value."""

    def add(self, line: str) -> None:
        """Add the property in a line; ignore a line of another form."""
        if (split := _LINE.fullmatch(line)) is None:
            return
        names, *parameters = _PARAMETER.findall(split[1]) or [""]
        value, is_preferred = split[2], False
        for parameter in parameters:
            # In vCard 2.1, a parameter may be only a value.
            kind, _, values = parameter.upper().rpartition("=")
            if "QUOTED-PRINTABLE" in values:
                value = _decoded(quopri.decodestring(value.encode()))
            types = values.replace('"', "").split(",") if kind in ("TYPE", "") else ()
            is_preferred = is_preferred or kind == "PREF" or "PREF" in map(str.strip, types)
        name = names.rpartition(".")[2].strip().casefold()
        self._values.setdefault(name, []).append((not is_preferred, value))

    def contact(self) -> Contact | None:
        emails = tuple(filter(is_email_address, self._texts("email")))
        name = next(chain(self._texts("fn"), self._full_names(), emails), "")
        if not name:
            return None
        return Contact(
            uid=next(self._texts("uid"), name),
            name=name,
            nicknames=tuple(self._texts("nickname")),
            emails=emails,
            phones=tuple(number.removeprefix("tel:") for number in self._texts("tel")),
            address=next(self._joined("adr"), ""),
            birthday=next(self._texts("bday"), ""),
            organization=next(self._joined("org"), ""),
            note=_flat(" ".join(map(_plain, self._raw("note"))), _LONGEST_NOTE),
        )

    def _raw(self, name: str) -> list[str]:
        """Return the values of a property as they are written, the preferred ones first."""
        values = self._values.get(name, ())[:_MOST_VALUES]
        return [value for _, value in sorted(values, key=itemgetter(0))]

    def _texts(self, name: str) -> Iterator[str]:
        return filter(None, (_flat(_plain(value)) for value in self._raw(name)))

    def _parts(self, name: str) -> Iterator[list[str]]:
        for value in self._raw(name):
            yield [_flat(_plain(part)) for part in _NEXT_PART.split(value)]

    def _joined(self, name: str) -> Iterator[str]:
        return (_flat(", ".join(filter(None, parts))) for parts in self._parts(name))

    def _full_names(self) -> Iterator[str]:
        for parts in self._parts("n"):
            family, first, middle, before, after = (*parts, "", "", "", "")[:5]
            if name := _flat(f"{before} {first} {middle} {family} {after}"):
                yield name


def _plain(value: str) -> str:
    """Return a value without the escapes of RFC 6350, section 3.4."""
    return _ESCAPED.sub(lambda sign: "\n" if sign[1] in "nN" else sign[1], value)


def _flat(text: str, longest: int = _LONGEST) -> str:
    return " ".join(text.split())[:longest]
