"""Read the items of an IMAP FETCH response (RFC 9051, section 7.5.2)."""

from collections.abc import Iterator, Sequence

from .imap_connection import Value
from .message import Attachment, head_of, one_line


def fetched_items(values: Sequence[Value]) -> dict[str, Value]:
    """Return the items of a FETCH response as a dict: name -> value.

    `values`: an untagged response from `ImapConnection.async_command`. Empty for another response.
    """
    match values:
        case [_, b"FETCH", list(items), *_]:
            return pairs(items)
    return {}


def number(value: Value) -> int | None:
    """Return the number that a value is; None for another value."""
    if isinstance(value, bytes) and value.isdigit() and len(value) <= 20:
        return int(value)
    return None


def pairs(items: Sequence[Value]) -> dict[str, Value]:
    """Convert a list of alternating names and values to a dict.

    `[b"uid", b"7"]` becomes `{"UID": b"7"}`.
    """
    names, values = items[::2], items[1::2]
    return {
        name.decode("ascii", "replace").upper(): value
        for name, value in zip(names, values, strict=False)
        if isinstance(name, bytes)
    }


def named_parts(structure: Sequence[Value]) -> Iterator[Attachment]:
    """Yield the name and type of each attachment (part with a file name) of a message.

    `structure`: the value of the item BODYSTRUCTURE in the response to FETCH.
    """
    if structure and isinstance(structure[0], list):
        for part in structure:
            if isinstance(part, list) and part and isinstance(part[0], list | bytes):
                yield from named_parts(part)
        return
    match structure:
        case [bytes(kind), bytes(subtype), *rest]:
            name = b""
            for values in rest:
                # `values` are the parameters, or the disposition with its own parameters.
                for given in (
                    values,
                    values[1] if isinstance(values, list) and len(values) == 2 else None,
                ):
                    if isinstance(given, list):
                        named = pairs(given)
                        own = named.get("FILENAME") or named.get("NAME")
                        name = own if isinstance(own, bytes) else name
            if name:
                mime = f"{kind.decode('ascii', 'replace')}/{subtype.decode('ascii', 'replace')}"
                shown = head_of(b"Subject: " + name).subject
                yield Attachment(name=shown, kind=one_line(mime.lower()))
