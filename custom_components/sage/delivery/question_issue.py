"""The repair issue of a question that a routine asks.

Only administrators can open a repair issue, but all users can see its text and data. So there is
an issue only if an administrator may answer, and only its flow shows the question
(`routine_access.question_flow`).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir

from ..const import DOMAIN
from .open_questions import OpenQuestion

QUESTION_ID: Final = "question_id"
"""Key of the data of an issue about a question."""


@contextmanager
def question_issue(
    hass: HomeAssistant, question: OpenQuestion, owner: User | None
) -> Iterator[None]:
    """Show the issue while the block runs; `owner` is None for the household."""
    if owner is not None and not owner.is_admin:
        yield
        return
    issue_id = f"routine_asks_{question.id}"
    ir.async_create_issue(
        hass,
        DOMAIN,
        issue_id,
        is_fixable=True,
        severity=ir.IssueSeverity.WARNING,
        translation_key="routine_asks" if owner is not None else "routine_asks_all",
        translation_placeholders={"name": owner.name or "?"} if owner is not None else None,
        data={QUESTION_ID: question.id},
    )
    try:
        yield
    finally:
        ir.async_delete_issue(hass, DOMAIN, issue_id)
