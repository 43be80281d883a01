"""Lets a language model classify how risky it is to control an entity, e.g. a garage door."""

from collections.abc import Mapping, Sequence

from ..home.safety.risk_classification import PROMPT, ClassifierError, RiskQuestion
from ..home.safety.risk_levels import ClassifiedEntity, RiskVerdict
from ..memory.profile_builder import TextWriter, WriterError


class RiskClassifier:
    """Lets a language model classify how risky it is to control an entity, e.g. a garage door."""

    def __init__(self, writer: TextWriter, language: str) -> None:
        """Create a classifier that uses `writer` and gives its reasons in `language`."""
        self._writer = writer
        self._language = language

    async def async_classify(
        self, subjects: Sequence[ClassifiedEntity]
    ) -> Mapping[str, RiskVerdict]:
        """Return the model's verdicts: `ClassifiedEntity.key` -> risk class and reason.

        Entities without a valid verdict are left out. Raises ClassifierError if the model fails.
        """
        question = RiskQuestion(subjects, self._language)
        try:
            written = await self._writer.async_write(
                self._writer.instructions(PROMPT),
                question.text,
                max_tokens=question.max_tokens,
                schema=question.schema,
            )
        except WriterError as err:
            raise ClassifierError(str(err)) from err
        return question.verdicts(written.text)
