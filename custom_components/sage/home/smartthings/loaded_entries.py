"""Track the loaded config entries of Home Assistant's own `smartthings` integration.

An entry with unexpected internals is ignored and causes a repair issue.
"""

import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from homeassistant.config_entries import (
    SIGNAL_CONFIG_ENTRY_CHANGED,
    ConfigEntry,
    ConfigEntryChange,
    ConfigEntryState,
)
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir
from homeassistant.helpers.dispatcher import async_dispatcher_connect

from ...const import DOMAIN
from .entry_shape import (
    SMARTTHINGS,
    Client,
    EntryListener,
    LoadedEntry,
    Remove,
    listen,
    read_entry,
    subscription_of,
)

_LOGGER: Final = logging.getLogger(__name__)

ISSUE: Final = "smartthings_changed"


@dataclass(slots=True, kw_only=True)
class _Attachment:
    entry: LoadedEntry
    subscription: object
    removes: list[Remove]


class LoadedEntries:
    """All loaded `smartthings` config entries, and the listeners for their events."""

    def __init__(self, hass: HomeAssistant) -> None:
        self._hass = hass
        self._attachments: dict[str, _Attachment] = {}
        self._unfit: set[str] = set()
        """Ids of entries in the repair issue; an id stays during a reload of its entry."""

        self._refused: set[str] = set()
        """Ids of entries with unexpected internals; they are ignored until they are reloaded."""

        self._listeners: list[EntryListener] = []
        self._stop_watching: Remove | None = None

    @callback
    def async_setup(self) -> None:
        """Start to track all config entries, also those that are loaded later. Never raises."""
        if self._stop_watching is not None:
            return
        self._stop_watching = async_dispatcher_connect(
            self._hass, SIGNAL_CONFIG_ENTRY_CHANGED, self._entry_changed
        )
        for entry in self._hass.config_entries.async_entries(SMARTTHINGS):
            self._follow(entry)

    @callback
    def close(self) -> None:
        """Stop tracking all config entries and delete the repair issue.

        The config entries stay loaded in Home Assistant.
        """
        if self._stop_watching is not None:
            self._stop_watching()
            self._stop_watching = None
        for entry_id in list(self._attachments):
            self._detach(entry_id)
        self._refused.clear()
        self._unfit.clear()
        self._tell_household()

    def client(self, entry_id: str) -> Client | None:
        """Return the client of a config entry; None if the entry is not loaded or not supported.

        Do not store the client: a reload of the entry makes the client invalid.
        """
        attachment = self._attachments.get(entry_id)
        return attachment.entry.client if attachment else None

    def is_streaming(self, entry_id: str) -> bool:
        """Return whether the config entry is loaded and has an open event stream."""
        attachment = self._attachments.get(entry_id)
        return attachment is not None and attachment.subscription is not None

    @callback
    def listen(self, listener: EntryListener) -> Remove:
        """Add a listener and return a function that removes it.

        The `attached` method of the listener is called immediately for each loaded entry.
        """
        self._listeners.append(listener)
        for attachment in list(self._attachments.values()):
            listener.attached(attachment.entry)

        def end() -> None:
            with suppress(ValueError):
                self._listeners.remove(listener)

        return end

    # Loading and unloading of entries.

    @callback
    def _entry_changed(self, change: ConfigEntryChange, entry: ConfigEntry[Any]) -> None:
        if entry.domain != SMARTTHINGS:
            return
        if change is ConfigEntryChange.REMOVED:
            self._detach(entry.entry_id)
            self._forget_misfit(entry.entry_id)
        else:
            self._follow(entry)

    def _follow(self, entry: ConfigEntry[Any]) -> None:
        """React to a change of a config entry.

        Starts listening if the entry is loaded, and stops if it is not. Reports a new event stream
        of an entry that is already listened to.
        """
        if entry.state is not ConfigEntryState.LOADED:
            self._detach(entry.entry_id)
            self._refused.discard(entry.entry_id)
            if entry.disabled_by is not None:
                self._forget_misfit(entry.entry_id)
        elif (attachment := self._attachments.get(entry.entry_id)) is not None:
            subscription = subscription_of(entry)
            if subscription != attachment.subscription:
                attachment.subscription = subscription
                self._tell(lambda each: each.stream_changed(entry.entry_id))
        elif entry.entry_id not in self._refused:
            self._attach(entry)

    def _attach(self, entry: ConfigEntry[Any]) -> None:
        removes: list[Remove] = []
        try:
            loaded = read_entry(entry)
            listen(loaded, self._tell, partial(self._misread, entry.entry_id), removes)
        except Exception as error:  # noqa: BLE001 - whatever another shape may raise
            _remove_all(removes)
            self._refuse(entry.entry_id, error)
            return
        self._attachments[entry.entry_id] = _Attachment(
            entry=loaded, subscription=subscription_of(entry), removes=removes
        )
        self._forget_misfit(entry.entry_id)
        self._tell(lambda each: each.attached(loaded))

    def _detach(self, entry_id: str) -> None:
        # No object of an entry may be kept after the entry is unloaded.
        if (attachment := self._attachments.pop(entry_id, None)) is None:
            return
        _remove_all(attachment.removes)
        self._tell(lambda each: each.detached(entry_id))

    # Entries with unexpected internals.

    def _refuse(self, entry_id: str, error: Exception) -> None:
        """Ignore a config entry until it is reloaded; log the error and create a repair issue."""
        _LOGGER.warning(
            "SAGE does not know the internals of this SmartThings entry (%s: %s); its "
            "devices are available through their entities only",
            type(error).__name__,
            error,
        )
        self._detach(entry_id)
        self._refused.add(entry_id)
        self._unfit.add(entry_id)
        self._tell_household()

    def _forget_misfit(self, entry_id: str) -> None:
        if entry_id in self._unfit:
            self._unfit.discard(entry_id)
            self._tell_household()

    def _tell_household(self) -> None:
        """Create the repair issue if an entry has unexpected internals, else delete it."""
        if not self._unfit:
            ir.async_delete_issue(self._hass, DOMAIN, ISSUE)
            return
        ir.async_create_issue(
            self._hass,
            DOMAIN,
            ISSUE,
            is_fixable=False,
            severity=ir.IssueSeverity.WARNING,
            translation_key=ISSUE,
        )

    # Forwarding of events to listeners.

    def _misread(self, entry_id: str, error: Exception) -> None:
        """Ignore an entry until it is reloaded, because an event could not be read."""

        def refuse() -> None:
            if entry_id in self._attachments:
                self._refuse(entry_id, error)

        # pysmartthings is still iterating over its listeners.
        self._hass.loop.call_soon(refuse)

    def _tell(self, what: Callable[[EntryListener], None]) -> None:
        """Call `what` with each listener; log exceptions of listeners."""
        for listener in list(self._listeners):
            try:
                what(listener)
            except Exception:
                _LOGGER.exception("A listener of SmartThings entries failed")


def _remove_all(removes: list[Remove]) -> None:
    for remove in removes:
        with suppress(Exception):
            remove()
