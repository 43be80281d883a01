"""Paths of files in the arguments of commands.

Home Assistant serves the folder `www` without login, and allows more folders to whoever set it
up. A picture belongs into a media folder; any other path needs the person's yes.
"""

from collections.abc import Iterator, Mapping
from os.path import normpath
from pathlib import PurePath
from typing import Any, Final

from homeassistant.core import HomeAssistant
from homeassistant.helpers.template import Template

_PATHS: Final = frozenset(
    {"directory", "download_path", "file", "file_path", "filename", "filepath", "folder", "path"}
)
"""Arguments that name a file or a folder, in all integrations of Home Assistant."""

_RECORDING: Final = frozenset({"camera", "image"})
"""Domains that write their own picture to a path, and read nothing from it."""


def leaves_media_folders(hass: HomeAssistant, domain: str, arguments: Mapping[str, Any]) -> bool:
    """Return whether an action uses a file anywhere but in a media folder."""
    return any(domain not in _RECORDING or not _is_media(hass, path) for path in _paths(arguments))


def _paths(value: Any, name: str = "") -> Iterator[str]:
    """Yield the paths in arguments: by the name of the argument, or where a text is a path."""
    if isinstance(value, Mapping):
        for key, each in value.items():
            yield from _paths(each, str(key))
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _paths(each, name)
    elif isinstance(value, str | Template):
        text = value.template if isinstance(value, Template) else value
        if text and (name in _PATHS or _is_of_www(text) or _climbs(text)):
            yield text


def _is_media(hass: HomeAssistant, path: str) -> bool:
    if not PurePath(path).is_absolute() or _climbs(path):
        return False
    # What a template adds is not known, but the folder before it is.
    fixed = path.partition("{")[0].rpartition("/")[0]
    return any(
        PurePath(normpath(fixed)).is_relative_to(normpath(folder))
        for folder in hass.config.media_dirs.values()
    )


def _climbs(text: str) -> bool:
    return ".." in PurePath(text).parts


def _is_of_www(text: str) -> bool:
    return PurePath(text).is_absolute() and "www" in PurePath(normpath(text)).parts
