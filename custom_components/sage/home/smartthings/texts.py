"""One line on what a capability is for: from the cloud, from a model, or from its name."""

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol

from ...text.words import id_words
from ..labels import quiet
from .raw import Definition, TextOrigin

_LOGGER = logging.getLogger(__name__)

_LONGEST: Final = 120
_BATCH: Final = 40
"""Capabilities that a model is asked about at once."""

GENERATED_MARK: Final = " (summary by a model)"

_CAPITALS: Final = frozenset({"ac", "tv", "uv", "ai", "ev", "co"})


class Summarizer(Protocol):
    """Writes what capabilities are for."""

    async def async_summarize(self, definitions: Sequence[Definition]) -> Mapping[str, str]:
        """Return capability id -> one short sentence; what it cannot tell is left out."""


def summary_from_identifier(capability: str) -> str:
    """Return the identifier as a person would write it: `Dishwasher washing course`."""
    said = [word.upper() if word in _CAPITALS else word for word in id_words(capability)]
    text = " ".join(said)
    return text[:1].upper() + text[1:] if text else capability


def marked(definition: Definition) -> str:
    """Return the summary as documents show it: one that a model wrote is marked."""
    mark = GENERATED_MARK if definition.origin is TextOrigin.GENERATED else ""
    return f"{definition.summary}{mark}" if definition.summary else ""


class WrittenSummaries:
    """The summaries that a model wrote: each once, until the capability changes."""

    def __init__(self, changed: Callable[[], None]) -> None:
        """Make an empty collection; `changed` is called when there is something to keep."""
        self._changed = changed
        self._texts: dict[str, tuple[str, str]] = {}
        self._tried: set[str] = set()

    def of(self, definition: Definition) -> str:
        """Return the summary of a capability; empty when none was written for it as it is."""
        made_of, text = self._texts.get(definition.id, ("", ""))
        return text if made_of == _made_of(definition) else ""

    def load(self, data: object) -> None:
        """Take over what `stored` returned; what does not fit is left out."""
        for capability, kept in data.items() if isinstance(data, Mapping) else ():
            match kept:
                case {"of": str() as made_of, "text": str() as text} if text:
                    self._texts[str(capability)] = (made_of, text)

    def stored(self) -> dict[str, Any]:
        """Return all of it as JSON has it."""
        return {
            capability: {"of": made_of, "text": text}
            for capability, (made_of, text) in self._texts.items()
        }

    async def async_write(self, definitions: Sequence[Definition], writer: Summarizer) -> int:
        """Have those written that are missing, in one call; returns how many were.

        What the model does not tell is not asked for again before the next start.
        Never raises: the names do as well.
        """
        missing = [each for each in definitions if not self.of(each) and each.id not in self._tried]
        batch = missing[:_BATCH]
        if not batch:
            return 0
        try:
            written = await writer.async_summarize(batch)
        except Exception as err:  # noqa: BLE001
            _LOGGER.warning("No summaries of SmartThings capabilities were written: %s", err)
            return 0
        # After a failure or a cancellation they may be asked for again.
        self._tried.update(each.id for each in batch)
        before = len(self._texts)
        for each in batch:
            if text := _line(written.get(each.id)):
                self._texts[each.id] = (_made_of(each), text)
        if len(self._texts) > before:
            self._changed()
        return len(self._texts) - before


def _made_of(definition: Definition) -> str:
    """Return what a summary was written from: the names, which a later fetch leaves alone."""
    names = [*(each.name for each in definition.attributes)]
    names += [each.name for each in definition.commands]
    return " ".join(sorted(set(names)))


def _line(text: object) -> str:
    if not isinstance(text, str):
        return ""
    line = quiet(text).rstrip(".")
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1].rstrip()}…"
