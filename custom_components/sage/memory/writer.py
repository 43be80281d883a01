"""The interface through which the memory package asks a language model to write a text."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A reply of the language model, and its token usage."""

    text: str = field(repr=False)
    """The reply; never empty."""

    tokens: int
    """Total number of prompt and completion tokens."""


class WriterError(Exception):
    """Raised when the language model returns no text; the log contains the cause."""


class TextWriter(Protocol):
    """A language model that writes texts, such as summaries of what a person said."""

    @property
    def model(self) -> str:
        """The name of the language model."""

    def instructions(self, name: str) -> str:
        """Return the prompt text with this name, such as "profile"."""

    async def async_write(
        self,
        instructions: str,
        given: str,
        *,
        max_tokens: int,
        schema: Mapping[str, Any] | None = None,
    ) -> Written:
        """Return the model's reply to `instructions` (system prompt) and `given` (user message).

        `schema`: JSON schema of the reply; the model may ignore it. Raises WriterError if there is
        no reply.
        """
