"""The loaded entries of Home Assistant's own `smartthings` integration.

An entry whose shape does not fit costs the raw devices, never the entities: the
household is told once, until it fits again. Nothing of an entry is kept after it is
unloaded, since Home Assistant may reload it at any time, for instance when the
event stream cannot be renewed.
"""

import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, Protocol

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
    Remove,
    Source,
    listen,
    read_source,
    subscription_of,
)
from .raw import RawEvent

_LOGGER: Final = logging.getLogger(__name__)

ISSUE: Final = "smartthings_changed"


class SourceListener(Protocol):
    """Who wants to know of entries and of what their devices report."""

    def attached(self, source: Source) -> None:
        """Take an entry that was loaded."""

    def detached(self, entry_id: str) -> None:
        """Take that an entry is being unloaded: its client must not be used any more."""

    def stream_changed(self, entry_id: str) -> None:
        """Take that the event stream ended or was made anew: events may be lost."""

    def reported(self, entry_id: str, event: RawEvent) -> None:
        """Take what a device reported."""

    def availability_changed(self, entry_id: str, device_id: str, online: bool) -> None:
        """Take that a device can be reached again, or no longer."""

    def device_changed(self, entry_id: str, device_id: str) -> None:
        """Take that a device was given another name or profile."""

    def device_deleted(self, entry_id: str, device_id: str) -> None:
        """Take that a device is no longer in the cloud."""


@dataclass(slots=True, kw_only=True)
class _Attachment:
    source: Source
    subscription: object
    removes: list[Remove]


class Sources:
    """Attaches to the entries that are loaded, for as long as they are."""

    def __init__(self, hass: HomeAssistant) -> None:
        """Attach to nothing yet."""
        self._hass = hass
        self._attachments: dict[str, _Attachment] = {}
        self._unfit: set[str] = set()
        """Entries that the household is told of; a reload alone takes none back."""

        self._refused: set[str] = set()
        """Entries that are not tried again before they are loaded anew."""

        self._listeners: list[SourceListener] = []
        self._stop_watching: Remove | None = None

    @callback
    def async_setup(self) -> None:
        """Attach to the entries that are loaded now, and watch for others; never raises."""
        if self._stop_watching is not None:
            return
        self._stop_watching = async_dispatcher_connect(
            self._hass, SIGNAL_CONFIG_ENTRY_CHANGED, self._entry_changed
        )
        for entry in self._hass.config_entries.async_entries(SMARTTHINGS):
            self._follow(entry)

    @callback
    def close(self) -> None:
        """Let go of all entries, and forget them."""
        if self._stop_watching is not None:
            self._stop_watching()
            self._stop_watching = None
        for entry_id in list(self._attachments):
            self._detach(entry_id)
        self._refused.clear()
        self._unfit.clear()
        self._tell_household()

    @property
    def entry_ids(self) -> tuple[str, ...]:
        """The entries that are attached, in the order in which they were."""
        return tuple(self._attachments)

    def client(self, entry_id: str) -> Client | None:
        """Return the client of an entry; None unless it is loaded and its shape fits.

        Ask for it at each use: it must not be kept.
        """
        attachment = self._attachments.get(entry_id)
        return attachment.source.client if attachment else None

    def is_streaming(self, entry_id: str) -> bool:
        """Tell whether the entry has a subscription to events at this moment."""
        attachment = self._attachments.get(entry_id)
        return attachment is not None and attachment.subscription is not None

    @callback
    def listen(self, listener: SourceListener) -> Remove:
        """Tell of what happens, beginning with the entries attached now; returns what ends that."""
        self._listeners.append(listener)
        for attachment in list(self._attachments.values()):
            listener.attached(attachment.source)

        def end() -> None:
            with suppress(ValueError):
                self._listeners.remove(listener)

        return end

    # Entries that come and go.

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
        """Attach, detach or notice a new stream, as the entry now is."""
        if entry.state is not ConfigEntryState.LOADED:
            self._detach(entry.entry_id)
            self._refused.discard(entry.entry_id)
            if entry.disabled_by is not None:
                self._forget_misfit(entry.entry_id)
        elif (attachment := self._attachments.get(entry.entry_id)) is not None:
            subscription = subscription_of(entry)
            if subscription != attachment.subscription:
                attachment.subscription = subscription
                self.tell(lambda each: each.stream_changed(entry.entry_id))
        elif entry.entry_id not in self._refused:
            self._attach(entry)

    def _attach(self, entry: ConfigEntry[Any]) -> None:
        removes: list[Remove] = []
        try:
            source = read_source(entry)
            listen(source, _EntryEar(self._hass, self, entry.entry_id), removes)
        except Exception as error:  # noqa: BLE001 - whatever another shape may raise
            _let_go(removes)
            self._refuse(entry.entry_id, error)
            return
        self._attachments[entry.entry_id] = _Attachment(
            source=source, subscription=subscription_of(entry), removes=removes
        )
        self._forget_misfit(entry.entry_id)
        self.tell(lambda each: each.attached(source))

    def _detach(self, entry_id: str) -> None:
        if (attachment := self._attachments.pop(entry_id, None)) is None:
            return
        _let_go(attachment.removes)
        self.tell(lambda each: each.detached(entry_id))

    # The shape that does not fit.

    def _refuse(self, entry_id: str, error: Exception) -> None:
        """Do without the entry until it is loaded anew."""
        _LOGGER.warning(
            "The SmartThings entry is built differently from what SAGE knows (%s: %s); its "
            "devices are served through their entities only",
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
        """Have one issue as long as an entry does not fit."""
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

    # What is told to others.

    @callback
    def misread(self, entry_id: str, error: Exception) -> None:
        """Do without an entry whose events cannot be understood."""
        if entry_id in self._attachments:
            self._refuse(entry_id, error)

    def tell(self, what: Callable[[SourceListener], None]) -> None:
        """Tell all listeners; an error of one concerns no other."""
        for listener in list(self._listeners):
            try:
                what(listener)
            except Exception:
                _LOGGER.exception("Error in what follows SmartThings devices")


class _EntryEar:
    """Passes the events of one entry on; implements `entry_shape.Ear`."""

    def __init__(self, hass: HomeAssistant, sources: Sources, entry_id: str) -> None:
        """Keep whose events these are."""
        self._hass = hass
        self._sources = sources
        self._entry_id = entry_id

    def reported(self, event: RawEvent) -> None:
        """Pass on what a device reported."""
        self._sources.tell(lambda each: each.reported(self._entry_id, event))

    def availability_changed(self, device_id: str, online: bool) -> None:
        """Pass on that a device can be reached again, or no longer."""
        self._sources.tell(
            lambda each: each.availability_changed(self._entry_id, device_id, online)
        )

    def device_changed(self, device_id: str) -> None:
        """Pass on that a device was given another name or profile."""
        self._sources.tell(lambda each: each.device_changed(self._entry_id, device_id))

    def device_deleted(self, device_id: str) -> None:
        """Pass on that a device is no longer in the cloud."""
        self._sources.tell(lambda each: each.device_deleted(self._entry_id, device_id))

    def misread(self, error: Exception) -> None:
        """Let go of the entry, though not while its client goes through its listeners."""
        self._hass.loop.call_soon(self._sources.misread, self._entry_id, error)


def _let_go(removes: list[Remove]) -> None:
    for remove in removes:
        with suppress(Exception):
            remove()
