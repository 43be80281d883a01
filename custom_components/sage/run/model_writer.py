"""Texts for memory, and risk classes of entities, written by an agent's model in the background."""

import logging
from collections.abc import Mapping, Sequence
from typing import Any, Final

from ..agent.run import AgentSettings
from ..home.safety.risk_classification import PROMPT, ClassifierError, RiskQuestion
from ..home.safety.risk_levels import ClassifiedEntity, RiskVerdict
from ..memory.profile_builder import TextWriter, WriterError, Written
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


async def async_classify_risks(
    writer: TextWriter, language: str, subjects: Sequence[ClassifiedEntity]
) -> Mapping[str, RiskVerdict]:
    """Let the model classify how risky it is to control each entity, e.g. a garage door.

    Returns its verdicts: `ClassifiedEntity.key` -> risk class and reason in `language`. Entities
    without a valid verdict are left out. Raises ClassifierError if the model fails.
    """
    question = RiskQuestion(subjects, language)
    try:
        written = await writer.async_write(
            writer.instructions(PROMPT),
            question.text,
            max_tokens=question.max_tokens,
            schema=question.schema,
        )
    except WriterError as err:
        raise ClassifierError(str(err)) from err
    return question.verdicts(written.text)
