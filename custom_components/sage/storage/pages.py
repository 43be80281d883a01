"""Read the rows of a damaged SQLite file without SQLite.

File format: https://www.sqlite.org/fileformat2.html.
"""

import contextlib
import itertools
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final, Self

type Value = int | float | str | bytes | None

_MAGIC: Final = b"SQLite format 3\0"
_DEFAULT_SIZE: Final = 4096
_SIZES: Final = frozenset(2**power for power in range(9, 17))
_FILE_HEADER: Final = 100
_LOG_HEADER: Final = 32
_FRAME_HEADER: Final = 24
_LOG_MAGIC: Final = 0x377F0682
"""Magic number of a write-ahead log with little-endian checksums; plus 1 for big-endian."""

_FREE: Final = 0
"""First byte of free pages and overflow pages."""

_INTERIOR_INDEX: Final = 2
_INTERIOR_TABLE: Final = 5
_LEAF_INDEX: Final = 10
_LEAF_TABLE: Final = 13
_INTEGER_BYTES: Final = (0, 1, 2, 3, 4, 6, 8)
"""Length of an integer in bytes, by its serial type."""


class DamagedError(Exception):
    """Raised when a page or a row cannot be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row of a table or one entry of an index."""

    values: tuple[Value, ...]
    """The values in column order; the rowid column is None, and the last columns may be missing."""

    rowid: int | None
    """The rowid; None for index entries and for rows of tables WITHOUT ROWID."""


# SQLite itself stops at the first bad page. Deleted rows are never found here, because
# `secure_delete` overwrites them with zeros.
@dataclass(frozen=True, slots=True, kw_only=True)
class Pages:
    """The pages of a database file, with the committed pages of its write-ahead log."""

    main: BinaryIO | None
    """The database file; None if it is missing."""

    log: BinaryIO | None
    logged: Mapping[int, int]
    """Page number -> offset of the page's latest committed content in the log."""

    size: int
    """Size of a page in bytes."""

    count: int
    """Number of pages in the database.

    It comes from the log, if the log contains committed pages. Otherwise, it comes from the file
    header, limited by the length of the file.
    """

    @classmethod
    @contextlib.contextmanager
    def opened(cls, path: Path) -> Iterator[Self]:
        """Open a database and its write-ahead log for reading; either may be missing."""
        with contextlib.ExitStack() as stack:
            main, log = (
                stack.enter_context(file.open("rb")) if file.is_file() else None
                for file in (path, path.with_name(f"{path.name}-wal"))
            )
            logged: dict[int, int] = {}
            header = _bytes(main, 0, _FILE_HEADER)
            is_known = header.startswith(_MAGIC)
            size, count = _read_log(log, logged) or (
                _page_size(header) if is_known else _DEFAULT_SIZE,
                int.from_bytes(header[28:32]) if is_known else 0,
            )
            if not logged:
                length = path.stat().st_size if main is not None else 0
                count = max(min(count, 2 * (length // size) + 2**16), -(-length // size))
            yield cls(main=main, log=log, logged=logged, size=size, count=count)

    @property
    def version(self) -> int:
        """The schema version; 0 if the first page is unreadable."""
        with contextlib.suppress(DamagedError):
            return int.from_bytes(self._page(1)[60:64])
        return 0

    def rows(self, number: int) -> tuple[list[Row], bool]:
        """Return the readable rows of page `number`, and whether all of it was readable.

        The first page has the number 1.
        """
        rows: list[Row] = []
        try:
            page = self._page(number)
            start = _FILE_HEADER if number == 1 else 0
            kind = page[start]
            if kind in {_FREE, _INTERIOR_TABLE}:
                return rows, number != 1 or kind != _FREE
            if kind not in {_INTERIOR_INDEX, _LEAF_INDEX, _LEAF_TABLE}:
                return rows, False
            cells = _cells(page, start, 12 if kind == _INTERIOR_INDEX else 8)
        except DamagedError:
            return rows, False
        is_whole = True
        for cell in cells:
            try:
                rows.append(self._row(page, cell, kind))
            except DamagedError, IndexError, struct.error:
                is_whole = False
        return rows, is_whole

    def _page(self, number: int) -> bytes:
        if number in self.logged:
            page = _bytes(self.log, self.logged[number], self.size)
        else:
            page = _bytes(self.main, (number - 1) * self.size, self.size)
        if len(page) < self.size or (number == 1 and not page.startswith(_MAGIC)):
            raise DamagedError
        return page

    def _row(self, page: bytes, cell: int, kind: int) -> Row:
        at = cell + 4 if kind == _INTERIOR_INDEX else cell
        length, at = _varint(page, at)
        rowid = None
        if kind == _LEAF_TABLE:
            rowid, at = _varint(page, at)
        return Row(values=_values(self._payload(page, at, length, kind)), rowid=rowid)

    def _payload(self, page: bytes, at: int, length: int, kind: int) -> bytes:
        """Return the content of a row, including overflow pages; raises DamagedError."""
        if length > self.count * self.size:
            raise DamagedError
        most = self.size - 35 if kind == _LEAF_TABLE else (self.size - 12) * 64 // 255 - 23
        if length <= most:
            here = length
        else:
            least = (self.size - 12) * 32 // 255 - 23
            here = least + (length - least) % (self.size - 4)
            here = here if here <= most else least
        if at + here + (4 if here < length else 0) > self.size:
            raise DamagedError
        parts = [page[at : at + here]]
        left = length - here
        following = page[at + here : at + here + 4]
        while left > 0:
            overflow = self._page(int.from_bytes(following))
            following = overflow[:4]
            parts.append(overflow[4 : 4 + left])
            left -= self.size - 4
        return b"".join(parts)


def _bytes(file: BinaryIO | None, at: int, length: int) -> bytes:
    """Return up to `length` bytes at an offset; fewer if the file is short or unreadable."""
    if file is None or at < 0:
        return b""
    try:
        file.seek(at)
        return file.read(length)
    except OSError:
        return b""


def _page_size(header: bytes) -> int:
    size = int.from_bytes(header[16:18])
    size = 65536 if size == 1 else size
    return size if size in _SIZES else _DEFAULT_SIZE


def _read_log(log: BinaryIO | None, logged: dict[int, int]) -> tuple[int, int] | None:
    """Fill `logged` with the offsets of committed pages in a write-ahead log.

    Return page size and page count, or None if the log contains no committed page.
    """
    header = _bytes(log, 0, _LOG_HEADER)
    if len(header) < _LOG_HEADER:
        return None
    magic, _, size, _, salts, *expected = struct.unpack(">IIIIQII", header)
    order = ">" if magic & 1 else "<"
    sums = _checksum(header[:24], (0, 0), order)
    if magic & ~1 != _LOG_MAGIC or size not in _SIZES or sums != tuple(expected):
        return None
    count = 0
    begun: dict[int, int] = {}
    for at in itertools.count(_LOG_HEADER, _FRAME_HEADER + size):
        frame = _bytes(log, at, _FRAME_HEADER + size)
        if len(frame) < _FRAME_HEADER + size:
            break
        number, pages, of_log, *expected = struct.unpack_from(">IIQII", frame)
        sums = _checksum(frame[:8] + frame[_FRAME_HEADER:], sums, order)
        if of_log != salts or sums != tuple(expected):
            break
        begun[number] = at + _FRAME_HEADER
        if pages:  # last frame of a transaction
            logged.update(begun)
            begun.clear()
            count = pages
    return (size, count) if logged else None


def _checksum(data: bytes, sums: tuple[int, int], order: str) -> tuple[int, int]:
    first, second = sums
    for one, other in struct.iter_unpack(f"{order}II", data):
        first = (first + one + second) & 0xFFFFFFFF
        second = (second + other + first) & 0xFFFFFFFF
    return first, second


def _cells(page: bytes, start: int, header: int) -> tuple[int, ...]:
    """Return the offsets of the rows in a page."""
    number = int.from_bytes(page[start + 3 : start + 5])
    first = start + header
    if first + 2 * number > len(page):
        raise DamagedError
    cells = struct.unpack_from(f">{number}H", page, first)
    if any(cell < first + 2 * number for cell in cells):
        raise DamagedError
    return cells


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """Return an integer of up to 64 bits with sign, and the offset after it."""
    value = 0
    for place in range(at, at + 8):
        value = value << 7 | data[place] & 0x7F
        if data[place] < 0x80:
            return value, place + 1
    value = value << 8 | data[at + 8]
    return value - (1 << 64) if value >> 63 else value, at + 9


def _values(payload: bytes) -> tuple[Value, ...]:
    """Return the columns of a row; raises DamagedError."""
    end, at = _varint(payload, 0)
    if not at <= end <= len(payload):
        raise DamagedError
    values: list[Value] = []
    place = end
    while at < end:
        serial, at = _varint(payload, at)
        length = _length(serial)
        if at > end or place + length > len(payload):
            raise DamagedError
        values.append(_value(serial, payload[place : place + length]))
        place += length
    if place != len(payload):
        raise DamagedError
    return tuple(values)


def _length(serial: int) -> int:
    if 0 <= serial <= 6:
        return _INTEGER_BYTES[serial]
    if serial in {10, 11} or serial < 0:
        raise DamagedError
    return {7: 8, 8: 0, 9: 0}.get(serial, (serial - 12) // 2)


def _value(serial: int, data: bytes) -> Value:
    if serial >= 12:
        return data.decode(errors="replace") if serial % 2 else data
    if serial in {8, 9}:
        return serial - 8
    if serial == 7:
        (number,) = struct.unpack(">d", data)
        return float(number)
    return int.from_bytes(data, signed=True) if serial else None
