"""Detects states that are shorter than the time until the next check (DESIGN 8)."""

import asyncio
import logging
from collections.abc import Collection

from .answers import Answers, Asker
from .asking import Answereds
from .sandbox.model import Question

_LOGGER = logging.getLogger(__name__)


def answered_at_once(answers: Answers, asker: Asker, questions: Collection[Question]) -> Answereds:
    """Return the current answers; none if they are not immediately available."""
    if not questions:
        return {}
    asking = asyncio.Task(answers.async_answer(asker, questions), eager_start=True)
    if not asking.done():
        asking.cancel()
        return {}
    if (error := asking.exception()) is not None:
        _LOGGER.debug("What changed could not be seen at once", exc_info=error)
        return {}
    return asking.result()
