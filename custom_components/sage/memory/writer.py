"""The language-model interface that memory uses: text in, text out."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A text and its cost in tokens."""

    text: str = field(repr=False)
    """The text; never empty."""

    tokens: int
    """Prompt and completion tokens together."""


class WriterError(Exception):
    """The model returned no text; the log contains the cause."""


class TextWriter(Protocol):
    """A language model that writes summaries."""

    @property
    def model(self) -> str:
        """The name of the model."""

    def instructions(self, name: str) -> str:
        """Return the prompt `name`."""

    async def async_write(
        self,
        instructions: str,
        given: str,
        *,
        max_tokens: int,
        schema: Mapping[str, Any] | None = None,
    ) -> Written:
        """Return the reply of the model to the instructions and the text `given`.

        `schema`: requested JSON schema of the reply; the model may ignore it. Raises
        WriterError.
        """
