"""The connection to a language model: its address, and whether that is local."""

import re
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Any, Final
from urllib.parse import urlsplit

from homeassistant.const import CONF_API_KEY, CONF_MODEL, CONF_URL
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import entity_registry as er

from ..const import (
    CONF_AI_TASK,
    CONF_BASE_URL,
    CONF_FORMATS,
    CONF_MISJUDGES_TIMING,
    CONF_SEES,
    CONF_STRUCTURE,
    FORMAT_REACT,
)
from ..model import ModelError, ModelErrorKind, Structure

_VERSIONED: Final = re.compile(r"/v\d+\w*$")
_MAY_BE_ELSEWHERE: Final = {ModelErrorKind.UNREACHABLE, ModelErrorKind.WRONG_ADDRESS}
"""Errors of an address that another address can explain better."""

_PRIVATE_DOMAINS: Final = (".local", ".localhost", ".home.arpa", ".internal", ".lan")
"""Reserved by RFC 6761, 6762 and 8375 and by ICANN (2024); `.lan` is a common router default."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """Address, API key, name and tested capabilities of one language model."""

    base_url: str = ""  # URL of the server; empty for an AI Task entity
    ai_task: str = ""  # registry id or entity id of the AI Task entity; empty for a server
    api_key: str | None = field(default=None, repr=False)
    model: str  # name of the model on the server, or name of the AI Task entity
    structure: Structure | None = None
    """Kind of structured output of the AI Task entity; None: none supported, or a server."""

    formats: tuple[str, ...] = (FORMAT_REACT,)
    """Formats in which the model can return tool calls, best first, e.g. `native`."""

    misjudges_timing: bool = False
    """Whether the model wrongly executes a request immediately although it is meant for later.

    Example: for "lamp on at 8 pm", it switches the lamp on now.
    """

    sees: bool = False  # whether the model accepts pictures and sees what they show

    def as_data(self) -> dict[str, Any]:
        """Return the connection as data for the config entry."""
        place = {CONF_AI_TASK: self.ai_task} if self.ai_task else {CONF_BASE_URL: self.base_url}
        data: dict[str, Any] = {**place, CONF_MODEL: self.model, CONF_FORMATS: list(self.formats)}
        if self.structure is not None:
            data[CONF_STRUCTURE] = self.structure.value
        if self.misjudges_timing:
            data[CONF_MISJUDGES_TIMING] = True
        if self.sees:
            data[CONF_SEES] = True
        return data | ({CONF_API_KEY: self.api_key} if self.api_key else {})


def is_local(base_url: str) -> bool:
    """Return whether a URL points to this machine or the local network.

    True for these hosts; there is no DNS lookup:

    - an IP address that is not global (RFC 6890)
    - a name without dots, e.g. `homeassistant`
    - a name in a private domain, e.g. `box.local`
    """
    host = (urlsplit(base_url).hostname or "").rstrip(".")
    try:
        return not ip_address(host).is_global
    except ValueError:
        return bool(host) and ("." not in host or host.endswith(_PRIVATE_DOMAINS))


@callback
def is_local_model(hass: HomeAssistant, connection: Connection) -> bool:
    """Return whether a model is in the local network.

    An AI Task entity is if its integration has a local address, as that of Ollama.
    """
    if not connection.ai_task:
        return is_local(connection.base_url)
    registry = er.async_get(hass)
    row = registry.async_get(er.async_resolve_entity_id(registry, connection.ai_task) or "")
    if row is None or row.config_entry_id is None:
        return False
    provider = hass.config_entries.async_get_entry(row.config_entry_id)
    return provider is not None and is_local(str(provider.data.get(CONF_URL, "")))


def base_urls(address: str) -> Iterator[str]:
    """Yield the base URLs that an entered address may mean, most likely first."""
    address = address.strip().rstrip("/")
    for ending in ("/chat/completions", "/models", "/embeddings"):
        address = address.removesuffix(ending)
    if " " in address:
        return
    for root in [address] if "://" in address else [f"http://{address}", f"https://{address}"]:
        try:
            parts = urlsplit(root)
            is_usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
        except ValueError:
            is_usable = False
        if is_usable:
            yield from (
                (root, f"{root}/v1") if _VERSIONED.search(parts.path) else (f"{root}/v1", root)
            )


async def async_first_usable[T](address: str, async_try: Callable[[str], Awaitable[T]]) -> T:
    """Return the result of the first base URL that works; raises the most telling ModelError."""
    failure = ModelError(ModelErrorKind.UNREACHABLE, "no such address")
    for base_url in base_urls(address):
        try:
            return await async_try(base_url)
        except ModelError as err:
            if err.kind is ModelErrorKind.KEY_REFUSED:
                raise
            if failure.kind in _MAY_BE_ELSEWHERE:
                failure = err
    raise failure
