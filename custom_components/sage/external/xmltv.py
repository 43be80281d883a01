"""Parse an XMLTV file in pieces (format: https://wiki.xmltv.org/index.php/XMLTVFormat)."""

import gzip
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import IO, Final, cast
from xml.parsers import expat

from ..storage import StoreError
from ..text import key, words

_PIECE: Final = 32 * 1024  # number of bytes in one piece; parsing takes about two milliseconds
_MOST_BYTES: Final = 2 * 1024**3
"""Maximum size of an unpacked guide in bytes; a small gzip file can unpack to any size."""

_DEEPEST: Final = 50  # maximum depth of the elements
_LONGEST: Final = {"title": 200, "sub-title": 200, "desc": 2000, "category": 100}
_LONGEST_NAME: Final = 100
_LONGEST_READ: Final = 8_000  # maximum text that is read from an element, with its spaces
_MOST_NAMES: Final = 10
_GZIP: Final = b"\x1f\x8b"

_TIME: Final = re.compile(
    r"(\d{4})(\d\d)(\d\d)(\d\d)?(\d\d)?(\d\d)?\s*(?:([+-])(\d\d):?(\d\d)|Z|UTC|GMT|)"
)
_NUMBER: Final = re.compile(r"\d+(?:[.\-]\d+)?")


class GuideError(StoreError):
    """A TV guide cannot be fetched, stored or read; the text says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """A channel of the guide."""

    id: str  # the id in the file, such as `bbc1.uk`
    names: tuple[str, ...]  # the names, at least one. SAGE shows the first one.
    number: str = ""  # the logical channel number; empty if the guide has none

    def is_named(self, name: str) -> bool:
        """Return whether `name` is exactly a name, the id or the number of the channel."""
        names = (self.number, self.id, *self.names)
        return bool(key(name)) and key(name) in map(key, names)

    def source_in(self, sources: Sequence[str]) -> str:
        """Return the entry of a TV's source list that has a name of the channel, or "".

        Numbers in an entry are ignored: "5 BBC One" matches BBC One.
        """
        names = [words(name) for name in self.names]
        letters = [_letters(name) for name in self.names]
        exact = (source for source in sources if words(source) in names)
        alike = (source for source in sources if _letters(source) and _letters(source) in letters)
        return next(exact, "") or next(alike, "")

    def number_in(self, source: str) -> str:
        """Return "5" for the entry "5 BBC One", or ""; the channel's own number does not count."""
        for name in self.names:
            more = list(words(source))
            for word in words(name):
                if word in more:
                    more.remove(word)
            if len(more) == 1 and more[0].isdecimal():
                return more[0]
        return ""

    def ways_to(self, sources: Sequence[str]) -> set[str]:
        """Return what commands to a TV with this source list may name to put the channel on."""
        source = self.source_in(sources)
        return {self.number, source, self.number_in(source)} - {""}


def _letters(name: str) -> tuple[str, ...]:
    return tuple(word for word in words(name) if not word.isdigit())


@dataclass(frozen=True, slots=True, kw_only=True)
class Programme:
    """A programme of the guide."""

    channel: str
    start: datetime
    stop: datetime | None
    """The end in UTC; None if the programme ends with the start of the next one."""

    title: str
    subtitle: str = ""
    description: str = ""
    category: str = ""


type Item = Channel | Programme | None
"""A parsed item, or None after each 32 KB of XML, where the caller may pause."""


def parse(path: Path, language: str) -> Iterator[Item]:
    """Yield the channels and programmes of a TV guide: a plain or gzip XMLTV file.

    After each 32 KB of XML, yields None, so that the caller can pause or stop. Texts are in
    `language` if possible. Raises GuideError if the file is invalid, OSError if it is missing.
    """
    reading = _Reading(language.partition("-")[0])
    size = 0
    with _opened(path) as file:
        try:
            while piece := file.read(_PIECE):
                size += len(piece)
                if size > _MOST_BYTES:
                    raise GuideError("the unpacked guide is larger than 2 GB")
                yield from reading.feed(piece)
                yield None
            yield from reading.feed(b"", last=True)
        except (EOFError, zlib.error, gzip.BadGzipFile) as err:
            raise GuideError(f"the gzip file is damaged: {err}") from err


def _opened(path: Path) -> IO[bytes]:
    with path.open("rb") as file:
        is_packed = file.read(2) == _GZIP
    return cast("IO[bytes]", gzip.open(path)) if is_packed else path.open("rb")


def moment(text: str) -> datetime | None:
    """Return an XMLTV time (`20261124201500 +0100`, UTC without offset) in UTC; None if invalid."""
    if (found := _TIME.fullmatch(text.strip())) is None:
        return None
    *parts, sign, hours, minutes = found.groups()
    year, month, day, hour, minute, second = (int(each or 0) for each in parts)
    try:
        local = datetime(year, month, day, hour, minute, second, tzinfo=UTC)
        if sign is None:
            return local
        offset = timedelta(hours=int(hours), minutes=int(minutes))
        return local - offset if sign == "+" else local + offset
    except ValueError, OverflowError:
        return None


class _Reading:
    """An XML parser with the state for one file; it has limits, and expands no entities."""

    def __init__(self, language: str) -> None:
        self._language = language.casefold()
        self._parser = parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._data
        parser.EntityDeclHandler = self._entity
        self._depth = 0
        self._items: list[Item] = []
        self._attributes: Mapping[str, str] | None = None
        """Attributes of the open channel or programme element; None outside one."""

        self._texts: dict[str, dict[str, list[str]]] = {}
        """Texts of the open channel or programme by element, such as `title`, and language."""

        self._written: list[str] = []
        self._left = 0  # number of characters of the open element that may still be read
        self._text_language = ""
        self._is_guide = False

    def feed(self, piece: bytes, *, last: bool = False) -> list[Item]:
        self._items = []
        try:
            self._parser.Parse(piece, last)
        except expat.ExpatError as err:
            raise GuideError(f"line {err.lineno}: {expat.errors.messages[err.code]}") from err
        return self._items

    def _entity(self, *_: object) -> None:
        # Entities are not needed, and they can expand to any size.
        raise GuideError("it declares entities")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise GuideError(f"it has more than {_DEEPEST} elements inside each other")
        if not self._is_guide:
            if name != "tv":
                raise GuideError(f"it is not XMLTV: it begins with <{name[:40]}>, not with <tv>")
            self._is_guide = True
        elif name in ("channel", "programme"):
            self._attributes, self._texts = attributes, {}
        elif self._attributes is not None and name in _READ:
            self._written = []
            self._text_language = attributes.get("lang", "")
            self._left = _LONGEST_READ

    def _data(self, text: str) -> None:
        if self._left > 0:
            self._written.append(text[: self._left])
            self._left -= len(text)

    def _end(self, name: str) -> None:
        self._depth -= 1
        if self._attributes is None:
            return
        if name in _READ:
            self._left = 0
            text = " ".join("".join(self._written).split())[: _LONGEST.get(name, _LONGEST_NAME)]
            if text:
                by_language = self._texts.setdefault(name, {})
                by_language.setdefault(self._text_language, []).append(text)
        elif name == "channel":
            self._items.append(self._channel(self._attributes))
            self._attributes = None
        elif name == "programme":
            if (programme := self._programme(self._attributes)) is not None:
                self._items.append(programme)
            self._attributes = None

    def _channel(self, attributes: Mapping[str, str]) -> Channel:
        spoken = self._texts.get("display-name", {}).values()
        written = [name for texts in spoken for name in texts][:_MOST_NAMES]
        # Some guides write the number as a separate name.
        numbers = [each for each in written if _NUMBER.fullmatch(each)]
        names = [each for each in written if each not in numbers]
        given = self._chosen("lcn")
        # Accept only numbers: the channel number gets into TV commands that need no confirmation.
        lcn = [each for each in given if _NUMBER.fullmatch(each)]
        own = attributes.get("id", "")[:_LONGEST_NAME]
        return Channel(
            id=own, names=tuple(names or numbers or [own]), number=next(iter((*lcn, *numbers)), "")
        )

    def _programme(self, attributes: Mapping[str, str]) -> Programme | None:
        start = moment(attributes.get("start", ""))
        title = self._chosen("title")
        if start is None or not title:
            return None
        stop = moment(attributes.get("stop", ""))
        return Programme(
            channel=attributes.get("channel", "")[:_LONGEST_NAME],
            start=start,
            stop=stop if stop is not None and stop > start else None,
            title=title[0],
            subtitle=next(iter(self._chosen("sub-title")), ""),
            description=next(iter(self._chosen("desc")), ""),
            category=", ".join(dict.fromkeys(self._chosen("category")))[: _LONGEST["category"]],
        )

    def _chosen(self, name: str) -> list[str]:
        """Return the texts of an element in the language of the home, or in the first one."""
        by_language = self._texts.get(name, {})
        for spoken, texts in by_language.items():
            if spoken.partition("-")[0].casefold() == self._language:
                return texts
        return next(iter(by_language.values()), [])


_READ: Final = frozenset({"display-name", "lcn", *_LONGEST})  # elements whose text is read
