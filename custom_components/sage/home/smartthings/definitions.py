"""Definitions of SmartThings capabilities: parsed from the cloud's JSON, cached on disk.

A definition lists the attributes and commands of a capability. Without the JSON, it is incomplete:
it contains only their names.
"""

import asyncio
import logging
import sys
import time
from collections.abc import Iterable, Mapping
from typing import Any, Final

from homeassistant.core import HomeAssistant

from ...storage.small_store import SmallStore
from .client import RawClient
from .raw import (
    ArgumentDefinition,
    AttributeDefinition,
    CloudError,
    CloudErrorKind,
    CommandDefinition,
    Definition,
)

_LOGGER: Final = logging.getLogger(__name__)

STORAGE_KEY: Final = "sage.smartthings"
_STORAGE_VERSION: Final = 1
_SAVE_DELAY: Final = 30

LONGEST_WAIT: Final = 10.0
"""Maximum seconds that `async_get` waits for missing definitions."""

_DAY: Final = 24 * 3600.0
_PAUSE: Final = 60.0
"""Seconds without a further request after most errors."""

_OF_ALL: Final = {
    CloudErrorKind.SIGN_IN,
    CloudErrorKind.PLAN,
    CloudErrorKind.RATE_LIMIT,
    CloudErrorKind.CONNECTION,
}
"""Errors after which no capability is requested for a while."""

_CLIENT: Final = "pysmartthings"
_NO_SCHEMA: Final[Mapping[str, object]] = {}


def parse_definition(capability: str, data: object) -> Definition | None:
    """Return the definition in a JSON response of the cloud.

    None if the response does not define `capability`.
    """
    body = _mapping(data)
    attributes, commands = body.get("attributes"), body.get("commands")
    if body.get("id", capability) != capability or "error" in body:
        return None
    if not isinstance(attributes, Mapping | None) or not isinstance(commands, Mapping | None):
        return None
    if attributes is None and commands is None:
        return None
    return Definition(
        id=capability,
        attributes=tuple(_attribute(name, each) for name, each in _named(attributes)),
        commands=tuple(_command(name, each) for name, each in _named(commands)),
    )


def named_definition(capability: str, attributes: Iterable[str] = ()) -> Definition:
    """Return an incomplete definition: names of attributes and commands, but no arguments.

    The names come from pysmartthings, if it is loaded, and from `attributes`.
    """
    names = dict.fromkeys([*_table("CAPABILITY_ATTRIBUTES", capability), *attributes])
    return Definition(
        id=capability,
        attributes=tuple(AttributeDefinition(name=name) for name in names),
        commands=tuple(
            CommandDefinition(name=name) for name in _table("CAPABILITY_COMMANDS", capability)
        ),
        is_complete=False,
    )


# ---------------------------------------------------------------- JSON


def _attribute(name: str, body: Mapping[str, Any]) -> AttributeDefinition:
    schema = _mapping(body.get("schema"))
    properties = _mapping(schema.get("properties"))
    value = properties.get("value") if properties else schema
    setter = body.get("setter")
    return AttributeDefinition(
        name=name,
        schema=_mapping(value),
        units=_units(_mapping(properties.get("unit"))),
        setter=setter if isinstance(setter, str) else None,
        enum_commands=_enum_commands(body.get("enumCommands")),
    )


def _units(schema: Mapping[str, Any]) -> tuple[str, ...]:
    listed = schema.get("enum")
    found = listed if isinstance(listed, list) else [schema.get("default")]
    return tuple(each for each in found if isinstance(each, str) and each)


def _enum_commands(data: object) -> dict[str, object]:
    bodies = [_mapping(each) for each in data] if isinstance(data, list) else []
    return {
        body["command"]: body.get("value")
        for body in bodies
        if isinstance(body.get("command"), str)
    }


def _command(name: str, body: Mapping[str, Any]) -> CommandDefinition:
    listed = body.get("arguments")
    return CommandDefinition(
        name=name,
        arguments=tuple(
            _argument(number, _mapping(each))
            for number, each in enumerate(listed if isinstance(listed, list) else (), 1)
        ),
    )


def _argument(number: int, body: Mapping[str, Any]) -> ArgumentDefinition:
    # Keep an argument without a name, because the cloud expects arguments by position.
    name = body.get("name")
    schema = _mapping(body.get("schema"))
    return ArgumentDefinition(
        name=name if isinstance(name, str) and name else f"argument{number}",
        optional=body.get("optional") is True,
        schema=schema,
    )


def _named(data: Mapping[Any, Any] | None) -> list[tuple[str, Mapping[str, Any]]]:
    return [(str(name), _mapping(each)) for name, each in (data or {}).items() if name]


def _mapping(data: object) -> Mapping[str, Any]:
    return data if isinstance(data, Mapping) else _NO_SCHEMA


# ------------------------------------------------------------------ names


def _table(table: str, capability: str) -> tuple[str, ...]:
    # An import here would block the event loop. Once there is a SmartThings device, the library is
    # loaded anyway.
    names = getattr(sys.modules.get(_CLIENT), table, None)
    found = names.get(capability) if isinstance(names, Mapping) else None
    return tuple(str(each) for each in found) if isinstance(found, Iterable) else ()


class DefinitionStore:
    """Cache of SmartThings capability definitions: fetched at first use, stored on disk."""

    def __init__(self, hass: HomeAssistant, cloud: RawClient) -> None:
        """Create an empty cache; `async_load` fills it from disk."""
        self._hass = hass
        self._cloud = cloud
        self._store = SmallStore(hass, _STORAGE_VERSION, STORAGE_KEY, serialize_in_event_loop=False)
        self._stored: dict[str, dict[str, Any]] = {}
        """Capability -> JSON of the cloud; it never changes for one version of a capability."""

        self._parsed: dict[str, Definition] = {}
        self._fetches: dict[str, asyncio.Task[None]] = {}
        self._not_before: dict[str, float] = {}
        """Capability, or "" for all of them -> time from which it may be requested again."""

    async def async_load(self) -> None:
        """Load the cache from disk, without unreadable items. Never raises."""
        definitions = (await self._store.async_load()).get("definitions")
        for capability, stored in definitions.items() if isinstance(definitions, dict) else ():
            match stored:
                case {"data": dict() as data}:
                    self._stored.setdefault(capability, data)
        self._parsed.clear()

    async def async_close(self) -> None:
        """Cancel running fetches and save the cache to disk."""
        tasks = list(self._fetches.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._stored:
            await self._store.async_save(self._to_store())

    def known(self, capability: str) -> Definition:
        """Return the cached definition of a capability, without a request.

        If there is none, return an incomplete definition: only the names of the attributes and
        commands, as far as the library pysmartthings knows them.
        """
        if (definition := self._parsed.get(capability)) is not None:
            return definition
        definition = parse_definition(capability, self._stored.get(capability))
        if definition is None:
            # Not cached: more names are known once pysmartthings is loaded.
            return named_definition(capability)
        self._parsed[capability] = definition
        return definition

    async def async_get(self, entry_id: str, capabilities: Iterable[str]) -> dict[str, Definition]:
        """Return the definitions as a dict: capability id -> definition. Never raises.

        Waits up to ten seconds for missing definitions. For one that does not arrive, the dict has
        an incomplete definition, as `known` returns it.
        """
        wanted = tuple(dict.fromkeys(capabilities))
        tasks = [
            task
            for capability in wanted
            if not self.known(capability).is_complete
            and (task := self._fetch(entry_id, capability)) is not None
        ]
        if tasks:
            await asyncio.wait(tasks, timeout=LONGEST_WAIT)
        return {capability: self.known(capability) for capability in wanted}

    def _fetch(self, entry_id: str, capability: str) -> asyncio.Task[None] | None:
        """Start the fetch of a capability and return its task, or the task that is already running.

        None if the capability must not be requested now.
        """
        if (running := self._fetches.get(capability)) is not None:
            return running
        now = time.monotonic()
        if any(self._not_before.get(each, 0.0) > now for each in (capability, "")):
            return None
        task = self._hass.async_create_background_task(
            self._async_fetch(entry_id, capability), f"sage definition of {capability}"
        )
        self._fetches[capability] = task
        task.add_done_callback(lambda _: self._fetches.pop(capability, None))
        return task

    async def _async_fetch(self, entry_id: str, capability: str) -> None:
        try:
            data = await self._cloud.async_definition(entry_id, capability)
        except CloudError as error:
            _LOGGER.debug("No definition of %s: %s", capability, error)
            pause = _DAY if error.kind is CloudErrorKind.REFUSED else _PAUSE
            self._not_before[capability] = time.monotonic() + pause
            if error.kind in _OF_ALL:
                self._not_before[""] = time.monotonic() + (error.retry_after or _PAUSE)
            return
        if not isinstance(data, Mapping) or parse_definition(capability, data) is None:
            _LOGGER.debug("The response for %s is not a definition", capability)
            self._not_before[capability] = time.monotonic() + _DAY
            return
        self._stored[capability] = dict(data)
        self._store.async_delay_save(self._to_store, _SAVE_DELAY)

    def _to_store(self) -> dict[str, Any]:
        return {"definitions": {name: {"data": data} for name, data in self._stored.items()}}
