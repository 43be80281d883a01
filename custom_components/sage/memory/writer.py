"""What memory needs of a language model: text in, text out."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A text and what it cost."""

    text: str = field(repr=False)
    """Never blank."""

    tokens: int
    """Of the prompt and of the text."""


class WriterError(Exception):
    """No text could be had; the cause is in the log."""


class TextWriter(Protocol):
    """Writes summaries."""

    @property
    def model(self) -> str:
        """The name of the model that writes."""

    def instructions(self, name: str) -> str:
        """Return the text `name` of the prompts."""

    async def async_write(
        self,
        instructions: str,
        given: str,
        *,
        max_tokens: int,
        schema: Mapping[str, Any] | None = None,
    ) -> Written:
        """Return what the model makes of what is given.

        `schema`: the JSON schema that it is asked to follow; it may not. Raises WriterError.
        """
