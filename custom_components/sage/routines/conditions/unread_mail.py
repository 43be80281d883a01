"""`count_unread_mail`: the number of unread messages of the owner of the condition."""

from datetime import timedelta
from typing import Final

from homeassistant.util import dt as dt_util

from ...external import External
from ...external.external_error import ExternalError
from ..interfaces import WatchedResult
from ..sandbox.sandbox_types import ConditionFunction, FunctionResult
from .function_calls import CallArguments, FunctionCallError, NotNowError

_LIFETIME: Final = timedelta(minutes=2)
"""How often a mail server is asked at most."""


class CountUnreadMail:
    """The number of unread messages, and nothing else about them."""

    function = ConditionFunction(
        name="count_unread_mail",
        returns="int",
        description="How many unread messages are in the person's own inboxes.",
    )

    def __init__(self, external: External) -> None:
        """Count in the mail of the owner of a condition, never in that of others."""
        self._external = external

    async def async_answer(self, call: CallArguments) -> WatchedResult:
        """Return the number; unknown while the server cannot be reached."""
        mail = self._external.of(call.person).mail
        if mail is None:
            raise FunctionCallError("This person has no mail account in SAGE.")
        try:
            number = await mail.async_count_unread()
        except ExternalError as err:
            raise NotNowError from err
        return WatchedResult(
            answer=FunctionResult(value=number), fresh_until=dt_util.utcnow() + _LIFETIME
        )
