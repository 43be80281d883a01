"""Writes texts for memory with an agent's model, e.g. summaries of what a person said."""

import logging
from collections.abc import Mapping
from typing import Any, Final

from ..agent.run import AgentSettings
from ..memory.profile_builder import WriterError, Written
from ..model.language_model import ModelError

_LOGGER = logging.getLogger(__name__)

_BYTES: Final = 3
"""Assumed minimum number of UTF-8 bytes per token, in any script."""


class ModelWriter:
    """Writes texts with an agent's model (implements `memory.profile_builder.TextWriter`)."""

    def __init__(self, settings: AgentSettings) -> None:
        self._settings = settings

    @property
    def model(self) -> str:
        """The name of the model."""
        return self._settings.model.name

    def instructions(self, name: str) -> str:
        """Return the text of `agent/prompts/<name>.md`."""
        return self._settings.prompts[name]

    async def async_write(
        self,
        instructions: str,
        given: str,
        *,
        max_tokens: int,
        schema: Mapping[str, Any] | None = None,
    ) -> Written:
        """Return the model's reply to `instructions` (system prompt) and `given` (user message).

        `schema`: JSON schema of the reply; None for plain text. Raises WriterError if the model
        fails or its reply is empty.
        """
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
    """Return an estimate of the number of tokens in `texts`: one token for 3 bytes.

    The estimate is usually too high.
    """
    return sum(len(text.encode()) for text in texts) // _BYTES
