"""Texts for memory, and risk classes of entities, written by an agent's model in the background."""

import logging
from collections.abc import Mapping
from typing import Any

from ..agent import AgentSettings
from ..memory import WriterError
from ..model import ModelError

_LOGGER = logging.getLogger(__name__)


class ModelWriter:
    """Writes texts with an agent's model."""

    def __init__(self, settings: AgentSettings) -> None:
        self._settings = settings

    @property
    def model(self) -> str:
        """The name of the model."""
        return self._settings.model.name

    async def async_write(
        self,
        prompt: str,
        text: str,
        *,
        max_tokens: int,
        schema: Mapping[str, Any] | None = None,
    ) -> str:
        """Return the model's reply to `agent/prompts/<prompt>.md` and `text` (user message).

        `schema`: JSON schema of the reply; None for plain text. Raises WriterError if the model
        fails or its reply is empty.
        """
        request = self._settings.json_request(
            self._settings.prompts[prompt], text, schema=schema, max_tokens=max_tokens
        )
        try:
            reply = await self._settings.model.async_complete(request)
        except ModelError as err:
            _LOGGER.debug("Nothing was written: %s", err.kind)
            raise WriterError(f"the model gave no answer ({err.kind.value})") from err
        if not reply.text.strip():
            # A model may use all tokens for its reasoning.
            raise WriterError("the model answered with no words")
        return reply.text
