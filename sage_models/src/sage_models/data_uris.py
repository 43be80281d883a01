"""The inputs that are files: data URIs of images and recordings."""

import base64
import binascii
from collections.abc import Collection


class InputError(Exception):
    """An input is refused; the text says why, and goes on from `input[0]`."""

    def __init__(self, message: str, *, code: str | None = None) -> None:
        """Keep the code of the error in the reply, if the refusal has one."""
        super().__init__(message)
        self.code = code


def read_data_uri(uri: str, media_types: Collection[str], most_bytes: int) -> tuple[str, bytes]:
    """Return the media type, one of those given, and the content. Raises InputError."""
    head, comma, body = uri.partition(",")
    first, *others = media_types
    if not head.startswith("data:") or not comma:
        raise InputError(
            f"is not a data URI (data:{first};base64,...); this server fetches no addresses"
        )
    media_type, *parameters = head.removeprefix("data:").lower().split(";")
    if media_type not in media_types:
        wrong = f"none of {', '.join([first, *others[:-1]])} and {others[-1]}" if others else ""
        raise InputError(f"is {wrong or f'not {first}'}; convert it to one")
    if "base64" not in parameters:
        raise InputError("is not in base64")
    if len(body) * 3 // 4 > most_bytes + 2:
        raise InputError(f"is larger than {most_bytes / (1 << 20):.3g} MB; make it smaller")
    try:
        return media_type, base64.b64decode(body, validate=True)
    except (binascii.Error, ValueError):
        raise InputError("is not valid base64") from None
