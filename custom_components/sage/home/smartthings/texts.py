"""One-line summaries of SmartThings capabilities: from the cloud, a model or the id."""

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol

from ...text.words import id_words
from ..labels import quiet
from .raw import Definition, TextOrigin

_LOGGER = logging.getLogger(__name__)

_LONGEST: Final = 120
_BATCH: Final = 40
"""Maximum number of capabilities per model call."""

GENERATED_MARK: Final = " (summary by a model)"

_CAPITALS: Final = frozenset({"ac", "tv", "uv", "ai", "ev", "co"})


class Summarizer(Protocol):
    """The language-model interface that writes one-line summaries of capabilities."""

    async def async_summarize(self, definitions: Sequence[Definition]) -> Mapping[str, str]:
        """Return capability id -> one short sentence about it; capabilities may be missing."""


def summary_from_identifier(capability: str) -> str:
    """Return the id of a capability as words, such as `Dishwasher washing course`."""
    said = [word.upper() if word in _CAPITALS else word for word in id_words(capability)]
    text = " ".join(said)
    return text[:1].upper() + text[1:] if text else capability


def marked(definition: Definition) -> str:
    """Return the summary of a capability, with a note if a model wrote it.

    Empty if there is no summary.
    """
    mark = GENERATED_MARK if definition.origin is TextOrigin.GENERATED else ""
    return f"{definition.summary}{mark}" if definition.summary else ""


class WrittenSummaries:
    """Summaries of capabilities that a model wrote.

    A summary becomes invalid when the names of the attributes or commands change.
    """

    def __init__(self, changed: Callable[[], None]) -> None:
        """Start without summaries; `changed` is called when new summaries must be saved."""
        self._changed = changed
        self._texts: dict[str, tuple[str, str]] = {}
        self._tried: set[str] = set()

    def of(self, definition: Definition) -> str:
        """Return the summary of a capability; empty if there is no valid one."""
        made_of, text = self._texts.get(definition.id, ("", ""))
        return text if made_of == _made_of(definition) else ""

    def load(self, data: object) -> None:
        """Load the summaries from `data`, a result of `stored()`; skip invalid items."""
        for capability, stored in data.items() if isinstance(data, Mapping) else ():
            match stored:
                case {"of": str() as made_of, "text": str() as text} if text:
                    self._texts[str(capability)] = (made_of, text)

    def stored(self) -> dict[str, Any]:
        """Return all summaries as JSON for `load`."""
        return {
            capability: {"of": made_of, "text": text}
            for capability, (made_of, text) in self._texts.items()
        }

    async def async_write(self, definitions: Sequence[Definition], writer: Summarizer) -> int:
        """Let `writer` write up to 40 missing summaries; return the number written. Never raises.

        A capability that gets no summary is not tried again until a restart.
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
        # Mark the batch as tried only after a response. After an error it is tried again.
        self._tried.update(each.id for each in batch)
        new = {
            each.id: (_made_of(each), text)
            for each in batch
            if (text := _line(written.get(each.id)))
        }
        self._texts.update(new)
        if new:
            self._changed()
        return len(new)


def _made_of(definition: Definition) -> str:
    """Return all names of attributes and commands as one text, to detect a changed definition."""
    names = [*(each.name for each in definition.attributes)]
    names += [each.name for each in definition.commands]
    return " ".join(sorted(set(names)))


def _line(text: object) -> str:
    if not isinstance(text, str):
        return ""
    line = quiet(text).rstrip(".")
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1].rstrip()}…"
