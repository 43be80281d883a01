"""Implements the writer interface of memory with a language model."""

import logging
from collections.abc import Mapping
from typing import Any, Final

from ..agent.run import AgentSettings
from ..memory.writer import WriterError, Written
from ..model.language_model import ModelError

_LOGGER = logging.getLogger(__name__)

_BYTES: Final = 3
"""Minimum number of bytes per token, in any script."""


class ModelWriter:
    """Implements `memory.writer.TextWriter` with the model of an agent."""

    def __init__(self, settings: AgentSettings) -> None:
        self._settings = settings

    @property
    def model(self) -> str:
        """The name of the model that writes."""
        return self._settings.model.name

    def instructions(self, name: str) -> str:
        """Return the prompt `name`."""
        return self._settings.prompts[name]

    async def async_write(
        self,
        instructions: str,
        given: str,
        *,
        max_tokens: int,
        schema: Mapping[str, Any] | None = None,
    ) -> Written:
        """Return the text that the model writes. Raises WriterError."""
        request = self._settings.json_request(
            instructions, given, schema=schema, max_tokens=max_tokens
        )
        try:
            reply = await self._settings.model.async_complete(request)
        except ModelError as err:
            _LOGGER.debug("Nothing was written: %s", err.kind)
            raise WriterError(f"the model gave no answer ({err.kind.value})") from err
        if not reply.text.strip():
            # A model may use all tokens for its reasoning.
            raise WriterError("the model answered with no words")
        tokens = reply.usage.prompt_tokens + reply.usage.completion_tokens
        return Written(text=reply.text, tokens=tokens or tokens_of(instructions, given, reply.text))


def tokens_of(*texts: str) -> int:
    """Return an upper estimate of tokens, for servers that do not report them."""
    return sum(len(text.encode()) for text in texts) // _BYTES
